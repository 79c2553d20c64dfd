"""The faults that the bench injects on all runtimes: crashes, stalls, and lost, doubled and late messages."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import attrs

from poker_actors.actors.messages import Act, Deadline, HandState, Settle, Turn
from poker_actors.actors.runtime import Actor, Address, Reply, Timer, Word
from poker_actors.errors import AskTimeout, Refused
from poker_actors.testing.witness import (
    BrokenPromise,
    Handler,
    HeardLoop,
    HeardStepper,
    HeardThreads,
    Verdict,
    Witness,
)
from poker_actors.testing.witness.promise import Listener

_LATE_STEPS: Final = 40
"""Deliveries by which a message is delayed: often into the middle of the next hand."""
_REST_STEPS: Final = 20_000
"""Deliveries after which a room without faults must be at rest: a hand of eight players takes some 400."""
_LATE_SECONDS: Final = 2.0
"""Seconds by which a message is delayed on threads: a fifth of a turn."""
_Item = tuple[Address, object, Reply | None, Address | None]
"""Receiver, message, reply, sender."""
PACE: Final = 0.005
"""Real seconds per second of the bench on threads: its deadlines of 10 seconds take 50 ms."""


class ProcessDied(BaseException):
    """The process has died and only the journal is left; nothing but the bench may catch this."""


class Stopped(KeyboardInterrupt):
    """A promise is broken under a debugger. A `KeyboardInterrupt`, which runtimes pass on instead of ending the actor."""


class Fault(Exception):
    """A crash injected by the bench."""


class LostOnTheWay(AskTimeout, Refused):
    """No answer to an action that is lost or delayed; its sender does not notice."""


@attrs.frozen
class FaultRates:
    """Rates of faults, as shares of deliveries (crashes) or of players' actions (the others)."""

    crash_player: float = 0.005
    """a player's handler raises before, within or after its work"""
    crash: float = 0.03
    """the same for bank, table and hand, which handle fewer messages"""
    crash_river: float = 0.06
    """the same for a hand on the river, which few hands reach"""
    crash_paying: float = 0.08
    """the same for a bank that pays a hand out, once a hand"""
    within: float = 0.33
    """share of crashes within the work: just before the handler sends, asks or starts something"""
    crash_beginning: float = 0.05
    """a restarted actor crashes again at once, while it recovers"""
    drop: float = 0.015
    double: float = 0.01
    delay: float = 0.01
    stall: float = 0.002
    """a player handles nothing for a while"""
    late_deadline: float = 0.2
    """a deadline is delivered after its turn is over, as a share of turns"""
    die: float = 0.0005
    """the process dies, in a room with a journal"""
    die_writing: float = 0.005
    """the same after a record is written and before anybody hears of it, as a share of records"""
    disk_full: float = 0.005
    """a record cannot be written, as a share of records"""


