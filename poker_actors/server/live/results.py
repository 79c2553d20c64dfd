"""Keep each user's winnings by day, longer than the hands; rank users who have agreed to it; list debts at a table."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import io
import json
from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Final

import attrs

from poker_actors.errors import BadJournal, TableRefusal
from poker_actors.jsontext import compact_json, parse_json
from poker_actors.rules import Hand
from poker_actors.server.contract import answers, tables
from poker_actors.server.hspe import MOST_WATCH_DELAY, Game, Lobby, Member, is_house
from poker_actors.server.users import User
from poker_actors.sim import estimate
from poker_actors.store import settlement

DAYS_KEPT: Final = 400
"""Days of play kept per user; earlier ones are merged into one sum."""
LEAST_HANDS: Final = 100
"""Hands for a place on the board: with fewer, one or two pots decide the interval."""
MOST_ROWS: Final = 100
"""Rows of each of the board's lists."""
_NOTE: Final = "results/"
_BEFORE: Final = "before"
_LISTED: Final = "board/"
"""Notes of who wants to be on the board, by user id."""
_ROWS_AT_ONCE: Final = 5
"""Users whose rows are made before the loop goes on: about a millisecond's work."""
_PARTS: Final = 1_000
"""Nets in big blinds are summed in thousandths, so that sums are exact."""


@attrs.frozen
class _Sum:
    """Hands and net chips; for hands that count on the board also nets in fractions of a big blind, and squares.

    Journals from before the board have only hands and chips, which do not say what the big blind was.
    """

    hands: int = 0
    net: int = 0
    counted: int = 0
    parts: int = 0
    squares: int = 0

    @classmethod
    def of_hand(cls, hand: Hand, seat: int) -> _Sum:
        net = hand.stacks[seat] - hand.starting[seat]
        # a table's smallest bet is its big blind; without blinds it is what bets are counted in, as in a simulation
        parts = round(_PARTS * net / hand.stakes.min_bet)
        return cls(1, net, 1, parts, parts**2)

    def __add__(self, other: _Sum) -> _Sum:
        return _Sum(
            self.hands + other.hands,
            self.net + other.net,
            self.counted + other.counted,
            self.parts + other.parts,
            self.squares + other.squares,
        )

    def __sub__(self, other: _Sum) -> _Sum:
        return self + _Sum(-other.hands, -other.net, -other.counted, -other.parts, -other.squares)


_FIELDS: Final = [attrgetter(one.name) for one in attrs.fields(_Sum)]


