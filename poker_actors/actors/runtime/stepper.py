"""The stepping runtime: one thread, one queue, a virtual clock, one delivery at a time."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from itertools import repeat
from random import Random
from typing import Any, Final

import attrs

from poker_actors.actors.runtime.actor import (
    MAILBOX_LIMIT,
    STOP,
    Actor,
    Address,
    Listed,
    Many,
    Reply,
    Timer,
    Word,
    no_handler,
    refuse,
    refuse_full,
)
from poker_actors.actors.runtime.clock import Alarms, Pending
from poker_actors.actors.runtime.step_word import StepFlag, StepWord
from poker_actors.errors import AskCycle, AskTimeout, PokerError, Refused

__all__ = ["Delivery", "StepRuntime"]

QUEUE_LIMIT: Final = 100 * MAILBOX_LIMIT
"""The one queue of all actors; counting each one's share would cost more than delivering it."""

Awaits = Callable[[Coroutine[Any, Any, Any], Callable[[Any], None]], None]
"""Starts a coroutine, and calls with the finished task when it is done."""

_Item = tuple[Address, Any, Reply | None, Address | None]
_Calls = Iterator[tuple[int, object]]
"""Of messages to many: the place of who is to be called, and with what."""


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
        self._items: deque[_Item] = deque()
        """What is on its way; messages to many may be one item, of an address that is nobody's. See `queue`."""
        self._nobody = Address("many", self, None)
        self._folds = type(self) is StepRuntime and order is None
        """Whether messages to many may be one item: only where nobody looks at each delivery."""
        self._folded = False
        """Whether there may be items that are messages to many."""
        self._many: tuple[_Calls, Sequence[Address], Sequence[object], Address | None] | None = None
        """Messages to many that are being delivered: those still to come, to whom, what and from whom."""
        self._order = order
        self.current: Address | None = None
        """Whose handler is running."""
        self._waiting: list[Address] = []
        self._alarms = Alarms()
        self._now = 0.0
        self.lost = 0
        """Messages dropped before the full queue."""
        self.steps = 0
        """Messages delivered so far."""
        self.observers: list[Callable[[Delivery], None]] = []
        """Told of each delivery before it is made; empty costs one truth test."""
        self.awaits: Awaits | None = None
        """How to await something on the loop that drains this; None where no loop does."""

    # -- what actors use --------------------------------------------------------------------

    def address(self, name: str) -> Address:
        """Make an address; its messages are in the one queue of all."""
        return _StepAddress(name, self, self._items)

    def tell_each(self, addresses: Sequence[Address], messages: Sequence[object]) -> None:
        """Queue them in a row."""
        if self._folds and not self.observers:
            # One item for them all takes a third of the time of one each.
            self._folded = True
            many = messages if isinstance(messages, Many) else Listed(messages)
            self._items.append((self._nobody, (addresses, many), None, self.current))
        else:
            self._items.extend(zip(addresses, messages, repeat(None), repeat(self.current)))

    def start_loop(self, actor: Actor) -> None:
        """Let the actor begin; its messages come with the steps."""
        before = self.current  # a handler may start an actor, and goes on afterwards
        self.current = actor.address
        try:
            actor.on_start()
        except Exception as error:  # noqa: BLE001 - as on threads, who starts an actor is not told
            self.failed(actor, error, None)
        finally:
            self.current = before

    def stopped(self, actor: Actor) -> None:
        """Let go of an actor that has been stopped."""
        actor.gone()

    def word(self) -> Word:
        """Make a reply that delivers messages while it is waited for."""
        return StepWord(self)

    def flag(self) -> StepFlag:
        """Make a flag without a lock: there is one thread."""
        return StepFlag()

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Deliver `message` when the virtual clock has moved on by `seconds`."""
        return self._alarms.add(self._now + seconds, address, message)

    def now(self) -> float:
        """Seconds of the virtual clock."""
        return self._now

    @property
    def down(self) -> tuple[str, ...]:
        """Nothing: there is no thread that could end."""
        return ()

    def close(self, seconds: float | None = None) -> None:
        """Forget what was to go to a closed address; another room may live on this runtime."""
        self._keep(lambda item: not item[0].closed)
        self._alarms.drop_closed()

    # -- what drivers and debuggers use -----------------------------------------------------

    @property
    def queue(self) -> deque[_Item]:
        """What is on its way, an item a message; the same object always, which addresses hold."""
        items = self._items
        if self._folded:
            self._folded = False
            kept = [one for item in items for one in self._unfold(item)]
            items.clear()
            items.extend(kept)
        if self._many is not None:
            # Takes the rest out of the iterator that `_call_each` loops over: what goes back into the queue would be
            # delivered twice. They have been counted as steps; these are counted when they are delivered.
            calls, addresses, messages, sender = self._many
            rest = [(addresses[place], messages[place], None, sender) for place, _ in calls]
            self.steps -= len(rest)
            items.extendleft(reversed(rest))
        return items

    def _unfold(self, item: _Item) -> Iterable[_Item]:
        if item[0] is not self._nobody:
            return (item,)
        addresses, messages = _to_many(item)
        return zip(addresses, messages, repeat(None), repeat(item[3]))

    @property
    def pending(self) -> tuple[Delivery, ...]:
        """Messages not delivered yet, in the order sent."""
        return tuple(_delivery(item) for item in self.queue)

    @property
    def timers(self) -> tuple[Pending, ...]:
        """Messages set for later, the first due first."""
        return self._alarms.pending

    @property
    def waiting(self) -> int:
        """How many messages are not delivered yet."""
        return len(self.queue)

    @property
    def quiescent(self) -> bool:
        """Whether there is nothing to deliver; deadlines may still be ahead."""
        return not self._items

    def step(self) -> Delivery | None:
        """Deliver one message and tell which; None when there is none."""
        if not self.queue:
            return None
        item = self.take_next()
        delivery = _delivery(item)
        self.deliver(item)
        return delivery

    def run(self, until: Callable[[], bool] | None = None, limit: int | None = None) -> int:
        """Deliver until nothing is left, `until()` is true or `limit` steps are made; returns how many."""
        before = self.steps
        if until is None:
            self._drain(None, limit)
        while self.queue and (limit is None or self.steps - before < limit):
            if until is not None and until():
                break
            self.deliver(self.take_next())
        return self.steps - before

    def advance(self, seconds: float) -> int:
        """Move the clock on, delivering what falls due and all that follows; returns the steps made."""
        before = self.steps
        end = self._now + seconds
        self.run()
        while self.ring(end):
            self.run()
        self._now = end
        return self.steps - before

    @property
    def next_deadline(self) -> float | None:
        """When the next deadline falls due, on this clock; None when there is none."""
        return self._alarms.next_due

    def catch_up(self, now: float) -> None:
        """Follow another clock: move on to `now` and queue what falls due, delivering nothing."""
        while self.ring(now):
            pass
        self._now = max(self._now, now)

    def ring(self, end: float) -> bool:
        """Move the clock to the next deadline and queue its message; false if that is after `end`."""
        due = self._alarms.next_due
        if due is None or due > end:
            return False
        alarm = self._alarms.take()
        self._now = max(self._now, due)
        alarm.address.tell(alarm.message)
        return True

    # -- the works --------------------------------------------------------------------------

    def wait_for(self, word: StepWord, timeout: float | None, who: str) -> None:
        """Deliver until `word` is answered."""
        if self.current is not None:
            self._wait_inside(word, who)
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
            self._drain_unseen(word, repeat(None))
        else:
            folds, self._folds = self._folds, False  # every message is a step
            try:
                # `queue` unfolds messages to many: folded, one round would deliver several, and exceed the limit
                self._drain_unseen(word, repeat(None, limit if self.queue else 0))
            finally:
                self._folds = folds

    def _drain_unseen(self, word: StepWord | None, times: Iterable[None]) -> None:
        """Deliver where nobody looks at each delivery: it is `step` without its overhead."""
        queue = self._items
        popleft = queue.popleft
        nobody = self._nobody
        steps = 0
        try:
            for _ in times:
                if not queue:
                    return
                address, message, reply, _ = item = popleft()
                steps += 1
                handlers = address.handlers
                if handlers is None and address is nobody:
                    addresses, message = message  # as `_to_many`: a call less at every turn
                    steps += len(addresses) - 1
                    place = message.deliver()
                    if place < 0:
                        self._call_each(iter(message.calls()), item)
                        continue
                    address = addresses[place]
                    handlers = address.handlers
                if handlers is None:
                    if reply is not None:
                        refuse(reply, address.name)  # one that has its answer keeps it
                    continue
                self.current = address
                try:
                    answer = handlers[type(message)](message)
                except BaseException as error:  # noqa: BLE001  a crash of one actor, as on threads
                    known = type(message) in handlers
                    self.failed(address.actor, error if known else no_handler(address, message), reply)
                else:
                    if reply is not None:
                        reply.set(answer)
                        if word is not None and word.answered:
                            return
        finally:
            self.current = None
            self.steps += steps

    def _call_each(self, calls: _Calls, item: _Item) -> None:
        """Deliver one after the other what is one item; whoever looks at the queue meanwhile sees the rest."""
        addresses, messages = _to_many(item)
        self._many = (calls, addresses, messages, item[3])
        for place, message in calls:
            address = addresses[place]
            handlers = address.handlers
            if handlers is None:
                continue
            self.current = address
            try:
                handlers[type(message)](message)
            except BaseException as error:  # noqa: BLE001  a crash of one actor, as on threads
                known = type(message) in handlers
                self.failed(address.actor, error if known else no_handler(address, message), None)
        self._many = None

    def _wait_inside(self, word: StepWord, who: str) -> None:
        """Deliver to the actor asked only: the others are in the middle of things."""
        asker = self.current
        assert asker is not None
        queue = self._items
        last = queue[-1] if queue else None
        if last is not None and last[2] is word:  # nearly always: what was just asked is the last message
            target: Address | None = last[0]
        else:
            target = next((item[0] for item in self.queue if item[2] is word), None)
        if target is None:
            if not word.answered:
                raise AskCycle(f"{asker.name} waits for {who} which only later messages can answer")
            return
        if target is asker or target in self._waiting:
            self._keep(lambda item: item[2] is not word)  # refused, so it must not be handled later
            chain = " -> ".join(address.name for address in (*self._waiting, asker, target))
            raise AskCycle(f"an actor would wait for itself: {chain}")
        self._waiting.append(asker)
        # the queue is looked through from the start each time: a delivery may have changed it anywhere
        try:
            while not word.answered:
                for place, item in enumerate(self._queue_of(target)):
                    if item[0] is target:
                        del queue[place]
                        self.deliver(item)
                        break
        finally:
            self._waiting.pop()
            self.current = asker  # delivering has left None there

    def _keep(self, wanted: Callable[[_Item], bool]) -> None:
        """Drop all other messages; the queue stays the same object, which addresses hold."""
        kept = [item for item in self.queue if wanted(item)]
        self.queue.clear()
        self.queue.extend(kept)

    def is_running(self, address: Address) -> bool:
        """Whether a handler of that actor is running, or waiting for another actor."""
        return address is self.current or address in self._waiting

    def forget(self, address: Address) -> list[_Item]:
        """Take the messages of an address out of the queue."""
        taken = [item for item in self._queue_of(address) if item[0] is address]
        if taken:
            self._keep(lambda item: item[0] is not address)
        return taken

    def _queue_of(self, address: Address) -> deque[_Item]:
        """Return the queue, unfolded only if messages to `address` are in folded items: those cannot do without one receiver."""
        items, nobody = self._items, self._nobody
        if self._many is not None:
            return self.queue
        for item in items:
            if item[0] is nobody and address in _to_many(item)[0]:
                return self.queue
        return items

    def take_next(self) -> _Item:
        """Take the message that comes next off the queue; which one that is a debugger decides itself."""
        if self._order is None:
            return self.queue.popleft()
        # of each sender to each receiver only the first may come next: actors rely on that order
        firsts: dict[tuple[int, int], int] = {}
        for place, item in enumerate(self.queue):
            firsts.setdefault((id(item[3]), id(item[0])), place)
        place = self._order.choice(list(firsts.values()))
        item = self.queue[place]
        del self.queue[place]
        return item

    def deliver(self, item: _Item) -> None:
        """Deliver one message; observers override it."""
        address, message, reply, _ = item
        self.steps += 1
        for observer in self.observers:
            observer(_delivery(item))
        actor = address.actor
        if actor is None:
            if reply is not None:
                refuse(reply, address.name)  # one that has its answer keeps it
            return
        self.current = address
        try:
            answer = self.handle(actor, message)
        except BaseException as error:  # noqa: BLE001 - a crash of one actor, as on threads
            known = type(message) in actor.handlers or not isinstance(error, KeyError)
            self.failed(actor, error if known else no_handler(address, message), reply)
        else:
            if reply is not None:
                reply.set(answer)
        finally:
            self.current = None

    def handle(self, actor: Actor, message: object) -> Any:
        """Let `actor` handle `message`. A fault bench overrides this to raise before or after."""
        return actor.handlers[type(message)](message)

    def failed(self, actor: Actor | None, error: BaseException, reply: Reply | None) -> None:
        """Answer a refusal; let the actor die of anything else."""
        assert actor is not None, "an address with handlers has an actor"
        if isinstance(error, KeyboardInterrupt):
            raise error
        if reply is None:
            # nobody is told by a reply: it is logged, as pykka does on threads
            actor._handle_failure(type(error), error, error.__traceback__)
            refused = isinstance(error, Refused)
        else:
            refused = isinstance(error, PokerError)
        if not refused:
            # in this order: `gone` tells the supervisor, which takes an end without a crash for a stop; who asked is
            # answered last, so that what it asks next goes to the next incarnation
            actor.crash = error
            actor.gone()
        if reply is not None:
            reply.set_exception((type(error), error, error.__traceback__))


class _StepAddress(Address):
    """An address whose messages are in the stepper's one queue."""

    __slots__ = ()

    runtime: StepRuntime

    @property
    def running_here(self) -> bool:
        return self.runtime.is_running(self)

    def tell(self, message: object) -> None:
        # a full queue must not keep an actor from being stopped
        if len(self.inbox) >= QUEUE_LIMIT and not isinstance(message, STOP):
            self.runtime.lost += 1
            return
        self.inbox.append((self, message, None, self.runtime.current))

    def put(self, message: object, reply: Reply) -> None:
        if len(self.inbox) >= QUEUE_LIMIT and not isinstance(message, STOP):
            refuse_full(reply, self.name)
            return
        self.inbox.append((self, message, reply, self.runtime.current))

    def take_all(self) -> list[tuple[object, Reply | None]]:
        return [(item[1], item[2]) for item in self.runtime.forget(self)]


def _to_many(item: _Item) -> tuple[Sequence[Address], Many]:
    many: tuple[Sequence[Address], Many] = item[1]  # what `tell_each` has put there
    return many


def _delivery(item: _Item) -> Delivery:
    address, message, reply, sender = item
    return Delivery(sender.name if sender else None, address.name, message, reply is not None)
