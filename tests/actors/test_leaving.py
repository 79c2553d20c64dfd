"""Leaving after the hand: asked for once in mid-hand, done when the hand is booked, whatever crashes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import News, Player, Room, StepRuntime, Table, TableNews
from poker_actors.actors.aio import AsyncRoom
from poker_actors.actors.messages import SeatNext
from poker_actors.cards import Deck
from poker_actors.errors import PokerError, TableRefusal
from poker_actors.rules import Stakes
from poker_actors.store import MemoryStorage, open_journal
from tests.actors.durable_evening import FailingStorage
from tests.actors.faulty_runtime import Fault, FaultyRuntime
from tests.actors.told import heard

CHIPS = 500
STACK = 100
NAMES = ("ann", "bob", "cyd")


def three(room: Room, bot: str | None = None) -> tuple[Table, dict[str, Player]]:
    """Three seats, blinds 5/10; ann has the first turn of the first hand."""
    table = room.open_table("main", seats=3, stakes=Stakes(5, 10), button=0)
    players = {name: room.player(name, bot, chips=CHIPS) for name in NAMES}
    for player in players.values():
        table.sit(player)
        table.buy_in(player, STACK)
    return table, players


def fold_all(table: Table, players: dict[str, Player]) -> None:
    """Whoever is to act folds."""
    live = table.live()
    assert live is not None
    for _ in range(2):
        seats = table.state().in_hand
        active = live.state().active
        assert active is not None
        player = players[seats[active].player]
        heard(player, table)  # its turn has arrived
        player.fold()
    live.result(timeout=60)


def with_a_leaving_that_cannot_be_written(
    room: Room, runtime: StepRuntime, storage: FailingStorage
) -> tuple[Table, dict[str, Player]]:
    """A hand is booked, and cyd, who leaves after it, cannot be let go yet."""
    table, players = three(room)
    table.deal(Deck.seeded(1))
    table.leave_after_hand("cyd")
    players["ann"].fold()
    players["bob"].fold()
    while runtime.queue:
        if type(runtime.queue[0][1]).__name__ == "SeatNext":
            storage.fail_next = 1
        runtime.step()
    assert storage.fail_next == 0, "the write was tried"
    return table, players


def seated(table: Table) -> list[str | None]:
    return [seat.player if seat else None for seat in table.state().seats]


def test_a_player_asks_once_in_mid_hand_and_is_gone_when_the_hand_is_booked(room: Room) -> None:
    table, players = three(room)
    news: list[Any] = []
    players["cyd"].listen(lambda one: news.append(one) if isinstance(one, TableNews) else None)
    table.deal(Deck.seeded(1))
    assert table.leave_after_hand(players["cyd"]) is False
    assert table.leave_after_hand("cyd") is False, "asked twice, it is so once"
    assert table.state().leaving == ("cyd",)
    with pytest.raises(TableRefusal) as refused:
        table.cash_out(players["cyd"])
    assert refused.value.code == "hand_in_progress"
    fold_all(table, players)
    assert seated(table) == ["ann", "bob", None]
    assert table.state().leaving == ()
    assert room.bank.balance("cyd") == CHIPS + 5
    assert room.audit().conserved
    players["cyd"].state()
    assert [one.what for one in news] == ["hand_started", "hand_ended", "cashed_out", "left"]
    assert all(one.player == "cyd" and one.seat == 2 for one in news[2:])


def test_who_takes_it_back_stays(room: Room) -> None:
    table, players = three(room)
    table.deal(Deck.seeded(1))
    table.leave_after_hand(players["cyd"])
    table.leave_after_hand(players["bob"])
    assert table.leave_after_hand(players["cyd"], leave=False) is False
    fold_all(table, players)
    assert seated(table) == ["ann", None, "cyd"]


def test_outside_a_hand_it_happens_at_once(room: Room) -> None:
    table, players = three(room)
    assert table.leave_after_hand("ann", leave=False) is False
    assert seated(table)[0] == "ann", "who stays is not sent away"
    table.wait(room.player("dan"), 0)
    table.sit_out(players["cyd"])
    table.deal(Deck.seeded(1))
    assert table.leave_after_hand(players["cyd"]) is True, "not dealt in"
    assert seated(table)[2] == "dan", "the seat goes to who waits"
    assert room.bank.balance("cyd") == CHIPS
    with pytest.raises(TableRefusal) as refused:
        table.leave_after_hand("cyd")
    assert refused.value.code == "not_at_table"
    table.wait(players["cyd"])
    assert table.leave_after_hand("cyd", leave=False) is False
    assert table.state().place_of("cyd") == 1
    assert table.leave_after_hand("cyd") is True
    assert table.state().waiting == ()


def test_who_comes_back_to_the_table_is_not_sent_away_again(room: Room) -> None:
    table, players = three(room)
    for hand in range(2):
        table.deal(Deck.seeded(hand))
        if not hand:
            table.leave_after_hand("cyd")
        fold_all(table, players)
        if not hand:
            table.sit(players["cyd"], 2)
            table.buy_in(players["cyd"], STACK)
    assert seated(table) == ["ann", "bob", "cyd"]


def test_who_leaves_by_hand_before_the_leaving_is_written_may_come_back_at_once() -> None:
    storage = FailingStorage()
    runtime = StepRuntime()
    with Room(runtime, store=open_journal(storage)) as room:
        table, players = with_a_leaving_that_cannot_be_written(room, runtime, storage)
        table.cash_out("cyd")
        table.leave("cyd")
        table.sit(players["cyd"], 2)
        table.buy_in("cyd", STACK)
        runtime.advance(2)
        assert seated(table) == ["ann", "bob", "cyd"]
        assert table.state().leaving == ()


def test_one_who_leaves_is_dealt_in_no_more_even_while_the_leaving_cannot_be_written() -> None:
    storage = FailingStorage()
    runtime = StepRuntime()
    with Room(runtime, store=open_journal(storage)) as room:
        table, _ = with_a_leaving_that_cannot_be_written(room, runtime, storage)
        assert seated(table) == ["ann", "bob", "cyd"]
        live = table.deal(Deck.seeded(2))
        assert set(table.state().in_hand) == {0, 1}
        runtime.advance(2)
        assert seated(table) == ["ann", "bob", None]
        assert live.hand_id == table.state().hand_id
        assert room.bank.balance("cyd") == CHIPS + 5


def test_a_journaled_room_remembers_who_leaves(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    with Room(store=store) as room:
        table, _ = three(room)
        table.deal(Deck.seeded(1))
        table.leave_after_hand("cyd")
    for _ in range(2):  # from the records, and from the snapshot
        with Room(store=store) as room:
            assert room.tables["main"].state().leaving == ("cyd",)
    with Room(store=store) as room:
        table = room.tables["main"]
        fold_all(table, dict(room.players))
        assert seated(table) == ["ann", "bob", None]
        assert room.bank.balance("cyd") == CHIPS + 5


def test_records_of_rooms_where_nobody_leaves_after_a_hand_are_those_of_earlier_versions() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        table, _ = three(room, "caller")
        assert "leaving" not in str(storage.rows)
        table.deal(Deck.seeded(1))
        table.leave_after_hand("cyd")
        assert "leaving" in str(storage.rows)


def evening(runtime: FaultyRuntime, storage: MemoryStorage | None) -> Room:
    """One hand of three, after which cyd leaves; what crashes or is refused is tried again once."""
    room = Room(runtime, seed=3, store=None if storage is None else open_journal(storage))
    steps: list[Callable[[], object]] = [
        lambda: three(room),
        lambda: room.tables["main"].deal(Deck.seeded(1)),
        lambda: room.tables["main"].leave_after_hand("cyd"),
        *[lambda n=name: room.players[n].fold() for name in ("ann", "bob")],
    ]
    for step in steps:
        for _ in range(2):
            try:
                step()
                break
            except (PokerError, Fault):
                runtime.run()
    runtime.run()
    return room


@pytest.mark.parametrize("journal", [False, True], ids=["memory", "journal"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_in_any_handler_makes_nobody_stay(after: bool, journal: bool) -> None:
    runtime = FaultyRuntime()
    with evening(runtime, MemoryStorage() if journal else None):
        handled = list(runtime.handled)
    begins = next(at for at, what in enumerate(handled) if "LeaveAfterHand" in what)
    assert "table main SeatNext" in handled
    for at in range(begins, len(handled)):
        if "Stop" in handled[at] or "Shut" in handled[at]:
            continue
        storage = MemoryStorage() if journal else None
        runtime = FaultyRuntime(at, after=after)
        with evening(runtime, storage) as room:
            runtime.at = -1
            runtime.run()
            table = room.tables["main"]
            assert room.audit().conserved, (at, handled[at])
            assert table.state().hand_id is None, (at, handled[at])
            assert seated(table) == ["ann", "bob", None], (at, handled[at])
            assert room.bank.balance("cyd") >= CHIPS, (at, handled[at])


def test_nobody_is_let_go_while_the_hand_is_played(room: Room) -> None:
    table, _ = three(room)
    table.deal(Deck.seeded(1))
    table.leave_after_hand("cyd")
    table.address.ask(SeatNext())  # as a table that comes back after a crash tells itself
    assert seated(table)[2] == "cyd"


def test_a_void_hand_ends_the_stay_as_well(room: Room) -> None:
    table, _ = three(room)
    live = table.deal(Deck.seeded(1))
    table.leave_after_hand("cyd")
    room.supervisor.stop(live.address)
    assert live.result(timeout=60).voided
    assert seated(table) == ["ann", "bob", None]
    assert room.bank.balance("cyd") == CHIPS


def test_sitting_out_in_mid_hand_is_asked_once_too_and_begins_with_the_next_hand(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    with Room(store=store) as room:
        table, players = three(room)
        table.deal(Deck.seeded(1))
        table.sit_out(players["cyd"])
    with Room(store=store) as room:
        table = room.tables["main"]
        fold_all(table, dict(room.players))
        seat = table.state().seats[2]
        assert seat is not None
        assert (seat.out, seat.stack) == (True, STACK + 5), "the hand was played to its end"
        table.deal(Deck.seeded(2))
        assert set(table.state().in_hand) == {0, 1}


def test_awaited_it_is_the_same() -> None:
    async def play() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            three(room.room)
            table, cyd = room.tables["main"], room.players["cyd"]
            async with cyd.news() as news:
                hand = await table.deal(Deck.seeded(1))
                assert await table.leave_after_hand(cyd) is False
                for name in ("ann", "bob"):
                    await room.players[name].fold()
                await hand.result()
                told: list[News] = []
                async for one in news:
                    told.append(one)
                    if isinstance(one, TableNews) and one.what == "left":
                        break
            assert await room.bank.balance(cyd) == CHIPS + 5

    asyncio.run(play())
