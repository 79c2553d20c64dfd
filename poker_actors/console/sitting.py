"""One person at a table of bots, in a room of actors on the caller's thread, and the picture of it for a screen."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import attrs

from poker_actors.actors import HandResult, HandState, LiveHand, News, Player, Room, StepRuntime
from poker_actors.actors.runtime import quiet_logs
from poker_actors.bots import SeedTree, peeking_bots, show_cards
from poker_actors.cards import Card
from poker_actors.console.setup import Setup
from poker_actors.console.telling import showdown_seats, words_shown
from poker_actors.errors import BadSpec, RoomError
from poker_actors.rules import Action, Fold, Hand, Legal, event


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold SIGINT back while the block runs, and deliver it afterwards, once.

    An interrupt between two steps of a buy-in or a hand would leave chips in neither a stack nor the bank.
    """
    if threading.current_thread() is not threading.main_thread():  # signals are handled on the main thread
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(*came[0])


class Sitting:
    """One game, which ends when the person leaves, goes broke, or has all the chips.

    Every call returns once the person is to act or the hand is over. The seed of the setup and the numbers of the
    hands, from `first_hand`, decide the decks and the bots' luck.
    """

    def __init__(self, setup: Setup, first_hand: int = 0) -> None:
        self.setup: Final = setup
        self.number: int = first_hand
        """Number of the next hand."""
        self.state: HandState | None = None
        """The last state of the hand that the person received."""
        self.result: HandResult | None = None
        """The result of the last hand; None while a hand is played."""
        self.stacks: tuple[int, ...] = setup.stacks
        """Stacks by seat at the end of the last hand."""
        self.balances: tuple[int, ...] = ()
        """Balances at the bank by seat; empty until the game is settled."""
        self.hands: list[tuple[list[Action], tuple[int, ...]]] = []
        """what the person did in each hand, and the stacks before it"""
        self.runtime: Final = StepRuntime()
        self.room: Final = Room(self.runtime, seed=setup.seed)
        self._tree = SeedTree(setup.seed)
        self._first_hand: Final = first_hand
        self._live: LiveHand | None = None
        self._heard: list[HandState] = []
        self._bots = [None if spec is None else spec.make() for spec in setup.bots]
        with interrupts_held():
            self.table = self.room.open_table(
                seats=len(setup.names),
                stakes=setup.stakes,
                game=setup.game,
                button=setup.button,
                first_hand=first_hand,
                button_moves=setup.button_moves,
            )
            self.players: list[Player] = []
            for seat, (name, bot, chips) in enumerate(
                zip(setup.names, self._bots, setup.stacks, strict=True)
            ):
                player = self.room.player(name, bot, chips=chips)
                self.players.append(player)
                self.table.sit(player, seat)
                self.table.buy_in(player, chips)
        self.person: Final = self.players[setup.seat]
        self.person.listen(self._hear)

    def _hear(self, news: News) -> None:
        if isinstance(news, HandState):
            self.state = news
            self._heard.append(news)

    def take_heard(self) -> list[HandState]:
        """Return the states that the person has received since the last call."""
        heard, self._heard = self._heard, []
        return heard

    @property
    def legal(self) -> Legal:
        """The person's legal actions; falsy if it is not the person's turn."""
        state = self.state
        if state is None:
            return Legal(self.setup.seat, turn=False)
        return state.public.legal(state.seat, state.hole)

    @property
    def hand(self) -> Hand | None:
        """The hand that is over; None while one is played, and after a void one."""
        return None if self.result is None else self.result.hand

    @property
    def over(self) -> bool:
        """Whether the person has no chips, or all of them, after the last hand."""
        mine = self.stacks[self.setup.seat]
        return mine in (0, sum(self.stacks))

    def deal(self) -> None:
        """Start the next hand."""
        setup = self.setup
        deck = self._tree.deck(self.number, setup.game.pack)
        with interrupts_held():
            # the deck is known before it is dealt; only bots that declare that they peek are shown it
            show_cards(peeking_bots(self._bots), setup.game, deck, self.stacks)
            self.state = self.result = None
            self.hands.append(([], self.stacks))
            self._live = self.table.deal(deck)
            self.number += 1
            self._go_on()

    def act(self, action: Action) -> None:
        """Act for the person; raise `IllegalAction` and change nothing if the action is not legal."""
        with interrupts_held():
            self.person.act(action)
            self.hands[-1][0].append(action)
            self._go_on()

    def without_last(self) -> Sitting:
        """Return a sitting in the state before the person's last action, and close this one.

        It replays everything. Raise `BadSpec`, and change nothing, if the person has not acted in the last hand or a
        bot acts differently this time.
        """
        if not self.hands or not self.hands[-1][0]:
            raise BadSpec("there is nothing to take back in this hand")
        other = Sitting(self.setup, self._first_hand)
        for number, (actions, stacks) in enumerate(self.hands):
            if other.stacks != stacks:
                other.close()
                raise BadSpec("it cannot be taken back: a bot acts differently when asked again")
            other.take_heard()  # what was told of earlier hands
            other.deal()
            for action in actions[:-1] if number == len(self.hands) - 1 else actions:
                other.act(action)
        with quiet_logs():  # its hand ends here in the middle, which would be told as a fault
            self.close()
        return other

    def show_cards(self) -> None:
        """Turn up the person's cards of the hand that is over, for everybody and in its result.

        Raise `TableRefusal` if there is none, as after a void one.
        """
        self.table.show_cards(self.person)
        self.runtime.run()
        assert self.result is not None, "a table shows a hand only if it is over"
        assert self.result.hand is not None, "nothing is shown of a void hand"
        hand = self.result.hand.copy()
        hand.show(self.setup.seat)
        self.result = attrs.evolve(self.result, hand=hand)

    def settle(self) -> None:
        """End the hand, folding for the person if necessary, and take every stack to the bank.

        Raise `RoomError` if the books do not balance.
        """
        with interrupts_held():
            while self._live is not None:
                self.person.act(Fold() if Fold() in self.legal else self.legal.passive)
                self._go_on()
            for player in self.players:
                self.table.cash_out(player)
            self.balances = tuple(self.room.bank.balance(player.name) for player in self.players)
        if not self.room.audit().conserved:
            raise RoomError(f"credits are not conserved: {self.room.audit()}")

    def close(self) -> None:
        """Stop the actors."""
        self.room.close()

    def _go_on(self) -> None:
        """Deliver all messages, so that bots play until the person is to act or the hand is over."""
        self.runtime.run()
        if not self.legal:
            assert self._live is not None, "somebody acts in a hand"
            self.result = self._live.result()
            self.stacks = self.result.stacks
            self._live = None


