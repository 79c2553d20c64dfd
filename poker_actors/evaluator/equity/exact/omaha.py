"""All boards for known Omaha hands, compiled: each board is looked up in the Omaha table."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.equity.exact.compiled import count_showdown
from poker_actors.evaluator.fast.compiled.compiling import compiled
from poker_actors.evaluator.fast.compiled.omaha import board_row, omaha_best

__all__ = ["omaha_counts"]

_WORD: Final = np.uint64


@compiled
def omaha_counts(holes, columns, board, stub, keys, tables, flushes, counts):
    """Fill ``counts[player, winners]`` over all boards completed from `stub`, an array of cards.

    `columns` are the columns of the Omaha table for each player's pairs.
    """
    players = holes.shape[0]
    missing = 5 - board.shape[0]
    shared = np.empty((1, 5), np.uint8)
    shared[0, : board.shape[0]] = board
    chosen = np.arange(missing)
    strengths = np.empty(players, np.uint16)
    cards = stub.shape[0]
    while True:
        for place in range(missing):
            shared[0, 5 - missing + place] = stub[chosen[place]]
        line, suits = board_row(shared, keys, tables)
        for player in range(players):
            strengths[player] = omaha_best(
                line, suits, columns[player], holes, player, shared, tables, flushes
            )
        count_showdown(counts, strengths, players, np.int64(1))
        place = missing - 1
        while place >= 0 and chosen[place] == cards - missing + place:
            place -= 1
        if place < 0:
            return
        chosen[place] += 1
        for later in range(place + 1, missing):
            chosen[later] = chosen[later - 1] + 1
