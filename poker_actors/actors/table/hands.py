"""The hands of a table, from the deal to the result, whatever crashes on the way.

Every stage is noted in the table's memory (see `TableMemory`) before anything follows from it, so
that the table's next incarnation continues where the last one crashed. "Ended" and "died" are
messages, handled in the order they arrive; nothing is concluded from a closed address.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

import attrs

from poker_actors.actors.bank.messages import Escrow, Settle, Stacks, VoidHands
from poker_actors.actors.command import TakeUp
from poker_actors.actors.hand.actor import HandActor
from poker_actors.actors.hand.messages import DealtHand, HandEndedNews, HandResult, HandStopped
from poker_actors.actors.player.messages import DeckOpened
from poker_actors.actors.runtime import ActorDown, Restart
from poker_actors.actors.table.dealing import NextHand, plan_of, prepare
from poker_actors.actors.table.desk import Desk
from poker_actors.actors.table.facts import banks_fact, dealt_fact, seats_fact
from poker_actors.actors.table.messages import Deal, Shut
from poker_actors.actors.table.state import Booked, TableState
from poker_actors.errors import RoomClosed, StorageFailed, TableRefusal
from poker_actors.rules import Hand
from poker_actors.store import Fact, HandOver

__all__ = ["TableHands"]

_log: Final = logging.getLogger("poker_actors.table")


class TableHands:
    """A table's part in its hands; `TableActor` has the seats."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.memory = desk.memory

    # -- the deal ---------------------------------------------------------------------------

    def deal(self, command: Deal) -> DealtHand:
        """Move the stacks into escrow and start a hand with them."""
        memory, desk = self.memory, self.desk
        state, config = memory.state, desk.config
        if memory.shut:
            raise RoomClosed(f"{desk.address.name} is shut: it deals no more")
        if state.hand_id is not None:
            raise TableRefusal(f"{state.hand_id} is being played", code="hand_in_progress")
        after = prepare(config, state, command, journaled=desk.journal is not None)
        facts: tuple[Fact, ...] = ()
        if desk.journal is not None:
            facts = (dealt_fact(config, state, after),)
        desk.ask(Escrow(config.name, after.hand_id, after.stacks, facts))
        memory.sealed = after.sealed
        live = memory.live = self._promised(after.hand_id, after.commitment)
        rest = (after.hand_id, after.commitment, state.waiting, state.once)
        memory.state = TableState(state.seats, after.positions, state.number + 1, *rest)
        desk.tell_news("hand_started", hand_id=after.hand_id, commitment=after.commitment)
        self._start(live, after)
        if command.positions is not None:
            self._watch_absent()
        return live

    def _promised(self, hand_id: str, commitment: str) -> DealtHand:
        """Make the address of a hand and the promise of its result, before the hand exists."""
        runtime = self.desk.address.runtime
        return DealtHand(hand_id, runtime.address(hand_id), runtime.word(), commitment)

    def _start(self, live: DealtHand, dealt: NextHand | Hand) -> None:
        """Start the actor of a hand, to be dealt or continued."""
        memory, journal = self.memory, self.desk.journal
        plan = plan_of(self.desk.config, memory, live.hand_id, self.desk.address, dealt)
        recent = self.desk.recent
        self.desk.supervisor.start(
            live.address,
            lambda address: HandActor(address, plan, memory, journal, recent),
            Restart.TEMPORARY,
            monitor=self.desk.address,
        )

    def _watch_absent(self) -> None:
        """Have it said again who of the dealt-in seats that sit out is gone: the new hand's actor has not heard it."""
        for seat in self.memory.state.in_hand.values():
            if seat.out:
                self.desk.supervisor.watch(seat.address, self.desk.address, restarts=True)

    # -- after a crash, or a restart of the process -----------------------------------------

    def take_up(self) -> None:
        """Continue the hand where the last incarnation, or the journal, left it."""
        memory, state = self.memory, self.memory.state
        if memory.resume is not None and state.hand_id is not None:
            hand, memory.resume = memory.resume, None
            live = memory.live = self._promised(state.hand_id, state.commitment)
            self._start(live, hand)
            return
        try:
            self._take_up()
        except StorageFailed:
            self.desk.later(TakeUp())
        except RoomClosed as error:
            self._give_up(error)

    def _take_up(self) -> None:
        memory, desk = self.memory, self.desk
        if memory.live is not None and memory.live.hand_id != memory.state.hand_id:
            memory.live = None  # promised, but not in the state yet; or the journal has a different open hand
        if memory.live is not None or memory.ended is not None:
            # The books have a buy-in whose answer the last incarnation did not live to see.
            stacks: dict[str, int] = desk.ask(Stacks(desk.config.name))
            stacks |= {seat.player: seat.stack for seat in memory.state.in_hand.values()}
        else:
            # Also returns the escrow of a hand that never began.
            stacks = self._void()
        memory.state = memory.state.seated_by_books(stacks).restacked(stacks)
        if memory.ended is not None:
            self.hand_ended(memory.ended)
        elif memory.live is not None:
            # Its message may be lost with the last incarnation: if it is dead, `watch` tells us again.
            desk.supervisor.watch(memory.live.address, desk.address)
        elif memory.state.hand_id is not None:
            self._end_hand(stacks, None)

    # -- the end ----------------------------------------------------------------------------

    def hand_ended(self, news: HandEndedNews) -> None:
        """Book the result, once."""
        memory, state, config = self.memory, self.memory.state, self.desk.config
        if news.hand_id != state.hand_id:
            return
        memory.ended = news
        hand = news.hand
        rake = hand.rake
        final = {seat.player: hand.stacks[number] for number, seat in state.in_hand.items()}
        banks = self._banks_after(news)
        facts = self._over_facts(news.late, voided=False, banks=banks)
        try:
            stacks = self.desk.ask(Settle(config.name, news.hand_id, final, config.restack, facts, rake))
        except StorageFailed:
            self.desk.later(TakeUp())
            return
        except RoomClosed as error:
            self._give_up(error)
            return
        memory.banks = banks
        self._end_hand({**{seat.player: seat.stack for seat in state.seats if seat}, **stacks}, news)

    def _banks_after(self, news: HandEndedNews) -> dict[str, float]:
        """Return the time banks after a hand, refilled."""
        bank = self.desk.config.time_bank
        if bank is None or not news.banks:
            return self.memory.banks
        used = {
            seat.player: min(news.banks[number] + bank.refill, bank.seconds)
            for number, seat in self.memory.state.in_hand.items()
        }
        return self.memory.banks | used

    def hand_down(self, news: ActorDown) -> None:
        """Book the result if the hand left one, continue the hand if it was stopped, else void it."""
        memory, said = self.memory, news.last_words
        if isinstance(said, HandEndedNews):
            self.hand_ended(said)
        elif memory.kept:
            self._keep()
        elif isinstance(said, HandStopped) and not memory.void and memory.live is not None:
            address = self.desk.address.runtime.address(news.name)
            live = memory.live = attrs.evolve(memory.live, address=address)  # the promise stays
            self._start(live, said.hand)
            self._watch_absent()
        else:
            _log.warning("%s is void: its actor ended early (%s)", news.name, news.reason or "stopped")
            try:
                self._end_hand(self._void(), None)
            except StorageFailed:
                self.desk.later(TakeUp())
            except RoomClosed as error:
                self._give_up(error)

    def shut(self, command: Shut) -> DealtHand | None:
        """Stop dealing; if `void`, also stop the current hand."""
        memory = self.memory
        memory.shut, memory.void, memory.kept = True, command.void, command.keep
        if memory.live is not None and command.void:
            self.desk.supervisor.stop(memory.live.address)
        return memory.live

    def _keep(self) -> None:
        """Leave a stopped hand to the journal, and refuse its result to whoever waits."""
        live, self.memory.live = self.memory.live, None
        if live is not None:
            text = f"{live.hand_id} goes on when the room is opened again"
            live.result.set_exception((RoomClosed, RoomClosed(text), None))

    def _give_up(self, error: RoomClosed) -> None:
        """Refuse the result to whoever waits: without a bank nothing can be booked."""
        _log.error("%s cannot book: %s", self.desk.address.name, error)
        if self.memory.live is not None:
            self.memory.live.result.set_exception((RoomClosed, error, None))

    def _void(self) -> dict[str, int]:
        """Return all escrow to the stacks, and record the open hand, if any, as void; return the stacks."""
        return self.desk.ask(VoidHands(self.desk.config.name, self._over_facts(frozenset(), voided=True)))

    def _over_facts(
        self, late: frozenset[int], *, voided: bool, banks: Mapping[str, float] | None = None
    ) -> tuple[Fact, ...]:
        state, config = self.memory.state, self.desk.config
        if self.desk.journal is None or state.hand_id is None:
            return ()
        over: tuple[Fact, ...] = (HandOver(state.hand_id, voided),)
        if banks is not None and banks != self.memory.banks:
            over += (banks_fact(config.name, banks),)
        if not late and not any(seat is not None and seat.late for seat in state.seats):
            return over
        return (*over, seats_fact(config.name, state.sat_out(late, config.late_hands)))

    def open_hand_is_void(self) -> tuple[Fact, ...]:
        """Return the fact that voids the hand the journal holds open, if any: no actor will end it."""
        assert self.desk.journal is not None
        name = self.desk.config.name
        hand = self.desk.journal.look(lambda image: image.tables[name].open_hand)
        return () if hand is None else (HandOver(hand.hand_id, voided=True),)

    # -- saying so --------------------------------------------------------------------------

    def _end_hand(self, stacks: dict[str, int], news: HandEndedNews | None) -> None:
        """Adopt the stacks of the books and announce the end of the hand; without `news` it is void."""
        memory, state = self.memory, self.memory.state
        assert state.hand_id is not None
        assert state.positions is not None
        late = frozenset() if news is None else news.late
        seats = state.restacked(stacks).sat_out(late, self.desk.config.late_hands).seats
        of_seats = [(seat.player, seat.stack) if seat else (None, 0) for seat in seats]
        players, chips = zip(*of_seats, strict=True)
        result = HandResult(
            state.hand_id,
            state.number - 1,
            players,
            (0,) * len(seats) if news is None else news.hand.payoffs,
            chips,
            state.positions,
            None if news is None else news.hand,
            voided=news is None,
        )
        after = TableState(seats, state.positions, state.number, waiting=state.waiting, once=state.once)
        memory.booked = Booked(result, after, memory.live, memory.sealed)
        self.say_booked()

    def say_booked(self) -> None:
        """Free the table for the next hand, tell everybody, answer the promise and open the deck, each once."""
        memory, booked = self.memory, self.memory.booked
        if booked is None:
            return
        memory.state = booked.after
        memory.live = memory.ended = memory.sealed = None
        result = booked.result
        # Each step is counted before it is done: after a crash in between, it is not repeated.
        if booked.said == 0:
            booked.said = 1
            what = "hand_voided" if result.voided else "hand_ended"
            self.desk.tell_news(what, hand_id=result.hand_id, payoffs=result.payoffs)
        if booked.live is not None:
            booked.live.result.set(result)  # a second answer changes nothing
        if booked.said == 1:
            booked.said = 2
            if self.desk.recorder is not None:
                self.desk.recorder.write(self.desk.config.name, result)
        if booked.said == 2:
            booked.said = 3
            self._open_deck(booked)
        memory.booked = None

    def _open_deck(self, booked: Booked) -> None:
        """Tell players and spectators how to check the cards they saw; then the secret is gone for good."""
        sealed, result, name = booked.sealed, booked.result, self.desk.config.name
        if sealed is None or result.hand is None:
            return
        records = sealed.records(result.hand)
        if not records:
            return
        for number, seat in enumerate(self.memory.state.seats):
            if seat is not None and number in records and seat.player == result.players[number]:
                seat.address.tell(DeckOpened(name, sealed.hand_id, records[number]))
        for watcher in self.memory.watchers:
            watcher.tell(DeckOpened(name, sealed.hand_id, records[None]))
