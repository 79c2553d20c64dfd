"""A recorded hand as a value that no format owns: setup, steps, results, and what else was said."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.frozen import value
from poker_actors.history.unknown import UNKNOWN
from poker_actors.rules import GAMES, Game

__all__ = [
    "RECORDED",
    "VARIANTS",
    "BoardDealt",
    "Comment",
    "Dealt",
    "HandHistory",
    "Move",
    "Note",
    "Showed",
    "Step",
    "ToldCards",
    "Turn",
]


VARIANTS: Final[Mapping[str, Game]] = MappingProxyType(
    {
        "NT": GAMES["holdem"],
        "FT": GAMES["limit-holdem"],
        "PO": GAMES["omaha"],
        "NS": GAMES["short-deck"],
    }
)
"""The games that hand histories are written of, by the codes of the Poker Hand History standard."""

RECORDED: Final[Mapping[str, Game]] = MappingProxyType({game.name: game for game in VARIANTS.values()})
"""The same by our names."""

_CODES: Final = {game.name: code for code, game in VARIANTS.items()}


class Move(enum.Enum):
    """What a turn did; whether a call was a check, and a raise a bet, follows from the hand."""

    FOLD = "f"
    CALL = "cc"
    RAISE = "cbr"


@value
class Dealt:
    """Hole cards for one player, unknown ones included."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class BoardDealt:
    """Cards turned onto the board."""

    cards: tuple[Card, ...]
    comment: str = ""


@value
class Turn:
    """One action: a fold, a check or call, or a bet or raise to `total` chips in front."""

    player: int
    move: Move
    total: int = 0
    comment: str = ""
    said: int | None = attrs.field(default=None, eq=False)
    """chips the record says it cost, where it says so; 0 is a check"""


@value
class Showed:
    """Hole cards turned up at the end; none: they were mucked."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class Comment:
    """A remark between steps, or, empty, a step that does nothing."""

    comment: str = ""


Step = Dealt | BoardDealt | Turn | Showed | Comment


@value
class Note:
    """A comment of the file itself, and where it stood: at a field, or at an item of a list."""

    key: str
    """the field; empty for the end of the hand"""
    item: int
    """the place in the field's list; -1 for the field as a whole"""
    text: str
    own_line: bool
    """whether it stood on a line of its own, before what it belongs to"""


@value
class ToldCards:
    """The cards of a hand as far as a history names them."""

    holes: tuple[tuple[Card, ...], ...]
    board: tuple[Card, ...]
    mucked: frozenset[int]
    """players who mucked"""


_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@attrs.frozen
class HandHistory:
    """One hand as somebody wrote it down; `replay` says whether the rules agree.

    Players are in the order of their turns on the later streets: the first sits left of the
    button, the last has it (heads-up: is the small blind). Sequences are by player, amounts in
    chips. `scale` chips are one unit of what the record counts in (100 for cents of a dollar).
    `fields` holds what else was said, under the names of the Poker Hand History standard (`hand`,
    `table`, `year`, `currency`, ...).
    """

    game: Game
    stacks: tuple[int, ...]
    """before anything is posted"""
    blinds: tuple[int, ...]
    """blinds and straddles; a negative amount is a newcomer's, which leaves the order of play alone"""
    min_bet: int
    """the smallest bet; in fixed-limit games the bet of the first two streets"""
    steps: tuple[Step, ...]
    antes: tuple[int, ...] = ()
    """empty for none"""
    trimmed_antes: bool = False
    """whether who is all-in for less than the ante can win only as much of each other ante"""
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

    @property
    def size(self) -> int:
        """How many players were dealt in."""
        return len(self.stacks)

    @property
    def variant(self) -> str:
        """The code of the game in the Poker Hand History standard: `NT`, `FT`, `PO` or `NS`."""
        return _CODES[self.game.name]

    @property
    def hand_id(self) -> str:
        """The number or name of the hand; empty when none was recorded."""
        return str(self.fields.get("hand", ""))

    @property
    def turns(self) -> Iterator[Turn]:
        """The actions, in order."""
        return (step for step in self.steps if type(step) is Turn)

    @property
    def board(self) -> tuple[Card, ...]:
        """The board as far as it was dealt."""
        return self.told_cards().board

    @property
    def holes(self) -> tuple[tuple[Card, ...], ...]:
        """Hole cards by player, as dealt or as shown; `UNKNOWN` for cards nobody named."""
        return self.told_cards().holes

    def told_cards(self) -> ToldCards:
        """All cards of the hand, looked up in one pass over the steps."""
        holes: list[tuple[Card, ...]] = [()] * len(self.stacks)
        board: tuple[Card, ...] = ()
        shows: list[Showed] = []
        for step in self.steps:
            kind = type(step)
            if kind is Turn or kind is Comment:
                continue
            if type(step) is Dealt:
                holes[step.player] += step.cards
            elif type(step) is BoardDealt:
                board += step.cards
            elif type(step) is Showed:
                shows.append(step)
        for show in shows:
            dealt = holes[show.player]
            if show.cards and (not dealt or UNKNOWN in dealt):
                holes[show.player] = _merged(dealt, show.cards)
        if () in holes:
            blank = (UNKNOWN,) * self.game.hole_cards
            holes = [hole or blank for hole in holes]
        mucked = frozenset([show.player for show in shows if not show.cards])
        return ToldCards(tuple(holes), board, mucked)

    def name(self, player: int) -> str:
        """What the record calls a player; `p1` for the first when it has no names."""
        return (self.players[player] if self.players else "") or f"p{player + 1}"


def _merged(dealt: tuple[Card, ...], shown: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards shown name those dealt unknown; what was known stays."""
    if UNKNOWN not in shown or not dealt:
        return shown
    return dealt if sum(card is UNKNOWN for card in dealt) <= shown.count(UNKNOWN) else shown
