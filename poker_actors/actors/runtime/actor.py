"""The seam to pykka: the base of all our actors, and the address each of them is reached at.

This file and its two neighbours are all that touches pykka's inner parts: the three hooks for
implementors of actor types (`_create_actor_inbox`, `_create_future`, `_start_actor_loop`), the
envelope, and the loop's own methods. `tests/actors/test_pykka_hooks.py` holds pykka to them.
"""

from __future__ import annotations

import itertools
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import pykka
from pykka import ActorRef
from pykka._envelope import Envelope
from pykka.messages import _ActorStop

from poker_actors.errors import PokerError, Refused, RoomBusy, RoomClosed

__all__ = [
    "ASK_SECONDS",
    "MAILBOX_LIMIT",
    "STOP",
    "Actor",
    "Address",
    "Handlers",
    "Listed",
    "Many",
    "Reply",
    "Runtime",
    "Timer",
    "Word",
    "stop_message",
]

_log: Final = logging.getLogger("poker_actors.room")

ASK_SECONDS: Final = 5.0
"""How long an ask waits: far longer than any handler takes, short enough to notice a fault."""

Handlers = Mapping[type, Callable[[Any], Any]]
"""Message type -> what the actor does with it; the value returned is the reply to an ask."""


class Reply(Protocol):
    """Where the answer to an ask goes."""

    def set(self, value: Any = None) -> None:
        """Answer."""

    def set_exception(self, exc_info: Any = None) -> None:
        """Answer with an error: the one being handled, or ``(type, error, traceback)``."""


class Answering:
    """The two ways to answer, as one: what both runtimes' words have in common."""

    __slots__ = ()

    def set(self, value: Any = None) -> None:
        """Answer."""
        self._answer(value, None)

    def set_exception(self, exc_info: Any = None) -> None:
        """Answer with an error: the one being handled, or ``(type, error, traceback)``."""
        self._answer(None, (exc_info or sys.exc_info())[1])

    def _answer(self, value: Any, error: BaseException | None) -> None:
        raise NotImplementedError


class Word(Reply, Protocol):
    """A reply that can be waited for. The first answer counts; later ones are ignored."""

    def get(self, timeout: float | None, who: str) -> Any:
        """Wait for the answer of `who`, and give it or raise it; `AskTimeout` after `timeout` s."""

    def when_done(self, callback: Callable[[], None]) -> None:
        """Have `callback` called once there is an answer, by whoever answers or at once."""


class Timer(Protocol):
    """A message to be delivered later."""

    def cancel(self) -> None:
        """Never deliver it, unless it is under way already."""


if TYPE_CHECKING:
    _Messages = Sequence[Any]
else:
    _Messages = object  # without an abstract base, for which `isinstance` would take as long as a delivery


class Many(_Messages):
    """Messages to many that are made when they are looked at.

    Their receivers have handlers for this type, where `deliver` names one of them, and for what `calls` gives.
    """

    __slots__ = ()

    def deliver(self) -> int:
        """Note that they are delivered; returns the place of the one actor to be called, with all of this, or -1: see `calls`."""
        raise NotImplementedError

    def calls(self) -> Iterable[tuple[int, object]]:
        """Return the places of the actors to be called now, in order, and with what."""
        raise NotImplementedError


class Listed(Many):
    """Messages that are there already, to be delivered to all."""

    __slots__ = ("_messages",)

    def __init__(self, messages: Sequence[object]) -> None:
        self._messages = messages

    def deliver(self) -> int:
        """Nothing to note, and nobody alone."""
        return -1

    def calls(self) -> Iterable[tuple[int, object]]:
        """Call everybody."""
        return enumerate(self._messages)

    def __getitem__(self, place: Any) -> Any:
        return self._messages[place]

    def __len__(self) -> int:
        return len(self._messages)

    def __iter__(self) -> Iterator[object]:
        return iter(self._messages)


MAILBOX_LIMIT: Final = 10_000
"""Messages one actor may leave waiting: hours of a quick table, and some megabytes."""


class Runtime(Protocol):
    """Delivers messages: on threads, or one step at a time.

    Mailboxes are bounded. A full one drops and counts what it is told (a deadline acts for a player who missed
    a turn that way) and refuses at once what it is asked.
    """

    lost: int
    """Messages dropped before full mailboxes."""

    @property
    def waiting(self) -> int:
        """Messages on their way."""

    def address(self, name: str) -> Address:
        """Make an address, with an empty mailbox."""

    def tell_each(self, addresses: Sequence[Address], messages: Sequence[object]) -> None:
        """Tell each address the message in its place: many times `Address.tell`.

        Where `messages` are `Many`, the stepper may call an actor as those say instead.
        """

    def start_loop(self, actor: Actor) -> None:
        """Begin to hand `actor` the messages of its address."""

    def stopped(self, actor: Actor) -> None:
        """Take note that `actor` has been stopped by a message."""

    def word(self) -> Word:
        """Make a reply to wait for."""

    def flag(self) -> Any:
        """Make what an actor's `actor_stopped` is: an event, or as much of one as is needed."""

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Deliver `message` once `seconds` have passed."""

    def now(self) -> float:
        """Seconds on this runtime's clock."""

    @property
    def down(self) -> tuple[str, ...]:
        """Names of what should be up and is not."""

    def close(self, seconds: float | None = None) -> None:
        """Stop delivering; every actor has been stopped before. Waits `seconds` at most for all that blocks."""


