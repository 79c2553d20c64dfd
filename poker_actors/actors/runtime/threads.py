"""The threaded runtime, with one thread per actor and one for the real clock; and workers for code that may block."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final
from weakref import WeakSet

from pykka import ActorRegistry

from poker_actors.actors.runtime.actor import Actor, Address, Runtime, envelope
from poker_actors.actors.runtime.queued import Alarm, Alarms, Pending
from poker_actors.actors.runtime.reply import (
    ASK_SECONDS,
    MAILBOX_LIMIT,
    STOP,
    Reply,
    Timer,
    Who,
    Word,
    stop_message,
    who_text,
)
from poker_actors.errors import AskCycle, AskTimeout

_log: Final = logging.getLogger("poker_actors.supervisor")

JOIN_SECONDS: Final = 5.0
"""How long closing waits for threads by default: a callback that blocks longer is left to its daemon thread."""

LEAST_SECONDS: Final = 0.5
"""How long closing waits at least: for threads already stopped and about to end."""


class ThreadRuntime(Runtime):
    """Actors on threads of their own. `SimpleQueue` makes a tell six times cheaper than `Queue`."""

    def __init__(self) -> None:
        self.address_kind: type[ThreadAddress] = ThreadAddress
        """the class of its addresses; a recording sets its own"""
        self._threads: set[threading.Thread] = set()
        self._lock = threading.Lock()
        self._clock = AlarmClock()
        self._addresses: WeakSet[ThreadAddress] = WeakSet()
        self.lost = 0

    def address(self, name: str) -> Address:
        """Make an address with a queue of its own."""
        address = self.address_kind(name, self, SimpleQueue())
        with self._lock:
            self._addresses.add(address)
        return address

    @property
    def waiting(self) -> int:
        """Messages in all mailboxes."""
        with self._lock:
            return sum(address.inbox.qsize() for address in self._addresses)

    def start(self, actor: Actor) -> None:
        """Run `actor` on a new thread named after it; return when the actor has begun.

        A hand that has begun has told its players: a caller of `deal` may act as soon as it returns.
        """
        actor.address.actor, actor.address.handlers = actor, actor.handlers
        begun = threading.Lock()
        begun.acquire()
        name = actor.address.name
        thread = threading.Thread(target=self.run_actor, args=(actor, begun), name=name, daemon=True)
        ActorRegistry.register(actor.actor_ref)
        with self._lock:
            self._threads.add(thread)
            # Under the lock: `close` joins the threads it finds, and joining one not yet started raises
            thread.start()
        begun.acquire(timeout=ASK_SECONDS)

    def run_actor(self, actor: Actor, begun: threading.Lock) -> None:
        """Run an actor, on its thread, until it ends."""
        address = actor.address
        assert isinstance(address, ThreadAddress)
        # Before the first message, whose handler might ask its own actor
        address.thread = threading.get_ident()
        try:
            actor.run_threaded(begun.release)
        finally:
            ActorRegistry.unregister(actor.actor_ref)
            with self._lock:
                self._threads.discard(threading.current_thread())

    def word(self) -> Word:
        """Make a reply that blocks the waiting thread."""
        return ThreadWord()

    def flag(self) -> threading.Event:
        """Make an event: other threads may read it."""
        return threading.Event()

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Deliver `message` after `seconds` of real time."""
        return self._clock.set_alarm(seconds, address, message)

    @property
    def timers(self) -> tuple[Pending, ...]:
        """Messages to be delivered later, the first due first."""
        return self._clock.pending

    @property
    def down(self) -> tuple[str, ...]:
        """The clock, if its thread has ended for good."""
        return self._clock.down

    def close(self, seconds: float | None = None) -> None:
        """Stop the clock and wait for the actors' threads, `seconds` for all of them."""
        end = time.monotonic() + (JOIN_SECONDS if seconds is None else max(seconds, LEAST_SECONDS))
        self._clock.close()
        with self._lock:
            threads = [thread for thread in self._threads if thread is not threading.current_thread()]
        for thread in threads:
            thread.join(max(end - time.monotonic(), 0.0))


