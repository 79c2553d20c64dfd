"""Additive keys: a hand is the sum of its cards' keys, and its strength one look-up.

A card's key is ``5**rank`` (a base-5 digit counts each rank; jokers are a fourteenth digit) plus one in its suit's
four-bit counter from bit 32. Hands of up to nine cards are sums of keys, so a board is summed once for all seats. The
sum of ranks is looked up in `RANKED`, the ranks of a suit with enough cards in `SUITED`; the better of both counts.
Nothing is built ahead, so programs start at once: an entry is computed when first asked for, and there are few (49,205
of seven cards), so full speed comes soon.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from poker_actors.cards import CARDS, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.order.classes import (
    SHORT_DECK,
    SHORT_DECK_OLD,
    STANDARD,
    Category,
    class_of,
    lowest_rank,
    scale_of,
    strengths,
)
from poker_actors.evaluator.order.listing import HandClass, straight_top

__all__ = [
    "FIVE_SUITED",
    "JOKER",
    "KEYS",
    "OLD_SHORT_RANKED",
    "OLD_SHORT_SUITED",
    "RANKED",
    "RANKS_ONLY",
    "RANK_KEYS",
    "SHORT_RANKED",
    "SHORT_SUITED",
    "SUITED",
    "SUITED_KEYS",
    "SUIT_BITS",
    "SUIT_MASKS",
    "SUIT_OVERFLOW",
    "THREE_SUITED",
    "Ranked",
    "Suited",
    "best_of_ranks",
    "cactus_kev",
    "from_cactus_kev",
    "from_score",
    "score",
]


# No digit or counter may carry into the next. A rank is held four times at most, so base 5 is enough. Two jokers and
# seven other cards stay below 3 * 5**13 < 2**32. Nine cards of a suit plus the 5 of THREE_SUITED are 14 < 16. More than
# ten cards of a suit, or a third joker, would need wider fields.
JOKER: Final = 5**13
RANKS_ONLY: Final = (1 << 32) - 1
SUIT_OVERFLOW: Final = 0x8888 << 32
"""The top bits of the four counters, set when a count plus a threshold below reaches 8."""
FIVE_SUITED: Final = 0x3333 << 32
"""3 for each suit: five cards of one then set its top bit, so one addition and one `&` test all four suits."""
THREE_SUITED: Final = 0x5555 << 32
"""5 for each suit, to find boards with three of one: without these, two hole cards cannot make a flush."""

_ALL_SUITS: Final = 0x1111 << 32


def _key(card: Card) -> int:
    if card.is_joker:  # a joker is of every suit
        return JOKER + _ALL_SUITS
    rank_key: int = 5**card.rank
    return rank_key + (1 << 32 + 4 * card.suit)


KEYS: Final[dict[int, int]] = {card: _key(card) for card in CARDS}
RANK_KEYS: Final[dict[int, int]] = {card: key & RANKS_ONLY for card, key in KEYS.items()}
SUIT_BITS: Final[tuple[dict[int, int], ...]] = tuple(
    {card: (1 << card.rank if card < 52 and card.suit == suit else 0) for card in CARDS} for suit in range(4)
)
"""By suit: card -> its bit in the 13-bit mask of ranks of that suit, 0 for other suits."""
SUIT_MASKS: Final[dict[int, dict[int, int]]] = {1 << 35 + 4 * suit: SUIT_BITS[suit] for suit in range(4)}
"""The same by the suit's overflow bit."""
SUITED_KEYS: Final[dict[int, dict[int, int]]] = {
    overflow: {card: RANK_KEYS[card] + (bits[card] << 32) for card in CARDS[:52]}
    for overflow, bits in SUIT_MASKS.items()
}
"""By the suit's overflow bit: card -> rank key, with the card's bit in the suit's mask from bit 32."""


