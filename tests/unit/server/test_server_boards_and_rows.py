"""Two boards, open-face and dealer's choice at served tables: who is told what, who chooses, and what is kept."""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, StaleAction, TableRefusal
from poker_actors.history import page
from poker_actors.rules import Hand, Lay, Stakes, event, game_named
from poker_actors.server.hspe import Game, NamedAction, read_move
from poker_actors.server.live import Hands, Shares, shared_page
from poker_actors.server.live.hands import line_of, line_seen_by, line_with_shown, scene_of
from tests.unit.server.conftest import picture
from tests.unit.server.test_server_other_games import move_in, pictures, table_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.server.conftest import House


CARD = re.compile("[2-9TJQKA][cdhs]")


def page_data(text: str) -> dict[str, Any]:
    [data] = json.loads(text.partition('type="application/json">')[2].partition("</script>")[0])
    return dict(data)


def play_out(house: House, game: Game) -> None:
    hand = game.hand_id
    while game.turn is not None and game.hand_id == hand:
        move_in(game)
        house.run()


def laid_cards(plain: dict[str, Any]) -> set[str]:
    """The cards that lie open in rows, those of deals that are over included."""
    table = plain["open_face"]
    rows = [*table["rows"], *[seat for deal in table["deals"] for seat in deal["rows"]]]
    return {card for seat in rows for row in seat for card in row}


def test_the_shares_of_two_boards_are_told_and_add_up(house: House) -> None:
    game = table_of(house, "double-board-omaha", pause=60)
    play_out(house, game)
    plain = picture(game, None)
    assert [len(board) for board in plain["boards"]] == [5, 5]
    shares = [share for winner in plain["winners"] for share in winner["shares"]]
    assert {share["board"] for share in shares} == {0, 1}
    for winner in plain["winners"]:
        assert sum(share["amount"] for share in winner["shares"]) == winner["amount"]
        assert winner["hand"] is None
        assert all(share["hand"] for share in winner["shares"])


def test_the_halves_of_hi_lo_are_told_each_by_its_name(house: House) -> None:
    game = table_of(house, "omaha8", pause=60)
    play_out(house, game)
    shares = [share for winner in picture(game, None)["winners"] for share in winner["shares"]]
    assert {share["share"] for share in shares} <= {"high", "low"}
    assert shares


@pytest.mark.parametrize("name", ["open-face", "open-face-pineapple"])
def test_nobody_sees_cards_that_others_have_not_laid_or_have_thrown_away(house: House, name: str) -> None:
    game = table_of(house, name, pause=60)
    hands = Hands(house.lobby)
    shares = Shares(house.lobby.notes)
    dealt: dict[str, set[str]] = {}
    while game.turn is not None:
        turn = game.turn
        held = {str(card) for card in turn.state.hole}
        dealt.setdefault(turn.user, set()).update(held)
        for owner, plain in pictures(game).items():
            assert (plain["you"] is not None and plain["you"]["legal"] is not None) == (owner == turn.user)
            if owner != turn.user:
                secret = held - laid_cards(plain)
                assert not [card for card in secret if f'"{card}"' in json.dumps(plain)]
        move_in(game)
        house.run()
    plain = picture(game, None)
    assert [sum(deal["points"]) for deal in plain["open_face"]["deals"]] == [0] * len(
        plain["open_face"]["deals"]
    )
    assert all(winner["hand"].endswith(("point", "points")) for winner in plain["winners"])
    for user_id in dealt:
        text = hands.text(game.id, game.hand_id, user_id)
        told = shares.find(shares.share(user_id, game.hand_id, text))
        line = json.loads(told)
        own = line["players"].index(house.users.get(user_id).name)  # type: ignore[union-attr]
        others = [event for event in line["events"] if event.get("hole_dealt", own) != own]
        assert others
        assert {card for event in others for card in event["cards"]} == {"?"}
    with pytest.raises(BadSpec, match=r"open-face.* has no hand history"):
        hands.text(game.id, game.hand_id, next(iter(dealt)), "phh")


def test_a_kept_hand_on_two_boards_shows_others_cards_only_where_they_were_shown(house: House) -> None:
    game = table_of(house, "double-board-holdem", pause=60)
    hands = Hands(house.lobby)
    play_out(house, game)
    shown = {seat for seat, _ in game.public.shown} if game.public is not None else set()
    (user_id,) = [one for one, state in game.dealt.items() if state.seat == 0]
    line = json.loads(hands.text(game.id, game.hand_id, user_id))
    hidden = [
        event["hole_dealt"] for event in line["events"] if "hole_dealt" in event and "?" in event["cards"]
    ]
    assert len(hidden) == len(game.dealt) - 1
    assert {line["seats"][event["shown"]] for event in line["events"] if "shown" in event} == shown
    assert {event.get("board", 0) for event in line["events"] if "street_dealt" in event} == {0, 1}
    again = Hands(house.lobby)
    assert again.text(game.id, game.hand_id, user_id) == hands.text(game.id, game.hand_id, user_id)


