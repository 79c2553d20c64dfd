"""What a client is shown is enough for a bot: it may do what the server says it may."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import attrs
import httpx2
import pytest
from starlette.requests import Request

from poker_actors.actors import TableNews
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, PokerError, RoomClosed, StorageFailed, TableRefusal
from poker_actors.guard import DoorLimits, Guard, TooOften
from poker_actors.rules import (
    GAMES,
    Action,
    Bet,
    Call,
    Check,
    Fold,
    Hand,
    Legal,
    PublicState,
    RaiseTo,
    Stakes,
)
from poker_actors.rules.legal import LEGAL_FIELDS
from poker_actors.server import GO, PROFILES, README, Profile
from poker_actors.server.hspe import Order, last_words, read_setting, side_pots
from poker_actors.server.hspe.hearing import won_by_showing
from poker_actors.server.hspe.wire import round_pots
from poker_actors.server.http import build_app
from poker_actors.server.http.answers import list_answer, refusal
from poker_actors.server.http.exchange import Door
from poker_actors.server.live.picture import hand_so_far
from poker_actors.store import Journal, open_journal
from poker_actors.wire.hspe.guest import board_of, hole_of, public_of
from tests.unit.server.conftest import House, game_json, picture


def bounds(legal: Legal) -> list[int]:
    """All that the seat to act may do, whoever it is."""
    return [getattr(legal, name) for name in LEGAL_FIELDS if name != "seat"]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(6))
def test_a_client_sees_the_bounds_cards_and_chips_the_table_has(
    house: House, profile: str, seed: int
) -> None:
    luck = Random(seed)
    game, _ = house.game_of(*"abcdef"[: 2 + seed % 5])
    for _ in range(150):
        if game.turn is None:
            break
        state = game.turn.state
        shown = game_json(game, PROFILES[profile], game.turn.user)
        seen = public_of(shown)
        place = seen.seats_to_act[0]
        assert bounds(seen.legal(place)) == bounds(state.legal)
        assert (hole_of(shown), board_of(shown)) == (
            tuple(sorted(state.hole, key=str)),
            tuple(
                card
                for part in (state.board[:3], state.board[3:4], state.board[4:])
                for card in sorted(part, key=str)
            ),
        )
        assert (seen.pot, seen.phase, seen.bet) == (state.pot, state.phase, state.public.bet)
        assert len(seen.seats_live) == len(state.public.seats_live)
        assert len(seen.seats_to_act) == len(state.public.seats_to_act)
        legal = state.legal
        amounts = [legal.to_call] * 4
        if legal.can_raise:
            top = (
                legal.max_raise_to
                if luck.random() < 0.05
                else min(legal.max_raise_to, legal.min_raise_to * 3)
            )
            mine = state.public.chips_in_front[state.seat]
            amounts += [luck.randint(legal.min_raise_to, top) - mine] * 2
        game.act(game.turn.user, Order(None if luck.random() < 0.1 else luck.choice(amounts)))
        house.run()
        assert game.invalid_bet is None
    assert game.hands


def played(stacks: list[int], *actions: Action) -> PublicState:
    """What is seen of a hand at blinds of 5 and 10 after these actions, the first by whoever is to act."""
    hand = Hand(stacks, Stakes(5, 10), deck=Deck.seeded(1))
    for action in actions:
        hand.act(action)
    return hand.public()


def pots(public: PublicState) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.amount, pot.seats) for pot in side_pots(public)]


def test_a_side_pot_is_of_those_who_can_win_it() -> None:
    """The button, seat 0, acts first; it has 100, seat 1 the small blind and 200, seat 2 the big blind and 300."""
    stacks = [100, 200, 300]
    assert pots(played(stacks)) == [(15, (1, 2))], "the button has nothing in it yet"
    three = played(stacks, RaiseTo(100), RaiseTo(200))
    assert pots(three) == [(210, (0, 1, 2)), (100, (1,))]
    assert [(pot.amount, pot.seats) for pot in round_pots(three)] == pots(three)
    over = played(stacks, Fold(), Fold())
    assert over.over
    assert side_pots(over) == round_pots(over) == []
    checked = round_pots(played([100] * 3, Fold(), Call(), Check(), Check(), Check()))
    assert [(pot.amount, pot.seats) for pot in checked] == [(20, (1, 2)), (0, (1, 2)), (0, (1, 2))]


def test_what_somebody_put_in_who_folded_is_in_the_pots_of_the_others() -> None:
    """Four with 100, 400, 400 and 400 see a flop for 100; one bets 150 there, one raises all-in, and both others fold."""
    stacks = [400, 400, 400, 100]
    flop: list[Action] = [RaiseTo(100), Call(), Call(), Call()]
    seen = played(stacks, *flop)
    assert pots(seen) == [(400, (0, 1, 2, 3))]
    bet = played(stacks, *flop, Bet(150))
    assert pots(bet) == [(400, (0, 1, 2, 3)), (150, (1,))]
    called = played(stacks, *flop, Bet(150), Call())
    assert pots(called) == [(400, (0, 1, 2, 3)), (300, (1, 2))]
    raised = played(stacks, *flop, Bet(150), Call(), RaiseTo(300), Fold())
    assert pots(raised) == [(400, (0, 2, 3)), (600, (0, 2))]
    assert [pot.amount for pot in round_pots(raised)] == [400, 600]
    assert sum(amount for amount, _ in pots(raised)) == raised.pot


def test_the_last_word_of_a_seat_is_of_this_street_but_a_fold_and_an_all_in_stay() -> None:
    stacks = [400, 400, 400, 100]
    words = last_words(played(stacks, RaiseTo(100), Call(), Fold(), Call()))
    assert words == {3: "raise_to 100 all-in", 1: "fold"}
    assert last_words(played(stacks, RaiseTo(100), Call(), Fold())) == {
        3: "raise_to 100 all-in",
        0: "call 100",
        1: "fold",
    }
    assert last_words(played([100, 100], Call(), Check(), Fold())) == {1: "fold"}, (
        "no call of the street before"
    )
    out = played([100, 100], RaiseTo(100), Call())
    assert out.over
    assert last_words(out) == {0: "raise_to 100 all-in", 1: "call 90 all-in"}
    run_out = played([100, 300], RaiseTo(100), Call())
    assert last_words(run_out) == {0: "raise_to 100 all-in", 1: "call 90"}, "its streets have no words"


def test_hspe_shows_who_is_not_in_the_hand_as_folded_with_the_stack_and_last(house: House) -> None:
    game, (ann, bob, cat) = house.game_of("ann", "bob", "cat", pause=60)
    game.sit_out(cat.id, out=True)

    def shown(profile: Profile = README) -> Any:
        return [(one["playerID"], one["state"], one["wealth"]) for one in game_json(game, profile)["table"]]

    while game.turn is not None:
        game.act(game.turn.user, Order(None))
        house.run()
    assert game_json(game, README)["pots"] is None, "the hand is over"
    assert "last_winners" not in game_json(game, README)
    assert game_json(game, GO)["last_winners"] == []
    house.run(60)
    wealth = game.roster.playing[cat.id].wealth
    assert shown()[-1] == (cat.id, "folded", wealth)
    game.leave(ann.id)
    house.run()
    assert bob.id in [one for one, _, _ in shown()]
    house.run(60)
    house.lobby.join(ann, game.id)
    assert shown()[-1] == (ann.id, "folded", 10_000), "not as before"
    game.heard(bob.id, TableNews(game.id, "hand_voided", hand_id="void"))
    assert {state for _, state, _ in shown()} == {"folded"}


def test_hspe_s_winners_had_to_show_and_won(house: House) -> None:
    hand = Hand([100, 100, 100], Stakes(5, 10), deck=Deck.seeded(1))
    while not hand.over:
        hand.act(Call() if hand.legal.to_call else Check())
    public = hand.public()
    dealt = {0: "ann", 1: "bob", 2: "cat"}
    won = {seat: public.chips_behind[seat] > 100 for seat in dealt}
    assert [user for user, _ in won_by_showing(public, dealt)] == [dealt[seat] for seat in won if won[seat]]
    (winner,) = [seat for seat in won if won[seat]]
    assert won_by_showing(public, dealt, by_choice=[winner]) == []
    assert won_by_showing(public, {seat: one for seat, one in dealt.items() if seat != winner}) == []


def test_nobody_to_act_is_no_picture(house: House) -> None:
    game, _ = house.game_of("ann")
    with pytest.raises(BadSpec):
        public_of(game_json(game, PROFILES["readme"]))


HELD = [
    ("holdem", "9d9h", "", "Pair of Nines"),
    ("holdem", "6d6h", "", "Pair of Sixes"),
    ("holdem", "Ts As", "", "Ace-Ten suited"),
    ("holdem", "7s Kd", "", "King-Seven offsuit"),
    ("holdem", "Ah7d", "As7c2h", "Two Pair, Aces and Sevens"),
    ("holdem", "Ah7d", "Ks9c2hTdQc", "High Card, Ace"),
    ("short-deck", "Ah7d", "8s9c6d", "Straight, Nine high"),
    ("omaha", "AhAs2d3c", "", None),
    ("omaha", "AhAs2d3c", "AdKcKh", "Full House, Aces full of Kings"),
    ("omaha", "AhKs2d3c", "AdKc9h", "Two Pair, Aces and Kings"),
    ("omaha8", "AhKs2d3c", "4d5c9h", "High Card, Ace"),
    ("omaha8", "AhKs2d3c", "4d5c8h", "High Card, Ace; 8-5-4-2-A low"),
    ("double-board-holdem", "AhKs", "Ad7c2h|KdKc2s", "Pair of Aces / Three of a Kind, Kings"),
    ("crazy-pineapple", "AhKs2d", "AdKc9h", "Two Pair, Aces and Kings"),
    ("irish", "AhKs2d2c", "2hKc9h", "Three of a Kind, Deuces"),
    ("stud", "AhKsAd", "", "Pair of Aces"),
    ("razz", "AhKs2d", "", None),
    ("razz", "Ah8s2d3c5h", "", "8-5-3-2-A low"),
    ("badugi", "Ah2s3d4c", "", "4-card 4-low"),
    ("open-face", "AhKs2d3c4c", "", None),
    ("leduc", "Kh", "", "High Card, King"),
    ("rhode-island", "Kh", "2h", None),
]


@pytest.mark.parametrize(("game", "hole", "boards", "words"), HELD, ids=lambda one: str(one)[:20])
def test_a_player_reads_what_is_held_so_far_in_words(
    game: str, hole: str, boards: str, words: str | None
) -> None:
    """By rule book: the omaha hand takes two and three cards, and cards still to be thrown away count if they help."""
    public = SimpleNamespace(
        setup=SimpleNamespace(game=GAMES[game]),
        seats_live=(1,),
        boards=tuple(parse_cards(board) for board in boards.split("|")),
    )
    assert hand_so_far(public, 1, parse_cards(hole)) == words  # type: ignore[arg-type]  # it has the fields read
    assert hand_so_far(public, 0, parse_cards(hole)) is None, "who has folded holds nothing"  # type: ignore[arg-type]  # it has the fields read


def test_pot_odds_are_the_share_of_such_pots_a_call_must_win(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    assert game.turn is not None
    legal = picture(game, game.turn.user)["you"]["legal"]
    assert (legal["to_call"], legal["pot"], legal["pot_odds"]) == (10, 30, 0.25)
    game.act(game.turn.user, Order(10))
    house.run()
    assert picture(game, game.turn.user)["you"]["legal"]["pot_odds"] is None


@pytest.fixture
def door(house: House) -> Iterator[Door]:
    made = Door(house.users, Guard(DoorLimits(guesses=100_000)))
    yield made
    made.guard.close()


def asked(
    app: Any, path: str, tag: str | None = None, *, auth: tuple[str, str] | None = None, **headers: str
) -> httpx2.Response:
    """Ask an application for `path`, with an ETag that the client has."""

    async def ask() -> httpx2.Response:
        transport = httpx2.ASGITransport(app=app, client=("198.51.100.1", 1))
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with httpx2.AsyncClient(transport=transport, base_url="http://room") as client:
            return await client.get(
                path, auth=auth, headers=named | ({} if tag is None else {"if-none-match": tag})
            )

    return asyncio.run(ask())


@pytest.mark.parametrize("profile", PROFILES)
def test_a_poll_of_what_has_not_changed_is_answered_as_by_its_route_and_without_it(
    house: House, door: Door, profile: str
) -> None:
    """The answer of the layer is that of the route behind it, for every viewer, path, tag and header."""
    game, users = house.game_of("ann", "bob")
    stud, _ = house.lobby.make(users[0], read_setting(b'{"game": "stud"}', users[0].id))
    house.user("eve")
    layered, without = (
        build_app(house.lobby, door, PROFILES[profile], lambda command: command()) for _ in range(2)
    )
    layer: Any = layered
    other: Any = without
    look: Any = layer._current
    found: list[object] = []

    def noted(scope: Any) -> object:
        found.append(look(scope))
        return found[-1]

    vars(layer)["_current"] = noted
    other._current = lambda scope: None  # it passes everything on
    other._views._run = layer._views._run  # tags name the run
    paths = [
        f"/games/{one}{end}"
        for one in (game.id, stud.id, "nobody")
        for end in ("", "/", "//", "/table/", "/players/", "/table?wait=0")
    ]
    people = [None, ("ann", "secret"), ("eve", "secret"), ("ann", "wrong")]
    for who in people[1:3]:
        asked(layered, "/session", auth=who)  # proves the passwords
    skipped = 0
    for path in paths:
        for who in people:
            own = None if who is None or who[1] == "wrong" else house.users.find(who[0]).id
            table = house.lobby.games.get(path.split("/")[2], game)
            tags = [layer._views.game_tag(kind, table, own) for kind in ("g", "t")]
            for tag in (None, '"other"', *tags, f'"other", {tags[0]}'):
                for more in ({}, {"cookie": "session=none"}, {"content_length": "0"}):
                    found.clear()
                    given = asked(layered, path, tag, auth=who, **more)
                    skipped += found[0] is not None
                    plain = asked(without, path, tag, auth=who, **more)
                    assert (given.status_code, given.headers, given.content) == (
                        plain.status_code, plain.headers, plain.content,
                    ), (path, who, tag, more)  # fmt: skip
                    assert (found[0] is not None) is (
                        given.status_code == 304 and not more and "?" not in path
                    ), (
                        path,
                        who,
                        tag,
                        more,
                    )
    assert skipped, "or this compares nothing"


def test_a_poll_with_two_users_or_of_what_is_not_written_is_answered_by_its_route(
    house: House, door: Door
) -> None:
    async def lost() -> None:
        raise StorageFailed("the disk is full")

    game, _ = house.game_of("ann", "bob")
    app = build_app(house.lobby, door, README, lambda command: command(), lost)
    assert asked(app, "/healthz").status_code == 503
    layer: Any = app
    tag = layer._views.game_tag("t", game, None)
    assert asked(app, f"/games/{game.id}/table", tag).status_code == 503
    scope = {"path": f"/games/{game.id}", "query_string": b"", "client": None}
    header = (b"authorization", f"Basic {base64.b64encode(b'ann:secret').decode()}".encode())
    wanted = (b"if-none-match", layer._views.game_tag("g", game, house.users.find("ann").id).encode())
    assert layer._current({**scope, "headers": [header, wanted]}) is not None
    assert layer._current({**scope, "headers": [header, header, wanted]}) is None
    assert layer._current({**scope, "path": f"/lobby/{game.id}", "headers": [header, wanted]}) is None


def test_only_a_get_over_http_is_a_poll(house: House, door: Door) -> None:
    game, _ = house.game_of("ann", "bob")
    layer: Any = build_app(house.lobby, door, README, lambda command: command())
    wanted = (b"if-none-match", layer._views.game_tag("g", game, None).encode())
    scope = {"path": f"/games/{game.id}", "query_string": b"", "client": None, "headers": [wanted]}
    assert layer.unchanged(scope) is not None, "all is in memory"
    passed: list[str] = []

    async def behind(scope: Any, receive: object, send: object) -> None:
        passed.append(scope["type"])

    layer.behind = behind
    for other in ({"type": "http", "method": "POST"}, {"type": "websocket"}):
        asyncio.run(layer({**scope, **other}, None, None))
    assert passed == ["http", "websocket"]


def test_no_poll_is_answered_at_once_while_something_is_not_on_the_disk(door: Door, tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "room.db")
    house = House(journal)
    game, _ = house.game_of("ann", "bob")
    layer = build_app(house.lobby, door, README, lambda command: command())
    wanted = (b"if-none-match", layer._views.game_tag("g", game, None).encode())
    scope = {"path": f"/games/{game.id}", "query_string": b"", "client": None, "headers": [wanted]}
    assert layer.unchanged(scope) is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "appended", property(lambda self: self.durable + 1))
        assert layer.unchanged(scope) is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "failed", property(lambda self: StorageFailed("the disk is full")))
        assert layer.unchanged(scope) is None
    journal.close()


def test_during_a_wait_no_poll_is_answered_by_a_right_password(house: House) -> None:
    door = Door(house.users, Guard(DoorLimits(guesses=1)))
    house.user("ann")
    header, wrong = (f"Basic {base64.b64encode(text).decode()}" for text in (b"ann:secret", b"ann:wrong"))
    assert door.known(wrong, "198.51.100.1") is None, "it takes a digest to know"
    assert door.known(header, "198.51.100.1") == house.users.find("ann")

    def guess() -> None:
        for _ in range(9):
            door.guard.waits.attempt("ann", "203.0.113.9").end(right=False)

    with pytest.raises(TooOften):
        guess()
    assert door.known(header, "203.0.113.9") is None
    assert door.known(header, "198.51.100.1") is not None, "where it was proven the owner is let in"
    assert door.known("Basic !", "198.51.100.1") is None
    door.guard.close()


@pytest.mark.parametrize(
    ("size", "accepted", "packed"), [(1_023, "gzip", 0), (1_024, "gzip", 1), (1_024, "br", 0)]
)
def test_a_long_list_is_compressed_for_who_takes_it(size: int, accepted: str, packed: int) -> None:
    asks = Request({"type": "http", "headers": [(b"accept-encoding", accepted.encode())]})
    given = list_answer(asks, b"x" * size, '"tag"')
    assert (given.headers.get("content-encoding"), len(given.body) < size) == (
        ("gzip", True) if packed else (None, False)
    )


@pytest.mark.parametrize(
    ("error", "how", "status"),
    [
        (TableRefusal("", code="out_of_turn"), {}, 418),
        (TableRefusal("", code="out_of_turn"), {"in_json": True}, 409),
        (TableRefusal("", code="no_credentials"), {}, 419),
        (TableRefusal("", code="no_credentials"), {"in_json": True}, 401),
        (TableRefusal("", code="no_credentials"), {"in_json": True, "registering": True}, 400),
        (TableRefusal("", code="bad_credentials"), {}, 401),
        (TableRefusal("", code="bad_credentials"), {"quiet": True}, 401),
        (TableRefusal("", code="no_game"), {}, 404),
        (TableRefusal("", code="too_many"), {}, 503),
        (TooOften("", seconds=2.5), {}, 429),
        (BadSpec(""), {}, 400),
        (RoomClosed(""), {"in_json": True}, 503),
        (BadSpec("", code="too_large"), {}, 413),
        (RoomClosed("", code="no_match"), {}, 404),
    ],
)  # fmt: skip
def test_a_refusal_has_the_status_and_headers_of_its_code(
    error: PokerError, how: dict[str, bool], status: int
) -> None:
    given = refusal(attrs.evolve(README, out_of_turn=418, no_credentials=419), error, **how)
    assert given.status_code == status
    assert ("www-authenticate" in given.headers) is (status == 401 and not how.get("quiet"))
    assert given.headers.get("retry-after") == {429: "3", 503: "1"}.get(status)
    assert given.headers["content-type"].startswith(
        "application/json" if how.get("in_json") else "text/plain"
    )


def test_a_refusal_without_a_status_is_a_fault() -> None:
    with pytest.raises(TableRefusal, match="odd"):
        refusal(README, TableRefusal("odd", code="of_no_status"))
