"""Every error that the package raises on purpose: one tree, with a stable code for each leaf.

::

    PokerError
    ├── BadInput             the input is invalid, whatever the state of the game
    │   ├── BadCard          bad_card             text or number that is not a card
    │   ├── DuplicateCard    duplicate_card       a card that is there already
    │   ├── BadSpec          bad_spec             invalid stakes, stacks, bot or game
    │   ├── UnknownBot       unknown_bot          no bot has that name
    │   ├── BadJournal       bad_journal          a journal that is damaged, foreign or too new
    │   └── BadHistory       bad_history          a recorded hand that cannot be read
    │       ├── Unplayed     unplayed_variant     ... because its variant is not played here
    │       └── Discrepancy  discrepancy          ... or that contradicts the rules
    ├── Refused              understood but not allowed now; changes nothing (out_of_order, bad_nick: OPP)
    │   ├── IllegalAction    illegal_action, not_active, not_enough
    │   ├── StaleAction      stale_action         an action for a turn that is over
    │   ├── UnknownMessage   unknown_message      an actor has no handler for the message
    │   └── TableRefusal     not_enough_players, seat_taken, seat_unavailable,
    │                        not_at_table, insufficient_funds, player_has_balance,
    │                        hand_in_progress, no_ledger
    ├── MissingExtra         missing_extra        an optional dependency is not installed
    ├── MissingFeature       missing_feature      the machine lacks a program or a feature of its system
    ├── RemoteProtocolError  remote_protocol      the other side of a connection broke its protocol
    └── RoomError            the actors failed, not a player
        ├── RoomClosed       room_closed          the room, or the actor asked, is gone
        ├── RoomBusy         room_busy            a mailbox is full
        ├── AskTimeout       ask_timeout          no reply in time
        ├── AskCycle         ask_cycle            an actor would wait for itself
        └── StorageFailed    storage_failed       the journal cannot be written: full disk, no server

A code never changes its meaning; adapters map it to an HTTP status, a wire number or a
sentence. The message names the thing, the value and the limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import ClassVar

__all__ = [
    "AskCycle",
    "AskTimeout",
    "BadCard",
    "BadHistory",
    "BadInput",
    "BadJournal",
    "BadSpec",
    "Discrepancy",
    "DuplicateCard",
    "IllegalAction",
    "MissingExtra",
    "MissingFeature",
    "PokerError",
    "Refused",
    "RemoteProtocolError",
    "RoomBusy",
    "RoomClosed",
    "RoomError",
    "StaleAction",
    "StorageFailed",
    "TableRefusal",
    "UnknownBot",
    "UnknownMessage",
    "Unplayed",
]


class PokerError(Exception):
    """Root of every error raised on purpose.

    `code` is a stable lower_snake word for programs; `str(error)` is a sentence for people.
    """

    default_code: ClassVar[str] = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.code: str = code if code is not None else self.default_code

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.args[0], self.code))


def _rebuild(kind: type[PokerError], message: str, code: str) -> PokerError:
    """Remake an error after pickling (`code` is keyword-only, which pickle cannot pass)."""
    error = kind.__new__(kind)
    PokerError.__init__(error, message, code=code)
    return error


class BadInput(PokerError, ValueError):
    """The input is invalid, whatever the state of the game."""

    default_code = "bad_spec"


class BadCard(BadInput):
    """Text or a number that is not a card."""

    default_code = "bad_card"


class DuplicateCard(BadInput):
    """A card that is already in the hand, on the board or in the deck."""

    default_code = "duplicate_card"


class BadSpec(BadInput):
    """Invalid stakes, stacks, seed, parameter of a bot, or game."""

    default_code = "bad_spec"


class UnknownBot(BadInput):
    """No bot has that name."""

    default_code = "unknown_bot"


class BadJournal(BadInput):
    """A journal that is damaged, foreign or too new; the message names the record."""

    default_code = "bad_journal"


class BadHistory(BadInput):
    """A recorded hand that cannot be read; the message names the file, line and value."""

    default_code = "bad_history"


class Unplayed(BadHistory):
    """A recorded hand of a variant that is not played here; batches skip and count it."""

    default_code = "unplayed_variant"


class Discrepancy(BadHistory):
    """A recorded hand that contradicts the rules or its own payoffs."""

    default_code = "discrepancy"


class Refused(PokerError):
    """A command that is understood but not allowed now; it changes nothing."""

    default_code = "refused"


class IllegalAction(Refused):
    """An action that the rules do not allow here (`illegal_action`, `not_active`, `not_enough`)."""

    default_code = "illegal_action"


class StaleAction(Refused):
    """An action for a turn that is over, or a second one for the same turn."""

    default_code = "stale_action"


class UnknownMessage(Refused):
    """The actor has no handler for the message; one that was told is logged, and the actor goes on."""

    default_code = "unknown_message"


class TableRefusal(Refused):
    """A refused command to a table or the bank; `code` is one of the words in the module docstring."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message, code=code)