@pytest.mark.parametrize(
    ("name", "seats"),
    [("double-board-holdem", 4), ("double-board-omaha", 6), ("open-face", 3), ("open-face-pineapple", 2)],
)
def test_the_events_of_a_line_are_those_of_the_rules(name: str, seats: int) -> None:
    game = game_named(name)
    for seed in range(30):
        rng = random.Random(seed)
        stacks = [rng.choice((7, 40, 200)) for _ in range(seats)]
        hand = Hand(stacks, game.stakes, deck=Deck.seeded(seed, game.pack), button=seed % seats, game=game)
        while not hand.over:
            hand.act(rng.choice(list(hand.legal)))
        line = line_of(hand, [f"p{seat}" for seat in range(seats)], "main/hand-1", "T", datetime.now(UTC))
        scene = scene_of(line)
        told = [*scene.events]
        places = {seat: (seat - hand.button - 1) % seats for seat in range(seats)}
        for kind in (event.Posted, event.Acted, event.HoleDealt, event.Shown):
            rules = [
                attrs.evolve(one, seat=places[one.seat]) for one in hand.events() if isinstance(one, kind)
            ]
            assert [one for one in told if isinstance(one, kind)] == rules
        for dealt in (event.StreetDealt, event.RunDealt):
            boards = [one for one in hand.events() if isinstance(one, dealt)]
            assert [one for one in told if isinstance(one, dealt)] == boards
        data = page_data(page([scene_of(line_seen_by(line, 0))], mine=0))
        ends = [data["seats"][at]["stack"] for at in data["pictures"][-1]["seats"]]
        assert ends == [hand.stacks[(hand.button + 1 + place) % seats] for place in range(seats)]
        assert data["pictures"][-1]["you"] == {"seat": 0}


STRADDLED = Stakes(1, 2, ante=1, straddle=4)
OWED = (
    event.Posted(1, event.Post.SMALL_BLIND, 1),
    event.Posted(2, event.Post.BIG_BLIND, 2),
    event.Posted(3, event.Post.DEAD_BLIND, 1),
    event.Posted(3, event.Post.EXTRA_BLIND, 2),
    event.Posted(2, event.Post.BIG_BLIND_ANTE, 2),
)


@pytest.mark.parametrize(("stakes", "posts"), [(STRADDLED, None), (Stakes(1, 2), OWED)])
def test_what_an_action_costs_follows_from_the_posts_that_are_bets(
    stakes: Stakes, posts: tuple[event.Posted, ...] | None
) -> None:
    game = game_named("holdem")
    for seed in range(20):
        rng = random.Random(seed)
        hand = Hand([40] * 4, stakes, deck=Deck.seeded(seed, game.pack), button=0, game=game, posts=posts)
        while not hand.over:
            hand.act(rng.choice(list(hand.legal)))
        told = scene_of(line_of(hand, "abcd", "main/hand-1", "T", datetime.now(UTC))).events
        places = {seat: (seat - 1) % 4 for seat in range(4)}
        rules = [
            attrs.evolve(one, seat=places[one.seat]) for one in hand.events() if isinstance(one, event.Acted)
        ]
        assert [one for one in told if isinstance(one, event.Acted)] == rules


@pytest.mark.parametrize(
    ("name", "has"), [("double-board-holdem", "boards"), ("open-face-pineapple", "open_face")]
)
def test_the_page_of_a_kept_hand_has_both_boards_or_the_rows_and_no_hidden_card(
    house: House, name: str, has: str
) -> None:
    game = table_of(house, name, 2, seats=2, pause=60)
    hands, shares = Hands(house.lobby), Shares(house.lobby.notes)
    play_out(house, game)
    mine = next(iter(game.dealt))
    line = hands.text(game.id, game.hand_id, mine)
    data = page_data(hands.text(game.id, game.hand_id, mine, "html"))
    assert {"boards", "open_face"} & {*data["pictures"][-1]} == {has}
    assert {*CARD.findall(json.dumps([data["seats"], data["pictures"]]))} <= {*CARD.findall(line)}
    shared = shares.find(shares.share(mine, game.hand_id, line))
    assert page_data(shared_page(shared))["lines"] == data["lines"]


