"""Runtimes with threads, on their own: addresses, replies, workers for code that may block, and closing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue

import pytest

from poker_actors.actors.runtime import (
    Actor,
    Address,
    Handlers,
    LoopRuntime,
    ThreadRuntime,
    Word,
    on,
    stop_message,
    threads,
)
from poker_actors.actors.runtime.threads import USUAL, ThreadWord, Workers
from poker_actors.errors import AskCycle, AskTimeout, RoomBusy, RoomClosed

SECONDS = 30.0
"""Whatever waits so long waits for ever."""


class Idle(Actor):
    """Does nothing."""

    def handles(self) -> Handlers:
        return {}


def test_closing_waits_for_a_thread_that_is_about_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = ThreadRuntime()
    raised: list[BaseException] = []
    start = threading.Thread.start

    def close() -> None:
        try:
            runtime.close(0.0)
        except RuntimeError as error:
            raised.append(error)

    closing = threading.Thread(target=close)

    def start_late(thread: threading.Thread) -> None:
        if thread.name == "idle":
            start(closing)
            closing.join(0.2)  # as far as it comes: with the lock held it waits for the start
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_late)
    address = runtime.address("idle")
    address.runtime.start(Idle(address))
    closing.join()
    address.close()
    runtime.close()
    assert raised == []


class Gated(Actor):
    """Works until it is let go on, and says who runs."""

    def __init__(self, address: Address) -> None:
        self.busy, self.gate = threading.Event(), threading.Event()
        self.heard: list[str] = []
        super().__init__(address)

    def handles(self) -> Handlers:
        return {str: self.hear, int: self.work, tuple: self.ask_oneself, list: self.close}

    def hear(self, word: str) -> bool:
        self.heard.append(word)
        return self.address.running_here

    def work(self, _: int) -> None:
        self.busy.set()
        assert self.gate.wait(SECONDS)

    def close(self, _: list[object]) -> None:
        self.address.close()
        self.address.runtime.close(0.0)
        self.heard.append(f"closed, and running here is {self.address.running_here}")
        self.busy.set()

    def ask_oneself(self, _: tuple[()]) -> None:
        self.address.ask("oneself")


@pytest.fixture
def gated() -> Iterator[Gated]:
    runtime = ThreadRuntime()
    actor = Gated(runtime.address("gated"))
    runtime.start(actor)
    yield actor
    actor.gate.set()
    actor.address.close()
    runtime.close(SECONDS)


def test_an_actor_runs_on_its_own_thread_and_may_not_wait_for_itself(gated: Gated) -> None:
    address = gated.address
    assert address.ask("first", SECONDS) is True
    assert not address.running_here
    with pytest.raises(AskCycle):
        address.ask((), SECONDS)


def test_a_mailbox_that_is_full_takes_nothing_but_stops(
    gated: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "MAILBOX_LIMIT", 2)
    address, runtime = gated.address, gated.address.runtime
    address.tell(1)
    assert gated.busy.wait(SECONDS)
    for word in ("one", "two", "lost"):
        address.tell(word)
    with pytest.raises(RoomBusy):
        address.ask("full", SECONDS)
    address.tell(stop_message())
    gone = runtime.word()
    address.ask_into(stop_message(), gone)
    assert (runtime.lost, runtime.waiting) == (1, 4)
    gated.gate.set()
    assert gone.get(SECONDS, "gated") is None
    assert gated.heard == ["one", "two"]


def test_an_actor_closed_in_a_handler_ends_after_it_and_one_that_waits_at_once(gated: Gated) -> None:
    address = gated.address
    address.tell(1)
    assert gated.busy.wait(SECONDS)
    address.close()
    address.tell("too late")
    assert address.inbox.qsize() == 1, "what lets it end"
    (thread,) = (one for one in threading.enumerate() if one.name == "gated")
    gated.gate.set()
    thread.join(SECONDS)
    address.close()
    assert (thread.is_alive(), gated.heard) == (False, [])


def test_a_reply_has_one_answer_for_all_who_wait_and_none_in_time_is_an_error() -> None:
    word, called = ThreadWord(), []
    word.when_done(lambda: called.append("before"))
    assert called == []
    for timeout in (-1.0, 0.0):
        with pytest.raises(AskTimeout, match="nobody has not answered"):
            word.get(timeout, "nobody")
    word.set(1)
    word.set(2)
    word.when_done(lambda: called.append("after"))
    assert [word.get(None, "nobody"), word.get(0.0, "nobody"), called] == [1, 1, ["before", "after"]]


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


def workers_there() -> int:
    return sum(one.name in ("poker-actors worker", "job") for one in threading.enumerate())


def test_workers_are_few_unless_all_are_busy_for_long_and_are_used_again() -> None:
    before, gate, done = workers_there(), threading.Event(), list[int]()
    workers = Workers()

    def job(number: int) -> None:
        gate.wait(SECONDS)
        done.append(number)

    workers.hurry()
    assert workers_there() == before, "nothing waits"
    for number in range(USUAL + 2):
        workers.do("job", partial(job, number))
    wait_until(lambda: workers._jobs.qsize() == 2)
    workers._taken = time.monotonic() + SECONDS
    workers.hurry()
    assert workers_there() == before + USUAL, "one has taken a job just now"
    workers._taken = 0.0
    workers.do("job", partial(job, USUAL + 2))
    assert workers._taken == 0.0, "another has waited for longer"
    workers.hurry()
    wait_until(lambda: workers._jobs.qsize() == 2)
    assert workers_there() == before + USUAL + 1
    gate.set()
    wait_until(lambda: len(done) == USUAL + 3)
    workers.close(time.monotonic() + SECONDS)
    assert workers_there() == before
    workers.do("job", partial(job, 0))
    assert workers_there() == before, "closed"


def test_a_worker_without_work_takes_the_next_job() -> None:
    before, workers, names = workers_there(), Workers(), list[str]()
    for number in (1, 2, 3):
        workers.do("job", lambda: names.append(threading.current_thread().name))
        wait_until(lambda: len(names) == number and workers._idle == 1)  # noqa: B023  called at once
    assert (names, workers_there()) == (["job"] * 3, before + 1)
    workers.close(time.monotonic() + SECONDS)


def test_a_job_may_close_its_own_workers() -> None:
    workers, closed = Workers(), threading.Event()

    def close() -> None:
        workers.close(time.monotonic() + SECONDS)
        closed.set()

    workers.do("closing", close)
    assert closed.wait(SECONDS)


def test_an_actor_may_close_its_address_and_all_others_in_a_handler(gated: Gated) -> None:
    gated.address.tell([])
    assert gated.busy.wait(SECONDS)
    assert gated.heard == ["closed, and running here is False"]


# -- a loop that has no thread yet, has none any more, or could not start one ----------------------


class Hears(Actor):
    """Notes what it hears, and whether it has begun."""

    def __init__(self, address: Address) -> None:
        self.heard: list[str] = []
        super().__init__(address)

    def begin(self) -> None:
        self.heard.append("begun")

    @on(str)
    def hear(self, text: str) -> list[str]:
        self.heard.append(text)
        return self.heard


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[LoopRuntime, threading.Event]]:
    """A loop whose thread waits in a call until the event is set."""
    monkeypatch.setattr("poker_actors.actors.runtime.loop.LEAST_SECONDS", 0.0)
    runtime, here, go = LoopRuntime(), threading.Event(), threading.Event()

    def hold() -> None:
        here.set()
        go.wait(30)

    runtime._start_thread()
    runtime.call(hold)
    assert here.wait(30)
    yield runtime, go
    go.set()
    runtime.close()


def test_what_a_loop_is_sent_before_it_has_a_thread_waits_and_nothing_is_down() -> None:
    runtime = LoopRuntime()
    address = runtime.address("hears")
    address.tell("early")
    assert (runtime.waiting, runtime.down) == (1, ())
    address.runtime.start(Hears(address))
    assert address.ask("late") == ["begun", "early", "late"]
    runtime.close()
    assert runtime.down == ()


def test_a_loop_closed_before_it_had_a_thread_refuses_all_and_begins_nobody() -> None:
    runtime = LoopRuntime()
    address, other = runtime.address("hears"), runtime.address("other")
    word = runtime.word()
    address.ask_into("before", word)
    runtime.close(0)
    with pytest.raises(RoomClosed):
        word.get(0, "hears")
    with pytest.raises(RoomClosed):
        address.ask("after", timeout=0)
    actor = Hears(other)
    runtime.start(actor)
    assert actor.heard == []
    assert runtime._thread is None


def test_a_loop_whose_thread_has_ended_its_work_refuses_what_it_is_sent() -> None:
    runtime = LoopRuntime()
    address = runtime.address("hears")
    runtime._thread = threading.current_thread()  # alive for another moment
    runtime._closed = runtime._ended = True
    with pytest.raises(RoomClosed):
        address.ask("late", timeout=0)


def test_a_loop_whose_thread_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    runtime = LoopRuntime()
    address = runtime.address("hears")
    with pytest.raises(RuntimeError, match="new thread"):
        address.runtime.start(Hears(address))
    assert runtime.down == ("loop",)


def test_a_loop_closed_by_another_thread_leaves_what_is_left_to_its_own(
    held: tuple[LoopRuntime, threading.Event],
) -> None:
    runtime, go = held
    ran: SimpleQueue[int] = SimpleQueue()

    def note() -> None:
        ran.put(threading.get_ident())

    runtime.call(note)
    runtime.close(0)
    runtime.call(note)
    assert ran.empty()
    own = runtime.ident
    go.set()
    assert [ran.get(timeout=30), ran.get(timeout=30)] == [own, own]


def test_a_loop_may_be_closed_on_its_own_thread(held: tuple[LoopRuntime, threading.Event]) -> None:
    runtime, go = held
    closed = threading.Event()

    def close() -> None:
        runtime.close()
        closed.set()

    runtime.call(close)
    go.set()
    assert closed.wait(30)


def test_a_deadline_set_on_the_loops_own_thread_wakes_nobody() -> None:
    runtime = LoopRuntime()
    runtime.ident = threading.get_ident()
    runtime.later(1000, runtime.address("hears"), "late")
    assert runtime._thread is None
    assert runtime._incoming.empty()


# -- a loop whose thread is the test's --------------------------------------------------------------


@pytest.fixture
def own() -> LoopRuntime:
    runtime = LoopRuntime()
    runtime.ident = threading.get_ident()
    return runtime


def test_a_loop_with_a_full_queue_drops_what_is_told_refuses_asks_and_takes_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("poker_actors.actors.runtime.loop.QUEUE_LIMIT", 2)
    runtime = LoopRuntime()
    address = runtime.address("hears")
    for text in "abc":
        address.tell(text)
    assert (runtime._incoming.qsize(), runtime.waiting, runtime.lost) == (2, 2, 1)
    word = runtime.word()
    address.put("d", word)
    with pytest.raises(RoomBusy):
        word.get(0, "hears")
    address.tell(stop_message())
    address.put(stop_message(), runtime.word())
    assert (runtime.waiting, runtime.lost) == (4, 1)
    runtime.ident = threading.get_ident()
    runtime._take_in(None)
    address.tell("e")
    assert (runtime.waiting, runtime.lost) == (4, 2)
    address.close()
    address.tell("f")
    assert runtime.lost == 2, "nobody is there to miss it"


def kept_for(address: Address) -> Word:
    """Keep an ask for an actor as if it were busy; return its reply."""
    word = address.runtime.word()
    address.kept.append((address, "kept", word, None))  # type: ignore[attr-defined]  # a LoopAddress
    return word


def test_what_was_kept_for_an_actor_is_answered_when_its_address_closes(own: LoopRuntime) -> None:
    for thread, ident in ((None, 0), (threading.current_thread(), own.ident)):
        own._thread, own.ident = thread, ident
        address = own.address("hears")
        word = kept_for(address)
        address.close()
        with pytest.raises(RoomClosed):
            word.get(0, "hears")


def test_what_was_kept_is_answered_by_the_loops_thread_if_it_lives(
    held: tuple[LoopRuntime, threading.Event],
) -> None:
    runtime, go = held
    address = runtime.address("hears")
    word = kept_for(address)
    address.close()
    with pytest.raises(AskTimeout):
        word.get(0, "hears")
    go.set()
    with pytest.raises(RoomClosed):
        word.get(30, "hears")


def test_an_address_closed_from_outside_with_nothing_kept_wakes_nobody(
    held: tuple[LoopRuntime, threading.Event],
) -> None:
    runtime, _ = held
    runtime.address("hears").close()
    assert runtime._incoming.empty()


def test_a_loop_does_not_wait_for_what_only_itself_could_answer(own: LoopRuntime) -> None:
    address, other = own.address("hears"), own.address("other")
    with pytest.raises(AskCycle, match="the room's own thread cannot wait for hears"):
        address.ask("a")
    own._items.clear()
    own.current = other
    assert other.running_here
    assert not address.running_here
    with pytest.raises(AskCycle, match="other waits for a hand, which only later messages can answer"):
        own.word().get(1, "a hand")
    address.tell("b")
    with pytest.raises(AskCycle, match="would wait for itself: other -> other"):
        other.ask("c")
    assert [item[1] for item in own._items] == ["b"], "the ask that was refused is not handled later"
    word = own.word()
    word.set(1)
    own.current = None
    assert word.get(0, "hears") == 1


def test_a_loop_sleeps_long_when_nothing_is_due_and_short_while_work_waits(
    own: LoopRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    naps: list[float | None] = []
    monkeypatch.setattr(own, "_take_in", naps.append)
    own._turn()
    own._workers._jobs.put(("job", lambda: None))
    own._turn()
    assert naps == [None, threads.NAP, None, threads.HURRY_SECONDS]


def test_an_actor_no_longer_busy_whose_successor_has_not_begun_has_what_was_kept_left(
    own: LoopRuntime,
) -> None:
    address = own.address("hears")
    word = kept_for(address)
    own._release(address)  # type: ignore[arg-type]  # a LoopAddress
    with pytest.raises(AskCycle):  # not answered: waiting for it is refused
        word.get(0, "hears")


def test_a_loop_has_one_thread(held: tuple[LoopRuntime, threading.Event]) -> None:
    runtime, _ = held
    thread = runtime._thread
    runtime._start_thread()
    assert runtime._thread is thread


class Careful(Hears):
    """May block at some messages, but not at texts."""

    def may_block(self, message: object) -> bool:
        return not isinstance(message, str)


def test_what_comes_between_an_actor_and_its_successor_waits_for_the_successor(own: LoopRuntime) -> None:
    address = own.address("hears")
    first, second = Careful(address), Careful(address)
    own.start(first)
    address.actor = second  # as the start of a successor does before it begins
    address.tell("a")
    own._turn()
    assert first.heard == ["begun"]
    own.start(second)
    own._turn()
    assert second.heard == ["begun", "a"]
