"""The stepping runtime: one thread, one queue, a virtual clock, one delivery at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import repeat
from random import Random
from typing import Any

import attrs
from pykka import ActorRegistry

from poker_actors.actors.runtime.actor import Actor, Address
from poker_actors.actors.runtime.queued import QUEUE_LIMIT, Item, QueueRuntime, StepFlag
from poker_actors.actors.runtime.reply import STOP, Reply, Timer, Who, Word, refuse, who_text
from poker_actors.errors import AskCycle, AskTimeout


@attrs.frozen
class Delivery:
    """A message being delivered: from whom (None for outside the room), to whom, and what."""

    sender: str | None
    receiver: str
    message: object
    asked: bool


class StepRuntime(QueueRuntime):
    """Runs all actors on the caller's thread. Delivering one message is one `step`; `run` loops over it.

    Messages are delivered in the order sent or, with `order`, in an order drawn from that generator
    that keeps each sender's messages to each receiver in sequence. The clock is virtual: it jumps to
    the next deadline when nothing else is left to do and somebody waits.

    An ask from outside delivers messages until it is answered. An ask from inside a handler delivers
    only to the actor asked, and raises `AskCycle` at once if that actor is itself waiting.
    """

    def __init__(self, order: Random | None = None) -> None:
        super().__init__()
        self.folds = type(self) is StepRuntime and order is None
        self._order = order
        self._now = 0.0
        self.epoch = time.time()
        """When the virtual clock began, in seconds since 1970; set it before its first use."""
        self.observers: list[Callable[[Delivery], None]] = []

    # -- what actors use --------------------------------------------------------------------

    def address(self, name: str) -> Address:
        """Make an address; its messages go to the queue that all actors share."""
        return _StepAddress(name, self, self._items)

    def start(self, actor: Actor) -> None:
        """Let the actor begin; steps will deliver its messages."""
        actor.address.actor, actor.address.handlers = actor, actor.handlers
        ActorRegistry.register(actor.actor_ref)
        self.begin(actor)

    def word(self) -> Word:
        """Make a reply that delivers messages while it is waited for."""
        return StepWord(self)

    def flag(self) -> StepFlag:
        """Make a flag without a lock: there is one thread."""
        return StepFlag()

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Deliver `message` when the virtual clock has advanced by `seconds`."""
        return self._alarms.add(self._now + seconds, address, message)

    def now(self) -> float:
        """Seconds on the virtual clock."""
        return self._now

    def wall(self) -> float:
        """Seconds since 1970, as if the virtual clock had begun at `epoch`."""
        return self.epoch + self._now

    def close(self, seconds: float | None = None) -> None:
        """Drop only messages to closed addresses: another room may use this runtime."""
        self._keep(lambda item: not item[0].closed)
        self._alarms.drop_closed()

    # -- what drivers and debuggers use -----------------------------------------------------

    @property
    def pending(self) -> tuple[Delivery, ...]:
        """Messages not yet delivered, in the order sent."""
        return tuple(_delivery(item) for item in self.queue)

    @property
    def waiting(self) -> int:
        """The number of messages not yet delivered."""
        return len(self.queue)

    @property
    def quiescent(self) -> bool:
        """Whether there is nothing to deliver; deadlines may still come."""
        return not self._items

    def step(self) -> Delivery | None:
        """Deliver one message and return what it was; None if there is none."""
        if not self.queue:
            return None
        item = self.take_next()
        delivery = _delivery(item)
        self.deliver(item)
        return delivery

    def run(self, until: Callable[[], bool] | None = None, limit: int | None = None) -> int:
        """Deliver until nothing is left, `until()` is true or `limit` steps are made; return the steps made."""
        before = self.steps
        if until is None:
            self._drain(None, limit)
            return self.steps - before
        while self.queue and (limit is None or self.steps - before < limit) and not until():
            self.deliver(self.take_next())
        return self.steps - before

    def advance(self, seconds: float) -> int:
        """Advance the clock, delivering what falls due and all that follows; return the steps made."""
        before = self.steps
        end = self._now + seconds
        self.run()
        while self.ring(end):
            self.run()
        self._now = end
        return self.steps - before

    def catch_up(self, now: float) -> None:
        """Advance to `now` on another clock and queue what falls due, delivering nothing."""
        while self.ring(now):
            pass
        self._now = max(self._now, now)

    def ring(self, end: float) -> bool:
        """Advance the clock to the next deadline and queue its message; return false if that is after `end`."""
        alarm = self._alarms.take(end)
        if alarm is None:
            return False
        self._now = max(self._now, alarm.due)
        alarm.address.tell(alarm.message)
        return True

    # -- the works --------------------------------------------------------------------------

    def wait_for(self, word: StepWord, timeout: float | None, who: Who) -> None:
        """Deliver until `word` is answered."""
        if self.current is not None:
            self.wait_in_handler(word, who, _refuse_to_wait)
            return
        end = math.inf if timeout is None else self._now + timeout
        while not word.answered:
            if self._items:
                self._drain(word)
            elif not self.ring(end):
                raise AskTimeout(f"{who_text(who)} has not answered, and nothing is left to deliver")

    def _drain(self, word: StepWord | None, limit: int | None = None) -> None:
        """Deliver until the queue is empty, `word` is answered or `limit` steps are made."""
        if self._order is not None or self.observers or type(self).handle is not StepRuntime.handle:
            end = math.inf if limit is None else self.steps + limit
            while self._items and self.steps < end and not (word is not None and word.answered):
                self.deliver(self.take_next())
        elif limit is None:
            self.drain(repeat(None), word)
        else:
            folds, self.folds = self.folds, False
            try:
                # `queue` unfolds messages to many: folded, one round would deliver several and exceed the limit
                self.drain(repeat(None, limit if self.queue else 0), word)
            finally:
                self.folds = folds

    def apart(self, item: Item) -> None:
        """Refuse an ask that no actor is there to answer."""
        if item[2] is not None:
            refuse(item[2], item[0].name)  # does nothing if it is answered already

    def forget(self, address: Address) -> list[Item]:
        """Remove the messages of an address from the queue, and return them."""
        taken = [item for item in self._queue_of(address) if item[0] is address]
        if taken:
            self._keep(lambda item: item[0] is not address)
        return taken

    @property
    def choices(self) -> list[int]:
        """Queue indexes of the messages that may come next: the first of each sender to each receiver.

        Actors rely on that order. Senders count by name: a stopped hand continues at another address, and on threads
        its receivers also get the earlier messages first.
        """
        firsts: dict[tuple[str | None, int], int] = {}
        for place, item in enumerate(self.queue):
            firsts.setdefault((None if item[3] is None else item[3].name, id(item[0])), place)
        return list(firsts.values())

    def take_next(self) -> Item:
        """Remove the next message from the queue and return it; a debugger overrides which one is next."""
        if self._order is None:
            return self.queue.popleft()
        place = self._order.choice(self.choices)
        item = self.queue[place]
        del self.queue[place]
        return item

    def deliver(self, item: Item) -> None:
        """Deliver one message."""
        address, message, reply, _ = item
        self.steps += 1
        for observer in self.observers:
            observer(_delivery(item))
        actor = address.actor
        if actor is None:
            if reply is not None:
                refuse(reply, address.name)  # a reply that has its answer keeps it
            return
        self.current = address
        try:
            self._let_handle(actor, message, reply)
        finally:
            self.current = None

    def failed(self, actor: Actor | None, error: BaseException, reply: Reply | None) -> None:
        """Answer a refusal; let any other error end the actor, and raise the caller's own Ctrl-C."""
        interrupted = isinstance(error, KeyboardInterrupt)
        # what a handler has begun is done in part: its actor ends, too, but for a debugger's own interrupt
        if not interrupted or type(error) is KeyboardInterrupt:
            super().failed(actor, error, reply)
        if interrupted:
            raise error