class MissingExtra(PokerError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""

    default_code = "missing_extra"

    def __init__(self, extra: str, module: str) -> None:
        super().__init__(
            # not by the project's name: until an index has it, somebody else may register it
            f"{module} is not installed: it comes with the extra [{extra}] "
            f"(in a checkout of the sources: pip install '.[{extra}]')"
        )
        self.extra = extra
        self.module = module

    def __reduce__(self) -> tuple[object, ...]:
        return (MissingExtra, (self.extra, self.module))


@contextmanager
def from_extra(extra: str, *modules: str) -> Iterator[None]:
    """Raise `MissingExtra` if the block imports one of an extra's `modules` that is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in modules:
            raise  # a fault of the package: "install the extra" would mislead
        raise MissingExtra(extra, missing) from None


class MissingFeature(PokerError):
    """The machine lacks a program or a feature of its system; the message names it first, then what needs it."""

    default_code = "missing_feature"

    def __init__(self, message: str) -> None:
        super().__init__(f"this machine lacks {message}")

    def __reduce__(self) -> tuple[object, ...]:
        return (_lacking, (str(self),))


def _lacking(message: str) -> MissingFeature:
    error = MissingFeature("")
    error.args = (message,)
    return error


class RemoteProtocolError(PokerError):
    """The other side of a connection broke its protocol; the message names the byte.

    `offset` is the number of bytes which that side sent before the wrong one.
    """

    default_code = "remote_protocol"

    def __init__(self, message: str, *, offset: int) -> None:
        super().__init__(f"byte {offset}: {message}")
        self.offset = offset
        self.message = message

    def __reduce__(self) -> tuple[object, ...]:
        return (_remote, (self.message, self.offset))


def _remote(message: str, offset: int) -> RemoteProtocolError:
    return RemoteProtocolError(message, offset=offset)


class RoomError(PokerError):
    """The actors failed, not a player."""

    default_code = "room_error"


class RoomClosed(RoomError):
    """The room or the actor asked is gone."""

    default_code = "room_closed"


class RoomBusy(RoomError):
    """The mailbox of the actor asked is full."""

    default_code = "room_busy"


class AskTimeout(RoomError, TimeoutError):
    """No reply came in time; the command may or may not have been carried out."""

    default_code = "ask_timeout"


class AskCycle(RoomError):
    """An actor would wait for itself, directly or in a circle; raised at once instead of hanging."""

    default_code = "ask_cycle"


class StorageFailed(RoomError):
    """The journal could not be written: the command was refused and changed nothing."""

    default_code = "storage_failed"


def printable(text: str, kept: str = "\n") -> str:
    """Escape all control characters but `kept`, so that foreign text cannot control the terminal."""
    if text.isprintable():
        return text
    marks = [
        mark if mark.isprintable() or mark in kept else mark.encode("unicode_escape").decode()
        for mark in text
    ]
    return "".join(marks)


def unknown(what: str, name: str, known: Iterable[str], more: str = "") -> str:
    """Return the message for an unknown name: `no game is called 'holde', did you mean holdem? (choose from ...)`."""
    known = list(known)
    return (
        f"no {what} is called {name[:40]!r}{suggestion(name, known)} (choose from {', '.join(known)}{more})"
    )


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of that message, `, did you mean holdem?`, or nothing if no known name is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f", did you mean {near[0]}?" if near else ""
