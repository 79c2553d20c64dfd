"""The table actor: seats, stacks, the button, and one hand after another.

Keeps: a `TableState`. Answers: sit, leave, buy_in, cash_out, sit_out, deal, state. Hears:
hand ended, hand down. Asks the bank; spawns hands. The state is one frozen value, replaced once a
command has been carried out whole, and it outlives the actor: a table that crashes comes back with
its seats, its button and the hand being played; its stacks are in the bank's books.
"""

from __future__ import annotations

import logging
from typing import Final, TypeVar

import attrs

from poker_actors.actors.hand import HandActor, HandPlan, LiveHand
from poker_actors.actors.messages import (
    ActorDown,
    BuyIn,
    CashOut,
    Command,
    Deal,
    DealtHand,
    Escrow,
    GetState,
    HandEndedNews,
    HandResult,
    Leave,
    Move,
    SeatGone,
    Settle,
    Shut,
    Sit,
    SitOut,
    Stacks,
    TableNews,
    Unwatch,
    VoidHands,
    Watch,
)
from poker_actors.actors.player import Player
from poker_actors.actors.runtime import Actor, Address, Handlers
from poker_actors.actors.supervisor import Restart, Supervisor
from poker_actors.actors.table_state import Seat, TableConfig, TableMemory, TableState
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, RoomClosed, TableRefusal
from poker_actors.rules import Hand, Positions, first_positions, next_positions, whole_chips

__all__ = ["Table", "TableActor"]

R = TypeVar("R")

_log: Final = logging.getLogger("poker_actors.table")


