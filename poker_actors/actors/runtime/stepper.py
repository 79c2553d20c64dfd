"""The stepping runtime: one thread, one queue, a virtual clock, one delivery at a time."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from random import Random
from typing import TYPE_CHECKING, Any, Final

import attrs
from pykka import ActorRegistry

from poker_actors.actors.runtime.actor import Actor, Address, no_handler
from poker_actors.actors.runtime.queued import QUEUE_LIMIT, Item, QueueRuntime, StepFlag
from poker_actors.actors.runtime.reply import STOP, Reply, Timer, Word, refuse
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
        self._fanout = FanOut(self, folds=type(self) is StepRuntime and order is None)
        self._order = order
        self._now = 0.0
        self.epoch = time.time()
        """When the virtual clock began, in seconds since 1970; set it before its first use."""
        self.observers: list[Callable[[Delivery], None]] = []
        """Called before each delivery; an empty list costs one truth test."""

    # -- what actors use --------------------------------------------------------------------

    def address(self, name: str) -> Address:
        """Make an address; its messages go to the queue that all actors share."""
        return _StepAddress(name, self, self._items)

    def tell_each(
        self, addresses: Sequence[Address], messages: Sequence[object], sender: Address | None = None
    ) -> None:
        """Queue the messages in a row."""
        fanout = self._fanout
        if fanout.folds and isinstance(messages, Many) and not self.observers:
            self._items.append(fanout.fold((addresses, messages, sender or self.current)))
        else:
            super().tell_each(addresses, messages, sender)

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
        """Drop messages to closed addresses only: another room may use this runtime."""
        self._keep(lambda item: not item[0].closed)
        self._alarms.drop_closed()

    # -- what drivers and debuggers use -----------------------------------------------------

    @property
    def queue(self) -> deque[Item]:
        """The messages on their way, one item each; always the same object, as addresses hold it."""
        self._fanout.unfold(self._items)
        return self._items

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

    def wait_for(self, word: StepWord, timeout: float | None, who: str) -> None:
        """Deliver until `word` is answered."""
        if self.current is not None:
            self.wait_in_handler(word, who, _refuse_to_wait)
            return
        end = math.inf if timeout is None else self._now + timeout
        while not word.answered:
            if self._items:
                self._drain(word)
            elif not self.ring(end):
                raise AskTimeout(f"{who} has not answered, and nothing is left to deliver")

    def _drain(self, word: StepWord | None, limit: int | None = None) -> None:
        """Deliver until the queue is empty, `word` is answered or `limit` steps are made."""
        if self._order is not None or self.observers or type(self).handle is not StepRuntime.handle:
            end = math.inf if limit is None else self.steps + limit
            while self._items and self.steps < end and not (word is not None and word.answered):
                self.deliver(self.take_next())
        elif limit is None:
            self.drain(repeat(None), word)
        else:
            fanout = self._fanout
            folds, fanout.folds = fanout.folds, False
            try:
                # `queue` unfolds messages to many: folded, one round would deliver several and exceed the limit
                self.drain(repeat(None, limit if self.queue else 0), word)
            finally:
                fanout.folds = folds

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

    def _queue_of(self, address: Address) -> deque[Item]:
        """Return the queue, unfolded only if an item for many hides messages to `address`."""
        return self.queue if self._fanout.hides(address, self._items) else self._items

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

    __slots__ = ("_runtime",)

    def __init__(self, runtime: StepRuntime) -> None:
        super().__init__()
        self._runtime: Final = runtime

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

    def _wait(self, timeout: float | None, who: str) -> None:
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


# -- messages to many receivers: one item of the queue, in a third of the time of one item each ----
#
# Nobody can tell the two apart. A look at the queue finds a message for each receiver, and as many steps are counted.

if TYPE_CHECKING:
    _Messages = Sequence[Any]
else:
    _Messages = object  # `isinstance` on an abstract base would take as long as a delivery


class Many(_Messages):
    """Messages to many receivers, each made only when it is looked at: on a stepper one item of its queue.

    Receivers need handlers for whatever `calls` returns.
    """

    __slots__ = ()

    def calls(self) -> Iterable[tuple[int, object]]:
        """Note the delivery; return the calls to make, in order: each receiver's index and message."""
        raise NotImplementedError


_Told = tuple[Sequence[Address], Many, Address | None]
"""Receivers, messages, and sender."""


class FanOut(Address):
    """The receiver of items for many; its handler calls theirs in turn."""

    __slots__ = ("_calls", "_queued", "_told", "folds")

    runtime: StepRuntime

    def __init__(self, runtime: StepRuntime, *, folds: bool) -> None:
        super().__init__("many", runtime, None)
        self.handlers = {tuple: self._deliver}
        self.folds = folds
        """Whether messages to many may be one item: only if nobody looks at single deliveries."""
        self._queued = False
        """Whether the queue may hold such an item."""
        self._told: _Told | None = None
        """What is being delivered."""
        self._calls: Iterator[tuple[int, object]] = iter(())
        """The calls still to be made for it."""

    def fold(self, told: _Told) -> Item:
        """Return the item of the queue for all these messages."""
        self._queued = True
        return self, told, None, None

    def _deliver(self, told: _Told) -> None:
        """Make the calls; a handler that looks at the queue meanwhile finds the remaining messages there."""
        runtime, (addresses, messages, _) = self.runtime, told
        runtime.steps += len(addresses) - 1  # the item itself is counted already
        self._told, self._calls = told, iter(messages.calls())
        for place, message in self._calls:
            address = addresses[place]
            handlers = address.handlers
            if handlers is None:
                continue
            runtime.current = address
            try:
                handlers[type(message)](message)
            except BaseException as error:  # noqa: BLE001  a crash of one actor, as on threads
                known = type(message) in handlers
                runtime.failed(address.actor, error if known else no_handler(address, message), None)
        self._told = None

    def unfold(self, queue: deque[Item]) -> None:
        """Replace items for many, and calls still to come, by a message for each receiver in the queue."""
        if self._queued:
            self._queued = False
            kept = [one for item in queue for one in (_each(item[1]) if item[0] is self else (item,))]
            queue.clear()
            queue.extend(kept)
        if self._told is not None:
            # Empties the iterator that `_deliver` loops over: messages put back into the queue would otherwise be
            # delivered twice. They were counted as steps already, and will be counted again when they are delivered.
            addresses, messages, sender = self._told
            rest = [(addresses[place], messages[place], None, sender) for place, _ in self._calls]
            self.runtime.steps -= len(rest)
            queue.extendleft(reversed(rest))

    def hides(self, address: Address, queue: deque[Item]) -> bool:
        """Whether an item for many may hide messages to `address`, which then cannot be taken singly."""
        return self._told is not None or any(item[0] is self and address in item[1][0] for item in queue)


def _each(told: _Told) -> Iterator[Item]:
    addresses, messages, sender = told
    return zip(addresses, messages, repeat(None), repeat(sender))
