"""The result of a run: figures that print, compare, and are saved to and loaded from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from poker_actors.errors import MissingExtra
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.results.comparison import Comparison, compare
from poker_actors.sim.results.figures import RunFigures
from poker_actors.sim.results.plain import load_result, plain_result, save_result
from poker_actors.sim.results.table import table_html, table_text
from poker_actors.sim.results.words import headline, rank_words, remarks

__all__ = [
    "SimulationResult",
    "frame_of",
]


@attrs.frozen
class SimulationResult(RunFigures):
    """The result of a run; equal if the same hands were played, however fast."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; shares are 0 to 1, intervals `[low, high]`, None if unknown."""
        return plain_result(self)

    def save(self, path: str | Path) -> None:
        """Write the result to a JSON file, from which `load` makes an equal one."""
        save_result(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> SimulationResult:
        """Read a file written by `save` or the command's `--json`; raise `BadSpec` for anything else."""
        return cls(**load_result(Path(path)))

    def compare(self, other: RunFigures) -> Comparison:
        """Return how much better each bot did here than in `other`, seat by seat, with 95 % intervals.

        Results with the same decks are compared block by block. Raises `BadSpec` for different numbers
        of players.
        """
        return compare(self, other)

    def frame(self) -> Any:
        """Return a polars DataFrame with a row for each bot (extra `stats`); raises `MissingExtra`.

        `frame().write_parquet(path)` writes it for any other program.
        """
        return frame_of(self)

    def __str__(self) -> str:
        return f"{self.headline}\n{self.ranking}\n{table_text(self)}"

    def _repr_html_(self) -> str:
        return table_html(self, self.headline, [self.ranking, *self.remarks])

    @property
    def headline(self) -> str:
        """One line: what was played."""
        return headline(self)

    @property
    def ranking(self) -> str:
        """One line: the places each bot may have."""
        return rank_words(self)

    @property
    def remarks(self) -> list[str]:
        """Lines beside the table: method, speed, undecided pairs, plan, faults."""
        return remarks(self)

    def remarks_for(self, difference: float) -> list[str]:
        """Return the remarks with a plan for `difference` bb/100."""
        return remarks(self, difference)


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
