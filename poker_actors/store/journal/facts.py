"""The facts that a journal records, each with a word for its kind and a JSON form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from poker_actors.errors import BadJournal
from poker_actors.frozen import value
from poker_actors.jsontext import compact_json, parse_json
from poker_actors.store.journal.record import FORMAT, upgraded

SeatKept = tuple[str, bool, int] | None
"""Player, whether sitting out, and consecutive hands with a time-out; None for an empty seat."""

WaitKept = tuple[str, int]
"""Waiting player, and the chips of the buy-in."""


OwedKept = tuple[str, bool, bool, bool, bool]
"""Player, whether the small and the big blind are owed, whether the player is new, and whether the player waits for the big blind."""

PostKept = tuple[int, str, int]
"""Seat, kind of forced bet, and chips."""


def _seats(seats: Iterable[Iterable[Any] | None]) -> tuple[SeatKept, ...]:
    kept: list[SeatKept] = []
    for seat in seats:
        if seat is None:
            kept.append(None)
        else:
            player, out, late = seat
            kept.append((player, out, late))
    return tuple(kept)


def _waiting(waiting: Iterable[Iterable[Any]]) -> tuple[WaitKept, ...]:
    return tuple((player, buy_in) for player, buy_in in waiting)


def _owed(owed: Iterable[Iterable[Any]]) -> tuple[OwedKept, ...]:
    return tuple((player, small, big, new, waits) for player, small, big, new, waits in owed)


def _posts(posts: Iterable[Iterable[Any]]) -> tuple[PostKept, ...]:
    return tuple((seat, kind, chips) for seat, kind, chips in posts)


def _numbers(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(values)


def _seconds(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(values)


def _texts(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(values)


def _names(values: Iterable[str | None]) -> tuple[str | None, ...]:
    return tuple(values)


@value
class RoomOpened:
    """The room's first fact; its bots' random choices follow from `seed`."""

    seed: int


@value
class PlayerJoined:
    """A player joined. `bot` is the text from which its bot can be made again; None without one."""

    name: str
    bot: str | None


@value
class PlayerLeft:
    """A player left for good, with no seat and no chips."""

    name: str


@value
class TableOpened:
    """A table's settings; `stakes` are the fields of `Stakes` in order, `game` is a name."""

    name: str
    seats: int
    stakes: tuple[int, ...] = attrs.field(converter=_numbers)
    game: str
    turn_seconds: float | None
    restack: int
    button: int | None
    first_hand: int
    button_moves: bool
    late_hands: int
    options: tuple[int, ...] = attrs.field(converter=_numbers, default=())
    """`CashOptions.packed`; empty for none"""
    time_bank: tuple[float, ...] = attrs.field(converter=_seconds, default=())
    """seconds and refill; empty for none"""
    missed_blinds: bool = False
    """whether missed blinds are owed"""
    ledger: bool = False
    """whether the bank counts what players bring and take; see `Ledger.count`"""


@value
class SeatsChanged:
    """A table's seats, and players waiting for one, the next first. Without seats the table is closed."""

    table: str
    seats: tuple[SeatKept, ...] = attrs.field(converter=_seats)
    waiting: tuple[WaitKept, ...] = attrs.field(converter=_waiting, default=())
    once: tuple[str, ...] = attrs.field(converter=_texts, default=())
    """players who run no board more than once"""
    leaving: tuple[str, ...] = attrs.field(converter=_texts, default=())
    """players who cash out and leave once the current hand is booked"""
    owed: tuple[OwedKept, ...] = attrs.field(converter=_owed, default=())
    """missed blinds"""


@value
class Booked:
    """One balanced booking of the ledger; see `Booking`."""

    deltas: Mapping[str, int] = attrs.field(hash=False)
    key: str


