"""What the parts of a table share: its memory, the bank, the journal, and news to everybody at it."""

from __future__ import annotations

from typing import TypeVar

import attrs

from poker_actors.actors.command import RETRY_SECONDS, Command
from poker_actors.actors.player.messages import TableNews
from poker_actors.actors.runtime import Address, Supervisor
from poker_actors.actors.table.facts import seats_fact
from poker_actors.actors.table.recent import Recent
from poker_actors.actors.table.recording import Recorder
from poker_actors.actors.table.state import TableConfig, TableMemory, TableState
from poker_actors.errors import AskTimeout
from poker_actors.store import Fact, Journal

__all__ = ["Desk"]

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
    recorder: Recorder | None = None
    recent: Recent | None = None

    def ask(self, command: Command[R]) -> R:
        """Ask the bank; crash without an answer, so that the next incarnation asks the books what happened."""
        try:
            answer: R = self.bank.ask(command)
        except AskTimeout as error:
            raise RuntimeError(f"{self.address.name} has no answer: {error}") from error
        return answer

    def later(self, message: object) -> None:
        """Send `message` to the table again after a while: the journal could not be written, and nobody waits."""
        self.address.runtime.later(RETRY_SECONDS, self.address, message)

    def seat_as(self, state: TableState) -> None:
        """Make the seats of `state` durable, then current."""
        if self.journal is not None:
            self.journal.append(seats_fact(self.config.name, state))
        self.memory.state = state

    def seats_facts(self, state: TableState) -> tuple[Fact, ...]:
        """Return what the journal must know of the seats in `state`, to be written with a booking."""
        return () if self.journal is None else (seats_fact(self.config.name, state),)

    def tell_news(
        self,
        what: str,
        player: str | None = None,
        seat: int | None = None,
        hand_id: str | None = None,
        payoffs: tuple[int, ...] = (),
        commitment: str = "",
    ) -> None:
        """Tell everybody who sits, waits or watches."""
        news = TableNews(self.config.name, what, player, seat, hand_id, payoffs, commitment)
        memory = self.memory
        state = memory.state
        told = [seat.address for seat in state.seats if seat is not None]
        if state.waiting:
            told += [waiting.address for waiting in state.waiting]
        told += memory.watchers
        self.address.runtime.tell_each(told, [news] * len(told))
