"""Open-face (pineapple) boards: rows, fouls, royalties, fantasy land, points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from attrs import frozen

from poker_actors.cards import STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.evaluator.order import Category, HandClass, class_of
from poker_actors.evaluator.single import strength_of

__all__ = [
    "OpenFaceBoard",
    "Row",
    "bottom_royalty",
    "middle_royalty",
    "points",
    "top_royalty",
]


_QUEEN: Final = 10
_SCOOP: Final = 3
"""Extra points for winning all three rows."""
_FOUL: Final = 3 + _SCOOP
"""Points that a fouled board pays to a legal one, before royalties: three rows and the scoop."""


@frozen
class Row:
    """The cards of a row as laid, its strength, and the cards that its jokers stand for."""

    cards: tuple[Card, ...]
    strength: int
    stands_for: tuple[Card, ...]


@frozen
class OpenFaceBoard:
    """Top (three cards), middle and bottom row (five each).

    A joker is the best card not on the board with which its row does not beat the row below; if there is none, the
    board is fouled.
    """

    top: Row
    middle: Row
    bottom: Row

    @classmethod
    def of(
        cls,
        top: str | Iterable[Card | str | int],
        middle: str | Iterable[Card | str | int],
        bottom: str | Iterable[Card | str | int],
    ) -> OpenFaceBoard:
        """Parse a finished board.

        Raises `BadCard`, `DuplicateCard` (across rows too) and `BadSpec` for a row of another length.

        >>> OpenFaceBoard.of("AsKsQs", "5h5s6h6sXn", "2c2d2h3c3d").royalties
        (0, 0, 6)
        """
        rows = [parse_cards(row) for row in (top, middle, bottom)]
        for name, row, size in zip(("top", "middle", "bottom"), rows, (3, 5, 5), strict=True):
            if len(row) != size:
                raise BadSpec(f"a {name} row of {len(row)} cards is not finished: it needs {size}")
        held = set(_different(rows))
        # from the bottom up: the strength of each row caps the jokers of the row above
        lowest = _row(rows[2], None, held)
        between = _row(rows[1], lowest.strength, held)
        return cls(_row(rows[0], between.strength, held), between, lowest)

    @property
    def fouled(self) -> bool:
        """Whether a row beats the row below it: the board then loses every row and earns nothing."""
        return self.top.strength > self.middle.strength or self.middle.strength > self.bottom.strength

    @property
    def royalties(self) -> tuple[int, int, int]:
        """Return the royalties of the top, middle and bottom row; all 0 if fouled."""
        if self.fouled:
            return (0, 0, 0)
        return (
            top_royalty(self.top.strength),
            middle_royalty(self.middle.strength),
            bottom_royalty(self.bottom.strength),
        )

    @property
    def reaches_fantasy_land(self) -> bool:
        """Whether the next hand is played in fantasy land: queens or better on top."""
        made = class_of(self.top.strength)
        trips = made[0] == Category.THREE_OF_A_KIND
        return not self.fouled and (trips or (made[0] == Category.PAIR and made[1] >= _QUEEN))

    @property
    def stays_in_fantasy_land(self) -> bool:
        """Whether a hand played in fantasy land earns another: trips on top, or quads or better at the bottom."""
        trips = class_of(self.top.strength)[0] == Category.THREE_OF_A_KIND
        quads = class_of(self.bottom.strength)[0] >= Category.FOUR_OF_A_KIND
        return not self.fouled and (trips or quads)


def points(mine: OpenFaceBoard, theirs: OpenFaceBoard) -> int:
    """Return the points that `mine` wins from `theirs`: one per row, three more for all rows, and royalties.

    A fouled board loses every row and has no royalties; two fouled boards cancel out.
    """
    if mine.fouled or theirs.fouled:
        return (theirs.fouled - mine.fouled) * _FOUL + sum(mine.royalties) - sum(theirs.royalties)
    rows = zip((mine.top, mine.middle, mine.bottom), (theirs.top, theirs.middle, theirs.bottom), strict=True)
    won = sum((a.strength > b.strength) - (a.strength < b.strength) for a, b in rows)
    scoop = _SCOOP * (won == 3) - _SCOOP * (won == -3)
    return won + scoop + sum(mine.royalties) - sum(theirs.royalties)


def _different(rows: Sequence[tuple[Card, ...]]) -> list[Card]:
    """Return all cards of the rows; a second `Xn` is the second joker, as in a single text.

    Raises `DuplicateCard` for cards repeated across rows.
    """
    laid = [str(card) if card.is_joker else card for row in rows for card in row]
    texts = ["Xn" if isinstance(card, str) else card for card in laid]
    try:
        return list(parse_cards(texts))
    except DuplicateCard as error:
        raise DuplicateCard(f"{error} on this board") from None


def _row(cards: tuple[Card, ...], cap: int | None, held: set[Card]) -> Row:
    """Return the row with its jokers as good as `cap` allows; the cards they stand for are added to `held`."""
    naturals = [card for card in cards if not card.is_joker]
    free = [card for card in reversed(STANDARD_DECK) if card not in held]
    choices = [
        (strength_of([*naturals, *chosen]), chosen)
        for chosen in combinations(free, len(cards) - len(naturals))
    ]
    allowed = [choice for choice in choices if cap is None or choice[0] <= cap] or choices
    strength, chosen = max(allowed)
    held.update(chosen)
    return Row(cards, strength, chosen)


_SIX: Final = 4
_ACE: Final = 12
_MIDDLE: Final = {
    Category.THREE_OF_A_KIND: 2,
    Category.STRAIGHT: 4,
    Category.FLUSH: 8,
    Category.FULL_HOUSE: 12,
    Category.FOUR_OF_A_KIND: 20,
    Category.STRAIGHT_FLUSH: 30,
}
_BOTTOM: Final = {
    Category.STRAIGHT: 2,
    Category.FLUSH: 4,
    Category.FULL_HOUSE: 6,
    Category.FOUR_OF_A_KIND: 10,
    Category.STRAIGHT_FLUSH: 15,
}
_MIDDLE_ROYAL: Final = 50
_BOTTOM_ROYAL: Final = 25


def top_royalty(strength: int) -> int:
    """Return the points of a three-card row: a pair of sixes 1 to aces 9, trip deuces 10 to aces 22."""
    made = class_of(strength)
    if made[0] == Category.THREE_OF_A_KIND:
        return 10 + made[1]
    if made[0] == Category.PAIR:
        return max(0, made[1] - _SIX + 1)
    return 0


def middle_royalty(strength: int) -> int:
    """Return the points of the middle row: trips 2 to a straight flush 30, a royal flush 50."""
    made = class_of(strength)
    return _MIDDLE_ROYAL if _royal(made) else _MIDDLE.get(Category(made[0]), 0)


def bottom_royalty(strength: int) -> int:
    """Return the points of the bottom row: a straight 2 to a straight flush 15, a royal flush 25."""
    made = class_of(strength)
    return _BOTTOM_ROYAL if _royal(made) else _BOTTOM.get(Category(made[0]), 0)


def _royal(made: HandClass) -> bool:
    return made == (Category.STRAIGHT_FLUSH, _ACE)
