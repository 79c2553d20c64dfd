"""What the parts of a table share, and its hands: from the deal to the result, whatever crashes on the way.

Events are in `table.stages`, their effects here. "Ended" and "died" are messages, handled in the order in which
they arrive; nothing is concluded from a closed address.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import attrs

from poker_actors.actors.bank import Escrow, Settle, Stacks, VoidHands
from poker_actors.actors.command import RETRY_SECONDS, Command, TakeUp
from poker_actors.actors.hand import (
    DealtHand,
    HandActor,
    HandClass,
    HandEndedNews,
    HandResult,
    SeatBack,
    turn_due,
)
from poker_actors.actors.player.messages import DeckOpened, SpreadNews, TableNews
from poker_actors.actors.runtime import Actor, ActorDown, Address, Restart, Supervisor, on
from poker_actors.actors.table.dealing import dealt_fact, hand_id_of, plan_of, prepare
from poker_actors.actors.table.facts import TableConfig, banks_fact, banks_in, seating_from, seats_fact
from poker_actors.actors.table.messages import Deal, SeatNext, Shut
from poker_actors.actors.table.recent import Recent, Recorder
from poker_actors.actors.table.seats import Seating
from poker_actors.actors.table.stages import (
    Booked,
    Closing,
    Effect,
    Ended,
    Event,
    HandDown,
    Idle,
    LastHand,
    Playing,
    Promised,
    Said,
    Settled,
    TableMemory,
    TookUp,
    Unwritten,
    Written,
    advance,
)
from poker_actors.errors import AskTimeout, PokerError, RoomClosed, StorageFailed, TableRefusal
from poker_actors.store import Fact, HandOver, Journal
from poker_actors.store.fairness import SealedDeal

_log: Final = logging.getLogger("poker_actors.table")

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
        """Ask the bank; crash if no answer comes, so that the restarted table looks up what happened in the books."""
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
        """Return the facts about who sits and waits, to be written with a booking."""
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
        """Tell everybody who sits, waits or watches, and `also`, who no longer do; as `sender` if given."""
        news = TableNews(self.config.name, what, player, seat, hand_id, payoffs, commitment)
        memory = self.memory
        seating = memory.seating
        told = [seat.address for seat in seating.seats if seat is not None]
        if seating.waiting:
            told += [waiting.address for waiting in seating.waiting]
        for other in (*memory.watchers, *also):
            if other not in told:
                told.append(other)
        # a void hand ends the open turn of whoever has one
        spread = [news] * len(told) if what == "hand_voided" else SpreadNews(news, told, memory.audience)
        self.address.runtime.tell_each(told, spread, sender)
        self.call_dealers()

    def call_dealers(self) -> None:
        """Answer calls of `run` that wait for players, if a hand can be dealt now.

        Called with all news, since whatever makes a seat ready is news.
        """
        memory = self.memory
        word = memory.players_ready
        if word is not None and memory.live is None and len(memory.seating.ready) > 1:
            memory.players_ready = None
            word.set(True)

    def refuse_dealers(self, why: str) -> None:
        """Answer calls of `run` that wait for players with `RoomClosed`: there will be no hand."""
        word, self.memory.players_ready = self.memory.players_ready, None
        if word is not None:
            word.set_exception((RoomClosed, RoomClosed(why), None))


class TableHands(Actor):
    """A table's part in its hands; `TableActor` has the seats."""

    def __init__(self, address: Address, desk: Desk) -> None:
        self.desk = desk
        self.memory = desk.memory
        super().__init__(address)
        self._effects: Final = {
            Effect.SAY_DEALT: self._say_dealt,
            Effect.START: self._start,
            Effect.WATCH: self._watch,
            Effect.KEEP: self._keep,
            Effect.SETTLE: self._settle,
            Effect.VOID: self._void,
            Effect.ANNOUNCE: self._announce,
        }

    def go(self, event: Event) -> None:
        """Note the stage that follows from an event, then carry out its effects."""
        self.memory.stage, effects = advance(self.memory.stage, event)
        for effect in effects:
            self._effects[effect]()

    # -- the deal ---------------------------------------------------------------------------

    @on(Deal)
    def deal(self, command: Deal) -> DealtHand:
        memory, desk = self.memory, self.desk
        seating, config = memory.seating, desk.config
        if memory.closing is not Closing.OPEN:
            raise RoomClosed(f"{desk.address.name} is closed and deals no more hands")
        if memory.live is not None:
            raise TableRefusal(f"{memory.live.hand_id} is being played", code="hand_in_progress")
        after = prepare(config, seating, command, journaled=desk.journal is not None)
        facts: tuple[Fact, ...] = () if desk.journal is None else (dealt_fact(config, seating, after),)
        if after.owed != seating.owed:
            facts += desk.seats_facts(attrs.evolve(seating, owed=after.owed))
        runtime = desk.address.runtime
        # made before the hand exists: its result is promised, whatever becomes of it
        live = DealtHand(after.hand_id, runtime.address(after.hand_id), runtime.word(), after.commitment)
        self.go(Promised(live, after.sealed, after))
        try:
            desk.ask(Escrow(config.name, after.hand_id, after.stacks, facts))
        except PokerError:
            self.go(Unwritten())
            raise
        number, lists = seating.number + 1, (seating.waiting, seating.once, seating.leaving, after.owed)
        memory.seating = Seating(seating.seats, after.positions, number, *lists)
        self.go(Written())
        return live

    def _say_dealt(self) -> None:
        live = self.memory.live
        assert live is not None
        self.desk.tell_news("hand_started", hand_id=live.hand_id, commitment=live.commitment)

    def _start(self) -> None:
        """Start the actor of the hand, to deal or continue it, and have it told which players are gone."""
        memory, journal, desk = self.memory, self.desk.journal, self.desk
        stage = memory.stage
        assert isinstance(stage, Playing)
        plan = plan_of(
            desk.config,
            memory.seating,
            memory.banks,
            stage.live.hand_id,
            stage.dealt,
            desk.address,
            stage.late,
        )
        if journal is not None:
            due = journal.look(lambda room: turn_due(room.notes, plan.table_name, plan.hand_id))
            plan = attrs.evolve(plan, turn_due=due)
        desk.supervisor.start(
            stage.live.address,
            lambda address: desk.hand(address, plan, memory, journal, desk.recent),
            Restart.TEMPORARY,
            monitor=desk.address,
        )
        # watch again: this actor has not been told which players are gone
        desk.supervisor.watch_each(filter(None, plan.players), desk.address, restarts=True)

    # -- after a crash, or a restart of the process -----------------------------------------

    def take_up(self) -> None:
        """Continue the hand where the last incarnation, or the journal, left it."""
        self._with_books(self._take_up)

    def _take_up(self) -> None:
        memory, desk = self.memory, self.desk
        name, idle = desk.config.name, isinstance(memory.stage, Idle)
        # Even an idle table may have escrow: of a hand whose booking was written before a crash cut off the rest
        if desk.journal is not None:
            if idle:
                desk.ask(VoidHands(name))
            memory.seating, memory.banks = desk.journaled()
        else:
            stacks: dict[str, int] = desk.ask(VoidHands(name) if idle else Stacks(name))
            # the books have a buy-in whose answer the last incarnation did not live to see
            in_hand = {seat.player: seat.stack for seat in memory.in_hand.values()}
            memory.seating = memory.seating.restacked(stacks | in_hand)
            waiting = [one.player for one in memory.seating.waiting]
            desk.paid = {player: stacks[player] for player in waiting if player in stacks}
        self.go(TookUp())

    def _watch(self) -> None:
        """Watch again for events that a crash may have lost: the end of the hand, and players who came back."""
        live = self.memory.live
        assert live is not None
        self.desk.supervisor.watch(live.address, self.desk.address)
        for number in self.memory.in_hand:
            live.address.tell(SeatBack(number))

    def _with_books(self, step: Callable[[], None]) -> None:
        """Take a step that needs the books; try again later if they cannot be written."""
        try:
            step()
        except StorageFailed:
            self.desk.later(TakeUp())
        except RoomClosed as error:
            self._give_up(error)

    # -- the end ----------------------------------------------------------------------------

    @on(HandEndedNews)
    def hand_ended(self, news: HandEndedNews) -> None:
        """Book the result, once."""
        self.go(news)

    def hand_down(self, news: ActorDown) -> None:
        """Book the result if the hand left one; continue the hand if it was stopped; otherwise void it."""
        successor = self.desk.address.runtime.address(news.name)
        self.go(HandDown(news, successor, self.memory.closing))

    def _settle(self) -> None:
        self._with_books(self._book_result)

    def _book_result(self) -> None:
        memory, config, stage = self.memory, self.desk.config, self.memory.stage
        assert isinstance(stage, Ended)
        assert stage.news is not None
        news, hand = stage.news, stage.news.hand
        final = {seat.player: hand.stacks[number] for number, seat in memory.in_hand.items()}
        banks = self._banks_after(news)
        facts = self._over_facts(news, banks)
        stacks = self.desk.ask(
            Settle(config.name, news.hand_id, final, config.restack, facts, hand.rake),
        )
        memory.banks = banks
        if self.desk.journal is not None:
            after, _ = self.desk.journaled()
        else:
            others = {seat.player: seat.stack for seat in memory.seating.seats if seat}
            after = memory.seating.restacked(others | stacks).sat_out(news.late, config.late_hands)
        self._settled(after, news)

    def _banks_after(self, news: HandEndedNews) -> dict[str, float]:
        """Return the time banks after a hand, refilled."""
        bank = self.desk.config.time_bank
        if bank is None:
            return self.memory.banks
        used = {
            seat.player: min(news.banks[number] + bank.refill, bank.seconds)
            for number, seat in self.memory.in_hand.items()
        }
        return self.memory.banks | used

    def _over_facts(self, news: HandEndedNews, banks: Mapping[str, float]) -> tuple[Fact, ...]:
        seating, config = self.memory.seating, self.desk.config
        if self.desk.journal is None:
            return ()
        over: tuple[Fact, ...] = (HandOver(news.hand_id, voided=False),)
        if banks != self.memory.banks:
            over += (banks_fact(config.name, banks),)
        after = seating.sat_out(news.late, config.late_hands)
        return over if after == seating else (*over, seats_fact(config.name, after))

    def _void(self) -> None:
        stage = self.memory.stage
        assert isinstance(stage, Ended)
        _log.warning("%s is void: its actor ended early (%s)", stage.live.hand_id, stage.reason)
        self._with_books(self._return_stacks)

    def _return_stacks(self) -> None:
        """Return all escrow to the stacks, and record any open hand as void."""
        memory, desk = self.memory, self.desk
        stacks = desk.ask(VoidHands(desk.config.name, desk.open_hand_is_void()))
        after = memory.seating.restacked(stacks) if desk.journal is None else desk.journaled()[0]
        assert memory.live is not None
        if memory.live.hand_id != hand_id_of(desk.config, after.number - 1):
            memory.seating = after
            self.go(Unwritten())  # nobody knows of this hand, and the next one will have its number
            return
        self._settled(after, None)

    def _settled(self, after: Seating, news: HandEndedNews | None) -> None:
        live = self.memory.live
        assert live is not None
        assert after.positions is not None
        of_seats = [(seat.player, seat.stack) if seat else (None, 0) for seat in after.seats]
        players, chips = zip(*of_seats, strict=True)
        result = HandResult(
            live.hand_id,
            after.number - 1,
            players,
            (0,) * len(players) if news is None else news.hand.payoffs,
            chips,
            after.positions,
            None if news is None else news.hand,
            voided=news is None,
        )
        self.go(Settled(result, after))

    @on(Shut)
    def shut(self, command: Shut) -> DealtHand | None:
        memory = self.memory
        memory.closing = (
            Closing.FINISH if not command.void else Closing.KEEP if command.keep else Closing.VOID
        )
        self.desk.refuse_dealers(f"{self.desk.address.name} is closed and deals no more hands")
        if memory.live is not None and command.void:
            self.desk.supervisor.stop(memory.live.address)
        return memory.live

    def _keep(self) -> None:
        """Leave a stopped hand to the journal, and refuse its result to whoever waits."""
        assert self.memory.live is not None
        self.refuse_result(RoomClosed(f"{self.memory.live.hand_id} goes on when the room is opened again"))

    def _give_up(self, error: RoomClosed) -> None:
        """Refuse the result to whoever waits: without a bank nothing can be booked."""
        _log.error("%s cannot book: %s", self.desk.address.name, error)
        self.refuse_result(error)

    def refuse_result(self, error: RoomClosed) -> None:
        """Refuse the hand's result to whoever waits for it, if there is a hand."""
        if self.memory.live is not None:
            self.memory.live.result.set_exception((RoomClosed, error, None))

    # -- announcing the end -----------------------------------------------------------------

    def _announce(self) -> None:
        """Free the table for the next hand, tell everybody, answer the promise and open the deck, each once."""
        memory, desk, booked = self.memory, self.desk, self.memory.stage
        assert isinstance(booked, Booked)
        live, result, sealed = booked.live, booked.result, booked.sealed
        memory.seating = booked.after
        memory.last = last = LastHand.of(live, result, booked.after.seats)
        if booked.after.leaving:
            # before the promise is kept: a caller's next command comes after it
            desk.address.tell(SeatNext())
        items = [partial(self._say_over, result)]
        if desk.recorder is not None:
            items.append(partial(desk.recorder.write, desk.config.name, result))
        if sealed is not None and last is not None:
            items.append(partial(self._open_deck, sealed, last))
        for number in range(booked.said, len(items)):
            # Each item is counted before it is said: after a crash in between, it is not repeated.
            self.go(Said(last=number == len(items) - 1))
            try:
                items[number]()
            finally:
                live.result.set(result)  # a second answer changes nothing

    def _say_over(self, result: HandResult) -> None:
        what = "hand_voided" if result.voided else "hand_ended"
        self.desk.tell_news(what, hand_id=result.hand_id, payoffs=result.payoffs)

    def _open_deck(self, sealed: SealedDeal, last: LastHand) -> None:
        """Tell players and spectators how to check the cards they saw, and drop the deck's secret for good."""
        records = sealed.records(last.hand)
        if not records:
            return
        told = {address: records[number] for number, address in last.players.items()}
        for watcher in self.memory.watchers:
            told.setdefault(watcher, records[None])
        for address, record in told.items():
            address.tell(DeckOpened(self.desk.config.name, sealed.hand_id, record))
