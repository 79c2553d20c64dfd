"""What the parts of a table share: its memory, the bank, the journal, the file of histories, and its news."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import attrs

from poker_actors.actors.command import RETRY_SECONDS, Command
from poker_actors.actors.hand import HandActor, HandClass, HandResult
from poker_actors.actors.player.messages import TableNews
from poker_actors.actors.runtime import Address, Supervisor
from poker_actors.actors.table.facts import banks_in, seating_from, seats_fact
from poker_actors.actors.table.recent import Recent
from poker_actors.actors.table.seats import Seating, TableConfig
from poker_actors.actors.table.stages import TableMemory
from poker_actors.errors import AskTimeout, RoomClosed
from poker_actors.history import Writer, record
from poker_actors.rules import Hand
from poker_actors.store import Fact, HandOver, Journal

R = TypeVar("R")


@attrs.define
class Desk:
    """What a table's seats and hands both use."""

    address: Address
    """the table's"""
    config: TableConfig
    memory: TableMemory
    bank: Address
    supervisor: Supervisor
    journal: Journal | None = None
    addresses: Mapping[str, Address] = attrs.field(factory=dict)
    """each player's address, for the names in the journal"""
    recorder: Recorder | None = None
    recent: Recent | None = None
    hand: HandClass = HandActor
    """the class of its hands' actors, or a function that makes one"""
    paid: dict[str, int] = attrs.field(factory=dict)
    """chips booked here for players who still wait: a crash lost the answer to their buy-in"""

    def ask(self, command: Command[R]) -> R:
        """Ask the bank; crash without an answer, so that the next incarnation asks the books what happened."""
        try:
            answer: R = self.bank.ask(command)
        except AskTimeout as error:
            raise RuntimeError(f"{self.address.name} has no answer: {error}") from error
        return answer

    def later(self, message: object) -> None:
        """Send `message` to the table again after a while: a write failed, and no caller is waiting to retry it."""
        self.address.runtime.later(RETRY_SECONDS, self.address, message)

    def seat_as(self, seating: Seating) -> None:
        """Write who sits and waits to the journal, if any, then make it the table's state."""
        if self.journal is not None:
            self.journal.append(seats_fact(self.config.name, seating))
        self.memory.seating = seating

    def seats_facts(self, seating: Seating) -> tuple[Fact, ...]:
        """Return the facts on who sits and waits, to be written with a booking."""
        return () if self.journal is None else (seats_fact(self.config.name, seating),)

    def journaled(self) -> tuple[Seating, dict[str, float]]:
        """Return who sits and waits, and the time banks, from the journal if there is one."""
        assert self.journal is not None
        name, addresses = self.config.name, self.addresses
        return self.journal.look(
            lambda room: (
                seating_from(room.tables[name], room.ledger, addresses),
                banks_in(room.notes, name),
            )
        )

    def open_hand_is_void(self) -> tuple[Fact, ...]:
        """Return the fact that voids the journal's open hand, if any: no actor will end it."""
        if self.journal is None:
            return ()
        name = self.config.name
        hand = self.journal.look(lambda room: room.tables[name].open_hand)
        return () if hand is None else (HandOver(hand.hand_id, voided=True),)

    def tell_news(
        self,
        what: str,
        player: str | None = None,
        seat: int | None = None,
        hand_id: str | None = None,
        payoffs: tuple[int, ...] = (),
        commitment: str = "",
        also: Sequence[Address] = (),
        sender: Address | None = None,
    ) -> None:
        """Tell everybody who sits, waits or watches, and these who no longer do; as `sender` if given."""
        news = TableNews(self.config.name, what, player, seat, hand_id, payoffs, commitment)
        memory = self.memory
        seating = memory.seating
        told = [seat.address for seat in seating.seats if seat is not None]
        if seating.waiting:
            told += [waiting.address for waiting in seating.waiting]
        for others in (memory.watchers, also):
            told += [other for other in others if other not in told]
        self.address.runtime.tell_each(told, [news] * len(told), sender)
        self.call_dealers()

    def call_dealers(self) -> None:
        """Answer dealers who wait for players, if a hand can be dealt now.

        Called with all news, since whatever makes a seat ready is news.
        """
        memory = self.memory
        word = memory.players_ready
        if word is not None and memory.live is None and len(memory.seating.ready) > 1:
            memory.players_ready = None
            word.set(True)

    def refuse_dealers(self, why: str) -> None:
        """Raise `RoomClosed` to dealers who wait for players: there will be no hand."""
        word, self.memory.players_ready = self.memory.players_ready, None
        if word is not None:
            word.set_exception((RoomClosed, RoomClosed(why), None))


_log: Final = logging.getLogger("poker_actors.room")


class Recorder:
    """Writes the hands of all tables of a room to one file; voided hands are not written.

    The last hand of each table is held back until its next one, as cards may still be shown. The file appears under
    its name when the recorder is closed. A hand that cannot be written is logged, the first time, and play goes on:
    no chips depend on it.
    """

    def __init__(self, path: str | Path) -> None:
        self._open = ExitStack()
        self._writer = self._open.enter_context(Writer(path))
        self._lock = threading.Lock()
        self._failed = False
        self._held: dict[str, _Held] = {}
        """table -> its last hand"""

    def write(self, table: str, result: HandResult) -> None:
        """Write the previous hand, and hold this one with all its cards unless it is void."""
        if result.hand is None:
            return
        names = [player or "" for player in result.players]
        with self._lock:
            self._flush(table)
            self._held[table] = _Held(result.hand_id, result.hand, names, datetime.now(UTC))

    def showed(self, table: str, hand_id: str, hand: Hand) -> None:
        """Add the cards that players have shown since to the last hand of a table."""
        with self._lock:
            held = self._held.get(table)
            if held is not None and held.hand_id == hand_id:
                self._held[table] = attrs.evolve(held, hand=hand)

    def _flush(self, table: str) -> None:
        held = self._held.pop(table, None)
        if held is None:
            return
        try:
            self._writer.write(
                record(held.hand, players=held.names, hand_id=held.hand_id, table=table, time=held.time)
            )
        except Exception:  # noqa: BLE001 - a full disk, or a game without a format, must not stop a table
            if not self._failed:
                self._failed = True
                _log.exception("%s cannot be written, nor perhaps the hands after it", held.hand_id)

    def close(self) -> None:
        """Finish the file and give it its name."""
        with self._lock:
            for table in [*self._held]:
                self._flush(table)
            self._open.close()


@attrs.frozen
class _Held:
    """A hand to be written."""

    hand_id: str
    hand: Hand
    names: list[str]
    time: datetime
