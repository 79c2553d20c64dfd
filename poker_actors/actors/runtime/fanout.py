"""What is told to many: on a stepper one item of its queue, in a third of the time of one each.

Nobody can tell the two apart. Whoever looks at the queue finds a message for each receiver, and as many steps are counted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, Protocol

from poker_actors.actors.runtime.actor import Actor, Address, Runtime, no_handler
from poker_actors.actors.runtime.queued import Item
from poker_actors.actors.runtime.reply import Reply

__all__ = ["FanOut", "Many"]

if TYPE_CHECKING:
    _Messages = Sequence[Any]
else:
    _Messages = object  # `isinstance` on an abstract base would take as long as a delivery


class Many(_Messages):
    """Messages to many receivers, each made only when it is looked at.

    Receivers need handlers for whatever `calls` returns.
    """

    __slots__ = ()

    def calls(self) -> Iterable[tuple[int, object]]:
        """Note the delivery; return whom to call, in order: each one's place and message."""
        raise NotImplementedError


class _Stepper(Runtime, Protocol):
    """What a fan-out needs of its runtime."""

    steps: int
    current: Address | None

    def failed(self, actor: Actor | None, error: BaseException, reply: Reply | None) -> None:
        """Answer a refusal; let any other error end the actor."""


_Told = tuple[Sequence[Address], Many, Address | None]
"""Receivers, messages, and in whose name."""


class FanOut(Address):
    """The receiver of items for many; its handler calls theirs in turn."""

    __slots__ = ("_calls", "_queued", "_told", "folds")

    runtime: _Stepper

    def __init__(self, runtime: _Stepper, *, folds: bool) -> None:
        super().__init__("many", runtime, None)
        self.handlers = {tuple: self._deliver}
        self.folds = folds
        """Whether messages to many may be one item: only if nobody looks at single deliveries."""
        self._queued = False
        """Whether the queue may hold such an item."""
        self._told: _Told | None = None
        """What is being delivered."""
        self._calls: Iterator[tuple[int, object]] = iter(())
        """The calls of that still to come."""

    def fold(self, told: _Told) -> Item:
        """Return the item of the queue for all these messages."""
        self._queued = True
        return self, told, None, None

    def _deliver(self, told: _Told) -> None:
        """Call the receivers that want it; a handler that looks at the queue meanwhile finds the rest there."""
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
        """Put a message for each receiver into the queue, in place of items for many and of calls still to come."""
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
        """Whether messages to `address` may be hidden in items for many, out of which none can be taken."""
        return self._told is not None or any(item[0] is self and address in item[1][0] for item in queue)


def _each(told: _Told) -> Iterator[Item]:
    addresses, messages, sender = told
    return zip(addresses, messages, repeat(None), repeat(sender))
