"""Ratings of players who met in pairs: what they are, how sure they are, and what stands out."""

from itertools import combinations
from math import sqrt
from random import Random

import pytest

from poker_actors.sim.judging import Estimates, judge, simultaneous
from poker_actors.sim.ranking import Paired, paired_estimates, residuals_of


def met(one: int, other: int, mean: float, hands: int = 100, variance: float = 25.0) -> Paired:
    return Paired(one, other, hands, mean, variance, 49)


def everybody(players: int, rng: Random, truth: list[float], error: float = 5.0) -> list[Paired]:
    return [
        met(one, other, truth[one] - truth[other] + rng.gauss(0, error), variance=error**2)
        for one, other in combinations(range(players), 2)
    ]


def test_the_rating_of_a_round_robin_is_the_mean_of_the_matches() -> None:
    results = [met(0, 1, 30.0), met(0, 2, 10.0), met(1, 2, -50.0)]
    found = paired_estimates(3, results)
    assert found.means == pytest.approx((20.0, -40.0, 20.0))
    # the mean of two matches, each of variance 25
    assert found.variance(0) == pytest.approx(12.5)


def test_two_players_differ_by_their_match() -> None:
    found = paired_estimates(2, [met(0, 1, 7.0)])
    assert found.means == pytest.approx((7.0, -7.0))
    assert found.variance(0) == pytest.approx(25.0)
    assert found.freedom == 49


def test_whoever_has_not_met_is_compared_through_others() -> None:
    found = paired_estimates(3, [met(0, 1, 10.0), met(1, 2, 10.0)])
    assert found.means[0] - found.means[2] == pytest.approx(20.0 * 3 / 2)
    # two matches, each a step; ratings are from the average of the others, half as much again
    assert found.variance(0, 2) == pytest.approx(50.0 * 9 / 4)


def test_more_hands_weigh_more() -> None:
    found = paired_estimates(2, [met(0, 1, 10.0, hands=300), met(0, 1, 2.0, hands=100)])
    assert found.means[0] == pytest.approx(8.0)


def test_a_variance_that_is_unknown_leaves_the_rating() -> None:
    found = paired_estimates(2, [Paired(0, 1, 100, 5.0, None, 0)])
    assert found.means == pytest.approx((5.0, -5.0))
    assert found.covariance is None


def test_without_results_nothing_is_known() -> None:
    found = paired_estimates(3, [])
    assert found.means == (0.0, 0.0, 0.0)
    assert found.covariance is None


@pytest.mark.parametrize("share", [1.0, 0.4])
def test_the_stated_variance_is_that_of_the_ratings(share: float) -> None:
    """The truth is transitive; 400 times; the mean squared error over the stated variance is 1 but for chance."""
    rng = Random(f"variance {share}")
    truth = [rng.gauss(0, 30) for _ in range(10)]
    middle = sum(truth) / 10
    ratio = 0.0
    for _ in range(400):
        results = [each for each in everybody(10, rng, truth) if rng.random() <= share or each.one == 0]
        found = paired_estimates(10, results)
        variance = found.variance(3)
        assert variance is not None
        ratio += (found.means[3] - (truth[3] - middle) * 10 / 9) ** 2 / variance / 400
    assert 0.75 < ratio < 1.25


def test_play_that_is_not_transitive_widens_what_an_incomplete_schedule_says() -> None:
    rng = Random(1)
    truth = [0.0] * 10
    cyclic = [
        met(each.one, each.other, each.mean + rng.gauss(0, 40), variance=25.0)
        for each in everybody(10, rng, truth)
    ]
    whole, part = paired_estimates(10, cyclic), paired_estimates(10, cyclic[:30])
    # of the whole schedule the ratings are the means, however play is: only the matches' own errors count
    assert whole.variance(0) == pytest.approx(25 / 9)
    assert sqrt(part.variance(0) or 0) > 3 * 5 / sqrt(9)


def test_a_residual_is_what_the_ratings_do_not_say() -> None:
    results = [met(one, other, 0.0) for one, other in combinations(range(5), 2)]
    results[3] = met(0, 4, 100.0)
    by_pair = {(each.one, each.other): each for each in residuals_of(5, results)}
    # of 10 matches of 5 players the ratings take 4 in 10 upon themselves
    assert by_pair[0, 4].value == pytest.approx(60.0)
    assert by_pair[0, 4].error == pytest.approx(5 * sqrt(0.6))
    assert max(abs(each.value) for pair, each in by_pair.items() if pair != (0, 4)) == pytest.approx(20.0)


def estimates_of(players: int) -> Estimates:
    rng = Random(players)
    return paired_estimates(players, everybody(players, rng, [rng.gauss(0, 3) for _ in range(players)]))


def test_places_are_the_same_with_arrays_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    estimates = estimates_of(16)  # 120 pairs
    by_arrays = judge(estimates, 1)
    monkeypatch.setattr(simultaneous, "_MANY_PAIRS", 10**9)
    plain = judge(estimates, 1)
    assert by_arrays is not None
    assert plain is not None
    assert by_arrays.ranks == plain.ranks
    assert [pair.p for pair in by_arrays.pairs] == [pair.p for pair in plain.pairs]
    assert by_arrays.critical == pytest.approx(plain.critical)