def best_of_ranks(counts: list[int], scale: int = 0) -> HandClass:
    """Return the best class, ignoring suits, of 13 counts of ranks from the deuce up."""
    held = [rank for rank in range(12, -1, -1) if counts[rank]]
    pairs = [rank for rank in held if counts[rank] >= 2]
    trips = [rank for rank in pairs if counts[rank] >= 3]
    quads = [rank for rank in trips if counts[rank] == 4]
    if quads:
        return (Category.FOUR_OF_A_KIND, quads[0], *_kickers(held, quads[:1], 1))
    if trips and len(pairs) > 1:
        return (Category.FULL_HOUSE, trips[0], *_kickers(pairs, trips[:1], 1))
    top = straight_top(sum(1 << rank for rank in held), lowest_rank(scale))
    if top >= 0 and not (trips and scale == SHORT_DECK_OLD):
        return (Category.STRAIGHT, top)
    if trips:
        return (Category.THREE_OF_A_KIND, trips[0], *_kickers(held, trips[:1], 2))
    if len(pairs) > 1:
        return (Category.TWO_PAIR, *pairs[:2], *_kickers(held, pairs[:2], 1))
    if pairs:
        return (Category.PAIR, pairs[0], *_kickers(held, pairs[:1], 3))
    return (Category.HIGH_CARD, *held[:5])


def _kickers(held: list[int], used: list[int], count: int) -> list[int]:
    return [rank for rank in held if rank not in used][:count]


class Ranked(dict[int, int]):
    """Sum of rank keys -> strength ignoring flushes; computed when first asked for."""

    def __init__(self, scale: int = 0) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, key: int) -> int:
        counts = [key // 5**rank % 5 for rank in range(13)]
        if key >= JOKER:
            rest = key - JOKER
            strength = max(self[rest + 5**rank] for rank in range(13) if counts[rank] < 4)
        else:
            strength = strengths(self.scale)[best_of_ranks(counts, self.scale)]
        self[key] = strength
        return strength


class Suited(dict[int, int]):
    """``jokers << 13 | mask of ranks of one suit`` -> strength of the best flush, 0 if there is none."""

    def __init__(self, scale: int = 0) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, key: int) -> int:
        jokers, mask = key >> 13, key & 0x1FFF
        if jokers:
            fewer = jokers - 1 << 13 | mask
            strength = max((self[fewer | 1 << rank] for rank in range(13) if not mask >> rank & 1), default=0)
        elif mask.bit_count() < 5:
            strength = 0
        else:
            strength = strengths(self.scale)[self._best(mask)]
        self[key] = strength
        return strength

    def _best(self, mask: int) -> HandClass:
        top = straight_top(mask, lowest_rank(self.scale))
        if top >= 0:
            return (Category.STRAIGHT_FLUSH, top)
        return (Category.FLUSH, *[rank for rank in range(12, -1, -1) if mask >> rank & 1][:5])


RANKED: Final = Ranked()
SUITED: Final = Suited()
SHORT_RANKED: Final = Ranked(SHORT_DECK)
SHORT_SUITED: Final = Suited(SHORT_DECK)
OLD_SHORT_RANKED: Final = Ranked(SHORT_DECK_OLD)
OLD_SHORT_SUITED: Final = Suited(SHORT_DECK_OLD)


CLASSES: Final = 7462
_FULL_LENGTH: Final = (5, 4, 3, 3, 1, 5, 2, 2, 1)
"""Number of ranks in a class of five cards, by category."""


def score(strength: int) -> int:
    """Return the rank of a five-card strength from 0, the royal flush, to 7461, seven high.

    Raises `BadSpec` for a strength of fewer than five cards or of another scale.
    """
    made = class_of(strength)
    if scale_of(strength) != STANDARD or not _complete(made):
        raise BadSpec(f"strength {strength} has no rank among the {CLASSES} of five cards")
    return _scores()[strength]


def from_score(number: int) -> int:
    """Return the strength whose `score` is `number` (0 to 7461, 0 best); raises `BadSpec` outside that range."""
    if not 0 <= number < CLASSES:
        raise BadSpec(f"score {number} is outside 0 to {CLASSES - 1}")
    return _ordered()[number]


def cactus_kev(strength: int) -> int:
    """Return the rank in Cactus Kev's evaluator: 1, the royal flush, to 7462; raises as `score` does."""
    return score(strength) + 1


def from_cactus_kev(number: int) -> int:
    """Return the strength whose `cactus_kev` rank is `number` (1 to 7462, 1 best); raises `BadSpec` for others."""
    if not 1 <= number <= CLASSES:
        raise BadSpec(f"rank {number} is outside 1 to {CLASSES}")
    return from_score(number - 1)


@cache
def _ordered() -> tuple[int, ...]:
    return tuple(sorted((value for made, value in strengths().items() if _complete(made)), reverse=True))


@cache
def _scores() -> dict[int, int]:
    return {strength: number for number, strength in enumerate(_ordered())}


def _complete(made: HandClass) -> bool:
    return len(made) - 1 == _FULL_LENGTH[made[0]]
