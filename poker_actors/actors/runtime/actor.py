"""The seam to pykka: the base of all our actors, and the addresses at which they are reached.

Only this package uses pykka's internals: its hook for implementors that starts an actor's loop
(`_start_actor_loop`), the envelope, and the methods of the actor loop. `tests/actors/test_pykka_hooks.py`
fails if pykka changes them. Pykka's own way to an actor, `Actor.actor_ref`, leads to the address: see `Inbox`.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

import pykka
from pykka import ActorDeadError, ActorRef, ActorRegistry, Timeout
from pykka._envelope import Envelope
from pykka.messages import ProxyCall, ProxyGetAttr, ProxySetAttr, _ActorStop

from poker_actors.actors.runtime.reply import (
    ASK_SECONDS,
    MAILBOX_LIMIT,
    Reply,
    Timer,
    Word,
    refuse,
    refuse_left,
    stop_message,
)
from poker_actors.errors import AskTimeout, BadSpec, PokerError, Refused, RoomBusy, RoomClosed, UnknownMessage

_log: Final = logging.getLogger("poker_actors.room")


_REFUSALS: Final = (Refused, BadSpec)
"""Errors that are the sender's fault: an actor that raises one for a told message has refused it, and goes on. Other
bad input is not: the player to act has no part in a bad card in the deck, and the hand cannot go on.
"""

Handlers = Mapping[type, Callable[[Any], Any]]
"""Message type -> its handler; the value returned is the reply to an ask."""


class Runtime(Protocol):
    """Delivers messages: on threads, or one step at a time.

    Mailboxes are bounded. A full one drops and counts told messages (the deadline acts for a player who
    misses a turn that way) and refuses asked ones at once.
    """

    lost: int
    """Messages dropped because a mailbox was full."""

    @property
    def waiting(self) -> int:
        """Messages on their way."""

    def address(self, name: str) -> Address:
        """Make an address, with an empty mailbox."""

    def tell_each(
        self, addresses: Sequence[Address], messages: Sequence[object], sender: Address | None = None
    ) -> None:
        """Tell each address the message at the same index, as separate calls of `Address.tell` would.

        If `sender` is given, the messages come after all that it told the same receivers, in every order of delivery.
        If `messages` is a `Many`, a runtime of one thread may call the actors it names instead.
        """
        for address, message in zip(addresses, messages, strict=True):
            address.tell(message)

    def start(self, actor: Actor) -> None:
        """Start delivering to `actor` the messages of its address; return when it has begun."""

    def stopped(self, actor: Actor) -> None:
        """Note that a message has stopped `actor`; on threads, the actor's thread ends by itself."""
        return

    def word(self) -> Word:
        """Make a reply that callers can wait for."""

    def flag(self) -> Any:
        """Make an actor's `actor_stopped`: an event, or the part of one that the runtime needs."""

    def later(self, seconds: float, address: Address, message: object) -> Timer:
        """Deliver `message` once `seconds` have passed."""

    def now(self) -> float:
        """Seconds on this runtime's clock: the monotonic clock, except on a stepper."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970, for times that must outlive the process."""
        return time.time()

    @property
    def down(self) -> tuple[str, ...]:
        """Names of threads that should be running and are not."""
        return ()

    def close(self, seconds: float | None = None) -> None:
        """Stop delivering, after every actor was stopped; wait at most `seconds` for whatever blocks."""


_SERIALS: Final = itertools.count()


