"""One table of a run, at which players come, play, bust, leave and come back; and the run as they know it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from random import Random
from typing import Final, Protocol, TypeVar

import attrs

from poker_actors.actors import Audit, HandResult, LiveHand, Player, Room, Table, TableState
from poker_actors.cards import Deck
from poker_actors.errors import AskTimeout, PokerError, TableRefusal
from poker_actors.rules import HOLDEM
from poker_actors.rules.games import Rotation
from poker_actors.testing.chaos.faults import ChaosLoop, ChaosStepper, ChaosThreads, Fault, Harm
from poker_actors.testing.chaos.settings import TIME_BANK, Outcome, RunSettings, RuntimeName
from poker_actors.testing.chaos.situations import Sightings
from poker_actors.testing.witness import BrokenPromise, Witness

T = TypeVar("T")

_TURN_SECONDS: Final = 10.0
PATIENCE: Final = 5.0
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


@attrs.define
class Chips:
    """What the books must show: chips minted and forfeited by answered commands, give or take unanswered ones."""

    minted: int = 0
    forfeited: int = 0
    _unsure: dict[str, list[int]] = attrs.field(factory=lambda: {"minted": [], "forfeited": []})
    """chips of commands that may or may not have been carried out"""
    _stacks_unsure: bool = False
    """whether a whole stack may have been forfeited"""

    def mint(self, amount: int, command: Callable[[], Outcome]) -> None:
        """Give a command that mints `amount` chips, or takes them out of the room below 0."""
        self._count("minted", amount, command)

    def forfeit(self, amount: int, command: Callable[[], object]) -> None:
        """Give a command that gives `amount` chips to the house."""
        self._count("forfeited", amount, command)

    def forfeit_stack(
        self, command: Callable[[], int], give: Callable[[Callable[[], object]], Outcome]
    ) -> None:
        """Give a command that gives a whole stack to the house, and answers with its chips."""
        answers: list[int] = []
        before, self._stacks_unsure = self._stacks_unsure, True
        outcome = give(lambda: answers.append(command()))
        if outcome != "unknown":
            self._stacks_unsure = before
            self.forfeited += sum(answers)

    def _count(self, what: str, amount: int, command: Callable[[], object]) -> None:
        # unsure before it is given: the process may die in it
        self._unsure[what].append(amount)
        outcome = command()
        if outcome != "unknown":
            self._unsure[what].remove(amount)
            if outcome != "refused":
                setattr(self, what, getattr(self, what) + amount)

    def differ(self, audit: Audit) -> str | None:
        """Compare with the books, adopting their numbers where unsure; return the differences."""
        for what, booked in (("minted", audit.minted), ("forfeited", audit.forfeit)):
            known = getattr(self, what)
            possible = {known}
            for amount in self._unsure[what]:
                possible |= {one + amount for one in possible}
            more = self._stacks_unsure and what == "forfeited" and booked >= min(possible)
            if booked not in possible and not more:
                return f"{known} chips were {what}, but the books have {booked}"
            setattr(self, what, booked)
            self._unsure[what].clear()
        self._stacks_unsure = False
        return None


def patiently(look: Callable[[], T]) -> T:
    """Ask once more if nobody answers: on a busy machine a whole process may stand still that long."""
    try:
        return look()
    except AskTimeout:
        return look()


class Crowd(Protocol):
    """The people in the room of a run, besides house bots."""

    outside: dict[str, None]
    spectators: dict[str, Player]

    @property
    def own(self) -> Mapping[str, object]:
        """Return the custom actors, by player."""

    def arrive(self, floor: Floor) -> None:
        """Let one more player into the room and to a table."""

    def act_to_the_end(self, floor: Floor) -> None:
        """Act for everybody from outside until the hand at a table ends without them."""

    def ended(self, result: HandResult) -> None:
        """Check the actions accepted in a hand."""


class Course(Protocol):
    """A run, as its tables and people know it."""

    settings: RunSettings
    kind: RuntimeName
    luck: Random
    chips: Chips
    hands: int
    voided: int
    unfinished: int
    harm: Harm
    witness: Witness
    room: Room
    runtime: ChaosStepper | ChaosThreads | ChaosLoop
    seen: Sightings
    situations: Counter[str]
    played: Counter[str]
    given: Counter[str]

    @property
    def people(self) -> Crowd:
        """Return the people of the run."""

    @property
    def floors(self) -> Sequence[Floor]:
        """Return the tables."""

    def give(self, what: str, command: Callable[[], object]) -> Outcome:
        """Give a command, count it, and return its outcome."""

    def quiet(self) -> AbstractContextManager[None]:
        """Inject no faults inside the block."""

    def settle(self) -> None:
        """Stop the faults, and deliver everything on its way."""

    def look_for_death(self) -> None:
        """Raise `ProcessDied` if the process has died."""

    def holds(self, promise: str, held: bool, sentence: Callable[[], str]) -> None:
        """Check one of the bench's own promises."""

    def broken(self, promise: str, sentence: str) -> BrokenPromise:
        """Return the verdict on one of the bench's own promises."""


