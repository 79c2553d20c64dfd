"""The seats of a table: who sits where, with what stack, who waits for a seat, and who watches.

Each command makes the state it leads to, has it made durable where there is a journal, and then
takes its place whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import attrs

from poker_actors.actors.bank.messages import Balance, Forfeit, Move, Stacks, TopUp, Transfer
from poker_actors.actors.command import RETRY_SECONDS, Command
from poker_actors.actors.player.messages import SitOut, TableNews
from poker_actors.actors.runtime import Actor, Address, Handlers, Supervisor
from poker_actors.actors.table.facts import seats_fact
from poker_actors.actors.table.messages import (
    Abandon,
    BuyIn,
    CashOut,
    GetTimeBank,
    Leave,
    RunOnce,
    SeatNext,
    Send,
    Sit,
    TopUpStack,
    Unwatch,
    Wait,
    Watch,
)
from poker_actors.actors.table.recording import Recorder
from poker_actors.actors.table.state import Seat, TableConfig, TableMemory, TableState, Waiting
from poker_actors.errors import AskTimeout, BadSpec, StorageFailed, TableRefusal
from poker_actors.rules import whole_chips
from poker_actors.store import Fact, Journal

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
            Wait: self.wait,
            SeatNext: self.seat_next,
            TopUpStack: self.top_up,
            Send: self.send,
            Abandon: self.abandon,
            RunOnce: self.run_once,
            GetTimeBank: lambda command: self.time_bank_of(command.player),
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
        self._check_known(command)
        seat = Seat(command.player, command.address)
        if command.with_stack:
            stacks: dict[str, int] = self._ask(Stacks(self.config.name))
            seat = attrs.evolve(seat, stack=stacks.get(command.player, 0))
        for number, old in enumerate(state.seats):
            if old is not None and old.player == command.player:
                self._not_in_hand(number, "move")
                seat = old
                state = state.with_seat(number, None)
                break
        else:
            self._not_before_others(state)
        self._seat_as(state.with_seat(wanted, seat))
        self.supervisor.watch(command.address, self.address)
        self._tell_news("sat", command.player, wanted)
        return wanted

    def _check_known(self, command: Sit | Wait) -> None:
        if self.journal is not None and self.addresses.get(command.player) is not command.address:
            raise BadSpec(
                f"{command.player} is no player of this room: its journal could not bring them back"
            )

    @staticmethod
    def _not_before_others(state: TableState) -> None:
        if state.waiting:
            text = f"{state.waiting[0].player} is the next to get a seat, of {len(state.waiting)} who wait"
            raise TableRefusal(text, code="seat_unavailable")

    def leave(self, command: Leave) -> None:
        """Free a seat whose stack has been cashed out, or give up a place in the waiting list."""
        state = self.memory.state
        if state.place_of(command.player):
            self._stop_waiting(command.player)
            return
        number = state.seat_of(command.player)
        seat = self._seat(number)
        self._not_in_hand(number, "leave")
        if seat.stack:
            text = f"{seat.player} has {seat.stack} on the table: cash out first"
            raise TableRefusal(text, code="player_has_balance")
        self._seat_as(state.with_seat(number, None))
        self._has_left(seat, "left", number)

    def _has_left(self, seat: Seat, what: str, number: int) -> None:
        self.supervisor.unwatch(seat.address, self.address)
        self._tell_news(what, seat.player, number)
        self._call_next()

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

    def abandon(self, command: Abandon) -> int:
        """Give a whole stack up to the house, not during a hand the player is in."""
        state = self.memory.state
        number = state.seat_of(command.player)
        seat = self._seat(number)
        self._not_in_hand(number, "forfeit")
        if seat.stack:
            self._ask(Forfeit(command.player, seat.stack, self.config.name))
        self.memory.state = state.with_seat(number, attrs.evolve(seat, stack=0))
        self._tell_news("forfeited", command.player, number)
        return seat.stack

    def run_once(self, command: RunOnce) -> None:
        """Have no board run more than once with this player, or agree to it again, from the next hand on."""
        state = self.memory.state
        self._seat(state.seat_of(command.player))
        once = {*state.once, command.player} if command.once else {*state.once} - {command.player}
        self._seat_as(attrs.evolve(state, once=tuple(sorted(once))))

    def time_bank_of(self, player: str) -> float:
        """Seconds a player may take beyond the deadlines."""
        bank = self.config.time_bank
        return 0.0 if bank is None else self.memory.banks.get(player, bank.seconds)

    def top_up(self, command: TopUpStack) -> int:
        """Mint chips into a stack, or take them out of play, not during a hand the player is in."""
        state = self.memory.state
        number = state.seat_of(command.player)
        seat = self._seat(number)
        self._not_in_hand(number, "top up")
        amount = command.amount
        whole_chips("top-up", abs(amount) if type(amount) is int else amount, least=1)
        stack: int = self._ask(TopUp(self.config.name, command.player, amount, command.key))
        self.memory.state = state.with_seat(number, attrs.evolve(seat, stack=stack))
        self._tell_news("topped_up", command.player, number)
        return stack

    def send(self, command: Send) -> int:
        """Free a seat and send its stack to another table, in one booking."""
        state = self.memory.state
        number = state.seat_of(command.player)
        seat = self._seat(number)
        self._not_in_hand(number, "be sent")
        if command.to == self.config.name:
            raise BadSpec(f"{command.player} is at {command.to} already")
        after = state.with_seat(number, None)
        chips: int = self._ask(
            Transfer(command.player, self.config.name, command.to, self._seats_facts(after))
        )
        self.memory.state = after
        self._has_left(seat, "sent", number)
        return chips

    # -- waiting for a seat -----------------------------------------------------------------

    def wait(self, command: Wait) -> int:
        """Put a player on the waiting list; one who waits already keeps the place."""
        state = self.memory.state
        player, buy_in = command.player, command.buy_in
        if any(seat is not None and seat.player == player for seat in state.seats):
            text = f"{player} has seat {state.seat_of(player)} already"
            raise TableRefusal(text, code="seat_taken")
        self._check_known(command)
        whole_chips("buy-in", buy_in)
        if buy_in and (balance := self._ask(Balance(player))) < buy_in:
            text = f"{player} has {balance} at the bank: the buy-in is {buy_in}"
            raise TableRefusal(text, code="insufficient_funds")
        one = Waiting(player, command.address, buy_in)
        place = state.place_of(player) or len(state.waiting) + 1
        waiting = (*state.waiting[: place - 1], one, *state.waiting[place:])
        self._seat_as(attrs.evolve(state, waiting=waiting))
        self.supervisor.watch(command.address, self.address)
        self._tell_news("waits", player)
        self._call_next()
        return place

    def _call_next(self) -> None:
        """Have the next one seated, if somebody waits and a seat is free."""
        state = self.memory.state
        if state.waiting and None in state.seats and not self.memory.shut:
            self.address.tell(SeatNext())

    def seat_next(self, news: SeatNext) -> None:
        """Give free seats to the first who wait and can pay; who cannot is passed over."""
        while (state := self.memory.state).waiting and None in state.seats and not self.memory.shut:
            try:
                self._bring(state.waiting[0], state.seats.index(None))
            except StorageFailed:
                self.address.runtime.later(RETRY_SECONDS, self.address, news)
                return

    def _bring(self, first: Waiting, number: int) -> None:
        """Seat somebody with the buy-in asked for: seat and chips in one write."""
        seat = Seat(first.player, first.address)
        after = self.memory.state.without(first.player).with_seat(number, seat)
        if first.buy_in:
            move = Move(self.config.name, first.player, first.buy_in, self._seats_facts(after))
            try:
                stack: int = self._ask(move)
            except TableRefusal:
                self._stop_waiting(first.player, "passed_over")
                return
            self.memory.state = after.with_seat(number, attrs.evolve(seat, stack=stack))
        else:
            self._seat_as(after)
        self._tell_news("sat", first.player, number)
        if first.buy_in:
            self._tell_news("bought_in", first.player, number)

    def _stop_waiting(self, player: str, what: str = "left") -> None:
        state = self.memory.state
        one = state.waiting[state.place_of(player) - 1]
        self._seat_as(state.without(player))
        self.supervisor.unwatch(one.address, self.address)
        self._tell_news(what, player)
        one.address.tell(TableNews(self.config.name, what, player))

    # -- watching ---------------------------------------------------------------------------

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
            self.journal.append(seats_fact(self.config.name, state))
        self.memory.state = state

    def _seats_facts(self, state: TableState) -> tuple[Fact, ...]:
        """What the journal must know of the seats in `state`, to be written with a booking."""
        return () if self.journal is None else (seats_fact(self.config.name, state),)

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
        memory = self.memory
        told = [seat.address for seat in memory.state.seats if seat is not None]
        told += [waiting.address for waiting in memory.state.waiting]
        told += memory.watchers
        self.address.runtime.tell_each(told, [news] * len(told))
