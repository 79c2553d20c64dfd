"""The state of a room, folded from all facts of its journal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, TypeVar, assert_never

import attrs

from poker_actors.errors import BadJournal, PokerError
from poker_actors.jsontext import compact_json, parse_json
from poker_actors.store.journal.facts import (
    ActionTaken,
    Booked,
    CardsShown,
    Fact,
    HandDealt,
    HandOver,
    Noted,
    OwedKept,
    PlayerJoined,
    PlayerLeft,
    RoomOpened,
    SeatKept,
    SeatsChanged,
    TableOpened,
    WaitKept,
    from_plain,
    to_plain,
)
from poker_actors.store.journal.record import FORMAT, upgraded
from poker_actors.store.ledger import Booking, Ledger, bank_account

F = TypeVar("F")


@attrs.define
class TableImage:
    """A table. `dealt` is the current hand or, once `over`, the last one."""

    opened: TableOpened
    seats: tuple[SeatKept, ...]
    dealt: HandDealt | None = None
    log: list[int] = attrs.field(factory=list, repr=False)
    """its actions"""
    over: bool = False
    voided: bool = False
    waiting: tuple[WaitKept, ...] = ()
    """players waiting for a seat, the next one first"""
    once: tuple[str, ...] = ()
    """players who run no board more than once"""
    leaving: tuple[str, ...] = ()
    """players who cash out and leave once the hand is booked"""
    owed: tuple[OwedKept, ...] = ()
    """missed blinds"""
    shown: tuple[int, ...] = ()
    """seats that have shown their cards by choice since `dealt` was over"""
    came: int = 0
    """players who had ever joined when `dealt` was dealt; see `RoomImage.dealt_in`"""

    @property
    def open_hand(self) -> HandDealt | None:
        """The current hand; None between hands."""
        return None if self.over else self.dealt


@attrs.define
class RoomImage:
    """A room: everything that must survive a crash, without addresses, threads or clocks."""

    SET_ASIDE: ClassVar = "set aside/"
    """prefix of notes on what could not be restored, and why"""

    seed: int | None = None
    players: dict[str, str | None] = attrs.field(factory=dict)
    """name -> the text its bot is made from, or None, in order of arrival"""
    numbers: dict[str, int] = attrs.field(factory=dict)
    """name -> the number of players before; seeds the player's random generator"""
    tables: dict[str, TableImage] = attrs.field(factory=dict)
    ledger: Ledger = attrs.field(factory=Ledger)
    notes: dict[str, str] = attrs.field(factory=dict, repr=False)
    """texts of programs around the room, by key"""
    came: int = 0
    """players who ever joined, including those who left"""

    def apply(self, fact: Fact) -> None:
        """Apply one fact; raises `BadJournal` if it cannot follow the earlier ones."""
        match fact:
            case ActionTaken():
                self._act(fact)
            case Booked(deltas, key):
                self._book(deltas, key)
            case HandDealt():
                self._deal(fact)
            case HandOver():
                self._end(fact)
            case CardsShown():
                self._show(fact)
            case SeatsChanged():
                self._seat(fact)
            case TableOpened():
                self.tables[fact.name] = TableImage(fact, (None,) * fact.seats)
                if fact.ledger:
                    self.ledger.count(fact.name)
            case PlayerJoined(name, bot):
                self.players[name], self.numbers[name] = bot, self.came
                self.came += 1
            case PlayerLeft(name):
                self._leave(name)
            case RoomOpened(seed):
                self.seed = seed
            case Noted(key, text):
                self.notes.pop(key, None)
                if text is not None:
                    self.notes[key] = text
            case _:
                assert_never(fact)

    def check(self, facts: Sequence[Fact]) -> None:
        """Raise `BadJournal` if `apply` would refuse one of these facts, in this order; change nothing.

        They are tried on a copy of what they touch: the whole image may have thousands of tables.
        """
        booked = [Booking(fact.deltas, fact.key) for fact in facts if isinstance(fact, Booked)]
        left = [fact.name for fact in facts if isinstance(fact, PlayerLeft) and fact.name in self.players]
        tables = {name: self.tables[name] for name in map(_table_of, facts) if name in self.tables}
        part = RoomImage(
            players={name: self.players[name] for name in left},
            numbers={name: self.numbers[name] for name in left},
            tables={name: attrs.evolve(table, log=list(table.log)) for name, table in tables.items()},
            ledger=self.ledger.part(booked),
            came=self.came,
        )
        for fact in facts:
            part.apply(fact)

    def _deal(self, fact: HandDealt) -> None:
        table = self._table(fact.table)
        if table.open_hand is not None:
            raise BadJournal(f"{fact.hand_id} was dealt while {table.open_hand.hand_id} was being played")
        table.dealt, table.log, table.over, table.voided = fact, [], False, False
        table.came, table.shown = self.came, ()

    def _end(self, fact: HandOver) -> None:
        table = self._table(fact.hand_id.partition("/")[0])
        if table.dealt is None or table.dealt.hand_id != fact.hand_id:
            raise BadJournal(f"{fact.hand_id} is over but was not dealt")
        table.over, table.voided = True, fact.voided

    def _show(self, fact: CardsShown) -> None:
        table = self._table(fact.hand_id.partition("/")[0])
        if not table.over or table.dealt is None or table.dealt.hand_id != fact.hand_id:
            raise BadJournal(f"cards of {fact.hand_id} are shown, but it is not the hand that is over")
        table.shown += (fact.seat,)

    def _seat(self, fact: SeatsChanged) -> None:
        table = self._table(fact.table)
        table.seats, table.waiting = fact.seats, fact.waiting
        table.once, table.leaving, table.owed = fact.once, fact.leaving, fact.owed
        if not fact.seats:
            self._close(fact.table)

    def _act(self, fact: ActionTaken) -> None:
        table = self._table(fact.hand_id.partition("/")[0])
        hand = table.open_hand
        if hand is None or hand.hand_id != fact.hand_id:
            # its table voided the hand while the action was on its way
            return
        if fact.seq != len(table.log):
            raise BadJournal(f"{fact.hand_id}: action {fact.seq} follows {len(table.log)} actions")
        table.log.append(fact.entry)

    def _book(self, deltas: Any, key: str) -> None:
        try:
            self.ledger.book(Booking(deltas, key))
        except PokerError as error:
            raise BadJournal(f"impossible booking: {error}") from None

    def _close(self, name: str) -> None:
        del self.tables[name]
        self.ledger.forget(f"{name}/")  # its hands will not be booked again
        self.ledger.uncount(name)

    def _leave(self, name: str) -> None:
        if name not in self.players:
            raise BadJournal(f"player {name[:80]!r} leaves but is not in the room")
        del self.players[name], self.numbers[name]

    def _table(self, name: str) -> TableImage:
        table = self.tables.get(name)
        if table is None:
            raise BadJournal(f"there is no table {name[:80]!r}")
        return table

    def dealt_in(self, table: TableImage) -> dict[str, int]:
        """Return the players dealt into a table's current or last hand who are still in the room: name -> seat.

        A later player of the same name is left out: that player has seen no card of it.
        """
        if table.dealt is None:
            return {}
        return {
            name: seat
            for seat, name in enumerate(table.dealt.players)
            if name is not None and self.numbers.get(name, table.came) < table.came
        }

    def set_aside(self, name: str, why: str) -> tuple[Fact, ...]:
        """Return the facts that take a table out of the room: its chips go back to their owners' banks.

        Its hand, if one is open, is voided with it. A note under `SET_ASIDE` keeps what it was.
        """
        deltas: dict[str, int] = {}
        for account, chips in self.ledger.balances().items():
            kind, _, rest = account.partition("/")
            # names have no slash: stack/TABLE/PLAYER and escrow/TABLE/HAND/PLAYER
            if kind in ("stack", "escrow") and rest.startswith(f"{name}/"):
                owner = bank_account(rest.rpartition("/")[2])
                deltas[account] = -chips
                deltas[owner] = deltas.get(owner, 0) + chips
        counts = self.ledger.counts(name)
        told = {"why": why, "table": _table_plain(self.tables[name])} | ({"counts": counts} if counts else {})
        booked = (Booked(deltas, ""),) if deltas else ()
        return (*booked, Noted(f"{self.SET_ASIDE}{name}", json.dumps(told)), SeatsChanged(name, ()))

    def copy(self) -> RoomImage:
        """Return an independent copy."""
        tables = {name: attrs.evolve(table, log=list(table.log)) for name, table in self.tables.items()}
        return RoomImage(
            self.seed,
            dict(self.players),
            dict(self.numbers),
            tables,
            self.ledger.copy(),
            dict(self.notes),
            self.came,
        )

    def take_over(self, other: RoomImage) -> None:
        """Copy another image's state into this one; holders of the ledger see the new one."""
        self.ledger.take_over(other.ledger)
        for name in {*attrs.fields_dict(RoomImage)} - {"ledger"}:
            setattr(self, name, getattr(other, name))

    # -- as text ----------------------------------------------------------------------------

    def to_json(self) -> str:
        """Return the image as one line of JSON."""
        return "".join(self.pieces())

    def pieces(self) -> Iterator[str]:
        """Return the image as one line of JSON, piece by piece.

        `json.dumps` holds the GIL until it returns. Each piece takes far less than a millisecond, so other
        threads of a served room need not wait for a whole snapshot.
        """
        players = ([name, text, self.numbers[name]] for name, text in self.players.items())
        yield f'{{"seed":{_dumped(self.seed)},"players":['
        yield from _listed(players)
        yield f'],"came":{self.came},"tables":['
        yield from _listed(map(_table_plain, self.tables.values()))
        yield '],"balances":{'
        yield from _listed(self.ledger.balances().items(), _entry)
        yield '},"keys":['
        yield from _listed(self.ledger.keys)
        yield '],"notes":{'
        yield from _listed(self.notes.items(), _entry)
        counted = [(name, counts) for name in self.tables if (counts := self.ledger.counts(name))]
        if counted:  # absent from images of versions that did not count
            yield '},"counts":{'
            yield from _listed(counted, _entry)
        yield "}}"

    @classmethod
    def from_json(cls, text: str, version: int = FORMAT) -> RoomImage:
        """Read an image that `to_json` made in format `version`; raises `BadJournal`."""
        try:
            plain = parse_json(text)
            image = cls(plain["seed"])
            for number, (name, bot, *told) in enumerate(plain["players"]):
                image.players[name] = bot
                image.numbers[name] = told[0] if told else number  # in formats 1 and 2 nobody could leave
            image.came = plain.get("came", len(image.players))
            for kept in plain["tables"]:
                # snapshots of earlier versions do not say who came later: everybody there by then may have been dealt in
                table = _table_from(kept, version, kept.get("came", image.came))
                image.tables[table.opened.name] = table
            image.ledger = Ledger.of(plain["balances"], plain["keys"])
            counts = dict(plain.get("counts", {}))
            for name, table in image.tables.items():
                if table.opened.ledger:
                    image.ledger.count(name, dict(counts.get(name, {})))
            # absent from snapshots of rooms without notes
            image.notes = dict(plain.get("notes", {}))
        except BadJournal as error:
            raise BadJournal(f"the snapshot cannot be read: {error}") from None
        except (KeyError, TypeError, ValueError) as error:
            raise BadJournal(f"the snapshot cannot be read: {type(error).__name__}: {error}") from None
        return image


