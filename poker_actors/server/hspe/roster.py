"""Who plays in a game and who waits: seats bought with minted chips, left with forfeited ones, each durably.

Coming and going takes several bookings. The note written first says what was meant, and the books
how far it came, so a process that dies in between is finished by the next one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import attrs

from poker_actors.actors import Player, Room, Seat, Table
from poker_actors.errors import BadJournal, TableRefusal
from poker_actors.rules import next_positions
from poker_actors.server.users import Notes, User

__all__ = ["NOTE", "SEATS", "START", "Member", "Roster"]

START: Final = 10_000
"""Chips everybody starts with, minted on joining."""
SEATS: Final = 10
NOTE: Final = "game/"
_SPREAD: Final = (0, 5, 2, 7, 4, 9, 1, 6, 3, 8)
"""Seats in the order they are given, so that there are gaps for newcomers as long as can be."""

_COMING: Final = "coming"
_PLAYING: Final = "playing"
_LEAVING: Final = "leaving"


@attrs.define(eq=False)
class Member:
    """Somebody with a seat. `wealth` is the stack in chips, between hands."""

    user: User
    player: Player
    wealth: int = START
    what: str = _COMING


class Roster:
    """Members and queue of one game."""

    def __init__(self, room: Room, table: Table, notes: Notes) -> None:
        self._room = room
        self._table = table
        self._notes = notes
        self._members: dict[str, Member] = {}
        self._waiting: dict[str, tuple[User, Player]] = {}
        self.changes = 0
        """how often somebody has got or given up a seat"""

    @property
    def members(self) -> Mapping[str, Member]:
        """Who has a seat, those who are leaving it included."""
        return self._members

    @property
    def playing(self) -> dict[str, Member]:
        """Who has a seat and has not left: user id -> member, in the order they came."""
        return {user_id: one for user_id, one in self._members.items() if one.what != _LEAVING}

    @property
    def queue(self) -> tuple[str, ...]:
        """User ids of those who wait for a seat, the next one first."""
        return tuple(self._waiting)

    def join(self, user: User, player: Player, most_waiting: int) -> bool:
        """Give a seat, or a place in the queue; gives whether it is a seat."""
        if user.id in self._waiting or user.id in self.playing:
            raise TableRefusal("This player has already joined this game.", code="already_joined")
        if len(self._members) < SEATS and user.id not in self._members and not self._waiting:
            self._come(user, player)
            return True
        if len(self._waiting) >= most_waiting:
            raise TableRefusal(f"{most_waiting} players wait already", code="too_many")
        self._write({**self._waiting, user.id: (user, player)}, self._members)
        self._waiting[user.id] = (user, player)
        return False

    def leave(self, user_id: str) -> None:
        """Give the seat up, once the hand is over, or the place in the queue at once."""
        if user_id in self._waiting:
            rest = {one: who for one, who in self._waiting.items() if one != user_id}
            self._write(rest, self._members)
            self._waiting = rest
            return
        member = self.playing.get(user_id)
        if member is None:
            raise TableRefusal("The authenticated player has not joined this game.", code="not_joined")
        self._set(member, _LEAVING)

    def tidy(self) -> None:
        """Between hands: clear the seats of those who have left or lost everything, then seat who waits."""
        in_hand = {seat.player for seat in self._table.state().in_hand.values()}
        for user_id, member in list(self._members.items()):
            if member.what == _COMING:
                self._bring(member)
            if user_id in in_hand:
                continue
            if member.what == _PLAYING and not member.wealth:
                self._set(member, _LEAVING)
            if member.what == _LEAVING:
                self._clear(member)
        while self._waiting and len(self._members) < SEATS:
            user, player = next(iter(self._waiting.values()))
            if user.id in self._members:
                break  # left this very hand, and may come back after it
            self._come(user, player)

    def read(self, users: Mapping[str, tuple[User, Player]]) -> None:
        """Take up what the notes say; asks nobody, so that nothing of a hand is heard too early."""
        text = self._notes.under(NOTE)[self._table.name]
        try:
            plain = json.loads(text)
            members = {one: Member(*users[one], what=what) for one, what in plain["members"].items()}
            self._waiting = {one: users[one] for one in plain["queue"]}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadJournal(f"the record of game {self._table.name[:40]!r} does not read") from None
        self._members = members

    def come_back(self) -> None:
        """After `read`: look at the stacks, and finish what was under way."""
        for member in self._members.values():
            seat = self._seat(member)
            member.wealth = 0 if seat is None else seat.stack
        self.tidy()

    def _come(self, user: User, player: Player) -> None:
        member = Member(user, player)
        rest = {one: who for one, who in self._waiting.items() if one != user.id}
        members = {**self._members, user.id: member}
        self._write(rest, members)
        self._waiting, self._members = rest, members
        self._bring(member)

    def _bring(self, member: Member) -> None:
        """Sit a member down with minted chips, from wherever that was interrupted."""
        seat = self._seat(member)
        if seat is None:
            self._table.sit(member.player, self._best_seat())
        if seat is None or not seat.stack:
            minted = self._room.bank.balance(member.player.name)
            if minted < START:
                self._room.bank.deposit(member.player.name, START - minted)
            self._table.buy_in(member.player, START)
        member.wealth = START
        self._set(member, _PLAYING)
        self.changes += 1

    def _best_seat(self) -> int:
        """Give a free seat in which a newcomer is dealt in next, if there is one.

        The contract lets newcomers play from the next hand on, the rules have those between the
        button and the blinds wait; with a gap left of the big blind, both can be had.
        """
        state = self._table.state()
        free = [seat for seat in _SPREAD if state.seats[seat] is None]
        if state.positions is not None and len(state.ready) >= 2:
            for seat in free:
                if seat in next_positions(state.positions, {*state.ready, seat}, SEATS).dealt:
                    return seat
        return free[0]

    def _clear(self, member: Member) -> None:
        """Take a member's chips out of the room and free the seat, from wherever that was interrupted."""
        if self._seat(member) is not None:
            self._table.cash_out(member.player)
            self._table.leave(member.player)
        forfeited = self._room.bank.balance(member.player.name)
        if forfeited:
            self._room.bank.withdraw(member.player.name, forfeited)
        members = {one: who for one, who in self._members.items() if who is not member}
        self._write(self._waiting, members)
        self._members = members
        self.changes += 1

    def _seat(self, member: Member) -> Seat | None:
        seats = self._table.state().seats
        return next((seat for seat in seats if seat is not None and seat.player == member.player.name), None)

    def _set(self, member: Member, what: str) -> None:
        old, member.what = member.what, what
        try:
            self._write(self._waiting, self._members)
        except BaseException:
            member.what = old
            raise

    def _write(self, waiting: Mapping[str, object], members: Mapping[str, Member]) -> None:
        plain = {"members": {one: who.what for one, who in members.items()}, "queue": list(waiting)}
        self._notes.put(f"{NOTE}{self._table.name}", json.dumps(plain))
