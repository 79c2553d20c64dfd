"""One of our bots as a player in another dealer's match."""

from __future__ import annotations

from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Final

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import BotSpec, Faults, hears, running
from poker_actors.rules import Action, Fold, Hand
from poker_actors.wire.acpc.protocol import GameDefinition, MatchState, action_text, hand_values
from poker_actors.wire.guest import PlayerGuest

__all__ = ["Guest"]


class Guest(PlayerGuest):
    """Answers for one player of a match of `definition`; all its random choices come from `seed`.

    A bot that fails checks if it can, else folds, as everywhere. A fold with nothing to call
    becomes a check: the protocol does not allow it.
    """

    def __init__(self, bot: str | BotSpec, definition: GameDefinition, seed: int) -> None:
        self.spec: Final = BotSpec.of(bot)
        self.definition: Final = definition
        self.faults: Final = Faults()
        self.value: Fraction = Fraction(0)
        """chips won or lost in the finished hands"""
        self.playing: bool = False
        """whether a hand is in progress"""
        self._bot = self.spec.make()
        self._decided: list[Action] = []
        super().__init__(Room(StepRuntime(), seed=seed).player("guest", self._bot))
        self.player.counted_in(self.faults)

    def ready(self) -> AbstractContextManager[None]:
        """Run the bot while the block lasts, if it is a program; raises `BadSpec` if it cannot start."""
        return running([self._bot], [self.faults])

    def answer(self, state: MatchState) -> str | None:
        """Return the action in `state` in the protocol's notation; None when it is not this player's turn.

        Raises `BadSpec` for a state that does not fit the game.
        """
        hand = state.hand(self.definition)
        self.playing = not hand.over
        if hand.over:
            self.hands += 1
            self.value += hand_values(hand)[state.position]
            if hears(self._bot):
                self.begin(self.definition.name, state.number)
                self.ask(hand.public(), state.position, hand.holes[state.position])
            return None
        if hand.to_act[0] != state.position:
            return None
        return self._decide(hand, state)

    def _decide(self, hand: Hand, state: MatchState) -> str:
        self.begin(self.definition.name, state.number)
        self._decided.clear()
        self.ask(hand.public(), state.position, hand.holes[state.position])
        action = self._decided[0]
        if type(action) is Fold and not hand.legal.to_call:
            return "c"
        return action_text(hand, action)

    def acted(self, action: Action) -> None:
        """Keep the action until it is sent."""
        self._decided.append(action)