class TableActor(Actor):
    """One poker table."""

    def __init__(
        self,
        address: Address,
        config: TableConfig,
        memory: TableMemory,
        bank: Address,
        supervisor: Supervisor,
    ) -> None:
        self.config = config
        self.memory = memory
        self.bank = bank
        self.supervisor = supervisor
        super().__init__(address)

    def handles(self) -> Handlers:
        """Commands, then news."""
        return {
            Sit: self.sit,
            Leave: self.leave,
            BuyIn: self.buy_in,
            CashOut: self.cash_out,
            SitOut: self.sit_out,
            Deal: self.deal,
            GetState: lambda _: self.memory.state,
            Watch: self.watch,
            Unwatch: self.unwatch,
            HandEndedNews: self.hand_ended,
            ActorDown: self.actor_down,
            Shut: self.shut,
        }

    def begin(self) -> None:
        """Take up where the last incarnation left off; for a new table there is nothing to take up."""
        memory = self.memory
        playing = memory.live is not None and not memory.live.address.closed
        ended, memory.ended = memory.ended, None
        if playing or ended is not None:
            # The books know of a buy-in whose answer the last incarnation did not live to see.
            stacks: dict[str, int] = self._ask(Stacks(self.config.name))
            stacks |= {seat.player: seat.stack for seat in memory.state.in_hand.values()}
        else:
            # Chips put aside for a hand that never began come back, too.
            stacks = self._ask(VoidHands(self.config.name))
        memory.state = attrs.evolve(memory.state, seats=_restacked(memory.state.seats, stacks))
        if ended is not None:
            self.hand_ended(ended)
        elif not playing and memory.state.hand_id is not None:
            self._end_hand(stacks, None)

    # -- seats ------------------------------------------------------------------------------

    def sit(self, command: Sit) -> int:
        """Give a player a seat; one who sits already is moved, with the stack."""
        state = self.memory.state
        wanted = command.seat
        if wanted is None:
            wanted = next((number for number, seat in enumerate(state.seats) if seat is None), None)
            if wanted is None:
                raise TableRefusal(f"all {len(state.seats)} seats are taken", code="seat_unavailable")
        if type(wanted) is not int or not 0 <= wanted < len(state.seats):
            text = f"seat {wanted!r:.20}: seats are 0 to {len(state.seats) - 1}"
            raise TableRefusal(text, code="seat_unavailable")
        there = state.seats[wanted]
        if there is not None:
            if there.player == command.player:
                return wanted
            raise TableRefusal(f"seat {wanted} is taken by {there.player}", code="seat_taken")
        seat = Seat(command.player, command.address)
        for number, old in enumerate(state.seats):
            if old is not None and old.player == command.player:
                self._not_in_hand(number, "move")
                seat = old
                state = state.with_seat(number, None)
        self.memory.state = state.with_seat(wanted, seat)
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
        self.memory.state = state.with_seat(number, None)
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
        self.memory.state = state.with_seat(number, attrs.evolve(self._seat(number), out=command.out))
        self._tell_news("sat_out" if command.out else "sat_in", command.player, number)

    def watch(self, command: Watch) -> None:
        """Tell a spectator what everybody can see."""
        if command.address not in self.memory.watchers:
            self.memory.watchers = (*self.memory.watchers, command.address)

    def unwatch(self, command: Unwatch) -> None:
        """Tell a spectator no more."""
        self.memory.watchers = tuple(to for to in self.memory.watchers if to is not command.address)

    # -- hands ------------------------------------------------------------------------------

    def deal(self, command: Deal) -> DealtHand:
        """Put the stacks aside and start a hand with them."""
        memory = self.memory
        state = memory.state
        config = self.config
        if memory.shut:
            raise RoomClosed(f"{self.address.name} is shut: it deals no more")
        if state.hand_id is not None:
            raise TableRefusal(f"{state.hand_id} is being played", code="hand_in_progress")
        positions = self._positions(state)
        hand_id = f"{config.name}/hand-{state.number:09d}"
        stacks = {}
        for number in positions.dealt:
            seat = self._seat(number)
            stacks[seat.player] = seat.stack
        plan = self._plan(hand_id, positions, command.deck)
        self._ask(Escrow(config.name, hand_id, stacks))
        memory.state = TableState(state.seats, positions, state.number + 1, hand_id)
        self._tell_news("hand_started", hand_id=hand_id)
        address = self.supervisor.spawn(
            hand_id,
            lambda address: HandActor(address, plan, lambda: memory.watchers),
            Restart.TEMPORARY,
            monitor=self.address,
        )
        memory.live = DealtHand(hand_id, address, self.address.runtime.word())
        return memory.live

    def _positions(self, state: TableState) -> Positions:
        size = len(state.seats)
        if state.positions is None or not self.config.button_moves:
            return first_positions(state.ready, size, self.config.button)
        return next_positions(state.positions, state.ready, size)

    def _plan(self, hand_id: str, positions: Positions, deck: Deck | None) -> HandPlan:
        config = self.config
        state = self.memory.state
        needed = config.game.hole_cards * len(positions.dealt) + config.game.board_cards
        if deck is not None and len(deck) < needed:
            raise BadSpec(f"{len(deck)} cards are left in the deck: this hand needs {needed}")
        seats = [seat if number in positions.dealt else None for number, seat in enumerate(state.seats)]
        return HandPlan(
            hand_id,
            state.number,
            self.address,
            config.name,
            tuple(seat.address if seat else None for seat in seats),
            tuple(seat.stack if seat else 0 for seat in seats),
            config.stakes,
            config.game,
            positions,
            Deck.secure(config.game.pack) if deck is None else deck,
            config.turn_seconds,
        )

    def hand_ended(self, news: HandEndedNews) -> None:
        """Book the result, once."""
        memory = self.memory
        state = memory.state
        if news.hand_id != state.hand_id or state.positions is None:
            return
        memory.ended = news
        hand = news.hand
        final = {seat.player: hand.stacks[number] for number, seat in state.in_hand.items()}
        stacks = self._ask(Settle(self.config.name, news.hand_id, final, self.config.restack))
        stacks = {**{seat.player: seat.stack for seat in state.seats if seat}, **stacks}
        self._end_hand(stacks, hand, news.late)
        memory.ended = None

    def actor_down(self, news: ActorDown) -> None:
        """Hear that the hand's actor, or a player's, has ended for good."""
        state = self.memory.state
        if news.name == state.hand_id:
            self._hand_down(news)
        for number, seat in enumerate(state.seats):
            if seat is not None and seat.address.name == news.name:
                self.memory.state = state.with_seat(number, attrs.evolve(seat, out=True))
                if number in state.in_hand and self.memory.live is not None:
                    self.memory.live.address.tell(SeatGone(number))

    def _hand_down(self, news: ActorDown) -> None:
        """Without a result nobody wins, and stacks are as they were."""
        if isinstance(news.last_words, HandEndedNews):
            self.hand_ended(news.last_words)
            return
        _log.warning("%s is void: its actor ended early (%s)", news.name, news.reason or "stopped")
        self._end_hand(self._ask(VoidHands(self.config.name)), None)

    def shut(self, command: Shut) -> DealtHand | None:
        """Deal no more, and stop the hand being played if it is to be void."""
        self.memory.shut = True
        live = self.memory.live
        if live is not None and command.void:
            self.supervisor.stop(live.address)
        return live

    def _end_hand(
        self, stacks: dict[str, int], hand: Hand | None, late: frozenset[int] = frozenset()
    ) -> None:
        """Take the stacks over, be free for the next hand, keep the promise, tell everybody."""
        memory = self.memory
        state = memory.state
        assert state.hand_id is not None
        assert state.positions is not None
        result = HandResult(
            state.hand_id,
            state.number - 1,
            tuple(seat.player if seat else None for seat in state.seats),
            (0,) * len(state.seats) if hand is None else hand.payoffs,
            tuple(stacks.get(seat.player, 0) if seat else 0 for seat in state.seats),
            state.positions,
            hand,
            voided=hand is None,
        )
        seats = _restacked(state.seats, stacks)
        if late or any(seat is not None and seat.late for seat in seats):
            seats = self._sat_out(seats, late, state.positions)
        memory.state = TableState(seats, state.positions, state.number)
        live, memory.live = memory.live, None
        what = "hand_voided" if result.voided else "hand_ended"
        self._tell_news(what, hand_id=result.hand_id, payoffs=result.payoffs)
        if live is not None:
            live.result.set(result)

    def _sat_out(
        self, seats: tuple[Seat | None, ...], late: frozenset[int], positions: Positions
    ) -> tuple[Seat | None, ...]:
        """Count hands running in which a player's time ran out, and sit out who has had enough."""
        after: list[Seat | None] = []
        for number, seat in enumerate(seats):
            if seat is None or number not in positions.dealt:
                after.append(seat)
                continue
            count = seat.late + 1 if number in late else 0
            out = seat.out or count >= self.config.late_hands
            after.append(Seat(seat.player, seat.address, seat.stack, out, 0 if out else count))
        return tuple(after)

    # -- what the handlers share ------------------------------------------------------------

    def _ask(self, command: Command[R]) -> R:
        answer: R = self.bank.ask(command)
        return answer

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
    ) -> None:
        news = TableNews(self.config.name, what, player, seat, hand_id, payoffs)
        for sitting in self.memory.state.seats:
            if sitting is not None:
                sitting.address.tell(news)
        for watcher in self.memory.watchers:
            watcher.tell(news)


