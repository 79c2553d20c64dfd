"""A bot's own luck, compiled: draw for draw that of `random.Random` with the bot's seed in a hand.

That is the Mersenne Twister seeded by an array (Matsumoto and Nishimura, mt19937ar, 2002). Seeding costs far more than
a draw, so a place keeps the first `KEPT` numbers of a hand; most bots draw fewer, and most hands none at all.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.decks import IV, SCRATCH_WORDS, hash_block, write_number
from poker_actors.learn.compiled.row import KEPT, LUCK, NOT_SEEDED, bytes_at, compiled, high_product, words_at

_WORD = np.uint64
_U0, _U1 = _WORD(0), _WORD(1)
STATE: Final = row.STATE_WORDS
# the constants of MT19937
_SHIFT: Final = 397
_MASK: Final = _WORD(0xFFFFFFFF)
_UPPER, _LOWER = _WORD(0x80000000), _WORD(0x7FFFFFFF)
_MATRIX: Final = _WORD(0x9908B0DF)
_30, _32, _11, _7, _15, _18, _27, _31 = map(_WORD, (30, 32, 11, 7, 15, 18, 27, 31))
# splitmix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014)
_GOLDEN, _MIX_1, _MIX_2 = map(_WORD, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_B, _C = _WORD(0x9D2C5680), _WORD(0xEFC60000)
_FIRST, _SECOND = _WORD(1664525), _WORD(1566083941)
KEY_BYTES: Final = 32
BLOCK: Final = 128
"""Bytes of a BLAKE2b block."""
_KEYED: Final = (_WORD(IV[0] ^ 0x01010000 ^ KEY_BYTES << 8 ^ KEY_BYTES), *map(_WORD, IV[1:]))
"""Initial state of a keyed 32-byte hash (RFC 7693)."""


def _begun() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return the state from which seeding by an array starts: `init_genrand(19650218)` of mt19937ar."""
    state = [19650218]
    for place in range(1, STATE):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + place) & 0xFFFFFFFF)
    return np.array(state, np.uint64)


_BEGUN: Final = _begun()


@compiled
def _keyed_hash(h, m, text, prefix, number):
    """Replace the 32-byte key in `h` with its keyed hash of `prefix` (three letters, or 0 for none) and a number."""
    for word in range(4):
        m[word] = h[word]
    for word in range(4, 16):
        m[word] = _U0
    for word in range(8):
        h[word] = _KEYED[word]
    hash_block(h, m, _WORD(BLOCK), _U0)
    for word in range(16):
        m[word] = _U0
    m[0] = _WORD(prefix)
    size = write_number(text, 3 if prefix else 0, number)
    hash_block(h, m, _WORD(BLOCK + size), ~_U0)


BOT_PREFIX: Final = int.from_bytes(b"bot", "little")


@compiled
def seed_generator(d, t, bot):
    """Seed the generator for a bot in a table's hand, as `SeedTree.rng` does."""
    at = d[row.SCRATCH]
    m, h, state = words_at(at), words_at(at + 128), words_at(at + 8 * SCRATCH_WORDS)
    for word in range(4):
        h[word] = _WORD(t[row.KEY + word])
    _keyed_hash(h, m, bytes_at(at), BOT_PREFIX, bot)
    _keyed_hash(h, m, bytes_at(at), 0, t[row.HAND])
    for word in range(8):
        m[word] = h[word >> 1] >> _WORD(32 * (word & 1)) & _MASK
    # Random drops the leading zero words of its seed: keeping them would seed another state
    size = 8
    while size > 1 and m[size - 1] == _U0:
        size -= 1
    for place in range(STATE):
        state[place] = _BEGUN[place]
    _stir(state, m, size)


@compiled
def _stir(state, key, size):
    place, word = 1, 0
    before = state[0]
    for _ in range(STATE):
        before = ((state[place] ^ ((before ^ before >> _30) * _FIRST)) + key[word] + _WORD(word)) & _MASK
        state[place] = before
        place += 1
        word = word + 1 if word + 1 < size else 0
        if place == STATE:
            state[0] = before
            place = 1
    for _ in range(STATE - 1):
        before = ((state[place] ^ ((before ^ before >> _30) * _SECOND)) - _WORD(place)) & _MASK
        state[place] = before
        place += 1
        if place == STATE:
            state[0] = before
            place = 1
    state[0] = _UPPER


