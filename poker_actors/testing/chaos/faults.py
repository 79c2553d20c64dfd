"""The faults that the bench injects on both runtimes: crashes, lost, doubled and late messages, stalls."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import attrs

from poker_actors.actors.messages import Act, Deadline, HandState, Turn
from poker_actors.actors.runtime import Actor, Address, Reply, Timer, Word
from poker_actors.testing.witness import BrokenPromise, Handler, HeardStepper, HeardThreads, Verdict, Witness

__all__ = ["ChaosStepper", "ChaosThreads", "Fault", "FaultRates", "Harm", "ProcessDied", "Stopped"]

_LATE_STEPS: Final = 40
"""Deliveries after which a delayed message turns up: often in the middle of the next hand."""
_REST_STEPS: Final = 20_000
"""Deliveries in which a room without faults comes to rest: a hand of eight takes some 400."""
_LATE_SECONDS: Final = 2.0
"""What a delayed message waits on threads: a fifth of a turn."""
_Item = tuple[Address, object, Reply | None, Address | None]
"""Receiver, message, where the answer goes, sender."""
PACE: Final = 0.005
"""Real seconds in one second of a bench on threads: its deadlines of 10 seconds are 50 ms."""


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
    """the handler raises: before its work, in it, or after it"""
    crash: float = 0.03
    """the same in bank, table and hand, which handle fewer messages"""
    within: float = 0.33
    """share of those crashes that come in the middle of a handler, before it sends, asks or starts something"""
    crash_beginning: float = 0.05
    """an actor that is started again crashes at once, while it recovers"""
    drop: float = 0.015
    double: float = 0.01
    delay: float = 0.01
    stall: float = 0.002
    """a player stops handling anything for a while"""
    late_deadline: float = 0.2
    """a deadline rings although the turn is over, as a share of turns"""
    die: float = 0.0005
    """a room with a journal loses everything else, as if killed"""
    die_writing: float = 0.005
    """the same, as a share of records, between the write and what follows from it"""
    disk_full: float = 0.005
    """a record that cannot be written"""


class Harm:
    """Does harm by `luck` until it is told to be `quiet`; `what_happened` counts it.

    It knows the actors by their names, and messages by their types.
    """

    def __init__(self, luck: Random, rates: FaultRates, what_happened: Counter[str]) -> None:
        self.luck = luck
        self.rates = rates
        self.what_happened = what_happened
        self.quiet = True
        self.mortal = False
        """Whether the room has a journal to come back from."""
        self.died = False
        self.muted: set[int] = set()
        """Seats none of whose actions arrive."""
        self.situation: Callable[[str], str] = lambda kind: ""
        """What a crash of this kind of actor comes in the middle of, to be counted; empty for nothing."""
        self.notice: Callable[[str, object], None] = lambda who, message: None
        """Called with everything that players are told."""
        self._within = threading.local()

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Have a message handled, unless the actor crashes: before its work, in it, or after it."""
        name = actor.address.name
        player = name.startswith("player ")
        if player:
            self.notice(name, message)
        rate = self.rates.crash_player if player else self.rates.crash
        if self.quiet or self.luck.random() >= rate:
            return self._or_die(handler, message)
        roll = self.luck.random()
        when = (
            "within"
            if roll < self.rates.within
            else "before"
            if roll < (1 + self.rates.within) / 2
            else "after"
        )
        if when == "before":
            self._crash(name, message)
        if when == "within":
            self._within.left = self.luck.randrange(3)
            self._within.who = name, message
        try:
            answer = self._or_die(handler, message)
        finally:
            self._within.left = None
        if when == "after":
            self._crash(name, message)
        return answer

    def _or_die(self, handler: Handler, message: object) -> Any:
        try:
            return handler(message)
        except ProcessDied:
            self.died = True
            raise

    def within(self) -> None:
        """Crash here, in the middle of a handler, if it is its turn to crash: it sends, asks or starts something."""
        left = getattr(self._within, "left", None)
        if left is None:
            return
        self._within.left = left - 1
        if not left:
            self._within.left = None
            self.what_happened["crash in handler"] += 1
            self._crash(*self._within.who)

    def _crash(self, name: str, message: object) -> None:
        kind = kind_of(name)
        self.what_happened[f"crash {kind}"] += 1
        self.what_happened[f"crash {kind} {type(message).__name__}"] += 1
        amid = self.situation(kind)
        if amid:
            self.what_happened[f"crash {kind} {amid}"] += 1
        raise Fault(f"{name} on {type(message).__name__}")

    def crashes_beginning(self) -> bool:
        """Whether the actor that starts now crashes at once."""
        crashes = not self.quiet and self.luck.random() < self.rates.crash_beginning
        self.what_happened["crash while beginning"] += crashes
        return crashes

    def rings_late(self, message: object) -> bool:
        """Whether a deadline is to ring although its turn is over."""
        late = type(message) is Deadline and not self.quiet and self.luck.random() < self.rates.late_deadline
        self.what_happened["late deadline"] += late
        return late

    def becomes_of(self, message: object) -> str:
        """Say what becomes of an action on its way: empty, `drop`, `double` or `delay`."""
        if type(message) is not Act:
            return ""
        if message.turn.seat in self.muted:
            return self._counted("drop")
        roll, rates = self.luck.random(), self.rates
        if self.quiet or roll >= rates.drop + rates.double + rates.delay:
            return ""
        if roll < rates.drop:
            return self._counted("drop")
        return self._counted("double" if roll < rates.drop + rates.double else "delay")

    def stalls(self, message: object) -> bool:
        """Whether a player who is told of a change stops handling anything for a while."""
        stalls = type(message) is HandState and not self.quiet and self.luck.random() < self.rates.stall
        self.what_happened["stall"] += stalls
        return stalls

    def dies(self) -> bool:
        """Whether the process dies between this message and the next."""
        if self.mortal and not self.quiet and self.luck.random() < self.rates.die:
            self.what_happened["died between messages"] += 1
            self.died = True
        return self.died

    def _counted(self, what: str) -> str:
        self.what_happened[what] += 1
        return what