class Harm:
    """Injects faults, drawn from `luck`, unless `quiet`, and counts them in `what_happened`.

    It knows only actors' names and messages' types.
    """

    def __init__(self, luck: Random, rates: FaultRates, what_happened: Counter[str]) -> None:
        self.luck = luck
        self.rates = rates
        self.what_happened = what_happened
        self.quiet = True
        self.mortal = False
        """Whether the process may die: the room has a journal to come back from."""
        self.died = False
        self.writes_end = False
        """Whether the disk of this process is gone: it is dying, or has died."""
        self.on_death: Callable[[], None] = lambda: None
        """Called once, at the moment of death."""
        self._dying = threading.Lock()
        self.time_banks = False
        """Whether turns go on after their deadline, so that none may be delivered twice."""
        self.strikes = 0
        """Crashes so far of anything but players: only they may make a hand void."""
        self.muted: set[int] = set()
        """Seats whose actions are all lost."""
        self.situation: Callable[[str], str] = lambda kind: ""
        """Names what a crash of this kind of actor interrupts, to be counted; empty for nothing."""
        self.notice: Callable[[str, object], None] = lambda who, message: None
        """Called with everything that players are told."""
        self._within = threading.local()

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Handle a message, or crash the actor before, within or after its work."""
        name = actor.address.name
        player = name.startswith("player ")
        if player:
            self.notice(name, message)
        if self.quiet or self.luck.random() >= self._rate(name, message, player=player):
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

    def _rate(self, name: str, message: object, *, player: bool) -> float:
        if player:
            return self.rates.crash_player
        if type(message) is Settle and name == "bank":
            return self.rates.crash_paying
        on_the_river = kind_of(name) == "hand" and self.situation("hand") == "on river"
        return self.rates.crash_river if on_the_river else self.rates.crash

    def _or_die(self, handler: Handler, message: object) -> Any:
        try:
            return handler(message)
        finally:
            # Not at the write itself, which holds the journal's lock: whoever is being heard may wait for that one.
            # In every handler that ends: others may have failed with that write, and must not be heard either.
            if self.writes_end:
                self.die()

    def die(self) -> None:
        """Let the process die, once: from now on nobody hears it."""
        # In this order: what is written must have been heard as asked, so writing ends before hearing does; and once
        # `died` is set asks are answered with nothing, and what comes of that must not be heard. Under a lock: a
        # second thread, preempted here, would end the life of the next process.
        with self._dying:
            self.writes_end = True
            if not self.died:
                self.on_death()
                self.died = True

    def revive(self) -> None:
        """Be alive and quiet, so that the room can be closed."""
        self.died = self.writes_end = False
        self.quiet = True

    def within(self) -> None:
        """Crash here if a crash within this handler is due; called wherever a handler sends, asks or starts something."""
        left = getattr(self._within, "left", None)
        if left is None:
            return
        self._within.left = left - 1
        if not left:
            self._within.left = None
            self.what_happened["crash in handler"] += 1
            self.strikes += 1  # on the stepper, the hand that a player asks can be the one that crashes
            self._crash(*self._within.who)

    def _crash(self, name: str, message: object) -> None:
        kind = kind_of(name)
        self.strikes += kind != "player"
        self.what_happened[f"crash {kind}"] += 1
        self.what_happened[f"crash {kind} {type(message).__name__}"] += 1
        amid = self.situation(kind)
        if amid:
            self.what_happened[f"crash {kind} {amid}"] += 1
        raise Fault(f"{name} on {type(message).__name__}")

    def crashes_beginning(self) -> bool:
        """Return whether the actor that starts now crashes at once."""
        crashes = not self.quiet and self.luck.random() < self.rates.crash_beginning
        self.what_happened["crash while beginning"] += crashes
        self.strikes += crashes
        return crashes

    def rings_late(self, message: object) -> bool:
        """Return whether `message` is a deadline to be delivered again, after its turn is over."""
        if self.time_banks:
            return False
        late = type(message) is Deadline and not self.quiet and self.luck.random() < self.rates.late_deadline
        self.what_happened["late deadline"] += late
        return late

    def becomes_of(self, message: object) -> str:
        """Return the fate of an action on its way: empty for none, `drop`, `double` or `delay`."""
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
        """Return whether a player who is told of a change stalls for a while."""
        stalls = type(message) is HandState and not self.quiet and self.luck.random() < self.rates.stall
        self.what_happened["stall"] += stalls
        return stalls

    def dies(self) -> bool:
        """Return whether the process dies between this message and the next."""
        if self.mortal and not self.quiet and self.luck.random() < self.rates.die:
            self.what_happened["died between messages"] += 1
            self.die()
        return self.died

    def _counted(self, what: str) -> str:
        self.what_happened[what] += 1
        return what


def kind_of(name: str) -> str:
    """Return the kind of actor with this name: `bank`, `table`, `player` or `hand`."""
    first = name.split(" ", 1)[0]
    return first if first in ("bank", "table", "player") else "hand"


class _Harmed:
    """Shared by the runtimes of the bench: crashes, and deadlines that ring late."""

    harm: Harm
    witness: Listener
    pace = 1.0
    """Real seconds per second of the bench."""
    at_once = False
    """Whether a debugger is attached, so that the run must stop without delivering another message."""

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Handle a message, or crash."""
        return self.harm.carry_out(actor, handler, message)

    def start(self, actor: Actor) -> None:
        """Start the actor, unless it crashes at once."""
        if kind_of(actor.address.name) == "hand":
            self.harm.within()  # started by its table, within a handler; other actors are restarted by the supervisor
        if self.harm.crashes_beginning():
            begin = actor.begin

            def crash() -> None:
                actor.begin = begin  # type: ignore[method-assign]  # later incarnations are other objects
                raise Fault(f"{actor.address.name} at its start")

            actor.begin = crash  # type: ignore[method-assign]  # this incarnation only
        super().start(actor)  # type: ignore[misc]  # the runtime class comes next in the MRO

    def tell_each(
        self, addresses: Sequence[Address], messages: Sequence[object], sender: Address | None = None
    ) -> None:
        """Tell all receivers, or crash first."""
        self.harm.within()
        super().tell_each(addresses, messages, sender)  # type: ignore[misc]  # as above

    def word(self) -> Word:
        """Make a reply, or crash before asking."""
        self.harm.within()
        word: Word = super().word()  # type: ignore[misc]  # as above
        return word

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Set an alarm, and sometimes a second one that nobody can cancel."""
        self.harm.within()
        later: Callable[..., Timer] = super().later  # type: ignore[misc]  # as above
        if self.harm.rings_late(message):
            later(self.harm.luck.choice((seconds, seconds * 1.01)) * self.pace, address, message)
        return later(seconds * self.pace, address, message)

    def look(self) -> None:
        """Raise the witness's first verdict, if there is one."""
        verdicts = self.witness.verdicts
        if verdicts:
            raise Stopped(str(verdicts[0])) if self.at_once else BrokenPromise(verdicts[0])


