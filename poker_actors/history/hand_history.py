"""A recorded hand as a value, independent of any format: setup, steps, results, comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadHistory
from poker_actors.history.dealing import ToldCards, told_cards
from poker_actors.history.steps import (
    RESHUFFLED,
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    Note,
    Showed,
    Step,
)
from poker_actors.history.unknown import UNKNOWN, is_known
from poker_actors.rules import GAMES, Game

__all__ = [
    "RECORDED",
    "RESHUFFLED",
    "VARIANTS",
    "ActionKind",
    "ActionStep",
    "BoardDealt",
    "Comment",
    "Dealt",
    "Discarded",
    "HandHistory",
    "Note",
    "Showed",
    "Step",
    "ToldCards",
]


VARIANTS: Final[Mapping[str, Game]] = MappingProxyType(
    {game.code: game for game in GAMES.values() if game.code}
)
"""The games of the Poker Hand History standard, by their codes there."""

RECORDED: Final[Mapping[str, Game]] = MappingProxyType(
    {game.name: game for game in GAMES.values() if game.boards == 1 and not (game.capped or game.open_face)}
)
"""The games with hand histories, by our names: not those of two boards, open-face or with capped bets."""


_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@attrs.frozen
class HandHistory:
    """One recorded hand; `replay` checks it against the rules.

    Players are in the order of their turns on the later streets: the first sits left of the
    button, the last has it (heads-up the last is the small blind). Sequences are by player, amounts in
    chips. `scale` is the number of chips in one unit of the record (100 for dollars and cents).
    `fields` holds further facts under the names of the Poker Hand History standard (`hand`,
    `table`, `year`, `currency`, ...).
    """

    game: Game
    stacks: tuple[int, ...]
    """before any post"""
    blinds: tuple[int, ...]
    """blinds and straddles; a negative amount is a newcomer's blind, which does not change the order of play"""
    min_bet: int
    """the smallest bet; in fixed-limit games the bet of the first two streets"""
    steps: tuple[Step, ...]
    antes: tuple[int, ...] = ()
    """empty for none"""
    trimmed_antes: bool = False
    """whether a player all-in for less than the ante can win only that much of each other ante"""
    players: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    """seat numbers at the table, from 0"""
    finishing: tuple[int, ...] | None = None
    """stacks at the end of the steps, as recorded"""
    winnings: tuple[int, ...] | None = None
    """chips collected from pots, after rake, as recorded"""
    rake: int | None = None
    scale: int = 1
    fields: Mapping[str, object] = _NOTHING
    notes: tuple[Note, ...] = ()
    bring_in: int = 0
    """in stud; 0 where blinds begin the hand"""
    dead_small: int = 0
    """pot limit: a small blind that nobody posted as its player was gone; it counts in the most a raise may be"""
    run_again: tuple[tuple[Card, ...], ...] = ()
    """where the rest of the board was run more than once: the cards of each further run, those of the first are steps"""

    @property
    def size(self) -> int:
        """The number of players dealt in."""
        return len(self.stacks)

    @property
    def variant(self) -> str:
        """The code of the game in the Poker Hand History standard; raises `BadHistory` if there is none."""
        if VARIANTS.get(self.game.code) is not self.game:
            raise BadHistory(f"the Poker Hand History standard has no name for {self.game.title}")
        return self.game.code

    @property
    def hand_id(self) -> str:
        """The number or name of the hand; empty if none was recorded."""
        return str(self.fields.get("hand", ""))

    @property
    def turns(self) -> Iterator[ActionStep]:
        """The actions, in order."""
        return (step for step in self.steps if type(step) is ActionStep)

    @property
    def board(self) -> tuple[Card, ...]:
        """The board as far as it was dealt."""
        return self.told_cards().board

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """The board of each run, as far as it was dealt; one, unless the board was run more than once."""
        board = self.board
        return (board, *((*board[: len(board) - len(cards)], *cards) for cards in self.run_again))

    @property
    def holes(self) -> tuple[tuple[Card, ...], ...]:
        """Hole cards by player at the end, as dealt or shown; `UNKNOWN` for unrecorded cards."""
        holes = self.told_cards().holes
        if self.game.plain:
            return holes
        return tuple([tuple([card if is_known([card]) else UNKNOWN for card in hole]) for hole in holes])

    def told_cards(self) -> ToldCards:
        """Collect all cards of the hand in one pass over the steps; see `told_cards` in `dealing`."""
        return told_cards(self.game, len(self.stacks), self.steps)

    def seen_by(self, player: int) -> HandHistory:
        """Return the hand as a player saw it: others' face-down cards and discards become unknown.

        Cards they showed stay in the steps that show them.
        """
        deals = [0] * len(self.stacks)
        steps: list[Step] = []
        for step in self.steps:
            if type(step) is Dealt:
                streets = self.game.streets
                up = streets[min(deals[step.player], len(streets) - 1)].up
                deals[step.player] += 1
                hidden = len(step.cards) - up
                if step.player != player:
                    step = attrs.evolve(step, cards=(UNKNOWN,) * hidden + step.cards[hidden:])
            elif type(step) is Discarded and step.player != player:
                step = attrs.evolve(step, cards=(UNKNOWN,) * len(step.cards))
            steps.append(step)
        return attrs.evolve(self, steps=tuple(steps))

    def name(self, player: int) -> str:
        """Return a player's name in the record; `p1` for the first if it has none."""
        return (self.players[player] if self.players else "") or f"p{player + 1}"
