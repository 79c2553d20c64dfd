"""The tournament actor: carries out the director's decisions at the tables of a room.

Keeps: a `Director`, and a picture of the tables. Commands: enter, start, state. News: a hand has ended. It
asks the tables, and the bank through the room; no table ever asks it, so no two actors can wait for each
other. Every event is in the journal before the director takes it. Its effects (seats, chips, hands, money)
follow from comparing the room with the director; after a crash or a restart, the same comparison finishes
what is left.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, Final

import attrs

from poker_actors.actors import LiveHand, Player, Room, Table
from poker_actors.actors.runtime import Actor, Address, Word, on
from poker_actors.errors import RoomClosed, StorageFailed
from poker_actors.frozen import message
from poker_actors.jsontext import parse_json
from poker_actors.rules import Hand
from poker_actors.sim.tournaments.director import Director
from poker_actors.sim.tournaments.field import HANDS_A_TABLE, Deal, Entrant
from poker_actors.sim.tournaments.prizes import deposit
from poker_actors.sim.tournaments.structure import Structure
from poker_actors.store import bank_account

_log: Final = logging.getLogger("poker_actors.tournament")

_RETRY_SECONDS: Final = 1.0
"""Seconds until work that the journal refused, as on a full disk, is tried again."""


@message
class Enter:
    """Enter a player; answered when the entry is durable."""

    entrant: Entrant


@message
class Start:
    """Draw the seats and deal."""


@message
class Ask:
    """Call `look` with the director in the actor's turn; answered with its result."""

    look: Callable[[Director], object]


@message
class HandDone:
    """Sent by the promise of a hand: it has a result, or never will."""

    number: int


@message
class GoOn:
    """Sent to itself: continue after a command or a failed write to the journal."""


def header_key(name: str) -> str:
    """Return the key of the note that describes a tournament; its events' keys add a slash and a number."""
    return f"tournament/{name}"


@attrs.define
class TournamentMemory:
    """The state of a tournament that survives a crash of its actor."""

    name: str
    structure: Structure
    seed: int
    over: Word
    paced: bool = True
    turn_seconds: float | None = None
    events: list[str] = attrs.field(factory=list)
    """all events of the director"""
    paid: int = 0
    """the number of players paid out at the bank"""
    live: dict[int, LiveHand] = attrs.field(factory=dict)
    """the hands being played or not reported yet, by number"""
    done: set[int] = attrs.field(factory=set)
    """the numbers of ended hands"""
    faults: dict[str, dict[str, int]] = attrs.field(factory=dict)
    """the faults of bots by kind, as in the journal"""
    told: Callable[[Director], None] | None = None
    """called with the director after each hand"""


