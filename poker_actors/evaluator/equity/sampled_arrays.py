"""Trials with numpy alone, all trials of a block in step."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from poker_actors.evaluator.equity.deals import ADD, GOLDEN, MIX, MULTIPLY, SHIFT
from poker_actors.evaluator.equity.exact.arrays import count_showdowns
from poker_actors.evaluator.equity.exact.plain import Draws
from poker_actors.evaluator.equity.request import Request
from poker_actors.evaluator.fast.arrays import omaha_strengths, strengths
from poker_actors.evaluator.fast.tables import flush_table, hand_tables

Words = npt.NDArray[np.uint64]
Cards = npt.NDArray[np.uint8]
_UNIT: Final = 2.0**-32
_HALF: Final = np.uint64(32)


def count_trials(
    counts: npt.NDArray[np.int64], request: Request, draws: Draws, first: int, trials: int
) -> None:
    """Add `trials` trials from number `first` on to ``counts[player, winners]``."""
    states = _starts(draws.start, first, trials)
    holes = _draw_hands(draws, states)
    boards = _draw_boards(draws, states, holes)
    found = []
    for hole in holes:
        if request.game.name == "omaha":
            found.append(omaha_strengths(hole, boards, hand_tables(5), flush_table()))
        else:
            hands = np.concatenate([hole, boards], axis=1)
            scale = request.game.scale
            found.append(strengths(hands, hand_tables(7, scale), flush_table(scale)))
    count_showdowns(counts, np.stack(found, axis=1), np.ones(trials, dtype=np.int64))


def _starts(start: int, first: int, trials: int) -> Words:
    numbers = np.arange(first + 1, first + 1 + trials, dtype=np.uint64)
    states = np.uint64(start) + np.uint64(GOLDEN) * numbers
    states = (states ^ states >> np.uint64(SHIFT[0])) * np.uint64(MIX[0])
    states = (states ^ states >> np.uint64(SHIFT[1])) * np.uint64(MIX[1])
    return states ^ states >> np.uint64(SHIFT[2])


def _step(states: Words, rows: npt.NDArray[np.intp]) -> Words:
    """Advance the generators of some trials and return their 32-bit draws."""
    states[rows] = states[rows] * np.uint64(MULTIPLY) + np.uint64(ADD)
    drawn: Words = states[rows] >> _HALF
    return drawn


def _draw_hands(draws: Draws, states: Words) -> list[Cards]:
    """Return each player's hole cards per trial; trials in which players share a card draw all again."""
    rows = np.arange(len(states))
    listed = [np.array(hands, dtype=np.uint8) for hands in draws.hands]
    holes = [np.repeat(hands[:1], len(states), axis=0) for hands in listed]
    while len(rows) and any(len(hands) > 1 for hands in listed):
        for player, hands in enumerate(listed):
            if len(hands) > 1:
                drawn = _step(states, rows) * _UNIT
                holes[player][rows] = hands[np.searchsorted(draws.thresholds[player], drawn, side="right")]
        shown = np.sort(np.concatenate([hole[rows] for hole in holes], axis=1), axis=1)
        rows = rows[(shown[:, 1:] == shown[:, :-1]).any(axis=1)]
    return holes


def _draw_boards(draws: Draws, states: Words, holes: list[Cards]) -> Cards:
    """Return the board of each trial; a card that is taken is drawn again.

    Each trial makes the same draws in the same order as in `plain`, or the engines would disagree.
    """
    boards = np.empty((len(states), 5), dtype=np.uint8)
    lying = len(draws.board)
    boards[:, :lying] = np.array(draws.board, dtype=np.uint8)
    stub = np.array(draws.stub, dtype=np.uint8)
    used = np.zeros(len(states), dtype=np.uint64)
    for hole in holes:
        for column in range(hole.shape[1]):
            used |= np.uint64(1) << hole[:, column].astype(np.uint64)
    for place in range(lying, 5):
        rows = np.arange(len(states))
        while len(rows):
            cards = stub[_step(states, rows) * np.uint64(len(stub)) >> _HALF]
            bits = np.uint64(1) << cards.astype(np.uint64)
            free = used[rows] & bits == 0
            boards[rows[free], place] = cards[free]
            used[rows[free]] |= bits[free]
            rows = rows[~free]
    return boards