class _StepAddress(Address):
    """An address whose messages are in the stepper's queue."""

    __slots__ = ()

    runtime: StepRuntime

    @property
    def running_here(self) -> bool:
        return self.runtime.is_running(self)

    def put(self, message: object, reply: Reply | None = None) -> None:
        # stop messages always pass: a full queue must not keep an actor running
        if len(self.inbox) >= QUEUE_LIMIT and not isinstance(message, STOP):
            self.overflow(reply)
        else:
            self.inbox.append((self, message, reply, self.runtime.current))

    tell = put

    def take_all(self) -> list[tuple[object, Reply | None]]:
        return [(item[1], item[2]) for item in self.runtime.forget(self)]


def _refuse_to_wait(later: str) -> None:
    raise AskCycle(later)


class StepWord(Word):
    """A reply whose `get` delivers messages until it is answered."""

    __slots__ = ()

    def _answer(self, value: Any, error: BaseException | None) -> None:
        # The first answer counts: closing an address answers asks that may be answered already
        if not self.answered:
            self._value = value
            self._error = error
            self.answered = True  # before the callbacks: one that adds another would never have it called
            # emptied first: a callback that holds the reply is a cycle, once a hand
            callbacks, self._callbacks = self._callbacks, []
            for callback in callbacks:
                callback()

    def _wait(self, timeout: float | None, who: Who) -> None:
        """Deliver messages until `who` has answered; see `Word.get`."""
        self._runtime.wait_for(self, timeout, who)

    def when_done(self, callback: Callable[[], None]) -> None:
        """Call `callback` once there is an answer, or now if there is."""
        if self.answered:
            callback()
        else:
            self._callbacks.append(callback)


def _delivery(item: Item) -> Delivery:
    address, message, reply, sender = item
    return Delivery(sender.name if sender else None, address.name, message, reply is not None)
