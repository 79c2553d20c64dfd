"""The seats of a table: who sits where, with what stack, and who watches.

Each command makes the state it leads to, has it made durable where there is a journal, and then
takes its place whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import attrs

from poker_actors.actors.journaling import seats_fact
from poker_actors.actors.messages import (
    BuyIn,
    CashOut,
    Command,
    Leave,
    Move,
    Sit,
    SitOut,
    TableNews,
    Unwatch,
    Watch,
)
from poker_actors.actors.recording import Recorder
from poker_actors.actors.runtime import Actor, Address, Handlers
from poker_actors.actors.supervisor import Supervisor
from poker_actors.actors.table_state import Seat, TableConfig, TableMemory, TableState
from poker_actors.errors import AskTimeout, BadSpec, TableRefusal
from poker_actors.rules import whole_chips
from poker_actors.store import Journal

__all__ = ["TableSeats"]

R = TypeVar("R")


class TableSeats(Actor):
    """What a table does about its seats; the hands are `TableActor`'s."""

    def __init__(
        self,
        address: Address,
        config: TableConfig,
        memory: TableMemory,
        bank: Address,
        supervisor: Supervisor,
        journal: Journal | None = None,
        addresses: Mapping[str, Address] | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self.journal = journal
        self.recorder = recorder
        self.addresses: Mapping[str, Address] = {} if addresses is None else addresses
        """Where each player of the room is reached, for the names in the journal."""
        self.config = config
        self.memory = memory
        self.bank = bank
        self.supervisor = supervisor
        super().__init__(address)

    def seat_commands(self) -> Handlers:
        """What is answered here."""
        return {
            Sit: self.sit,
            Leave: self.leave,
            BuyIn: self.buy_in,
            CashOut: self.cash_out,
            SitOut: self.sit_out,
            Watch: self.watch,
            Unwatch: self.unwatch,
        }

    def sit(self, command: Sit) -> int:
        """Give a player a seat; one who sits already is moved, with the stack."""
        state = self.memory.state
        wanted = state.seat_for(command.player, command.seat)
        there = state.seats[wanted]
        if there is not None:
            return wanted
        if self.journal is not None and self.addresses.get(command.player) is not command.address:
            raise BadSpec(
                f"{command.player} is no player of this room: its journal could not bring them back"
            )
        seat = Seat(command.player, command.address)
        for number, old in enumerate(state.seats):
            if old is not None and old.player == command.player:
                self._not_in_hand(number, "move")
                seat = old
                state = state.with_seat(number, None)
        self._seat_as(state.with_seat(wanted, seat))
        self.supervisor.watch(command.address, self.address)
        self._tell_news("sat", command.player, wanted)
        return wanted

    def leave(self, command: Leave) -> None:
        """Free a seat whose stack has been cashed out."""
        state = self.memory.state
        number = state.seat_of(command.player)
        seat = self._seat(number)
        self._not_in_hand(number, "leave")
        if seat.stack:
            text = f"{seat.player} has {seat.stack} on the table: cash out first"
            raise TableRefusal(text, code="player_has_balance")
        self._seat_as(state.with_seat(number, None))
        self.supervisor.unwatch(seat.address, self.address)
        self._tell_news("left", command.player, number)

    def buy_in(self, command: BuyIn) -> int:
        """Add chips from the bank to a stack, not during a hand the player is in."""
        state = self.memory.state
        number = state.seat_of(command.player)
        seat = self._seat(number)
        self._not_in_hand(number, "buy in")
        whole_chips("buy-in", command.amount, least=1)
        stack: int = self._ask(Move(self.config.name, command.player, command.amount))
        self.memory.state = state.with_seat(number, attrs.evolve(seat, stack=stack))
        self._tell_news("bought_in", command.player, number)
        return stack

    def cash_out(self, command: CashOut) -> int:
        """Bring a whole stack to the bank, not during a hand the player is in."""
        state = self.memory.state
        number = state.seat_of(command.player)
        seat = self._seat(number)
        self._not_in_hand(number, "cash out")
        if seat.stack:
            self._ask(Move(self.config.name, command.player, -seat.stack))
        self.memory.state = state.with_seat(number, attrs.evolve(seat, stack=0))
        self._tell_news("cashed_out", command.player, number)
        return seat.stack

    def sit_out(self, command: SitOut) -> None:
        """Deal a player no more cards, or again."""
        state = self.memory.state
        number = state.seat_of(command.player)
        self._seat_as(state.with_seat(number, attrs.evolve(self._seat(number), out=command.out)))
        self._tell_news("sat_out" if command.out else "sat_in", command.player, number)

    def watch(self, command: Watch) -> None:
        """Tell a spectator what everybody can see."""
        if command.address not in self.memory.watchers:
            self.memory.watchers = (*self.memory.watchers, command.address)

    def unwatch(self, command: Unwatch) -> None:
        """Tell a spectator no more."""
        self.memory.watchers = tuple(to for to in self.memory.watchers if to is not command.address)

    # -- what the handlers share ------------------------------------------------------------

    def _ask(self, command: Command[R]) -> R:
        try:
            answer: R = self.bank.ask(command)
        except AskTimeout as error:
            # It may happen yet: a crash brings this table back with what has happened by then.
            raise RuntimeError(f"{self.address.name} has no answer: {error}") from error
        return answer

    def _seat_as(self, state: TableState) -> None:
        """Let the seats be as in `state`, once that is durable."""
        if self.journal is not None:
            self.journal.append(seats_fact(self.config.name, state.seats))
        self.memory.state = state

    def _seat(self, number: int) -> Seat:
        seat = self.memory.state.seats[number]
        assert seat is not None, f"seat {number} is empty"
        return seat

    def _not_in_hand(self, number: int, what: str) -> None:
        state = self.memory.state
        if number in state.in_hand:
            text = f"{self._seat(number).player} cannot {what}: {state.hand_id} is being played"
            raise TableRefusal(text, code="hand_in_progress")

    def _tell_news(
        self,
        what: str,
        player: str | None = None,
        seat: int | None = None,
        hand_id: str | None = None,
        payoffs: tuple[int, ...] = (),
        commitment: str = "",
    ) -> None:
        news = TableNews(self.config.name, what, player, seat, hand_id, payoffs, commitment)
        for sitting in self.memory.state.seats:
            if sitting is not None:
                sitting.address.tell(news)
        for watcher in self.memory.watchers:
            watcher.tell(news)
