"""The stepping runtime as the debugger needs it: it keeps what happened, and lets somebody choose."""

from __future__ import annotations

from typing import Any

import attrs

from poker_actors.actors import Delivery, StepRuntime, messages, runtime
from poker_actors.errors import BadSpec, PokerError
from poker_actors.rules import Action

__all__ = ["DebugRuntime", "Handled"]


@attrs.frozen
class Handled:
    """One delivery, and what came of it.

    `depth` is 0 for a step's own message and more for what is asked while it is handled: those are
    answered before the step ends. `outcome` is "", "refused: CODE", "crashed: ERROR" or "lost".
    """

    delivery: Delivery
    depth: int
    outcome: str


class DebugRuntime(StepRuntime):
    """Delivers the message that is chosen, and records what each step delivered.

    `record` is off while a room is set up. `place` is the message that comes next.
    """

    def __init__(self) -> None:
        super().__init__()
        self.record = False
        self.place = 0
        self.handled: list[Handled] = []
        self.override: Action | None = None
        """Taken instead of the next action that arrives."""
        self.known: list[runtime.Address] = []
        self._depth = 0
        self._outcome = ""

    def address(self, name: str) -> runtime.Address:
        """Make an address and remember it."""
        address = super().address(name)
        self.known = [one for one in self.known if not one.closed]
        self.known.append(address)
        return address

    @property
    def choices(self) -> list[int]:
        """Places of the messages that may come next: the first of each sender to each receiver."""
        firsts: dict[tuple[int, int], int] = {}
        for place, item in enumerate(self._queue):
            firsts.setdefault((id(item[3]), id(item[0])), place)
        return list(firsts.values())

    def choose(self, place: int) -> None:
        """Let the message at `place` come next; raises `BadSpec` when an earlier one must come first."""
        if place not in self.choices:
            choices = ", ".join(map(str, self.choices)) or "none"
            raise BadSpec(f"message {place} cannot come next: it may be {choices}")
        self.place = place

    def _next(self) -> Any:
        place, self.place = self.place, 0
        item = self._queue[place]
        del self._queue[place]
        return item

    def _deliver(self, item: Any) -> None:
        if not self.record:
            super()._deliver(item)
            return
        address, message, reply, sender = item
        if self.override is not None and type(message) is messages.Act:
            message = messages.Act(message.turn, self.override)
            self.override = None
        kept = message
        if type(message) is messages.Deal and message.deck is not None:
            kept = messages.Deal(message.deck.copy())  # the hand draws from the deck that travels
        delivery = Delivery(sender.name if sender else None, address.name, kept, reply is not None)
        place = len(self.handled)
        self.handled.append(Handled(delivery, self._depth, ""))
        before, self._outcome = self._outcome, "lost" if address.actor is None else ""
        self._depth += 1
        try:
            super()._deliver((address, message, reply, sender))
        finally:
            self._depth -= 1
            if self._outcome:
                self.handled[place] = Handled(delivery, self._depth, self._outcome)
            self._outcome = before

    def handle(self, actor: runtime.Actor, message: object) -> Any:
        """Handle, and note how it went."""
        try:
            answer = super().handle(actor, message)
        except BaseException as error:
            if isinstance(error, PokerError):
                self._outcome = f"refused: {error.code}"
            else:
                self._outcome = f"crashed: {type(error).__name__}"
            raise
        if isinstance(answer, PokerError):
            self._outcome = f"refused: {answer.code}"
        return answer
