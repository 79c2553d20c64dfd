"""Deadlines: in order, cancelled without a trace, and gone with the room."""

from __future__ import annotations

import threading
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.runtime import Address, quiet_logs
from poker_actors.actors.runtime.queued import Alarms
from poker_actors.actors.runtime.threads import MOST_RESTARTS, AlarmClock
from poker_actors.errors import BadSpec

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
        assert alarms.take(due - 1) is None, "it is not due yet"
        taken = alarms.take(due)
        assert taken is not None
        taken.cancel()
        rung.append((taken.due, taken.message))
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


# -- the clock of a thread of its own --------------------------------------------------------------

LATER = 1e9
"""Seconds that no test lives to see."""


def ended_thread() -> threading.Thread:
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    return thread


def test_a_clock_without_alarms_has_no_thread_is_not_down_and_closes() -> None:
    clock = AlarmClock()
    assert list(clock.down) == []
    clock.close()
    clock.set_alarm(LATER, NOBODY, "too late")
    assert clock._thread is None, "a closed clock starts no thread"


def test_a_clock_keeps_its_thread_and_replaces_one_that_has_ended() -> None:
    clock = AlarmClock()
    clock._thread = ended = ended_thread()
    assert list(clock.down) == ["clock"]
    clock.set_alarm(LATER, NOBODY, "first")
    thread = clock._thread
    assert thread is not ended
    assert list(clock.down) == []
    clock.set_alarm(LATER, NOBODY, "second")
    assert clock._thread is thread
    clock.close()
    assert not thread.is_alive()
    assert list(clock.down) == [], "it has ended because it was closed"


def test_a_thread_that_has_not_begun_is_not_down() -> None:
    clock = AlarmClock()
    clock._thread = threading.Thread(target=int)
    assert list(clock.down) == []


def test_a_clock_may_be_closed_by_what_it_rings() -> None:
    clock = AlarmClock()
    clock._thread = threading.current_thread()
    clock.close()


def test_a_clock_rings_nothing_before_its_time_and_nothing_if_all_are_cancelled() -> None:
    clock = AlarmClock()
    clock._ring()
    clock._alarms.add(LATER * 2, cast("Address", _Place("later")), "later")
    clock._ring()
    assert [one.message for one in clock.pending] == ["later"]


def test_a_clock_waits_no_longer_once_an_alarm_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = AlarmClock()
    clock._alarms.add(-LATER, NOBODY, "due")
    monkeypatch.setattr(clock._changed, "wait", lambda _: setattr(clock, "_closed", True))
    assert clock._wait()


@pytest.mark.parametrize("due", [float("inf"), float("nan")])
def test_an_alarm_that_has_no_time_is_refused(due: float) -> None:
    alarms = Alarms()
    with pytest.raises(BadSpec):
        alarms.add(due, NOBODY, "never")
    assert len(alarms) == 0


@pytest.mark.parametrize("alarms", [0, 1])
def test_a_clock_waits_while_nothing_is_due(alarms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = AlarmClock()
    for _ in range(alarms):
        clock._alarms.add(LATER * 2, NOBODY, "later")
    monkeypatch.setattr(clock._changed, "wait", lambda _: setattr(clock, "_closed", True))
    assert not clock._wait()


@pytest.mark.parametrize(
    ("restarts", "closed", "again"),
    [(0, False, True), (MOST_RESTARTS - 1, False, True), (MOST_RESTARTS, False, False), (0, True, False)],
)
def test_a_clock_that_fails_begins_again_but_not_for_ever_and_not_once_it_is_closed(
    restarts: int, closed: bool, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = AlarmClock()
    clock.restarts, clock._closed = restarts, closed
    begun: list[int] = []

    def fail() -> bool:
        raise OSError("planted")

    monkeypatch.setattr(clock, "_wait", fail)
    monkeypatch.setattr(clock, "_start", lambda: begun.append(clock.restarts))
    with quiet_logs():
        clock._run()
    assert begun == ([restarts + 1] if again else [])