class Results:
    """Daily sums by user, kept with the room's journal until the account is deleted."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._days: dict[str, dict[str, _Sum]] = {}
        self._unseen: list[tuple[float, str, str, _Sum]] = []
        """until when, whose and of which day: results of hands whose player has left a table watched with a delay"""
        for key, (one, unseen) in sorted(lobby.notes.read(_NOTE, lambda key, text: _read(text)).items()):
            user_id, _, day = key.partition("/")
            self._days.setdefault(user_id, {})[day] = one
            for until, more in unseen:
                self._hide(until, user_id, day, more)
        self.board: Final = Board(lobby, self)
        lobby.on_ended.append(self._ended)
        lobby.on_clear_up.append(self._forget_gone)

    def of_user(self, user_id: str) -> answers.Results:
        """Return a user's hands and net chips, in all and by day, oldest first."""
        days = {
            day: sum((_Sum() - more for _, more in self._hidden(user_id, day)), one)
            for day, one in self._days.get(user_id, {}).items()
        }
        days = {day: one for day, one in days.items() if one.hands}
        whole = sum(days.values(), _Sum())
        told: list[answers.Day] = [
            {"day": day, "hands": one.hands, "net": one.net}
            for day, one in sorted(days.items())
            if day != _BEFORE
        ]
        return {"hands": whole.hands, "net": whole.net, "days": told}

    def up_to(self, last: str, user_id: str, firsts: Sequence[str]) -> list[_Sum]:
        """Return a user's sums from each day of `firsts`, earliest first, to `last`; an empty one means all days."""
        days = [
            (day, one) for day, one in self._days.get(user_id, {}).items() if day <= last or day == _BEFORE
        ]
        sums = []
        for first in firsts:
            if first:
                days = [(day, one) for day, one in days if first <= day != _BEFORE]
            sums.append(_Sum(*[sum(map(part, [one for _, one in days])) for part in _FIELDS]))
        return sums

    def _ended(
        self, game: Game, hand: Hand, hand_id: str, players: Mapping[int, Member]
    ) -> dict[str, str | None]:
        """Count a hand; return what is to be noted, which is kept in memory while the journal cannot be written."""
        notes: dict[str, str | None] = {}
        if game.id not in self._lobby.games:
            return notes  # a tournament: its chips are not winnings
        day = datetime.fromtimestamp(self._lobby.now(), UTC).date().isoformat()
        for seat, member in players.items():
            if member.house is None and hand.starting[seat]:
                more = _Sum.of_hand(hand, seat)
                if not game.sees_now(member.user.id):
                    self._hide(self._lobby.now() + game.setting.watch_delay, member.user.id, day, more)
                notes |= self._add(member.user.id, day, more)
        return notes

    def _hide(self, until: float, user_id: str, day: str, more: _Sum) -> None:
        """Hide from a user who has left how a hand ended, until spectators can see it."""
        now = self._lobby.now()
        self._unseen = [one for one in self._unseen if one[0] > now]
        self._unseen.append((until, user_id, day, more))

    def _hidden(self, user_id: str, day: str) -> list[tuple[float, _Sum]]:
        """Return until when part of a day is hidden from its user, and which part."""
        now = self._lobby.now()
        return [
            (until, more)
            for until, who, of, more in self._unseen
            if (who, of) == (user_id, day) and until > now
        ]

    def _add(self, user_id: str, day: str, more: _Sum) -> dict[str, str | None]:
        days, notes = self._days.setdefault(user_id, {}), dict[str, str | None]()
        if day not in days and len(days) - (_BEFORE in days) >= DAYS_KEPT:
            oldest = min(days)  # a word comes after all dates
            days[_BEFORE] = days.get(_BEFORE, _Sum()) + days.pop(oldest)
            notes = {_key(user_id, oldest): None, _key(user_id, _BEFORE): self._text(user_id, _BEFORE)}
        days[day] = days.get(day, _Sum()) + more
        return notes | {_key(user_id, day): self._text(user_id, day)}

    def _text(self, user_id: str, day: str) -> str:
        """Return a day's note with its hidden part, in one record: in two, a crash could separate a hand from it."""
        unseen = [(until, *attrs.astuple(more)) for until, more in self._hidden(user_id, day)]
        return json.dumps([*attrs.astuple(self._days[user_id][day]), *unseen])

    def _forget_gone(self) -> None:
        """Forget the winnings of deleted accounts; raises `StorageFailed`."""
        for user_id in [one for one in self._days if self._lobby.users.get(one) is None]:
            self._lobby.notes.forget([_key(user_id, day) for day in self._days[user_id]])
            del self._days[user_id]

    def __repr__(self) -> str:
        return f"<Results: of {len(self._days)} users>"


@attrs.frozen(order=True)
class _Row:
    """A user's row in one of the board's lists, sorted by its first fields."""

    rank: float
    name: str
    user_id: str
    """a user who takes the name of a deleted account is somebody else"""
    hands: int = attrs.field(order=False)
    mean: float = attrs.field(default=0.0, order=False)
    margin: float = attrs.field(default=0.0, order=False)


@attrs.frozen(eq=False)
class _Span:
    """The rows of all who have hands in days since `first`; empty: ever."""

    first: str
    players: list[_Row] = attrs.field(factory=list)
    fewer: list[_Row] = attrs.field(factory=list)


