"""Tournaments of a server: announced, entered, played by tournament actors, and kept over a restart."""

from __future__ import annotations

import json
import uuid
from contextlib import suppress
from functools import partial
from typing import Any, Final, Literal, TypedDict

import attrs

from poker_actors.actors import Player
from poker_actors.errors import BadJournal, BadSpec, RoomClosed, StorageFailed, TableRefusal
from poker_actors.jsontext import parse_json
from poker_actors.server.contract import answers
from poker_actors.server.hspe import Game, Lobby, Member, Setting
from poker_actors.server.live.picture import terms_of
from poker_actors.server.live.tournament import MOST_ENTRANTS, STACK, Announcement, TournamentTable
from poker_actors.server.shapes import check
from poker_actors.server.users import User, house_bots, spec_of_house
from poker_actors.sim.tournaments import Director, Tournament, prizes

TOURNAMENTS_KEPT: Final = 50
"""The most finished tournaments kept; beyond it the oldest is forgotten."""
_MOST_OPEN: Final = 200
"""The most unfinished tournaments: anybody may announce one, and each costs a note and a line of the lobby."""
_NOTE: Final = "tournaments/"
_PLACE: Final = " table "
_ID_LENGTH: Final = 36
"""The length of a UUID, which begins a table's name; the table's number ends it."""


@attrs.define(eq=False)
class _Event:
    """One tournament, with its entrants and state."""

    id: str
    announced: Announcement
    maker: str
    people: list[str]
    """user ids, in order of entry"""
    bots: dict[str, list[str]] = attrs.field(factory=dict)
    """name in the room -> displayed name and bot"""
    state: Literal["open", "playing", "over"] = "open"
    results: list[answers.Standing] = attrs.field(factory=list)
    """final standings once over, the winner first"""
    running: Tournament | None = None
    now: dict[str, Any] = attrs.field(factory=dict)
    """level, hands and standings after the last hand"""

    def plain(self) -> dict[str, Any]:
        return {
            "announced": attrs.asdict(self.announced),
            "maker": self.maker,
            "people": self.people,
            "bots": self.bots,
            "state": self.state,
            "results": self.results,
        }

    @property
    def entrants(self) -> list[str]:
        """Names in the room, people first."""
        return [*self.people, *self.bots]


