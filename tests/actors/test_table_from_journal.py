"""A table that comes back, from its journal or from a crash, is the table it was: all it tells of itself stays true."""

from __future__ import annotations

from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime, Table, TableState
from poker_actors.actors.player.actor import PlayerMemory
from poker_actors.actors.recovery import _restore_streams
from poker_actors.actors.runtime import quiet_logs
from poker_actors.actors.table.seats import Seat, Seating
from poker_actors.bots import OutsideBot, SeedTree
from poker_actors.cards import Deck
from poker_actors.errors import TableRefusal
from poker_actors.rules import GAMES, Action, Call, Check, Discard, Hand, Stakes, View
from poker_actors.rules.cash import CashOptions
from poker_actors.store import MemoryStorage, open_journal
from tests.actors.told import CRASH


def told(state: TableState) -> dict[str, Any]:
    """What a table says of itself, without the addresses of players, which are new ones."""
    return {
        "seats": [seat and (seat.player, seat.stack, seat.out, seat.late) for seat in state.seats],
        "positions": state.positions,
        "hand": (state.number, state.hand_id, state.commitment),
        "waiting": [(one.player, one.buy_in) for one in state.waiting],
        "once": state.once,
    }


def killed(storage: MemoryStorage) -> Room:
    """Open the room again from what a process leaves that is killed now."""
    left = MemoryStorage()
    left.rows, left.snapshot = list(storage.rows), storage.snapshot
    return Room(StepRuntime(), store=open_journal(left))


def full_table(room: Room) -> Table:
    """A table with everything that a table remembers."""
    table = room.open_table("main", seats=4, turn_seconds=10, options=CashOptions(boards=2))
    for number in range(6):
        room.player(f"p{number}", chips=500)
    for number in range(4):
        table.sit(room.players[f"p{number}"], number)
        table.buy_in(room.players[f"p{number}"], 100 + number)
    for number in (5, 4):
        table.wait(room.players[f"p{number}"], 50 + number)
    table.run_it_once(room.players["p1"])
    table.run_it_once(room.players["p2"])
    return table


def play_late(room: Room, table: Table) -> None:
    """Play a hand in which nobody acts in time, so that all who had a turn were late."""
    live = table.deal()
    room.runtime.advance(60)  # type: ignore[attr-defined]  # it is a StepRuntime
    assert not live.result().voided


def check(room: Room, storage: MemoryStorage) -> None:
    """Compare a table with itself after a crash, and after the death of the process."""
    table = room.tables["main"]
    before = told(table.state())
    with killed(storage) as again:
        assert told(again.tables["main"].state()) == before
    with quiet_logs():
        table.address.tell(CRASH)
        assert told(table.state()) == before
    assert room.supervisor.restarts == 1


@pytest.mark.parametrize("hands", [0, 1, 2])
def test_seats_blinds_waiting_line_and_lateness_are_those_of_before(hands: int) -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage), seed=1) as room:
        table = full_table(room)
        for _ in range(hands):
            play_late(room, table)
        table.sit_out(room.players["p3"])
        state = table.state()
        assert (state.number, len(state.waiting), state.once) == (hands, 2, ("p1", "p2"))
        assert hands == 0 or any(seat and seat.late for seat in state.seats)
        check(room, storage)


def test_during_a_hand_its_stacks_number_and_commitment_are_those_of_before() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage), seed=1) as room:
        table = full_table(room)
        play_late(room, table)
        table.sit_out(room.players["p3"])
        table.deal()
        assert table.state().commitment
        with killed(storage) as again:
            assert told(again.tables["main"].state()) == told(table.state())


def test_a_player_remembers_the_hand_that_is_over() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage), seed=1) as room:
        table = full_table(room)
        play_late(room, table)
        play_late(room, table)
        with killed(storage) as again:
            for number in range(4):
                one, other = room.players[f"p{number}"].state(), again.players[f"p{number}"].state()
                assert one is not None
                assert other is not None
                assert (other.hand_id, other.seat, other.hole, other.turn) == (
                    *(one.hand_id, one.seat, one.hole, None),
                )
                for name in ("number", "table", "names", "public"):
                    assert getattr(other.change, name) == getattr(one.change, name), name
                assert other.change.hand_address.closed


