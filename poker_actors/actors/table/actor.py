"""The table actor: seats, stacks, the button, and one hand after another.

Keeps: a `TableState`. Answers: sit, leave, buy_in, cash_out, sit_out, wait, deal, state. Hears:
hand ended, hand down. Asks the bank; spawns hands. The state is one frozen value, replaced once a
command has been carried out whole, and it outlives the actor: a table that crashes comes back with
its seats, its button and the hand being played; its stacks are in the bank's books.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.actors.bank.messages import Escrow, Settle, Stacks, VoidHands
from poker_actors.actors.command import RETRY_SECONDS, GetState, TakeUp
from poker_actors.actors.hand.actor import HandActor, HandPlan
from poker_actors.actors.hand.messages import DealtHand, HandEndedNews, HandResult, SeatGone
from poker_actors.actors.player.messages import DeckOpened
from poker_actors.actors.runtime import ActorDown, Handlers, Restart
from poker_actors.actors.table.facts import caught_up, dealt_fact, seats_fact
from poker_actors.actors.table.messages import Deal, GetLive, Shut
from poker_actors.actors.table.seats import TableSeats
from poker_actors.actors.table.state import Seat, TableState
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec, RoomClosed, StorageFailed, TableRefusal
from poker_actors.rules import Hand, Positions, Stakes, first_positions, next_positions
from poker_actors.rules.cash import CashOptions, HandOptions
from poker_actors.store import Fact, HandOver
from poker_actors.store.fairness import SealedDeal

__all__ = ["TableActor"]

_log: Final = logging.getLogger("poker_actors.table")


class TableActor(TableSeats):
    """One poker table."""

    def handles(self) -> Handlers:
        """Commands, then news."""
        return {
            **self.seat_commands(),
            Deal: self.deal,
            GetState: lambda _: self.memory.state,
            GetLive: lambda _: self.memory.live,
            HandEndedNews: self.hand_ended,
            ActorDown: self.actor_down,
            Shut: self.shut,
            TakeUp: lambda _: self.begin(),
        }

    def begin(self) -> None:
        """Take up where the last incarnation left off; for a new table there is nothing to take up."""
        memory = self.memory
        if self.journal is not None:
            name, state = self.config.name, memory.state
            memory.state = self.journal.look(lambda room: caught_up(state, room.tables[name], self.addresses))
        resume, memory.resume = memory.resume, None
        if resume is not None and memory.state.positions is not None and memory.state.hand_id is not None:
            state = memory.state
            self._play(
                self._plan(memory.state.hand_id, state.number - 1, memory.state.positions, None, resume)
            )
        else:
            try:
                self._take_up()
            except StorageFailed:
                self._later()
        self._call_next()

    def _take_up(self) -> None:
        memory = self.memory
        playing = memory.live is not None and not memory.live.address.closed
        ended, memory.ended = memory.ended, None
        if playing or ended is not None:
            # The books know of a buy-in whose answer the last incarnation did not live to see.
            stacks: dict[str, int] = self._ask(Stacks(self.config.name))
            stacks |= {seat.player: seat.stack for seat in memory.state.in_hand.values()}
        else:
            # Chips put aside for a hand that never began come back, too.
            stacks = self._void()
        memory.state = memory.state.seated_by_books(stacks).restacked(stacks)
        if ended is not None:
            self.hand_ended(ended)
        elif not playing and memory.state.hand_id is not None:
            self._end_hand(stacks, None)

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
        positions = command.positions or self._positions(state)
        if command.positions is not None:
            self._check_positions(positions)
        options = self._options(command.bomb_pot, positions) if config.options or command.bomb_pot else None
        hand_id = f"{config.name}/hand-{state.number:09d}"
        stacks = {}
        for number in positions.dealt:
            seat = self._seat(number)
            stacks[seat.player] = seat.stack
        deck, cards, sealed = self._deck(command.deck, positions, hand_id, options)
        plan = self._plan(hand_id, state.number, positions, deck, stakes=command.stakes, options=options)
        facts: tuple[Fact, ...] = ()
        if self.journal is not None:
            facts = (dealt_fact(config, state, hand_id, positions, cards, sealed, command.stakes, options),)
        self._ask(Escrow(config.name, hand_id, stacks, facts))
        commitment = "" if sealed is None else sealed.commitment.hex()
        memory.sealed = sealed
        memory.state = TableState(
            state.seats, positions, state.number + 1, hand_id, commitment, state.waiting, state.once
        )
        self._tell_news("hand_started", hand_id=hand_id, commitment=commitment)
        return self._play(plan)

    def _play(self, plan: HandPlan) -> DealtHand:
        memory = self.memory
        address = self.supervisor.spawn(
            plan.hand_id,
            lambda address: HandActor(address, plan, lambda: memory.watchers, self.journal),
            Restart.TEMPORARY,
            monitor=self.address,
        )
        live = memory.live = DealtHand(
            plan.hand_id, address, self.address.runtime.word(), memory.state.commitment
        )
        return live

    def _positions(self, state: TableState) -> Positions:
        size = len(state.seats)
        if state.positions is None or not self.config.button_moves:
            return first_positions(state.ready, size, self.config.button)
        return next_positions(state.positions, state.ready, size)

    def _check_positions(self, positions: Positions) -> None:
        """Raise `BadSpec` for positions that deal in a seat without a player or chips."""
        seats = self.memory.state.seats
        for number in positions.dealt:
            seat = seats[number] if 0 <= number < len(seats) else None
            if seat is None or not seat.stack:
                raise BadSpec(f"seat {number} has nobody with chips to be dealt in")

    def _options(self, bomb: bool, positions: Positions) -> HandOptions | None:
        """Give the options of the next hand; raises `BadSpec` for a bomb pot where there are none."""
        state = self.memory.state
        options = self.config.options or CashOptions()
        once = [number for number in positions.dealt if self._seat(number).player in state.once]
        return options.of_hand(state.number, bomb=bomb, declined=once)

    def _deck(
        self, deck: Deck | None, positions: Positions, hand_id: str, options: HandOptions | None
    ) -> tuple[Deck, tuple[Card, ...], SealedDeal | None]:
        """Give the deck of a hand, the cards it will deal and the commitment to them.

        A deck that was given is dealt as it is; only a journal wants to know its cards before.
        """
        game = self.config.game
        needed = game.hole_cards * len(positions.dealt) + game.board_cards
        if deck is not None and len(deck) < needed:
            raise BadSpec(f"{len(deck)} cards are left in the deck: this hand needs {needed}")
        if options is not None and options.boards > 1:
            there = len(game.pack if deck is None else deck)
            needed = min(needed + (options.boards - 1) * game.board_cards, there)
        if deck is None:
            cards = Deck.secure(game.pack).draw(needed)
            return Deck(cards, entropy=-1), cards, SealedDeal(hand_id, cards)
        if self.journal is None:
            return deck, (), None
        # a copy: should the journal refuse the hand, the caller's deck is as it was
        cards = deck.copy().draw(needed)
        return Deck(cards, entropy=-1), cards, None

    def _plan(
        self,
        hand_id: str,
        number: int,
        positions: Positions,
        deck: Deck | None,
        resume: Hand | None = None,
        stakes: Stakes | None = None,
        options: HandOptions | None = None,
    ) -> HandPlan:
        config = self.config
        state = self.memory.state
        seats = [seat if number in positions.dealt else None for number, seat in enumerate(state.seats)]
        return HandPlan(
            hand_id,
            number,
            self.address,
            config.name,
            tuple(seat.address if seat else None for seat in seats),
            tuple(seat.stack if seat else 0 for seat in seats),
            stakes or config.stakes,
            config.game,
            positions,
            deck,
            config.turn_seconds,
            resume,
            options,
            self._banks(seats) if config.time_bank is not None else (),
        )

    def _banks(self, seats: Sequence[Seat | None]) -> tuple[float, ...]:
        """Seconds in the time bank of each seat."""
        return tuple([self.time_bank_of(seat.player) if seat else 0.0 for seat in seats])

    def _bank_time(self, news: HandEndedNews) -> None:
        """Keep what the hand has left in the time banks, and refill them."""
        bank = self.config.time_bank
        if bank is None:
            return
        for number, seat in self.memory.state.in_hand.items():
            self.memory.banks[seat.player] = min(news.banks[number] + bank.refill, bank.seconds)

    def hand_ended(self, news: HandEndedNews) -> None:
        """Book the result, once."""
        memory = self.memory
        state = memory.state
        if news.hand_id != state.hand_id or state.positions is None:
            return
        memory.ended = news
        hand = news.hand
        rake = 0 if type(hand) is Hand else hand.public().rake
        final = {seat.player: hand.stacks[number] for number, seat in state.in_hand.items()}
        facts = self._over_facts(news.late, voided=False)
        try:
            settle = Settle(self.config.name, news.hand_id, final, self.config.restack, facts, rake)
            stacks = self._ask(settle)
        except StorageFailed:
            self._later()
            return
        if news.banks:
            self._bank_time(news)
        stacks = {**{seat.player: seat.stack for seat in state.seats if seat}, **stacks}
        self._end_hand(stacks, hand, news.late)
        memory.ended = None

    def actor_down(self, news: ActorDown) -> None:
        """Hear that the hand's actor, or a player's, has ended for good."""
        state = self.memory.state
        if news.name == state.hand_id:
            self._hand_down(news)
        for one in state.waiting:
            if one.address.name == news.name:
                self.memory.state = self.memory.state.without(one.player)
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
        if self.memory.kept:
            self._keep()
            return
        _log.warning("%s is void: its actor ended early (%s)", news.name, news.reason or "stopped")
        try:
            self._end_hand(self._void(), None)
        except StorageFailed:
            self._later()

    def _keep(self) -> None:
        """Leave a stopped hand to the journal, and break the promise of its result."""
        live, self.memory.live = self.memory.live, None
        if live is not None:
            text = f"{live.hand_id} goes on when the room is opened again"
            live.result.set_exception((RoomClosed, RoomClosed(text), None))

    def shut(self, command: Shut) -> DealtHand | None:
        """Deal no more, and stop the hand being played if it is to be void."""
        self.memory.shut = True
        self.memory.kept = command.keep
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
        seats = state.restacked(stacks).sat_out(late, self.config.late_hands).seats
        memory.state = TableState(
            seats, state.positions, state.number, waiting=state.waiting, once=state.once
        )
        live, memory.live = memory.live, None
        what = "hand_voided" if result.voided else "hand_ended"
        self._tell_news(what, hand_id=result.hand_id, payoffs=result.payoffs)
        if live is not None:
            live.result.set(result)
        if self.recorder is not None:
            self.recorder.write(self.config.name, result)
        sealed, memory.sealed = memory.sealed, None
        if sealed is not None and hand is not None:
            self._open_deck(sealed, hand, result.players)

    def _open_deck(self, sealed: SealedDeal, hand: Hand, players: tuple[str | None, ...]) -> None:
        """Tell everybody how to check the cards they have seen; then the secret is gone for good."""
        records = sealed.records(hand)
        for number, seat in enumerate(self.memory.state.seats):
            if seat is not None and number in records and seat.player == players[number]:
                seat.address.tell(DeckOpened(self.config.name, sealed.hand_id, records[number]))
        for watcher in self.memory.watchers:
            watcher.tell(DeckOpened(self.config.name, sealed.hand_id, records[None]))

    def _void(self) -> dict[str, int]:
        """Give back what is aside for hands, and have the hand being played, if any, recorded as void."""
        facts = self._over_facts(frozenset(), voided=True)
        stacks: dict[str, int] = self._ask(VoidHands(self.config.name, facts))
        return stacks

    def _over_facts(self, late: frozenset[int], *, voided: bool) -> tuple[Fact, ...]:
        state = self.memory.state
        if self.journal is None or state.hand_id is None or state.positions is None:
            return ()
        over = HandOver(state.hand_id, voided)
        if not late and not any(seat is not None and seat.late for seat in state.seats):
            return (over,)
        return (over, seats_fact(self.config.name, state.sat_out(late, self.config.late_hands)))

    def _later(self) -> None:
        """Nobody waits for what is left to do, so try again until the journal can be written."""
        self.address.runtime.later(RETRY_SECONDS, self.address, TakeUp())