def _restacked(seats: tuple[Seat | None, ...], stacks: dict[str, int]) -> tuple[Seat | None, ...]:
    """The same seats with the stacks that the bank's books say."""
    return tuple(
        Seat(seat.player, seat.address, stacks.get(seat.player, 0), seat.out, seat.late) if seat else None
        for seat in seats
    )


class Table:
    """A table as callers use it. Amounts are chips; refusals raise `TableRefusal` with the code."""

    def __init__(self, address: Address, config: TableConfig) -> None:
        self.address = address
        self.config = config

    @property
    def name(self) -> str:
        """The table's name, unique in the room."""
        return self.config.name

    def ask(self, command: Command[R]) -> R:
        """Send a command and wait for its answer."""
        answer: R = self.address.ask(command)
        return answer

    def sit(self, player: Player, seat: int | None = None) -> int:
        """Take a seat, any free one unless named (`seat_taken`, `seat_unavailable`); gives its number."""
        return self.ask(Sit(player.name, player.address, seat))

    def leave(self, player: Player) -> None:
        """Give the seat up (`not_at_table`, `player_has_balance`, `hand_in_progress`)."""
        self.ask(Leave(player.name))

    def buy_in(self, player: Player, amount: int) -> int:
        """Bring chips from the bank (`not_at_table`, `insufficient_funds`, `hand_in_progress`); gives the stack."""
        return self.ask(BuyIn(player.name, amount))

    def cash_out(self, player: Player) -> int:
        """Bring the whole stack to the bank (`not_at_table`, `hand_in_progress`); gives the chips moved."""
        return self.ask(CashOut(player.name))

    def sit_out(self, player: Player) -> None:
        """Keep the seat and get no more cards."""
        self.ask(SitOut(player.name, out=True))

    def sit_in(self, player: Player) -> None:
        """Get cards again."""
        self.ask(SitOut(player.name, out=False))

    def watch(self, player: Player) -> None:
        """Tell a player who need not sit here what a spectator may see: seat -1, no hole cards."""
        self.ask(Watch(player.address))

    def unwatch(self, player: Player) -> None:
        """Tell it no more."""
        self.ask(Unwatch(player.address))

    def deal(self, deck: Deck | None = None) -> LiveHand:
        """Start a hand (`not_enough_players`, `hand_in_progress`), shuffled afresh unless given a deck."""
        return LiveHand(self.ask(Deal(deck)))

    def play(self, hands: int = 1) -> list[HandResult]:
        """Deal one hand after another and wait for each; for tables where bots decide."""
        return [self.deal().result() for _ in range(hands)]

    def state(self) -> TableState:
        """Give seats, stacks and button."""
        state: TableState = self.address.ask(GetState())
        return state

    def __repr__(self) -> str:
        return f"<Table: {self.name}, {self.config.game} {self.config.stakes}>"
