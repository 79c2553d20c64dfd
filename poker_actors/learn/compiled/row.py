"""The layout of a table's row and of the desk, and the raw memory they lie in.

Both are int64. A row numbers seats by place: 0 is the first left of the button, the button is last. So the bits of a
mask of places are in the order of acting and of receiving odd chips. Each place has `PLACE` numbers of the row; cards
are bytes, in the order of the deck.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import types as _types
from numba.extending import intrinsic

from poker_actors.evaluator.fast.compiling import bit_count, compiled, lowest_bit

__all__ = [
    "as_bytes",
    "bytes_at",
    "compiled",
    "compiled_call",
    "count",
    "doubles_at",
    "floats_at",
    "halves_at",
    "high_product",
    "ints_at",
    "lowest",
    "quarters_at",
    "signed_at",
    "words_at",
]


types: Final[Any] = _types


def _pointer_to(kind: Any) -> Any:
    pointer = types.CPointer(kind)

    def typed(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(pointer))

        return pointer(types.int64), generate

    return intrinsic(typed)


ints_at: Final[Any] = _pointer_to(types.int64)
words_at: Final[Any] = _pointer_to(types.uint64)
quarters_at: Final[Any] = _pointer_to(types.uint32)
halves_at: Final[Any] = _pointer_to(types.uint16)
signed_at: Final[Any] = _pointer_to(types.int32)
bytes_at: Final[Any] = _pointer_to(types.uint8)
floats_at: Final[Any] = _pointer_to(types.float32)
doubles_at: Final[Any] = _pointer_to(types.float64)


def _as_bytes(typing_context: Any, pointer: Any) -> Any:
    """Return a pointer to int64 as a pointer to bytes."""
    kind = types.CPointer(types.uint8)

    def generate(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(kind))

    return kind(types.CPointer(types.int64)), generate


as_bytes: Final[Any] = intrinsic(_as_bytes)


def _high_product(typing_context: Any, one: Any, other: Any) -> Any:
    """Return the upper 64 bits of the product of two uint64: one instruction on 64-bit machines."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


high_product: Final[Any] = intrinsic(_high_product)


def compiled_call(function: Callable[..., Any]) -> Any:
    """Compile an entry point for Python. It releases the GIL, so no two threads may share a desk's scratch space."""
    return compiled(function, nogil=True)


@compiled
def count(mask):
    """Return the number of one bits of a mask, signed: numba makes int64 with uint64 a float."""
    return np.int64(bit_count(np.uint64(mask)))


@compiled
def lowest(mask):
    """Return the position of the lowest one bit of a nonzero mask."""
    return np.int64(lowest_bit(np.uint64(mask)))


(
    HAND,
    BUTTON,
    STREET,
    BET,
    INCREMENT,
    LEAST,
    RAISES,
    LIVE,
    CAN_BET,
    WAITING,
    TURN,
    POT,
    ENDED,
    LOGGED,
    MARKS,
    _MARK_1,
    _MARK_2,
    _MARK_3,
    MISSING,
    DEAD,
    DEAD_PLACE,
    KEY,
    _KEY_1,
    _KEY_2,
    _KEY_3,
    CARDS,
    _CARDS_1,
    _CARDS_2,
    _CARDS_3,
    MOVED,
    PAID,
    DECKS_FIRST,
    DECKS,
) = range(33)
"""Numbers of a row: the hand's number; the button's seat; the street; the bet to match; the increment and the total of
a full raise; the number of raises; masks of places live, able to bet, still to act; the place to act; the pot; how the
hand ended; the actions so far, and how many before each street; what short blinds lack; a big blind ante and its place;
the key of the decks; the cards; by how many seats the bots are rotated; the places that won part of a pot; the first of
eight hands dealt ahead, and their cards. The numbers of each place follow from `PLACES`, then their luck if they have
any; the log comes last, because its length varies. What a turn changes stands before `CARDS`, so that the trainer's
walk can save and restore it in one piece."""

DECK_WORDS: Final = 4
"""Words of a hand's cards: 32 bytes, hole cards by seat, then the board."""
PLACES: Final = DECKS + 8 * DECK_WORDS

STACK, FRONT, ANSWERED, START, ILLEGAL = range(5)
"""Numbers of a place: chips behind and in front, the last bet answered on this street, chips before the hand, illegal
actions in the hand."""
PLACE: Final = 5