class Board:
    """The room's players who want to be listed, by their results over whole days: nobody else is on it.

    A day counts once it and the longest delay for spectators are over: otherwise the board would reveal hands
    that spectators have not seen yet. On a new day all rows are rebuilt, a few at a time, as play goes on: a
    user with 400 days takes a tenth of a millisecond. Otherwise only the rows of users who join or leave the
    board change.
    """

    def __init__(self, lobby: Lobby, results: Results) -> None:
        self._lobby = lobby
        self._results = results
        self._listed = set(lobby.notes.under(_LISTED))
        self._dropped = lobby.users.dropped
        self._missing: dict[str, None] = {}
        """ids of those listed who have no rows yet"""
        self._rows: dict[str, list[tuple[list[_Row], _Row]]] = {}
        """user id -> all rows, and the list that each is in"""
        self._spans: list[_Span] = []
        self._last = ""
        """the last day that counts"""
        self._making = asyncio.Lock()
        self._told: tuple[bytes, str] | None = None
        lobby.on_clear_up.append(self._forget_gone)

    def lists(self, user_id: str) -> bool:
        """Return whether a user wants to be on the board."""
        return user_id in self._listed

    def put(self, user_id: str, *, listed: bool) -> None:
        """List a user durably, or stop; raises `StorageFailed`."""
        if listed == self.lists(user_id):
            return
        self._lobby.notes.put(f"{_LISTED}{user_id}", "listed" if listed else None)
        if listed:
            self._listed.add(user_id)
            self._missing[user_id] = None
        else:
            self._listed.discard(user_id)
            self._take_off(user_id)

    def _take_off(self, user_id: str) -> None:
        self._missing.pop(user_id, None)
        for rows, row in self._rows.pop(user_id, ()):
            del rows[bisect_left(rows, row)]
            self._told = None

    async def told(self) -> tuple[bytes, str]:
        """Return the board as JSON and its ETag, remade only with a new day or other players."""
        async with self._making:  # the second to ask would only make the first wait
            made = 0
            while self._is_due():
                self._add(self._missing.popitem()[0])
                made += 1
                if not made % _ROWS_AT_ONCE:
                    await asyncio.sleep(0)
            if self._told is None:
                body = f"{compact_json(self._whole())}\n".encode()
                self._told = body, f'"b-{hashlib.sha256(body).hexdigest()[:16]}"'
            return self._told

    def _is_due(self) -> bool:
        """Return whether rows are missing; starts over on a new day, and takes deleted users off."""
        if self._dropped != self._lobby.users.dropped:
            self._dropped = self._lobby.users.dropped
            for user_id in self._gone():
                self._take_off(user_id)
        last = datetime.fromtimestamp(self._lobby.now() - MOST_WATCH_DELAY, UTC).date() - timedelta(days=1)
        if last.isoformat() != self._last:
            self._last = last.isoformat()
            firsts = [(last - timedelta(days=days)).isoformat() for days in (29, 6)]
            self._spans = [_Span(first) for first in ("", *firsts)]
            self._rows, self._missing, self._told = {}, dict.fromkeys(self._listed), None
        return bool(self._missing)

    def _add(self, user_id: str) -> None:
        """Add a user to each span in which they have hands."""
        user = self._lobby.users.get(user_id)
        if user is None:
            return
        rows = []
        sums = self._results.up_to(self._last, user_id, [span.first for span in self._spans])
        for span, one in zip(self._spans, sums, strict=True):
            if one.counted:
                row, order = _row(user, one), span.players if one.counted >= LEAST_HANDS else span.fewer
                insort(order, row)
                rows.append((order, row))
        self._rows[user_id], self._told = rows, None

    def _whole(self) -> answers.RoomBoard:
        whole, month, week = map(_span, self._spans)
        return {"as_of": self._last, "least_hands": LEAST_HANDS, "week": week, "month": month, "all": whole}

    def _gone(self) -> list[str]:
        return [one for one in self._listed if self._lobby.users.get(one) is None]

    def _forget_gone(self) -> None:
        """Take deleted users off the list; raises `StorageFailed`."""
        gone = self._gone()
        self._lobby.notes.forget([f"{_LISTED}{one}" for one in gone])
        for user_id in gone:
            self._listed.discard(user_id)
            self._take_off(user_id)

    def __repr__(self) -> str:
        return f"<Board: {len(self._listed)} listed>"


