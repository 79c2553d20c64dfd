"""How a turn is taken, and its clock: that of a served room is the loop's, also where a request is carried out at once."""

import asyncio
from collections.abc import Callable, Mapping
from uuid import UUID

import attrs
import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, IllegalAction, StaleAction, TableRefusal
from poker_actors.guard import Guard
from poker_actors.rules import GAMES, Call, Check, Fold, Hand, Legal, RaiseTo, Stakes
from poker_actors.server import GO, README, Notes, Passwords, Rules, Users
from poker_actors.server.hspe import (
    Due,
    Game,
    Lobby,
    NamedAction,
    Order,
    read_move,
    read_order,
    read_setting,
)
from poker_actors.server.hspe.house import HouseSeat
from poker_actors.server.hspe.roster import Member
from poker_actors.server.hspe.turn import DealersChoice, Plans, TurnsTaken, action_of, planned
from poker_actors.server.http import Limits
from poker_actors.server.http.app_state import AppState
from tests.unit.server.conftest import House
from tests.unit.server.test_server_games import owed, refused, to_act
from tests.unit.server.test_server_pace import fold

KEY = ("main/hand-1", 7)


def test_a_turn_has_all_its_seconds_however_long_the_last_player_thought() -> None:
    async def main() -> None:
        runtime = StepRuntime()
        async with AsyncRoom(Room(runtime, seed=1)) as room:
            users = Users(notes := Notes(), Passwords(argon2=False, scrypt_cost=2))
            guard = Guard(limits := Limits())
            app = AppState(room, notes, users, profile=README, rules=Rules(), limits=limits, guard=guard)
            before = runtime.now()
            await asyncio.sleep(0.02)
            # what a hand that is carried on by the command counts the next deadline from
            assert app.settle(runtime.now) > before
            await app.close()
            guard.close()

    asyncio.run(main())


def test_an_order_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(BadSpec, match="an act must be a JSON object"):
        read_order(b"[]", README)
    with pytest.raises(BadSpec, match="betAmount -5 is below 0"):
        read_order(b'{"action": 1, "betAmount": -5}', GO)
    assert read_move(b'{"act": "discard", "cards": ["As"]}')[0].cards == parse_cards(["As"])
    assert read_move(b'{"act": "discard"}')[0].cards == ()


def test_a_bet_above_the_call_is_a_call_where_nobody_may_raise_and_else_it_is_invalid() -> None:
    hand = Hand([100, 200], Stakes(5, 10), deck=Deck.seeded(1))
    public, seat = hand.public(), hand.public().seats_to_act[0]
    assert action_of(Order(None), public, seat) == Fold()
    assert action_of(Order(95), public, seat) == RaiseTo(100)
    with pytest.raises(IllegalAction, match="raise_to 11 is below the minimum of 20"):
        action_of(Order(6), public, seat)
    hand.act(RaiseTo(100))
    assert action_of(Order(91), hand.public(), 1 - seat) == Call()
    with pytest.raises(IllegalAction, match="there are 90 to call"):
        action_of(Order(0), hand.public(), 1 - seat)
    draw = Hand([100, 200], Stakes(5, 10), deck=Deck.seeded(1), game=GAMES["five-card-draw"])
    draw.act(Call())
    draw.act(Check())
    assert action_of(Order(20), draw.public(), draw.public().seats_to_act[0]) == Check(), "no turn to bet"


def test_nobody_acts_where_no_turn_is_open(house: House) -> None:
    game, (ann,) = house.game_of("ann")
    assert game.turn is None
    refused("out_of_turn", lambda: game.act(ann.id, Order(None)))
    refused("out_of_turn", lambda: game.take(ann.id, NamedAction("fold")))
    game.plan(ann.id, None)
    refused("not_active", lambda: game.plan(ann.id, "check_fold"))


def test_the_invalid_bet_of_a_hand_is_said_until_its_end(house: House) -> None:
    game, _ = house.game_of("ann", "bob", "cyd")
    game.act(folder := to_act(game), Order(5))
    house.run()
    game.act(to_act(game), Order(owed(game)))
    house.run()
    assert game.invalid_bet is not None
    assert game.invalid_bet.user == folder
    game.act(to_act(game), Order(0))
    house.run()
    fold(house, game)
    assert game.invalid_bet is None, "another hand has begun"


