"""The table actor: seats, stacks, the button, and one hand after another.

Keeps: a `TableMemory`, which outlives it: a crashed table comes back with its seats, its button and
the hand being played; its stacks are in the bank's books. Answers: commands of callers
(`table.messages`). Receives: a hand has ended, an actor is down. Asks the bank; starts hands.

A command computes the next state, makes it durable if there is a journal, and only then replaces the
current state as a whole. This file has seats, stacks and the waiting list; hands are in `table.hands`.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from poker_actors.actors.bank import (
    Balance,
    Forfeit,
    Move,
    Send,
    Stacks,
    TopUp,
)
from poker_actors.actors.command import GetState, TakeUp
from poker_actors.actors.hand import DealtHand, SeatBack, SeatGone
from poker_actors.actors.player.messages import SitOut, TableNews
from poker_actors.actors.runtime import ActorBack, ActorDown, Address, Handlers, on
from poker_actors.actors.table.dealing import moved, newcomer
from poker_actors.actors.table.hands import Desk, TableHands
from poker_actors.actors.table.messages import (
    Awaited,
    AwaitPlayers,
    BuyIn,
    CashOut,
    GetLive,
    GetTimeBank,
    Leave,
    LeaveAfterHand,
    RunItOnce,
    SeatNext,
    ShowCards,
    Sit,
    SitIn,
    StopRun,
    Unwatch,
    Wait,
    Watch,
)
from poker_actors.actors.table.seats import Seat, TableState, Waiting
from poker_actors.actors.table.stages import Closing
from poker_actors.errors import BadSpec, RoomClosed, StorageFailed, TableRefusal
from poker_actors.rules import whole_chips
from poker_actors.store import CardsShown


class TableActor(TableHands):
    """One poker table."""

    def __init__(self, address: Address, desk: Desk) -> None:
        self.config = desk.config
        self.supervisor = desk.supervisor
        super().__init__(address, desk)

    def handles(self) -> Handlers:
        """Return the marked handlers, wrapped to keep their messages if the table keeps any."""
        handlers = super().handles()
        recent = self.desk.recent
        # not `self.address`: the base's constructor, which calls this, has not set it yet
        return handlers if recent is None else recent.noting(self.desk.address.name, handlers)

    @on(TakeUp)
    def take_up_again(self, _: TakeUp) -> None:
        self.begin()

    def begin(self) -> None:
        """Continue where the table stopped before a restart; do nothing for a new table."""
        self.take_up()
        # Watch again: the last incarnation may have crashed on the news that one of them is gone.
        here = (*self.memory.seating.seats, *self.memory.seating.waiting)
        players = [one.address for one in here if one is not None]
        self.supervisor.watch_each(players, self.address, restarts=True)
        self.supervisor.watch_each(self.memory.watchers, self.address)
        self._call_next()
        self.desk.call_dealers()

    def on_stop(self) -> None:
        """Refuse waiting calls of `run` once the room stops the table for good."""
        if self.address.stopping:
            self.desk.refuse_dealers(f"{self.address.name} is closed")

    # -- seats ------------------------------------------------------------------------------

    @on(Sit)
    def sit(self, command: Sit) -> int:
        """Seat a player; one already seated moves, with the stack."""
        state = self.memory.seating
        wanted = state.seat_for(command.player, command.seat)
        if state.seats[wanted] is not None:
            return wanted
        self._check_known(command)
        seat = Seat(command.player, command.address)
        if command.with_stack:
            stacks: dict[str, int] = self.desk.ask(Stacks(self.config.name))
            seat = attrs.evolve(seat, stack=stacks.get(command.player, 0))
        old = state.number_of(command.player)
        if old is not None:
            self._not_in_hand(old, "move")
            seat, state = state.seat_at(old), state.with_seat(old, None)
            state = moved(self.config, state, command.player, old, wanted)
        elif state.waiting:
            text = f"{state.waiting[0].player} is first of {len(state.waiting)} waiting for a seat"
            raise TableRefusal(text, code="seat_unavailable")
        else:
            state = newcomer(self.config, state, command.player)
        self.desk.seat_as(state.with_seat(wanted, seat))
        self.supervisor.watch(command.address, self.address, restarts=True)
        self.desk.tell_news("sat", command.player, wanted)
        return wanted

    @on(Leave)
    def leave(self, command: Leave) -> None:
        if self.memory.seating.place_of(command.player):
            self._stop_waiting(command.player)
            return
        number, seat = self._out_of_hand(command.player, "leave")
        if seat.stack:
            text = f"{seat.player} has {seat.stack} on the table: cash out first"
            raise TableRefusal(text, code="player_has_balance")
        self.desk.seat_as(self.memory.seating.freed(number))
        self._has_left(seat, "left", number)

    def _has_left(self, seat: Seat, what: str, number: int, also: Sequence[Address] = ()) -> None:
        self._let_go(seat.address)
        self.desk.tell_news(what, seat.player, number, also=also)
        self._call_next()

    @on(LeaveAfterHand)
    def leave_after_hand(self, command: LeaveAfterHand) -> bool:
        state, player, leave = self.memory.seating, command.player, command.leave
        if state.place_of(player):
            if leave:
                self._stop_waiting(player)
            return leave
        number = state.seat_of(player)
        if leave and number not in self.memory.in_hand:
            self._cash_out_and_leave(number)
            return True
        leaving = {*state.leaving, player} if leave else {*state.leaving} - {player}
        self.desk.seat_as(attrs.evolve(state, leaving=tuple(sorted(leaving))))
        self.desk.call_dealers()
        return False

    def _cash_out_and_leave(self, number: int) -> None:
        """Return a stack to its owner and free the seat, in one write; tell the owner, too."""
        seat, after = self.memory.seating.seat_at(number), self.memory.seating.freed(number)
        if seat.stack:
            self.desk.ask(Move(self.config.name, seat.player, -seat.stack, self.desk.seats_facts(after)))
            self.memory.seating = after
            self.desk.tell_news("cashed_out", seat.player, number, also=[seat.address])
        else:
            self.desk.seat_as(after)
        self._has_left(seat, "left", number, [seat.address])

    @on(SitOut)
    def sit_out(self, command: SitOut) -> None:
        self._sit_out(command.player, out=True, waits=False)

    @on(SitIn)
    def sit_in(self, command: SitIn) -> None:
        self._sit_out(command.player, out=False, waits=command.wait)

    def _sit_out(self, player: str, *, out: bool, waits: bool) -> None:
        state = self.memory.seating
        number = state.seat_of(player)
        seat, owed = state.seat_at(number), state.owed_by(player)
        if owed in state.owed:
            state = state.owing(attrs.evolve(owed, waits=waits))
        self.desk.seat_as(state.with_seat(number, attrs.evolve(seat, out=out)))
        self.desk.tell_news("sat_out" if out else "sat_in", player, number)
        self.supervisor.watch(seat.address, self.address, restarts=True)  # if the player is gone: out again

    @on(RunItOnce)
    def run_it_once(self, command: RunItOnce) -> None:
        state = self.memory.seating
        state.seat_of(command.player)
        once = {*state.once, command.player} if command.once else {*state.once} - {command.player}
        self.desk.seat_as(attrs.evolve(state, once=tuple(sorted(once))))

    @on(ShowCards)
    def show_cards(self, command: ShowCards) -> None:
        memory, last = self.memory, self.memory.last
        if memory.live is not None:
            raise TableRefusal(f"{memory.live.hand_id} is being played", code="hand_in_progress")
        if last is None:
            raise TableRefusal(
                f"{self.config.name} has no finished hand to show cards from", code="not_at_table"
            )
        seat = last.seat_of(command.player, command.hand_id)
        after = last.with_shown(seat)
        if after.hand.shows == last.hand.shows:
            return  # shown already
        if self.desk.journal is not None:
            self.desk.journal.append(CardsShown(last.hand_id, seat))
        memory.last = after
        # Sent as the hand: its last states may still be on their way, and these must come after them. The news comes
        # first, so that everybody knows why another state follows.
        seats = {player: number for number, player in after.players.items()}
        self.desk.tell_news("showed", command.player, seat, last.hand_id, also=[*seats], sender=last.address)
        for watcher in memory.watchers:
            seats.setdefault(watcher, -1)
        states = [after.state(self.config.name, number) for number in seats.values()]
        self.address.runtime.tell_each([*seats], states, last.address)
        if self.desk.recorder is not None:
            self.desk.recorder.showed(self.config.name, last.hand_id, after.hand)

    @on(GetTimeBank)
    def time_bank(self, command: GetTimeBank) -> float:
        bank = self.config.time_bank
        return 0.0 if bank is None else self.memory.banks.get(command.player, bank.seconds)

    @on(GetState)
    def state(self, _: GetState) -> TableState:
        """Return seats, stacks and button."""
        return self.memory.state

    @on(GetLive)
    def live(self, _: GetLive) -> DealtHand | None:
        return self.memory.live

    @on(AwaitPlayers)
    def await_players(self, command: AwaitPlayers) -> Awaited:
        memory = self.memory
        if memory.closing is not Closing.OPEN:
            raise RoomClosed(f"{self.address.name} is closed and deals no more hands")
        if command.stops not in (None, memory.stops):
            word = self.address.runtime.word()
            word.set(False)
            return Awaited(word, memory.stops)
        if memory.players_ready is None:
            memory.players_ready = self.address.runtime.word()
        awaited = Awaited(memory.players_ready, memory.stops)
        self.desk.call_dealers()
        return awaited

    @on(StopRun)
    def stop_run(self, _: StopRun) -> None:
        memory = self.memory
        memory.stops += 1
        word, memory.players_ready = memory.players_ready, None
        if word is not None:
            word.set(False)

    @on(Watch)
    def watch(self, command: Watch) -> None:
        if command.address not in self.memory.watchers:
            self.memory.watchers = (*self.memory.watchers, command.address)
        self.supervisor.watch(command.address, self.address)

    @on(Unwatch)
    def unwatch(self, command: Unwatch) -> None:
        self.memory.watchers = tuple(to for to in self.memory.watchers if to is not command.address)
        self._let_go(command.address)

    def _let_go(self, address: Address) -> None:
        """Stop watching an actor, unless it sits, waits or watches here."""
        memory = self.memory
        here = [one.address for one in (*memory.seating.seats, *memory.seating.waiting) if one is not None]
        if address not in (*here, *memory.watchers):
            self.supervisor.unwatch(address, self.address)

    # -- stacks -----------------------------------------------------------------------------

    @on(BuyIn)
    def buy_in(self, command: BuyIn) -> int:
        number, seat = self._out_of_hand(command.player, "buy in")
        whole_chips("buy-in", command.amount, least=1)
        stack = self.desk.ask(Move(self.config.name, command.player, command.amount))
        return self._has_stack(number, seat, stack, "bought_in")

    @on(CashOut)
    def cash_out(self, command: CashOut) -> int:
        number, seat = self._out_of_hand(command.player, "cash out")
        if seat.stack:
            self.desk.ask(Move(self.config.name, command.player, -seat.stack))
        self._has_stack(number, seat, 0, "cashed_out")
        return seat.stack

    @on(Forfeit)
    def forfeit(self, command: Forfeit) -> int:
        number, seat = self._out_of_hand(command.player, "forfeit")
        if seat.stack:
            self.desk.ask(Forfeit(command.player, seat.stack, self.config.name))
        self._has_stack(number, seat, 0, "forfeited")
        return seat.stack

    @on(TopUp)
    def top_up(self, command: TopUp) -> int:
        number, seat = self._out_of_hand(command.player, "top up")
        amount = command.amount
        whole_chips("top-up", abs(amount) if type(amount) is int else amount, least=1)
        stack = self.desk.ask(attrs.evolve(command, table=self.config.name))
        return self._has_stack(number, seat, stack, "topped_up")

    @on(Send)
    def send(self, command: Send) -> int:
        number, seat = self._out_of_hand(command.player, "be sent")
        if command.to == self.config.name:
            raise BadSpec(f"{command.player} is already at {command.to}")
        after = self.memory.seating.freed(number)
        chips = self.desk.ask(
            Send(command.player, command.to, self.config.name, self.desk.seats_facts(after))
        )
        self.memory.seating = after
        self._has_left(seat, "sent", number)
        return chips

    def _has_stack(self, number: int, seat: Seat, stack: int, what: str) -> int:
        self.memory.seating = self.memory.seating.with_seat(number, attrs.evolve(seat, stack=stack))
        self.desk.tell_news(what, seat.player, number)
        return stack

    def _out_of_hand(self, player: str, what: str) -> tuple[int, Seat]:
        """Return a player's seat; raises `TableRefusal` (`not_at_table`, `hand_in_progress`)."""
        number = self.memory.seating.seat_of(player)
        self._not_in_hand(number, what)
        return number, self.memory.seating.seat_at(number)

    def _not_in_hand(self, number: int, what: str) -> None:
        seat, live = self.memory.in_hand.get(number), self.memory.live
        if seat is not None:
            assert live is not None, "a seat is in a hand"
            text = f"{seat.player} cannot {what}: {live.hand_id} is being played"
            raise TableRefusal(text, code="hand_in_progress")

    # -- waiting for a seat -----------------------------------------------------------------

    @on(Wait)
    def wait(self, command: Wait) -> int:
        state = self.memory.seating
        player, buy_in = command.player, command.buy_in
        number = state.number_of(player)
        if number is not None:
            raise TableRefusal(f"{player} already has seat {number}", code="seat_taken")
        self._check_known(command)
        whole_chips("buy-in", buy_in)
        if buy_in and (balance := self.desk.ask(Balance(player))) < buy_in:
            text = f"{player} has {balance} at the bank: the buy-in is {buy_in}"
            raise TableRefusal(text, code="insufficient_funds")
        one = Waiting(player, command.address, buy_in)
        place = state.place_of(player) or len(state.waiting) + 1
        waiting = (*state.waiting[: place - 1], one, *state.waiting[place:])
        self.desk.seat_as(attrs.evolve(state, waiting=waiting))
        self.supervisor.watch(command.address, self.address, restarts=True)
        self.desk.tell_news("waits", player)
        self._call_next()
        return place

    def _call_next(self) -> None:
        """Start seating if a player waits for a free seat, or is about to leave one."""
        state = self.memory.seating
        if state.leaving or (state.waiting and None in state.seats):
            self.address.tell(SeatNext())

    @on(SeatNext)
    def seat_next(self, news: SeatNext) -> None:
        memory = self.memory
        try:
            for player in memory.seating.leaving:
                number = memory.seating.seat_of(player)
                if number not in memory.in_hand:
                    self._cash_out_and_leave(number)
            while (
                (state := memory.seating).waiting and None in state.seats and memory.closing is Closing.OPEN
            ):
                self._bring(state.waiting[0], state.seats.index(None))
        except StorageFailed:
            self.desk.later(news)

    def _bring(self, first: Waiting, number: int) -> None:
        """Seat the first in line with the buy-in asked for, seat and chips in one write."""
        seat = Seat(first.player, first.address)
        after = newcomer(self.config, self.memory.seating.without(first.player), first.player)
        after = after.with_seat(number, seat)
        if first.buy_in:
            move = Move(self.config.name, first.player, first.buy_in, self.desk.seats_facts(after))
            try:
                stack = self.desk.paid.pop(first.player, 0) or self.desk.ask(move)
            except TableRefusal:
                self._stop_waiting(first.player, "passed_over")
                return
            self.memory.seating = after.with_seat(number, attrs.evolve(seat, stack=stack))
        else:
            self.desk.seat_as(after)
        self.desk.tell_news("sat", first.player, number)
        if first.buy_in:
            self.desk.tell_news("bought_in", first.player, number)

    def _stop_waiting(self, player: str, what: str = "left") -> None:
        state = self.memory.seating
        one = state.waiting[state.place_of(player) - 1]
        self.desk.seat_as(state.without(player))
        self._let_go(one.address)
        self.desk.tell_news(what, player)
        one.address.tell(TableNews(self.config.name, what, player))

    def _check_known(self, command: Sit | Wait) -> None:
        if self.desk.journal is not None and self.desk.addresses.get(command.player) is not command.address:
            raise BadSpec(
                f"{command.player} is not a player of this room: its journal could not bring them back"
            )

    # -- players who are gone ---------------------------------------------------------------

    @on(ActorDown)
    def actor_down(self, news: ActorDown) -> None:
        """Handle the end of the hand's actor, or of a player's."""
        memory = self.memory
        live, seating = memory.live, memory.seating
        if live is not None and news.address is live.address:
            self.hand_down(news)
            return
        memory.watchers = tuple(to for to in memory.watchers if to is not news.address)
        for one in seating.waiting:
            if one.address is news.address:
                seating = seating.without(one.player)
        gone = [number for number, seat in enumerate(seating.seats) if seat and seat.address is news.address]
        for number in gone:
            seating = seating.with_seat(number, attrs.evolve(seating.seat_at(number), out=True))
        try:
            if seating is not memory.seating:
                # written, so that the next incarnation, or process, does not deal this player in
                self.desk.seat_as(seating)
        except StorageFailed:
            self.desk.later(news)
        for number in gone:
            if number in memory.in_hand:
                assert live is not None, "a seat is in a hand"
                live.address.tell(SeatGone(number))

    @on(ActorBack)
    def actor_back(self, news: ActorBack) -> None:
        """Handle a player's restart: have the hand repeat its open turn."""
        live = self.memory.live
        for number, seat in self.memory.in_hand.items():
            if seat.address is news.address:
                assert live is not None, "a seat is in a hand"
                live.address.tell(SeatBack(number))