def kind_of(name: str) -> str:
    """Say what kind of actor has this name: `bank`, `table`, `player` or `hand`."""
    first = name.split(" ", 1)[0]
    return first if first in ("bank", "table", "player") else "hand"


class ChaosStepper(HeardStepper):
    """Delivers in a seeded order, with `harm`; raises `BrokenPromise` after the delivery that breaks one."""

    def __init__(self, witness: Witness, harm: Harm, *, reorder: bool = True) -> None:
        super().__init__(witness, harm.luck if reorder else None)
        self.harm = harm
        self.at_once = False
        """Whether somebody looks on, and the run stops without another message."""
        self._late: list[tuple[int, Address, object]] = []
        self._overdue: dict[Turn, tuple[Address, object]] = {}
        """what comes right after the deadline of its turn"""
        self._stalled: dict[Address, int] = {}
        """who handles nothing until this step"""
        self._held: list[_Item] = []
        """what the stalled were told meanwhile, in order"""

    # -- where the harm is done -----------------------------------------------------------------

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Have a message handled, or crash."""
        return self.harm.carry_out(actor, handler, message)

    def start_loop(self, actor: Actor) -> None:
        """Begin, unless the actor crashes while it takes up its work."""
        if kind_of(actor.address.name) == "hand":
            self.harm.within()  # its table starts it; anybody else is started again by the supervisor
        if self.harm.crashes_beginning():
            self.failed(actor, Fault(f"{actor.address.name} at its beginning"), None)
            return
        super().start_loop(actor)

    def tell_each(self, addresses: Sequence[Address], messages: Sequence[object]) -> None:
        """Tell them all, or crash before."""
        self.harm.within()
        super().tell_each(addresses, messages)

    def word(self) -> Word:
        """Make a reply, or crash before the question."""
        if self.current is not None:
            self.harm.within()
        return super().word()

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Set an alarm, now and then with another that nobody can cancel."""
        self.harm.within()
        if self.harm.rings_late(message):
            super().later(self.harm.luck.choice((seconds, seconds * 1.01)), address, message)
        return super().later(seconds, address, message)

    # -- messages -------------------------------------------------------------------------------

    def handle(self, actor: Actor, message: object) -> Any:
        """Have a message handled. Overridden for its being so: each delivery then goes through `_deliver`."""
        return super().handle(actor, message)

    def take_next(self) -> _Item:
        """Choose what is delivered next: nothing that was told to the stalled, as long as there is anything else."""
        while True:
            if self._stalled and (not self.queue or min(self._stalled.values()) <= self.steps):
                self._wake()
            item = super().take_next()
            if item[0] not in self._stalled or item[2] is not None:
                return item
            self._held.append(item)

    def _wake(self) -> None:
        """End all stalls: what was held comes first, in its order, as a sender's messages do."""
        self._stalled.clear()
        self.queue.extendleft(reversed(self._held))
        self._held.clear()

    def deliver(self, item: _Item) -> None:
        """Deliver, or do harm instead."""
        address, message, reply, _ = item
        self._bring_late()
        if reply is None and not self._arrives(address, message):
            self.steps += 1
            return
        if self.harm.stalls(message):
            self._stalled[address] = self.steps + 4 * _LATE_STEPS
        super().deliver(item)
        if isinstance(message, Deadline) and message.turn in self._overdue:
            address, late = self._overdue.pop(message.turn)
            address.tell(late)
        self.look()
        if self.harm.dies():
            raise ProcessDied

    def look(self) -> None:
        """Raise the first verdict of the witness."""
        verdicts = self.witness.verdicts
        if verdicts:
            raise Stopped(str(verdicts[0])) if self.at_once else BrokenPromise(verdicts[0])

    def _arrives(self, address: Address, message: object) -> bool:
        what = self.harm.becomes_of(message)
        if what == "double":
            address.tell(message)
        elif what == "delay" and isinstance(message, Act) and self.harm.luck.random() < 0.5:
            self._overdue[message.turn] = address, message
        elif what == "delay":
            self._late.append((self.steps + _LATE_STEPS, address, message))
        return what in ("", "double")

    def _bring_late(self) -> None:
        while self._late and (self._late[0][0] <= self.steps or not self.queue):
            _, address, message = self._late.pop(0)
            address.tell(message)

    def settle(self) -> None:
        """Let everything arrive that is on its way, doing no more harm."""
        self._wake()
        end = self.steps + _REST_STEPS
        self.run(limit=_REST_STEPS)
        while (self._late or self.waiting) and self.steps < end:
            self._bring_late()
            self.run(limit=_REST_STEPS)
        if self.steps >= end:
            text = f"the room does not come to rest within {_REST_STEPS} messages"
            raise BrokenPromise(Verdict("rest", text, self.witness.number))

    def let_go_on(self, some: float) -> None:
        """Let a part of a hand be played; `some` is from 0 to 1."""
        self.run(limit=int(some * 400))

    def pass_time(self, seconds: float) -> None:
        """Let so much of this runtime's time pass."""
        self.advance(seconds)