class TournamentActor(Actor):
    """One tournament in a room. See the module."""

    def __init__(self, address: Address, memory: TournamentMemory, room: Room) -> None:
        self.memory = memory
        self.room = room
        self.director = Director(memory.structure, memory.seed, paced=memory.paced)
        self.there: dict[int, dict[str, tuple[int, int]]] = {}
        """the players at the tables: table -> player -> (seat, stack)"""
        self.deltas: dict[str, int] = {}
        """the amounts to book with the next event"""
        super().__init__(address)

    def begin(self) -> None:
        """Replay the events, look at the tables, and go on."""
        memory = self.memory
        self.director = Director.replay(
            memory.structure, memory.seed, list(memory.events), paced=memory.paced
        )
        self.director.written = self._write
        runtime = self.address.runtime
        opened, before = runtime.now(), self.director.time
        self.clock: Callable[[], int] = lambda: before + int(runtime.now() - opened)
        for number in self.director.floor.tables:
            table = self._table(number)
            if table is not None:
                self._look_at(number, table)
        # the promises' messages went to the last incarnation, and may be lost: subscribe again
        for hand, live in list(memory.live.items()):
            self._attach(hand, live)
        self.go_on()

    def _look_at(self, number: int, table: Table) -> None:
        """Note the players at a table, and the hand being played there."""
        seats = enumerate(table.state().seats)
        self.there[number] = {seat.player: (at, seat.stack) for at, seat in seats if seat is not None}
        live = table.live()
        playing = self.director.floor.tables[number].playing
        if live is not None and playing is not None:
            self.memory.live.setdefault(playing.number, live)

    # -- commands ---------------------------------------------------------------------------

    @on(Enter)
    def enter(self, command: Enter) -> None:
        """Enter a player with money at the bank, which is moved in one write with the event: both or neither."""
        memory, entrant = self.memory, command.entrant
        if not memory.paced and self.director.started:
            entrant = attrs.evolve(entrant, at=self.clock())
        brought, fee = deposit(memory.structure, entrant), memory.structure.fee
        self.director.check_entry(entrant)
        moved = {
            bank_account(entrant.name): -brought,
            self._account("prizes"): brought - fee,
            self._account("fees"): fee,
        }
        self.deltas = {account: chips for account, chips in moved.items() if chips}
        self.director.enter(entrant)
        self._soon()

    @on(Start)
    def start_play(self, _: Start) -> None:
        """Draw the seats and deal."""
        self.director.start()
        self._soon()

    def _soon(self) -> None:
        """Continue after this command is answered: it is already durable, so a later failure must not refuse it."""
        self.address.tell(GoOn())

    # -- hands ------------------------------------------------------------------------------

    @on(HandDone)
    def hand_done(self, news: HandDone) -> None:
        """Take the result of a hand that has ended."""
        self.memory.done.add(news.number)
        self.go_on()

    @on(Ask)
    def ask(self, command: Ask) -> Any:
        """Answer with a result computed from the director."""
        return command.look(self.director)

    @on(GoOn)
    def go_on_again(self, _: GoOn) -> None:
        """Continue when its own message arrives."""
        self.go_on()

    def go_on(self) -> None:
        """Report ended hands to the director, and make the room match it, until nothing is left to do."""
        try:
            while True:
                if not self._report():
                    self._carry_out()
                    if not self._report():
                        return
        except StorageFailed:
            self.address.runtime.later(_RETRY_SECONDS, self.address, GoOn())
        except RoomClosed:
            _log.info("%s stops: the room is closing", self.address.name)

    def _report(self) -> bool:
        """Report every ended hand to the director; return whether there was one."""
        found = False
        for deal in self.director.deals:
            live = self.memory.live.get(deal.number)
            if live is not None:
                found |= self._report_live(deal, live)
            elif self.there.get(deal.table) is not None:
                found |= self._report_past(deal)
        return found

    def _report_live(self, deal: Deal, live: LiveHand) -> bool:
        if deal.number not in self.memory.done:
            return False
        self._ended(deal, live.result(0).hand)
        return True

    def _report_past(self, deal: Deal) -> bool:
        """Report a hand that ended while this actor was down, from the journal."""
        last = self.room.books.last_hand(self._name(deal.table))
        if last is None or last[0] != deal.number:
            return False
        self._ended(deal, last[1])
        return True

    def _ended(self, deal: Deal, hand: Hand | None) -> None:
        director = self.director
        if hand is None:
            director.void(deal.number)
        else:
            director.report(
                deal.number, hand.stacks, len(hand.log), None if self.memory.paced else self.clock()
            )
            there = self.there[deal.table]
            for seat in deal.positions.dealt:
                there[deal.players[seat] or ""] = (seat, hand.stacks[seat])
        self.memory.live.pop(deal.number, None)
        self.memory.done.discard(deal.number)
        if self.memory.told is not None:
            self.memory.told(director)

    # -- making it so -----------------------------------------------------------------------

    def _carry_out(self) -> None:
        """Bring the room's seats, chips, money and hands in line with the director."""
        self._open_tables()
        self._move_players()
        self._seat_players()
        self._bring_stacks()
        self._pay()
        for deal in self.director.deals:
            if deal.number not in self.memory.live:
                self._deal(deal)
        if self.director.over and not self.director.deals:
            self._close_tables()
            self.memory.over.set(None)

    def _close_tables(self) -> None:
        """Close all tables; after a crash this closes those that are left."""
        for number in self.director.floor.tables:
            if self._table(number) is not None:
                self.room.close_table(self._name(number))
        self.there.clear()

    def _open_tables(self) -> None:
        if self.director.over:
            return
        structure = self.memory.structure
        for number, table in self.director.floor.tables.items():
            if number in self.there:
                continue
            if self._table(number) is None:
                self.room.open_table(
                    self._name(number),
                    seats=len(table.seats),
                    stakes=structure.stakes(self.director.level),
                    game=structure.rules,
                    turn_seconds=self.memory.turn_seconds,
                    first_hand=number * HANDS_A_TABLE + 1,
                )
            self.there[number] = {}

    def _move_players(self) -> None:
        """Move players whose seat the director has changed: to another table, or out."""
        players = self.director.players
        for number, there in self.there.items():
            staying = self.director.floor.tables[number].seats
            for name, (seat, stack) in list(there.items()):
                if staying[seat] == name and not self.director.over:
                    continue
                table, to = self._known(number), players[name].table
                if stack and to is not None and not self.director.over:
                    table.send(self._player(name), self._known(to))
                else:
                    if stack:
                        table.top_up(self._player(name), -stack)
                        there[name] = (seat, 0)
                    table.leave(self._player(name))
                del there[name]

    def _seat_players(self) -> None:
        if self.director.over:
            return
        for number, table in self.director.floor.tables.items():
            there = self.there[number]
            for seat, name in enumerate(table.seats):
                if name is not None and name not in there:
                    room_table = self._known(number)
                    room_table.sit(self._player(name), seat, with_stack=True)
                    sitting = room_table.state().seats[seat]
                    there[name] = (seat, 0 if sitting is None else sitting.stack)

    def _bring_stacks(self) -> None:
        """Bring every stack to the director's: entries, rebuys and add-ons are new chips.

        Stacks in a hand that is in progress, or that the director has not processed yet, are left alone.
        """
        to_deal = {deal.number for deal in self.director.deals if deal.number not in self.memory.live}
        for number, there in self.there.items():
            playing = self.director.floor.tables[number].playing
            busy: set[str | None] = set()
            if playing is not None and playing.number not in to_deal:
                busy = {playing.players[seat] for seat in playing.positions.dealt}
            for name, (seat, stack) in list(there.items()):
                wanted = self.director.players[name].stack
                if wanted != stack and name not in busy:
                    more = self._known(number).top_up(self._player(name), wanted - stack)
                    there[name] = (seat, more)

    def _pay(self) -> None:
        """Pay at the bank those already paid in the director's books.

        The number paid is written with the money: a crash can neither pay twice nor lose a payment.
        """
        paid = list(self.director.money.paid_out.items())[self.memory.paid :]
        if not paid:
            return
        done = self.memory.paid + len(paid)
        deltas = {bank_account(name): money for name, money in paid if money}
        if deltas:
            deltas[self._account("prizes")] = -sum(deltas.values())
        self.room.books.book(deltas, {f"{header_key(self.memory.name)}/paid": str(done)})
        self.memory.paid = done

    def _deal(self, deal: Deal) -> None:
        deck = None
        game = self.memory.structure.game_at(deal.level)
        if self.memory.paced:
            deck = self.director.tree.deck(deal.number, game.pack)
        # without a deck the table shuffles one that cannot be predicted, and commits to it: for people
        live = self._known(deal.table).deal(deck, stakes=deal.stakes, positions=deal.positions, game=game)
        self._attach(deal.number, live)

    def _attach(self, number: int, live: LiveHand) -> None:
        """Subscribe to the end of a hand."""
        self.memory.live[number] = live
        live.promise.when_done(lambda: self.address.tell(HandDone(number)))

    # -- names and notes --------------------------------------------------------------------

    def _write(self, event: str) -> None:
        """Make an event and its bookings durable in one write, before the director takes it."""
        deltas, self.deltas = self.deltas, {}
        memory = self.memory
        notes = {f"{header_key(memory.name)}/{len(memory.events):08d}": event}
        faults = self._faults()
        if faults != memory.faults:
            notes[f"{header_key(memory.name)}/faults"] = json.dumps(faults)
        self.room.books.book(deltas, notes)
        memory.events.append(event)
        memory.faults = faults

    def _faults(self) -> dict[str, dict[str, int]]:
        """Return the faults by kind of each player whose bot has any."""
        players = self.room.players
        return {name: kinds for name in self.director.players if (kinds := players[name].faults.by_kind)}

    def _account(self, what: str) -> str:
        return bank_account(f"{self.memory.name}/{what}")

    def _name(self, number: int) -> str:
        return f"{self.memory.name} table {number}"

    def _table(self, number: int) -> Table | None:
        return self.room.tables.get(self._name(number))

    def _known(self, number: int) -> Table:
        return self.room.tables[self._name(number)]

    def _player(self, name: str) -> Player:
        return self.room.players[name]


def events_of(notes: dict[str, str], name: str) -> list[str]:
    """Return a tournament's events, in order, from a room's notes."""
    prefix = f"{header_key(name)}/"
    numbered = [key for key in notes if key.startswith(prefix) and key[len(prefix) :].isdigit()]
    return [notes[key] for key in sorted(numbered)]


def header_of(notes: dict[str, str], name: str) -> dict[str, Any] | None:
    """Return the description of a tournament in the journal; None if there is none of that name."""
    text = notes.get(header_key(name))
    if text is None:
        return None
    header: dict[str, Any] = parse_json(text)
    return header
