"""The compiled loops over arrays of hands, a census of all hands of seven cards among them.

All numbers are uint64: signed indices cost a test for negative ones, and numba makes mixed operations floats. Rare work
(flushes) is a separate function, because the kernel is slower with it inlined.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.fast.compiling import bit_count, compiled, lowest_bit
from poker_actors.evaluator.fast.tables import (
    BAD_SHIFT,
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    JOKER_SHIFT,
    LOW_BITS,
    NO_CARD_BIT,
    SUIT_OVERFLOW,
    SUIT_SHIFT,
)

# (kernels take arrays of several types; numba infers them, and the callers are typed)


_WORD = np.uint64
_ZERO: Final = _WORD(0)
_ONE: Final = _WORD(1)
_THREE: Final = _WORD(3)
_BAD: Final = _WORD(1 << BAD_SHIFT)
_FIVE_SUITED: Final = _WORD(FIVE_SUITED)
_SUIT_OVERFLOW: Final = _WORD(SUIT_OVERFLOW)
_SUIT_SHIFT: Final = _WORD(SUIT_SHIFT)
_HIGH_SHIFT: Final = _WORD(HIGH_SHIFT)
_HIGH_BITS: Final = _WORD(HIGH_BITS)
_LOW_BITS: Final = _WORD(LOW_BITS)
_JOKER_SHIFT: Final = _WORD(JOKER_SHIFT)
_STRIDE_SHIFT: Final = _WORD(14)
_MASK_SHIFT: Final = _WORD(13)
_MASK: Final = _WORD(0x1FFF)
_TWO: Final = _WORD(2)
_DECK: Final = _WORD(52)
_FIRST_OVERFLOW: Final = _WORD(SUIT_SHIFT + 3)


@compiled
def _flush(hands, row, suits, jokers, flushes, best):
    """Return the best flush of a hand in any suit whose overflow bit is set."""
    while suits:
        suit = (lowest_bit(suits) - _FIRST_OVERFLOW) >> _TWO
        suits &= suits - _ONE
        mask = _ZERO
        for column in range(hands.shape[1]):
            card = _WORD(hands[row, column])
            mask |= _WORD((card & _THREE) == suit) << (card >> _TWO)
        best = max(best, flushes[(mask & _MASK) | (jokers << _MASK_SHIFT)])
    return best


@compiled
def seven_kernel(hands, keys, place, start, ranked, flushes, out):
    """Fill `out` with the strengths of checked hands of seven: the constant width lets the compiler unroll the loop."""
    for index in range(hands.shape[0]):
        row = _WORD(index)
        key = _ZERO
        for column in range(7):
            key += keys[hands[row, column]]
        jokers = (key >> _JOKER_SHIFT) & _THREE
        line = (jokers << _STRIDE_SHIFT) | ((key >> _HIGH_SHIFT) & _HIGH_BITS)
        best = ranked[_WORD(start[line]) + _WORD(place[key & _LOW_BITS])]
        suits = (key + _FIVE_SUITED) & _SUIT_OVERFLOW
        if suits:
            best = _flush(hands, row, suits, jokers, flushes, best)
        out[row] = best


@compiled
def any_kernel(hands, keys, place, start, ranked, flushes, out):
    """Fill `out` with the strengths of checked hands of any width."""
    width = hands.shape[1]
    for index in range(hands.shape[0]):
        row = _WORD(index)
        key = _ZERO
        for column in range(width):
            key += keys[hands[row, column]]
        jokers = (key >> _JOKER_SHIFT) & _THREE
        line = (jokers << _STRIDE_SHIFT) | ((key >> _HIGH_SHIFT) & _HIGH_BITS)
        best = ranked[_WORD(start[line]) + _WORD(place[key & _LOW_BITS])]
        suits = (key + _FIVE_SUITED) & _SUIT_OVERFLOW
        if suits:
            best = _flush(hands, row, suits, jokers, flushes, best)
        out[row] = best


@compiled
def wrong_row(hands, first):
    """Return the first row from `first` on with an invalid or repeated card, or -1."""
    width = _WORD(hands.shape[1])
    for row in range(first, hands.shape[0]):
        seen = _ZERO
        for column in range(hands.shape[1]):
            card = _WORD(hands[row, column])
            if card >= _DECK + _TWO:
                return row
            seen |= _ONE << card
        if bit_count(seen) != width:
            return row
    return -1


SEVEN_BLOCK: Final = 28
"""Eight-byte words of a block of 32 hands of seven: blocks begin with a hand, so one pattern fits all."""
_EACH: Final = 0x0101010101010101
_LOW_SEVEN: Final = _WORD(0x7F * _EACH)
_TOP: Final = _WORD(0x80 * _EACH)
# Added to a byte, this sets its top bit from 54 on, the first invalid card. A byte of 128 or more may carry into the
# next byte, here and below; but it is a fault by itself, so no carry hides one.
_OVER: Final = _WORD((128 - 54) * _EACH)


def seven_pattern() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """Return, for each distance 1 to 6, the top bits of the bytes whose neighbour at it is in the same hand."""
    byte = np.arange(8 * SEVEN_BLOCK)
    same_hand = [(byte % 7 + distance < 7) * np.uint8(128) for distance in range(1, 7)]
    return np.array(same_hand, dtype=np.uint8).view(np.uint64)


@compiled
def wrong_seven(cards, next1, next2, next3, next4, next5, next6, pattern):
    """Return the first block of 32 hands of seven with a fault, or the number of blocks.

    Eight cards at once are compared with those one to six bytes further on: the same memory, viewed as words at another
    offset. A byte of ``x ^ y`` that is 0 leaves its top bit clear after adding ``0x7f``. Comparing card by card took
    three times as long.
    """
    blocks = cards.shape[0] // SEVEN_BLOCK
    for block in range(blocks):
        fault = _ZERO
        for word in range(SEVEN_BLOCK):
            here = block * SEVEN_BLOCK + word
            x = cards[here]
            fault |= ((x + _OVER) | x) & _TOP
            fault |= ~((x ^ next1[here]) + _LOW_SEVEN) & pattern[0, word]
            fault |= ~((x ^ next2[here]) + _LOW_SEVEN) & pattern[1, word]
            fault |= ~((x ^ next3[here]) + _LOW_SEVEN) & pattern[2, word]
            fault |= ~((x ^ next4[here]) + _LOW_SEVEN) & pattern[3, word]
            fault |= ~((x ^ next5[here]) + _LOW_SEVEN) & pattern[4, word]
            fault |= ~((x ^ next6[here]) + _LOW_SEVEN) & pattern[5, word]
        if fault:
            return block
    return blocks


@compiled
def _read_jokers(texts, row, ranks, suits, hands):
    """Read a hand with jokers or faults again; return whether it is valid."""
    taken = False
    for column in range(hands.shape[1]):
        rank = ranks[texts[row, 2 * column]]
        suit = suits[texts[row, 2 * column + 1]]
        if rank < 13 and suit < 4:
            continue
        if suit != 4 or rank < 13 or rank > 14:
            return False
        hands[row, column] = 53 if rank == 14 or taken else 52
        taken = taken or rank == 13
    return True


@compiled
def texts_kernel(texts, ranks, suits, hands):
    """Read texts without blanks, a row of letters each, into `hands`; return the first invalid row, or -1.

    `ranks` and `suits` map letters to numbers, 255 for none. A joker `Xn` (rank 13, suit 4) becomes 52, or 53 if the
    hand has 52 already; `Yn` (rank 14, suit 4) becomes 53.
    """
    for row in range(hands.shape[0]):
        plain = True
        for column in range(hands.shape[1]):
            rank = ranks[texts[row, 2 * column]]
            suit = suits[texts[row, 2 * column + 1]]
            plain = plain and rank < 13 and suit < 4
            hands[row, column] = 4 * rank + suit
        if not plain and not _read_jokers(texts, row, ranks, suits, hands):
            return row
    return -1


_NO_CARD: Final = _WORD(NO_CARD_BIT)
_SUIT: Final = _WORD(0x1FFF)
_UNSURE: Final = np.uint32(0xFFFF_FFFF)
_NO_NUMBER: Final = 255
_BLANK: Final = ord(" ")
_NEWLINE: Final = ord("\n")


@compiled
def words_kernel(letters, ranks, suits, hands):
    """Read letters of shape (n, cards, 3) into `hands`; the third is a blank, or a newline at the end.

    A word that is not a card becomes 255. Return whether all words have two letters.
    """
    last = hands.shape[1] - 1
    for row in range(hands.shape[0]):
        for column in range(hands.shape[1]):
            first, second, after = letters[row, column, 0], letters[row, column, 1], letters[row, column, 2]
            if first <= _BLANK or second <= _BLANK or after != (_NEWLINE if column == last else _BLANK):
                return False
            rank, suit = ranks[first], suits[second]
            hands[row, column] = 4 * rank + suit if rank < 13 and suit < 4 else _NO_NUMBER
    return True


@compiled
def value_kernel(hands, keys, bits, tables, out):
    """Fill `out` with values: 0 for a hand with an invalid card, all ones for one with a repeated card.

    `tables` are place, start and ranked for hands of this width, the flushes, and the value of each strength.
    """
    place, start, ranked, flushes, of_strength = tables
    width = _WORD(hands.shape[1])
    for row in range(hands.shape[0]):
        key = _ZERO
        seen = _ZERO
        for column in range(hands.shape[1]):
            card = _WORD(hands[row, column])
            key += keys[card]
            seen |= bits[card]
        if seen & _NO_CARD:
            out[row] = 0
            continue
        if bit_count(seen) != width:
            out[row] = _UNSURE
            continue
        best = ranked[_WORD(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[key & _LOW_BITS])]
        if (key + _FIVE_SUITED) & _SUIT_OVERFLOW:
            for suit in range(4):
                best = max(best, flushes[(seen >> _WORD(16 * suit)) & _SUIT])
        out[row] = of_strength[_WORD(best)]


_FOUR_SUITED: Final = _WORD(0x4444 << SUIT_SHIFT)


@compiled
def _last_cards(key, masks, card, keys, tables, flushes, counts):
    """Count six cards with four or more of a suit together with each higher seventh card."""
    place, start, ranked = tables
    for last in range(card + 1, 52):
        total = key + keys[last]
        best = ranked[_WORD(start[(total >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[total & _LOW_BITS])]
        if (total + _FIVE_SUITED) & _SUIT_OVERFLOW:
            held = masks | _ONE << _WORD(16 * (last & 3) + (last >> 2))
            for suit in range(4):
                best = max(best, flushes[(held >> _WORD(16 * suit)) & _WORD(0x1FFF)])
        counts[best] += 1


@compiled
def _last_ranks(key, card, rank_keys, tables, counts):
    """Count six cards with each higher seventh, where no flush is possible and all cards of a rank are alike."""
    place, start, ranked = tables
    rank = card >> 2
    alike = 3 - (card & 3)
    for last in range(rank, 13):
        if alike:
            total = key + rank_keys[last]
            line = _WORD(start[(total >> _HIGH_SHIFT) & _HIGH_BITS])
            counts[ranked[line + _WORD(place[total & _LOW_BITS])]] += alike
        alike = 4


@compiled
def seven_card_census(keys, rank_keys, tables, flushes, counts):
    """Add all 133,784,560 hands of seven cards to `counts`, an array indexed by strength.

    `tables` are place, start and ranked of the `HandTables` for seven cards.
    """
    for a in range(46):
        for b in range(a + 1, 47):
            for c in range(b + 1, 48):
                three = keys[a] + keys[b] + keys[c]
                for d in range(c + 1, 49):
                    for e in range(d + 1, 50):
                        five = three + keys[d] + keys[e]
                        for f in range(e + 1, 51):
                            six = five + keys[f]
                            if (six + _FOUR_SUITED) & _SUIT_OVERFLOW:
                                masks = _WORD(0)
                                for card in (a, b, c, d, e, f):
                                    masks |= _ONE << _WORD(16 * (card & 3) + (card >> 2))
                                _last_cards(six, masks, f, keys, tables, flushes, counts)
                            else:
                                _last_ranks(six, f, rank_keys, tables, counts)