class ChaosThreads(HeardThreads):
    """Threads with `harm`. Its seconds are short ones, see `PACE`; what happens when is the machine's affair."""

    def __init__(self, witness: Witness, harm: Harm) -> None:
        super().__init__(witness)
        self.harm = harm
        self.steps = 0
        """messages handled, as nearly as threads count without a lock"""

    # -- where the harm is done -----------------------------------------------------------------

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Have a message handled, or crash, or stall before it."""
        self.steps += 1
        if self.harm.stalls(message):
            time.sleep(_LATE_SECONDS * PACE)
        answer = self.harm.carry_out(actor, handler, message)
        self.harm.dies()
        return answer

    def arrives(self, address: Address, message: object) -> bool:
        """Lose, double or put off a player's action; nothing arrives in a dead process."""
        if self.harm.died:
            return False
        what = self.harm.becomes_of(message)
        if what == "double":
            address.tell(message)
        elif what == "delay":
            self.later(_LATE_SECONDS, address, message)
        return what in ("", "double")

    def start_loop(self, actor: Actor) -> None:
        """Begin, unless the actor crashes while it takes up its work."""
        if kind_of(actor.address.name) == "hand":
            self.harm.within()  # its table starts it; anybody else is started again by the supervisor
        if self.harm.crashes_beginning():
            begin = actor.begin

            def crash() -> None:
                actor.begin = begin  # type: ignore[method-assign]  # the next incarnation is another object
                raise Fault(f"{actor.address.name} at its beginning")

            actor.begin = crash  # type: ignore[method-assign]  # this incarnation only
        super().start_loop(actor)

    def tell_each(self, addresses: Sequence[Address], messages: Sequence[object]) -> None:
        """Tell them all, or crash before."""
        self.harm.within()
        super().tell_each(addresses, messages)

    def word(self) -> Word:
        """Make a reply, or crash before the question."""
        self.harm.within()
        return super().word()

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Set an alarm, now and then with another that nobody can cancel."""
        self.harm.within()
        if self.harm.rings_late(message):
            super().later(self.harm.luck.choice((seconds, seconds * 1.01)) * PACE, address, message)
        return super().later(seconds * PACE, address, message)

    def now(self) -> float:
        """Seconds of the bench's clock."""
        return super().now() / PACE

    def look(self) -> None:
        """Raise the first verdict of the witness."""
        self.witness.hold()

    def let_go_on(self, some: float) -> None:
        """Let a part of a hand be played; `some` is from 0 to 1."""
        time.sleep(some * _LATE_SECONDS * PACE)

    def pass_time(self, seconds: float) -> None:
        """Let so much of this runtime's time pass."""
        time.sleep(seconds * PACE)