@value
class HandDealt:
    """A hand began. Secret while it is played: `cards` are all that can be dealt, in order.

    `players` and `stacks` are by seat, None and 0 for seats not dealt in. `stakes` are the fields of
    `Stakes` in order; empty for those of the table.
    """

    table: str
    hand_id: str
    number: int
    button: int
    small_seat: int
    big_blind: int
    players: tuple[str | None, ...] = attrs.field(converter=_names)
    stacks: tuple[int, ...] = attrs.field(converter=_numbers)
    cards: str = attrs.field(repr=False)
    secret: str = attrs.field(repr=False)
    """the secret of the commitment to the deck, in hexadecimal; empty without one"""
    stakes: tuple[int, ...] = attrs.field(converter=_numbers, default=())
    options: tuple[int, ...] = attrs.field(converter=_numbers, default=())
    """`HandOptions.packed`; empty for none"""
    reshuffle: str = attrs.field(repr=False, default="")
    """the secret that reshuffles follow from, in hexadecimal; empty in games without draws"""
    game: str = ""
    """the game of this hand; empty for the table's"""
    posts: tuple[PostKept, ...] = attrs.field(converter=_posts, default=())
    """every forced bet if missed blinds are posted; empty for those of the stakes"""


@value
class ActionTaken:
    """An action was accepted: number `seq` of the hand, as an entry of `Hand.entries`, with `order`.

    The entry of a discard names cards by position, so it is as secret as the cards of `HandDealt`. The entry of a lay
    has their order in the rows, unless it is the hand's; earlier versions kept none.
    """

    hand_id: str
    seq: int
    entry: int


@value
class HandOver:
    """A hand ended and was paid, or was `voided`, which leaves stacks as they were."""

    hand_id: str
    voided: bool


@value
class CardsShown:
    """A player turned up the cards of a seat by choice, after the hand."""

    hand_id: str
    seat: int


@value
class Noted:
    """A program around the room keeps `text` under `key`; None deletes it."""

    key: str
    text: str | None = attrs.field(repr=False)


Fact = (
    RoomOpened
    | PlayerJoined
    | PlayerLeft
    | TableOpened
    | SeatsChanged
    | Booked
    | HandDealt
    | ActionTaken
    | HandOver
    | CardsShown
    | Noted
)

_KINDS: Final[dict[str, type[Fact]]] = {
    "room": RoomOpened,
    "player": PlayerJoined,
    "gone": PlayerLeft,
    "table": TableOpened,
    "seats": SeatsChanged,
    "book": Booked,
    "deal": HandDealt,
    "act": ActionTaken,
    "over": HandOver,
    "show": CardsShown,
    "note": Noted,
}
_WORDS: Final[dict[type, str]] = {kind: word for word, kind in _KINDS.items()}
_LEFT_OUT: Final[dict[type, tuple[str, ...]]] = {
    SeatsChanged: ("leaving", "owed"),
    TableOpened: ("missed_blinds", "ledger"),
    HandDealt: ("posts",),
}
"""Fields written only if they have a value: without one, a record equals those of versions that lacked them."""
_FIELDS: Final = {kind: [field.name for field in attrs.fields(kind)] for kind in _KINDS.values()}


def to_plain(fact: Fact) -> dict[str, Any]:
    """Return a fact's fields as a JSON object."""
    kind = type(fact)
    fields = {name: getattr(fact, name) for name in _FIELDS[kind]}
    for name in _LEFT_OUT.get(kind, ()):
        if not fields[name]:
            del fields[name]
    return fields


def from_plain(word: str, fields: Mapping[str, Any]) -> Fact:
    """Return the fact with this word and these fields; raises `BadJournal` if there is none."""
    kind = _KINDS.get(word)
    if kind is None:
        raise BadJournal(f"{word[:40]!r} is not a kind of record: the kinds are {', '.join(_KINDS)}")
    try:
        return kind(**fields)
    except (TypeError, ValueError) as error:
        raise BadJournal(f"a record of kind {word!r} cannot be read: {error}") from None


def encode(fact: Fact) -> tuple[str, str]:
    """Return a fact's word and its JSON."""
    return _WORDS[type(fact)], compact_json(to_plain(fact))


def decode(word: str, payload: str, version: int = FORMAT) -> Fact:
    """Read a fact written in format `version`; raises `BadJournal`."""
    try:
        fields = parse_json(payload)
    except ValueError as error:
        raise BadJournal(f"a record of kind {word!r} is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise BadJournal(f"a record of kind {word!r} is not a JSON object")
    return from_plain(word, upgraded(version, word, fields))