def discard_all(room: Room, table: Table, turns: int) -> int:
    """Take turns: throw every card away where one may, check or call otherwise; return those taken."""
    for turn in range(turns):
        state = table.state()
        live = table.live()
        if state.hand_id is None or live is None:
            return turn
        public = live.state()
        player = next(one for one in room.players.values() if one.name == public_name(state, public.active))
        view = player.state()
        assert view is not None
        legal = view.view().legal
        stays = Call() if legal.to_call else Check()
        player.act(Discard(view.hole) if legal.discards else stays)
    return turns


def public_name(state: TableState, seat: int | None) -> str:
    assert seat is not None
    sitting = state.seats[seat]
    assert sitting is not None
    return sitting.player


@pytest.mark.parametrize("taken", [3, 15, 25])
def test_a_hand_of_draws_goes_on_with_the_cards_it_would_have_had(taken: int) -> None:
    game = GAMES["2-7-triple-draw"]
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage), seed=1) as room:
        table = room.open_table("main", seats=6, stakes=game.stakes_like(Stakes(1, 2)), game=game.name)
        for number in range(6):
            player = room.player(f"p{number}", chips=500)
            table.sit(player, number)
            table.buy_in(player, 500)
        live = table.deal()
        discard_all(room, table, taken)
        with killed(storage) as again:
            before = again.tables["main"].live()
            assert before is not None
            discard_all(again, again.tables["main"], 100)
            resumed = before.result().hand
        discard_all(room, table, 100)
        played = live.result().hand
        assert played is not None
        assert resumed is not None
        assert (resumed.holes, resumed.stacks) == (played.holes, played.stacks)
        assert len({card for hole in played.holes for card in hole}) == 30


def test_of_an_open_or_void_hand_no_cards_are_shown_when_a_table_is_back() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage), seed=1) as room:
        table = full_table(room)
        assert room.books.last_hand("main") is None
        play_late(room, table)
        with killed(storage) as again:
            assert again._memories["main"].last is not None
            found = again.books.last_hand("main")
            assert found is not None
            assert found[0] == 0
            assert again.books.last_hand("nowhere") is None
        for number in range(4):
            table.sit_in(f"p{number}")
        table.deal()
        with killed(storage) as again:
            assert again._memories["main"].last is None
            assert again.books.last_hand("main") is None
            assert all("main" not in player._memory.heard for player in again.players.values())
    with Room(StepRuntime(), store=open_journal(storage), on_recovery="void") as void:
        void.runtime.run()  # type: ignore[attr-defined]
        assert void.books.last_hand("main") == (1, None)
        with killed(storage) as again:
            assert again._memories["main"].last is None
            with pytest.raises(TableRefusal, match="main has no finished hand"):
                again.tables["main"].show_cards("p0")


def test_without_a_journal_a_room_keeps_no_notes_and_no_hands() -> None:
    with Room(StepRuntime(), seed=1) as room:
        full_table(room)
        room.books.book({}, {"a/1": "one"})
        assert room.books.notes() == {}
        assert room.books.last_hand("main") is None
    with Room(StepRuntime(), seed=1, store=open_journal(MemoryStorage())) as room:
        room.books.book({}, {"a/1": "one", "b/1": "two", "a/2": "three"})
        assert room.books.notes("a/") == {"a/1": "one", "a/2": "three"}


def test_a_bot_elsewhere_is_not_asked_again_for_a_hand_that_goes_on() -> None:
    asked: list[str] = []

    class Elsewhere(OutsideBot):
        def __call__(self, view: View) -> Action:
            asked.append("elsewhere")
            return Call()

    def here(view: View) -> Action:
        asked.append("here")
        return Check()

    runtime = StepRuntime()
    hand = Hand([100, 100], Stakes(1, 2), deck=Deck.seeded(1), button=0)
    hand.act(Call())
    hand.act(Check())
    seats = Seating(tuple(Seat(name, runtime.address(name), 100) for name in ("ann", "bob")), number=4)
    streams = [SeedTree(1).stream(0, number) for number in range(2)]
    bots: tuple[Any, ...] = (Elsewhere(), here)
    memories = {
        name: PlayerMemory(name, bot, stream)
        for name, bot, stream in zip(("ann", "bob"), bots, streams, strict=True)
    }
    _restore_streams(seats, hand, memories)
    assert asked == ["here"]
    assert streams[1].hand == 3