_SERIALS: Final = itertools.count()


class Address:
    """Where one actor is reached, whichever incarnation of it is alive.

    The mailbox belongs to the address, so messages that a crashed actor had not handled yet go
    to its successor. `name` is the actor's own, the same on every run: ``main/hand-000000003``.
    Each runtime has its own kind, with `tell`, `put` and `take_all`.
    """

    __slots__ = (
        "__weakref__",
        "actor",
        "closed",
        "handlers",
        "inbox",
        "last_words",
        "name",
        "on_down",
        "runtime",
        "serial",
        "stopping",
    )

    def __init__(self, name: str, runtime: Runtime, inbox: Any) -> None:
        self.name: Final = name
        self.serial: Final = next(_SERIALS)
        """Of all the addresses of the process, the how manieth."""
        self.runtime = runtime
        self.inbox: Final = inbox
        self.actor: Actor | None = None
        self.handlers: Handlers | None = None
        """What the living actor does with each message type."""
        self.closed = False
        self.last_words: object = None
        """What the actor that has ended here for good left to be said."""
        self.stopping = False
        """Whether the room wants the actor here to end: set before it is sent the message that says so."""
        self.on_down: Callable[[Address, BaseException | None], None] | None = None

    @property
    def urn(self) -> str:
        """The name that pykka's registry has for the actor here: there may be a `bank` in each of several rooms."""
        return f"urn:poker-actors:{self.serial}:{self.name}"

    @property
    def running_here(self) -> bool:
        """Whether it is in a handler of the actor here that this is asked."""
        raise NotImplementedError

    def tell(self, message: object) -> None:
        """Send a message; never raises and never waits. To a dead actor it is lost, as news is."""
        raise NotImplementedError

    def put(self, message: object, reply: Reply) -> None:
        """Send a message whose answer goes to `reply`."""
        raise NotImplementedError

    def take_all(self) -> list[tuple[object, Reply | None]]:
        """Drop the messages that nobody will handle."""
        raise NotImplementedError

    def ask(self, message: object, timeout: float = ASK_SECONDS) -> Any:
        """Send a message and wait for the reply, at most `timeout` seconds.

        Raises what the actor refuses with, `RoomClosed` when it is gone, `AskTimeout` when no
        reply comes, and `AskCycle` (stepper) when the actor waits for the asker.
        """
        word = self.runtime.word()
        self.ask_into(message, word)
        return word.get(timeout, f"{self.name}, asked {type(message).__name__},")

    def ask_into(self, message: object, reply: Reply) -> None:
        """Send a message whose answer goes to `reply`; it is answered come what may."""
        if not self.closed:
            self.put(message, reply)
        if self.closed:
            # Closed before, or while we put: whoever closed it may have looked too early.
            self.answer_rest()
            refuse(reply, self.name)

    def close(self) -> None:
        """Nobody will live here again: answer what is waiting."""
        self.closed = True
        self.actor = self.handlers = None
        self.answer_rest()

    def answer_rest(self) -> None:
        """Answer every ask left in the mailbox of a closed address."""
        for message, reply in self.take_all():
            if reply is not None:
                if isinstance(message, _ActorStop):
                    reply.set(None)
                else:
                    refuse(reply, self.name)

    def __reduce__(self) -> tuple[object, ...]:
        # In another process, or after a restart, an address is a name: nobody is reached by it.
        return (_Elsewhere, (self.name,))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        return f"<Address: {self.name}{', closed' if self.closed else ''}>"


