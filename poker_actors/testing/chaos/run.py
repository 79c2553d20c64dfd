"""One run at one table under faults: players come, play, bust, leave and come back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final, Literal

from poker_actors.actors import Audit, HandResult, LiveHand, Player, Room, StepRuntime, Table, TableState
from poker_actors.cards import Deck
from poker_actors.errors import AskTimeout, PokerError, TableRefusal
from poker_actors.rules import HOLDEM
from poker_actors.store import Journal
from poker_actors.testing.chaos.faults import (
    ChaosLoop,
    ChaosStepper,
    ChaosThreads,
    Fault,
    FaultRates,
    Harm,
    ProcessDied,
)
from poker_actors.testing.chaos.settings import TIME_BANK, RunSettings
from poker_actors.testing.chaos.sightings import Sightings
from poker_actors.testing.chaos.storage import ChaosStorage
from poker_actors.testing.witness import BrokenPromise, Verdict, Witness

__all__ = ["BENCH_PROMISES", "Run", "RuntimeName"]

RuntimeName = Literal["stepper", "threads", "loop"]

BENCH_PROMISES: Final = {
    "audit": "No chip appears or vanishes: bank, tables, hands and house hold what was minted.",
    "recovery": "A room whose process died opens again from its journal.",
    "damage": "A record or a snapshot changed on the disk is refused.",
    "rest": "Once the faults stop, the room comes to rest and every hand ends.",
    "sound": "Nothing but a refusal comes out of the room.",
}
"""What the bench itself checks, besides the witness's promises."""


_TURN_SECONDS: Final = 10.0
_PATIENCE: Final = 5.0
"""Seconds for a table to retry after a full disk."""
_HAND_SECONDS: Final = {"stepper": 5_000.0, "threads": 60.0, "loop": 60.0}
"""Longest wait for a hand, on the waiting clock: more than 8 seats need on 4 streets if every turn times out."""
_LOOK_SECONDS: Final = 0.05
"""While waiting for a hand on threads, how often to check whether the process has died."""
_STACKED_DECKS: Final = (
    # boards that play: every seat left shares the pot
    "AsKsQsJsTs",
    "TdJdQdKdAd",
    "AhAdAcAsKd",
)


