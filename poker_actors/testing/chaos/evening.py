"""One evening at one table, played under faults: people come, play, bust, leave and come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

import attrs

from poker_actors.actors import HandResult, LiveHand, Player, Room, Table, TableNews, TimeBank
from poker_actors.actors.hand.messages import HandEndedNews
from poker_actors.actors.player.messages import Refusal
from poker_actors.actors.runtime import Actor
from poker_actors.actors.table.actor import TableActor
from poker_actors.cards import Deck
from poker_actors.errors import PokerError, TableRefusal
from poker_actors.rules import Action, Call, Check, Positions, RaiseTo, Stakes, View
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.store import Journal
from poker_actors.testing.chaos.checks import Violation, check_delivery, check_hand, check_positions
from poker_actors.testing.chaos.faults import ChaosRuntime, Fault, FaultRates, ProcessDied
from poker_actors.testing.chaos.situations import HandFacts, situations_of
from poker_actors.testing.chaos.storage import ChaosStorage

__all__ = ["Evening", "EveningSettings"]


def short_raiser(view: View) -> Action:
    """Go all-in when that is less than a full raise; else raise the least, once a street, or call."""
    legal = view.legal
    street = view.street
    acted = any(taken.seat == view.seat and taken.street == street for taken in view.actions)
    short = view.public.min_raise_to > legal.all_in_total > view.public.bet
    if legal.can_raise and (short or (not acted and view.rng.random() < 0.5)):
        return RaiseTo(legal.min_raise_to)
    return Call() if view.to_call else Check()


_SHORT_RAISER: Final = f"{__name__}:short_raiser"
"""By its place, so that a room that comes back from its journal finds it again."""

_CROWDS: Final[tuple[tuple[str, ...], ...]] = (
    ("random", "maniac", "caller", "tight", "loose", "random", "maniac", "caller"),
    ("random",),
    ("caller", "random", "caller"),
)
_CROWDED: Final = 0.12
"""Share of the evenings on which more people come than there are seats."""
_WITH_OPTIONS: Final = 0.1
"""Share of the evenings at tables with options."""
_OPTIONS: Final = CashOptions(Rake(500, 7), bomb_pot=15, bomb_every=5, boards=2)
_TIME_BANK: Final = TimeBank(25, refill=5)
_TURN_SECONDS: Final = 10.0
_PATIENCE: Final = 5.0
"""What a table that could not write to a full disk is given to try again."""
_HAND_SECONDS: Final = 5_000.0
"""Bound on a hand: 8 seats, 4 streets, every turn out of time, and then some."""
_STACKED_DECKS: Final = (
    # boards that play: everybody who stays shares the pot
    "AsKsQsJsTs",
    "TdJdQdKdAd",
    "AhAdAcAsKd",
)


@attrs.frozen
class EveningSettings:
    """What an evening is like; all of it follows from its seed."""

    seed: int
    hands: int
    players: int
    seats: int
    stakes: Stakes
    stack: int
    crowd: tuple[str, ...]
    """the bots that come, in turn"""
    waiting: int = 0
    """how many more come than there are seats"""
    options: CashOptions | None = None
    """rake, bomb pots, boards run twice"""

    @classmethod
    def draw(cls, seed: int, hands: int) -> EveningSettings:
        """Draw an evening: few or many players, short or deep stacks, antes and straddles or none."""
        luck = Random(seed)
        players = luck.choice((2, 3, 4, 6, 7, 8, 8))
        extra = luck.choice(("none", "none", "ante", "big blind ante", "straddle"))
        stakes = Stakes(
            5,
            10,
            ante=3 if extra == "ante" else 0,
            big_blind_ante=10 if extra == "big blind ante" else 0,
            straddle=20 if extra == "straddle" else 0,
        )
        stack = luck.choice((35, 35, 60, 90, 170, 1000))
        crowd = luck.choice(_CROWDS)
        if luck.random() < 0.35:
            # a full table of short stacks that go all-in: short raises on short raises
            players, stack, crowd = 8, luck.choice((50, 70)), ("random", _SHORT_RAISER, _SHORT_RAISER)
        seats = min(players + 1, 9)
        rush = Random(f"{seed} rush")
        waiting = rush.choice((1, 2, 3)) if rush.random() < _CROWDED else 0
        come = seats + waiting if waiting else players
        options = _OPTIONS if Random(f"{seed} house").random() < _WITH_OPTIONS else None
        return cls(seed, hands, come, seats, stakes, stack, crowd, waiting, options)


class Evening:
    """Plays the hands of one evening and keeps count. Raises `Violation` when a promise is broken."""

    def __init__(
        self,
        settings: EveningSettings,
        rates: FaultRates,
        watch: Callable[[ChaosRuntime], None] | None = None,
    ) -> None:
        self.settings = settings
        self._watch = watch
        self.luck = Random(settings.seed + 1)
        self.runtime = ChaosRuntime(self.luck, rates, reorder=self.luck.random() < 0.5)
        self.situations: Counter[str] = Counter()
        self.hands = 0
        self.voided = 0
        self.unfinished = 0
        self.minted = 0
        self.chips_lost = 0
        self.happened = self.runtime.what_happened
        self.restarts = self.steps = 0
        self._storage = ChaosStorage(self.luck, rates, self.happened) if self.luck.random() < 0.5 else None
        self._open()
        self.table: Table = self.room.open_table(
            "main",
            seats=settings.seats,
            stakes=settings.stakes,
            turn_seconds=_TURN_SECONDS,
            options=settings.options,
            time_bank=None if settings.options is None else _TIME_BANK,
        )
        self.players: list[Player] = []
        self._late: frozenset[int] = frozenset()
        self._before: Positions | None = None
        self._arrivals = 0
        self._in_line: set[str] = set()
        """who waited for a seat before the last hand"""

    def play(self) -> None:
        """Play the evening to its end, close the room, and count all chips."""
        for _ in range(self.settings.players):
            self._arrive()
        while self.hands < self.settings.hands:
            try:
                self._floor_work()
                self._play_hand()
            except ProcessDied:
                self._come_back()
        self._settle()
        self.runtime.advance(_PATIENCE)
        self._audit()
        state = self._table_actor().memory.state
        if state.waiting and None in state.seats:
            raise Violation(f"{state.waiting[0].player} waits while a seat is free")
        self.room.close()

    def _open(self) -> None:
        """Open the room, from its journal if it has one."""
        if self._watch is not None:
            self._watch(self.runtime)
        store = None if self._storage is None else Journal(self._storage, snapshot_every=200)
        self.room = Room(self.runtime, seed=self.settings.seed, store=store)
        self.room.supervisor.most_restarts = 300  # the bench crashes far more than any room would
        self.runtime.after_delivery = self._after_delivery
        self.runtime.mortal = self._storage is not None

    def _come_back(self) -> None:
        """The process has died: open the room again from its journal, and finish its hand."""
        assert self._storage is not None
        self.situations["process died and came back"] += 1
        self._count_room()
        while True:
            self.runtime = ChaosRuntime(self.luck, self.runtime.rates)
            self.runtime.what_happened = self.happened
            self._storage.dead = False
            self._be_quiet(self.luck.random() < 0.9)  # one in ten dies again while it comes back
            try:
                self._open()
                break
            except ProcessDied:
                self.situations["process died while coming back"] += 1
        self._be_quiet(True)
        self.table = self.room.tables["main"]
        self.players = [self.room.players[player.name] for player in self.players]
        self._settle()
        audit = self.room.audit()
        if not audit.conserved or audit.minted != self.minted:
            house = audit.forfeit + audit.rake
            self.chips_lost += self.minted - audit.bank - audit.tables - audit.hands - house
            raise Violation(f"{self.minted} chips were minted, after coming back the books say {audit}")
        live = self._table_actor().memory.live
        recovery = self.room.recovery
        self.situations["hand went on after the process died"] += recovery is not None and bool(
            recovery.resumed
        )
        if live is not None:
            self._finish(LiveHand(live), compare=True)

    def _settle(self) -> None:
        """Do no more harm, and let everything arrive that is on its way."""
        self._be_quiet(True)
        self.runtime.settle()

    def _be_quiet(self, quiet: bool) -> None:
        self.runtime.quiet = quiet
        if self._storage is not None:
            self._storage.quiet = quiet

    def _count_room(self) -> None:
        """Take over the counts of a room that is about to be left."""
        self.restarts += self.room.supervisor.restarts
        self.steps += self.runtime.steps

    def leave(self) -> None:
        """Close the room without looking at anything any more."""
        self._count_room()
        self._be_quiet(True)
        self.runtime.after_delivery = self.runtime.broken = None
        self.runtime.died = False
        if self._storage is not None:
            self._storage.dead = False
        self.room.close()

    # -- the floor --------------------------------------------------------------------------

    def _try(self, what: str, command: Callable[[], object]) -> bool:
        """Give a command and count it; tells whether it may have happened, refused ones have not.

        Of a command whose handler crashed nobody knows whether it happened before the crash.
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
        before = self.runtime.quiet
        self._be_quiet(True)  # minting is not under test: how many chips there are must be known
        chips = 100 * self.settings.stack
        player = self.room.player(f"p{self._arrivals}", bot, chips=chips)
        self.minted += chips
        self._be_quiet(before)
        self.players.append(player)
        self._take_a_seat(player)

    def _take_a_seat(self, player: Player) -> None:
        """Sit down and buy in, or on a crowded evening wait for that."""
        if self.settings.waiting:
            amount = max(1, self.settings.stack)
            self._try("waits", lambda: self.table.wait(player, amount))
        elif self._try("sat", lambda: self.table.sit(player)):
            self._buy_in(player)

    def _buy_in(self, player: Player) -> None:
        amount = max(1, int(self.settings.stack * self.luck.uniform(0.1, 1.5)))
        self._try("bought in", lambda: self.table.buy_in(player, amount))

    def _floor_work(self) -> None:
        """Between hands: the broke buy in, somebody leaves, somebody sits out or comes back."""
        self._be_quiet(True)
        state = self.table.state()
        self._be_quiet(False)
        seated = {seat.player: seat for seat in state.seats if seat is not None}
        waiting = set() if state.positions is None else set(state.ready) - set(state.positions.dealt)
        self.situations["newcomer waited for the button"] += bool(waiting) and self._before is not None
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
        """Somebody who waits has no chips left when it is their turn; another comes instead."""
        self._be_quiet(True)
        self.room.bank.forfeit(player.name, self.room.bank.balance(player.name))
        self._be_quiet(False)
        self.players.remove(player)
        self._arrive()

    # -- hands ------------------------------------------------------------------------------

    def _deck(self) -> Deck:
        if self.luck.random() < 0.3:
            board = self.luck.choice(_STACKED_DECKS)
            rest = Deck.seeded(self.luck.getrandbits(64)).draw(52)
            taken = Deck.stacked([], board).draw(5)
            spare = iter(card for card in rest if card not in taken)
            holes = [[next(spare), next(spare)] for _ in range(self._dealt_in())]
            return Deck.stacked(holes, board)
        return Deck.seeded(self.luck.getrandbits(64))

    def _dealt_in(self) -> int:
        state = self._table_actor().memory.state
        return len(state.ready)

    def _table_actor(self) -> TableActor:
        actor = self.table.address.actor
        assert isinstance(actor, TableActor)
        return actor

    def _play_hand(self) -> None:
        self.hands += 1
        self._late = frozenset()
        self._be_quiet(False)
        some = self.luck.sample(self.players, k=2) if self.luck.random() < 0.05 else []
        self.runtime.muted = {player.address for player in some}
        live = self._deal()
        if live is None:
            return
        self.runtime.run(limit=self.luck.randrange(120))
        after = self._meddle()
        self.runtime.run(limit=self.luck.randrange(400))
        self._settle()  # faults stop here: from now on the hand must end by itself
        self._finish(live, compare=not after)

    def _deal(self) -> LiveHand | None:
        """Start a hand. One whose deal crashed afterwards is under way all the same."""
        self._before = self._table_actor().memory.state.positions
        try:
            return self.table.deal(self._deck())
        except TableRefusal:
            self._wake_everybody()
        except (PokerError, Fault):
            self._settle()
            self.runtime.advance(_PATIENCE)
            dealt = self._table_actor().memory.live
            if dealt is not None:
                self._finish(LiveHand(dealt), compare=True)
        return None

    def _wake_everybody(self) -> None:
        """Too few to deal to: without faults, bring everybody back."""
        self._settle()
        for player in self.players:
            self._try("sat", partial(self.table.sit, player))
            self._try("sat in", partial(self.table.sit_in, player))
            self._buy_in(player)

    def _meddle(self) -> bool:
        """Ask, during a hand, for what is not allowed then; tells whether it was done: the hand may be over already."""
        player = self.luck.choice(self.players)
        command = self.luck.choice((self._cash_out, self._leave_table))
        return self.luck.random() < 0.2 and self._try("asked after the hand", partial(command, player))

    def _cash_out(self, player: Player) -> None:
        self.table.cash_out(player)

    def _leave_table(self, player: Player) -> None:
        self.table.leave(player)

    def _finish(self, live: LiveHand, *, compare: bool) -> None:
        try:
            result = live.result(timeout=_HAND_SECONDS)
        except PokerError as error:
            self.unfinished += 1
            raise Violation(f"{live.hand_id} has not ended: {error}") from error
        self._settle()
        self._audit()
        if result.voided:
            self.voided += 1
            self.situations["hand voided"] += 1
        else:
            self._look_at(result, compare)
        check_positions(self._before, result.positions)

    def _look_at(self, result: HandResult, compare: bool) -> None:
        assert result.hand is not None
        check_hand(result.hand)
        state = self.table.state()
        for number, seat in enumerate(state.seats if compare else ()):
            if seat is not None and seat.stack != result.stacks[number]:
                raise Violation(
                    f"{seat.player} has {seat.stack}, the hand ended with {result.stacks[number]}"
                )
        for name in situations_of(HandFacts.of(result, self._late)):
            self.situations[name] += 1

    def _after_delivery(self, actor: Actor, message: object) -> None:
        check_delivery(actor, message)
        if type(message) is HandEndedNews:
            self._late = message.late
        elif type(message) is TableNews and message.what == "time_bank":
            self.situations["time bank drawn on"] += 1
        elif type(message) is TableNews and message.what == "passed_over" and self._told(actor, message):
            self.situations["who waited could not pay"] += 1
        elif type(message) is Refusal and message.code == "stale_action":
            self.situations["stale action refused"] += 1

    @staticmethod
    def _told(actor: Actor, news: TableNews) -> bool:
        """Whether this is the player whom the news is about: everybody hears it."""
        return actor.address.name == f"player {news.player}"

    def _audit(self) -> None:
        audit = self.room.audit()
        if not audit.conserved or audit.minted != self.minted or audit.hands:
            self.chips_lost += self.minted - audit.bank - audit.tables - audit.forfeit - audit.rake
            raise Violation(f"{self.minted} chips were minted, the books say {audit}")
        counted = sum(seat.stack for seat in self._table_actor().memory.state.seats if seat is not None)
        if counted != audit.tables:
            raise Violation(f"the table counts {counted} chips, the books say {audit.tables}")

    def tell_faults(self) -> None:
        """Count the situations that the faults themselves make."""
        happened = self.happened
        names = {
            "table crashed while dealing": ("crash table Deal",),
            "table crashed while a hand is played": ("crash table in hand",),
            "table crashed while somebody waited": ("crash table with a line",),
            "table crashed while paying": ("crash table HandEndedNews", "crash table ActorDown"),
            "bank crashed while paying": ("crash bank Settle",),
            "bank crashed while putting stacks aside": ("crash bank Escrow",),
            "bank crashed while moving chips": ("crash bank Move",),
            "hand crashed before the flop": ("crash hand on preflop",),
            "hand crashed on the river": ("crash hand on river",),
            "player crashed on its turn": ("crash player HandState",),
            "crashed while recovering": ("crash while beginning",),
            "action lost on the way": ("drop",),
            "action doubled": ("double",),
            "action late": ("delay",),
            "player stalled": ("stall",),
            "disk full": ("disk full",),
            "process died after a write": ("died after a write",),
        }
        for situation, kinds in names.items():
            self.situations[situation] += sum(happened[kind] for kind in kinds)
