"""A room that is played in for long takes no more memory than at first, and one of many tables few threads."""

from __future__ import annotations

import gc
import threading
import tracemalloc

import pytest

from poker_actors.actors import LoopRuntime, Room, StepRuntime
from poker_actors.actors.runtime import Runtime
from poker_actors.bots import Bot
from poker_actors.cards import Deck
from poker_actors.rules import Action, Call, Check, Hand, View


def call(view: View) -> Action:
    return Call() if view.to_call else Check()


def full_room(
    tables: int, players: int, seed: int, runtime: Runtime | None = None, last: str | Bot = "caller"
) -> Room:
    room = Room(runtime or StepRuntime(), seed=seed)
    for number in range(tables):
        table = room.open_table(f"t{number}", seats=players, restack=200)
        for seat in range(players):
            bot = last if seat == players - 1 else "caller"
            player = room.player(f"p{number}-{seat}", bot, chips=1_000_000)
            table.sit(player, seat)
            table.buy_in(player, 200)
    return room


def play_round(rooms: list[Room], seed: int) -> int:
    """Deal a hand at every table of every room, interleaved; gives the messages delivered."""
    messages = 0
    for room in rooms:
        live = [table.deal(Deck.seeded(seed + place)) for place, table in enumerate(room.tables.values())]
        assert isinstance(room.runtime, StepRuntime)
        messages += room.runtime.run()
        assert not any(hand.result().voided for hand in live)
    return messages


@pytest.mark.parametrize("runtime", [StepRuntime, LoopRuntime])
def test_a_hand_that_is_over_waits_for_no_garbage_collector(runtime: type[Runtime]) -> None:
    with full_room(1, 3, seed=1, runtime=runtime()) as room:
        table = room.tables["t0"]
        table.play(1)
        gc.collect()
        gc.disable()
        try:
            before = hands_there()
            for _ in range(20):
                table.play(1)
            assert hands_there() <= before + 2  # players remember the last one
        finally:
            gc.enable()


def hands_there() -> int:
    return sum(type(one) is Hand for one in gc.get_objects())


@pytest.mark.parametrize(
    ("tables", "wanted"), [(10, 20_000), pytest.param(500, 1_000_000, marks=pytest.mark.heavy)]
)
def test_memory_stays_flat_in_two_rooms_of_many_tables(tables: int, wanted: int) -> None:
    rooms = [full_room(tables, 8, seed) for seed in (1, 2)]
    # the same decks all the time: what the evaluator remembers of others is none of the rooms' memory
    play_round(rooms, 1_000)
    tracemalloc.start()
    try:
        play_round(rooms, 1_000)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        messages = rounds = 0
        while messages < wanted:
            rounds += 1
            messages += play_round(rooms, 1_000)
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    # what each booking leaves behind is its key, and keys are bounded
    keys = 2 * tables * rounds * 1_000
    assert after - before < max(0.05 * before, min(keys, 8_000_000))
    for room in rooms:
        assert room.audit().conserved
        room.close()


def test_a_thousand_tables_of_two_are_open_on_fewer_than_twenty_threads() -> None:
    before = threading.active_count()
    with full_room(
        1000, 2, seed=1, runtime=LoopRuntime(), last=call
    ) as room:  # may block, as far as a room knows
        lives = [table.deal() for table in room.tables.values()]
        most = threading.active_count() - before
        assert not any(live.result(timeout=60).voided for live in lives)
        assert most < 20