class Tournaments:
    """The tournaments of a lobby's room. Refusals are `TableRefusal`."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._tables: dict[str, Game] = {}
        self._events: dict[str, _Event] = lobby.notes.read(_NOTE, _read)
        lobby.elsewhere = self.table
        lobby.on_busy.append(self._busy)
        lobby.on_entered.append(self._entered)
        lobby.on_go_on.append(self._go_on)

    def _go_on(self) -> None:
        for event in list(self._events.values()):
            if event.state == "playing":
                self._end_again(event)
                try:
                    self._play(event)
                except (BadJournal, BadSpec) as error:  # one tournament must not keep the room from starting
                    self._lobby.notes.set_aside(f"{_NOTE}{event.id}", BadJournal(str(error)))
                    del self._events[event.id]
                else:
                    self._tell_again(event)

    def _end_again(self, event: _Event) -> None:
        """Report the ends of hands paid just before the process died; call it before the next hands are dealt."""
        there = [one for one in event.entrants if one in self._lobby.room.players]
        members = {one: Member(*self._who(event, one), 0) for one in there}
        for game in self._games(event):
            self._lobby.end_again(game, members)

    def _tell_again(self, event: _Event) -> None:
        """Repeat the news of resumed hands, which were sent before the lobby listened to their players."""
        room = self._lobby.room
        for game in self._games(event):
            for name in event.entrants:
                # who plays elsewhere, too, has a state of each table
                state = None if name not in room.players else room.players[name].at(game.id).state()
                # each ask lets the tournament go on, which may close the table meanwhile
                with suppress(RoomClosed):
                    if state is not None and game.table.state().hand_id == state.hand_id:
                        game.heard(name, state)

    def _games(self, event: _Event) -> list[Game]:
        """Return the tables of a tournament that is being played."""
        names = [one for one in self._lobby.room.tables if one.startswith(f"{event.id}{_PLACE}")]
        return [game for name in names if (game := self.table(name)) is not None]

    def _busy(self) -> list[str]:
        """Return players whom the lobby must not remove, because the room's tournaments refer to them by name."""
        return [one for event in self._events.values() if event.state == "playing" for one in event.entrants]

    def _entered(self, user_id: str) -> list[str]:
        """Return the ids of unfinished tournaments a user has entered."""
        return [one.id for one in self._events.values() if one.state != "over" and user_id in one.people]

    def table(self, name: str) -> Game | None:
        """Return a table of a running tournament, or None."""
        event = self._events.get(name[:_ID_LENGTH])
        if event is None or event.state != "playing" or name not in self._lobby.room.tables:
            return None
        if name not in self._tables:
            seconds = float(max(10, event.announced.turn_seconds))
            setting = Setting(
                10,
                20,
                STACK,
                event.announced.seats,
                self.title(name) or "",
                turn_seconds=seconds,
                private=True,
                game=event.announced.game,
            )
            self._tables[name] = TournamentTable(self._lobby, name, setting, partial(self._who, event))
        return self._tables[name]

    def title(self, table: str) -> str | None:
        """Return the title of a table of a known tournament, running or over; None for any other table."""
        event = self._events.get(table[:_ID_LENGTH])
        _, place, number = table.partition(_PLACE)
        if event is None or not place:
            return None
        return f"{event.announced.name or 'Tournament'}, table {number}"[:32]

    def _who(self, event: _Event, name: str) -> tuple[User, Player]:
        player = self._lobby.room.players[name]
        if name in event.bots:
            return User(event.bots[name][0], name, ""), player
        return self._lobby.users.get(name) or User("somebody", name, ""), player

    # -- commands ----------------------------------------------------------------------------

    def make(self, user: User, announced: Announcement) -> str:
        """Announce a tournament, with its maker as first entrant; return its id. Raises `too_many`."""
        if sum(one.state != "over" for one in self._events.values()) >= _MOST_OPEN:
            raise TableRefusal(f"there are {_MOST_OPEN} tournaments, the most allowed", code="too_many")
        event = _Event(str(uuid.uuid4()), announced, user.id, [user.id])
        self._keep(event)
        self._lobby.users.use(user)
        return event.id

    def enter(self, user: User, event_id: str) -> None:
        """Enter a tournament, some even after the start. The last player needed starts it.

        Raises `no_game`, `already_joined`, `seat_unavailable`.
        """
        event = self._event(event_id)
        if user.id in event.people:
            raise TableRefusal("you are already in this tournament", code="already_joined")
        if not _can_enter(event):
            raise _begun()
        self._lobby.users.use(user)
        people = [*event.people, user.id]
        if event.running is None:
            self._enrol(event, people)
            return
        self._keep(event, people=people)
        self._come_late(event, event.running, self._player(event, user.id))

    def leave(self, user: User, event_id: str) -> None:
        """Leave a tournament before it begins; raises `no_game`, `not_joined`, `seat_unavailable`."""
        event = self._open(event_id)
        if user.id not in event.people:
            raise TableRefusal("you are not in this tournament", code="not_joined")
        self._enrol(event, [one for one in event.people if one != user.id])

    def fill(self, user: User, event_id: str) -> None:
        """Fill the places left with house bots, which starts the tournament; only an entrant may ask for it."""
        event = self._open(event_id)
        if user.id not in event.people:
            raise TableRefusal("only players of the tournament may ask for bots", code="not_yours")
        kinds, bots = house_bots(), dict(event.bots)
        for number in range(event.announced.players - len(event.entrants)):
            bot = kinds[number % len(kinds)]
            name = f"{bot} {number + 1}"
            bots[str(uuid.uuid5(uuid.UUID(event.id), name))] = [name, bot]
        self._enrol(event, event.people, bots)

    def _open(self, event_id: str) -> _Event:
        event = self._event(event_id)
        if event.state != "open":
            raise _begun()
        return event

    def _event(self, event_id: str) -> _Event:
        event = self._events.get(event_id)
        if event is None:
            raise TableRefusal("there is no such tournament", code="no_game")
        return event

    def _enrol(self, event: _Event, people: list[str], bots: dict[str, list[str]] | None = None) -> None:
        """Record the new entrants; start when the field is full, and close when it is empty."""
        if not people:
            self._forget(event)
            return
        bots = event.bots if bots is None else bots
        begins = len(people) + len(bots) >= event.announced.players
        self._keep(event, people=people, bots=bots, state="playing" if begins else "open")
        if begins:
            self._play(event)

    # -- playing -----------------------------------------------------------------------------

    def _play(self, event: _Event) -> None:
        """Begin the tournament, or resume it from any interruption.

        The note says "playing" before the actor exists and before players are let in, so a crash may fall
        between any two of these steps; only the missing ones are made up for.
        """
        room, told = self._lobby.room, partial(self._heard, event)
        if f"tournament/{event.id}" in room.books.notes(f"tournament/{event.id}"):
            tournament = Tournament.resume(room, event.id, told=told)
        else:
            structure, seconds = event.announced.structure, float(event.announced.turn_seconds)
            tournament = Tournament.open(
                room, structure, event.id, paced=False, turn_seconds=seconds, told=told
            )
        event.running = tournament
        tournament.when_over(partial(self._soon_over, event))
        players = [self._player(event, name) for name in event.entrants]
        entered = tournament.look(lambda it: {*it.players, *(one.name for one in it.coming)})
        started = tournament.look(lambda it: it.started)
        for player in players:
            if player.name not in entered and started:
                with suppress(TableRefusal):
                    self._come_late(event, tournament, player)
            elif player.name not in entered:
                self._let_in(event, tournament, player)
        if not started:
            tournament.start()
        self._heard(event, tournament.look(lambda it: it))

    def _let_in(self, event: _Event, tournament: Tournament, player: Player) -> None:
        """Mint the play money the tournament may cost a player, and enter; take it back if refused."""
        structure, bank = event.announced.structure, self._lobby.room.bank
        missing = structure.entry + structure.rebuys * structure.rebuy_price - bank.balance(player.name)
        if missing > 0:
            bank.deposit(player.name, missing)
        try:
            tournament.enter(player, rebuys=structure.rebuys)
        except TableRefusal:
            if missing > 0:
                bank.forfeit(player.name, missing)
            raise

    def _come_late(self, event: _Event, tournament: Tournament, player: Player) -> None:
        """Let in a late player whose entry is recorded; undo the entry if the tournament refuses it."""
        try:
            self._let_in(event, tournament, player)
        except TableRefusal:
            self._keep(event, people=[one for one in event.people if one != player.name])
            raise _begun() from None
        self._heard(event, tournament.look(lambda it: it))

    def _player(self, event: _Event, name: str) -> Player:
        """Return the room's player for an entrant, with the lobby listening to it."""
        room = self._lobby.room
        if name in event.bots:
            player = room.players.get(name) or room.player(name, spec_of_house(event.bots[name][1]))
            return self._lobby.listen(name, player)
        user = self._lobby.users.get(name)
        if user is None:
            raise BadJournal(f"user {name[:40]!r} plays a tournament, but is not registered")
        return self._lobby.player(user)

    def _heard(self, event: _Event, director: Director) -> None:
        """Take over the standings after a hand."""
        structure, level = event.announced.structure, director.level
        everybody = sorted(director.players.values(), key=lambda one: (one.place or 0, -one.stack))
        stakes = structure.stakes(level)
        unit = stakes.big_blind or stakes.min_bet
        rows: list[answers.Standing] = [
            {
                "name": self._name(event, one.name),
                "player_id": one.name,
                "stack": one.stack,
                "big_blinds": round(one.stack / unit, 1),
                "place": one.place,
                "prize": one.prize,
                "rebuys": one.rebuys,
                "table": None if one.place or one.table is None else f"{event.id}{_PLACE}{one.table}",
            }
            for one in everybody
        ]
        money = prizes(director.money.pool, structure.shares_of(len(everybody)), structure.prize_unit)
        event.now = {
            "level": level + 1,
            "plays": structure.game_at(level).title,
            "terms": terms_of(stakes),
            "next_terms": terms_of(structure.stakes(level + 1)),
            # the director's time is that of the last hand's end, which is now
            "level_ends": self._lobby.now() - director.time + (level + 1) * structure.length,
            "prizes": list(director.prizes or money),
            "stakes": {"small_blind": stakes.small_blind, "big_blind": stakes.big_blind},
            "standings": rows,
            "late": level < event.announced.late_levels and not director.closed,
        }

    def _name(self, event: _Event, name: str) -> str:
        user = self._lobby.users.get(name)
        return event.bots[name][0] if name in event.bots else "" if user is None else user.name

    def _soon_over(self, event: _Event) -> None:
        """Schedule the end for after the handler of the tournament's actor, which cannot be asked within it."""
        self._lobby.clock.later(0.0, partial(self._over, event))

    def _over(self, event: _Event) -> None:
        """Record the results, and take back the prizes, which are play money."""
        tournament = event.running
        if tournament is None:
            return
        self._heard(event, tournament.look(lambda it: it))
        paid: dict[str, int] = tournament.look(lambda it: dict(it.money.paid_out))
        event.results = sorted(event.now["standings"], key=lambda one: one["place"])
        event.state, event.running = "over", None
        bank = self._lobby.room.bank
        with suppress(StorageFailed):  # the next start finds it over, and does this again
            for name, money in paid.items():
                if 0 < money <= bank.balance(name):
                    bank.forfeit(name, money)
            self._keep(event)
            over = [one for one in self._events.values() if one.state == "over"]
            for old in over[:-TOURNAMENTS_KEPT]:
                self._forget(old)
        for name in [name for name in self._tables if name.startswith(event.id)]:
            self._lobby.gone(self._tables.pop(name))

    # -- what is told ------------------------------------------------------------------------

    def listed(self) -> list[answers.Summary]:
        """Return all tournaments, the open ones first."""
        order = ("open", "playing", "over")
        events = sorted(self._events.values(), key=lambda one: order.index(one.state))
        return [self._summary(event) for event in events]

    def told(self, event_id: str, user_id: str | None) -> answers.Tournament:
        """Return the state of a tournament and the user's table in it; raises `no_game`."""
        event = self._event(event_id)
        rows = event.results or event.now.get("standings", [])
        own = next((one["table"] for one in rows if one["player_id"] == user_id), None)
        now = event.now
        return {
            **self._summary(event),
            "level": now.get("level"),
            "plays": now.get("plays"),
            "stakes": now.get("stakes"),
            "terms": now.get("terms"),
            "next_terms": now.get("next_terms"),
            "level_ends": None if event.state == "over" else now.get("level_ends"),
            "now": round(self._lobby.now(), 3),
            "prizes": now.get("prizes") or event.announced.prizes,
            "standings": rows,
            "table": None if own is None or self.table(own) is None else own,
            "in": user_id in event.people,
        }

    def _summary(self, event: _Event) -> answers.Summary:
        announced = event.announced
        return {
            "id": event.id,
            "name": announced.name,
            "players": announced.players,
            "seats": announced.seats,
            "minutes": announced.minutes,
            "turn_seconds": announced.turn_seconds,
            "late_levels": announced.late_levels,
            "rebuys": announced.rebuys,
            "game": announced.game,
            "state": event.state,
            "entrants": [self._name(event, name) for name in event.entrants],
            "can_enter": _can_enter(event),
        }

    # -- notes -------------------------------------------------------------------------------

    def _keep(self, event: _Event, **changes: Any) -> None:
        """Record a tournament's changes, then apply them: if the store refuses, nothing has changed."""
        after = attrs.evolve(event, **changes)
        self._lobby.notes.put(f"{_NOTE}{event.id}", json.dumps(after.plain()))
        for name in changes:
            setattr(event, name, getattr(after, name))
        self._events[event.id] = event

    def _forget(self, event: _Event) -> None:
        self._lobby.notes.put(f"{_NOTE}{event.id}", None)
        self._events.pop(event.id, None)

    def __repr__(self) -> str:
        return f"<Tournaments: {len(self._events)}>"


def _can_enter(event: _Event) -> bool:
    if event.state == "playing":
        return bool(event.now.get("late")) and len(event.entrants) < MOST_ENTRANTS
    return event.state == "open"


def _begun() -> TableRefusal:
    return TableRefusal("this tournament has begun", code="seat_unavailable")


class _Note(TypedDict):
    """The fields required in a tournament's record, besides those of its announcement."""

    maker: str
    people: list[str]
    state: Literal["open", "playing", "over"]
    results: list[answers.Standing]


def _read(key: str, text: str) -> _Event:
    try:
        plain = parse_json(text)
        announced = Announcement(**plain.pop("announced"))
        for row in plain["results"]:
            row.setdefault("rebuys", 0)  # missing in records of older versions
            row.setdefault("big_blinds", 0.0)
        check(_Note, plain)
        bots = {str(name): [str(shown), str(bot)] for name, (shown, bot) in plain.pop("bots").items()}
        return _Event(key, announced, bots=bots, **plain)
    except (ValueError, KeyError, TypeError, AttributeError, BadSpec):
        raise BadJournal(f"the record of tournament {key[:40]!r} cannot be read") from None
