"""The runtime on one thread: it delivers all messages of a room by the real clock, for callers that may block."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import repeat
from queue import Empty, SimpleQueue
from threading import get_ident
from typing import Any, Final

from pykka import ActorRegistry

from poker_actors.actors.runtime.actor import Actor, Address, Handlers, Runtime
from poker_actors.actors.runtime.queued import QUEUE_LIMIT, Item, QueueRuntime, StepFlag
from poker_actors.actors.runtime.reply import (
    ASK_SECONDS,
    MAILBOX_LIMIT,
    STOP,
    Reply,
    Timer,
    Who,
    Word,
    refuse_left,
    who_text,
)
from poker_actors.actors.runtime.threads import (
    HURRY_SECONDS,
    JOIN_SECONDS,
    LEAST_SECONDS,
    MOST_RESTARTS,
    NAP,
    ThreadWord,
    Workers,
)
from poker_actors.errors import AskCycle, AskTimeout

_log: Final = logging.getLogger("poker_actors.supervisor")

_STEPS: Final = 256
"""Messages delivered between two looks at the clock and at what other threads have sent: a millisecond."""


class LoopRuntime(QueueRuntime):
    """Runs all actors of a room on one thread; any thread may ask and tell them.

    The application's code must not stop the others: an actor says of each message whether its handler may block
    (`Actor.may_block`). Such a message is handled on a worker, and the actor's later ones wait for it, so each actor
    still handles one message at a time and in order. Deadlines fall due by the real clock meanwhile.

    An ask from another thread waits for the answer. An ask from a handler on the room's thread delivers only to the
    actor asked, as on a `StepRuntime`, and raises `AskCycle` at once if that actor is itself waiting.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folds = type(self) is LoopRuntime  # a subclass may look at every message
        self._incoming: SimpleQueue[Item | Callable[[], object]] = SimpleQueue()
        """Messages that other threads have sent, and calls they want made on this one; in order for each thread."""
        self.ident = 0
        """The identifier of the thread that drains."""
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._workers = Workers()
        self._closed = False
        self._ended = False
        """Whether the room's thread takes in nothing more, though it may be alive for another moment."""
        self._restarts = 0

    # -- what actors use ------------------------------------------------------------------------

    def address(self, name: str) -> Address:
        """Make an address; its messages go to the queue that all actors share."""
        return LoopAddress(name, self, None)

    def call(self, what: Item | Callable[[], object]) -> None:
        """Have the room's thread queue a message or call a function, after what this thread sent before."""
        self._incoming.put(what)
        if self._closed and not self._alive:
            self._refuse_rest()  # closed before or during our put: nobody else looks there any more

    def tell_each(
        self, addresses: Sequence[Address], messages: Sequence[object], sender: Address | None = None
    ) -> None:
        """Queue the messages in a row; the queue keeps the order of arrival, whoever the sender is."""
        if get_ident() == self.ident:
            QueueRuntime.tell_each(self, addresses, messages, sender)
        else:
            Runtime.tell_each(self, addresses, messages, sender)

    def start(self, actor: Actor) -> None:
        """Let the actor begin, on the room's thread or the actor's worker; return when it has begun."""
        address = actor.address
        assert isinstance(address, LoopAddress)
        address.actor = actor
        if get_ident() in (self.ident, address.worker):
            self._begin(actor)
            return
        self._start_thread()
        begun = threading.Lock()
        begun.acquire()

        def begin() -> None:
            try:
                if not self._closed:
                    self._begin(actor)
            finally:
                begun.release()

        self.call(begin)
        begun.acquire(timeout=ASK_SECONDS)

    def _begin(self, actor: Actor) -> None:
        address = actor.address
        assert isinstance(address, LoopAddress)
        ActorRegistry.register(actor.actor_ref)
        if type(actor).may_block is Actor.may_block:
            address.handlers = actor.handlers
        address.begun = actor
        if get_ident() == self.ident:
            self.begin(actor)
            self._release(address)  # what was sent to it before it began
        else:
            self._start(actor)  # by its worker, which releases it afterwards

    def word(self) -> Word:
        """Make a reply that blocks the waiting thread; the room's own thread delivers meanwhile."""
        return LoopWord(self)

    def flag(self) -> StepFlag:
        """Make a flag without a lock: it is only set, never waited for."""
        return StepFlag()

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Deliver `message` after `seconds` of real time."""
        alarm = self._alarms.add(time.monotonic() + seconds, address, message)
        if get_ident() != self.ident:
            self._start_thread()
            self.call(_wake)  # it may sleep until a later deadline
        return alarm

    @property
    def waiting(self) -> int:
        """Messages on their way, except those that wait for a worker."""
        return len(self._items) + self._incoming.qsize()

    @property
    def _alive(self) -> bool:
        return self._thread is not None and not self._ended and self._thread.is_alive()

    @property
    def down(self) -> tuple[str, ...]:
        """`loop` if the room's thread has ended too early."""
        return ("loop",) if self._thread is not None and not self._closed and not self._alive else ()

    def close(self, seconds: float | None = None) -> None:
        """Stop delivering; wait for the room's thread and the workers, `seconds` for all of them."""
        end = time.monotonic() + (JOIN_SECONDS if seconds is None else max(seconds, LEAST_SECONDS))
        with self._lock:
            self._closed = True
            thread = self._thread
        self._incoming.put(_wake)
        if thread is not None and get_ident() != self.ident:
            thread.join(max(end - time.monotonic(), 0.0))
        self._workers.close(end)
        self._alarms.clear()
        if not self._alive:
            self._refuse_rest()

    # -- the thread -----------------------------------------------------------------------------

    def _start_thread(self) -> None:
        with self._lock:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="poker-actors room", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        self.ident = get_ident()
        while not self._closed and self._restarts <= MOST_RESTARTS:
            try:
                while not self._closed:
                    self._turn()
            except BaseException:  # noqa: BLE001  without this thread the room would hang
                _log.exception("the room's thread has failed, and goes on")
                self._restarts += 1
        self.ident = 0
        self._ended = True
        self._refuse_rest()  # whoever closed the room may not have waited for this thread

    def _turn(self) -> None:
        """Ring due alarms, queue what other threads have sent, and deliver; sleep if there is nothing to do."""
        self._ring()
        self._take_in(None)
        if self._items:
            self.drain(repeat(None, _STEPS))
            return
        if self._closed:
            return  # the item that was to wake this thread may just have been taken in
        due = self._alarms.next_due
        nap = NAP if due is None else min(max(due - time.monotonic(), 0.0), NAP)
        if self._workers.waiting:
            self._workers.hurry()
            nap = min(nap, HURRY_SECONDS)
        self._take_in(nap)

    def _ring(self) -> None:
        now = time.monotonic()
        while (alarm := self._alarms.take(now)) is not None:
            alarm.address.tell(alarm.message)

    def _take_in(self, nap: float | None) -> None:
        """Queue what other threads have sent, waiting up to `nap` seconds for the first message."""
        incoming = self._incoming
        with suppress(Empty):
            what = incoming.get_nowait() if nap is None else incoming.get(timeout=nap)
            while True:
                if isinstance(what, tuple):
                    self._items.append(what)
                else:
                    what()
                what = incoming.get_nowait()

    # -- actors whose code may block ------------------------------------------------------------

    def apart(self, item: Item) -> Handlers | None:
        """Return the handlers for a message that may be handled here, else None.

        A message that may block goes to a worker, one for a busy actor is kept, and one for a closed address refused.
        """
        address: LoopAddress
        address, message, reply, _ = item  # type: ignore[assignment]  # as `address` makes them
        actor = address.begun
        if actor is not None and actor is address.actor and not address.busy:
            if not actor.may_block(message):
                return actor.handlers
            address.busy = True
            self._workers.do(address.name, partial(self._work, address, actor, item))
        elif address.closed:
            refuse_left(address.name, message, reply)
        elif len(address.kept) >= MAILBOX_LIMIT and not isinstance(message, STOP):
            address.overflow(reply)
        else:
            address.kept.append(item)
        return None

    def failed(self, actor: Actor | None, error: BaseException, reply: Reply | None) -> None:
        """Answer a refusal; let any other error end the actor. SystemExit and the like must not end the caller."""
        if not isinstance(error, Exception):
            name = "an actor" if actor is None else actor.address.name
            ended = RuntimeError(f"{type(error).__name__} in {name}")
            ended.__cause__ = error
            error = ended
        super().failed(actor, error, reply)

    def _work(self, address: LoopAddress, actor: Actor, item: Item) -> None:
        """Handle a message on this worker."""
        address.worker = get_ident()
        try:
            self._let_handle(actor, item[1], item[2])
        finally:
            address.worker = 0
            # Behind what the handler has sent: the actor's next message, handled on the room's thread, may send more
            self.call(partial(self._release, address))

    def _release(self, address: LoopAddress) -> None:
        """Deliver what was kept for an actor that is no longer busy, before anything newer."""
        address.busy = False
        if address.kept and address.begun is address.actor is not None:
            self._items.extendleft(reversed(address.kept))
            address.kept.clear()
        elif address.closed:
            address.answer_rest()

    def _refuse_rest(self) -> None:
        """Refuse what is left once the room's thread has ended, including messages kept for busy actors."""
        while True:
            try:
                what = self._incoming.get_nowait()
            except Empty:
                break
            if isinstance(what, tuple):
                self._items.append(what)
                continue
            try:
                what()
            except BaseException:  # noqa: BLE001  the rest must be refused all the same
                _log.exception("a call to the room's thread failed after that thread had ended")
        while True:
            try:
                address, message, reply, _ = self._items.popleft()
            except IndexError:
                return
            refuse_left(address.name, message, reply)

    def wait_for(self, word: LoopWord, timeout: float | None, who: Who) -> None:
        """Deliver until `word` is answered, in a handler on the room's thread."""
        if self.current is None:
            raise AskCycle(f"the room's own thread cannot wait for {who_text(who)}")
        end = time.monotonic() + (NAP if timeout is None else timeout)

        def more(_: str) -> None:
            self._workers.hurry()
            self._take_in(max(min(end - time.monotonic(), HURRY_SECONDS), 0.0))
            if time.monotonic() >= end and not word.answered:
                raise AskTimeout(f"{who_text(who)} has not answered within {timeout} s")

        self.wait_in_handler(word, who, more)