class Floor:
    """A table and those who sit or wait at it."""

    def __init__(self, run: Course, name: str) -> None:
        self.run = run
        settings = run.settings
        self.table: Table = run.room.open_table(
            name,
            seats=settings.seats,
            stakes=settings.stakes,
            game=settings.game,
            turn_seconds=_TURN_SECONDS,
            options=settings.options,
            missed_blinds=settings.missed_blinds,
            time_bank=None if settings.options is None else TIME_BANK,
        )
        run.witness.knows(self.table)
        self.players: list[Player] = []
        self.gone: list[Player] = []
        """players whose actors were killed, and whose seats are not free yet"""
        self._in_line: set[str] = set()
        """players who waited for a seat before the last hand"""
        self._before: tuple[Harm, int] = (run.harm, -1)
        """who harmed how much before the hand was dealt"""

    def back(self) -> None:
        """Continue as the same table in a reopened room: every player is back, even killed ones."""
        room = self.run.room
        self.table = room.tables[self.table.name]
        self.players = [room.players[player.name] for player in (*self.players, *self.gone)]
        self.gone = []

    # -- seats ------------------------------------------------------------------------------

    def take_a_seat(self, player: Player) -> None:
        """Sit down and buy in, or in a crowded run join the waiting list."""
        run = self.run
        if run.settings.waiting:
            amount = max(1, run.settings.stack)
            run.give("waits", lambda: self.table.wait(player, amount))
        elif run.give("sat", lambda: self.table.sit(player)) != "refused":
            self.buy_in(player)

    def buy_in(self, player: Player) -> None:
        """Buy in for some chips."""
        amount = max(1, int(self.run.settings.stack * self.run.luck.uniform(0.1, 1.5)))
        self.run.give("bought in", lambda: self.table.buy_in(player, amount))

    def work(self) -> None:
        """Between hands, let busted players buy in, and others leave, sit out or come back."""
        run, luck = self.run, self.run.luck
        state = self.look()
        run.seen.line = bool(state.waiting)
        self._see_the_dead_off(state)
        seated = {seat.player: seat for seat in state.seats if seat is not None}
        waiting = set() if state.positions is None else set(state.ready) - set(state.positions.dealt)
        run.situations["newcomer waited for the button"] += bool(waiting) and run.hands > 0
        in_line = {one.player for one in state.waiting}
        run.situations["who waited for a seat got it"] += len(self._in_line & set(seated))
        self._in_line = in_line
        for player in [*self.players]:
            seat = seated.get(player.name)
            if seat is None:
                if player.name not in in_line:
                    self.take_a_seat(player)
                continue
            if seat.stack == 0:
                self.buy_in(player)
                run.situations["player busted and bought in again"] += 1
            if seat.out and luck.random() < 0.5:
                wait = run.settings.missed_blinds and luck.random() < 0.5
                come_back = partial(self.table.sit_in, player, wait=wait)
                came = run.give("player sat out and came back", come_back) == "done"
                run.situations["player waited for the big blind"] += wait and came
            owed = state.owed_by(player.name)
            run.situations["missed blinds owed"] += owed.small or owed.big
        self._after_the_hand()
        if self.players:
            self._one_of_them(luck.choice(self.players), in_line)

    def _after_the_hand(self) -> None:
        """Let players show the cards of the hand that is over, and leave after the next one."""
        run, luck = self.run, self.run.luck
        if not self.players:
            return
        if luck.random() < 0.05:
            shows = luck.choice(self.players)
            run.give("cards shown by choice", lambda: self.table.show_cards(shows))
        if luck.random() < 0.05:
            run.give("dealers sent away", self.table.stop_run)

    def _one_of_them(self, player: Player, in_line: set[str]) -> None:
        run = self.run
        roll = run.luck.random()
        if roll < 0.03:
            run.give("sat out", lambda: self.table.sit_out(player))
        elif roll > 0.98:
            beyond = run.chips.minted + 1
            refused = run.give("bought in", lambda: self.table.buy_in(player, beyond)) == "refused"
            run.situations["buy-in beyond the balance refused"] += refused
        elif player.name in in_line and roll < 0.4:
            self._go_broke(player)
        elif player.name in in_line and roll < 0.7:
            run.give("waits again", lambda: self.table.wait(player, max(1, run.settings.stack)))
        elif len(self.players) > 2 and roll < (0.3 if in_line else 0.1):
            self._leave(player, in_line)

    def look(self) -> TableState:
        """Look at the table without faults."""
        with self.run.quiet():
            return patiently(self.table.state)

    def _leave(self, player: Player, in_line: set[str]) -> None:
        """Have a player leave; sometimes a waiting player tries to sit down out of turn."""
        run = self.run
        if (
            run.give("cashed out", lambda: self.table.cash_out(player)) != "refused"
            and run.give("left", lambda: self.table.leave(player)) != "refused"
        ):
            self.players.remove(player)
            run.situations["player left and another sat down"] += 1
            if in_line and run.luck.random() < 0.5:
                other = run.luck.choice([one for one in self.players if one.name in in_line] or self.players)
                run.give("pushed in", lambda: self.table.sit(other))
            run.people.arrive(self)

    def _go_broke(self, player: Player) -> None:
        """Take the chips of a waiting player, who cannot pay when a seat is free; another player comes instead."""
        run = self.run
        with run.quiet():
            chips = run.room.bank.balance(player.name)
            if chips:
                run.chips.forfeit(
                    chips, lambda: run.give("goes broke", lambda: run.room.bank.forfeit(player.name, chips))
                )
        self.players.remove(player)
        run.people.arrive(self)

    def _see_the_dead_off(self, state: TableState) -> None:
        """Free the seats of players whose actors are gone for good, sooner or later."""
        run = self.run
        for player in [*self.gone]:
            if state.number_of(player.name) is None:
                self.gone.remove(player)
                run.people.arrive(self)
            elif run.luck.random() < 0.3:
                run.give("cashed out", partial(self.table.cash_out, player))
                run.give("left", partial(self.table.leave, player))

    # -- hands ------------------------------------------------------------------------------

    def deal(self) -> LiveHand | None:
        """Start a hand. If the deal crashed but the hand is in progress, finish it and return None."""
        run = self.run
        run.hands += 1
        deck = self._deck(self.look())
        run.harm.muted = (
            set(run.luck.sample(range(run.settings.seats), k=2)) if run.luck.random() < 0.05 else set()
        )
        self._before = run.harm, run.harm.strikes
        try:
            return self.table.deal(deck)
        except TableRefusal:
            self._wake_everybody()
        except (PokerError, Fault):
            run.settle()
            run.runtime.pass_time(PATIENCE)
            live = self.table.live()
            if live is not None:
                self.finish(live)
        return None

    def _deck(self, state: TableState) -> Deck | None:
        """Return a deck, so that a run is the same again; for hold'em sometimes one with a board that plays."""
        luck, game = self.run.luck, self.run.settings.game
        if isinstance(game, Rotation):
            game = game.at(state.number, self.run.settings.seats)
        if game is not HOLDEM:
            return Deck.seeded(luck.getrandbits(64), game.pack)
        if luck.random() < 0.3:
            board = luck.choice(_STACKED_DECKS)
            rest = Deck.seeded(luck.getrandbits(64)).draw(52)
            taken = Deck.stacked([], board).draw(5)
            spare = iter(card for card in rest if card not in taken)
            holes = [[next(spare), next(spare)] for _ in state.ready]
            return Deck.stacked(holes, board)
        return Deck.seeded(luck.getrandbits(64))

    def _wake_everybody(self) -> None:
        """Seat everybody again, without faults: there were too few players to deal to."""
        run = self.run
        run.settle()
        with run.quiet():
            for player in self.players:
                run.give("sat", partial(self.table.sit, player))
                run.give("sat in", partial(self.table.sit_in, player))
                self.buy_in(player)

    def unharmed(self) -> bool:
        """Return whether nothing but players has crashed since the deal."""
        return self._before == (self.run.harm, self.run.harm.strikes)

    def finish(self, live: LiveHand) -> None:
        """Wait for the end of a hand, and check all promises at rest."""
        run = self.run
        run.people.act_to_the_end(self)
        try:
            result = self._result(live)
        except PokerError as error:
            run.look_for_death()
            run.unfinished += 1
            raise run.broken("rest", f"{live.hand_id} has not ended: {error}") from error
        run.settle()
        self.ended(result, unharmed=self.unharmed())

    def ended(self, result: HandResult, *, unharmed: bool) -> None:
        """Check a result; `unharmed` if nothing but players has crashed since the deal."""
        run = self.run
        run.holds(
            "void",
            not (result.voided and unharmed),
            lambda: f"{result.hand_id} is void, but nothing has crashed since the deal",
        )
        run.people.ended(result)
        if run.settings.options is not None:
            for player in self.players:
                run.give("asked for the time bank", partial(self.table.time_bank, player))
        run.voided += result.voided
        run.seen.ended(result)

    def _result(self, live: LiveHand) -> HandResult:
        """Wait for a result; on threads, check meanwhile whether the process has died."""
        seconds = _HAND_SECONDS[self.run.kind]
        if self.run.kind == "stepper":
            return live.result(timeout=seconds)
        end = time.monotonic() + seconds
        while True:
            try:
                return live.result(timeout=_LOOK_SECONDS)
            except AskTimeout:
                self.run.look_for_death()
                if time.monotonic() > end:
                    raise

    def counted(self) -> int:
        """Return the chips at the table, by its own count."""
        return sum(seat.stack for seat in self.table.state().seats if seat is not None)
