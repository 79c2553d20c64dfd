"""A stepping runtime on which things go wrong: crashes, lost, doubled, late and reordered messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import attrs

from poker_actors.actors import StepRuntime
from poker_actors.actors.player.actor import PlayerActor
from poker_actors.actors.player.messages import Act, HandState
from poker_actors.actors.runtime import Actor, Address, Reply
from poker_actors.actors.table.actor import TableActor
from poker_actors.testing.chaos.checks import Violation

__all__ = ["ChaosRuntime", "Fault", "FaultRates", "ProcessDied", "Stopped"]

_LATE_STEPS = 40
"""Deliveries after which a delayed message turns up: often in the middle of the next hand."""
_REST_STEPS = 20_000
"""Deliveries in which a room without faults comes to rest: a hand of eight takes some 400."""


class ProcessDied(BaseException):
    """The whole room is gone but for its journal; nothing may catch this but the bench."""


class Stopped(KeyboardInterrupt):
    """A promise is broken and somebody looks on: no actor's crash, so the runtime lets it through."""


class Fault(Exception):
    """A crash that the bench has caused."""


@attrs.frozen
class FaultRates:
    """How often, as a share of deliveries (crashes) or of players' actions (the rest)."""

    crash_player: float = 0.005
    """the handler raises, half of the time before its work and half after it"""
    crash: float = 0.03
    """the same in bank, table and hand, which handle fewer messages"""
    crash_beginning: float = 0.05
    """an actor that is started again crashes at once, while it recovers"""
    drop: float = 0.015
    double: float = 0.01
    delay: float = 0.01
    stall: float = 0.002
    """a player stops handling anything for a while"""
    die: float = 0.0005
    """a room with a journal loses everything else, as if killed"""
    die_writing: float = 0.005
    """the same, as a share of records, between the write and what follows from it"""
    disk_full: float = 0.005
    """a record that cannot be written"""


class ChaosRuntime(StepRuntime):
    """Delivers in a seeded order and does harm by `luck` until it is told to be `quiet`.

    `after_delivery` is called after each delivery; `what_happened` counts the harm done.
    """

    def __init__(self, luck: Random, rates: FaultRates, *, reorder: bool = True) -> None:
        super().__init__(order=luck if reorder else None)
        self.luck = luck
        self.rates = rates
        self.quiet = True
        self.what_happened: Counter[str] = Counter()
        self.after_delivery: Callable[[Actor, object], None] | None = None
        self.broken: Violation | None = None
        self.at_once = False
        """Whether to stop at the message that breaks a promise, instead of where it would be noticed."""
        self.mortal = False
        """Whether the room has a journal to come back from."""
        self.died = False
        self.muted: set[Address] = set()
        """Players none of whose actions arrive."""
        self._late: list[tuple[int, Address, object]] = []
        self._stalled: dict[Address, int] = {}

    # -- crashes ----------------------------------------------------------------------------

    def handle(self, actor: Actor, message: object) -> Any:
        """Handle, unless the actor crashes on it."""
        rate = self.rates.crash_player if isinstance(actor, PlayerActor) else self.rates.crash
        crash = not self.quiet and self.luck.random() < rate
        if crash and self.luck.random() < 0.5:
            self._crash(actor, message)
        try:
            answer = super().handle(actor, message)
        except ProcessDied:
            self.died = True
            raise
        if self.after_delivery is not None and self.broken is None:
            try:
                self.after_delivery(actor, message)
            except Violation as broken:
                self.broken = broken  # raised here it would pass for one more crash of the actor
                if self.at_once:
                    raise Stopped(str(broken)) from broken
        if crash:
            self._crash(actor, message)
        return answer

    def _crash(self, actor: Actor, message: object) -> None:
        kind = type(actor).__name__.removesuffix("Actor").lower()
        self.what_happened[f"crash {kind}"] += 1
        self.what_happened[f"crash {kind} {type(message).__name__}"] += 1
        if isinstance(actor, TableActor) and actor.memory.state.hand_id is not None:
            self.what_happened["crash table in hand"] += 1
        if isinstance(actor, TableActor) and actor.memory.state.waiting:
            self.what_happened["crash table with a line"] += 1
        if kind == "hand":
            street = actor.hand.phase if hasattr(actor, "hand") else "deal"
            self.what_happened[f"crash hand on {street}"] += 1
        raise Fault(f"{actor.address.name} on {type(message).__name__}")

    def start_loop(self, actor: Actor) -> None:
        """Begin, unless the actor crashes while it takes up its work."""
        if not self.quiet and self.luck.random() < self.rates.crash_beginning:
            self.what_happened["crash while beginning"] += 1
            self._failed(actor, Fault(f"{actor.address.name} at its beginning"), None)
            return
        super().start_loop(actor)

    # -- messages ---------------------------------------------------------------------------

    def _deliver(self, item: tuple[Address, object, Reply | None, Address | None]) -> None:
        address, message, reply, sender = item
        self._bring_late()
        if type(message) is Act and sender in self.muted:
            self.what_happened["drop"] += 1
            self.steps += 1
            return
        if reply is None and self._stalled.get(address, 0) > self.steps:
            self._late.append((self._stalled[address], address, message))
            self.steps += 1
            return
        if not self.quiet and type(message) is Act and reply is None:
            if self._harm(address, message):
                return
        elif not self.quiet and type(message) is HandState and self.luck.random() < self.rates.stall:
            self.what_happened["stall"] += 1
            self._stalled[address] = self.steps + 4 * _LATE_STEPS
        super()._deliver(item)
        if self.broken is not None:
            raise self.broken
        if self.mortal and not self.quiet and self.luck.random() < self.rates.die:
            self.what_happened["died between messages"] += 1
            self.died = True
        if self.died:
            raise ProcessDied

    def _harm(self, address: Address, message: object) -> bool:
        """Drop, double or delay a player's action; tells whether it is gone for now."""
        roll = self.luck.random()
        rates = self.rates
        if roll < rates.drop:
            self.what_happened["drop"] += 1
            self.steps += 1
            return True
        if roll < rates.drop + rates.double:
            self.what_happened["double"] += 1
            address.tell(message)
        elif roll < rates.drop + rates.double + rates.delay:
            self.what_happened["delay"] += 1
            self._late.append((self.steps + _LATE_STEPS, address, message))
            self.steps += 1
            return True
        return False

    def _bring_late(self) -> None:
        while self._late and (self._late[0][0] <= self.steps or not self._queue):
            _, address, message = self._late.pop(0)
            address.tell(message)

    def settle(self) -> None:
        """Do no more harm, and let everything arrive that is on its way."""
        self.quiet = True
        self._stalled.clear()
        end = self.steps + _REST_STEPS
        self.run(limit=_REST_STEPS)
        while (self._late or self.waiting) and self.steps < end:
            self._bring_late()
            self.run(limit=_REST_STEPS)
        if self.steps >= end:
            raise Violation(f"the room does not come to rest within {_REST_STEPS} messages")