class _Elsewhere(Address):
    """What an address is once it has been pickled: closed for good."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        self.name = name  # type: ignore[misc]  # final in a class that has the rest as well
        self.serial = -1  # type: ignore[misc]  # as above
        self.inbox = None  # type: ignore[misc]  # as above
        self.actor = None
        self.closed = True
        self.last_words = None
        self.stopping = True
        self.on_down = None

    def tell(self, message: object) -> None:
        return

    def ask(self, message: object, timeout: float = ASK_SECONDS) -> Any:
        raise RoomClosed(f"{self.name} is in another process")

    def take_all(self) -> list[tuple[object, Reply | None]]:
        return []


def no_handler(address: Address, message: object) -> TypeError:
    """Say that the actor there does not know what it was sent: a bug of the sender, and a crash."""
    return TypeError(f"{address.name} has no handler for {type(message).__name__}")


def refuse_full(reply: Reply, name: str) -> None:
    """Answer that the mailbox of `name` is full."""
    text = f"{name} has {MAILBOX_LIMIT} messages waiting: it takes no more"
    reply.set_exception((RoomBusy, RoomBusy(text), None))


def refuse(reply: Reply, name: str) -> None:
    """Answer that `name` is gone; a reply that has its answer keeps it."""
    reply.set_exception((RoomClosed, RoomClosed(f"{name} is gone"), None))


class Actor(pykka.ThreadingActor):
    """Base of the actors: one handler a message type, on whichever runtime its address is.

    A handler computes first and assigns once. A `PokerError` it raises is the answer to the ask;
    anything else is a crash: the asker gets the error, the actor dies, and its supervisor, told
    through the address, does what its policy says.
    """

    use_daemon_thread = True  # a callback that never returns must not keep the program alive

    def __init__(self, address: Address) -> None:
        # Not pykka's constructor: it draws a random URN and makes a lock and a reference, which cost
        # a twentieth of a hand, and an actor is made for every hand.
        self.address: Final = address
        self.actor_urn = address.urn
        self.actor_inbox = address.inbox
        self.actor_stopped = address.runtime.flag()
        self._ref: ActorRef[Self] | None = None
        self.crash: BaseException | None = None
        self.last_words: object = None
        """What its monitor should hear even if the message is lost on the way."""
        self.handlers: Handlers = {_ActorStop: self._on_stop_message, **self.handles()}

    def handles(self) -> Handlers:
        """Return the handler of each message type."""
        raise NotImplementedError

    @property
    def actor_ref(self) -> ActorRef[Self]:
        """Pykka's reference to this incarnation; `address` is what others hold."""
        if self._ref is None:
            self._ref = ActorRef(self)
        return self._ref

    def _start_actor_loop(self) -> None:
        self.address.actor = self
        self.address.handlers = self.handlers
        self.address.runtime.start_loop(self)

    def on_receive(self, message: object) -> Any:
        """Handle one message; see `Actor`."""
        try:
            handler = self.handlers.get(type(message))
            if handler is None:
                raise no_handler(self.address, message)
            return handler(message)
        except PokerError:
            raise
        except BaseException as error:
            # SystemExit and its like end one actor here; pykka would stop every actor there is.
            self.crash = error
            self.actor_stopped.set()
            if isinstance(error, Exception):
                raise
            raise RuntimeError(f"{type(error).__name__} in {self.address.name}") from error

    def launch(self) -> None:
        """Start this actor, made already; pykka's own `start` makes one as well."""
        self._start_actor_loop()

    def stop_soon(self) -> None:
        """Stop after the messages that are waiting."""
        self.address.tell(stop_message())

    def begin(self) -> None:
        """Do what must be done before the first message; a failure here is a crash."""

    def on_start(self) -> None:
        """Begin; see `begin`."""
        try:
            self.begin()
        except BaseException as error:
            self.crash = error
            raise

    def _handle_failure(self, kind: Any, error: Any, trace: Any) -> None:
        """Log what a told message died of and stop; a refused command changes nothing and kills nobody."""
        if isinstance(error, Refused):
            _log.info("%s refuses what it was told: %s", self.address.name, error)
        else:
            self.crash = error
            super()._handle_failure(kind, error, trace)

    def _on_stop_message(self, message: object) -> None:
        # Not pykka's `_stop`: it would look this actor up in a registry of the whole process.
        self.actor_stopped.set()
        self.on_stop()
        self.address.runtime.stopped(self)

    def run_threaded(self, begun: Callable[[], None]) -> None:
        """Begin and call `begun`, handle messages until stopped, then say so; an actor's thread.

        This is pykka's `_actor_loop` without its teardown, which would answer the rest of the
        mailbox with `ActorDeadError`: that belongs to the address, which hands it to the successor
        or answers it itself.
        """
        try:
            try:
                self._actor_loop_setup()
            finally:
                begun()
            self._actor_loop_running()
        finally:
            self.gone()

    def gone(self) -> None:
        """Tell the address that this incarnation is over."""
        self.actor_stopped.set()
        self.handlers = {}  # they refer back to the actor: without this only the garbage collector frees it
        on_down = self.address.on_down
        if on_down is not None:
            on_down(self.address, self.crash)
        else:
            self.address.close()

    def __str__(self) -> str:
        return self.address.name


STOP: Final = _ActorStop
"""The type of the message that stops an actor; no mailbox is too full for it."""


def stop_message() -> object:
    """Return the message that stops an actor after what it has been sent before."""
    return _ActorStop()


def envelope(message: object, reply: Reply | None) -> Envelope[Any]:
    """Wrap a message as pykka's loop expects it."""
    return Envelope(message, reply_to=reply)  # type: ignore[arg-type]  # it only calls set and set_exception