@compiled
def _twist(state, place):
    """Advance one word of the state and return it tempered."""
    after = place + 1 if place + 1 < STATE else 0
    far = place + _SHIFT if place + _SHIFT < STATE else place + _SHIFT - STATE
    mixed = state[place] & _UPPER | state[after] & _LOWER
    y = state[far] ^ mixed >> _U1
    if mixed & _U1:
        y ^= _MATRIX
    state[place] = y
    y ^= y >> _11
    y ^= y << _7 & _B
    y ^= y << _15 & _C
    return y ^ y >> _18


@compiled
def next_bits(d, drawn, bits):
    """Return the upper `bits` (1 to 32) of the word after the first `drawn` of the generator seeded last."""
    return np.int64(_twist(words_at(d[row.SCRATCH] + 8 * SCRATCH_WORDS), drawn % STATE) >> _WORD(32 - bits))


@compiled
def next_word(d):
    """Return the next 64 bits of the desk's own luck (splitmix64), for tables whose bots have none."""
    # the same word begins the generator of bots with luck of their own: a desk has one or the other
    state = words_at(d[row.SCRATCH] + 8 * SCRATCH_WORDS)
    state[0] += _GOLDEN
    z = state[0]
    z = (z ^ z >> _30) * _MIX_1
    z = (z ^ z >> _27) * _MIX_2
    return z ^ z >> _31


@compiled
def fraction(d):
    """Return a uniform float in [0, 1) from the desk's own luck."""
    return np.float64(next_word(d) >> _11) * (1.0 / 9007199254740992.0)


@compiled
def number_below(d, number):
    """Return a whole number in [0, number) from the desk's own luck (Lemire's multiplication, without rejection)."""
    return np.int64(high_product(next_word(d), _WORD(number)))


@compiled
def _draw(d, t, bot):
    """Return the next 32 bits of luck of the bot to act."""
    if d[row.LUCK_AT] == 0:
        return next_word(d) >> _32
    at = d[row.LUCK_AT] + LUCK * t[row.TURN]
    number = t[at]
    if number <= NOT_SEEDED:
        seed_generator(d, t, bot)
        state = words_at(d[row.SCRATCH] + 8 * SCRATCH_WORDS)
        for kept in range(KEPT):
            t[at + 1 + kept] = np.int64(_twist(state, kept))
        number = NOT_SEEDED - number  # how many draws were skipped before the first
    t[at] = number + 1
    if number < KEPT:
        return _WORD(t[at + 1 + number])
    # the generator is shared by the desk, and another place may have reseeded it since: replay the draws from the start
    seed_generator(d, t, bot)
    state = words_at(d[row.SCRATCH] + 8 * SCRATCH_WORDS)
    drawn = _U0
    for again in range(number + 1):
        drawn = _twist(state, again % STATE)
    return drawn


@compiled
def skip(d, t):
    """Skip one `random` of the place to act without seeding its generator; only for tables whose bots have luck."""
    at = d[row.LUCK_AT] + LUCK * t[row.TURN]
    # `random` takes two words; before seeding, skipped words count down from NOT_SEEDED
    t[at] += 2 if t[at] > NOT_SEEDED else -2


@compiled
def random(d, t, bot):
    """Return the value that `Random.random` would: 53 bits from two words of 32."""
    high = _draw(d, t, bot) >> _WORD(5)
    low = _draw(d, t, bot) >> _WORD(6)
    return (np.float64(high) * 67108864.0 + np.float64(low)) * (1.0 / 9007199254740992.0)


@compiled
def uniform(d, t, bot, low, high):
    """Return the value that `Random.uniform` would."""
    return low + (high - low) * random(d, t, bot)


@compiled
def choose(d, t, bot, number):
    """Return the index that `Random.choice` picks among `number`, at most 255."""
    bits = 0
    while number >> bits:
        bits += 1
    while True:
        index = np.int64(_draw(d, t, bot) >> _WORD(32 - bits))
        if index < number:
            return index
