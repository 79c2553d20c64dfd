"""Run trials in blocks until there are enough, the error is small, or the user interrupts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

from poker_actors.evaluator.equity.deals import EquityResult, summed_up
from poker_actors.evaluator.equity.exact.plain import (
    MOST_PAIRINGS,
    Draws,
    count_trials,
    draws_of,
    matchups,
    pairings,
    suit_bits,
)
from poker_actors.evaluator.equity.request import Request
from poker_actors.evaluator.fast import Engine

Progress = Callable[[int, int], None]
_BLOCK: Final = {"numba": 1 << 17, "numpy": 1 << 15, "python": 1 << 11}
"""Trials per block, after which the error is checked and progress reported: a few milliseconds."""
_FEWEST: Final = 1 << 14
"""Fewest trials before `stderr` may stop a run: the error of a small sample is itself unreliable."""


def sampled_equity(
    request: Request,
    engine: Engine,
    *,
    trials: int,
    stderr: float = 0.0,
    seed: int = 0,
    progress: Progress | None = None,
) -> EquityResult:
    """Return equities from `trials` random deals, or fewer once no player's error exceeds `stderr`.

    The same seed and number of trials give the same result with every engine; a run stopped by `stderr` ends at a
    multiple of the engine's block. A keyboard interrupt ends the run early with the result so far. `progress` is called
    with trials done and all trials. Raises `BadSpec` when no hands of the ranges can meet.
    """
    if 1 < pairings(request) <= min(MOST_PAIRINGS, 20_000):
        # raises if no hands can meet, for which drawing would never end; among more pairings some always can
        matchups(request)
    names = [hands.text for hands in request.ranges]
    draws = draws_of(request, seed)
    block = _block_runner(request, draws, engine)
    counts: Any = [[0] * (len(names) + 1) for _ in names]
    done, interrupted = 0, False
    try:
        while done < trials:
            size = min(_BLOCK[engine], trials - done)
            counts = block(done, size)
            done += size
            if progress is not None:
                progress(done, trials)
            if stderr and done >= _FEWEST and _error(names, counts, done) <= stderr:
                break
    except KeyboardInterrupt:
        if not done:
            raise
        interrupted = True
    return summed_up(names, counts, boards=done, exact=False, interrupted=interrupted)


def _error(names: list[str], counts: Any, done: int) -> float:
    result = summed_up(names, counts, boards=done, exact=False)
    return max(player.stderr for player in result.players)


def _block_runner(request: Request, draws: Draws, engine: Engine) -> Callable[[int, int], Any]:
    """Return a function of first trial and size that runs a block and returns all counts so far."""
    players = len(request.ranges)
    if engine == "python":
        plain = [[0] * (players + 1) for _ in range(players)]

        def run_plain(first: int, size: int) -> Any:
            count_trials(plain, request, draws, first, size)
            return [list(row) for row in plain]

        return run_plain
    import numpy as np

    counts = np.zeros((players, players + 1), dtype=np.int64)
    if engine == "numpy":
        from poker_actors.evaluator.equity import sampled_arrays as arrays

        def run_arrays(first: int, size: int) -> Any:
            arrays.count_trials(counts, request, draws, first, size)
            return counts.tolist()

        return run_arrays
    run = _omaha_kernel(request, draws) if request.game.name == "omaha" else _holdem_kernel(request, draws)

    def run_compiled(first: int, size: int) -> Any:
        run((first, first + size), counts)
        return counts.tolist()

    return run_compiled


def _flat_hands(draws: Draws) -> tuple[Any, Any, Any, list[tuple[int, ...]]]:
    """Return, flat over all players: where each one's hands begin, thresholds, masks, and the hands."""
    import numpy as np

    first = np.cumsum([0, *map(len, draws.hands)])
    thresholds = np.array([threshold for row in draws.thresholds for threshold in row])
    hands = [tuple(map(int, hand)) for row in draws.hands for hand in row]
    masks = np.array([sum(map(suit_bits, hand)) for hand in hands], dtype=np.uint64)
    return first, thresholds, masks, hands


def _holdem_kernel(request: Request, draws: Draws) -> Callable[[tuple[int, int], Any], None]:
    import numpy as np

    from poker_actors.evaluator.equity.sampled_compiled import holdem_trials
    from poker_actors.evaluator.fast.tables import CARD_WORDS, flush_table, hand_tables

    first, thresholds, masks, hands = _flat_hands(draws)
    keys = CARD_WORDS[np.array(hands)].sum(axis=1, dtype=np.uint64)
    stub = np.array(draws.stub, dtype=np.int64)
    stub_masks = np.array([suit_bits(card) for card in draws.stub], dtype=np.uint64)
    lying = sum(int(CARD_WORDS[card]) for card in draws.board)
    board = (request.missing, np.uint64(lying), np.uint64(sum(map(suit_bits, draws.board))))
    tables, scale = hand_tables(7, request.game.scale), request.game.scale
    looked_up = (flush_table(scale), tables.place, tables.start, tables.ranked)

    def run(trials: tuple[int, int], counts: Any) -> None:
        holdem_trials(
            np.uint64(draws.start),
            trials,
            (first, thresholds, masks, keys),
            (CARD_WORDS[stub], stub_masks),
            board,
            looked_up,
            counts,
        )

    return run


def _omaha_kernel(request: Request, draws: Draws) -> Callable[[tuple[int, int], Any], None]:
    import numpy as np

    from poker_actors.evaluator.equity.sampled_compiled import omaha_trials
    from poker_actors.evaluator.fast.tables import CARD_WORDS, flush_table, hand_tables, omaha_tables

    first, thresholds, masks, hands = _flat_hands(draws)
    table, column = omaha_tables()
    cards = np.array(hands, dtype=np.uint8)
    ranks = (cards >> 2).astype(np.int64)
    pairs = list(combinations(range(cards.shape[1]), 2))
    columns = np.stack([column[13 * ranks[:, a] + ranks[:, b]] for a, b in pairs], axis=1)
    stub = np.array(draws.stub, dtype=np.uint8)
    stub_masks = np.array([suit_bits(card) for card in draws.stub], dtype=np.uint64)
    shared = np.zeros((1, 5), dtype=np.uint8)
    shared[0, : len(draws.board)] = np.array(draws.board, dtype=np.uint8)
    five = hand_tables(5)
    of_five = (five.place, five.start, table, column)

    def run(trials: tuple[int, int], counts: Any) -> None:
        omaha_trials(
            np.uint64(draws.start),
            trials,
            (first, thresholds, masks, (cards, columns)),
            (stub, stub_masks),
            (request.missing, shared),
            (flush_table(), CARD_WORDS, of_five),
            counts,
        )

    return run
