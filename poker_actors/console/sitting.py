"""One person at a table of bots, in a room of actors on the stepping runtime, in the caller's thread."""

from __future__ import annotations

from typing import Final

from poker_actors.actors import HandResult, HandState, LiveHand, News, Player, Room, StepRuntime
from poker_actors.actors.runtime import quiet_logs
from poker_actors.bots import SeedTree, peeking_bots, show_cards
from poker_actors.console.interrupts import interrupts_held
from poker_actors.console.setup import Setup
from poker_actors.errors import BadSpec, RoomError
from poker_actors.rules import Action, Fold, Legal

__all__ = ["Sitting"]


class Sitting:
    """One game, which ends when the person leaves, goes broke, or has all the chips.

    Every call returns once the person is to act or the hand is over. The seed of the setup decides the decks
    and the bots' luck; `first_hand` is the number of the first hand, so that a second game has other decks than
    the first.
    """

    def __init__(self, setup: Setup, first_hand: int = 0) -> None:
        self.setup: Final = setup
        self.number: int = first_hand
        """Number of the next hand."""
        self.state: HandState | None = None
        """The last state of the hand that the person received."""
        self.result: HandResult | None = None
        """The result of the last hand; None while a hand is played."""
        self.runtime: Final = StepRuntime()
        self.room: Final = Room(self.runtime, seed=setup.seed)
        self._tree = SeedTree(setup.seed)
        self.balances: tuple[int, ...] = ()
        """Balances at the bank by seat; empty until the game is settled."""
        self.hands: list[tuple[list[Action], tuple[int, ...]]] = []
        """what the person did in each hand, and the stacks before it"""
        self._first_hand: Final = first_hand
        self._live: LiveHand | None = None
        self._heard: list[HandState] = []
        self._closed = False
        with interrupts_held():
            self._sit_down(first_hand)

    def _sit_down(self, first_hand: int) -> None:
        setup = self.setup
        self._bots = [None if spec is None else spec.make() for spec in setup.bots]
        self.table = self.room.open_table(
            seats=len(setup.names),
            stakes=setup.stakes,
            game=setup.game,
            button=setup.button,
            first_hand=first_hand,
            button_moves=setup.button_moves,
        )
        self.players: list[Player] = []
        for seat, (name, bot, chips) in enumerate(zip(setup.names, self._bots, setup.stacks, strict=True)):
            player = self.room.player(name, bot, chips=chips)
            self.players.append(player)
            self.table.sit(player, seat)
            self.table.buy_in(player, chips)
        self.person = self.players[setup.seat]
        self.person.listen(self._hear)
        self.stacks: tuple[int, ...] = setup.stacks
        """Stacks by seat at the end of the last hand."""

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
        if state is None or state.turn is None:
            return Legal(self.setup.seat, turn=False)
        return state.public.legal(state.seat, state.hole)

    @property
    def over(self) -> bool:
        """Whether the person has no chips, or all of them."""
        mine = self.stacks[self.setup.seat]
        return self._live is None and mine in (0, sum(self.stacks))

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
        """Return another sitting that is as this one was before the person's last action; close this one.

        Everything is played again. Raise `BadSpec`, and change nothing, if the person has not acted in the last
        hand, or if a bot does not do the same again.
        """
        if not self.hands or not self.hands[-1][0]:
            raise BadSpec("there is nothing to take back in this hand")
        other = Sitting(self.setup, self._first_hand)
        for number, (actions, stacks) in enumerate(self.hands):
            if other.stacks != stacks:
                other.close()
                raise BadSpec("it cannot be taken back: a bot does not do again what it did")
            other.take_heard()  # what was told of earlier hands
            other.deal()
            for action in actions[:-1] if number == len(self.hands) - 1 else actions:
                other.act(action)
        with quiet_logs():  # its hand ends here in the middle, which would be told as a fault
            self.close()
        return other

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
        if not self._closed:
            self._closed = True
            self.room.close()

    def _go_on(self) -> None:
        """Deliver all messages, so that bots play until the person is to act or the hand is over."""
        self.runtime.run()
        if self._live is not None and not self.legal:
            self.result = self._live.result()
            self.stacks = self.result.stacks
            self._live = None
