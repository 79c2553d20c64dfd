"""What the stepper and the loop share: one queue of messages for all actors, drained on one thread, its replies, and alarms."""

from __future__ import annotations

import heapq
import itertools
import math
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import attrs

from poker_actors.actors.runtime.actor import Actor, Address, Handlers, Runtime, no_handler
from poker_actors.actors.runtime.reply import MAILBOX_LIMIT, Reply, Who, Word, who_text
from poker_actors.errors import AskCycle, BadSpec, PokerError

QUEUE_LIMIT: Final = 100 * MAILBOX_LIMIT
"""Limit of the one queue of all actors; counting each actor's messages would cost more than delivering them."""

Awaits = Callable[[Coroutine[Any, Any, Any], Callable[[Any], None]], None]
"""Starts a coroutine, and calls back with the finished task."""

Item = tuple[Address, Any, Reply | None, Address | None]
"""A message on its way: receiver, message, reply, sender (None for outside)."""


@attrs.frozen
class Pending:
    """A message to be delivered later: when (seconds on the runtime's clock), to whom, and what."""

    due: float
    receiver: str
    message: object


_FEW: Final = 64
"""With so few entries, removing the cancelled ones is not worthwhile."""


class Alarm:
    """A message to `address` at a set time; a cancelled one is never delivered."""

    __slots__ = ("_alarms", "address", "due", "message", "over")

    def __init__(self, alarms: Alarms, due: float, address: Address, message: object) -> None:
        self._alarms = alarms
        self.due = due
        self.address = address
        self.message = message
        self.over = False
        """taken or cancelled"""

    def cancel(self) -> None:
        """Never deliver it, unless it has been taken already."""
        self._alarms.cancel(self)


