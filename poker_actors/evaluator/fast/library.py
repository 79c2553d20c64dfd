"""The values of the poker-eval library for arrays of hands, in one pass over their cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from poker_actors.cards import RANKS, SUITS
from poker_actors.evaluator.fast import arrays
from poker_actors.evaluator.fast.tables import CARD_WORDS, SUITED_BITS, flush_table, hand_tables
from poker_actors.evaluator.order import strengths

__all__ = ["as_values", "cards_of", "unsure", "value_table", "values"]

Cards = npt.NDArray[np.uint8]
Values = npt.NDArray[np.uint32]
_UNSURE: Final = 0xFFFF_FFFF
"""Marks a hand with a repeated card, which must be evaluated by itself."""
_NO_CARD: Final = 255
_BLANK: Final = ord(" ")
_NEWLINE: Final = ord("\n")


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
        from poker_actors.evaluator.fast.compiled.kernels import words_kernel

        hands = np.empty(letters.shape[:2], dtype=np.uint8)
        return hands if words_kernel(letters, *_letters(), hands) else None
    between = letters[:, :, 2]
    if (between[:, :-1] != _BLANK).any() or (between[:, -1] != _NEWLINE).any():
        return None
    if (letters[:, :, :2] <= _BLANK).any():  # a blank or NUL inside a word: the texts split differently
        return None
    ranks, suits = _letters()
    rank, suit = ranks[letters[:, :, 0]], suits[letters[:, :, 1]]
    return np.where((rank < 13) & (suit < 4), 4 * rank + suit, _NO_CARD).astype(np.uint8)


@cache
def _letters() -> tuple[Cards, Cards]:
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
        from poker_actors.evaluator.fast.compiled.kernels import value_kernel

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
    """Return the rows that must be evaluated by themselves."""
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
