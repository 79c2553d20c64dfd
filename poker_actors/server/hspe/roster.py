"""A game's players and queue: seats are bought with minted chips and left with forfeited ones, each durably.

Joining and leaving take several bookings. The note written first says what is intended, and the ledger how
far it was carried out, so the next process can finish what a dead one began.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

import attrs

from poker_actors.actors import Player, Room, Seat, Table
from poker_actors.errors import BadJournal, PokerError, StorageFailed, TableRefusal
from poker_actors.rules import next_positions
from poker_actors.server.hspe.house import HouseSeat
from poker_actors.server.hspe.setting import Setting
from poker_actors.server.notes import Notes
from poker_actors.server.users import User

NOTE: Final = "game/"
_SPREAD: Final = (0, 5, 2, 7, 4, 9, 1, 6, 3, 8)
"""The order of assigning seats, which keeps gaps for newcomers as long as possible."""

_COMING: Final = "coming"
_PLAYING: Final = "playing"
_LEAVING: Final = "leaving"


@attrs.define(eq=False)
class Member:
    """A player with a seat. `wealth` is the stack in chips, between hands."""

    user: User
    player: Player
    wealth: int
    what: str = _COMING
    seat: int | None = None
    """the seat taken, once seated"""
    house: HouseSeat | None = None
    """the bot, for a house player"""
    keeps_seat: bool = False
    """a person, who sits out after a missed turn instead of leaving"""
    bank: float = 0.0
    """seconds of the time bank that are left"""
    away: float | None = None
    """sitting out since (seconds since 1970); None while playing"""
    last_hand: bool = False
    """whether the player leaves after the current hand"""


@attrs.frozen
class RosterNote:
    """The members and the queue in a game's note."""

    members: dict[str, tuple[User, str, HouseSeat | None]]
    """user id -> user, what the user is doing, and the bot of a house player"""
    queue: list[User]
    persons: set[str]
    away: dict[str, float]
    banks: dict[str, float]
    last: set[str]
    """users who leave after the current hand"""

    @classmethod
    def read(
        cls, game_id: str, plain: Mapping[str, Any], user: Callable[[str], User], seed: int
    ) -> RosterNote:
        """Read a note; `user` finds the registered user of an id. Raises `BadJournal`."""
        try:
            told = plain.get("house", {}).items()
            house = {one: HouseSeat.of(one, name, bot, seed, *by) for one, (name, bot, *by) in told}
            return cls(
                {
                    one: (house[one].user if one in house else user(one), str(what), house.get(one))
                    for one, what in plain["members"].items()
                },
                [user(one) for one in plain["queue"]],
                set(plain.get("persons", ())),
                {one: float(since) for one, since in plain.get("away", {}).items()},
                {one: float(left) for one, left in plain.get("banks", {}).items()},
                set(plain.get("last", ())),
            )
        except BadJournal:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, PokerError) as error:
            text = f"the record of game {game_id[:40]!r} cannot be read: {type(error).__name__}: {error}"
            raise BadJournal(text) from None


