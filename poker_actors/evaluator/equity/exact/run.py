"""Enumerate all pairings and boards by the fastest method available, reporting progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from math import comb
from typing import Any, Final

from poker_actors.cards import Card
from poker_actors.errors import MissingExtra
from poker_actors.evaluator.equity.deals import EquityResult, summed_up
from poker_actors.evaluator.equity.exact import plain
from poker_actors.evaluator.equity.exact.plain import Matchup, matchups, pairings
from poker_actors.evaluator.equity.request import GAMES, Request
from poker_actors.evaluator.fast import Engine, engine
from poker_actors.evaluator.order import Category, strengths
from poker_actors.evaluator.showdown import omaha_strengths

Progress = Callable[[int, int], None]
_AT_ONCE: Final = 64
"""Matchups between two reports of progress."""
_CLASSES: Final = (1, 40, 300, 3_000, 12_000, 42_000)
"""Approximate number of cases for all boards of a matchup of two, by the number of cards to come."""
_SECONDS_A_CASE: Final = {"numba": 5e-9, "numpy": 2.5e-7, "python": 5e-6}
_SECONDS_A_BOARD: Final = {"numba": 2e-8, "numpy": 6e-7, "python": 2e-5}
"""Per Omaha hand; these times serve only to choose between exact and sampled equities, and an engine."""

_PREFLOP_MATCHUPS: Final = 47_008
_SECONDS_A_PREFLOP_MATCHUP: Final = 6e-5
"""Measured on one core; used only to choose an engine and a method."""


def expected_seconds(request: Request, engine: Engine) -> float:
    """Return the expected seconds for all pairings and boards."""
    players, missing = len(request.ranges), request.missing
    if engine == "numba" and _is_preflop(request):
        return min(pairings(request), _PREFLOP_MATCHUPS) * _SECONDS_A_PREFLOP_MATCHUP
    if request.game.name == "omaha":
        one = comb(len(request.stub), missing) * players * _SECONDS_A_BOARD[engine]
    else:
        one = _CLASSES[missing] * players * _SECONDS_A_CASE[engine]
    return pairings(request) * (one + 3e-6 * players)


def exact_equity(request: Request, engine: Engine, progress: Progress | None = None) -> EquityResult:
    """Return the exact equities; `progress` is called now and then with pairings done and all pairings.

    Raises `BadSpec` for too many pairings, or if no hands can meet.
    """
    if engine == "numba" and _is_preflop(request):
        return _preflop(request, progress)
    players = len(request.ranges)
    weighted, number = matchups(request)
    counts = [[0.0] * (players + 1) for _ in range(players)]
    done = 0
    todo = iter(weighted.items())
    while chunk := list(islice(todo, _AT_ONCE)):
        found = _counted([matchup for matchup, _ in chunk], request, engine)
        for (_, weight), table in zip(chunk, found, strict=True):
            for row, counted in zip(counts, table, strict=True):
                for winners, times in enumerate(counted):
                    row[winners] += weight * int(times)
        done += len(chunk)
        if progress is not None:
            progress(done, len(weighted))
    left = len(request.game.deck) - len(request.board) - len(request.dead)
    boards = comb(left - sum(len(hands.combos[0]) for hands in request.ranges), request.missing)
    names = [hands.text for hands in request.ranges]
    return summed_up(names, counts, boards=number * boards, exact=True)


def _is_preflop(request: Request) -> bool:
    """Whether these are two hold'em ranges before the flop, whose matchups are cached."""
    alone = not request.board and not request.dead and len(request.ranges) == 2
    return alone and request.game.name == "holdem" and pairings(request) > 1


def _preflop(request: Request, progress: Progress | None) -> EquityResult:
    from poker_actors.evaluator.equity.exact.preflop import BOARDS, range_counts

    first, second = request.ranges
    counts, number = range_counts((first, second), lambda hands: _won_lost_tied(hands, request), progress)
    return summed_up([first.text, second.text], counts, boards=number * BOARDS, exact=True)


def holdem_matchups() -> tuple[Any, Any]:
    """Return the shares of boards that each hold'em hand wins from each other, and that they tie, as ``[a, b]``.

    Both are float64 arrays of shape (1326, 1326). Hands are numbered ``high * (high - 1) / 2 + low`` by their cards;
    pairs that share a card have 0. The first call in a process takes a few seconds. Raises `MissingExtra` without numba.
    """
    if engine() != "numba":
        raise MissingExtra("fast", "numba")
    from poker_actors.evaluator.equity.exact.preflop import matchup_table

    request = Request(GAMES["holdem"], (), (), ())
    return matchup_table(lambda hands: _won_lost_tied(hands, request))


