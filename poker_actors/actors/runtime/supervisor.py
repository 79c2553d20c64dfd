"""The supervisor: starts actors, restarts those that end, and tells monitors when one is gone.

It follows OTP's one-for-one strategy, with OTP's three terms. A permanent actor is restarted whenever
it ends unasked, a transient one if it crashed, a temporary one never. The successor lives at the same
address and gets the messages not yet handled. An actor stopped through the supervisor was asked to
end; one stopped by pykka's own `stop` was not. An actor restarted too often in too short a time stays
down, and the room is told. The supervisor is not an actor but a plain object, called in the thread that
sees an actor end: a restart must not wait in a mailbox behind the messages of those who need it.
"""

from __future__ import annotations

import enum
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import attrs

from poker_actors.actors.runtime.actor import Actor, Address, Runtime
from poker_actors.actors.runtime.reply import Word, stop_message
from poker_actors.errors import RoomClosed
from poker_actors.frozen import message

_log: Final = logging.getLogger("poker_actors.supervisor")

_LAST_SECONDS: Final = 1.0
"""Time that the actor all others rely on has to end, even if the others have used up all of theirs."""


@message
class ActorDown:
    """From the supervisor to an actor's monitor: the actor has ended for good.

    `address` is what OTP calls the monitor's reference: an actor that is started again under the same name has
    another one, so late news of the first is not taken for news of the second. `last_words` repeats the actor's
    last message, in case that was lost on the way.
    """

    address: Address
    reason: str | None
    """the error's name if it crashed"""
    last_words: object

    @property
    def name(self) -> str:
        """The actor's name."""
        return self.address.name


@message
class ActorBack:
    """From the supervisor to a monitor of restarts: the actor was restarted, and lost one message."""

    address: Address

    @property
    def name(self) -> str:
        """The actor's name."""
        return self.address.name


class Restart(enum.Enum):
    """What to do when an actor ends without being stopped through the supervisor."""

    PERMANENT = "permanent"
    """restart it"""
    TRANSIENT = "transient"
    """restart it if it crashed"""
    TEMPORARY = "temporary"
    """leave it down"""


@attrs.define
class _Child:
    make: Callable[[Address], Actor]
    restart: Restart
    monitors: dict[Address, bool]
    """monitor of its end -> whether it is told of restarts too"""
    crashes: deque[float] = attrs.field(factory=deque)
    """recent times at which it ended unasked"""

    def comes_back(self, crash: BaseException | None) -> bool:
        if self.restart is Restart.TRANSIENT:
            return crash is not None
        return self.restart is Restart.PERMANENT


