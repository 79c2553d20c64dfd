"""The debugger's stepping runtime: it records deliveries, and lets the caller choose the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from poker_actors.actors import StepRuntime, messages, runtime
from poker_actors.actors.hearing import Hearing, hear
from poker_actors.debug.session.intervention import Harm
from poker_actors.debug.session.observed import Observed
from poker_actors.errors import BadSpec
from poker_actors.rules import Action

__all__ = ["DebugRuntime", "Listener"]

_STOP: Final = type(runtime.stop_message())


class Listener(Hearing, Protocol):
    """A listener to everything said in a room, such as a `poker_actors.testing.Witness`."""

    @property
    def verdicts(self) -> Sequence[object]:
        """The violations found so far."""

    def rest(self) -> None:
        """Note that no message is pending."""


class DebugRuntime(StepRuntime):
    """Delivers the chosen message, and records what each step delivered.

    `record` is off while a room is set up. `place` is the index of the next message in the queue.
    """

    def __init__(self, witness: Listener | None = None) -> None:
        super().__init__()
        self.witness = witness
        if witness is not None:
            witness.clock = self.now
        self.record = False
        self.place = 0
        self.observed = Observed()
        self.override: Action | None = None
        """Replaces the next action that arrives at a hand, if set."""
        self.known: list[runtime.Address] = []

    def address(self, name: str) -> runtime.Address:
        """Make an address, and add it to the known ones."""
        address = super().address(name)
        self.known = [one for one in self.known if not one.closed]
        self.known.append(address)
        return address

    def bring(self, address: runtime.Address, message: object, sender: runtime.Address | None) -> None:
        """Send a message that comes next, as from `sender`, or from outside if None.

        A command from outside needs somewhere to answer: it gets a reply that is never read.
        """
        asks = sender is None and isinstance(message, messages.Command)
        before, self.current = self.current, sender
        try:
            if asks:
                address.ask_into(message, self.word())
            else:
                address.tell(message)
        finally:
            self.current = before
        # to the front: outside stands for many senders, so order among their messages need not be kept
        self.queue.rotate(1)

    def choose(self, place: int) -> None:
        """Make the message at `place` the next one; raise `BadSpec` when an earlier one must come first."""
        if place not in self.choices:
            choices = ", ".join(map(str, self.choices)) or "none"
            raise BadSpec(f"message {place} cannot come next: it may be {choices}")
        self.place = place

    def harm(self, place: int, harm: Harm) -> tuple[Any, Any] | None:
        """Lose, double or hold back the message at `place`; raise `BadSpec` where there is none.

        Return the item doubled and its double.
        """
        queue = self.queue
        if not 0 <= place < len(queue):
            raise BadSpec(
                f"message {place} is not on its way: they are {f'0 to {len(queue) - 1}' if queue else 'none'}"
            )
        item = queue[place]
        if harm == "drop":
            del queue[place]
        elif harm == "duplicate":
            twin = (*item[:2], None, item[3])  # only the first is answered
            queue.insert(place + 1, twin)
            return item, twin
        else:
            # those behind it from the same sender to the same receiver, too: a mailbox keeps their order
            held = [one for one in [*queue][place:] if one[0] is item[0] and one[3] is item[3]]
            rest = [one for number, one in enumerate(queue) if number < place or one not in held]
            queue.clear()
            queue.extend([*rest, *held])
        self.place = 0
        return None

    def take_next(self) -> Any:
        """Take the chosen message off the queue; the choice goes back to the first."""
        place, self.place = self.place, 0
        item = self.queue[place]
        del self.queue[place]
        return item

    def deliver(self, item: Any) -> None:
        """Deliver an item, and note its outcome."""
        if not self.record:
            super().deliver(item)
            return
        address, message, reply, sender = item
        if self.override is not None and type(message) is messages.Act:
            message = messages.Act(message.turn, self.override)
            self.override = None
        self.observed.deliver((address, message, reply, sender), super().deliver)

    def handle(self, actor: runtime.Actor, message: object) -> Any:
        """Let an actor handle a message, and note the outcome."""
        if not self.record:
            return self._heard(actor, message)
        return self.observed.handle(actor, message, self._heard)

    def _heard(self, actor: runtime.Actor, message: object) -> Any:
        handle = super().handle
        if self.witness is None or type(message) is _STOP:
            return handle(actor, message)
        look = actor.handlers.get(messages.GetState)
        return hear(self.witness, actor.address.name, message, lambda: handle(actor, message), look)

    def failed(self, actor: Any, error: BaseException, reply: Any) -> None:
        """Note a refusal or a crash, then let the runtime deal with it."""
        self.observed.failed(actor, error, reply, super().failed)

    def later(self, seconds: float, address: runtime.Address, message: object) -> runtime.Timer:
        """Set a timer, and record it."""
        alarm = super().later(seconds, address, message)
        timer: runtime.Timer = self.observed.later(seconds, address, message, self.now(), alarm)
        return timer