def test_who_has_no_more_turns_in_a_hand_plans_none(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    state = next(iter(game.dealt.values()))
    laid = Hand([100, 100], GAMES["open-face"].stakes, deck=Deck.seeded(1), game=GAMES["open-face"])
    Plans.check(state, state.public)
    for absent in ((None, state.public), (state, None)):
        with pytest.raises(TableRefusal, match="not in a hand"):
            Plans.check(*absent)
    with pytest.raises(TableRefusal, match="placed in view of all"):
        Plans.check(state, laid.public())
    for expected in (Call(), Check()):
        assert game.turn is not None
        assert planned("call_any", game.turn.state) == expected
        game.turn.state.act(expected)
        house.run()
    over = Hand([100, 100], Stakes(5, 10), deck=Deck.seeded(1))
    over.act(Fold())
    (winner,) = over.public().seats_live
    with pytest.raises(TableRefusal, match="not in a hand"):
        Plans.check(attrs.evolve(state, seat=winner), over.public())


def test_the_game_of_an_orbit_is_named_by_who_is_asked_or_in_turn(house: House) -> None:
    assert DealersChoice.of(read_setting(b'{"game": "horse"}', "ann")) is None
    choice = DealersChoice.of(read_setting(b'{"game": "dealers-choice"}', "ann"))
    assert choice is not None
    ann, bob = (Member(house.user(name), house.room.player(name), 0) for name in ("ann", "bob"))
    with pytest.raises(TableRefusal, match="not your turn to name"):
        choice.take(ann.user.id, "razz")
    assert not choice.lapse(None)
    assert not choice.ask(0, {0: ann, 3: bob}, 100.0, 20.0)
    asked = choice.open
    assert asked is not None
    assert (asked.user, asked.seat, asked.expiry) == (ann.user.id, 0, 120.0)
    assert not choice.ask(0, {0: ann, 3: bob}, 110.0, 20.0)
    assert choice.open is asked, "the same question keeps its time"
    with pytest.raises(TableRefusal):
        choice.take(bob.user.id, "razz")
    choice.take(ann.user.id, "razz")
    assert choice.ask(1, {0: ann, 3: bob}, 130.0, 20.0)
    assert not choice.lapse(asked), "it is named already"
    assert [None if one is None else one.name for one in map(choice.game_of, (0, 5, 6))] == [
        "razz",
        "razz",
        None,
    ]
    bob.away = 1.0
    assert choice.ask(6, {0: ann, 3: bob}, 140.0, 20.0), "who sits out is not asked"
    bob.away, bob.house = None, HouseSeat.of(str(UUID(int=1)), "tight 1", "tight", 1)
    assert choice.ask(18, {0: ann, 3: bob}, 140.0, 20.0), "nor is the house"
    assert not choice.ask(12, {0: ann, 3: bob}, 150.0, 20.0)
    late = choice.open
    assert not choice.ask(24, {0: ann, 3: bob}, 160.0, 20.0), "another hand is another question"
    assert choice.open is not late
    assert choice.lapse(choice.open)
    assert choice.game_of(24) is choice.unasked(24)


def test_all_in_is_what_the_turn_allows_and_nothing_without_one() -> None:
    named = NamedAction("all_in")
    assert named.action(Legal(0, 10, 20, 80, all_in_total=80)) == RaiseTo(80)
    with pytest.raises(IllegalAction, match="all_in is not possible here"):
        named.action(Legal(0, 10, 20, 40))
    with pytest.raises(StaleAction, match="all_in: that turn is over"):
        named.action(None)


def test_the_cards_of_a_turn_that_is_repeated_are_those_of_the_first_time() -> None:
    taken: TurnsTaken[NamedAction] = TurnsTaken()
    first, other = (NamedAction("discard", cards=tuple(parse_cards(text))) for text in ("As Kd", "As Qd"))
    taken.check_cards("ann", KEY, other)
    taken.check_cards("ann", None, other)
    taken.keep("ann", KEY, first)
    assert taken.was("ann", KEY, first)
    taken.check_cards("ann", KEY, NamedAction("discard", cards=first.cards[::-1]))
    for user, key, done in (
        ("bob", KEY, other),
        ("ann", (KEY[0], 8), other),
        ("ann", None, other),
        ("ann", KEY, NamedAction("lay", rows=(other.cards, (), ()))),
    ):
        taken.check_cards(user, key, done)
    with pytest.raises(StaleAction, match="main/hand-1 #7: other cards have been laid or thrown away"):
        taken.check_cards("ann", KEY, other)
    taken.keep("ann", KEY, laid := NamedAction("lay", rows=(first.cards, (), ())))
    taken.check_cards("ann", KEY, laid)
    with pytest.raises(StaleAction):
        taken.check_cards("ann", KEY, NamedAction("lay", rows=((), first.cards, ())))


def test_the_last_turn_of_a_full_table_is_remembered_and_no_more() -> None:
    taken: TurnsTaken[int] = TurnsTaken()
    for number in range(33):
        taken.keep(str(number), KEY, number)
    assert [taken.was(str(number), KEY, number) for number in (0, 1, 32)] == [False, True, True]


@pytest.mark.parametrize(
    ("due", "expiry", "grace"),
    [
        (Due(KEY, 1_000.0), 1_160.0, 0.0),
        (Due(KEY, 2_000.0), 2_000.0, 0.0),
        (Due(KEY, 1_000.0, bank=5.0), 1_060.0, 60.0),
        (Due(KEY, 1_090.0, bank=5.0, grace=30.0), 1_060.0, 0.0),
    ],
)
def test_a_turn_has_a_minute_or_a_tenth_left_after_a_restart_and_a_bank_no_more(
    due: Due, expiry: float, grace: float
) -> None:
    after = due.after_restart(1_000.0, 1_600.0)
    assert (after.expiry, after.grace, after.bank) == (expiry, grace, due.bank)
    assert Due.from_plain(after.plain()) == after
    assert len(after.plain()) == (5 if grace else 4)


# -- turns and hands of a game -----------------------------------------------------------------------


class Players:
    """Notes the names of who was in each hand that a lobby reports."""

    def __init__(self, lobby: Lobby) -> None:
        self.hands: list[set[str]] = []
        lobby.on_ended.append(self.note)

    def note(self, game: Game, hand: Hand, hand_id: str, players: Mapping[int, Member]) -> None:
        self.hands.append({one.user.name for one in players.values()})


def test_a_hand_that_ended_before_a_restart_is_counted_and_not_called_void(
    reopened: Callable[..., House],
) -> None:
    house = reopened()
    game, _ = house.game_of("ann", "bob", pause=60)
    fold(house, game)
    house.run(60)
    game.act(to_act(game), Order(None))  # over, and not paid when the server dies
    again = reopened(Players)
    back = again.lobby.game(game.id)
    assert (back.notice, back.hands) == (None, 2)
    assert isinstance(again.made, Players)
    assert again.made.hands == [{"ann", "bob"}]
