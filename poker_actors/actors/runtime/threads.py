"""The threaded runtime: an actor a thread, the real clock; for embedding and serving."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final
from weakref import WeakSet

from pykka import ActorRegistry

from poker_actors.actors.runtime.actor import (
    ASK_SECONDS,
    MAILBOX_LIMIT,
    STOP,
    Actor,
    Address,
    Answering,
    Reply,
    Timer,
    Word,
    envelope,
    refuse_full,
    stop_message,
)
from poker_actors.actors.runtime.clock import AlarmClock, Pending
from poker_actors.errors import AskCycle, AskTimeout

__all__ = ["ThreadAddress", "ThreadRuntime"]

JOIN_SECONDS: Final = 5.0
"""How long closing waits for threads: a callback that blocks longer is left to its daemon thread."""

LEAST_SECONDS: Final = 0.5
"""How long it waits when the time is used up: for those that have been stopped and are about to end."""


class ThreadRuntime:
    """Actors on threads of their own. `SimpleQueue` makes a tell six times cheaper than `Queue`."""

    def __init__(self) -> None:
        self.address_kind: type[ThreadAddress] = ThreadAddress
        """what its addresses are; a recording has its own"""
        self._threads: set[threading.Thread] = set()
        self._lock = threading.Lock()
        self._clock = AlarmClock()
        self._addresses: WeakSet[ThreadAddress] = WeakSet()
        self.lost = 0

    def address(self, name: str) -> Address:
        """Make an address with a queue of its own."""
        address = self.address_kind(name, self, queue.SimpleQueue())
        with self._lock:
            self._addresses.add(address)
        return address

    @property
    def waiting(self) -> int:
        """Messages in all mailboxes."""
        with self._lock:
            return sum(address.inbox.qsize() for address in self._addresses)

    def tell_each(self, addresses: Sequence[Address], messages: Sequence[object]) -> None:
        """Tell one after the other."""
        for address, message in zip(addresses, messages, strict=True):
            address.tell(message)

    def start_loop(self, actor: Actor) -> None:
        """Run `actor` on a new thread that bears its name; returns when the actor has begun.

        A hand that has begun has told its players, so a caller who is told that it is dealt may act at once.
        """
        begun = threading.Lock()
        begun.acquire()
        name = actor.address.name
        thread = threading.Thread(target=self.run_actor, args=(actor, begun), name=name, daemon=True)
        ActorRegistry.register(actor.actor_ref)
        with self._lock:
            self._threads.add(thread)
            thread.start()  # under the lock: `close` joins what it finds there, which must have started
        begun.acquire(timeout=ASK_SECONDS)

    def run_actor(self, actor: Actor, begun: threading.Lock) -> None:
        """Live the life of an actor, on its thread."""
        address = actor.address
        assert isinstance(address, ThreadAddress)
        address.thread = threading.get_ident()  # before its first message: in it, it may ask itself
        try:
            actor.run_threaded(begun.release)
        finally:
            ActorRegistry.unregister(actor.actor_ref)
            with self._lock:
                self._threads.discard(threading.current_thread())

    def stopped(self, actor: Actor) -> None:
        """Nothing to do: the thread ends by itself."""

    def word(self) -> Word:
        """Make a reply that blocks the thread that waits for it."""
        return _ThreadWord()

    def flag(self) -> threading.Event:
        """Make an event: other threads look at it."""
        return threading.Event()

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Deliver `message` after `seconds` of real time."""
        return self._clock.set_alarm(seconds, address, message)

    def now(self) -> float:
        """Seconds of the monotonic clock."""
        return time.monotonic()

    @property
    def timers(self) -> tuple[Pending, ...]:
        """Messages set for later, the first due first."""
        return self._clock.pending

    @property
    def down(self) -> tuple[str, ...]:
        """The clock, should its thread have ended and not have come back."""
        return self._clock.down

    def close(self, seconds: float | None = None) -> None:
        """Stop the clock and wait for the threads that are about to end, `seconds` for them all."""
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
        """Identifier of the thread on which the actor lives."""

    @property
    def running_here(self) -> bool:
        """Whether this thread is the actor's."""
        return self.thread == threading.get_ident() and not self.closed

    def close(self) -> None:
        """See `Address.close`; an actor in a handler still ends after that."""
        actor = self.actor
        super().close()
        if actor is not None and not actor.actor_stopped.is_set():
            # In a handler for too long: it ends after that, or when it next looks into its mailbox.
            actor.actor_stopped.set()
            self.inbox.put(envelope(stop_message(), None))

    def ask(self, message: object, timeout: float = ASK_SECONDS) -> Any:
        """See `Address.ask`."""
        if self.running_here:
            raise AskCycle(f"an actor would wait for itself: {self.name} -> {self.name}")
        return super().ask(message, timeout)

    def tell(self, message: object) -> None:
        """See `Address.tell`."""
        if not self.closed:
            # a look and a put, not one step: many senders at once go over by one each, and memory is bounded all the same
            if self.inbox.qsize() >= MAILBOX_LIMIT and not isinstance(message, STOP):
                self.runtime.lost += 1
                return
            self.inbox.put(envelope(message, None))

    def put(self, message: object, reply: Reply) -> None:
        """See `Address.put`."""
        if self.inbox.qsize() >= MAILBOX_LIMIT and not isinstance(message, STOP):
            refuse_full(reply, self.name)
            return
        self.inbox.put(envelope(message, reply))

    def take_all(self) -> list[tuple[object, Reply | None]]:
        """See `Address.take_all`."""
        taken: list[tuple[object, Reply | None]] = []
        while True:
            try:
                left = self.inbox.get_nowait()
            except queue.Empty:
                return taken
            taken.append((left.message, left.reply_to))


class _ThreadWord(Answering):
    """A reply across threads: two locks, where pykka's future takes a condition."""

    __slots__ = ("_callbacks", "_done", "_error", "_first", "_value", "answered")

    def __init__(self) -> None:
        # `_first` is taken by the first answer and kept; `_done` is held until there is one
        self._first = threading.Lock()
        self._done = threading.Lock()
        self._done.acquire()
        self._callbacks: list[Callable[[], None]] = []
        self._value: Any = None
        self._error: BaseException | None = None
        self.answered = False

    def _answer(self, value: Any, error: BaseException | None) -> None:
        if not self._first.acquire(blocking=False):
            return  # never released: a second answer would change what somebody has read already
        self._value = value
        self._error = error
        # after the value, which `get` reads without a lock; before the callbacks, so that `when_done` calls a late one
        self.answered = True
        self._done.release()
        self._call_back()

    def get(self, timeout: float | None, who: str) -> Any:
        if not self.answered:
            if not self._done.acquire(timeout=-1 if timeout is None else max(timeout, 0)):
                raise AskTimeout(f"{who} has not answered within {timeout} s")
            self._done.release()  # for the next one who waits
        if self._error is not None:
            raise self._error
        return self._value

    def when_done(self, callback: Callable[[], None]) -> None:
        # first in the list, then a look: an answer between a look and the list would call nobody
        self._callbacks.append(callback)
        if self.answered:
            self._call_back()

    def _call_back(self) -> None:
        while True:
            try:
                callback = self._callbacks.pop(0)  # atomic: each is called by one thread only
            except IndexError:
                return
            callback()
