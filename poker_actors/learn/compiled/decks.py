"""The decks of a seed, compiled: card for card what `SeedTree.deck` gives.

A deck is one BLAKE2b hash of 512 bits read as remainders. Eight hands are hashed at once and kept in the row, which
costs a seventh of hashing one by one. Dividing by each card's remainder would cost more than that; cards are grouped so that the product of
their remainders is below 2**58, and the hash is divided once a group, by a multiplication with the group's reciprocal
(Moller and Granlund, 2011).
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
"""Cards of the largest pack."""
BLOCK_WORDS: Final = 8 * LANES
SCRATCH_WORDS: Final = 2 * BLOCK_WORDS + 16
"""Of 64 bits: messages, hashes, a text and a pack."""
TEXT_AT: Final = 16 * BLOCK_WORDS
PACK_AT: Final = TEXT_AT + 64

_WORD_DECK: Final = _WORD(int.from_bytes(b"deck", "little"))
KEY_WORDS: Final = 4
_NAME_ENDS: Final = 36
"""Bytes of the key and of `deck`."""
_GROUP_BELOW: Final = 1 << 58
"""So that `_INVERSE` divides exactly: one of those times its divisor is at most 52 above 2**64, and 52 * 2**58 is below."""
_INVERSE: Final = np.array([0, 0] + [(1 << 64) // below + 1 for below in range(2, _LARGEST + 1)], np.uint64)
"""Times one of these, the upper half of the product is what a number below 2**58 gives divided."""


@compiled
def deal(d, t):
    """Deal the cards of the hand of a table from its key: those of each seat, then the board."""
    number = t[row.HAND]
    lane = number % LANES
    if t[row.DECKS_FIRST] != number - lane:
        _shuffle_ahead(d, t, number - lane)
    for word in range(row.DECK_WORDS):
        t[row.CARDS + word] = t[row.DECKS + row.DECK_WORDS * lane + word]


@compiled
def _shuffle_ahead(d, t, first):
    """Shuffle the decks of eight hands and keep what they deal."""
    at = d[row.SCRATCH]
    m, h, text = words_at(at), words_at(at + 8 * BLOCK_WORDS), words_at(at + TEXT_AT)
    for word in range(KEY_WORDS):
        for lane in range(LANES):
            m[word * LANES + lane] = _WORD(t[row.KEY + word])
    for lane in range(LANES):
        text[4], text[5], text[6] = _WORD_DECK, _U0, _U0  # no digits of another number behind a shorter one
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
        pack[card] = _LARGEST - size + card  # a short pack has the highest ranks
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
    """Write a number of 0 or more as decimal digits; give where they end."""
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
    """Divide a number of eight words, in place, by a divisor that is moved left to its top bit; give what remains.

    The words are one of each lane apart.
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
    """Group `cards` draws from so large a pack: how many, the product of their remainders moved to the top bit, its reciprocal, the move."""
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
