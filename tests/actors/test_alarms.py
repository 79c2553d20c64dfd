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


class _Place:
    """As much of an address as alarms look at."""

    def __init__(self, name: str, *, closed: bool = False) -> None:
        self.name = name
        self.closed = closed


def test_an_alarm_cancelled_again_counts_once() -> None:
    alarms = Alarms()
    first, *_ = [alarms.add(due, NOBODY, due) for due in range(200)]
    for _ in range(150):
        first.cancel()
    assert len(alarms) == 200, "it is cleared away only once half are cancelled"


def test_what_is_pending_is_neither_cancelled_nor_of_a_closed_address_that_was_dropped() -> None:
    alarms = Alarms()
    here, gone = _Place("here"), _Place("gone", closed=True)
    kept = alarms.add(2.0, cast("Address", here), "kept")
    alarms.add(1.0, cast("Address", here), "cancelled").cancel()
    alarms.add(3.0, cast("Address", gone), "of nobody")
    assert [one.message for one in alarms.pending] == ["kept", "of nobody"]
    alarms.drop_closed()
    assert len(alarms) == 1
    assert [one.message for one in alarms.pending] == ["kept"]
    assert alarms.take() is kept