class Supervisor:
    """Starts and restarts actors. One that ends more than `most_restarts` times in `within` seconds stays down."""

    def __init__(self, runtime: Runtime, *, most_restarts: int = 20, within: float = 10.0) -> None:
        self._runtime = runtime
        self.most_restarts = most_restarts
        self._within = within
        self._children: dict[Address, _Child] = {}
        self._lock = threading.RLock()
        self._closing = False
        self.restarts = 0
        """Restarts so far."""
        self.failed: list[str] = []
        """Names of actors that stay down because they ended too often."""
        self.escalate: Callable[[Address], bool | None] | None = None
        """Called in the dying actor's thread when an actor stays down; returns true if it closes the address later."""
        self.on_crash: Callable[[Address, BaseException], None] | None = None
        """Called at every crash, in the dying actor's thread; `address.actor` is still the crashed one."""

    def start(
        self,
        where: str | Address,
        make: Callable[[Address], Actor],
        restart: Restart = Restart.PERMANENT,
        monitor: Address | None = None,
    ) -> Address:
        """Start an actor at an address or, given a name, at a new one; return its address.

        `monitor` is told when the actor has ended for good. Raises `RoomClosed`.
        """
        address = where if isinstance(where, Address) else self._runtime.address(where)
        address.on_down = self._down
        with self._lock:  # check and entry under one lock: `stop_all` must find every actor that got in
            if self._closing:
                raise RoomClosed(f"{address.name} cannot start: the room is closed")
            self._children[address] = _Child(make, restart, {} if monitor is None else {monitor: False})
        try:
            self._begin(make(address))
        except BaseException:
            with self._lock:
                self._children.pop(address, None)
            address.close()
            raise
        return address

    def spawn(
        self,
        name: str,
        make: Callable[[Address], Actor],
        restart: Restart = Restart.PERMANENT,
        monitor: Address | None = None,
    ) -> Address:
        """Start an actor; an old name of `start`, kept for programs that call it."""
        return self.start(name, make, restart, monitor)

    def watch(self, address: Address, monitor: Address, *, restarts: bool = False) -> None:
        """Tell `monitor` when the actor at `address` has ended for good: at once if it already has.

        With `restarts`, also tell it of each restart (`ActorBack`).
        """
        self.watch_each((address,), monitor, restarts=restarts)

    def watch_each(self, addresses: Iterable[Address], monitor: Address, *, restarts: bool = False) -> None:
        """Watch several actors; see `watch`."""
        gone = []
        with self._lock:
            for address in addresses:
                child = self._children.get(address)
                if child is None:
                    gone.append(address)
                else:
                    child.monitors[monitor] = restarts or child.monitors.get(monitor, False)
        for address in gone:
            monitor.tell(ActorDown(address, None, address.last_words))

    def unwatch(self, address: Address, monitor: Address) -> None:
        """Stop reporting to `monitor`."""
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
            except Exception:  # noqa: BLE001  the application's code: the restart must not depend on it
                _log.exception("the action at the crash of %s has failed", address.name)
        wanted = child.comes_back(crash) and not address.stopping
        if wanted and not self._too_often(child) and self._restart(address, child, crash):
            return
        if address.actor is not None:
            address.last_words = address.actor.last_words
        with self._lock:
            # removed and read under one lock: a monitor added later is told by `watch`, and none is missed or told twice
            self._children.pop(address, None)
            monitors = list(child.monitors)
        reason = None if crash is None else type(crash).__name__
        for monitor in monitors:
            monitor.tell(ActorDown(address, reason, address.last_words))
        if wanted:
            _log.error("%s stays down: it ended too often (%s)", address.name, reason or "stopped")
            self.failed.append(address.name)
            # no actor is there while the room winds it up: asks meanwhile are refused, not lost
            address.actor = address.handlers = None
            if self.escalate is not None and self.escalate(address):
                return
        # last: once callers are told that the actor is gone, its players' chips must be back
        address.close()

    def _restart(self, address: Address, child: _Child, crash: BaseException | None) -> bool:
        what = "was stopped" if crash is None else f"crashed ({type(crash).__name__})"
        _log.warning("%s %s and is restarted", address.name, what)
        self.restarts += 1
        try:
            self._begin(child.make(address))
        except Exception:  # noqa: BLE001 - the thread that dies has nobody to raise to
            _log.exception("%s cannot be started again", address.name)
            return False
        with self._lock:
            told = [monitor for monitor, restarts in child.monitors.items() if restarts]
        for monitor in told:
            monitor.tell(ActorBack(address))
        return True

    def _begin(self, actor: Actor) -> None:
        self._runtime.start(actor)
        if actor.address.closed:
            actor.address.close()  # closed while the actor was made: it has begun at an address that takes no message

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
        """Addresses of the actors that are up, in the order started; `Address.actor` is the incarnation alive."""
        with self._lock:
            return tuple(self._children)

    @property
    def crash_times(self) -> dict[str, tuple[float, ...]]:
        """When actors recently ended unasked, by name, on the runtime's clock; only actors that did."""
        with self._lock:
            return {
                address.name: tuple(child.crashes)
                for address, child in self._children.items()
                if child.crashes
            }

    def recall(self, crash_times: Mapping[str, Sequence[float]], restarts: int) -> None:
        """Restore the crash times and the number of restarts, as part of restoring a room."""
        with self._lock:
            for address, child in self._children.items():
                child.crashes = deque(crash_times.get(address.name, ()))
        self.restarts = restarts

    def stop(self, address: Address) -> None:
        """Stop an actor for good, after the messages sent to it before; returns at once."""
        address.stopping = True
        if not address.closed:
            address.tell(stop_message())

    def stop_all(self, timeout: float) -> None:
        """Stop every actor, and wait at most `timeout` seconds for all of them.

        Temporary actors go first, so that their monitors still learn of it; then the rest together; last the actor that
        was started first, on which they all rely. An actor that does not end in time is left to its thread.
        """
        end = self._runtime.now() + timeout
        with self._lock:
            self._closing = True
            here = [address for address in self._children if address.running_here]
            addresses = [address for address in reversed(self._children) if address not in here]
            brief = {one for one in addresses if self._children[one].restart is Restart.TEMPORARY}
        for address in (*addresses, *here):
            address.stopping = True
        self._stop_and_wait([one for one in addresses if one in brief], end)
        self._stop_and_wait([one for one in addresses[:-1] if one not in brief], end)
        self._stop_and_wait(addresses[-1:], end + _LAST_SECONDS)
        # an actor that closes the room in a handler of its own ends when that handler returns
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
                continue  # it has ended already
            except Exception as error:  # noqa: BLE001 - whatever it is, the others must stop as well
                _log.warning("%s did not stop in time (%s)", name, type(error).__name__)


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Log nothing in the block, from any thread; for intended crashes, which a result reports instead."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
