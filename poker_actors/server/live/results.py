"""Keep each user's winnings by day, for longer than the hands themselves; rank who wants it; tell who owes whom at a table."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import uuid
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Final

import attrs

from poker_actors.errors import BadJournal, StorageFailed, TableRefusal
from poker_actors.jsontext import parse_json
from poker_actors.rules import Hand
from poker_actors.server.contract import answers, tables
from poker_actors.server.hspe import MOST_WATCH_DELAY, Game, Lobby, Member
from poker_actors.server.users import User
from poker_actors.sim import estimate
from poker_actors.store import settlement

__all__ = ["DAYS_KEPT", "LEAST_HANDS", "MOST_ROWS", "Board", "Results", "ledger", "ledger_lines"]

DAYS_KEPT: Final = 400
"""Days of play kept per user; earlier ones are merged into one sum."""
LEAST_HANDS: Final = 100
"""Hands for a place on the board: intervals of fewer are a matter of one or two pots."""
MOST_ROWS: Final = 100
"""Rows of each of the board's lists."""
_NOTE: Final = "results/"
_BEFORE: Final = "before"
_LISTED: Final = "board/"
"""Notes of who wants to be on the board, by user id."""
_PARTS: Final = 1_000
"""Nets in big blinds are summed in thousandths, so that sums are exact."""


@attrs.frozen
class _Sum:
    """Hands and the net chips; and of those that count on the board the nets in parts of a big blind, and their squares.

    Journals of before the board have hands and chips only, which no longer tell what the big blind was.
    """

    hands: int = 0
    net: int = 0
    counted: int = 0
    parts: int = 0
    squares: int = 0

    @classmethod
    def of_hand(cls, hand: Hand, seat: int) -> _Sum:
        net = hand.stacks[seat] - hand.starting[seat]
        # without blinds, what bets are counted in, as in a simulation
        parts = round(_PARTS * net / (hand.stakes.big_blind or hand.stakes.min_bet))
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


class Results:
    """Daily sums by user, kept with the room's journal until the account is deleted."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._days: dict[str, dict[str, _Sum]] = {}
        self._unseen: deque[tuple[float, str, str, _Sum]] = deque()
        """until when, whose and of which day: of hands that a player had left at a table watched with a delay"""
        for key, one in sorted(lobby.notes.read(_NOTE, lambda key, text: _read(text)).items()):
            user_id, _, day = key.partition("/")
            self._days.setdefault(user_id, {})[day] = one
        self.board: Final = Board(lobby, self)
        lobby.on_ended.append(self._ended)
        lobby.on_clear_up.append(self._forget_gone)

    def of_user(self, user_id: str) -> answers.Results:
        """Return a user's hands and net chips, in all and by day, oldest first."""
        days = dict(self._days.get(user_id, {}))
        for until, who, day, more in self._unseen:
            if who == user_id and until > self._lobby.now() and day in days:
                days[day] -= more
        days = {day: one for day, one in days.items() if one.hands}
        whole = sum(days.values(), _Sum())
        told: list[answers.Day] = [
            {"day": day, "hands": one.hands, "net": one.net}
            for day, one in sorted(days.items())
            if day != _BEFORE
        ]
        return {"hands": whole.hands, "net": whole.net, "days": told}

    def between(self, user_id: str, first: str, last: str) -> _Sum:
        """Return a user's sum of the days from `first` to `last`; with an empty `first` of all days to `last`."""
        days = self._days.get(user_id, {})
        counted = [one for day, one in days.items() if first <= day <= last]
        return sum(counted, _Sum() if first else days.get(_BEFORE, _Sum()))

    def _ended(self, game: Game, hand: Hand, hand_id: str, players: Mapping[int, Member]) -> None:
        if game.id not in self._lobby.games:
            return  # a tournament: its chips are not winnings
        day = datetime.fromtimestamp(self._lobby.now(), UTC).date().isoformat()
        for seat, member in players.items():
            if member.house is None and hand.starting[seat]:
                more = _Sum.of_hand(hand, seat)
                self._add(member.user.id, day, more)
                if not game.sees_now(member.user.id):
                    self._hide(self._lobby.now() + game.setting.watch_delay, member.user.id, day, more)

    def _hide(self, until: float, user_id: str, day: str, more: _Sum) -> None:
        """Keep from somebody who has left how a hand ended, until a spectator sees that."""
        while self._unseen and self._unseen[0][0] <= self._lobby.now():
            self._unseen.popleft()
        self._unseen.append((until, user_id, day, more))

    def _add(self, user_id: str, day: str, more: _Sum) -> None:
        days = self._days.setdefault(user_id, {})
        if day not in days and len(days) - (_BEFORE in days) >= DAYS_KEPT:
            oldest = min(one for one in days if one != _BEFORE)
            # the sum first: a process killed in between counts the day twice; the other order would lose it
            self._put(user_id, _BEFORE, days.get(_BEFORE, _Sum()) + days[oldest])
            self._put(user_id, oldest, None)
        self._put(user_id, day, days.get(day, _Sum()) + more)

    def _put(self, user_id: str, day: str, one: _Sum | None) -> None:
        """Keep a sum, or forget it for None; in memory only if the journal cannot be written."""
        days = self._days[user_id]
        if one is None:
            del days[day]
        else:
            days[day] = one
        with suppress(StorageFailed):
            text = None if one is None else json.dumps(attrs.astuple(one))
            self._lobby.notes.put(f"{_NOTE}{user_id}/{day}", text)

    def _forget_gone(self) -> None:
        """Forget the winnings of deleted accounts; raises `StorageFailed`."""
        for user_id in [one for one in self._days if self._lobby.users.get(one) is None]:
            self._lobby.notes.forget([f"{_NOTE}{user_id}/{day}" for day in self._days[user_id]])
            del self._days[user_id]

    def __repr__(self) -> str:
        return f"<Results: of {len(self._days)} users>"