class Alarms:
    """Alarms by time, in seconds. Every turn sets one and cancels it; cancelled ones do not pile up."""

    def __init__(self) -> None:
        self.lock: Final = threading.RLock()
        self._due: list[tuple[float, int, Alarm]] = []
        self._count = itertools.count()
        self._cancelled = 0

    def add(self, due: float, address: Address, message: object) -> Alarm:
        """Set an alarm for the time `due`; alarms of the same time ring in the order set."""
        if not math.isfinite(due):
            # infinity would never come, and NaN has no order: in the heap it would block all others
            raise BadSpec(f"a message cannot be delivered at {due} s")
        alarm = Alarm(self, due, address, message)
        with self.lock:
            heapq.heappush(self._due, (due, next(self._count), alarm))
        return alarm

    @property
    def next_due(self) -> float | None:
        """When the first alarm falls due; None if there is none."""
        with self.lock:
            while self._due and self._due[0][2].over:
                heapq.heappop(self._due)
                self._cancelled -= 1
            return self._due[0][0] if self._due else None

    def take(self, end: float = math.inf) -> Alarm | None:
        """Take the first alarm, if it falls due by `end`; None if there is none."""
        with self.lock:
            due = self.next_due
            if due is None or due > end:
                return None
            alarm = heapq.heappop(self._due)[2]
            alarm.over = True
            return alarm

    def cancel(self, alarm: Alarm) -> None:
        """Cancel an alarm; remove the cancelled ones once they are more than half."""
        with self.lock:
            if alarm.over:
                return
            alarm.over = True
            self._cancelled += 1
            if self._cancelled * 2 > len(self._due) > _FEW:
                self._due = [entry for entry in self._due if not entry[2].over]
                heapq.heapify(self._due)
                self._cancelled = 0

    def drop_closed(self) -> None:
        """Drop the alarms of closed addresses."""
        with self.lock:
            self._due = [entry for entry in self._due if not (entry[2].over or entry[2].address.closed)]
            heapq.heapify(self._due)
            self._cancelled = 0

    def clear(self) -> None:
        """Drop all alarms."""
        with self.lock:
            self._due.clear()
            self._cancelled = 0

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The alarms neither taken nor cancelled, the first due first."""
        with self.lock:
            kept = sorted(entry for entry in self._due if not entry[2].over)
        return tuple(Pending(due, alarm.address.name, alarm.message) for due, _, alarm in kept)

    def __len__(self) -> int:
        return len(self._due)


class QueueRuntime(Runtime):
    """The queue, the actors whose handlers run, and the alarms. Only the thread that drains it touches the queue."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self.current: Address | None = None
        """The actor whose handler is running."""
        self._waiting: list[Address] = []
        """Actors whose handlers wait for another's answer, outermost first."""
        self._alarms = Alarms()
        self._fanout = FanOut(self)
        self.folds = True
        """Whether messages to many may be one item, as far as nobody observes single deliveries."""
        self.observers: list[Callable[[Any], None]] = []
        """Called by a stepper before each delivery; an empty list costs one truth test."""
        self.lost = 0
        """Messages dropped because the queue was full."""
        self.steps = 0
        """Messages delivered so far."""
        self.awaits: Awaits | None = None
        """Runs a coroutine on the event loop that drains this runtime; None if none does."""

    @property
    def timers(self) -> tuple[Pending, ...]:
        """Messages to be delivered later, the first due first."""
        return self._alarms.pending

    @property
    def next_deadline(self) -> float | None:
        """When the next deadline falls due on this clock; None if there is none."""
        return self._alarms.next_due

    def tell_each(
        self, addresses: Sequence[Address], messages: Sequence[object], sender: Address | None = None
    ) -> None:
        """Queue the messages in a row."""
        if self.folds and isinstance(messages, Many) and not self.observers:
            self._fanout.queued = True
            self._items.append((self._fanout, (addresses, messages, sender or self.current), None, None))
        else:
            self._items.extend(zip(addresses, messages, repeat(None), repeat(sender or self.current)))

    def begin(self, actor: Actor) -> None:
        """Run the actor's `begin` on this thread."""
        before = self.current  # a handler may start an actor, and continues afterwards
        self.current = actor.address
        try:
            self._start(actor)
        finally:
            self.current = before

    def _start(self, actor: Actor) -> None:
        try:
            actor.on_start()
        except Exception as error:  # noqa: BLE001 - as on threads, the starter of an actor is not told
            self.failed(actor, error, None)

    def stopped(self, actor: Actor) -> None:
        """Release a stopped actor."""
        actor.gone()

    def is_running(self, address: Address) -> bool:
        """Whether a handler of the actor is running, or waiting for another actor."""
        return address is self.current or address in self._waiting

    def apart(self, item: Item) -> Handlers | None:
        """Decide what becomes of a message whose receiver shows no handlers; return handlers to call here, or None."""
        raise NotImplementedError

    def drain(self, times: Iterable[None], word: Word | None = None) -> None:
        """Deliver once for each of `times`, until the queue is empty or `word` is answered."""
        queue, fanout, steps = self._items, self._fanout, 0
        popleft = queue.popleft
        try:
            for _ in times:
                if not queue:
                    return
                address, message, reply, sender = queue[0]
                steps += 1
                if address is fanout:
                    addresses, messages, sender = message
                    calls = messages.calls()
                    if len(calls) != 1:  # seldom: nearly always only the player to act is called
                        steps += fanout.spread(addresses, calls, sender)
                        continue
                    steps += len(addresses) - 1
                    ((place, message),) = calls
                    address = addresses[place]
                handlers = address.handlers
                if handlers is None:
                    handlers = self.apart((address, message, reply, sender))
                    if handlers is None:
                        popleft()
                        continue
                self.current = address
                try:
                    popleft()  # here: an interrupt must not lose a message whose actor knows nothing of it
                    answer = handlers[type(message)](message)
                except BaseException as error:  # noqa: BLE001  a crash of one actor, as on threads
                    self._failed_at(address.actor, handlers, message, error, reply)
                else:
                    if reply is not None:
                        reply.set(answer)
                        if word is not None and word.answered:
                            return
        finally:
            self.current = None
            self.steps += steps

    def handle(self, actor: Actor, message: object) -> Any:
        """Let `actor` handle `message`. Tests override it to raise before or after."""
        return actor.handlers[type(message)](message)

    def _let_handle(self, actor: Actor, message: object, reply: Reply | None) -> None:
        """Let `actor` handle `message`, and answer with what it returns or refuses."""
        handlers = actor.handlers  # read first: an actor that ends loses its handlers
        try:
            answer = self.handle(actor, message)
        except BaseException as error:  # noqa: BLE001  a crash of one actor, as on threads
            self._failed_at(actor, handlers, message, error, reply)
        else:
            if reply is not None:
                reply.set(answer)

    def _failed_at(
        self,
        actor: Actor | None,
        handlers: Handlers,
        message: object,
        error: BaseException,
        reply: Reply | None,
    ) -> None:
        if type(message) not in handlers:
            assert actor is not None, "its handlers were read just now"
            error = no_handler(actor.address, message)
        self.failed(actor, error, reply)

    @property
    def queue(self) -> deque[Item]:
        """The messages on their way, one item each; always the same object, as addresses hold it."""
        self._fanout.unfold()
        return self._items

    def _keep(self, wanted: Callable[[Item], bool]) -> None:
        """Drop all messages except the wanted ones."""
        kept = [item for item in self.queue if wanted(item)]
        self.queue.clear()
        self.queue.extend(kept)

    def wait_in_handler(self, word: Word, who: Who, more: Callable[[str], None]) -> None:
        """Deliver only to the actor asked until `word` is answered: others may be in the middle of a handler.

        `more`, given what is wrong, is called when nothing is left to deliver to it: it waits for more, or raises.
        """
        asker, target = self.current, word.target
        assert asker is not None
        if target is None:
            raise AskCycle(_only_later(asker, who))
        if self.is_running(target):
            self._keep(lambda item: item[2] is not word)
            chain = " -> ".join(one.name for one in (*self._waiting, asker, target))
            raise AskCycle(f"an actor would wait for itself: {chain}")
        self._waiting.append(asker)
        try:
            while not word.answered:
                item = self._take_for(target)
                if item is None:
                    more(_only_later(asker, who))
                else:
                    self.deliver(item)
        finally:
            self._waiting.pop()
            self.current = asker  # `deliver` has set it to None

    def _take_for(self, address: Address) -> Item | None:
        """Take the first message to an address out of the queue; search from the start, as any delivery changes it."""
        queue = self._queue_of(address)
        for place, item in enumerate(queue):
            if item[0] is address:
                del queue[place]
                return item
        return None

    def _queue_of(self, address: Address) -> deque[Item]:
        """Return the queue, in which each message to `address` is an item of its own."""
        return self.queue if self._fanout.hides(address) else self._items

    def deliver(self, item: Item) -> None:
        """Deliver one message."""
        self._items.appendleft(item)
        self.drain(repeat(None, 1))

    def failed(self, actor: Actor | None, error: BaseException, reply: Reply | None) -> None:
        """Answer a refusal; let any other error end the actor."""
        assert actor is not None, "an address with handlers has an actor"
        if reply is None:
            # no reply to raise it to: logged, as pykka does on threads
            refused = actor.refuses(error)  # before it is noted as a crash
            actor._handle_failure(type(error), error, error.__traceback__)
        else:
            refused = isinstance(error, PokerError)
        if not refused:
            # In this order: `gone` tells the supervisor, which takes an end without `crash` for a stop. The asker is
            # answered last, so that its next question reaches the next incarnation.
            actor.crash = error
            actor.gone()
        if reply is not None:
            reply.set_exception((type(error), error, error.__traceback__))


