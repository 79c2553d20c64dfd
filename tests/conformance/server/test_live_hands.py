"""Hands that were played at the server: told to who was dealt in, with own and shown cards only."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from poker_actors.history import UNKNOWN, Dealt, Showed, page, parse
from tests.conformance.server.conftest import picture, refused

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Site


def play_out(site: Site, game: str, players: dict[str, str], *, fold_first: bool = False) -> str:
    """Play the hand to its end by checks and calls; gives its id."""
    hand = picture(site, game)["hand_id"]
    while (shown := picture(site, game))["hand_id"] == hand and not shown["over"]:
        turn = shown["seats"][shown["turn"]["seat"]]["player_id"]
        legal = picture(site, game, players[turn])["you"]["legal"]
        act = "fold" if fold_first else "check" if legal["check"] else "call"
        fold_first = False
        assert site.ask("POST", f"/games/{game}/actions", players[turn], {"act": act}).status == 200
    assert isinstance(hand, str)
    return hand


def test_a_hand_is_told_to_who_was_dealt_in_with_own_and_shown_cards_only(readme: Site) -> None:
    game, players = readme.game(3)
    holes = {name: picture(readme, game, name)["you"]["cards"] for name in players.values()}
    hand = play_out(readme, game, players, fold_first=True)
    (told,) = [one for one in readme.ask("GET", f"/games/{game}/hands").json if one["hand_id"] == hand]
    assert sorted(told["players"]) == sorted(players.values())
    assert told["pot"] == sum(one["amount"] for one in told["winners"])
    assert not told["yours"]
    for name in players.values():
        assert readme.ask("GET", f"/games/{game}/hands", name).json[0]["yours"]
        path = f"/games/{game}/hands/{quote(hand, safe='')}"
        answer = readme.ask("GET", f"{path}?format=phh", name)
        assert answer.status == 200
        (history,) = parse(answer.text)
        assert history.hand_id == hand
        dealt = dict(
            zip(history.players, [step.cards for step in history.steps if type(step) is Dealt], strict=True)
        )
        assert [str(card) for card in dealt.pop(name)] == holes[name]
        assert all(cards == (UNKNOWN, UNKNOWN) for cards in dealt.values())
        shown = {
            history.players[step.player] for step in history.steps if type(step) is Showed and step.cards
        }
        assert shown, "the winner has shown"
        for other in players.values():
            if other not in (name, *shown):
                assert "".join(holes[other]) not in answer.text
        shown_page = readme.ask("GET", f"{path}?format=html", name)
        assert shown_page.text == page([history], mine=history.players.index(name))
        assert shown_page.headers["content-security-policy"].startswith("sandbox allow-scripts")
        plain = readme.ask("GET", f"{path}?format=json", name)
        assert parse(plain.text, "jsonl")[0].steps == history.steps
        assert readme.ask("GET", f"/games/{game}/hands/{hand.rpartition('/')[2]}", name).json == plain.json


def test_a_hand_is_told_to_nobody_else(readme: Site) -> None:
    game, players = readme.game()
    hand = play_out(readme, game, players, fold_first=True)
    name = next(iter(players.values()))
    path = f"/games/{game}/hands/{hand}"
    refused(readme.ask("GET", path), 401, "no_credentials")
    refused(readme.ask("GET", path, readme.user()[0]), 403, "not_dealt_in")
    refused(readme.ask("GET", f"{path}1", name), 404, "no_hand")
    refused(readme.ask("GET", f"{path}?format=exe", name), 400, "bad_spec")
    refused(
        readme.ask("GET", f"/games/{game}/hands/{picture(readme, game)['hand_id']}", name), 404, "no_hand"
    )


def test_the_last_25_hands_are_kept(readme: Site) -> None:
    game, players = readme.game()
    hands = [play_out(readme, game, players, fold_first=True) for _ in range(30)]
    told = [one["hand_id"] for one in readme.ask("GET", f"/games/{game}/hands").json]
    assert told == hands[:-26:-1]
