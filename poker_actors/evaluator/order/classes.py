"""All classes of hands in order, the number of each (its strength), and the additive keys that find them.

A strength is ``scale << 16 | place << 12 | index``: `place` orders the categories, `index` the classes within one. The
standard scale is 0, so its strengths fit in 16 bits; other orders (short deck, lows, badugi) have their own scale, so
that a strength always tells its order. Lows and badugis have no place: they are ``scale << 16 | index``, the best last.
Only an empty hand has strength 0, which otherwise stands for a hand that does not qualify.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import cache
from typing import Final

from poker_actors.cards import CARDS, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.order.listing import (
    HandClass,
    badugi_classes,
    few_card_classes,
    high_classes,
    low_classes,
    pair_or_high_classes,
    straight_top,
    three_card_classes,
)

__all__ = [
    "ACE_TO_FIVE",
    "BADUGI",
    "BADUGI_ACE_HIGH",
    "DEUCE_TO_SEVEN",
    "FIVE_SUITED",
    "FOUR_CARD_LOW",
    "JOKER",
    "KEYS",
    "OLD_SHORT_RANKED",
    "OLD_SHORT_SUITED",
    "ONE_CARD",
    "RANKED",
    "RANKS_ONLY",
    "RANK_KEYS",
    "SHORT_DECK",
    "SHORT_DECK_OLD",
    "SHORT_RANKED",
    "SHORT_SUITED",
    "STANDARD",
    "SUITED",
    "SUITED_KEYS",
    "SUIT_BITS",
    "SUIT_MASKS",
    "SUIT_OVERFLOW",
    "THREE_CARD",
    "THREE_SUITED",
    "Category",
    "HandClass",
    "Ranked",
    "Suited",
    "best_of_ranks",
    "cactus_kev",
    "category",
    "class_of",
    "from_cactus_kev",
    "from_score",
    "lowest_rank",
    "scale_of",
    "score",
    "strengths",
]


# the number of a scale is part of each of its strengths
STANDARD: Final = 0
SHORT_DECK: Final = 1
ACE_TO_FIVE: Final = 2
DEUCE_TO_SEVEN: Final = 3
BADUGI: Final = 5
BADUGI_ACE_HIGH: Final = 6
THREE_CARD: Final = 7
ONE_CARD: Final = 8
"""One hole card: a pair with the board, or high card (Leduc, Kuhn)."""
FOUR_CARD_LOW: Final = 9
"""One to four open cards for a low: aces low, pairs bad, no straights or flushes."""
SHORT_DECK_OLD: Final = 10
_SCALES: Final = 11
"""One above the highest scale; 4 is not used."""
_LOWS: Final = (ACE_TO_FIVE, DEUCE_TO_SEVEN, FOUR_CARD_LOW, BADUGI, BADUGI_ACE_HIGH)
_BADUGIS: Final = (BADUGI, BADUGI_ACE_HIGH)
_ACE_HIGH: Final = (DEUCE_TO_SEVEN, BADUGI_ACE_HIGH)


class Category(IntEnum):
    """The kind of hand; with 52 cards a higher number beats a lower one."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8

    @property
    def text(self) -> str:
        """Return the name as players write it: `Two Pair`."""
        return self.name.replace("_", " ").title().replace(" Of A ", " of a ")


_CATEGORIES: Final = tuple(Category)
_SHORT_DECK_PLACES: Final = {Category.FLUSH: 6, Category.FULL_HOUSE: 5}
_PLACES: Final[dict[int, dict[Category, int]]] = {
    SHORT_DECK: _SHORT_DECK_PLACES,
    SHORT_DECK_OLD: {**_SHORT_DECK_PLACES, Category.THREE_OF_A_KIND: 4, Category.STRAIGHT: 3},
    THREE_CARD: {Category.THREE_OF_A_KIND: 5, Category.FLUSH: 3},
}
"""Places that differ from the category's number, by scale."""


@cache
def strengths(scale: int = STANDARD) -> Mapping[HandClass, int]:
    """Return the strength of every class of a scale, the weakest first."""
    classes = list(_classes(scale))
    if scale in _LOWS:
        ordered = sorted(classes, key=lambda made: _low_order(made, scale), reverse=True)
        return {made: scale << 16 | index for index, made in enumerate(ordered)}
    table: dict[HandClass, int] = {}
    index = last = -1
    for made in sorted(classes):
        index = index + 1 if made[0] == last else 0
        last = made[0]
        table[made] = scale << 16 | _PLACES.get(scale, {}).get(Category(last), last) << 12 | index
    return table


def _classes(scale: int) -> Iterator[HandClass]:
    match scale:
        case 0:
            return high_classes()
        case 1 | 10:
            return high_classes(lowest_rank(scale))
        case 2 | 3:
            return low_classes(scale)
        case 5 | 6:
            return badugi_classes(ace_high=scale == BADUGI_ACE_HIGH)
        case 7:
            return three_card_classes()
        case 8:
            return pair_or_high_classes()
        case 9:
            return few_card_classes()
        case _:
            return iter(())


def lowest_rank(scale: int) -> int:
    """Return the lowest rank of a scale's deck: the six of the short deck, else the deuce."""
    return 4 if scale in (SHORT_DECK, SHORT_DECK_OLD) else 0


@cache
def _inverse(scale: int) -> dict[int, HandClass]:
    return {strength: made for made, strength in strengths(scale).items()}


def class_of(strength: int) -> HandClass:
    """Return the class of a strength; raises `BadSpec` for a number that is not a strength."""
    made = _inverse(strength >> 16).get(strength) if 0 <= strength < _SCALES << 16 else None
    if made is None:
        raise BadSpec(f"{strength} is not the strength of any hand")
    return made


def scale_of(strength: int) -> int:
    """Return the scale of a strength, such as `STANDARD`, `SHORT_DECK` or `BADUGI`."""
    return strength >> 16


def category(strength: int) -> Category:
    """Return the kind of hand of a strength.

    Raises `BadSpec` for a number that is not a strength, and for badugis, which have no kind.
    """
    kind = class_of(strength)[0]
    if scale_of(strength) in _BADUGIS:
        raise BadSpec(f"strength {strength} is a badugi: it has no category")
    return _CATEGORIES[kind]


def _low_order(made: HandClass, scale: int) -> HandClass:
    """Return the sort key of a low, the best first; badugis of more cards come before those of fewer."""
    first = -made[0] if scale in _BADUGIS else made[0]
    if scale in _ACE_HIGH:
        return (first, *made[1:])
    return (first, *[(rank + 1) % 13 for rank in made[1:]])


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
