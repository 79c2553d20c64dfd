"""The decks of a seed, compiled: card for card those of `SeedTree.deck`.

A deck is one 512-bit BLAKE2b hash, from which the draws are taken as successive remainders. Eight hands are hashed at
once and kept in the row, which costs a seventh of hashing them one by one. Dividing 512 bits once per card would cost
more than the hash; so draws are grouped while the product of their divisors stays below 2**58, and the hash is
divided once per group, by multiplying with the reciprocal of that product (Moller and Granlund, Improved division by
invariant integers, 2011).
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.hashing import LANES, SHORT_WORDS, hash_lanes
from poker_actors.learn.compiled.words import as_bytes, bytes_at, compiled, high_product, words_at

__all__ = ["SCRATCH_WORDS", "deal", "deck_groups", "write_number"]

_WORD = np.uint64
_U0, _U1 = _WORD(0), _WORD(1)
_WIDTH: Final = _WORD(64)
_LARGEST: Final = 52
"""Cards in the largest pack."""
BLOCK_WORDS: Final = 8 * LANES
SCRATCH_WORDS: Final = 2 * BLOCK_WORDS + 16
"""64-bit words of scratch space: messages, hashes, a text and a pack."""
TEXT_AT: Final = 16 * BLOCK_WORDS
PACK_AT: Final = TEXT_AT + 64

_WORD_DECK: Final = _WORD(int.from_bytes(b"deck", "little"))
KEY_WORDS: Final = 4
_NAME_ENDS: Final = 36
"""Bytes of the key (32) and of `deck` (4); the hand number follows."""
_GROUP_BELOW: Final = 1 << 58
"""Bound on a group's product, below which `_INVERSE` divides exactly.

An inverse times its divisor n exceeds 2**64 by at most n <= 52. For x < 2**58 the product is then off by less than
2**64, so the quotient by less than 1 / n, and its floor is exact.
"""
_INVERSE: Final = np.array([0, 0] + [(1 << 64) // below + 1 for below in range(2, _LARGEST + 1)], np.uint64)
"""`_INVERSE[n]` is 2**64 / n rounded up: the upper half of its product with x < 2**58 is x // n."""


@compiled
def deal(d, t):
    """Deal a table's hand from its key: hole cards seat by seat, then the board."""
    number = t[row.HAND]
    lane = number % LANES
    if t[row.DECKS_FIRST] != number - lane:
        _shuffle_ahead(d, t, number - lane)
    for word in range(row.DECK_WORDS):
        t[row.CARDS + word] = t[row.DECKS + row.DECK_WORDS * lane + word]


@compiled
def _shuffle_ahead(d, t, first):
    """Shuffle the decks of eight hands from `first` on and keep the cards they deal."""
    at = d[row.SCRATCH]
    m, h, text = words_at(at), words_at(at + 8 * BLOCK_WORDS), words_at(at + TEXT_AT)
    for word in range(KEY_WORDS):
        for lane in range(LANES):
            m[word * LANES + lane] = _WORD(t[row.KEY + word])
    for lane in range(LANES):
        # cleared, because digits left by a longer number would be hashed too
        text[4], text[5], text[6] = _WORD_DECK, _U0, _U0
        size = write_number(bytes_at(at + TEXT_AT), _NAME_ENDS, first + lane)
        for word in range(KEY_WORDS, SHORT_WORDS):
            m[word * LANES + lane] = text[word]
        m[SHORT_WORDS * LANES + lane] = _WORD(size)
    hash_lanes(h, m)
    for lane in range(LANES):
        _shuffle(d, t, words_at(at + 8 * BLOCK_WORDS + 8 * lane), bytes_at(at + PACK_AT), lane)
    t[row.DECKS_FIRST] = first


@compiled
def _shuffle(d, t, h, pack, lane):
    size = d[row.PACK]
    for card in range(size):
        pack[card] = _LARGEST - size + card  # a short pack has only the highest ranks
    place = 0
    for number in range(d[row.GROUPS]):
        group = row.GROUPS + 1 + row.GROUP * number
        outcome = _divide(h, _WORD(d[group + 1]), _WORD(d[group + 2]), _WORD(d[group + 3]))
        for _ in range(d[group]):
            below = size - place
            rest = high_product(outcome, _INVERSE[below])
            other = place + np.int64(outcome - rest * _WORD(below))
            outcome = rest
            card = pack[other]
            pack[other] = pack[place]
            pack[place] = card
            place += 1
    cards = as_bytes(t)
    first = 8 * (row.DECKS + row.DECK_WORDS * lane)
    for number in range(place):
        cards[first + number] = pack[number]


@compiled
def write_number(text, at, number):
    """Write a non-negative number as decimal digits at `at`; return the index after the last digit."""
    size = 1
    rest = number // 10
    while rest:
        size += 1
        rest //= 10
    for place in range(at + size - 1, at - 1, -1):
        text[place] = 48 + number % 10
        number //= 10
    return at + size


@compiled
def _divide(h, divisor, reciprocal, shift):
    """Divide an eight-word number in place by a normalized divisor (top bit set); return the remainder.

    Algorithm 4 of Moller and Granlund (2011), word by word. The words are `LANES` apart. `shift` is how far the
    divisor was moved left: the dividend is moved along, and the remainder back.
    """
    back = _WIDTH - shift
    left = h[7 * LANES] >> back
    for place in range(7 * LANES, -1, -LANES):
        low = h[place] << shift
        if place:
            low |= h[place - LANES] >> back
        guess = high_product(reciprocal, left)
        part = reciprocal * left + low
        guess += left + _U1 + _WORD(part < low)
        rest = low - guess * divisor
        if rest > part:
            guess -= _U1
            rest += divisor
        if rest >= divisor:
            guess += _U1
            rest -= divisor
        h[place] = guess
        left = rest
    return left >> shift


def deck_groups(cards: int, pack: int) -> list[tuple[int, int, int, int]]:
    """Group `cards` draws from a pack of `pack` cards.

    Return for each group its number of draws, the product of their divisors shifted left to its top bit, the
    reciprocal of that, and the shift.
    """
    groups = []
    below = pack
    while cards:
        size, product = 0, 1
        while size < cards and product * below < _GROUP_BELOW:
            product *= below
            below -= 1
            size += 1
        shift = 64 - product.bit_length()
        divisor = product << shift
        groups.append((size, divisor, ((1 << 128) - 1) // divisor - (1 << 64), shift))
        cards -= size
    return groups