def _row(user: User, one: _Sum) -> _Row:
    """Return a user's row: with enough hands ranked by the lower end of the interval, else by their number."""
    if one.counted < LEAST_HANDS:
        return _Row(-one.counted, user.name, user.id, one.counted)
    found = estimate(one.counted, one.parts, one.squares).scaled(100 / _PARTS)
    assert found.margin is not None
    mean, margin = round(found.mean, 2), round(found.margin, 2)
    return _Row(margin - mean, user.name, user.id, one.counted, mean, margin)


def _span(span: _Span) -> answers.BoardSpan:
    return {
        "since": span.first or None,
        "of": len(span.players) + len(span.fewer),
        "players": [
            {"name": one.name, "hands": one.hands, "bb_per_100": one.mean, "margin": one.margin}
            for one in span.players[:MOST_ROWS]
        ],
        "fewer": [{"name": one.name, "hands": one.hands} for one in span.fewer[:MOST_ROWS]],
    }


def ledger(lobby: Lobby, game: Game, user: User) -> tables.Ledger:
    """Return who owes whom at a table, according to the bank.

    Raises `TableRefusal`: `no_ledger`, `not_yours` for a user who neither sits nor sat there, nor made it.
    """
    accounts = lobby.room.bank.accounts(game.table)
    if user.id not in {game.setting.maker, *[one.player for one in accounts]}:
        text = "only a table's players, past ones too, and its maker may see its ledger"
        raise TableRefusal(text, code="not_yours")
    players: list[tables.Owner] = [
        {
            "player_id": one.player,
            "name": lobby.name_at(game, one.player) or None,
            "house": is_house(one.player),
            "seated": game.roster.plays(one.player),
            "times": one.times,
            "bought": one.bought,
            "cashed": one.cashed,
            "stack": one.stack,
            "net": one.net,
        }
        for one in accounts
    ]
    nets = {one["player_id"]: one["net"] for one in players if not one["house"]}
    house = -sum(nets.values())
    payments: list[tables.Owed] = [
        {"payer": one.payer or None, "payee": one.payee or None, "chips": one.chips}
        for one in settlement({**nets, "": house})
    ]
    return {
        "game": game.id,
        "name": game.setting.name,
        "players": players,
        "house": house,
        "payments": payments,
    }


def ledger_lines(told: tables.Ledger) -> str:
    """Return a ledger as comma-separated values: chips brought, taken and won, then the payments."""
    names: dict[str | None, str] = {one["player_id"]: _in_a_cell(one) for one in told["players"]}
    names[None] = "the house"
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(["player", "buy-ins", "bought", "cashed", "stack", "net"])
    for one in told["players"]:
        numbers = [one["times"], one["bought"], one["cashed"], one["stack"], one["net"]]
        lines.writerow([names[one["player_id"]], *numbers])
    lines.writerows([[], ["payer", "payee", "chips"]])
    for owed in told["payments"]:
        lines.writerow([names[owed["payer"]], names[owed["payee"]], owed["chips"]])
    return text.getvalue()


def _in_a_cell(player: tables.Owner) -> str:
    """Return a name that no spreadsheet takes for a formula; that of a deleted account is its id."""
    name = player["name"] or player["player_id"]
    return f"'{name}" if name[0] in "=+-@" else name


def _key(user_id: str, day: str) -> str:
    return f"{_NOTE}{user_id}/{day}"


def _read(text: str) -> tuple[_Sum, list[tuple[float, _Sum]]]:
    """Return a day's sum, the part still hidden from its user, and until when."""
    try:
        parts = parse_json(text)
        unseen = [(float(part[0]), _summed(part[1:])) for part in parts if isinstance(part, list)]
        return _summed([part for part in parts if not isinstance(part, list)]), unseen
    except (ValueError, TypeError, LookupError):
        raise BadJournal("the record of a user's results cannot be read") from None


def _summed(numbers: Sequence[int]) -> _Sum:
    hands, net, *more = map(int, numbers)
    one = _Sum(hands, net, *more)
    if len(more) not in (0, 3) or one.counted * one.squares < one.parts**2:  # no hands have such sums
        raise BadJournal("the record of a user's results does not add up")
    return one
