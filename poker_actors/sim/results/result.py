"""What a simulation comes to: the figures of all players, and the digest of all hands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from poker_actors.sim.results.bootstrap import bootstrap_words
from poker_actors.sim.results.comparison import Comparison, compare
from poker_actors.sim.results.plain import load_result, plain_result, save_result
from poker_actors.sim.results.player import PlayerResult
from poker_actors.sim.results.separation import undecided_words
from poker_actors.sim.results.table import table_html, table_text

__all__ = ["SimulationResult"]


@attrs.frozen
class SimulationResult:
    """What `hands` hands came to; equal when the same hands were played, however fast."""

    hands: int
    seed: int
    game: str
    driver: str = attrs.field(eq=False)
    form: str
    stakes: str
    stacks: tuple[int, ...]
    big_blind: int
    digest: str
    """32 hexadecimal digits: the sum of the hashes of every hand's record"""
    chips_in: int
    chips_out: int
    rake: int
    """chips the house has taken: what went in came out, or was raked"""
    seconds: float = attrs.field(eq=False)
    players: tuple[PlayerResult, ...]
    hands_asked: int
    """more than `hands` when the run was interrupted"""
    stretches: tuple[int, ...] = attrs.field(repr=False)
    """how many hands each point of the curves has"""

    @property
    def hands_per_second(self) -> float:
        """How fast they were played, statistics included."""
        return self.hands / self.seconds if self.seconds else 0.0

    @property
    def time_outs(self) -> int:
        """How often somebody let a deadline pass; each player's are `faults.late`."""
        return sum(player.faults.late for player in self.players)

    def to_dict(self) -> dict[str, Any]:
        """Give plain values for JSON; shares are 0 to 1, intervals `[low, high]`, None when unknown."""
        return plain_result(self)

    def save(self, path: str | Path) -> None:
        """Write the result to a JSON file, from which `load` makes an equal one."""
        save_result(self, Path(path))

    @staticmethod
    def load(path: str | Path) -> SimulationResult:
        """Read what `save`, or the command's `--json`, has written; raises `BadSpec` for anything else."""
        return load_result(Path(path))

    def compare(self, other: SimulationResult) -> Comparison:
        """Say how much better each bot did here than in `other`, seat by seat, with 95 % intervals.

        Hand by hand where both have the same decks; raises `BadSpec` for another number of players.
        """
        return compare(self, other)

    def __str__(self) -> str:
        return f"{self.headline}\n{table_text(self)}"

    def _repr_html_(self) -> str:
        return table_html(self)

    @property
    def headline(self) -> str:
        """What was played, in one line."""
        asked = f" of {self.hands_asked:,}" if self.hands < self.hands_asked else ""
        return f"{self.hands:,}{asked} hands of {self.game} {self.stakes}, seed {self.seed}, digest {self.digest}"

    @property
    def remarks(self) -> list[str]:
        """What is worth saying below the table: pairing, speed, chips, faults."""
        lines = []
        for words, kind in (
            (f"by {self.form} unit", "bb_per_100_by_unit"),
            ("with all-ins by what they were worth", "bb_per_100_adjusted"),
            ("and less the luck of the hole cards", "bb_per_100_controlled"),
        ):
            found = [(player.bot, getattr(player, kind)) for player in self.players]
            shown = [
                f"{bot} {each.mean:+.1f} ± {each.margin or 0:.1f}" for bot, each in found if each is not None
            ]
            if shown:
                lines.append(f"bb/100 {words}: {', '.join(shown)}")
        lines.append(
            f"{self.hands_per_second:,.0f} hands/s, {self.driver} driver; "
            f"chips in {self.chips_in:,}, out {self.chips_out:,}{f', rake {self.rake:,}' if self.rake else ''}"
        )
        lines += [text for text in (bootstrap_words(self, doubts_only=True), undecided_words(self)) if text]
        thinking = [
            f"{player.bot} {player.seconds_per_decision * 1e6:,.1f}"
            for player in self.players
            if player.seconds_per_decision is not None
        ]
        if thinking:
            lines.append(f"microseconds per decision: {', '.join(thinking)}")
        lines += [
            f"seat {player.seat} {player.bot}: {player.faults.words}"
            for player in self.players
            if player.faults.words
        ]
        return lines