@attrs.frozen
class SeatPicture:
    """One seat: `cards` are those the person can see, `hidden` is the number of the others."""

    name: str
    stack: int
    bet: int = 0
    cards: tuple[Card, ...] = ()
    hidden: int = 0
    said: str = ""
    """its last action on this street (a fold is kept), or its net result once the hand is over"""
    words: str = ""
    """the hand in words, if the person can see it"""
    button: bool = False
    to_act: bool = False
    folded: bool = False


@attrs.frozen
class TablePicture:
    """All seats, the board and the pot; `marks` has a word to write under each of the person's cards."""

    seats: tuple[SeatPicture, ...]
    boards: tuple[tuple[Card, ...], ...] = ((),)
    pot: int = 0
    street: str = ""
    marks: tuple[str, ...] = ()

    @property
    def board(self) -> tuple[Card, ...]:
        """The first, and usually only, board."""
        return self.boards[0]


def picture(sitting: Sitting) -> TablePicture:
    """Return the table as the person may see it now."""
    setup = sitting.setup
    state = sitting.state
    if state is None:
        waiting = zip(setup.names, sitting.stacks, strict=True)
        return TablePicture(tuple(SeatPicture(name, stack) for name, stack in waiting))
    public = state.public
    seats = tuple([_seat(sitting, state, seat) for seat in range(len(setup.names))])
    opened = public.open[setup.seat]
    marks = tuple(["open" if card in opened else "" for card in state.hole]) if opened else ()
    return TablePicture(seats, public.boards, public.pot, public.phase, marks)


def _seat(sitting: Sitting, state: HandState, seat: int) -> SeatPicture:
    setup, public, result, hand = sitting.setup, state.public, sitting.result, sitting.hand
    over, live, opened = public.over, seat in public.live, public.open[seat]
    cards: tuple[Card, ...] = ()
    words = said = ""
    # a folded hand that was shown by choice has no part in the showdown
    if hand is not None and live and seat in showdown_seats(setup, hand):
        cards, words = hand.holes[seat], words_shown(setup, hand, seat)
    elif seat == setup.seat:
        cards = state.hole
        words = " / ".join(words_now(setup, cards, board) for board in public.boards)
    streets, dealt = setup.game.streets, len(public.dealt.marks)
    held = sum(street.hole + street.up for street in streets[:dealt])
    held -= sum(street.throw for street in streets[: dealt - 1])
    # stud's last card may be dealt once, for everybody
    held -= 0 if setup.game.board_cards else len(public.board)
    if result is not None and result.payoffs[seat]:
        said = f"{result.payoffs[seat]:+}"
    else:
        for taken in public.log:
            if taken.seat == seat and (taken.street == public.dealt.street or isinstance(taken.action, Fold)):
                said = event.as_told_to_you(event.action_words(taken.action, taken.paid))
    return SeatPicture(
        name=setup.names[seat],
        stack=public.stacks[seat],
        bet=0 if over else public.bets[seat],
        cards=cards or (opened if live else ()),
        hidden=0 if cards or not live else held - len(opened),
        said=said,
        words=words,
        button=seat == public.setup.button,
        to_act=public.active == seat,
        folded=not live and bool(public.setup.stacks[seat]),
    )


def words_now(setup: Setup, hole: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """Return a seat's hand so far in words; empty if it cannot be described yet, as before the flop."""
    game = setup.game
    fewest = max([share.ranking.board[0] for share in game.shares], default=0)
    if len(board) < fewest or len(board) < 3 < game.board_cards:
        return ""
    # without a board a hand can be described from five cards
    if setup.suits and len(hole) != game.hole_cards and (board or len(hole) < 5):
        return ""
    return game.words_of(game.claims([0], [hole], board), 0, hole)
