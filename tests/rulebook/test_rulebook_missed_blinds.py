"""Missed blinds: Robert's Rules of Poker, "Button and blind use", where a table says that they are owed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from poker_actors.actors import HandResult, Player, Room, StepRuntime, Table
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.history.refereed import verdicts
from poker_actors.rules import Hand, Positions, Stakes
from poker_actors.rules.cash import CashOptions, posts_with_owed
from poker_actors.rules.event import Post, Posted


@pytest.fixture
def room() -> Iterator[Room]:
    with Room(StepRuntime(), seed=1) as room:
        yield room


def table_of(room: Room, players: int = 4, bot: Any = "folder", **settings: Any) -> Table:
    """Seats p0, p1, ... with 1000 chips; p0 has the button of the first hand, p1 and p2 its blinds of 1 and 2."""
    settings = {"seats": 6, "stakes": "1/2", "missed_blinds": True, "button": 0, **settings}
    table = room.open_table("main", **settings)
    for number in range(players):
        join(room, table, f"p{number}", bot)
    return table


def join(room: Room, table: Table, name: str, bot: Any = "folder", seat: int | None = None) -> Player:
    player = room.player(name, bot, chips=1000)
    table.sit(player, seat)
    table.buy_in(player, 1000)
    return player


def played(table: Table, seed: int = 0) -> HandResult:
    return table.deal(Deck.seeded(seed)).result(timeout=60)


def posts(result: HandResult) -> list[tuple[str, str, int]]:
    """Player, kind and chips of each forced bet."""
    assert result.hand is not None
    assert verdicts(result.hand) == ()
    return [
        (result.players[event.seat] or "", event.kind.value, event.amount)
        for event in result.hand.events()
        if isinstance(event, Posted)
    ]


def owed(table: Table) -> dict[str, str]:
    """Player -> what is owed, as text."""
    return {
        one.player: "".join(letter for letter, name in (("s", "small"), ("b", "big")) if getattr(one, name))
        for one in table.state().owed
    }


# -- posting -----------------------------------------------------------------------------------


def test_missed_blinds_are_posted_big_live_and_small_dead(room: Room) -> None:
    table = table_of(room, 5)
    played(table)  # button p0, blinds p1 and p2
    table.sit_out("p3")
    played(table)  # p4 has the big blind
    assert owed(table) == {"p3": "b"}
    played(table)
    assert owed(table) == {"p3": "sb"}
    table.sit_in("p3")
    blinds = [("p0", "small blind", 1), ("p1", "big blind", 2)]
    assert posts(played(table)) == [*blinds, ("p3", "extra blind", 2), ("p3", "dead blind", 1)]
    assert owed(table) == {}
    assert posts(played(table))[-1][1] == "big blind", "once"


def test_a_live_blind_is_a_bet_and_its_owner_may_check_or_raise() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = table_of(room, 5, bot="caller")
        played(table)
        table.sit_out("p3")
        for hand in range(2):
            played(table, hand)
        table.sit_in("p3")
        room.players["p3"].play_by(None)
        live = table.deal(Deck.seeded(4))
        room.runtime.run()  # type: ignore[attr-defined]
        state = room.players["p3"].state()
        assert state is not None
        assert (state.active, state.to_call, state.legal.min_raise_to) == (True, 0, 4)
        assert state.pot == 1 + 2 + 3 + 2, "blinds, those missed, and a call of p2"
        room.players["p3"].raise_to(10)
        room.players["p3"].play_by("caller")
        result = live.result()
        assert sum(result.payoffs) == 0
        assert posts(result)[2:] == [("p3", "extra blind", 2), ("p3", "dead blind", 1)]


def test_who_has_missed_only_the_small_blind_posts_only_that_one_dead(room: Room) -> None:
    table = table_of(room, 5)
    played(table)  # p2 has the big blind
    table.sit_out("p2")
    played(table)
    assert owed(table) == {"p2": "s"}
    played(table)  # the dead button is there
    table.sit_in("p2")
    assert [one for one in posts(played(table)) if one[0] == "p2"] == [("p2", "dead blind", 1)]


def test_who_comes_back_in_the_big_blind_pays_that_and_nothing_more(room: Room) -> None:
    table = table_of(room)
    played(table)
    table.sit_out("p3")
    for hand in range(4):
        played(table, hand)
    table.sit_in("p3", wait=True)
    assert [one.waits for one in table.state().owed] == [True]
    result = played(table)
    while 3 not in result.positions.dealt:
        result = played(table)
    assert [one[1:] for one in posts(result) if one[0] == "p3"] == [("big blind", 2)]
    assert owed(table) == {}


def test_who_waits_gets_no_cards_before_the_big_blind_and_may_change_their_mind(room: Room) -> None:
    table = table_of(room, 6)
    played(table)
    table.sit_out("p3")
    for hand in range(3):
        played(table, hand)
    table.sit_in("p3", wait=True)
    assert "p3" not in _dealt(played(table))
    table.sit_in("p3")
    assert ("p3", "extra blind", 2) in posts(played(table))


def _dealt(result: HandResult) -> list[str | None]:
    return [result.players[seat] for seat in result.positions.dealt]


def test_nobody_waits_where_there_would_be_no_hand(room: Room) -> None:
    table = table_of(room, 3)
    played(table)
    table.sit_out("p0")
    played(table)  # p1 has the big blind
    table.sit_in("p0", wait=True)
    table.sit_out("p1")
    assert set(_dealt(played(table))) == {"p0", "p2"}


def test_who_has_lost_all_chips_owes_the_blinds_missed_before_buying_in_again() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = table_of(room, 5)
        played(table)
        table.cash_out("p3")
        for hand in range(2):
            played(table, hand)
        table.buy_in("p3", 500)
        assert owed(table) == {"p3": "sb"}
        assert ("p3", "extra blind", 2) in posts(played(table))


def test_in_a_bomb_pot_nobody_posts_or_misses_a_blind(room: Room) -> None:
    table = table_of(room, options=CashOptions(bomb_pot=5), bot="caller")
    played(table)
    table.sit_out("p3")
    table.deal(Deck.seeded(1), bomb_pot=True).result(timeout=60)
    assert owed(table) == {}, "p3 would have had the big blind"
    for hand in range(4):
        played(table, hand)
    assert owed(table) == {"p3": "sb"}
    table.sit_in("p3")
    bomb = table.deal(Deck.seeded(1), bomb_pot=True).result(timeout=60)
    assert {kind for _, kind, _ in posts(bomb)} == {"ante"}
    if 3 in bomb.positions.dealt:
        assert owed(table) == {"p3": "sb"}


# -- new players, and other seats --------------------------------------------------------------


def test_from_the_waiting_list_it_is_the_same(room: Room) -> None:
    table = table_of(room, 3, seats=3)
    played(table)
    table.wait(room.player("new", "folder", chips=1000), 500)
    table.leave_after_hand("p1")
    assert owed(table) == {"new": "b"}


def test_who_leaves_and_comes_again_is_new_and_owes_the_big_blind(room: Room) -> None:
    table = table_of(room)
    played(table)
    table.sit_out("p3")
    played(table)
    played(table)
    assert owed(table) == {"p3": "sb"}
    table.leave_after_hand("p3")
    assert owed(table) == {}
    table.sit(room.players["p3"], 3)
    assert owed(table) == {"p3": "b"}


def test_a_move_to_a_seat_that_the_big_blind_reaches_later_owes_it(room: Room) -> None:
    table = table_of(room)
    played(table)  # p2 has the big blind: seat 3 is next, then 4 and 5
    table.sit(room.players["p0"], 5)
    assert owed(table) == {}, "the big blind comes there earlier"
    table.sit(room.players["p3"], 4)
    assert owed(table) == {"p3": "b"}


def test_where_they_are_not_owed_a_move_costs_nothing(room: Room) -> None:
    table = table_of(room, missed_blinds=False)
    played(table)
    table.sit(room.players["p3"], 4)
    assert owed(table) == {}


def test_a_game_without_blinds_has_none_to_miss(room: Room) -> None:
    with pytest.raises(BadSpec, match="missed_blinds"):
        room.open_table("stud", game="stud", stakes=None, missed_blinds=True)
    with pytest.raises(BadSpec, match="missed_blinds 1 must be True or False"):
        room.open_table("other", missed_blinds=1)  # type: ignore[arg-type]
    table = table_of(room, game="horse", bot="caller", stakes=None)
    for _ in range(12):  # six of hold'em and six of omaha
        posts(table.deal().result(timeout=60))
    table.sit_out("p3")
    for _ in range(5):
        result = table.deal().result(timeout=60)
        assert result.hand is not None
        assert result.hand.game.name == "razz"
        assert posts(result)
    assert owed(table) == {}


def test_a_new_player_posts_the_big_blind_and_not_the_small_one(room: Room) -> None:
    table = table_of(room)
    assert owed(table) == {}, "before the first hand everybody is there from the start"
    played(table)
    join(room, table, "new", seat=5)
    assert owed(table) == {"new": "b"}
    assert posts(played(table))[2:] == [("new", "extra blind", 2)]
    join(room, table, "late", seat=4)
    table.sit_out("late")
    for hand in range(8):
        played(table, hand)
    assert owed(table) == {"late": "b"}, "a new player misses no small blind"


SEATED = Positions(0, 1, 2, (0, 1, 2, 3, 4))


@pytest.mark.parametrize(
    ("stacks", "owed", "extra"),
    [
        ([50, 50, 50, 50, 50], {4: (True, True)}, ["extra blind 2", "dead blind 1"]),
        ([50, 50, 50, 50, 3], {4: (True, True)}, ["extra blind 2"]),
        ([50, 50, 50, 50, 2], {4: (True, False)}, ["extra blind 1"]),
        ([50, 50, 50, 50, 1], {4: (True, True)}, []),
    ],
)
def test_of_a_short_stack_the_live_blind_comes_first_and_dead_chips_alone_never_put_it_all_in(
    stacks: list[int], owed: dict[int, tuple[bool, bool]], extra: list[str]
) -> None:
    posts = posts_with_owed(SEATED, stacks, Stakes(1, 2, ante=1), owed)
    assert [f"{one.kind.value} {one.amount}" for one in posts if one.seat == 4] == ["ante 1", *extra]


def test_a_straddle_is_more_than_a_big_blind_that_is_owed() -> None:
    owed = {3: (True, True), 4: (False, True)}
    posts = posts_with_owed(SEATED, [50] * 5, Stakes(1, 2, straddle=4, big_blind_ante=2), owed)
    assert [(one.seat, one.kind.value, one.amount) for one in posts] == [
        (1, "small blind", 1),
        (2, "big blind", 2),
        (3, "straddle", 4),
        (2, "big blind ante", 2),
        (3, "dead blind", 1),
        (4, "extra blind", 2),
    ]
    posts = posts_with_owed(SEATED, [50, 50, 50, 5, 50], Stakes(1, 2, straddle=4), owed)
    assert [one.kind for one in posts if one.seat == 3] == [Post.STRADDLE, Post.DEAD_BLIND], (
        "its straddle is live"
    )


def test_a_small_blind_that_is_dead_is_posted_by_nobody() -> None:
    dead = Positions(0, 1, 2, (0, 2, 3))
    posts = posts_with_owed(dead, [50] * 4, Stakes(1, 2), {3: (True, True)})
    assert [(one.seat, one.kind.value, one.amount) for one in posts] == [
        (2, "big blind", 2),
        (3, "extra blind", 2),
        (3, "dead blind", 1),
    ]


def test_a_live_blind_stands_though_its_poster_folds_with_nothing_to_call() -> None:
    posts = [Posted(1, Post.SMALL_BLIND, 1), Posted(2, Post.BIG_BLIND, 2), Posted(0, Post.EXTRA_BLIND, 2)]
    hand = Hand([3, 30, 1], Stakes(1, 2), deck=Deck.seeded(1), button=0, posts=posts)
    hand.fold()
    assert hand.to_act == (1,)  # the big blind is all-in for less: the bet to answer is the folded one
    assert (hand.legal.to_call, hand.legal.can_raise) == (1, False)
    hand.check_or_call()
    assert hand.over
    assert hand.stacks[0] == 1
    assert verdicts(hand) == ()