FOLDED_OUT: Final = 1
SHOWDOWN: Final = 2
STREETS: Final = 4
NOT_YET: Final = -1
"""ANSWERED of a place that has not acted on this street: 0 would be a check."""
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = range(3)
GROUP: Final = 4
GROUPS_MOST: Final = 4
"""Numbers of a group of draws, and room for groups of a deck: 32 cards take at most three; see `deck_groups`."""
MOST_SEATS: Final = 10

(
    SEATS,
    SMALL,
    BIG,
    ANTE,
    BIG_ANTE,
    STRADDLE,
    MIN_BET,
    BETTING,
    CAP,
    SIZES,
    SIZES_AT,
    LOG_AT,
    LOG_SIZE,
    ROW_SIZE,
    STRENGTH_KEYS,
    STRENGTH_LOW,
    STRENGTHS,
    _OF_FIVE,
    _HIGH_OF_SIX,
    _OF_SIX,
    _HIGH_OF_SEVEN,
    _OF_SEVEN,
    FLUSHES,
    SCRATCH,
    SEEN,
    SEEN_SIZE,
    SEEN_LIVE,
    SEEN_HISTORY,
    SEEN_ROWS,
    ROWS,
    SEEN_AT,
    ACTIONS_AT,
    ASKED_AT,
    TURNS_AT,
    MASKS_AT,
    REWARDS_AT,
    OVER_AT,
    WRONG_AT,
    DEALT_AT,
    AUTORESET,
    FIRST,
    LAST,
    LEARNER,
    FINAL_AT,
    LUCK_AT,
    POLICIES_AT,
    RANKS_AT,
    DUPLICATE,
    SESSION,
    FIRST_STACKS,
    RECORD_AT,
    TOLD_AT,
    LINES_AT,
    EXPERT_AT,
    KNOWN_AT,
    CHANCE_AT,
    SAMPLED,
    LUCK_TOLD_AT,
    ASKED_OF_AT,
    LOGS_AT,
    HOLE,
    PACK,
    GROUPS,
) = range(63)
"""Numbers of a desk; names in `_AT` are addresses, but `LOG_AT` and `LUCK_AT` are offsets in a row. The seats; the
forced bets; the smallest bet; the betting structure; the most bets of a street; the number of raise sizes (0: actions
name totals) and their address; where the log begins, the entries it holds, the numbers of a row; the tables of
strengths; scratch space; the kind of observation (see `SEES_NOTHING`), its size, where its parts begin, the actions it
holds; the rows and the caller's arrays; what happens after a hand; the range of tables to play; the learner's seat, -1
for none, and its final observations; the luck in a row, 0 for none; the bots' policies, and the ranks of starting
hands; for a match: whether each deck is played in every seat, the hands of a session, the first stacks, a buffer for
the record, and the results; the experts' scratch space and their tables; scratch space for the
luck of hands (0: nobody asks for it), the ways of its sample, and where it is written; where
a turn is shown that a bot outside takes; where whole logs are kept (0: nowhere); hole cards of a seat, cards of the pack; the
groups of a deck, `GROUP` numbers each."""
STACKS: Final = GROUPS + 1 + GROUP * GROUPS_MOST
"""Chips before the hand, by seat."""
CLASSES_AT: Final = STACKS + MOST_SEATS
"""The arrays from which experts find the class of their cards."""
CLASSES: Final = 11
DESK: Final = CLASSES_AT + CLASSES

SEES_NOTHING, SEES_NUMBERS, SEES_LAYOUT = range(3)
NO_RESET, NEXT_STEP, SAME_STEP = range(3)
"""What happens when a hand is over: nothing until a reset; the next step deals; the next hand is dealt at once."""

POLICY: Final = 4
"""Numbers of a policy: its kind and its parameters; see `Policy`."""
CALLER, FOLDER, RANDOM, MANIAC, TIGHT, LOOSE, POT_ODDS, EXPERT, OUTSIDE = range(9)

KEPT: Final = 12
"""Words of luck kept per place; `random` takes two. A bot that draws more seeds its generator again for each."""
LUCK: Final = 1 + KEPT
"""Numbers of a place's luck: how many were drawn in the hand, and the first `KEPT` of them."""
NOT_SEEDED: Final = -1
"""Minus one for each number skipped so far: seeding can wait until a number is really drawn."""
STATE_WORDS: Final = 624
"""Words of the Mersenne Twister's state."""
