"""Intervals from sums, against the textbook."""

import math
import random
import statistics

import pytest

from poker_actors.sim.intervals import estimate, t_quantile


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (5, 2.5706), (6, 2.4469), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=1e-4)


def test_an_estimate_is_mean_and_students_margin() -> None:
    results = [random.Random(1).randrange(-200, 200) for _ in range(50)]
    found = estimate(50, sum(results), sum(x * x for x in results))
    assert found.mean == pytest.approx(statistics.mean(results))
    assert found.margin == pytest.approx(t_quantile(49) * statistics.stdev(results) / math.sqrt(50))
    assert found.interval == (found.mean - found.margin, found.mean + found.margin)  # type: ignore[operator]


def test_nothing_cancels_with_large_chips() -> None:
    found = estimate(3, 3 * 10**12 + 3, 3 * 10**24 + 6 * 10**12 + 5)
    assert found.margin == pytest.approx(t_quantile(2) * 1 / math.sqrt(3))


@pytest.mark.parametrize("count", [0, 1])
def test_with_less_than_two_results_there_is_no_margin(count: int) -> None:
    found = estimate(count, 5 * count, 25 * count)
    assert (found.mean, found.margin, found.interval) == (5.0 * count, None, None)
    assert found.scaled(2).margin is None


def test_scaling_changes_the_unit() -> None:
    found = estimate(4, 8, 20).scaled(-50)
    assert found.mean == -100
    assert found.margin == pytest.approx(50 * (estimate(4, 8, 20).margin or 0))


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(3)
    held = 0
    for _ in range(1000):
        results = [rng.randrange(7) for _ in range(20)]
        low, high = estimate(20, sum(results), sum(x * x for x in results)).interval or (9, 9)
        held += low <= 3 <= high
    # 95 % give or take three standard deviations
    assert 929 <= held <= 971