class StepFlag:
    """The part of `threading.Event` that a single thread needs."""

    __slots__ = ("_set",)

    def __init__(self) -> None:
        self._set = False

    def set(self) -> None:
        """Set the flag."""
        self._set = True

    def is_set(self) -> bool:
        """Whether the flag is set."""
        return self._set


def _only_later(asker: Address, who: Who) -> str:
    return f"{asker.name} waits for {who_text(who)}, which only later messages can answer"


# -- messages to many receivers: one item of the queue, in a third of the time of one item each ----
#
# Nobody can tell the two apart. A look at the queue finds a message for each receiver, and as many steps are counted.

if TYPE_CHECKING:
    _Messages = Sequence[Any]
else:
    _Messages = object  # `isinstance` on an abstract base would take as long as a delivery


class Many(_Messages):
    """Messages to many receivers, each made only when it is looked at: one item of a queue.

    Receivers need handlers for whatever `calls` returns.
    """

    __slots__ = ()

    def calls(self) -> _Calls:
        """Note the delivery; return the calls to make, in order: each receiver's index and message."""
        raise NotImplementedError

    def all(self) -> Sequence[Any]:
        """Return every message, made now if it was not looked at before."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.all())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.all())

    def __getitem__(self, place: Any) -> Any:
        return self.all()[place]


_Told = tuple[Sequence[Address], Many, Address | None]
"""Receivers, messages, and sender."""

_Calls = Sequence[tuple[int, object]]
"""Index of a receiver, and the message that it is called with."""


class FanOut(Address):
    """The receiver of items for many; it puts the messages to be delivered in their place."""

    __slots__ = ("queued",)

    runtime: QueueRuntime

    def __init__(self, runtime: QueueRuntime) -> None:
        super().__init__("many", runtime, runtime._items)
        self.queued = False
        """Whether the queue may hold such an item."""

    def spread(self, addresses: Sequence[Address], calls: _Calls, sender: Address | None) -> int:
        """Replace the item at the front with a message to each receiver to call.

        Return the number of the others: a message to each of them is a step that ends here.
        """
        queue = self.inbox
        queue.popleft()
        for place, message in reversed(calls):
            queue.appendleft((addresses[place], message, None, sender))
        return len(addresses) - len(calls) - 1  # the item itself is counted already

    def unfold(self) -> None:
        """Replace each item for many with a message for each receiver."""
        if self.queued:
            self.queued, queue = False, self.inbox
            kept = [one for item in queue for one in (_each(item[1]) if item[0] is self else (item,))]
            queue.clear()
            queue.extend(kept)

    def hides(self, address: Address) -> bool:
        """Whether an item for many may hide messages to `address`, which then cannot be taken singly."""
        if self.queued:
            for item in self.inbox:  # no generator: it takes as long as all that it finds
                if item[0] is self and address in item[1][0]:
                    return True
        return False


def _each(told: _Told) -> Iterator[Item]:
    addresses, messages, sender = told
    return zip(addresses, messages, repeat(None), repeat(sender))
