"""From sums to a result."""

from __future__ import annotations

from itertools import accumulate

from poker_actors.sim.engines import Job
from poker_actors.sim.intervals import Estimate, controlled, estimate
from poker_actors.sim.record import digest_text
from poker_actors.sim.results.player import PlayerResult, PositionResult
from poker_actors.sim.results.positions import positions_by_bot
from poker_actors.sim.results.result import SimulationResult
from poker_actors.sim.statistics import MILLI, Sums, unpacked

__all__ = ["result_of"]


def result_of(job: Job, sums: Sums, seconds: float) -> SimulationResult:
    """Work the figures out of the sums."""
    match = job.match
    places = positions_by_bot(sums)
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
        players=tuple(_player(job, sums, bot, places[bot]) for bot in range(sums.size)),
        hands_asked=match.hands,
        stretches=tuple(sums.stretches[point] for point in sorted(sums.curve)),
    )


def _big_blind(job: Job) -> int:
    return job.match.stakes.big_blind or job.match.stakes.min_bet


def _player(job: Job, sums: Sums, bot: int, positions: tuple[PositionResult, ...]) -> PlayerResult:
    scale = 100 / _big_blind(job)
    net = sums.net[bot]
    counts = _habits(sums, bot)
    return PlayerResult(
        seat=bot,
        bot=str(job.match.bots[bot]),
        hands=counts["hands"],
        net_chips=net,
        bb_per_100=estimate(sums.hands, net, sums.squares[bot]).scaled(scale),
        bb_per_100_by_unit=_by_unit(sums, bot, job.match.unit, scale),
        bb_per_100_adjusted=_adjusted(job, sums, bot, scale),
        bb_per_100_controlled=_controlled(job, sums, bot, scale),
        counts=counts,
        faults=sums.faults[bot],
        curve=tuple(accumulate(sums.curve[point][bot] for point in sorted(sums.curve))),
        positions=positions,
        seconds_per_decision=sums.nanoseconds[bot] / sums.decisions[bot] / 1e9
        if sums.decisions[bot]
        else None,
    )


def _by_unit(sums: Sums, bot: int, unit: int, scale: float) -> Estimate | None:
    if unit == 1:
        return None
    return estimate(sums.units, sums.net[bot], sums.unit_squares[bot]).scaled(scale / unit)


def _adjusted(job: Job, sums: Sums, bot: int, scale: float) -> Estimate | None:
    if not job.adjust:
        return None
    unit = job.match.unit
    found = estimate(sums.hands // unit, sums.expected[bot], sums.expected_squares[bot])
    return found.scaled(scale / unit / MILLI)


def _controlled(job: Job, sums: Sums, bot: int, scale: float) -> Estimate | None:
    if bot not in sums.cards_dealt:
        return None
    unit = job.match.unit
    found = controlled(
        sums.hands // unit, sums.expected[bot], sums.expected_squares[bot], sums.cards_dealt[bot]
    )
    return found.scaled(scale / unit / MILLI)


def _habits(sums: Sums, bot: int) -> dict[str, int]:
    return unpacked(sum(row[who.index(bot)] for (_, who, _), row in sums.habits.items()))
