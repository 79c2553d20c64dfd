"""A result as people use it: figures that print, compare, and go to files and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from poker_actors.sim.results.comparison import Comparison, compare
from poker_actors.sim.results.figures import RunFigures
from poker_actors.sim.results.frames import frame_of
from poker_actors.sim.results.plain import load_result, plain_result, save_result
from poker_actors.sim.results.table import table_html, table_text
from poker_actors.sim.results.words import headline, rank_words, remarks

__all__ = ["SimulationResult"]


@attrs.frozen
class SimulationResult(RunFigures):
    """What a run came to; equal when the same hands were played, however fast."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; shares are 0 to 1, intervals `[low, high]`, None when unknown."""
        return plain_result(self)

    def save(self, path: str | Path) -> None:
        """Write the result to a JSON file, from which `load` makes an equal one."""
        save_result(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> SimulationResult:
        """Read what `save`, or the command's `--json`, has written; raises `BadSpec` for anything else."""
        return cls(**load_result(Path(path)))

    def compare(self, other: RunFigures) -> Comparison:
        """Say how much better each bot did here than in `other`, seat by seat, with 95 % intervals.

        Block by block where both have the same decks; raises `BadSpec` for another number of players.
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
        """What was played, in one line."""
        return headline(self)

    @property
    def ranking(self) -> str:
        """The places each bot may have, in one line."""
        return rank_words(self)

    @property
    def remarks(self) -> list[str]:
        """What is worth saying beside the table: pairs, plans, speed, chips, faults."""
        return remarks(self)

    def remarks_for(self, difference: float) -> list[str]:
        """Return the remarks with a plan for a difference of so many bb/100."""
        return remarks(self, difference)
