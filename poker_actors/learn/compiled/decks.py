"""The decks of a seed, compiled: card for card those of `SeedTree.deck`.

A deck is one 512-bit BLAKE2b hash, from which the draws are taken as successive remainders. Eight hands are hashed at
once and kept in the row, which costs a seventh of hashing them one by one. Dividing 512 bits once per card would cost
more than the hash; so draws are grouped while the product of their divisors stays below 2**58, and the hash is
divided once per group, by multiplying with the reciprocal of that product (Moller and Granlund, Improved division by
invariant integers, 2011).
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.row import as_bytes, bytes_at, compiled, high_product, types, words_at

IV: Final = (
    0x6A09E667F3BCC908,
    0xBB67AE8584CAA73B,
    0x3C6EF372FE94F82B,
    0xA54FF53A5F1D36F1,
    0x510E527FADE682D1,
    0x9B05688C2B3E6C1F,
    0x1F83D9ABFB41BD6B,
    0x5BE0CD19137E2179,
)
_SIGMA: Final = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
"""The order in which each round mixes in the words of the message (RFC 7693, section 2.7)."""
_ROUNDS: Final = 12
_QUARTERS: Final = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)
LANES: Final = 8
SHORT_WORDS: Final = 7
"""Words of a short message; the rest of its block is zeros, whose additions are left out."""
_PERSON: Final = b"poker deck".ljust(16, b"\0")
DECK_STATE: Final = (
    IV[0] ^ 0x01010000 ^ 64,
    *IV[1:6],
    IV[6] ^ int.from_bytes(_PERSON[:8], "little"),
    IV[7] ^ int.from_bytes(_PERSON[8:], "little"),
)
"""Initial state of a deck's hash: 64-byte digest, no key, fanout and depth 1, and the personalization string."""

_I64: Final = ir.IntType(64)


class _Rounds:
    """Emits the rounds for words of one type; a `message` word that is None is zero."""

    def __init__(self, builder: ir.IRBuilder, kind: Any, message: list[Any]) -> None:
        self.builder = builder
        self.kind = kind
        self.message = message

    def number(self, value: int) -> Any:
        """Return a constant, the same in every lane."""
        lanes = getattr(self.kind, "count", 0)
        return ir.Constant(self.kind, [value] * lanes if lanes else value)

    def _turned(self, one: Any, other: Any, by: int) -> Any:
        builder = self.builder
        mixed = builder.xor(one, other)
        return builder.or_(builder.lshr(mixed, self.number(by)), builder.shl(mixed, self.number(64 - by)))

    def _added(self, one: Any, other: Any, word: Any) -> Any:
        both = self.builder.add(one, other)
        return both if word is None else self.builder.add(both, word)

    def mix(self, state: list[Any]) -> None:
        """Mix the message into sixteen words of state, in place."""
        for number in range(_ROUNDS):
            order = _SIGMA[number % len(_SIGMA)]
            for place, (a, b, c, e) in enumerate(_QUARTERS):
                for word, first, second in ((0, 32, 24), (1, 16, 63)):
                    message = self.message[order[2 * place + word]]
                    state[a] = self._added(state[a], state[b], message)
                    state[e] = self._turned(state[e], state[a], first)
                    state[c] = self.builder.add(state[c], state[e])
                    state[b] = self._turned(state[b], state[c], second)


def _load(builder: ir.IRBuilder, kind: Any, pointer: Any, place: int) -> Any:
    lanes = getattr(kind, "count", 1)
    at = builder.gep(pointer, [ir.Constant(_I64, place * lanes)])
    # without `align`, LLVM assumes 64-byte alignment for eight lanes, and the load faults: this memory has less
    return builder.load(builder.bitcast(at, kind.as_pointer()), align=8)


def _store(builder: ir.IRBuilder, kind: Any, value: Any, pointer: Any, place: int) -> None:
    lanes = getattr(kind, "count", 1)
    at = builder.gep(pointer, [ir.Constant(_I64, place * lanes)])
    builder.store(value, builder.bitcast(at, kind.as_pointer()), align=8)


def _finished(rounds: _Rounds, h: list[Any], size: Any, last: Any) -> list[Any]:
    """Return the state after a block."""
    builder = rounds.builder
    v = h + [rounds.number(value) for value in IV]
    v[12] = builder.xor(v[12], size)
    v[14] = builder.xor(v[14], last)
    rounds.mix(v)
    return [builder.xor(h[word], builder.xor(v[word], v[word + 8])) for word in range(8)]


def _apart(builder: ir.IRBuilder, name: str, arguments: Sequence[Any], write: Callable[..., None]) -> None:
    """Emit a call of the function `write` emits, defined once per module and never inlined.

    Twelve rounds are a few thousand instructions. Inlined into each caller, and into its callers in turn, they
    took most of the compile time.
    """
    function = builder.module.globals.get(name)
    if function is None:
        kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
        function = ir.Function(builder.module, kind, name)
        # modules that are linked together each define it: the linker keeps one
        function.linkage = "linkonce_odr"
        function.attributes.add("noinline")
        inside = ir.IRBuilder(function.append_basic_block())
        write(inside, *function.args)
        inside.ret_void()
    builder.call(function, arguments)


def _hash_block(typing_context: Any, h: Any, m: Any, size: Any, last: Any) -> Any:
    """Mix a block `m` of 16 words into the state `h`; `size` counts the bytes so far, `last` is all ones at the end."""
    words = types.CPointer(types.uint64)

    def write(builder: ir.IRBuilder, state: Any, message: Any, size: Any, last: Any) -> None:
        rounds = _Rounds(builder, _I64, [_load(builder, _I64, message, word) for word in range(16)])
        before = [_load(builder, _I64, state, word) for word in range(8)]
        for word, value in enumerate(_finished(rounds, before, size, last)):
            _store(builder, _I64, value, state, word)

    def generate(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        _apart(builder, "poker_actors_hash_block", arguments, write)
        return context.get_dummy_value()

    return types.void(words, words, types.uint64, types.uint64), generate


def _hash_lanes(typing_context: Any, h: Any, m: Any) -> Any:
    """Hash eight decks' messages: `m` holds their words, interleaved by lane, then their sizes; `h` gets the hashes."""
    words = types.CPointer(types.uint64)
    kind = ir.VectorType(_I64, LANES)

    def write(builder: ir.IRBuilder, state: Any, message: Any) -> None:
        loaded = [_load(builder, kind, message, word) for word in range(SHORT_WORDS + 1)]
        rounds = _Rounds(builder, kind, [*loaded[:SHORT_WORDS], *[None] * (16 - SHORT_WORDS)])
        before = [rounds.number(value) for value in DECK_STATE]
        size, last = loaded[SHORT_WORDS], rounds.number((1 << 64) - 1)
        for word, value in enumerate(_finished(rounds, before, size, last)):
            _store(builder, kind, value, state, word)

    def generate(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        _apart(builder, "poker_actors_hash_lanes", arguments, write)
        return context.get_dummy_value()

    return types.void(words, words), generate


hash_block: Final[Any] = intrinsic(_hash_block)
hash_lanes: Final[Any] = intrinsic(_hash_lanes)


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

    Algorithm 4 of Moller and Granlund (2011), word by word. The words are `LANES` apart. `shift` is how far
    the divisor was shifted left: the dividend is shifted as far, and the remainder back.
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
