"""The supervisor: starts actors, restarts those that end, tells who asked when one is gone.

After OTP's one-for-one, with OTP's three words. A permanent actor is started again whenever it ends
unasked, a transient one when it crashed, a temporary one never; its successor lives at the same
address and has the messages that were not handled. Who stops an actor through the supervisor has
asked for its end; pykka's own `stop` has not. Too many restarts in too short a time are no accident:
the actor stays down then, and the room hears of it. The supervisor is a plain object called by
whoever sees an actor end, not an actor: a restart must not wait in a mailbox behind the messages of
those who need it.
"""

from __future__ import annotations

import enum
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import attrs

from poker_actors.actors.runtime.actor import Actor, Address, Runtime, Word, stop_message
from poker_actors.errors import RoomClosed
from poker_actors.frozen import message

__all__ = ["ActorBack", "ActorDown", "Restart", "Supervisor"]

_log: Final = logging.getLogger("poker_actors.supervisor")

_LAST_SECONDS: Final = 1.0
"""What the actor on which all rely has to end in, should the others have used up the time."""


@message
class ActorDown:
    """From the supervisor to an actor's monitor: it has ended for good, by a crash or not.

    `last_words` is what it left to be said, in case that was lost on the way.
    """

    name: str
    reason: str | None
    """the error's name when it crashed"""
    last_words: object


@message
class ActorBack:
    """From the supervisor to a monitor that asked for it: the actor was restarted, one message is lost."""

    name: str


class Restart(enum.Enum):
    """What to do when an actor ends, unless it was stopped through the supervisor."""

    PERMANENT = "permanent"
    """start it again"""
    TRANSIENT = "transient"
    """start it again if it crashed"""
    TEMPORARY = "temporary"
    """leave it down"""


@attrs.define
class _Child:
    make: Callable[[Address], Actor]
    restart: Restart
    monitors: dict[Address, bool]
    """who is told of its end -> whether of restarts too"""
    crashes: deque[float] = attrs.field(factory=deque)
    """when it has recently ended unasked"""

    def comes_back(self, crash: BaseException | None) -> bool:
        if self.restart is Restart.TRANSIENT:
            return crash is not None
        return self.restart is Restart.PERMANENT


