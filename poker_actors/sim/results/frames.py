"""A result as a polars DataFrame (extra `stats`), for notebooks and other programs."""

from __future__ import annotations

from typing import Any

from poker_actors.errors import MissingExtra
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.results.figures import RunFigures

__all__ = ["frame_of"]


def frame_of(result: RunFigures) -> Any:
    """Return a row per bot: possible places, results with and without luck with intervals, shares of habits."""
    try:
        import polars as pl
    except ModuleNotFoundError:
        raise MissingExtra("stats", "polars") from None
    ranks = [(None, None)] * len(result.players) if result.judgement is None else result.judgement.ranks
    rows = [
        {
            "seat": player.seat,
            "bot": player.bot,
            "best_place": best,
            "worst_place": worst,
            "hands": player.hands,
            "net_chips": player.net_chips,
            **_columns("bb_per_100", player.bb_per_100),
            **_columns("bb_per_100_adjusted", player.bb_per_100_adjusted),
            **{name: share.value for name, share in player.statistics.items()},
        }
        for player, (best, worst) in zip(result.players, ranks, strict=True)
    ]
    # a column may be None in every row, and polars could not infer its type
    texts, wholes = {"bot"}, {"seat", "best_place", "worst_place", "hands", "net_chips"}
    types = {
        name: pl.String if name in texts else pl.Int64 if name in wholes else pl.Float64 for name in rows[0]
    }
    return pl.DataFrame(rows, schema=types)


def _columns(name: str, found: Estimate | None) -> dict[str, float | None]:
    low, high = (found.interval if found is not None else None) or (None, None)
    return {name: None if found is None else found.mean, f"{name}_low": low, f"{name}_high": high}