class ThreadAddress(Address):
    """An address whose mailbox is a queue."""

    __slots__ = ("thread",)

    def __init__(self, name: str, runtime: ThreadRuntime, inbox: Any) -> None:
        super().__init__(name, runtime, inbox)
        self.thread = 0
        """Identifier of the actor's thread."""

    @property
    def running_here(self) -> bool:
        """Whether this thread is the actor's."""
        return self.thread == threading.get_ident() and not self.closed

    def close(self) -> None:
        """See `Address.close`; an actor in a handler ends after it."""
        actor = self.actor
        super().close()
        if actor is not None and not actor.actor_stopped.is_set():
            # In a handler for too long: it ends after that handler, or, if it waits for a message, with this one.
            actor.actor_stopped.set()
            self.inbox.put(envelope(stop_message(), None))

    def ask(self, message: object, timeout: float = ASK_SECONDS) -> Any:
        """See `Address.ask`."""
        if self.running_here:
            raise AskCycle(f"an actor would wait for itself: {self.name} -> {self.name}")
        return super().ask(message, timeout)

    def put(self, message: object, reply: Reply | None = None) -> None:
        """See `Address.put`; `ask_into` checks whether the address is closed."""
        if reply is None and self.closed:
            return
        # not atomic: each concurrent sender may exceed the limit by one, which still bounds memory
        if self.inbox.qsize() >= MAILBOX_LIMIT and not isinstance(message, STOP):
            self.overflow(reply)
        else:
            self.inbox.put(envelope(message, reply))

    tell = put

    def take_all(self) -> list[tuple[object, Reply | None]]:
        """See `Address.take_all`; a stop message stays in the queue, as the thread may be waiting for nothing else."""
        taken: list[Any] = []
        with suppress(Empty):
            while True:
                taken.append(self.inbox.get_nowait())
        stop = next((one for one in taken if one.reply_to is None and isinstance(one.message, STOP)), None)
        if stop is not None:
            self.inbox.put(stop)
        return [(left.message, left.reply_to) for left in taken]


class ThreadWord(Word):
    """A reply across threads, made of two locks where pykka's future uses a condition."""

    __slots__ = ("_done", "_first")

    def __init__(self, runtime: Any = None) -> None:
        super().__init__(runtime)
        # the first answer takes `_first` for good; `_done` is held until there is an answer
        self._first = threading.Lock()
        self._done = threading.Lock()
        self._done.acquire()

    def _answer(self, value: Any, error: BaseException | None) -> None:
        if not self._first.acquire(blocking=False):
            return  # a second answer would change what somebody has already read
        self._value = value
        self._error = error
        # After the value, which `get` reads without a lock once this is set. Before the callbacks: one added after
        # the last was called is called by `when_done`, which must see this set.
        self.answered = True
        self._done.release()
        self._call_back()

    def _wait(self, timeout: float | None, who: Who) -> None:
        # a lock refuses times as long as infinity, which a stepper takes
        most = -1 if timeout is None else min(max(timeout, 0), threading.TIMEOUT_MAX)
        if not self._done.acquire(timeout=most):
            raise AskTimeout(f"{who_text(who)} has not answered within {timeout} s")
        self._done.release()  # for the next thread that waits

    def when_done(self, callback: Callable[[], None]) -> None:
        """Call `callback` once there is an answer, in the thread that answers, or now if there is."""
        # append first, then look: an answer between a look and the append would call nobody
        self._callbacks.append(callback)
        if self.answered:
            self._call_back()

    def _call_back(self) -> None:
        while True:
            try:
                callback = self._callbacks.pop(0)  # atomic, so each is called by one thread only
            except IndexError:
                return
            callback()


NAP: Final = 3600.0
"""Seconds a thread sleeps at most before it looks again: a lock's wait is limited (`threading.TIMEOUT_MAX`)."""

MOST_RESTARTS: Final = 20
"""Restarts of a clock or a loop after an error of its own: an error that recurs at once must not go on for ever."""


