"""The decks of a seed, compiled: card for card what `SeedTree.deck` gives.

A deck is one BLAKE2b hash of 512 bits read as remainders. Dividing it card by card would cost more than
the hash; cards are grouped so that the product of their remainders is below 2**58, and the hash is
divided once a group, by a multiplication with the group's reciprocal (Moller and Granlund, 2011).
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.words import as_bytes, bytes_at, compiled, high_product, words_at

__all__ = ["PLAIN_DIGEST", "SCRATCH_WORDS", "deal", "deck_groups", "hash_block", "write_number"]

_WORD = np.uint64
_U0, _U1 = _WORD(0), _WORD(1)
_WIDTH: Final = _WORD(64)
PACK: Final = 52
SCRATCH_WORDS: Final = 16 + 8 + 8
"""Of 64 bits: a message, a hash, a pack."""

_IV: Final = (
    0x6A09E667F3BCC908,
    0xBB67AE8584CAA73B,
    0x3C6EF372FE94F82B,
    0xA54FF53A5F1D36F1,
    0x510E527FADE682D1,
    0x9B05688C2B3E6C1F,
    0x1F83D9ABFB41BD6B,
    0x5BE0CD19137E2179,
)
_SIGMA: Final = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    np.uint64,
).reshape(-1)
"""RFC 7693: which words of the message each of twelve rounds mixes in."""

_IV_0, _IV_1, _IV_2, _IV_3, _IV_4, _IV_5, _IV_6, _IV_7 = map(_WORD, _IV)
_R32, _R24, _R16, _R63 = _WORD(32), _WORD(24), _WORD(16), _WORD(63)
_L32, _L24, _L16, _L63 = _WORD(32), _WORD(40), _WORD(48), _WORD(1)
_STEP: Final = _WORD(16)
_ALL: Final = _WORD(192)

_DECK_0: Final = _IV_0 ^ _WORD(0x01010000 | 64)
_PERSON: Final = b"poker deck".ljust(16, b"\0")
_DECK_6: Final = _IV_6 ^ _WORD(int.from_bytes(_PERSON[:8], "little"))
_DECK_7: Final = _IV_7 ^ _WORD(int.from_bytes(_PERSON[8:], "little"))
"""The state that hashing a deck begins with: 64 bytes of digest, no key, and what the hash is for."""

PLAIN_DIGEST: Final = (_IV_0 ^ _WORD(0x01010000 | 16), *map(_WORD, _IV[1:]))
"""The state that a hash of 16 bytes without a key begins with."""

_WORD_DECK: Final = _WORD(int.from_bytes(b"deck", "little"))
_KEY_BYTES: Final = 32
_NAME_BYTES: Final = 4
_GROUP_BELOW: Final = 1 << 58
_INVERSE: Final = np.array([0, 0] + [(1 << 64) // below + 1 for below in range(2, PACK + 1)], np.uint64)
"""Times one of these, the upper half of the product is what a number below 2**58 gives divided."""


@compiled
def _mix(a, b, c, e, x, y):
    a = a + b + x
    e ^= a
    e = e >> _R32 | e << _L32
    c = c + e
    b ^= c
    b = b >> _R24 | b << _L24
    a = a + b + y
    e ^= a
    e = e >> _R16 | e << _L16
    c = c + e
    b ^= c
    b = b >> _R63 | b << _L63
    return a, b, c, e


@compiled
def hash_block(h, m, size, last):
    """Mix one block `m` of sixteen words into the state `h`; `size` bytes so far, all ones in `last` at the end."""
    v0, v1, v2, v3, v4, v5, v6, v7 = h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
    v8, v9, v10, v11, v12 = _IV_0, _IV_1, _IV_2, _IV_3, _IV_4 ^ size
    v13, v14, v15 = _IV_5, _IV_6 ^ last, _IV_7
    at = _U0
    while at < _ALL:
        v0, v4, v8, v12 = _mix(v0, v4, v8, v12, m[_SIGMA[at]], m[_SIGMA[at + _U1]])
        v1, v5, v9, v13 = _mix(v1, v5, v9, v13, m[_SIGMA[at + _WORD(2)]], m[_SIGMA[at + _WORD(3)]])
        v2, v6, v10, v14 = _mix(v2, v6, v10, v14, m[_SIGMA[at + _WORD(4)]], m[_SIGMA[at + _WORD(5)]])
        v3, v7, v11, v15 = _mix(v3, v7, v11, v15, m[_SIGMA[at + _WORD(6)]], m[_SIGMA[at + _WORD(7)]])
        v0, v5, v10, v15 = _mix(v0, v5, v10, v15, m[_SIGMA[at + _WORD(8)]], m[_SIGMA[at + _WORD(9)]])
        v1, v6, v11, v12 = _mix(v1, v6, v11, v12, m[_SIGMA[at + _WORD(10)]], m[_SIGMA[at + _WORD(11)]])
        v2, v7, v8, v13 = _mix(v2, v7, v8, v13, m[_SIGMA[at + _WORD(12)]], m[_SIGMA[at + _WORD(13)]])
        v3, v4, v9, v14 = _mix(v3, v4, v9, v14, m[_SIGMA[at + _WORD(14)]], m[_SIGMA[at + _WORD(15)]])
        at += _STEP
    h[0], h[1], h[2], h[3] = h[0] ^ v0 ^ v8, h[1] ^ v1 ^ v9, h[2] ^ v2 ^ v10, h[3] ^ v3 ^ v11
    h[4], h[5], h[6], h[7] = h[4] ^ v4 ^ v12, h[5] ^ v5 ^ v13, h[6] ^ v6 ^ v14, h[7] ^ v7 ^ v15


@compiled
def deal(d, t):
    """Deal the cards of the hand of a table from its key: two a seat, then the board."""
    at = d[row.SCRATCH]
    m, h, pack = words_at(at), words_at(at + 128), bytes_at(at + 192)
    size = _write_seed(m, bytes_at(at), t)
    h[0], h[1], h[2], h[3], h[4], h[5] = _DECK_0, _IV_1, _IV_2, _IV_3, _IV_4, _IV_5
    h[6], h[7] = _DECK_6, _DECK_7
    hash_block(h, m, _WORD(size), ~_U0)
    for card in range(PACK):
        pack[card] = card
    place = 0
    groups = d[row.GROUPS]
    for number in range(groups):
        group = row.GROUPS + 1 + row.GROUP * number
        outcome = _divide(h, _WORD(d[group + 1]), _WORD(d[group + 2]), _WORD(d[group + 3]))
        for _ in range(d[group]):
            below = PACK - place
            rest = high_product(outcome, _INVERSE[below])
            other = place + np.int64(outcome - rest * _WORD(below))
            outcome = rest
            card = pack[other]
            pack[other] = pack[place]
            pack[place] = card
            place += 1
    cards = as_bytes(t)
    for number in range(place):
        cards[8 * row.CARDS + number] = pack[number]


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
def _write_seed(m, text, t):
    """Write what a deck is seeded with: the key, `deck`, the number of the hand."""
    for word in range(4):
        m[word] = _WORD(t[row.KEY + word])
    m[4] = _WORD_DECK
    for word in range(5, 16):
        m[word] = _U0
    return write_number(text, _KEY_BYTES + _NAME_BYTES, t[row.HAND])


@compiled
def _divide(h, divisor, reciprocal, shift):
    """Divide the number of eight words in place by a divisor, moved left to its top bit; give what remains."""
    back = _WIDTH - shift
    left = h[7] >> back
    for place in range(7, -1, -1):
        low = h[place] << shift
        if place:
            low |= h[place - 1] >> back
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


def deck_groups(cards: int) -> list[tuple[int, int, int, int]]:
    """Group `cards` draws: how many, the product of their remainders moved to the top bit, its reciprocal, the move."""
    groups = []
    below = PACK
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