class Run:
    """Plays the hands of one run and counts what happens; raises `BrokenPromise`. `witness` has the verdicts."""

    def __init__(
        self,
        settings: RunSettings,
        rates: FaultRates,
        runtime: RuntimeName = "stepper",
        watch: Callable[[StepRuntime], None] | None = None,
    ) -> None:
        self.settings = settings
        self.kind: RuntimeName = runtime
        self._rates = rates
        self._watch = watch
        self.luck = Random(settings.seed + 1)
        self._reorder = self.luck.random() < 0.5
        self.witness = Witness()
        self.checked: Counter[str] = Counter()
        """checks of the bench's own promises"""
        self.seen = Sightings()
        self.situations = self.seen.counts
        self.happened: Counter[str] = Counter()
        self.hands = self.voided = self.unfinished = self.minted = self.chips_lost = 0
        self.restarts = self.steps = 0
        self.harm = Harm(self.luck, rates, self.happened)
        self._storage = ChaosStorage(self.harm) if self.luck.random() < 0.5 and settings.journaled else None
        self._open()
        self.table: Table = self.room.open_table(
            "main",
            seats=settings.seats,
            stakes=settings.stakes,
            game=settings.game,
            turn_seconds=_TURN_SECONDS,
            options=settings.options,
            time_bank=None if settings.options is None else TIME_BANK,
        )
        self.witness.knows(self.table)
        self.players: list[Player] = []
        self._arrivals = 0
        self._arriving = "", 0
        """name and chips of the player who is being made"""
        self._in_line: set[str] = set()
        """players who waited for a seat before the last hand"""

    def play(self) -> None:
        """Play the run to its end, close the room, and count all chips."""
        for _ in range(self.settings.players):
            self._arrive()
        while self.hands < self.settings.hands:
            try:
                self._floor_work()
                self._play_hand()
                self._look_for_death()
            except ProcessDied:
                self._come_back()
            except Exception:
                if not self.harm.died:
                    raise
                self._come_back()  # on threads, asks of a dead room fail
        self._settle()
        self.runtime.pass_time(_PATIENCE)
        self._settle()
        self._audit()
        state = self.table.state()
        self._holds(
            "rest",
            not (state.waiting and None in state.seats),
            lambda: f"{state.waiting[0].player} waits while a seat is free",
        )
        self.room.close()

    # -- the room and its process -----------------------------------------------------------

    def _open(self) -> None:
        """Open the room, from its journal if it has one."""
        harm = self.harm
        harm.mortal = self._storage is not None
        harm.notice, harm.situation = self.seen.notice, self.seen.amid
        harm.on_death = self.witness.died
        store = None if self._storage is None else Journal(self._storage, snapshot_every=200)
        self.witness.reads(None if store is None else store.look)
        self.runtime: ChaosStepper | ChaosThreads | ChaosLoop
        if self.kind == "threads":
            self.runtime = ChaosThreads(self.witness, harm)
        elif self.kind == "loop":
            self.runtime = ChaosLoop(self.witness, harm)
        else:
            self.runtime = ChaosStepper(self.witness, harm, reorder=self._reorder)
            if self._watch is not None:
                self.runtime.at_once = True
                self._watch(self.runtime)
        self.room = Room(self.runtime, seed=self.settings.seed, store=store)
        self.room.supervisor.most_restarts = 300  # the bench crashes far more than any room would

    def _look_for_death(self) -> None:
        if self.harm.died:
            raise ProcessDied

    def _come_back(self) -> None:
        """After the process has died, open the room again from its journal, and finish its hand."""
        self.situations["process died and came back"] += 1
        self._count_room()
        self._bury()
        again = False
        while True:
            again = self._open_again(quiet=self.luck.random() < 0.9)  # one in ten dies again while recovering
            if again:
                break
            self.situations["process died while coming back"] += 1
        self._be_quiet(True)
        self.table = self.room.tables["main"]
        self.players = [self.room.players[player.name] for player in self.players]
        newcomer = self.room.players.get(self._arriving[0])
        if newcomer is not None:
            self._has_arrived(newcomer)
        self._settle()
        self._count_chips("after coming back")
        recovery = self.room.recovery
        self.situations["hand went on after the process died"] += recovery is not None and bool(
            recovery.resumed
        )
        live = self.table.live()
        if live is not None:
            self._finish(live)

    def _open_again(self, *, quiet: bool) -> bool:
        """Open the room in a new process; return false if that one died meanwhile."""
        assert self._storage is not None
        self.harm = Harm(self.luck, self._rates, self.happened)
        self._storage = ChaosStorage(self.harm, self._storage)
        self._open_damaged(self._storage)
        self._be_quiet(quiet)
        try:
            self._open()
        except ProcessDied:
            return False
        except PokerError as error:
            if self.harm.died:
                return False
            raise self._broken("recovery", f"the room does not open again: {error}") from error
        self.checked["recovery"] += 1
        if self.harm.died:
            self._bury()
        return not self.harm.died

    def _bury(self) -> None:
        """End the threads of a dead process; on the stepper there are none."""
        if self.kind != "stepper":
            self.room.close()

    def _open_damaged(self, storage: ChaosStorage) -> None:
        """Open a copy of the journal with one digit changed, which must be refused."""
        damaged = storage.damaged()
        if damaged is None:
            return
        self.situations["damaged journal refused"] += 1
        try:
            Journal(damaged)
        except PokerError:
            self.checked["damage"] += 1
            return
        raise self._broken("damage", "a journal with one digit changed on the disk was opened, and believed")

    def _settle(self) -> None:
        """Stop the faults, and deliver everything on its way."""
        self._be_quiet(True)
        if isinstance(self.runtime, ChaosStepper):
            self.runtime.settle()
        else:
            self._settle_threads()
        self._look_for_death()
        self.runtime.look()

    def _settle_threads(self) -> None:
        """Ask every actor a question: its answer means that it has handled all earlier messages.

        Ask twice: what the first handled may have sent messages to the others.
        """
        for _ in range(2):
            for player in self.players:
                player.state()
            self.table.state()

    def _be_quiet(self, quiet: bool) -> None:
        self.harm.quiet = quiet

    def _count_room(self) -> None:
        """Add up the counts of a room before it is given up."""
        self.restarts += self.room.supervisor.restarts
        self.steps += self.runtime.steps

    def leave(self) -> None:
        """Close the room, checking nothing more."""
        self._count_room()
        self.runtime.witness = Witness(())
        self.witness.died()  # closing is heard no more
        self.harm = self.runtime.harm  # if reopening failed, `self.runtime` is still the previous one
        self.harm.revive()
        with suppress(PokerError, Fault):
            self.room.close()

    def _holds(self, promise: str, held: bool, sentence: Callable[[], str]) -> None:
        self.checked[promise] += 1
        if not held:
            raise self._broken(promise, sentence())

    def _broken(self, promise: str, sentence: str) -> BrokenPromise:
        return BrokenPromise(Verdict(promise, sentence, self.witness.number))

    # -- the floor --------------------------------------------------------------------------

    def _try(self, what: str, command: Callable[[], object]) -> bool:
        """Give a command and count it; return whether it may have been carried out.

        A refused one was not. One whose handler crashed may have been.
        """
        try:
            command()
        except TableRefusal as refusal:
            if refusal.code == "hand_in_progress":
                self.situations["command refused during a hand"] += 1
            return False
        except (PokerError, Fault):
            return True
        self.situations[what] += 1
        return True

    def _arrive(self) -> None:
        self._arrivals += 1
        bot = self.settings.crowd[self._arrivals % len(self.settings.crowd)]
        before = self.harm.quiet
        self._be_quiet(True)  # minting is not under test: the bench must know how many chips exist
        self._look_for_death()
        self._arriving = name, chips = f"p{self._arrivals}", 100 * self.settings.stack
        player = self.room.player(name, bot, chips=chips)
        self._look_for_death()  # if it died in between, the journal says whether the player exists
        self._has_arrived(player)
        self._be_quiet(before)
        self._take_a_seat(player)

    def _has_arrived(self, player: Player) -> None:
        _, chips = self._arriving
        self._arriving = "", 0
        self.minted += chips
        self.players.append(player)

    def _take_a_seat(self, player: Player) -> None:
        """Sit down and buy in, or in a crowded run join the waiting list."""
        if self.settings.waiting:
            amount = max(1, self.settings.stack)
            self._try("waits", lambda: self.table.wait(player, amount))
        elif self._try("sat", lambda: self.table.sit(player)):
            self._buy_in(player)

    def _buy_in(self, player: Player) -> None:
        amount = max(1, int(self.settings.stack * self.luck.uniform(0.1, 1.5)))
        self._try("bought in", lambda: self.table.buy_in(player, amount))

    def _floor_work(self) -> None:
        """Between hands, let busted players buy in, and others leave, sit out or come back."""
        self._be_quiet(True)
        state = self.table.state()
        self.seen.line = bool(state.waiting)
        self._be_quiet(False)
        seated = {seat.player: seat for seat in state.seats if seat is not None}
        waiting = set() if state.positions is None else set(state.ready) - set(state.positions.dealt)
        self.situations["newcomer waited for the button"] += bool(waiting) and self.hands > 0
        in_line = {one.player for one in state.waiting}
        self.situations["who waited for a seat got it"] += len(self._in_line & set(seated))
        self._in_line = in_line
        for player in self.players:
            seat = seated.get(player.name)
            if seat is None:
                if player.name not in in_line:
                    self._take_a_seat(player)
                continue
            if seat.stack == 0:
                self._buy_in(player)
                self.situations["player busted and bought in again"] += 1
            if seat.out and self.luck.random() < 0.5:
                self._try("player sat out and came back", partial(self.table.sit_in, player))
        roll = self.luck.random()
        player = self.luck.choice(self.players)
        if roll < 0.03:
            self._try("sat out", lambda: self.table.sit_out(player))
        elif roll > 0.98:
            beyond = self.minted + 1
            refused = not self._try("bought in", lambda: self.table.buy_in(player, beyond))
            self.situations["buy-in beyond the balance refused"] += refused
        elif player.name in in_line and roll < 0.4:
            self._go_broke(player)
        elif len(self.players) > 2 and roll < (0.3 if in_line else 0.1):
            self._leave(player)

    def _leave(self, player: Player) -> None:
        if self._try("cashed out", lambda: self.table.cash_out(player)) and self._try(
            "left", lambda: self.table.leave(player)
        ):
            self.players.remove(player)
            self.situations["player left and another sat down"] += 1
            self._arrive()

    def _go_broke(self, player: Player) -> None:
        """Take the chips of a waiting player, who cannot pay when a seat is free; another player comes instead."""
        self._be_quiet(True)
        self.room.bank.forfeit(player.name, self.room.bank.balance(player.name))
        self._be_quiet(False)
        self.players.remove(player)
        self._arrive()

    # -- hands ------------------------------------------------------------------------------

    def _deck(self, state: TableState) -> Deck | None:
        """Return a deck for hold'em, sometimes one with a board that plays; other games use the room's decks."""
        if self.settings.game is not HOLDEM:
            return None
        if self.luck.random() < 0.3:
            board = self.luck.choice(_STACKED_DECKS)
            rest = Deck.seeded(self.luck.getrandbits(64)).draw(52)
            taken = Deck.stacked([], board).draw(5)
            spare = iter(card for card in rest if card not in taken)
            holes = [[next(spare), next(spare)] for _ in state.ready]
            return Deck.stacked(holes, board)
        return Deck.seeded(self.luck.getrandbits(64))

    def _play_hand(self) -> None:
        self.hands += 1
        self._be_quiet(True)
        deck = self._deck(self.table.state())
        self._be_quiet(False)
        seats = range(self.settings.seats)
        self.harm.muted = set(self.luck.sample(seats, k=2)) if self.luck.random() < 0.05 else set()
        live = self._deal(deck)
        if live is None:
            return
        self.seen.playing = True
        self.runtime.let_go_on(self.luck.random() * 0.3)
        self._meddle()
        self.runtime.let_go_on(self.luck.random())
        self._settle()  # no faults from here on: the hand must end by itself
        self._finish(live)

    def _deal(self, deck: Deck | None) -> LiveHand | None:
        """Start a hand. If the deal crashed but the hand is in progress, finish it and return None."""
        try:
            return self.table.deal(deck)
        except TableRefusal:
            self._wake_everybody()
        except (PokerError, Fault):
            self._settle()
            self.runtime.pass_time(_PATIENCE)
            live = self.table.live()
            if live is not None:
                self._finish(live)
        return None

    def _wake_everybody(self) -> None:
        """Seat everybody again, without faults: there were too few players to deal to."""
        self._settle()
        for player in self.players:
            self._try("sat", partial(self.table.sit, player))
            self._try("sat in", partial(self.table.sit_in, player))
            self._buy_in(player)

    def _meddle(self) -> None:
        """Sometimes give a command that is not allowed during a hand."""
        player = self.luck.choice(self.players)
        command = self.luck.choice((self._cash_out, self._leave_table))
        if self.luck.random() < 0.2:
            self._try("asked after the hand", partial(command, player))

    def _cash_out(self, player: Player) -> None:
        self.table.cash_out(player)

    def _leave_table(self, player: Player) -> None:
        self.table.leave(player)

    def _finish(self, live: LiveHand) -> None:
        """Wait for the end of a hand, and check all promises at rest."""
        try:
            result = self._result(live)
        except PokerError as error:
            self._look_for_death()
            self.unfinished += 1
            raise self._broken("rest", f"{live.hand_id} has not ended: {error}") from error
        self._settle()
        self.witness.rest()
        self.runtime.look()
        self._audit()
        self.voided += result.voided
        self.seen.ended(result)

    def _result(self, live: LiveHand) -> HandResult:
        """Wait for a result; on threads, check meanwhile whether the process has died."""
        seconds = _HAND_SECONDS[self.kind]
        if self.kind == "stepper":
            return live.result(timeout=seconds)
        end = time.monotonic() + seconds
        while True:
            try:
                return live.result(timeout=_LOOK_SECONDS)
            except AskTimeout:
                self._look_for_death()
                if time.monotonic() > end:
                    raise

    def _audit(self) -> None:
        audit = self._count_chips("the books say")
        self._holds(
            "audit", not audit.hands, lambda: f"no hand is played, and {audit.hands} chips are put aside"
        )
        counted = sum(seat.stack for seat in self.table.state().seats if seat is not None)
        self._holds(
            "audit",
            counted == audit.tables,
            lambda: f"the table counts {counted} chips, the books say {audit.tables}",
        )

    def _count_chips(self, when: str) -> Audit:
        audit = self.room.audit()
        if not audit.conserved or audit.minted != self.minted:
            house = audit.forfeit + audit.rake
            self.chips_lost += self.minted - audit.bank - audit.tables - audit.hands - house
        self._holds(
            "audit",
            audit.conserved and audit.minted == self.minted,
            lambda: f"{self.minted} chips were minted, {when} {audit}",
        )
        return audit