class Board:
    """The room's players who want to be listed, by their results over whole days: nobody else is on it.

    A day counts once it and the longest delay of spectators are over: else the board would tell how a hand
    ended that not everybody may have seen yet.
    """

    def __init__(self, lobby: Lobby, results: Results) -> None:
        self._lobby = lobby
        self._results = results
        self._listed = set(lobby.notes.under(_LISTED))
        self._sums: dict[str, dict[str, _Sum]] = {}
        """first day of a span -> user id -> the sum up to `_last`"""
        self._last = ""
        self._names: dict[str, str] = {}
        self._body, self._tag = b"", ""
        lobby.on_clear_up.append(self._forget_gone)

    def lists(self, user_id: str) -> bool:
        """Return whether a user wants to be on the board."""
        return user_id in self._listed

    def put(self, user_id: str, *, listed: bool) -> None:
        """List a user durably, or no more; raises `StorageFailed`."""
        if listed != self.lists(user_id):
            self._lobby.notes.put(f"{_LISTED}{user_id}", "listed" if listed else None)
            (self._listed.add if listed else self._listed.discard)(user_id)

    def told(self) -> tuple[bytes, str]:
        """Return the board as JSON and its ETag; made anew only with a new day or other players."""
        over = datetime.fromtimestamp(self._lobby.now() - MOST_WATCH_DELAY, UTC).date()
        last = over - timedelta(days=1)
        names = {one: user.name for one in self._listed if (user := self._lobby.users.get(one))}
        if last.isoformat() != self._last:
            self._sums.clear()
        if (last.isoformat(), names) != (self._last, self._names):
            self._last, self._names = last.isoformat(), names
            self._body = (json.dumps(self._made(last), separators=(",", ":")) + "\n").encode()
            self._tag = f'"b-{hashlib.sha256(self._body).hexdigest()[:16]}"'
        return self._body, self._tag

    def _made(self, last: date) -> answers.RoomBoard:
        return {
            "as_of": self._last,
            "least_hands": LEAST_HANDS,
            "week": self._span((last - timedelta(days=6)).isoformat()),
            "month": self._span((last - timedelta(days=29)).isoformat()),
            "all": self._span(""),
        }

    def _span(self, first: str) -> answers.BoardSpan:
        sums = self._sums.setdefault(first, {})
        players: list[answers.BoardPlayer] = []
        fewer: list[answers.BoardStart] = []
        for user_id, name in self._names.items():
            if user_id not in sums:
                sums[user_id] = self._results.between(user_id, first, self._last)
            one = sums[user_id]
            if one.counted >= LEAST_HANDS:
                players.append(_placed(name, one))
            elif one.counted:
                fewer.append({"name": name, "hands": one.counted})
        players.sort(key=lambda one: (one["margin"] - one["bb_per_100"], one["name"]))
        fewer.sort(key=lambda one: (-one["hands"], one["name"]))
        return {
            "since": first or None,
            "of": len(players) + len(fewer),
            "players": players[:MOST_ROWS],
            "fewer": fewer[:MOST_ROWS],
        }

    def _forget_gone(self) -> None:
        """Forget who of the listed is deleted; raises `StorageFailed`."""
        gone = [one for one in self._listed if self._lobby.users.get(one) is None]
        self._lobby.notes.forget([f"{_LISTED}{one}" for one in gone])
        self._listed.difference_update(gone)

    def __repr__(self) -> str:
        return f"<Board: {len(self._listed)} listed>"


def _placed(name: str, one: _Sum) -> answers.BoardPlayer:
    found = estimate(one.counted, one.parts, one.squares).scaled(100 / _PARTS)
    assert found.margin is not None
    return {
        "name": name,
        "hands": one.counted,
        "bb_per_100": round(found.mean, 2),
        "margin": round(found.margin, 2),
    }


def ledger(lobby: Lobby, game: Game, user: User) -> tables.Ledger:
    """Return who owes whom at a table, by the bank's books.

    Raises `TableRefusal`: `no_ledger`, `not_yours` for who neither sits nor sat there, nor made it.
    """
    accounts = lobby.room.bank.accounts(game.table)
    if user.id not in {game.setting.maker, *[one.player for one in accounts]}:
        text = "the ledger of a table is for who sits or sat there, and for who made it"
        raise TableRefusal(text, code="not_yours")
    players: list[tables.Owner] = [
        {
            "player_id": one.player,
            "name": lobby.name_at(game, one.player) or None,
            "house": _is_house(one.player),
            "seated": one.player in game.roster.playing,
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


def _is_house(player_id: str) -> bool:
    """Return whether an id is a house player's: those follow from the table, while users' are random."""
    return uuid.UUID(player_id).version != 4


def ledger_lines(told: tables.Ledger) -> str:
    """Return a ledger as comma-separated values: who has brought, taken and won what, and below it the payments."""
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


def _read(text: str) -> _Sum:
    try:
        hands, net, *more = map(int, parse_json(text))
        one = _Sum(hands, net, *more)
    except (ValueError, TypeError):
        raise BadJournal("the record of somebody's results does not read") from None
    if len(more) not in (0, 3) or one.counted * one.squares < one.parts**2:  # no hands have such sums
        raise BadJournal("the record of somebody's results does not add up")
    return one