def test_the_dealer_names_the_game_of_an_orbit_and_is_told_what_there_is(house: House) -> None:
    game = table_of(house, "dealers-choice", 2, seats=2, pause=0)
    plain = picture(game, None)
    assert plain["hand_id"] is None
    asked = plain["choice"]
    assert asked["seat"] == 0
    assert "razz" in [one["name"] for one in asked["games"]]
    first, second = [game.at.get(seat) or member_at(game, seat) for seat in (0, 1)]
    with pytest.raises(TableRefusal, match="it is not your turn"):
        game.choose(second.user.id, "razz")
    with pytest.raises(BadSpec, match="game 'holdem6' must be one of 2-7-triple-draw, limit-holdem"):
        game.choose(first.user.id, "holdem6")
    game.choose(first.user.id, "razz")
    house.run()
    for _ in range(2):
        assert picture(game, None)["plays"] == "Fixed-limit razz"
        play_out(house, game)
        house.run()
    asked = picture(game, None)["choice"]
    assert asked["seat"] == 1
    game.choose(second.user.id, "omaha")
    house.run()
    assert picture(game, None)["plays"] == "Pot-limit Omaha"


def member_at(game: Game, seat: int) -> Any:
    return next(one for one in game.roster.playing.values() if one.seat == seat)


def test_where_nobody_names_a_game_in_time_the_games_go_round(house: House) -> None:
    game = table_of(house, "dealers-choice", 2, seats=2, pause=0)
    assert game.choice is not None
    assert game.choice.open is not None
    house.run(game.choice.open.seconds)
    house.run()
    assert picture(game, None)["choice"] is None
    assert picture(game, None)["plays"] == "Fixed-limit deuce-to-seven triple draw"


def test_who_leaves_or_sits_out_while_a_game_is_to_be_named_is_not_waited_for(house: House) -> None:
    game = table_of(house, "dealers-choice", 3, seats=3, pause=0)
    game.leave(member_at(game, 0).user.id)
    house.run()
    assert picture(game, None)["choice"]["seat"] == 1
    game.sit_out(member_at(game, 1).user.id, out=True)
    house.run()
    assert game.choice is not None


@pytest.mark.parametrize("rows", [None, [], [["As"], [], [], []], ["As", "", ""], [["Az"], [], []]])
def test_rows_that_do_not_read_are_refused(rows: object) -> None:
    with pytest.raises(BadSpec, match=r"rows|cards"):
        read_move(json.dumps({"act": "lay", "rows": rows}).encode())


def test_cards_laid_are_read_by_row_and_written_down_so_that_they_read_back() -> None:
    move, _ = read_move(b'{"act": "lay", "rows": [["2c"], ["Kd", "Ks"], []]}')
    assert str(move.action(None)) == "lay 2c/KdKs/-"
    assert NamedAction.from_plain(move.plain()) == move


@pytest.mark.parametrize("name", ["open-face-pineapple", "double-board-holdem", "dealers-choice"])
def test_a_table_comes_back_with_its_hand(reopened: Callable[[], House], name: str) -> None:
    house = reopened()
    made = table_of(house, name, 2)
    if made.choice is not None and made.choice.open is not None:
        made.choose(made.choice.open.user, "stud8")
        house.run()
    move_in(made)
    house.run()
    before = pictures(made)
    again = reopened().lobby.game(made.id)
    after = pictures(again)
    for owner, plain in before.items():
        same = ("hand_id", "seq", "plays", "boards", "open_face", "choice")
        assert [after[owner][key] for key in same] == [plain[key] for key in same]
    if again.choice is not None:
        assert again.choice.game_of(0) is not None


def test_cards_laid_before_a_restart_are_laid_once_though_they_are_sent_again(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    made = table_of(house, "open-face-pineapple", 2)
    assert made.turn is not None
    turn, rows = made.turn, made.turn.state.legal.passive
    assert isinstance(rows, Lay)
    lay = NamedAction("lay", rows=rows.rows)
    assert made.take(turn.user, lay, turn.key) == turn.key
    house.run()
    again = reopened().lobby.game(made.id)
    before = pictures(again)
    turned = [card for row in rows.rows for card in row]
    turned.append(turned.pop(0))
    otherwise = NamedAction("lay", rows=tuple(tuple(turned.pop(0) for _ in row) for row in rows.rows))
    for game in (made, again):
        with pytest.raises(StaleAction, match="other cards"):
            game.take(turn.user, otherwise, turn.key)
    assert again.take(turn.user, lay, turn.key) == turn.key
    assert pictures(again) == before
    cards = [card for row in rows.rows for card in row]
    other = NamedAction("lay", rows=(tuple(cards[:1]), tuple(cards[1:2]), tuple(cards[2:])))
    with pytest.raises(StaleAction):
        again.take(turn.user, other, turn.key)


def test_cards_shown_after_a_double_board_are_in_its_line() -> None:
    line = json.dumps({"events": [{"mucked": 1}, {"hole_dealt": 1, "cards": "AcTd"}]})
    shown = line_with_shown(line, 1, tuple(parse_cards("Ac Td")))
    assert json.loads(shown)["events"] == [{"hole_dealt": 1, "cards": "AcTd"}, {"shown": 1, "cards": "AcTd"}]
    assert line_with_shown(shown, 1, tuple(parse_cards("Ac Td"))) == shown