class ChaosStepper(_Harmed, HeardStepper):
    """Delivers in a seeded order, with the faults of `harm`; raises `BrokenPromise` after the delivery that breaks one."""

    def __init__(self, witness: Witness, harm: Harm, *, reorder: bool = True) -> None:
        super().__init__(witness, harm.luck if reorder else None)
        self.harm = harm
        self._late: list[tuple[int, Address, object]] = []
        self._overdue: dict[Turn, tuple[Address, object]] = {}
        """turn -> receiver and action to be delivered right after the turn's deadline"""
        self._stalled: dict[Address, int] = {}
        """stalled player -> the step at which the stall ends"""
        self._held: list[_Item] = []
        """messages to stalled players, in order"""

    # -- messages -------------------------------------------------------------------------------

    def handle(self, actor: Actor, message: object) -> Any:
        """Handle a message. Overriding it makes every delivery go through `deliver`: see `StepRuntime`."""
        return super().handle(actor, message)

    def take_next(self) -> _Item:
        """Choose the next message: none told to a stalled player while there are others."""
        while True:
            if self._stalled and (not self.queue or min(self._stalled.values()) <= self.steps):
                self._wake()
            item = super().take_next()
            if item[0] not in self._stalled or item[2] is not None:
                return item
            self._held.append(item)

    def _wake(self) -> None:
        """End all stalls; messages held back come first and in order, as each sender's messages must."""
        self._stalled.clear()
        self.queue.extendleft(reversed(self._held))
        self._held.clear()

    def deliver(self, item: _Item) -> None:
        """Deliver, or inject a fault instead."""
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
        """Deliver everything on its way, without faults."""
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
        """Let part of a hand be played: `some`, from 0 to 1."""
        self.run(limit=int(some * 400))

    def pass_time(self, seconds: float) -> None:
        """Let seconds of this runtime's clock pass."""
        self.advance(seconds)


class _OnRealClock(_Harmed):
    """The faults of `harm` by the real clock, which is fast, see `PACE`; the order of events depends on the machine."""

    pace = PACE

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Handle a message, or crash, or stall first."""
        if self.harm.stalls(message):
            time.sleep(_LATE_SECONDS * PACE)
        answer = super().carry_out(actor, handler, message)
        self.harm.dies()
        return answer

    def arrives(self, address: Address, message: object) -> bool:
        """Lose, double or delay a player's action; nothing arrives in a dead process."""
        if self.harm.died:
            return False
        what = self.harm.becomes_of(message)
        if what == "double":
            address.tell(message)
        elif what == "delay":
            self.later(_LATE_SECONDS, address, message)
        if what in ("drop", "delay"):
            raise LostOnTheWay(f"{type(message).__name__} is lost on the way to {address.name}")
        return True

    def now(self) -> float:
        """Return the seconds of the bench's clock."""
        real: float = super().now()  # type: ignore[misc]  # the runtime class comes next in the MRO
        return real / PACE

    def let_go_on(self, some: float) -> None:
        """Let part of a hand be played: `some`, from 0 to 1."""
        time.sleep(some * _LATE_SECONDS * PACE)

    def pass_time(self, seconds: float) -> None:
        """Let seconds of this runtime's clock pass."""
        time.sleep(seconds * PACE)


class ChaosThreads(_OnRealClock, HeardThreads):
    """Threads with the faults of `harm`."""

    def __init__(self, witness: Witness, harm: Harm) -> None:
        super().__init__(witness)
        self.harm = harm
        self.steps = 0
        """messages handled, roughly: threads count without a lock"""

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Handle a message, or crash, or stall first."""
        self.steps += 1
        return super().carry_out(actor, handler, message)


class ChaosLoop(_OnRealClock, HeardLoop):
    """A room on one thread with the faults of `harm`; bots not known to be quick act on a worker."""

    def __init__(self, witness: Witness, harm: Harm) -> None:
        super().__init__(witness)
        self.harm = harm