def _won_lost_tied(hands: Any, request: Request) -> Any:
    """Return the boards that the first hand wins, the second wins and both share, shape (n, 3)."""
    import numpy as np

    counts = np.zeros((len(hands), 2, 3), dtype=np.int64)
    board = np.empty(0, dtype=np.uint8)
    _compiled_holdem(hands, board, [int(card) for card in request.game.deck], counts, request)
    return np.stack([counts[:, 0, 1], counts[:, 1, 1], counts[:, 0, 2]], axis=1)


def _counted(chunk: Sequence[Matchup], request: Request, engine: Engine) -> Iterator[Any]:
    """Return ``counts[player][winners]`` for each matchup."""
    if engine == "numba":
        return _compiled(chunk, request)
    return (_one(matchup, request, engine) for matchup in chunk)


def _one(matchup: Matchup, request: Request, engine: Engine) -> Any:
    gone = {*request.board, *request.dead, *(card for hole in matchup for card in hole)}
    stub = [card for card in request.game.deck if card not in gone]
    omaha = request.game.name == "omaha"
    if engine == "numpy":
        from poker_actors.evaluator.equity.exact import arrays

        if omaha:
            return arrays.omaha_counts(matchup, request.board, stub)
        return arrays.matchup_counts(matchup, request.board, stub, request.game.scale)
    if omaha:
        return _omaha_one_by_one(matchup, request.board, stub)
    return plain.matchup_counts(matchup, request.board, stub, request.game.scale)


def _omaha_one_by_one(matchup: Matchup, board: tuple[Card, ...], stub: Sequence[Card]) -> plain.Counts:
    counts = [[0] * (len(matchup) + 1) for _ in matchup]
    for come in combinations(stub, 5 - len(board)):
        plain.tally(counts, omaha_strengths(matchup, (*board, *come)), 1)
    return counts


def _compiled(chunk: Sequence[Matchup], request: Request) -> Iterator[Any]:
    import numpy as np

    players = len(request.ranges)
    holes = np.array(chunk, dtype=np.uint8)
    board = np.array(request.board, dtype=np.uint8)
    gone = {*request.board, *request.dead}
    free = [int(card) for card in request.game.deck if card not in gone]
    counts = np.zeros((len(chunk), players, players + 1), dtype=np.int64)
    if request.game.name == "omaha":
        _compiled_omaha(holes, board, free, counts)
    else:
        _compiled_holdem(holes, board, free, counts, request)
    return iter(counts.tolist())


def _compiled_holdem(holes: Any, board: Any, free: list[int], counts: Any, request: Request) -> None:
    import numpy as np

    from poker_actors.evaluator.equity.exact import arrays
    from poker_actors.evaluator.equity.exact.compiled import holdem_counts
    from poker_actors.evaluator.fast.tables import RANK_WORDS, flush_table, hand_tables

    scale, seven = request.game.scale, hand_tables(7, request.game.scale)
    masks, _, first = arrays.subset_tables()
    holdem_counts(
        holes,
        board,
        np.uint64(sum([1 << card for card in free])),
        RANK_WORDS,
        arrays.multiset_tables(),
        (masks, first, *arrays.suited_tables()),
        (
            flush_table(scale),
            (seven.place, seven.start, seven.ranked),
            arrays.pair_tables(scale),
            arrays.paired_ways(),
            _around_flushes(scale),
        ),
        counts,
    )


@cache
def _around_flushes(scale: int) -> tuple[int, int]:
    """Return the weakest strength above all plain flushes, and that of straight flushes, without their scale."""
    values = {made[0]: value & 0xFFFF for made, value in reversed([*strengths(scale).items()])}
    kinds = sorted(values, key=values.__getitem__)
    return values[kinds[kinds.index(Category.FLUSH) + 1]], values[Category.STRAIGHT_FLUSH]


def _compiled_omaha(holes: Any, board: Any, free: list[int], counts: Any) -> None:
    import numpy as np

    from poker_actors.evaluator.equity.exact.compiled import omaha_counts
    from poker_actors.evaluator.fast.tables import CARD_WORDS, flush_table, hand_tables, omaha_tables

    five = hand_tables(5)
    table, column = omaha_tables()
    tables = (five.place, five.start, table, column)
    pairs = list(combinations(range(holes.shape[2]), 2))
    for matchup, counted in zip(holes, counts, strict=True):
        ranks = (matchup >> 2).astype(np.int64)
        columns = np.stack([column[13 * ranks[:, a] + ranks[:, b]] for a, b in pairs], axis=1)
        stub = np.array(sorted(set(free) - set(matchup.ravel().tolist())), dtype=np.uint8)
        omaha_counts(matchup, columns, board, stub, CARD_WORDS, tables, flush_table(), counted)
