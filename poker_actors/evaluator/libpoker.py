"""The hand values and texts of the poker-eval library (`libpoker`), odd cases included.

A value is ``type << 24 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5``. Ranks count from 0, the deuce, and unused
places are 0; so hands of fewer than five cards print their missing ranks as 2.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, cast

from poker_actors.cards import RANKS, STANDARD_DECK, SUITS, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.fast import Engine, engine, engine_for
from poker_actors.evaluator.order import STANDARD, class_of, scale_of, strengths
from poker_actors.evaluator.order.classes import SUITED, best_of_ranks
from poker_actors.evaluator.single import MOST_CARDS, strength_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["evaluate", "evaluate_many", "from_strength", "handval"]

_TYPES: Final = (
    ("NoPair", 5),
    ("OnePair", 4),
    ("TwoPair", 3),
    ("Trips", 3),
    ("Straight", 1),
    ("Flush", 5),
    ("FlHouse", 2),
    ("Quads", 2),
    ("StFlush", 1),
)
"""Name and number of ranks in the text, by type, which equals our category."""
_PLACES: Final = (16, 12, 8, 4, 0)
_SUIT_ORDER: Final = [SUITS.index(suit) for suit in "scdh"]
"""Suits in the order in which the library looks for a flush; it stops at the first one found."""
_SECONDS_A_HAND: Final = 3e-6
"""Measured on one core; used only to choose an engine."""
_CARDS: Final[dict[object, int]] = {
    rank + suit: 4 * RANKS.index(upper) + SUITS.index(lower)
    for upper in RANKS
    for lower in SUITS
    for rank in (upper, upper.lower())
    for suit in (lower, lower.upper())
} | {card: int(card) for card in STANDARD_DECK}
"""Two letters in any case, a card, or its number -> its number."""


def evaluate(cards: str | Iterable[Card | str | int]) -> int:
    """Return the value of the best five of any number of cards (up to 52), as the library does.

    Texts are split at blanks only, and of each word only the first two letters are read, in any case: `Ah,Kd` is the
    ace alone, and so is `Ah`, a tab and `Kd`. A card given twice counts once. No cards, or a word that is not a card
    (`10h`, a joker), give 0, which is also the value of `2c`; `poker_actors.evaluator.evaluate` raises instead. Of ten
    or more cards with flushes in two suits, only the first of spades, clubs, diamonds and hearts counts.

    >>> evaluate("Ah 7c Jd As 7h")
    34363648
    """
    words: Iterable[Card | str | int] = _words(cards) if isinstance(cards, str) else cards
    hand: set[int] = set()
    for word in words:
        card = _CARDS.get(word[:2] if isinstance(word, str) else word)
        if card is None:
            return 0
        hand.add(card)
    if len(hand) <= MOST_CARDS:
        return _VALUES[strength_of([*hand])]
    return _VALUES[_strength_of_many(hand)]


def evaluate_many(hands: Any, *, using: Engine = "auto") -> npt.NDArray[np.uint32]:
    """Return the value of every hand, each as `evaluate` gives it.

    `hands` is an array of card numbers of shape (n, k), a sequence of texts, or a sequence of sequences of cards.
    Arrays, and texts of equally many cards separated by single blanks, are evaluated at once; other hands, and those of
    more than nine cards, one by one. The result is an array of n uint32 (without numpy an `array.array`).

    >>> evaluate_many(["Ah 7c Jd As 7h", "Ah Kd Qs Jc 10"]).tolist()
    [34363648, 0]
    """
    if engine(using) == "python":
        return cast("npt.NDArray[np.uint32]", array("I", map(evaluate, _rows(hands))))
    from poker_actors.evaluator.fast import dispatch

    rows = hands if hasattr(hands, "__len__") else list(hands)
    chosen = engine_for(using, lambda: _SECONDS_A_HAND * len(rows))
    read = dispatch.cards_of(rows, chosen) if chosen != "python" else None
    if read is None or read.shape[1] > MOST_CARDS:
        return dispatch.as_values([evaluate(hand) for hand in _rows(rows)])
    found = dispatch.values(read, dispatch.value_table(from_strength), chosen)
    for row in dispatch.unsure(found):
        found[row] = evaluate(read[row].tolist())
    return found


def _rows(hands: Any) -> Iterable[Any]:
    """Return hands one by one: texts unchanged, all others as lists of numbers."""
    return (hand if isinstance(hand, str) else [int(card) for card in hand] for hand in hands)


def _words(text: str) -> list[str]:
    """Split a text as the library does: it ends at a NUL, and only blanks separate words."""
    return [word for word in text.partition("\0")[0].split(" ") if word]


def _strength_of_many(hand: Iterable[int]) -> int:
    """Return the strength of more than nine cards, looking for a flush only in the suit that the library does."""
    masks = [0, 0, 0, 0]
    for card in hand:
        masks[card & 3] |= 1 << (card >> 2)
    by_rank = strengths()[best_of_ranks([sum(mask >> rank & 1 for mask in masks) for rank in range(13)])]
    flush = next((mask for suit in _SUIT_ORDER if (mask := masks[suit]).bit_count() >= 5), 0)
    return max(by_rank, SUITED[flush])


class _Values(dict[int, int]):
    """Strength -> value, computed when first asked for."""

    def __missing__(self, strength: int) -> int:
        self[strength] = value = from_strength(strength)
        return value


def from_strength(strength: int) -> int:
    """Return the value of a standard strength; raises `BadSpec` for other scales (short deck, lows)."""
    made = class_of(strength)
    if scale_of(strength) != STANDARD:
        raise BadSpec(f"strength {strength} is on a scale that libpoker does not have")
    return made[0] << 24 | sum(rank << place for rank, place in zip(made[1:], _PLACES, strict=False))


def handval(value: int) -> str:
    """Return the text of a value: `TwoPair (A 7 J)`.

    Raises `BadSpec` for a number that is not a value.

    >>> handval(34363648)
    'TwoPair (A 7 J)'
    """
    kind = value >> 24
    ranks = [value >> place & 15 for place in _PLACES]
    if not 0 <= kind < len(_TYPES) or value >> 20 & 15 or max(ranks) > 12:
        raise BadSpec(f"{value} is not a libpoker hand value")
    name, shown = _TYPES[kind]
    return f"{name} ({' '.join(RANKS[rank] for rank in ranks[:shown])})"


_VALUES: Final = _Values()