class Address:
    """Where an actor is reached, whichever of its incarnations is alive.

    The mailbox belongs to the address, so messages that a crashed actor had not handled go to its
    successor. `name` is the actor's, the same on every run: ``main/hand-000000003``. Each runtime has
    its own subclass, with `tell`, `put` and `take_all`.
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
        """The number of this address in the process."""
        self.runtime = runtime
        self.inbox: Final = inbox
        self.actor: Actor | None = None
        self.handlers: Handlers | None = None
        """The handlers of the living actor; None while there is none."""
        self.closed = False
        self.last_words: object = None
        """The `Actor.last_words` of an actor that has ended here for good."""
        self.stopping = False
        """Whether the room wants this actor to end.

        Set before the stop message is sent: the actor may end, and its supervisor look here, immediately after that.
        """
        self.on_down: Callable[[Address, BaseException | None], None] | None = None

    @property
    def urn(self) -> str:
        """The actor's name in pykka's registry, which is shared by rooms: each of them has a `bank`."""
        return f"urn:poker-actors:{self.serial}:{self.name}"

    @property
    def running_here(self) -> bool:
        """Whether the caller runs in a handler of this actor."""
        raise NotImplementedError

    def tell(self, message: object) -> None:
        """Send a message; never raises and never waits. A message to a dead actor is lost."""
        raise NotImplementedError

    def put(self, message: object, reply: Reply | None = None) -> None:
        """Send a message whose answer, if one is wanted, goes to `reply`."""
        raise NotImplementedError

    def overflow(self, reply: Reply | None) -> None:
        """Count a message that a full mailbox drops; refuse one that was asked."""
        if reply is None:
            self.runtime.lost += 1
        else:
            text = f"{self.name} has {MAILBOX_LIMIT} messages waiting: it takes no more"
            reply.set_exception((RoomBusy, RoomBusy(text), None))

    def take_all(self) -> list[tuple[object, Reply | None]]:
        """Empty the mailbox; return the messages and their replies."""
        raise NotImplementedError

    def ask(self, message: object, timeout: float = ASK_SECONDS) -> Any:
        """Send a message and wait for the reply, at most `timeout` seconds.

        Raises what the actor refuses with, `RoomClosed` if it is gone, `AskTimeout` if no reply comes,
        and `AskCycle` if the actor would wait for itself: by asking itself or, on a stepper, in a circle.
        """
        word = self.runtime.word()
        self.ask_into(message, word)
        return word.get(timeout, (self, message))

    def ask_into(self, message: object, reply: Reply) -> None:
        """Send a message whose answer goes to `reply`, which is always answered."""
        if isinstance(reply, Word):
            reply.target = self
        if not self.closed:
            self.put(message, reply)
        if self.closed:
            # Closed before or during our put: the thread that closed it may have emptied the mailbox before the put,
            # so we empty it too. Without this second look at `closed` the asker would wait for its timeout.
            self.answer_rest()
            refuse(reply, self.name)

    def close(self) -> None:
        """Close the address for good, and answer the asks that wait."""
        self.closed = True
        self.actor = self.handlers = None
        self.answer_rest()

    def answer_rest(self) -> None:
        """Answer every ask left in the mailbox of a closed address."""
        for message, reply in self.take_all():
            refuse_left(self.name, message, reply)

    def __reduce__(self) -> tuple[object, ...]:
        # In another process, or after a restart, an address is only a name and reaches nobody.
        return (_Elsewhere, (self.name,))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        return f"<Address: {self.name}{', closed' if self.closed else ''}>"


class _Elsewhere(Address):
    """An unpickled address: closed for good."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name, None, None)  # type: ignore[arg-type]  # it has no runtime: nobody asks there
        self.closed = self.stopping = True

    def put(self, message: object, reply: Reply | None = None) -> None:
        return

    tell = put

    def ask(self, message: object, timeout: float = ASK_SECONDS) -> Any:
        raise RoomClosed(f"{self.name} is in another process")

    def take_all(self) -> list[tuple[object, Reply | None]]:
        return []


def no_handler(address: Address, message: object) -> UnknownMessage:
    """Return the refusal of a message for which an actor has no handler: the sender's bug, not the actor's."""
    kind = type(message).__name__
    return UnknownMessage(f"{address.name}, a {type(address.actor).__name__}, has no handler for {kind}")


class Inbox:
    """Connects pykka's `ActorRef` to an address, on every runtime and from any thread."""

    __slots__ = ("_address",)

    def __init__(self, address: Address) -> None:
        self._address = address

    def put(self, envelope: Envelope[Any]) -> None:
        """Send what the envelope holds; its future gets the answer."""
        future = envelope.reply_to
        if future is None:
            self._address.tell(envelope.message)
        else:
            word = self._address.runtime.word()
            # waiting for the word delivers where nobody else would: on a stepper, or in a handler
            future.set_get_hook(partial(self._answer, word))
            self._address.ask_into(envelope.message, word)

    def _answer(self, word: Word, timeout: float | None) -> Any:
        try:
            return word.get(timeout, self._address.name)
        except RoomClosed as gone:
            raise ActorDeadError(str(gone)) from gone
        except AskTimeout as late:
            raise Timeout(str(late)) from late


A = TypeVar("A")
M = TypeVar("M")
R = TypeVar("R")

_MARK: Final = "handled_message"


def on(kind: type[M]) -> Callable[[Callable[[A, M], R]], Callable[[A, M], R]]:
    """Mark a method of an actor as the handler of messages of one type; what it returns is the reply to an ask.

    A handler without a docstring takes the type's. A subclass overrides the method by name, without marking it again.
    """

    def mark(handler: Callable[[A, M], R]) -> Callable[[A, M], R]:
        setattr(handler, _MARK, kind)
        handler.__doc__ = handler.__doc__ or kind.__doc__
        return handler

    return mark


