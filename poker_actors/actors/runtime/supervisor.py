"""The supervisor: starts actors, restarts those that crash, tells who asked when one is gone.

After OTP's one-for-one: a permanent actor that crashes is started again at the same address, with
the messages it had not handled; a temporary one stays down and its monitor is told. Too many
crashes in too short a time are no accident: the actor stays down then, and the room hears of it.
It is a plain object called by whoever sees an actor end, not an actor: a restart must not wait
in a mailbox behind the messages of those who need it.
"""

from __future__ import annotations

import enum
import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

import attrs

from poker_actors.actors.runtime.actor import Actor, Address, Runtime, Word, stop_message
from poker_actors.errors import RoomClosed
from poker_actors.frozen import message

__all__ = ["ActorDown", "Restart", "Supervisor"]

_log: Final = logging.getLogger("poker_actors.supervisor")


@message
class ActorDown:
    """From the supervisor to an actor's monitor: it has ended for good, by a crash or not.

    `last_words` is what it left to be said, in case that was lost on the way.
    """

    name: str
    reason: str | None
    """the error's name when it crashed"""
    last_words: object


class Restart(enum.Enum):
    """What to do when an actor ends."""

    PERMANENT = "permanent"
    """start it again when it crashed"""
    TEMPORARY = "temporary"
    """leave it down"""


@attrs.define
class _Child:
    make: Callable[[Address], Actor]
    restart: Restart
    monitors: list[Address]
    crashes: deque[float] = attrs.field(factory=deque)


class Supervisor:
    """Who is alive. `most_restarts` crashes of one actor within `within` seconds are one too many."""

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
        """Permanent actors that stay down, having crashed too often."""
        self.escalate: Callable[[Address], None] | None = None
        """Called, in the dying actor's thread, when one more has failed."""
        self.on_crash: Callable[[Address, BaseException], None] | None = None
        """Called, in the dying actor's thread, at every crash: `address.actor` is still the one that has crashed."""

    def spawn(
        self,
        name: str,
        make: Callable[[Address], Actor],
        restart: Restart = Restart.PERMANENT,
        monitor: Address | None = None,
    ) -> Address:
        """Start an actor and give its address; `monitor` is told when it has ended for good."""
        if self._closing:
            raise RoomClosed(f"{name} cannot start: the room is closed")
        address = self._runtime.address(name)
        address.on_down = self._down
        with self._lock:
            self._children[address] = _Child(make, restart, [] if monitor is None else [monitor])
        self._start(address, make)
        return address

    def watch(self, address: Address, monitor: Address) -> None:
        """Have `monitor` told when the actor at `address` has ended for good; at once if it has."""
        with self._lock:
            child = self._children.get(address)
            if child is not None:
                if monitor not in child.monitors:
                    child.monitors.append(monitor)
                return
        monitor.tell(ActorDown(address.name, None, None))

    def unwatch(self, address: Address, monitor: Address) -> None:
        """Tell `monitor` no more."""
        with self._lock:
            child = self._children.get(address)
            if child is not None and monitor in child.monitors:
                child.monitors.remove(monitor)

    @staticmethod
    def _start(address: Address, make: Callable[[Address], Actor]) -> None:
        make(address).launch()

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
        permanent = crash is not None and child.restart is Restart.PERMANENT and not self._closing
        if permanent and not self._too_often(child) and self._restart(address, child, crash):
            return
        words = None if address.actor is None else address.actor.last_words
        with self._lock:
            self._children.pop(address, None)
        reason = None if crash is None else type(crash).__name__
        for monitor in child.monitors:
            monitor.tell(ActorDown(address.name, reason, words))
        if permanent:
            _log.error("%s stays down: it crashed too often (%s)", address.name, reason)
            self.failed.append(address.name)
            if self.escalate is not None:
                self.escalate(address)
        # last: who is answered that it is gone finds its chips given back
        address.close()

    def _restart(self, address: Address, child: _Child, crash: BaseException | None) -> bool:
        _log.warning("%s crashed (%s) and is restarted", address.name, type(crash).__name__)
        self.restarts += 1
        try:
            self._start(address, child.make)
        except Exception:  # noqa: BLE001 - the thread that dies has nobody to raise to
            _log.exception("%s cannot be started again", address.name)
            return False
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

    def stop(self, address: Address) -> None:
        """Stop one actor, after what it has been sent before; returns at once."""
        if not address.closed:
            address.tell(stop_message())

    def stop_all(self, timeout: float) -> None:
        """Stop every actor, the last started first, waiting at most `timeout` seconds for each."""
        self._closing = True
        while True:
            with self._lock:
                if not self._children:
                    return
                address = next(reversed(self._children))
            if not address.running_here:
                self._stop_and_wait(address, timeout)
            # who closes the room in one of its own handlers ends when that has returned
            with self._lock:
                self._children.pop(address, None)
            address.close()

    def _stop_and_wait(self, address: Address, timeout: float) -> None:
        word: Word = self._runtime.word()
        address.ask_into(stop_message(), word)
        try:
            word.get(timeout, address.name)
        except RoomClosed:
            return  # it has ended by itself
        except Exception as error:  # noqa: BLE001 - whatever it is, the others must stop as well
            _log.warning("%s did not stop in time (%s)", address.name, type(error).__name__)
