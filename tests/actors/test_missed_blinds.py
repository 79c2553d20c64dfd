"""Missed blinds are owed: posted on coming back, dead small and live big, or waited for; see docs/rules.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import HandResult, Room, StepRuntime, Table
from poker_actors.cards import Deck
from poker_actors.history import FORMATS, parse, record, replay
from poker_actors.history.refereed import verdicts
from poker_actors.rules import Stakes
from poker_actors.store import MemoryStorage, open_journal
from tests.actors.durable_evening import cut
from tests.rulebook.test_rulebook_missed_blinds import played, posts, table_of

# -- what a dodger pays ------------------------------------------------------------------------


def dodge(table: Table, player: str, hands: int, *, wait: bool = False) -> tuple[Counter[str], int]:
    """Play with one who sits out before each big blind and in again once the button has passed.

    Return the blinds everybody paid, and the hands this one was dealt.
    """
    paid: Counter[str] = Counter()
    seat, size, got = table.state().seat_of(player), table.config.seats, 0
    for number in range(hands):
        state = table.state()
        if state.positions is not None:
            if (state.positions.big_blind + 1) % size == seat:
                table.sit_out(player)
            elif state.positions.small_seat == (seat + 1) % size and state.seat_at(seat).out:
                table.sit_in(player, wait=wait)
        result = played(table, number)
        got += seat in result.positions.dealt
        for who, _, chips in posts(result):
            paid[who] += chips
    return paid, got


def test_who_dodges_the_blinds_pays_what_the_neighbours_pay_over_120_hands(room: Room) -> None:
    paid, dealt = dodge(table_of(room, 6), "p3", 120)
    assert dealt > 60
    assert abs(paid["p3"] - paid["p2"]) <= 3, paid  # one round
    assert abs(paid["p3"] - paid["p4"]) <= 3, paid
    assert room.audit().conserved


def test_where_they_are_not_owed_a_dodger_pays_nothing_for_as_many_hands(room: Room) -> None:
    paid, dealt = dodge(table_of(room, 6, missed_blinds=False), "p3", 120)
    assert dealt > 60
    assert (paid["p3"], paid["p2"] > 60) == (0, True)


def test_who_dodges_and_waits_for_the_big_blind_gets_no_cards(room: Room) -> None:
    paid, dealt = dodge(table_of(room, 6), "p3", 60, wait=True)
    assert (paid["p3"], dealt) == (0, 1), "one hand before the first big blind"


# -- journal and records -----------------------------------------------------------------------


def test_what_is_owed_survives_a_restart_and_so_does_a_hand_with_its_posts(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    with Room(store=store) as room:
        table = table_of(room, 5)
        played(table)
        table.sit_out("p3")
        for hand in range(2):
            played(table, hand)
        table.sit_in("p3", wait=True)
        before = table.state().owed
        assert before
    for _ in range(2):  # from the records, and from the snapshot
        with Room(store=store) as room:
            assert room.tables["main"].state().owed == before
            assert room.tables["main"].config.missed_blinds
    with Room(store=store) as room:
        table = room.tables["main"]
        table.sit_in("p3")
        for player in room.players.values():
            player.play_by(None)
        live = table.deal(Deck.seeded(5))
        stacks = live.state().stacks
        assert stacks[3] == 1000 - 3
        assert table.state().owed == ()
    with Room(StepRuntime(), store=store) as room:
        live_again = room.live_hands["main"]
        assert live_again.state().stacks == stacks
        assert room.tables["main"].state().owed == ()
        assert ("p3", "dead blind", 1) in posts(live_again.result())


@pytest.mark.parametrize("missed_blinds", [False, True])
def test_the_records_alone_say_what_is_owed_after_each_hand(missed_blinds: bool) -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        table = table_of(room, 5, missed_blinds=missed_blinds)
        for step in range(8):
            if step in (1, 3):
                (table.sit_out if step == 1 else table.sit_in)("p3")
            if step == 5:
                table.sit(room.player("new", "folder", chips=1000), 5)
                table.sit(room.players["new"], 4 if table.state().seats[4] is None else 5)
            if step == 6:
                table.leave_after_hand("p4")
                table.sit(room.players["p0"], 4)
            played(table, step)
            left = cut(storage, len(storage.rows))
            left.snapshot = storage.snapshot
            with Room(StepRuntime(), store=open_journal(left)) as again:
                assert again.tables["main"].state() == table.state()
        written = str(storage.rows)
        for name in ("owed", "posts", "missed_blinds"):
            assert (name in written) is missed_blinds, "records of other tables are as they were"


def a_hand_with_missed_blinds(room: Room, game: str, **settings: Any) -> HandResult:
    table = table_of(room, 5, bot="loose", game=game, **settings)
    played(table)
    table.sit_out("p3")
    for hand in range(12):
        if hand in (2, 7):
            table.sit_in("p3")
        if hand == 5:
            table.sit_out("p3")
        result = played(table, hand)
        if any(kind == "extra blind" for _, kind, _ in posts(result)):
            return result
    raise AssertionError("nobody has posted")


@pytest.mark.parametrize("game", ["holdem", "omaha", "limit-holdem"])
@pytest.mark.parametrize("kind", ["phh", "pokerstars", "ohh", "jsonl"])
@pytest.mark.parametrize("ante", [0, 1])
def test_such_a_hand_is_written_and_replayed_in_every_format(
    room: Room, game: str, kind: str, ante: int
) -> None:
    stakes = Stakes(1, 2, ante=ante)
    result = a_hand_with_missed_blinds(room, game, stakes=stakes)
    assert result.hand is not None
    history = record(result.hand, players=[name or "" for name in result.players], hand_id="1")
    (found,) = parse(FORMATS[kind].text(history, 0), kind)
    again = replay(found)
    seats = again.history.seats
    assert again.final_stacks == tuple(result.hand.stacks[seat] for seat in seats)
    assert verdicts(again.hand) == ()
