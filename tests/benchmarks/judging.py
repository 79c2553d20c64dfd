"""The gain and the cost of removing luck, and the time that statistics add to a match.

Run with ``python tests/benchmarks/judging.py``: ratios of standard deviations, and process milliseconds per hand.
"""

from math import sqrt
from time import process_time

from poker_actors.sim import DEFAULT_BOTS, Duplicate, Form, Match, simulate
from poker_actors.sim.engines import Job, play_hands
from poker_actors.sim.luck import luck_of
from tests.benchmarks.simulation import CALLERS, statistics_cost

HANDS = 20_000
TIMED = 2_000
AT_D333BCD = {"six callers": 23, "default bots": 20}
"""Percent at an older commit: medians of a run alternating with this code (docs/performance.md), not measured here."""


def ratios(bots: tuple[str, ...], form: Form | None = None) -> list[float]:
    """Return, for each bot, the ratio of the standard deviation without luck to the raw one."""
    result = simulate(bots, hands=HANDS, seed=11, form=form, adjust=True)
    assert result.raw is not None
    assert result.corrected is not None
    return [
        sqrt((result.corrected.variance(bot) or 0) / (result.raw.variance(bot) or 1))
        for bot in range(len(bots))
    ]


def milliseconds(bots: tuple[str, ...]) -> float:
    """Return the milliseconds to compute the luck of a hand, once everything is compiled."""
    match = Match.of(bots, hands=TIMED, seed=11)
    hands = [(number, hand) for number, hand, _ in play_hands(Job(match), range(TIMED), [])]
    for number, hand in hands[:200]:
        luck_of(hand, match.tree.rng(number, len(bots)))
    start = process_time()
    for number, hand in hands:
        luck_of(hand, match.tree.rng(number, len(bots)))
    return 1000 * (process_time() - start) / TIMED


def main() -> None:
    """Print the table."""
    for bots in (("tight", "maniac"), ("tight", "loose"), DEFAULT_BOTS):
        found = ", ".join(f"{bot} {ratio:.3f}" for bot, ratio in zip(bots, ratios(bots), strict=True))
        print(f"{len(bots)} seats, sd to raw:  {found};  {milliseconds(bots):.2f} ms a hand")
    found = ", ".join(f"{ratio:.3f}" for ratio in ratios(("tight", "loose"), Duplicate()))
    print(f"tight v loose by deck, sd to raw by deck:  {found}")
    print(
        f"statistics and digest add, six callers:   {statistics_cost(CALLERS):.0%} ({AT_D333BCD['six callers']} % at d333bcd, measured once)"
    )
    print(
        f"statistics and digest add, default bots:  {statistics_cost(DEFAULT_BOTS):.0%} ({AT_D333BCD['default bots']} % at d333bcd, measured once)"
    )


if __name__ == "__main__":
    main()