class Actor(pykka.ThreadingActor):
    """Base of the actors: one handler for each message type, marked with `on`, on every runtime.

    A handler computes first and assigns once. A `PokerError` raised by it is the answer to the ask. Anything
    else is a crash: the asker gets the error, the actor dies, and its supervisor, told through the address,
    restarts it or not. An error at a message that was told is a crash, unless it is a refusal.
    """

    use_daemon_thread = True  # a callback that never returns must not keep the program from exiting

    marked: ClassVar[Mapping[type, str]] = {}
    """Message type -> the name of the method that handles it, base classes included."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        methods = ((name, one) for base in reversed(cls.__mro__) for name, one in vars(base).items())
        cls.marked = {getattr(one, _MARK): name for name, one in methods if hasattr(one, _MARK)}

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
        """What its monitor must learn even if the message that says so is lost."""
        self.handlers: Handlers = {
            _ActorStop: self._on_stop_message,
            ProxyCall: self._handle_receive,
            ProxyGetAttr: self._handle_receive,
            ProxySetAttr: self._handle_receive,
            **self.handles(),
        }

    def handles(self) -> Handlers:
        """Return the handler of each message type: the marked methods."""
        return {kind: getattr(self, name) for kind, name in self.marked.items()}

    def may_block(self, message: object) -> bool:
        """Whether the handler of `message` may call code that blocks; if so, a `LoopRuntime` runs it on a worker.

        Override this in an actor of your own that blocks.
        """
        return False

    @property
    def actor_ref(self) -> ActorRef[Self]:
        """Pykka's reference to this incarnation; others hold `address` instead."""
        if self._ref is None:
            self._ref = ActorRef(self)
            self._ref.actor_inbox = Inbox(self.address)  # type: ignore[assignment]  # a reference only puts
        return self._ref

    def _start_actor_loop(self) -> None:
        self.address.runtime.start(self)

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
            # SystemExit and the like end one actor here; pykka would stop every actor of the process.
            self.crash = error
            self.actor_stopped.set()
            if isinstance(error, Exception):
                raise
            raise RuntimeError(f"{type(error).__name__} in {self.address.name}") from error

    def stop(self) -> None:
        """Stop after the messages already waiting; pykka's own `stop` would ask its registry first."""
        self.address.tell(stop_message())

    def begin(self) -> None:
        """Prepare before the first message is handled; a failure here is a crash."""

    def on_start(self) -> None:
        """Begin; see `begin`."""
        try:
            self.begin()
        except BaseException as error:
            self.crash = error
            raise

    def refuses(self, error: object) -> bool:
        """Whether `error`, raised by a message that nobody waits for, is a refusal; one raised by `begin` never is."""
        return isinstance(error, _REFUSALS) and error is not self.crash

    def _handle_failure(self, kind: Any, error: Any, trace: Any) -> None:
        """Log the failure of a told message and stop; a refused command is only logged."""
        if self.refuses(error):
            level = logging.WARNING if isinstance(error, UnknownMessage) else logging.INFO
            _log.log(level, "%s refuses what it was told: %s", self.address.name, error)
        else:
            self.crash = error
            super()._handle_failure(kind, error, trace)

    def _on_stop_message(self, message: object) -> None:
        # Not pykka's `_stop`, which would look this actor up in the registry of the whole process.
        self.actor_stopped.set()
        self.on_stop()
        self.address.runtime.stopped(self)

    def run_threaded(self, begun: Callable[[], None]) -> None:
        """Begin, call `begun`, handle messages until stopped, then say so: the body of an actor's thread.

        This is pykka's `_actor_loop` without its teardown, which would answer the rest of the mailbox with
        `ActorDeadError`. Here the mailbox belongs to the address, which leaves it to the successor or
        answers it itself.
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
        if self._ref is not None:
            ActorRegistry.unregister(self._ref)
        self.handlers = {}  # they refer back to the actor: otherwise only the garbage collector could free it
        on_down = self.address.on_down
        if on_down is not None:
            on_down(self.address, self.crash)
        else:
            self.address.close()

    def __str__(self) -> str:
        return self.address.name


def envelope(message: object, reply: Reply | None) -> Envelope[Any]:
    """Wrap a message as pykka's loop expects it."""
    return Envelope(message, reply_to=reply)  # type: ignore[arg-type]  # it only calls set and set_exception
