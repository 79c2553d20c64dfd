"""The result of a run, made from sums: figures that print, compare, and are saved to and loaded from files."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import attrs

from poker_actors.sim.engines import Job, asked_bots
from poker_actors.sim.exports import polars_library
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.judging import Corrected, Estimates, Sequential, corrected_estimates, raw_estimates
from poker_actors.sim.luck.chance import MILLI
from poker_actors.sim.record import digest_text
from poker_actors.sim.results.comparison import Comparison, compare
from poker_actors.sim.results.figures import PlayerResult, RunFigures, positions_by_bot
from poker_actors.sim.results.plain import load_result, plain_result, save_result
from poker_actors.sim.results.table import table_html, table_text
from poker_actors.sim.results.words import headline, rank_words, remarks
from poker_actors.sim.statistics import COUNTERS, FOLDS, RAW, Sums, by_name, empty_row


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
    pl = polars_library()
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


_UNITS: Final = {"duplicate": "deck", "carry-over": "session"}


def result_of(job: Job, sums: Sums, seconds: float, decision: Sequential | None = None) -> SimulationResult:
    """Compute the figures from the sums; `decision` is that of a run that stops when it is decided."""
    match = job.match
    raw = _raw(job, sums)
    corrected = _corrected(job, sums)
    if decision is not None:
        raw = attrs.evolve(raw, at_any_time=True)
        if corrected is not None:
            known = attrs.evolve(corrected.estimates, at_any_time=True)
            corrected = attrs.evolve(corrected, estimates=known)
    return SimulationResult(
        hands=sums.hands,
        seed=match.seed,
        game=match.game.name,
        driver=job.driver,
        form=match.form.name,
        stakes=f"{match.stakes}, {match.options}" if match.options is not None else str(match.stakes),
        stacks=match.stacks,
        big_blind=_big_blind(job),
        digest=digest_text(sums.digest),
        chips_in=sums.chips_in,
        chips_out=sums.chips_out,
        rake=sums.rake,
        seconds=seconds,
        engine=_engine(job),
        players=_players(job, sums, raw, corrected),
        hands_asked=match.hands,
        blocks=tuple(sums.blocks[point] for point in sorted(sums.curve)),
        raw=raw,
        corrected=None if corrected is None else corrected.estimates,
        examples={figure: tuple(hands) for figure, hands in sorted(sums.examples.items())},
        decision=decision,
    )


def _engine(job: Job) -> str:
    if job.compiled and job.meanwhile >= job.match.hands:
        return "in Python, while code was being compiled for the next run"
    if job.compiled:
        meanwhile = (
            f", after {job.meanwhile:,} hands in Python while code was compiled" if job.meanwhile else ""
        )
        asked = dict.fromkeys([str(job.match.bots[bot]) for bot in asked_bots(job.match)])
        return (f"compiled, with {' and '.join(asked)} in Python" if asked else "compiled") + meanwhile
    return f"in Python ({job.in_python})" if job.in_python else "in Python"


def estimates_of(job: Job, sums: Sums) -> Estimates:
    """Return the estimates to judge by: without luck, if asked for."""
    corrected = _corrected(job, sums)
    return _raw(job, sums) if corrected is None else corrected.estimates


def _big_blind(job: Job) -> int:
    return job.match.stakes.big_blind or job.match.stakes.min_bet


def _unit(job: Job) -> dict[str, Any]:
    name = "hand" if job.match.unit == 1 else _UNITS.get(job.match.form.name, "unit")
    return {"unit": name, "unit_hands": job.match.unit}


def _raw(job: Job, sums: Sums) -> Estimates:
    row = sums.moments.get(RAW) or empty_row(sums.size)
    return raw_estimates(
        row,
        sums.size,
        **_unit(job),
        big_blind=_big_blind(job),
        fourths=sums.fourths,
        largest=sums.largest,
    )


def _corrected(job: Job, sums: Sums) -> Corrected | None:
    folds = {fold: row for fold, row in sorted(sums.moments.items()) if fold != RAW}
    if not folds:
        return None
    scale = 100 / _big_blind(job) / job.match.unit / MILLI
    return corrected_estimates(folds, sums.size, **_unit(job), scale=scale)


def _players(job: Job, sums: Sums, raw: Estimates, corrected: Corrected | None) -> tuple[PlayerResult, ...]:
    places = positions_by_bot(sums, _big_blind(job), apart=job.match.form.name != "carry-over")
    curves = None if corrected is None else _corrected_curves(sums, corrected)
    net = sums.net
    players = []
    for bot in range(sums.size):
        counts = _habits(sums, bot)
        found = raw.of(bot)
        players.append(
            PlayerResult(
                seat=bot,
                bot=str(job.match.bots[bot]),
                hands=counts["hands"],
                net_chips=net[bot],
                bb_per_100=found,
                bb_per_100_by_unit=None if job.match.unit == 1 else found,
                bb_per_100_adjusted=None if corrected is None else corrected.estimates.of(bot),
                counts=counts,
                faults=sums.faults[bot],
                curve=tuple(accumulate(sums.curve[point][bot] for point in sorted(sums.curve))),
                corrected_curve=None if curves is None else curves[bot],
                won=tuple(sums.won[point][bot] / 2 for point in sorted(sums.curve)),
                positions=places[bot],
                seconds_per_decision=_seconds(sums, bot),
            )
        )
    return tuple(players)


def _corrected_curves(sums: Sums, corrected: Corrected) -> list[tuple[float, ...]]:
    """Return the curves of winnings without luck, in chips, by bot."""
    steps = []
    for point in sorted(sums.curve):
        # in the order of folds, whatever engine counted them: sums of floats depend on it
        rows = {
            fold: sums.corrections[at] for fold in range(FOLDS) if (at := (point, fold)) in sums.corrections
        }
        steps.append([gain / MILLI for gain in corrected.gains(rows)])
    return [tuple(accumulate(column)) for column in zip(*steps, strict=True)]


def _seconds(sums: Sums, bot: int) -> float | None:
    decisions = sums.decisions[bot]
    return sums.nanoseconds[bot] / decisions / 1e9 if decisions else None


def _habits(sums: Sums, bot: int) -> dict[str, int]:
    rows = [by_seat[who.index(bot)] for (_, who, _), by_seat in sums.habits_by_seat().items()]
    return by_name(map(sum, zip(*rows, strict=True)) if rows else [0] * len(COUNTERS))
