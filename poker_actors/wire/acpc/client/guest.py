"""A bot of ours as a player of somebody else's match: match states in, answers out."""

from __future__ import annotations

from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Final

from poker_actors.bots import BotSpec, Faults, HandStream, SeedTree, decide, running
from poker_actors.rules import Fold, Hand
from poker_actors.wire.acpc.protocol import GameDefinition, MatchState, action_text, hand_values

__all__ = ["Guest"]


class Guest:
    """Answers for one player of a match of `definition`; its luck is all of `seed`.

    A bot that fails checks if it can and folds if it cannot, as everywhere. One that folds with
    nothing to call checks: the protocol knows no such fold.
    """

    def __init__(self, bot: str | BotSpec, definition: GameDefinition, seed: int) -> None:
        self.spec: Final = BotSpec.of(bot)
        self.definition: Final = definition
        self.faults: Final = Faults()
        self.hands: int = 0
        """hands heard to their end"""
        self.value: Fraction = Fraction(0)
        """chips won or lost in those"""
        self.playing: bool = False
        """whether a hand is on"""
        self._bot = self.spec.make()
        self._stream = HandStream(SeedTree(seed), 0)

    def ready(self) -> AbstractContextManager[None]:
        """Have the bot running while the block lasts, if it is a program; raises `BadSpec` if it cannot start."""
        return running([self._bot], [self.faults])

    def answer(self, state: MatchState) -> str | None:
        """Give the action in `state`, as the protocol writes it; None when it is not this player's turn.

        Raises `BadSpec` for a state that does not fit the game.
        """
        hand = state.hand(self.definition)
        self.playing = not hand.over
        if hand.over:
            self.hands += 1
            self.value += hand_values(hand)[state.position]
            return None
        if hand.to_act[0] != state.position:
            return None
        return self._decide(hand, state)

    def _decide(self, hand: Hand, state: MatchState) -> str:
        self._stream.hand = state.number
        view = hand.view(state.position, self._stream)
        action = decide(self._bot, view, self.faults, state.number)
        if type(action) is Fold and not view.to_call:
            return "c"
        return action_text(hand, action)
