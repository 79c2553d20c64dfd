"""The result of a run: figures that print, compare, and are saved to and loaded from files."""

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
