"""Strength of the best five of one to nine cards, with jokers or without, and of open hands of fewer cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from poker_actors.cards import CARDS, STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.evaluator.order import FOUR_CARD_LOW, ONE_CARD, SHORT_DECK, THREE_CARD, HandClass, strengths
from poker_actors.evaluator.order.classes import (
    FIVE_SUITED,
    JOKER,
    KEYS,
    RANK_KEYS,
    RANKED,
    RANKS_ONLY,
    SHORT_RANKED,
    SHORT_SUITED,
    SUIT_BITS,
    SUIT_MASKS,
    SUIT_OVERFLOW,
    SUITED,
)

Holes = Sequence[tuple[Card, ...]]

_LOW_TIE: Final = {card: ((card >> 2) + 1) % 13 << 2 | card & 3 for card in STANDARD_DECK}.__getitem__
_ALONE: Final = {card: strengths(ONE_CARD)[0, card >> 2] for card in STANDARD_DECK}
_PAIRED: Final = {card: strengths(ONE_CARD)[1, card >> 2] for card in STANDARD_DECK}
_KINDS: Final = {(1,): 0, (2,): 1, (3,): 3, (4,): 7, (2, 2): 2, (3, 1): 3, (2, 1): 1, (2, 1, 1): 1}


def three_card_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Return the strength of each seat's three cards, its own and the board's, in the order of Rhode Island.

    From the best: straight flush, trips, straight, flush, pair, high card; A-2-3 is the lowest straight. The cards
    are not checked.
    """
    found = []
    for hole in holes:
        a, b, c = (*hole, *board)
        flush = a & 3 == b & 3 == c & 3
        found.append(_THREES[((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2) << 1 | flush])
    return found


def one_card_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Return the strength of each seat's one card: a pair with a board card, else its rank (Leduc, Kuhn).

    The cards are not checked.
    """
    if not board:
        return [_ALONE[card] for (card,) in holes]
    shared = {card >> 2 for card in board}
    return [(_PAIRED if card >> 2 in shared else _ALONE)[card] for (card,) in holes]


def open_strengths(hands: Sequence[Sequence[Card]], *, low: bool = False) -> list[int]:
    """Return the strengths of seats' open cards of stud, one to four each: pairs and ranks, no straights or flushes.

    All seats have the same number of cards, and the strongest opens. With `low` (razz) aces are low, pairs are bad, and
    the lowest hand has the highest strength. Whether ties are broken by `suit_tie`, by position or not at all is up to
    the game. The cards are not checked.
    """
    table, keys = _OPEN_LOWS if low else RANKED, RANK_KEYS
    # written out for two to four cards: a third faster than a general sum, and stud asks on four streets
    match len(hands[0]):
        case 2:
            return [table[keys[a] + keys[b]] for a, b in hands]
        case 3:
            return [table[keys[a] + keys[b] + keys[c]] for a, b, c in hands]
        case 4:
            return [table[keys[a] + keys[b] + keys[c] + keys[d]] for a, b, c, d in hands]
    return [table[sum([keys[card] for card in cards])] for cards in hands]


def suit_tie(cards: Sequence[Card], *, low: bool = False) -> int:
    """Return a number that breaks ties: the rank of the highest card, then its suit.

    Suits rank clubs, diamonds, hearts, spades, from the lowest. With `low` aces are low. On one card it also decides
    the bring-in: the lowest number where high hands win, the highest in razz.
    """
    return max(map(_LOW_TIE, cards)) if low else int(max(cards))


class _Threes(dict[int, int]):
    """``three ranks in base 13 << 1 | flush`` -> strength."""

    def __missing__(self, key: int) -> int:
        number = key >> 1
        ranks = sorted((number // 169, number // 13 % 13, number % 13), reverse=True)
        self[key] = strengths(THREE_CARD)[_three_class(ranks, flush=bool(key & 1))]
        return self[key]


def _three_class(ranks: list[int], *, flush: bool) -> HandClass:
    high, middle, last = ranks
    if high == last:
        return (3, high)
    if middle in (high, last):
        return (1, middle, last if high == middle else high)
    if high - last == 2:
        return (8 if flush else 4, high)
    if ranks == [12, 1, 0]:
        return (8 if flush else 4, 1)
    return (5 if flush else 0, *ranks)


class _OpenLows(dict[int, int]):
    """Sum of the rank keys of one to four cards -> strength of the open low."""

    def __missing__(self, key: int) -> int:
        counted = Counter({rank: key // 5**rank % 5 for rank in range(13) if key // 5**rank % 5})
        ranks = sorted(counted, key=lambda rank: (counted[rank], (rank + 1) % 13), reverse=True)
        shape = tuple(counted[rank] for rank in ranks)
        self[key] = strengths(FOUR_CARD_LOW)[(_KINDS.get(shape, 0), *ranks)]
        return self[key]


_THREES: Final = _Threes()
_OPEN_LOWS: Final = _OpenLows()


MOST_CARDS: Final = 9
"""Most cards of a hand: the fields of a key hold the sums of so many; see `order.keys`."""
_BEYOND: Final = [None] * 10_000
"""Padding of the lists of keys: None makes the sum raise `TypeError` for jokers (52, 53) and for negative numbers.

Negative indices count from the end: without the padding, -1 would be read as the ace of spades.
"""
_KEYS: Final[list[int]] = [KEYS[card] + (1 << 48 + card) for card in CARDS[:52]]
"""Keys with one more bit per card from bit 48, above the counters of suits: a card given twice carries, and fewer bits
than cards remain. So one sum both checks a hand and looks it up."""
_LAST_KEYS: Final[list[int]] = [key + FIVE_SUITED for key in _KEYS]
_KEYS.extend(_BEYOND)  # type: ignore[arg-type]  # None is there to raise TypeError
_LAST_KEYS.extend(_BEYOND)  # type: ignore[arg-type]  # as above
_SEVENS: Final[dict[int, int]] = {}
"""A copy of `RANKED` for seven cards: a plain dict is faster to look up than a subclass with `__missing__`.

It holds only hands without a flush, which ranks alone would not show. Threads may fill it at the same time, since all
write the same value for a key.
"""


def evaluate(cards: str | Iterable[Card | str | int]) -> int:
    """Return the strength of the best five of up to nine cards: higher is better, equal is a tie.

    Fewer than five cards are ranked in the same order by what they hold. A joker is the best card not already held, so
    five of a kind do not exist. Compare strengths with `<`, and name them with `category` and `describe`; the number
    has no other meaning.

    Raises `BadCard` for anything that is not a card, `DuplicateCard` for a card given twice or a third joker, and
    `BadSpec` for more than nine cards.

    >>> evaluate("AhAd7c7hJd") > evaluate("KhKd7c7hAd")
    True
    """
    # Seven natural cards, the common case, are written out: a loop and global names would cost half as much again.
    # 0x8888_0000_0000 is SUIT_OVERFLOW and 0xFFFF_FFFF is RANKS_ONLY; if `keys` moves its fields, change them along.
    # `_LAST_KEYS` adds FIVE_SUITED. Every fault raises one of the three errors, and `_evaluate_any` then names it.
    try:
        if len(cards) == 7:  # type: ignore[arg-type]  # an iterator has no length: TypeError
            a, b, c, d, e, f, g = cards  # type: ignore[str-unpack]  # letters index no list: TypeError
            t = _KEYS
            key = t[a] + t[b] + t[c] + t[d] + t[e] + t[f] + _LAST_KEYS[g]  # type: ignore[index]  # as above
            if (key >> 48).bit_count() == 7:
                if not key & 0x8888_0000_0000:
                    return _SEVENS[key & 0xFFFF_FFFF]
                bits = SUIT_MASKS[key & SUIT_OVERFLOW]  # final: no full house or quads with a flush
                return SUITED[sum([bits[card] for card in cards])]  # type: ignore[index,misc]  # as above
    except (TypeError, IndexError, KeyError):
        return _evaluate_any(cards)
    return _evaluate_any(cards)


def _evaluate_any(cards: str | Iterable[Card | str | int]) -> int:
    """Evaluate any hand: other than seven natural cards, faulty, or of seven ranks not yet in `_SEVENS`."""
    hand = parse_hand(cards)
    strength = strength_of(hand)
    key = sum([KEYS[card] for card in hand])
    if len(hand) == 7 and not (key + FIVE_SUITED) & SUIT_OVERFLOW and key & RANKS_ONLY < JOKER:
        _SEVENS[key & RANKS_ONLY] = strength
    return strength


def parse_hand(cards: str | Iterable[Card | str | int], most: int = MOST_CARDS) -> tuple[Card, ...]:
    """Parse a hand of at most `most` cards; raises as `parse_cards` does, and `BadSpec` for more."""
    hand = parse_cards(cards)
    if len(hand) > most:
        raise BadSpec(f"a hand of {len(hand)} cards is too long: at most {most} can be evaluated")
    return hand


def strength_of(hand: Sequence[int]) -> int:
    """Return the strength of up to nine different cards, unchecked."""
    key = 0
    for card in hand:
        key += KEYS[card]
    strength = RANKED[key & RANKS_ONLY]
    if (key + FIVE_SUITED) & SUIT_OVERFLOW:
        jokers = (key & RANKS_ONLY) // JOKER << 13
        for bits in SUIT_BITS:
            mask = jokers
            for card in hand:
                mask |= bits[card]
            strength = max(strength, SUITED[mask])
    return strength


def evaluate_short_deck(cards: str | Iterable[Card | str | int]) -> int:
    """Return the strength of up to nine cards from the six up, in the order of `short_deck_strengths`.

    Raises as `evaluate` does, and `BadSpec` for a joker or a card below six.
    """
    hand = parse_hand(cards)
    for card in hand:
        if not 4 <= card.rank < 13:
            raise BadSpec(f"{card} is not in the short deck of {len(CARDS[16:52])} cards")
    return short_strength_of(hand)


def short_strength_of(hand: Sequence[int]) -> int:
    """Return the short-deck strength of up to nine different cards of that deck, unchecked."""
    strength = SHORT_RANKED[sum([KEYS[card] for card in hand]) & RANKS_ONLY]
    for bits in SUIT_BITS:
        strength = max(strength, SHORT_SUITED[sum([bits[card] for card in hand])])
    assert strength >> 16 == SHORT_DECK
    return strength