def _table_of(fact: Fact) -> str | None:
    """Return the name of the table that a fact changes, if it is there already."""
    match fact:
        case HandDealt() | SeatsChanged():
            return fact.table
        case ActionTaken() | HandOver() | CardsShown():
            return fact.hand_id.partition("/")[0]
        case _:
            return None


def _table_plain(table: TableImage) -> dict[str, Any]:
    later = {name: kept for name in ("leaving", "owed", "shown") if (kept := getattr(table, name))}
    return {
        "opened": to_plain(table.opened),
        "seats": table.seats,
        "dealt": None if table.dealt is None else to_plain(table.dealt),
        "log": table.log,
        "over": table.over,
        "voided": table.voided,
        "waiting": table.waiting,
        "once": table.once,
        "came": table.came,
        **later,
    }


def _dumped(plain: object) -> str:
    return compact_json(plain)


def _entry(item: tuple[str, object]) -> str:
    name, value = item
    return f"{_dumped(name)}:{_dumped(value)}"


def _listed(items: Iterable[Any], text: Callable[[Any], str] = _dumped) -> Iterator[str]:
    """Return the text between the brackets, an item at a time."""
    comma = ""
    for item in items:
        yield comma + text(item)
        comma = ","


def _table_from(kept: dict[str, Any], version: int, came: int) -> TableImage:
    def fact(kind: type[F], word: str, fields: dict[str, Any]) -> F:
        found = from_plain(word, upgraded(version, word, fields))
        assert isinstance(found, kind)
        return found

    opened = fact(TableOpened, "table", kept["opened"])
    dealt = None if kept["dealt"] is None else fact(HandDealt, "deal", kept["dealt"])
    # `waiting` and `once` are absent from snapshots of format 1, the rest where nobody is listed
    fields = {name: kept.get(name, ()) for name in ("seats", "waiting", "once", "leaving", "owed")}
    seats = fact(SeatsChanged, "seats", {"table": kept["opened"]["name"], **fields})
    return TableImage(
        opened,
        seats.seats,
        dealt,
        list(kept["log"]),
        over=kept["over"],
        voided=kept["voided"],
        waiting=seats.waiting,
        once=seats.once,
        leaving=seats.leaving,
        owed=seats.owed,
        shown=tuple(kept.get("shown", ())),
        came=came,
    )