class Roster:
    """The members and the queue of one game."""

    def __init__(self, room: Room, table: Table, notes: Notes, setting: Setting) -> None:
        self._room = room
        self._table = table
        self._notes = notes
        self._setting = setting
        self._members: dict[str, Member] = {}
        self._waiting: dict[str, tuple[User, Player]] = {}
        self._persons: set[str] = set()
        """user ids of those who last joined to keep their seats"""
        self.changes = 0
        """how often a seat was taken or given up"""

    @property
    def members(self) -> Mapping[str, Member]:
        """All members with a seat, including those leaving it."""
        return self._members

    @property
    def playing(self) -> dict[str, Member]:
        """Members with a seat who are not leaving: user id -> member, in order of arrival."""
        return {user_id: one for user_id, one in self._members.items() if one.what != _LEAVING}

    def plays(self, user_id: str | None) -> bool:
        """Return whether a user is one of `playing`; asked for each view, so no dict is made for it."""
        member = None if user_id is None else self._members.get(user_id)
        return member is not None and member.what != _LEAVING

    @property
    def everybody(self) -> tuple[str, ...]:
        """User ids of everybody who has a seat, is leaving one, or waits for one."""
        return (*self._members, *self._waiting)

    @property
    def house(self) -> dict[str, Member]:
        """House players in the game: user id -> member."""
        return {user_id: one for user_id, one in self.playing.items() if one.house is not None}

    @property
    def house_seats(self) -> list[HouseSeat]:
        """The seats of house players, including those who are leaving."""
        return [one.house for one in self._members.values() if one.house is not None]

    @property
    def people(self) -> bool:
        """Return whether any person or program has a seat and is not sitting out; house players do not count."""
        return any(one.house is None and one.away is None for one in self._members.values())

    @property
    def free(self) -> int:
        """Seats that nobody has or waits for."""
        return max(0, self._setting.seats - len(self._members) - len(self._waiting))

    def seated(self) -> dict[int, Member]:
        """Return the current members by seat, who may differ from those of a hand still shown."""
        members, seats = self._members, enumerate(self._table.state().seats)
        return {
            number: members[seat.player]
            for number, seat in seats
            if seat is not None and seat.player in members
        }

    def name_of(self, user_id: str) -> str:
        """Return the name of somebody who plays or waits; empty for anybody else."""
        if user_id in self._waiting:
            return self._waiting[user_id][0].name
        member = self._members.get(user_id)
        return "" if member is None else member.user.name

    @property
    def queue(self) -> tuple[str, ...]:
        """User ids of those waiting for a seat, the next one first."""
        return tuple(self._waiting)

    def join(
        self,
        user: User,
        player: Player,
        most_waiting: int,
        *,
        seat: int | None = None,
        keeps_seat: bool = False,
    ) -> bool:
        """Take a seat, `seat` if given, or a place in the queue; return whether it is a seat."""
        if user.id in self._waiting or user.id in self.playing:
            raise TableRefusal("This player has already joined this game.", code="already_joined")
        (self._persons.add if keeps_seat else self._persons.discard)(user.id)
        if len(self._members) < self._setting.seats and user.id not in self._members and not self._waiting:
            if seat is not None and seat not in self._free_seats():
                raise TableRefusal(f"seat {seat} is taken or does not exist", code="seat_taken")
            self._come(user, player, wish=seat)
            return True
        if len(self._waiting) >= most_waiting:
            raise TableRefusal(f"{most_waiting} players are already waiting", code="too_many")
        # write first: nobody must be told of a place in line that a failed write lost
        self._write({**self._waiting, user.id: (user, player)}, self._members)
        self._waiting[user.id] = (user, player)
        return False

    def sit_out(self, user_id: str, now: float) -> None:
        """Sit a player out, who keeps the seat and stays in the current hand.

        Raises `TableRefusal` (`not_joined`).
        """
        member = self._playing(user_id)
        if member.away is None:
            self._set(member, member.what, now)
            if self._seat(member) is not None:
                self._table.sit_out(member.player)

    def sit_in(self, user_id: str, *, wait: bool = False) -> None:
        """Deal a player in again from the next hand on; raises `TableRefusal` (`not_joined`).

        A player who owes blinds posts them or, with `wait`, is dealt in with the next big blind; so may a new player.
        """
        member = self._playing(user_id)
        chooses = any(one.player == member.player.name for one in self._table.state().owed)
        if member.away is not None:
            self._set(member, member.what)
            chooses = True
        if chooses and self._seat(member) is not None:
            self._table.sit_in(member.player, wait=wait)

    def top_up(self, user_id: str) -> int:
        """Top up a stack to the buy-in, between hands; return the chips added.

        Raises `TableRefusal`: `not_joined`, `hand_in_progress`, `not_enough` for a stack that needs no chips.
        """
        missing = self.missing(user_id)
        member = self._playing(user_id)
        self._buy(member, missing)
        member.wealth = self._setting.buy_in
        self.changes += 1
        return missing

    def missing(self, user_id: str) -> int:
        """Return the chips `top_up` would add now; raises like `top_up`."""
        member = self._playing(user_id)
        seat, buy_in = self._seat(member), self._setting.buy_in
        missing = buy_in - (0 if seat is None else seat.stack)
        if seat is None or user_id in {one.player for one in self._table.state().in_hand.values()}:
            raise TableRefusal("chips can be added between hands only", code="hand_in_progress")
        if missing <= 0:
            raise TableRefusal(
                f"a stack of {seat.stack} is not smaller than the buy-in of {buy_in}", code="not_enough"
            )
        return missing

    def may_add(self, user_id: str) -> int:
        """Return the chips `top_up` would add now; 0 if it would be refused."""
        try:
            return self.missing(user_id)
        except TableRefusal:
            return 0

    def keep_banks(self, left: Mapping[str, float]) -> None:
        """Keep the time banks, user id -> seconds left; in memory only if the journal cannot be written."""
        before = {one: self._members[one].bank for one in left}
        for user_id in before:
            # rounded as it is written, so that a restart shows the same value
            self._members[user_id].bank = round(min(left[user_id], self._setting.time_bank), 3)
        if any(self._members[one].bank != seconds for one, seconds in before.items()):
            with suppress(StorageFailed):
                self._write(self._waiting, self._members)

    def refill_banks(self, dealt: Iterable[str]) -> None:
        """Refill the time banks of the players dealt in."""
        refill, members = self._setting.time_bank_refill, self._members
        self.keep_banks({one: members[one].bank + refill for one in dealt if one in members})

    def joined(self, user_id: str) -> Member | None:
        """Return the member with this id, or None if queued; raises `TableRefusal` (`not_joined`)."""
        return self.playing.get(user_id) if user_id in self._waiting else self._playing(user_id)

    def _playing(self, user_id: str) -> Member:
        member = self.playing.get(user_id)
        if member is None:
            raise TableRefusal("The authenticated player has not joined this game.", code="not_joined")
        return member

    def _buy(self, member: Member, chips: int) -> None:
        """Mint chips into a stack, resuming from any interruption."""
        minted = self._room.bank.balance(member.player.name)
        if minted < chips:
            self._room.bank.deposit(member.player.name, chips - minted)
        self._table.buy_in(member.player, chips)

    def _free_seats(self) -> list[int]:
        seats = self._table.state().seats
        return [seat for seat in _SPREAD if seat < self._setting.seats and seats[seat] is None]

    def seat_house(self, seat: HouseSeat, player: Player) -> None:
        """Give a free seat to a player of the house."""
        assert self.free
        assert seat.user.id not in self._members
        self._come(seat.user, player, seat)

    def leave(self, user_id: str) -> None:
        """Give up the seat once the hand is over, or the place in the queue at once."""
        if user_id in self._waiting:
            rest = {one: who for one, who in self._waiting.items() if one != user_id}
            self._write(rest, self._members)
            self._waiting = rest
            return
        self._set(self._playing(user_id), _LEAVING)

    def leave_after_hand(self, user_id: str, *, leave: bool) -> None:
        """Note whether to give up the seat once the hand is over; a place in the queue is given up at once."""
        if user_id in self._waiting:
            if leave:
                self.leave(user_id)
            return
        member = self._playing(user_id)
        before, member.last_hand = member.last_hand, leave
        try:
            self._write(self._waiting, self._members)
        except BaseException:
            member.last_hand = before
            raise

    def tidy(self) -> None:
        """Between hands, clear the seats of players who have left or are broke, then seat those who wait."""
        in_hand = {seat.player for seat in self._table.state().in_hand.values()}
        for user_id, member in list(self._members.items()):
            if member.what == _COMING:
                self._bring(member)
            if user_id in in_hand:
                continue
            if member.last_hand:
                self._set(member, _LEAVING)
            elif member.what == _PLAYING and not member.wealth:
                if member.house is not None and not self._waiting:
                    self._bring(member)  # the house buys in again
                else:
                    self._set(member, _LEAVING)
            if member.what == _LEAVING:
                self._clear(member)
        self._make_room(in_hand)
        while self._waiting and len(self._members) < self._setting.seats:
            user, player = next(iter(self._waiting.values()))
            if user.id in self._members:
                break  # left during this hand, and may come back only after it
            self._come(user, player)

    def _make_room(self, in_hand: Collection[str]) -> None:
        """Free house players' seats for waiting people."""
        missing = len(self._waiting) - (self._setting.seats - len(self._members))
        idle = [member for user_id, member in self.house.items() if user_id not in in_hand]
        for member in reversed(idle[-missing:] if missing > 0 else []):
            self._set(member, _LEAVING)
            self._clear(member)

    def read(
        self, plain: Mapping[str, Any], user: Callable[[str], User], player: Callable[[User], Player]
    ) -> None:
        """Restore what the note says; raises `BadJournal`.

        Sends no messages, so that nothing about a hand is told too early. `user` finds the registered user of
        an id, `player` the user's player in the room.
        """
        note = RosterNote.read(self._table.name, plain, user, self._room.seed)
        self._persons = set(note.persons)
        for one, (who, what, house) in note.members.items():
            member = Member(
                who, player(who), self._setting.buy_in, what, house=house, keeps_seat=one in note.persons
            )
            member.away, member.bank = note.away.get(one), note.banks.get(one, self._setting.time_bank)
            member.last_hand = one in note.last
            self._members[one] = member
        self._waiting = {who.id: (who, player(who)) for who in note.queue}

    def come_back(self) -> None:
        """After `read`, look up the stacks and finish interrupted arrivals and departures."""
        for member in self._members.values():
            seat = self._seat(member)
            member.wealth = 0 if seat is None else seat.stack
            member.seat = None if seat is None else self._table.state().seat_of(member.player.name)
            if seat is not None and seat.out != (member.away is not None):
                # the process died between the note and the table's own record
                (self._table.sit_in if seat.out else self._table.sit_out)(member.player)
        self.tidy()

    def _come(
        self, user: User, player: Player, house: HouseSeat | None = None, wish: int | None = None
    ) -> None:
        member = Member(user, player, self._setting.buy_in, house=house, bank=self._setting.time_bank)
        member.keeps_seat = user.id in self._persons
        rest = {one: who for one, who in self._waiting.items() if one != user.id}
        members = {**self._members, user.id: member}
        self._write(rest, members)
        self._waiting, self._members = rest, members
        self._bring(member, wish)

    def _bring(self, member: Member, wish: int | None = None) -> None:
        """Seat a member with minted chips, resuming from any interruption."""
        seat = self._seat(member)
        buy_in = self._setting.buy_in
        if seat is None:
            member.seat = self._table.sit(member.player, self._best_seat() if wish is None else wish)
        if seat is None or not seat.stack:
            self._buy(member, buy_in)
        member.wealth = buy_in
        # last: while the note says "coming", a restarted process finishes the seating and the buy-in
        self._set(member, _PLAYING)
        self.changes += 1

    def _best_seat(self) -> int:
        """Return a free seat that is dealt in next, if there is one.

        The contract lets newcomers play from the next hand on, but by the rules those between the button and
        the blinds must wait; a free seat left of the big blind satisfies both.
        """
        state = self._table.state()
        seats, free = self._setting.seats, self._free_seats()
        if state.positions is not None and len(state.ready) >= 2:
            for seat in free:
                if seat in next_positions(state.positions, {*state.ready, seat}, seats).dealt:
                    return seat
        return free[0]

    def _clear(self, member: Member) -> None:
        """Forfeit a member's chips to the house and free the seat, resuming from any interruption."""
        if self._seat(member) is not None:
            self._table.cash_out(member.player)
            self._table.leave(member.player)
        forfeited = self._room.bank.balance(member.player.name)
        if forfeited:
            self._room.bank.forfeit(member.player.name, forfeited)
        members = {one: who for one, who in self._members.items() if who is not member}
        # last: while the note says "leaving", a restarted process takes the remaining chips
        self._write(self._waiting, members)
        self._members = members
        self.changes += 1

    def _seat(self, member: Member) -> Seat | None:
        seats = self._table.state().seats
        return next((seat for seat in seats if seat is not None and seat.player == member.player.name), None)

    def _set(self, member: Member, what: str, away: float | None = None) -> None:
        before, member.what, member.away = (member.what, member.away), what, away
        try:
            self._write(self._waiting, self._members)
        except BaseException:
            member.what, member.away = before
            raise

    def _write(self, waiting: Mapping[str, object], members: Mapping[str, Member]) -> None:
        house = {one: who.house.plain() for one, who in members.items() if who.house is not None}
        plain: dict[str, object] = {"members": {one: who.what for one, who in members.items()}}
        plain |= {"queue": list(waiting), "setting": self._setting.plain()}
        persons = [one for one, who in members.items() if who.keeps_seat]
        persons += [one for one in waiting if one in self._persons]
        away = {one: who.away for one, who in members.items() if who.away is not None}
        full = self._setting.time_bank
        banks = {one: round(who.bank, 3) for one, who in members.items() if who.bank != full}
        last = [one for one, who in members.items() if who.last_hand]
        told = {"persons": persons, "away": away, "banks": banks, "last": last}
        plain |= {name: value for name, value in told.items() if value}
        self._notes.put(f"{NOTE}{self._table.name}", json.dumps(plain | ({"house": house} if house else {})))