class Supervisor:
    """Starts and restarts actors. One that crashes more than `most_restarts` times in `within` seconds stays down."""

    def __init__(self, runtime: Runtime, *, most_restarts: int = 20, within: float = 10.0) -> None:
        self._runtime = runtime
        self.most_restarts = most_restarts
        self._within = within
        self._children: dict[Address, _Child] = {}
        self._lock = threading.RLock()
        self._closing = False
        self.restarts = 0
        """Restarts made so far."""
        self.failed: list[str] = []
        """Actors that stay down, having ended too often."""
        self.escalate: Callable[[Address], bool | None] | None = None
        """Called, in the dying actor's thread, when one more has failed; true if it closes the address later."""
        self.on_crash: Callable[[Address, BaseException], None] | None = None
        """Called at every crash, in the dying actor's thread: `address.actor` is still the crashed one."""

    def spawn(
        self,
        name: str,
        make: Callable[[Address], Actor],
        restart: Restart = Restart.PERMANENT,
        monitor: Address | None = None,
    ) -> Address:
        """Start an actor and give its address; `monitor` is told when it has ended for good."""
        address = self._runtime.address(name)
        self.start(address, make, restart, monitor)
        return address

    def start(
        self,
        address: Address,
        make: Callable[[Address], Actor],
        restart: Restart = Restart.PERMANENT,
        monitor: Address | None = None,
    ) -> None:
        """Start an actor at an address made before; see `spawn`."""
        self.enrol(address, make, restart, monitor)
        self.launch(address)

    def enrol(
        self,
        address: Address,
        make: Callable[[Address], Actor],
        restart: Restart = Restart.PERMANENT,
        monitor: Address | None = None,
    ) -> None:
        """Take an actor on that `launch` will start; until then its messages wait."""
        if self._closing:
            raise RoomClosed(f"{address.name} cannot start: the room is closed")
        address.on_down = self._down
        with self._lock:
            self._children[address] = _Child(make, restart, {} if monitor is None else {monitor: False})

    def launch(self, address: Address) -> None:
        """Start an actor that is enrolled."""
        with self._lock:
            child = self._children[address]
        try:
            child.make(address).launch()
        except BaseException:
            with self._lock:
                self._children.pop(address, None)
            address.close()
            raise

    def watch(self, address: Address, monitor: Address, *, restarts: bool = False) -> None:
        """Tell `monitor` when the actor at `address` has ended for good, at once if it already has.

        With `restarts`, also tell it of each restart (`ActorBack`).
        """
        with self._lock:
            child = self._children.get(address)
            if child is not None:
                child.monitors[monitor] = restarts
                return
        monitor.tell(ActorDown(address.name, None, address.last_words))

    def watched(self, address: Address) -> bool:
        """Whether anybody monitors the actor at `address`."""
        with self._lock:
            child = self._children.get(address)
            return child is not None and bool(child.monitors)

    def unwatch(self, address: Address, monitor: Address) -> None:
        """Stop telling `monitor`."""
        with self._lock:
            child = self._children.get(address)
            if child is not None:
                child.monitors.pop(monitor, None)

    def _down(self, address: Address, crash: BaseException | None) -> None:
        with self._lock:
            child = self._children.get(address)
        if child is None:
            address.close()
            return
        if crash is not None and self.on_crash is not None:
            try:
                self.on_crash(address, crash)
            except Exception:  # noqa: BLE001  somebody else's code: the room goes on without it
                _log.exception("what was to be done at the crash of %s has failed", address.name)
        wanted = child.comes_back(crash) and not (address.stopping or self._closing)
        if wanted and not self._too_often(child) and self._restart(address, child, crash):
            return
        if address.actor is not None:
            address.last_words = address.actor.last_words
        with self._lock:
            # in one with the monitors: who watches later is told by `watch`
            self._children.pop(address, None)
            monitors = list(child.monitors)
        reason = None if crash is None else type(crash).__name__
        for monitor in monitors:
            monitor.tell(ActorDown(address.name, reason, address.last_words))
        if wanted:
            _log.error("%s stays down: it ended too often (%s)", address.name, reason or "stopped")
            self.failed.append(address.name)
            # nobody lives there while the room winds it up: what is asked meanwhile is refused, not lost
            address.actor = address.handlers = None
            if self.escalate is not None and self.escalate(address):
                return
        # last: who is answered that it is gone finds its chips given back
        address.close()

    def _restart(self, address: Address, child: _Child, crash: BaseException | None) -> bool:
        what = "was stopped" if crash is None else f"crashed ({type(crash).__name__})"
        _log.warning("%s %s and is restarted", address.name, what)
        self.restarts += 1
        try:
            child.make(address).launch()
        except Exception:  # noqa: BLE001 - the thread that dies has nobody to raise to
            _log.exception("%s cannot be started again", address.name)
            return False
        with self._lock:
            told = [monitor for monitor, restarts in child.monitors.items() if restarts]
        for monitor in told:
            monitor.tell(ActorBack(address.name))
        return True

    def _too_often(self, child: _Child) -> bool:
        now = self._runtime.now()
        child.crashes.append(now)
        while child.crashes[0] < now - self._within:
            child.crashes.popleft()
        return len(child.crashes) > self.most_restarts

    @property
    def alive(self) -> tuple[str, ...]:
        """Names of the actors that are up, in the order started."""
        with self._lock:
            return tuple(address.name for address in self._children)

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where the actors that are up are reached, in the order started; `Address.actor` is the one alive there."""
        with self._lock:
            return tuple(self._children)

    @property
    def crash_times(self) -> dict[str, tuple[float, ...]]:
        """Recent times at which actors ended unasked, by name, on the runtime's clock; only actors that did."""
        with self._lock:
            return {
                address.name: tuple(child.crashes)
                for address, child in self._children.items()
                if child.crashes
            }

    def recall(self, crash_times: Mapping[str, Sequence[float]], restarts: int) -> None:
        """Take those times, and that many restarts, for what has happened here: a room is brought back."""
        with self._lock:
            for address, child in self._children.items():
                child.crashes = deque(crash_times.get(address.name, ()))
        self.restarts = restarts

    def stop(self, address: Address) -> None:
        """Stop one actor, after what it has been sent before; returns at once. It is not restarted."""
        address.stopping = True
        if not address.closed:
            address.tell(stop_message())

    def stop_all(self, timeout: float) -> None:
        """Stop every actor, and wait for them all for `timeout` seconds together.

        The temporary ones go first, so that who monitors them hears of it, then the rest at once, and
        last the one that was started first, on which the others rely. Who has not ended in time is left
        to its thread.
        """
        self._closing = True
        end = self._runtime.now() + timeout
        with self._lock:
            here = [address for address in self._children if address.running_here]
            order = [address for address in reversed(self._children) if address not in here]
            brief = [one for one in order if self._children[one].restart is Restart.TEMPORARY]
        lasting = [address for address in order if address not in brief]
        addresses = [*brief, *lasting]
        self._stop_and_wait(brief, end)
        self._stop_and_wait(lasting[:-1], end)
        self._stop_and_wait(lasting[-1:], end + _LAST_SECONDS)
        # who closes the room in one of its own handlers ends when that has returned
        for address in (*addresses, *here):
            with self._lock:
                self._children.pop(address, None)
            address.close()

    def _stop_and_wait(self, addresses: Sequence[Address], end: float) -> None:
        words: list[tuple[str, Word]] = []
        for address in addresses:
            word = self._runtime.word()
            address.ask_into(stop_message(), word)
            words.append((address.name, word))
        for name, word in words:
            try:
                word.get(max(end - self._runtime.now(), 0.0), name)
            except RoomClosed:
                continue  # it has ended by itself
            except Exception as error:  # noqa: BLE001 - whatever it is, the others must stop as well
                _log.warning("%s did not stop in time (%s)", name, type(error).__name__)
