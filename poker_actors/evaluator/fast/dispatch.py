"""Convert hands to arrays of card numbers and pass them to an engine's loops."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from poker_actors.cards import RANKS, SUITS
from poker_actors.errors import BadCard, BadSpec
from poker_actors.evaluator.fast import arrays
from poker_actors.evaluator.fast.tables import (
    CARD_WORDS,
    SUITED_BITS,
    HandTables,
    flush_table,
    hand_tables,
    omaha_tables,
)
from poker_actors.evaluator.order import SHORT_DECK, STANDARD, strengths
from poker_actors.evaluator.showdown import omaha_strengths
from poker_actors.evaluator.single import short_strength_of, strength_of

Cards = npt.NDArray[np.uint8]
_NO_LETTER: Final = 255
_NEWLINE: Final = ord("\n")
_BLOCK: Final = 32
"""Hands of seven in a block of the compiled check for repeated cards."""


def as_array(values: array[int]) -> npt.NDArray[Any]:
    """Return an `array.array` as a numpy array of the same numbers."""
    return np.array(values, dtype=values.typecode)


def read_hands(hands: Any, engine: str) -> Cards | None:
    """Return hands as a uint8 array of shape (n, k), or None if they must be read one by one.

    That is the case for texts with blanks or faults, and for hands of different lengths. Raises `BadSpec` for arrays of
    another shape or type, `BadCard` for numbers outside 0 to 53.
    """
    if isinstance(hands, np.ndarray):
        return _as_cards(hands)
    rows = hands if isinstance(hands, Sequence) else list(hands)
    if rows and isinstance(rows[0], str):
        return _read_texts(rows, engine)
    try:
        return _as_cards(np.array(rows))
    except (ValueError, TypeError):  # hands of different lengths make no array
        return None


def _as_cards(numbers: npt.NDArray[Any]) -> Cards:
    if numbers.size == 0 and numbers.ndim == 1:
        return np.empty((0, 0), dtype=np.uint8)
    if numbers.ndim != 2 or numbers.dtype.kind not in "ui":
        raise BadSpec(
            f"an array of shape {numbers.shape} and type {numbers.dtype} is not an array of hands: "
            "it must have a row of card numbers for each hand"
        )
    if numbers.dtype != np.uint8:
        wrong = (numbers < 0) | (numbers > 53)
        if wrong.any():
            row = int(np.argmax(wrong.any(axis=1)))
            number = int(numbers[row][wrong[row]][0])
            raise BadCard(f"hand {row}: {number} is not a card: a card number is 0 to 53")
    return np.ascontiguousarray(numbers, dtype=np.uint8)


def _read_texts(texts: Sequence[str], engine: str) -> Cards | None:
    """Read texts without blanks, all of one length, in one pass over their joined letters; None for any other texts.

    Joining with newlines shows whether all have the same length: each row must end in one.
    """
    width = len(texts[0])
    joined = "\n".join([*texts, ""]).encode("ascii", "replace")
    if width == 0 or width % 2 or len(joined) != len(texts) * (width + 1):
        return None
    letters = np.frombuffer(joined, dtype=np.uint8).reshape(len(texts), width + 1)
    if (letters[:, -1] != _NEWLINE).any():
        return None
    ranks, suits = _letters()
    hands = np.empty((len(texts), width // 2), dtype=np.uint8)
    if engine == "numba":
        from poker_actors.evaluator.fast.kernels import texts_kernel

        return hands if texts_kernel(letters, ranks, suits, hands) < 0 else None
    rank, suit = ranks[letters[:, 0:-1:2]], suits[letters[:, 1::2]]
    jokers = (rank == 13) & (suit == 4)
    second = jokers & (np.cumsum(jokers, axis=1) > 1)
    natural = (rank < 13) & (suit < 4)
    big = (rank == 14) & (suit == 4)
    if not (natural | jokers | big).all():
        return None
    hands[:] = np.where(natural, 4 * rank + suit, np.where(second | big, 53, 52))
    return hands


@cache
def _letters() -> tuple[Cards, Cards]:
    """Return tables from letter to rank and to suit, 255 for none; jokers are suit 4, `Xn` of rank 13, `Yn` of 14."""
    ranks = np.full(256, _NO_LETTER, dtype=np.uint8)
    suits = np.full(256, _NO_LETTER, dtype=np.uint8)
    for number, letter in enumerate(RANKS + "XY"):
        ranks[ord(letter)] = number
    for number, letter in enumerate(SUITS + "n"):
        suits[ord(letter)] = number
    return ranks, suits


def evaluated(hands: Cards, engine: str, scale: int, *, checked: bool) -> tuple[npt.NDArray[Any], int]:
    """Return the strengths of hands, and the first faulty row or -1."""
    fault = _outside(hands, scale)
    if fault < 0 and checked:
        fault = _first_fault(hands, engine)
    if fault >= 0:
        return np.empty(0, dtype=np.uint16), fault
    if engine == "python":
        one = strength_of if scale == STANDARD else short_strength_of
        values = [one(hand) for hand in hands.tolist()]
        return np.array(values, dtype=np.uint16 if scale == STANDARD else np.uint32), -1
    tables, flushes = hand_tables(hands.shape[1], scale), flush_table(scale)
    if engine == "numba":
        found = _compiled_strengths(hands, tables, flushes)
    else:
        found = arrays.strengths(hands, tables, flushes)
    return (found if scale == STANDARD else found | np.uint32(scale << 16)), -1


def _outside(hands: Cards, scale: int) -> int:
    """Return the first row with a card not in this deck, or -1; checked always, since tables have no row for it."""
    wrong = hands.size and (
        hands.max() > 53 or (scale == SHORT_DECK and (hands.min() < 16 or hands.max() > 51))
    )
    if not wrong:
        return -1
    inside = (hands >= 16) & (hands < 52) if scale == SHORT_DECK else hands < 54
    return int(np.argmin(inside.all(axis=1)))


def _compiled_strengths(
    hands: Cards, tables: HandTables, flushes: npt.NDArray[np.uint16]
) -> npt.NDArray[np.uint16]:
    from poker_actors.evaluator.fast import kernels

    out = np.empty(len(hands), dtype=np.uint16)
    kernel = kernels.seven_kernel if tables.cards == 7 else kernels.any_kernel
    kernel(hands, CARD_WORDS, tables.place, tables.start, tables.ranked, flushes, out)
    return out


def _first_fault(hands: Cards, engine: str) -> int:
    """Return the first row with a repeated card, or -1."""
    if engine != "numba":
        return arrays.wrong_row(hands)
    from poker_actors.evaluator.fast import kernels

    first = 0
    if hands.shape[1] == 7 and len(hands) > 2 * _BLOCK:
        flat = hands.ravel()
        # minus 8: the last view begins six bytes later and must not read past the end of the hands
        words = (len(flat) - 8) // (7 * _BLOCK) * kernels.SEVEN_BLOCK
        views = [np.frombuffer(flat, dtype=np.uint64, offset=step, count=words) for step in range(7)]
        first = _BLOCK * kernels.wrong_seven(*views, kernels.seven_pattern())
    return int(kernels.wrong_row(hands, first))


def omaha(holes: Cards, boards: Cards, engine: str) -> tuple[npt.NDArray[np.uint16], int]:
    """Return the strengths of Omaha hands, and the first faulty row or -1; raises `BadSpec` for other shapes."""
    if not 4 <= holes.shape[1] <= 6:
        raise BadSpec(f"{holes.shape[1]} hole cards are not an Omaha hand: it has 4, 5 or 6")
    if boards.shape[1] != 5:
        raise BadSpec(f"boards of {boards.shape[1]} cards cannot be evaluated at once: they must have 5")
    if len(boards) not in (1, len(holes)):
        raise BadSpec(f"{len(boards)} boards for {len(holes)} hands: give one for each, or one for all")
    if engine == "numba":
        return _compiled_omaha(holes, boards)
    shared = np.broadcast_to(boards, (len(holes), 5))
    both = np.concatenate([holes, shared], axis=1)
    fault = arrays.wrong_row(np.where(both > 51, np.uint8(_NO_LETTER), both))
    if fault >= 0:
        return np.empty(0, dtype=np.uint16), fault
    if engine == "python":
        return _omaha_one_by_one(holes, shared), -1
    return arrays.omaha_strengths(holes, shared, hand_tables(5), flush_table()), -1


def _omaha_one_by_one(holes: Cards, boards: Cards) -> npt.NDArray[np.uint16]:
    rows = zip(holes.tolist(), boards.tolist(), strict=True)
    return np.array([omaha_strengths([hole], board)[0] for hole, board in rows], dtype=np.uint16)


def _compiled_omaha(holes: Cards, boards: Cards) -> tuple[npt.NDArray[np.uint16], int]:
    from poker_actors.evaluator.fast.omaha_kernels import omaha_kernel

    out = np.empty(len(holes), dtype=np.uint16)
    tables = hand_tables(5)
    those = (tables.place, tables.start, *omaha_tables())
    fault = omaha_kernel(holes, boards, (CARD_WORDS, SUITED_BITS), those, flush_table(), out)
    return out, int(fault)


Values = npt.NDArray[np.uint32]
_UNSURE: Final = 0xFFFF_FFFF
"""Marks a hand with a repeated card, which must be evaluated by itself."""
_NO_CARD: Final = 255
_BLANK: Final = ord(" ")


def cards_of(hands: Any, engine: str) -> Cards | None:
    """Return hands as a uint8 array of shape (n, k), 255 for invalid cards; None if they must be read one by one."""
    if isinstance(hands, np.ndarray):
        if hands.ndim != 2 or hands.dtype.kind not in "ui":
            return None
        return np.where((hands < 0) | (hands > 51), _NO_CARD, hands).astype(np.uint8)
    if set(map(type, hands)) == {str}:
        return _cards_of_texts(hands, engine)
    return None


def _cards_of_texts(texts: Sequence[str], engine: str) -> Cards | None:
    """Read texts of equally many two-letter words separated by single blanks; return None for others.

    A word that is not a card becomes 255.
    """
    width = len(texts[0])
    joined = "\n".join([*texts, ""]).encode("ascii", "replace")
    if (width + 1) % 3 or len(joined) != len(texts) * (width + 1):
        return None
    letters = np.frombuffer(joined, dtype=np.uint8).reshape(len(texts), -1, 3)
    if engine == "numba":
        from poker_actors.evaluator.fast.kernels import words_kernel

        hands = np.empty(letters.shape[:2], dtype=np.uint8)
        return hands if words_kernel(letters, *_letters_of_library(), hands) else None
    between = letters[:, :, 2]
    if (between[:, :-1] != _BLANK).any() or (between[:, -1] != _NEWLINE).any():
        return None
    if (letters[:, :, :2] <= _BLANK).any():  # a blank or NUL inside a word: the texts split differently
        return None
    ranks, suits = _letters_of_library()
    rank, suit = ranks[letters[:, :, 0]], suits[letters[:, :, 1]]
    return np.where((rank < 13) & (suit < 4), 4 * rank + suit, _NO_CARD).astype(np.uint8)


@cache
def _letters_of_library() -> tuple[Cards, Cards]:
    """Return tables from letter, in any case, to rank and to suit, 255 for none."""
    ranks, suits = np.full((2, 256), _NO_CARD, dtype=np.uint8)
    for table, letters in ((ranks, RANKS), (suits, SUITS)):
        for number, letter in enumerate(letters):
            table[ord(letter.upper())] = table[ord(letter.lower())] = number
    return ranks, suits


def values(hands: Cards, of_strength: Values, engine: str) -> Values:
    """Return the value of each hand of at most nine cards: 0 with an invalid card, `_UNSURE` with a repeated one.

    `of_strength` maps strengths to values.
    """
    tables = hand_tables(hands.shape[1])
    out = np.empty(len(hands), dtype=np.uint32)
    if engine == "numba":
        from poker_actors.evaluator.fast.kernels import value_kernel

        looked_up = (tables.place, tables.start, tables.ranked, flush_table(), of_strength)
        value_kernel(np.ascontiguousarray(hands), CARD_WORDS, SUITED_BITS, looked_up, out)
        return out
    wrong = (hands > 51).any(axis=1)
    twice = (np.diff(np.sort(hands, axis=1), axis=1) == 0).any(axis=1)
    right = ~(wrong | twice)
    out[:] = np.where(wrong, 0, _UNSURE)
    out[right] = of_strength[arrays.strengths(hands[right], tables, flush_table())]
    return out


def unsure(found: Values) -> list[int]:
    """Return the rows that must be evaluated one by one."""
    return [int(row) for row in np.flatnonzero(found == _UNSURE)]


@cache
def value_table(of: Callable[[int], int]) -> Values:
    """Return an array from strength to value, built with the function `of`."""
    table = np.zeros(1 << 16, dtype=np.uint32)
    for strength in strengths().values():
        table[strength] = of(strength)
    return table


def as_values(rows: Any) -> Values:
    """Return values as an array of uint32."""
    return np.array(rows, dtype=np.uint32)