class AlarmClock:
    """One thread for all deadlines of a room, started with the first.

    If the thread ends for any reason, another is started, with the same alarms.
    """

    def __init__(self) -> None:
        self._alarms = Alarms()
        self._changed = threading.Condition(self._alarms.lock)
        self._thread: threading.Thread | None = None
        self._closed = False
        self.restarts = 0
        """Threads started to replace one that ended."""

    @property
    def down(self) -> tuple[str, ...]:
        """`clock` if its thread has ended and was not replaced."""
        with self._changed:
            thread = self._thread
            ended = thread is not None and thread.ident is not None and not thread.is_alive()
            return ("clock",) if ended and not self._closed else ()

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The alarms set, the first due first."""
        return self._alarms.pending

    def set_alarm(self, seconds: float, address: Address, message: object) -> Alarm:
        """Deliver `message` after `seconds`."""
        with self._changed:
            alarm = self._alarms.add(time.monotonic() + seconds, address, message)
            if (self._thread is None or not self._thread.is_alive()) and not self._closed:
                self._start()
            self._changed.notify()
        return alarm

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="poker-actors clock", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while self._wait():
                self._ring()
        except BaseException:  # noqa: BLE001  without a clock no turn would ever time out
            _log.exception("the clock has ended")
        finally:
            with self._changed:
                if not self._closed and self.restarts < MOST_RESTARTS:
                    self.restarts += 1
                    self._start()

    def _wait(self) -> bool:
        """Wait until an alarm is due; return false once the clock is closed."""
        with self._changed:
            while not self._closed:
                due = self._alarms.next_due
                if due is not None and due <= time.monotonic():
                    return True
                self._changed.wait(NAP if due is None else min(due - time.monotonic(), NAP))
            return False

    def _ring(self) -> None:
        alarm = self._alarms.take(time.monotonic())  # none if it was cancelled meanwhile
        if alarm is not None:
            # without the lock: a mailbox may be slow, and every actor needs the lock to set its alarms
            alarm.address.tell(alarm.message)

    def close(self) -> None:
        """Stop the alarms, and wait for the thread."""
        with self._changed:
            self._closed = True
            self._alarms.clear()
            self._changed.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(1.0)


Job = Callable[[], None]

USUAL: Final = 4
"""Threads that start as soon as there is work; more start only when all of these stay busy."""

HURRY_SECONDS: Final = 0.05
"""A job that has waited this long gets a thread of its own: the others may block for ever, and turns take seconds."""

_IDLE_SECONDS: Final = 5.0
"""A thread without work ends after this time."""


class Workers:
    """Runs jobs on threads of its own, named after their jobs. A job that never returns blocks its own thread only."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[str, Job] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._idle = 0
        self._taken = 0.0
        """when a job was last taken, or put while none waited"""
        self._closed = False

    @property
    def waiting(self) -> bool:
        """Whether a job waits for a thread."""
        return not self._jobs.empty()

    def do(self, name: str, job: Job) -> None:
        """Run `job` soon, on a thread called `name` meanwhile."""
        with self._lock:
            if self._jobs.empty():
                self._taken = time.monotonic()
            self._jobs.put((name, job))
            if self._idle < self._jobs.qsize() and len(self._threads) < USUAL:
                self._start()

    def hurry(self) -> None:
        """Start one more thread if jobs are waiting and no thread has taken one for `HURRY_SECONDS`."""
        with self._lock:
            now = time.monotonic()
            if self.waiting and now - self._taken > HURRY_SECONDS:
                self._taken = now
                self._start()

    def _start(self) -> None:
        if self._closed:
            return
        thread = threading.Thread(target=self._run, name="poker-actors worker", daemon=True)
        self._threads.add(thread)
        # Under the lock: `close` joins the threads it finds, and joining one not yet started raises
        thread.start()

    def _run(self) -> None:
        me = threading.current_thread()
        own = me.name
        try:
            while (taken := self._next()) is not None:
                me.name, job = taken
                job()
                me.name = own
        finally:
            with self._lock:
                self._threads.discard(me)

    def _next(self) -> tuple[str, Job] | None:
        """Wait for a job; return None after a long time without one, or at the end."""
        with self._lock:
            self._idle += 1
        try:
            return self._jobs.get(timeout=_IDLE_SECONDS)
        except Empty:
            return None
        finally:
            with self._lock:
                self._idle -= 1
                self._taken = time.monotonic()

    def close(self, end: float) -> None:
        """End the threads, busy ones after their jobs; wait until `end` on the monotonic clock."""
        with self._lock:
            self._closed = True
            threads = [thread for thread in self._threads if thread is not threading.current_thread()]
            for _ in self._threads:
                self._jobs.put(None)
        for thread in threads:
            thread.join(max(end - time.monotonic(), 0.0))