class LoopWord(ThreadWord):
    """A reply across threads; the room's own thread delivers while it waits for one."""

    __slots__ = ()

    def _wait(self, timeout: float | None, who: Who) -> None:
        if get_ident() == self._runtime.ident:
            self._runtime.wait_for(self, timeout, who)
        else:
            super()._wait(timeout, who)


class LoopAddress(Address):
    """An address whose messages are in the room's queue; those that a busy or future actor must handle are kept."""

    __slots__ = ("begun", "busy", "kept", "worker")

    runtime: LoopRuntime

    def __init__(self, name: str, runtime: LoopRuntime, inbox: Any) -> None:
        super().__init__(name, runtime, inbox)
        self.begun: Actor | None = None
        """The actor that has begun here; all but `worker` belong to the room's thread."""
        self.busy = False
        """Whether a worker handles a message of the actor."""
        self.worker = 0
        """The identifier of that worker."""
        self.kept: deque[Item] = deque()
        """Messages to be delivered once the actor has begun, or is no longer busy."""

    @property
    def running_here(self) -> bool:
        """Whether the caller runs in a handler of this actor."""
        ident = get_ident()
        if ident == self.runtime.ident:
            return self.runtime.is_running(self)
        return ident == self.worker

    def put(self, message: object, reply: Reply | None = None) -> None:
        """See `Address.put`; `ask_into` checks whether the address is closed."""
        runtime, item = self.runtime, (self, message, reply, None)
        if reply is None and self.closed:
            return
        if get_ident() == runtime.ident:
            # it does not count what others have sent: nearly all messages come from this thread
            if len(runtime._items) < QUEUE_LIMIT or isinstance(message, STOP):
                runtime._items.append(item)
                return
        elif runtime.waiting < QUEUE_LIMIT or isinstance(message, STOP):
            runtime.call(item)
            return
        self.overflow(reply)

    tell = put

    def ask(self, message: object, timeout: float = ASK_SECONDS) -> Any:
        """See `Address.ask`."""
        if self.worker == get_ident():
            raise AskCycle(f"an actor would wait for itself: {self.name} -> {self.name}")
        return super().ask(message, timeout)

    def close(self) -> None:
        """See `Address.close`; an actor in a handler ends after it."""
        actor = self.actor
        self.closed = True
        self.actor = self.begun = self.handlers = None
        if actor is not None and not actor.actor_stopped.is_set():
            actor.actor_stopped.set()
            ActorRegistry.unregister(actor.actor_ref)
        self.answer_rest()

    def take_all(self) -> list[tuple[object, Reply | None]]:
        """Return the kept messages, and keep none; those still in the queue are refused there."""
        runtime = self.runtime
        if self.kept and runtime._alive and get_ident() != runtime.ident:
            runtime.call(self.answer_rest)
            return []
        kept = [(item[1], item[2]) for item in self.kept]
        self.kept.clear()
        return kept


def _wake() -> None:
    """Do nothing: the call only makes the thread look at its clock again."""
