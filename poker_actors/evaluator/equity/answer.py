"""`equity`: the share of the pot that each hand or range wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

from poker_actors.errors import BadSpec
from poker_actors.evaluator.equity.deals import EquityResult
from poker_actors.evaluator.equity.exact import MOST_PAIRINGS, exact_equity, expected_seconds, pairings
from poker_actors.evaluator.equity.request import CardsLike, PlayerLike, Request, read_request
from poker_actors.evaluator.equity.sampled import sampled_equity
from poker_actors.evaluator.equity.shares import SHARED_GAMES, shared_equity
from poker_actors.evaluator.fast import Engine, engine, engine_for

Method: TypeAlias = Literal["auto", "exact", "sampled"]
_PATIENCE: Final = 3.0
"""Expected seconds of an exact answer above which `auto` samples instead."""
_TRIALS: Final = 1_000_000
"""Default trials: a share has a standard deviation of at most half a pot, so the error is at most 0.05 %."""
_SECONDS_A_DEAL: Final = 1e-5
"""Per player and random deal in plain Python; used only to choose an engine."""


def equity(  # noqa: PLR0913  # all options are keyword-only
    players: Sequence[PlayerLike],
    board: CardsLike = "",
    *,
    dead: CardsLike = "",
    game: str = "holdem",
    method: Method = "auto",
    trials: int | None = None,
    stderr: float | None = None,
    seed: int = 0,
    draws: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    using: Engine = "auto",
) -> EquityResult:
    """Return the chances of 2 to 10 players with known hands (`AsKs`) or ranges (`QQ+, AKs, 22+:0.5`).

    `board` has up to five cards, `dead` are cards out of play. `game` is `holdem`, `omaha` (4, 5 or 6 hole cards each)
    or `short_deck`. In `double-board-holdem` and `double-board-omaha` half the pot goes to each board, and `board` is
    both boards separated by `/`. In `omaha8`, `stud`, `stud8`, `razz` and the draw games players are their known cards,
    or `random` for none: in a draw game, the cards kept before the last draw; with `draws`, the cards held with that many
    draws to come, in which every player keeps what `worth_keeping` returns. In all these games `win` is the whole pot,
    `tie` a part of it.

    The result is exact, over every board, if that takes a few seconds at most, otherwise from random deals. `trials` (the
    most deals) or `stderr` (stop when no player's standard error, from 0 to 1, exceeds it) ask for random deals;
    `method` decides outright. The same `seed` gives the same deals. `progress` is called with the work done and the
    total work. A keyboard interrupt ends random deals early with the result so far.

    Raises `BadCard`, `DuplicateCard`, and `BadSpec` for every other invalid argument.

    >>> round(equity(["AsKs", "QhQd"]).players[0].share, 6)
    0.462145
    """
    _check(method, trials, stderr)
    if game in SHARED_GAMES:
        return shared_equity(
            SHARED_GAMES[game],
            players,
            board,
            dead,
            draws=draws,
            method=method,
            trials=trials,
            stderr=stderr,
            seed=seed,
            progress=progress,
            using=using,
        )
    if draws is not None:
        raise BadSpec(f"draws {draws}, but nothing is drawn in {game}")
    request = read_request(players, board, dead, game)
    if _goes_through(request, method, engine(using), wanted=(trials, stderr)):
        chosen = engine_for(using, lambda: expected_seconds(request, "python"))
        return exact_equity(request, chosen, progress)
    most = trials if trials is not None else _TRIALS if stderr is None else 100 * _TRIALS
    chosen = engine_for(using, lambda: most * len(request.ranges) * _SECONDS_A_DEAL)
    return sampled_equity(request, chosen, trials=most, stderr=stderr or 0.0, seed=seed, progress=progress)


def _goes_through(
    request: Request, method: str, chosen: Engine, wanted: tuple[int | None, float | None]
) -> bool:
    """Whether to enumerate every board: on request, or by default when that is fast."""
    if method != "auto":
        return method == "exact"
    if wanted != (None, None):
        return False
    return pairings(request) <= MOST_PAIRINGS and expected_seconds(request, chosen) <= _PATIENCE


def _check(method: str, trials: int | None, stderr: float | None) -> None:
    if method not in ("auto", "exact", "sampled"):
        raise BadSpec(f"method {method!r} must be auto, exact or sampled")
    if trials is not None and trials < 1:
        raise BadSpec(f"{trials} trials are below the minimum of 1")
    if stderr is not None and not 0 < stderr < 1:
        raise BadSpec(f"a standard error of {stderr} is not between 0 and 1")
    if method == "exact" and (trials is not None or stderr is not None):
        raise BadSpec("an exact equity takes neither trials nor stderr: leave them out, or sample")
