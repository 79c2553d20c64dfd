"""The stepping runtime: one thread, one queue, a virtual clock, one delivery at a time."""

from __future__ import annotations

import heapq
import itertools
import sys
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Final

import attrs

from poker_actors.actors.runtime.actor import Actor, Address, Reply, Timer, Word
from poker_actors.errors import AskCycle, AskTimeout, PokerError

__all__ = ["Delivery", "StepRuntime"]

_Item = tuple[Address, object, Reply | None, Address | None]


@attrs.frozen
class Delivery:
    """One message on its way: from whom (None: from outside the room), to whom, and what."""

    sender: str | None
    receiver: str
    message: object
    asked: bool


class StepRuntime:
    """All actors on the caller's thread. Delivering one message is one `step`; `run` loops over it.

    Messages are delivered in the order sent, or, with `order`, in an order drawn from that
    generator that keeps each sender's messages to each receiver in sequence. The clock is
    virtual: it jumps to the next deadline when nothing else is left to do and somebody waits.

    An ask from outside delivers messages until it is answered. An ask from inside a handler
    delivers only to the actor asked, and raises `AskCycle` at once when that one is waiting too.
    """

    def __init__(self, order: Random | None = None) -> None:
        self._queue: deque[_Item] = deque()
        self._order = order
        self._current: Address | None = None
        self._waiting: list[Address] = []
        self._timers: list[tuple[float, int, _StepTimer]] = []
        self._count = itertools.count()
        self._now = 0.0
        self.steps = 0
        """Messages delivered so far."""
        self.observers: list[Callable[[Delivery], None]] = []
        """Told of each delivery before it is made; empty costs one truth test."""

    # -- what actors use --------------------------------------------------------------------

    def open_mailbox(self, address: Address) -> None:
        """Nothing to make: there is one queue for all."""

    def start_loop(self, actor: Actor) -> None:
        """Let the actor begin; its messages come with the steps."""
        before = self._current
        self._current = actor.address
        try:
            actor.on_start()
        except Exception as error:  # noqa: BLE001 - as on threads, who starts an actor is not told
            self._crash(actor, error, None)
        finally:
            self._current = before
        if actor.actor_stopped.is_set():
            actor.gone()

    def put(self, address: Address, message: object, reply: Reply | None) -> None:
        """Queue a message."""
        self._queue.append((address, message, reply, self._current))

    def take_all(self, address: Address) -> list[tuple[object, Reply | None]]:
        """Take the messages of a closed address out of the queue."""
        taken = [(item[1], item[2]) for item in self._queue if item[0] is address]
        if taken:
            self._queue = deque(item for item in self._queue if item[0] is not address)
        return taken

    def word(self) -> Word:
        """Make a reply that delivers messages while it is waited for."""
        return _StepWord(self)

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Deliver `message` when the virtual clock has moved on by `seconds`."""
        timer = _StepTimer(address, message)
        heapq.heappush(self._timers, (self._now + seconds, next(self._count), timer))
        return timer

    def now(self) -> float:
        """Seconds of the virtual clock."""
        return self._now

    def close(self) -> None:
        """Forget what was not delivered."""
        self._queue.clear()
        self._timers.clear()

    # -- what drivers and debuggers use -----------------------------------------------------

    @property
    def pending(self) -> tuple[Delivery, ...]:
        """Messages not delivered yet, in the order sent."""
        return tuple(_delivery(item) for item in self._queue)

    @property
    def quiescent(self) -> bool:
        """Whether there is nothing to deliver; deadlines may still be ahead."""
        return not self._queue

    def step(self) -> Delivery | None:
        """Deliver one message and tell which; None when there is none."""
        if not self._queue:
            return None
        item = self._next()
        delivery = _delivery(item)
        self._deliver(item)
        return delivery

    def run(self, until: Callable[[], bool] | None = None, limit: int | None = None) -> int:
        """Deliver until nothing is left, `until()` is true or `limit` steps are made; gives how many."""
        before = self.steps
        while self._queue and (limit is None or self.steps - before < limit):
            if until is not None and until():
                break
            self._deliver(self._next())
        return self.steps - before

    def advance(self, seconds: float) -> int:
        """Move the clock on, delivering what falls due and all that follows; gives the steps made."""
        before = self.steps
        end = self._now + seconds
        self.run()
        while self._timers and self._timers[0][0] <= end:
            self._ring()
            self.run()
        self._now = end
        return self.steps - before

    # -- the works --------------------------------------------------------------------------

    def wait_for(self, word: _StepWord, timeout: float | None, who: str) -> None:
        """Deliver until `word` is answered."""
        if self._current is not None:
            self._wait_inside(word, who)
            return
        end = None if timeout is None else self._now + timeout
        queue = self._queue
        while not word.answered:
            if queue:
                self._deliver(self._next())
            elif self._timers and (end is None or self._timers[0][0] <= end):
                self._ring()
            else:
                raise AskTimeout(f"{who} has not answered, and nothing is left to deliver")
            queue = self._queue

    def _wait_inside(self, word: _StepWord, who: str) -> None:
        """Deliver to the actor asked only: the others are in the middle of things."""
        asker = self._current
        assert asker is not None
        target = next((item[0] for item in self._queue if item[2] is word), None)
        if target is None:
            if not word.answered:
                raise AskCycle(f"{asker.name} waits for {who} which only later messages can answer")
            return
        if target is asker or target in self._waiting:
            self._queue = deque(item for item in self._queue if item[2] is not word)
            chain = " -> ".join(address.name for address in (*self._waiting, asker, target))
            raise AskCycle(f"an actor would wait for itself: {chain}")
        self._waiting.append(asker)
        try:
            while not word.answered:
                place = next(place for place, item in enumerate(self._queue) if item[0] is target)
                item = self._queue[place]
                del self._queue[place]
                self._deliver(item)
        finally:
            self._waiting.pop()
            self._current = asker

    def _next(self) -> _Item:
        if self._order is None:
            return self._queue.popleft()
        firsts: dict[tuple[int, int], int] = {}
        for place, item in enumerate(self._queue):
            firsts.setdefault((id(item[3]), id(item[0])), place)
        place = self._order.choice(list(firsts.values()))
        item = self._queue[place]
        del self._queue[place]
        return item

    def _deliver(self, item: _Item) -> None:
        address, message, reply, _ = item
        actor = address.actor
        self.steps += 1
        if self.observers:
            for observer in self.observers:
                observer(_delivery(item))
        if actor is None:
            return  # closed meanwhile; `Address.close` has answered its asks
        self._current = address
        try:
            answer = actor.handlers[type(message)](message)
            if reply is not None:
                reply.set(answer)
        except PokerError as error:
            if reply is not None:
                reply.set_exception((type(error), error, error.__traceback__))
            else:
                self._crash(actor, error, None)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self._crash(actor, error, reply)
        finally:
            self._current = None
        if actor.actor_stopped.is_set():
            actor.gone()

    def _crash(self, actor: Actor, error: BaseException, reply: Reply | None) -> None:
        actor.crash = error
        actor.actor_stopped.set()
        actor.on_failure(type(error), error, error.__traceback__)
        if reply is not None:
            reply.set_exception((type(error), error, error.__traceback__))

    def _ring(self) -> None:
        due, _, timer = heapq.heappop(self._timers)
        self._now = max(self._now, due)
        if not timer.cancelled:
            timer.address.tell(timer.message)


class _StepTimer:
    __slots__ = ("address", "cancelled", "message")

    def __init__(self, address: Address, message: object) -> None:
        self.address = address
        self.message = message
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class _StepWord:
    """A reply whose `get` delivers messages until it is there."""

    __slots__ = ("_callbacks", "_error", "_runtime", "_value", "answered")

    def __init__(self, runtime: StepRuntime) -> None:
        self._runtime: Final = runtime
        self._callbacks: list[Callable[[], None]] = []
        self._value: Any = None
        self._error: BaseException | None = None
        self.answered = False

    def set(self, value: Any = None) -> None:
        self._answer(value, None)

    def set_exception(self, exc_info: Any = None) -> None:
        self._answer(None, (exc_info or sys.exc_info())[1])

    def _answer(self, value: Any, error: BaseException | None) -> None:
        if not self.answered:
            self._value = value
            self._error = error
            self.answered = True
            for callback in self._callbacks:
                callback()

    def get(self, timeout: float | None, who: str) -> Any:
        if not self.answered:
            self._runtime.wait_for(self, timeout, who)
        if self._error is not None:
            raise self._error
        return self._value

    def when_done(self, callback: Callable[[], None]) -> None:
        if self.answered:
            callback()
        else:
            self._callbacks.append(callback)


def _delivery(item: _Item) -> Delivery:
    address, message, reply, sender = item
    return Delivery(sender.name if sender else None, address.name, message, reply is not None)
