"""Deadlines: in order, cancelled without a trace, and gone with the room."""

from __future__ import annotations

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.runtime import Address
from poker_actors.actors.runtime.clock import Alarms

NOBODY = cast("Address", None)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=300))
def test_alarms_ring_by_time_then_as_they_were_set_and_cancelled_ones_never(
    wanted: list[tuple[int, bool]],
) -> None:
    alarms = Alarms()
    made = [alarms.add(due, NOBODY, number) for number, (due, _) in enumerate(wanted)]
    for alarm, (_, cancelled) in zip(made, wanted, strict=True):
        if cancelled:
            alarm.cancel()
            alarm.cancel()
    rung = []
    while (due := alarms.next_due) is not None:
        alarm = alarms.take()
        alarm.cancel()
        rung.append((due, alarm.message))
    assert rung == sorted((due, number) for number, (due, off) in enumerate(wanted) if not off)
    assert len(alarms) == 0


def test_cancelled_alarms_do_not_pile_up() -> None:
    alarms = Alarms()
    for turn in range(10_000):
        alarms.add(turn + 1000, NOBODY, turn).cancel()
    assert len(alarms) < 100


def test_hands_of_quick_players_leave_no_deadlines_behind() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table = room.open_table("main", turn_seconds=15, restack=200)
        for name in ("ann", "bob", "cyd"):
            player = room.player(name, "caller", chips=10_000)
            table.sit(player)
            table.buy_in(player, 200)
        table.play(30)
        assert runtime.next_deadline is None
        assert runtime.now() == 0.0
        assert len(runtime._alarms) < 100
