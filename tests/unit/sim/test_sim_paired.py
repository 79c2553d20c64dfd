"""Ratings of players who met in pairs: what they are, how sure they are, and what stands out."""

from itertools import combinations
from math import sqrt
from random import Random

import pytest

from poker_actors.sim.judging import Estimates, judge, simultaneous
from poker_actors.sim.ranking import Fit, TableResult, paired_estimates, residuals_of


def met(one: int, other: int, mean: float, hands: int = 100, variance: float = 25.0) -> TableResult:
    covariance = ((variance, -variance), (-variance, variance))
    return TableResult((one, other), hands, (mean, -mean), covariance, 49)


def everybody(players: int, rng: Random, truth: list[float], error: float = 5.0) -> list[TableResult]:
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
    found = paired_estimates(2, [TableResult((0, 1), 100, (5.0, -5.0), None, 0)])
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
        results = [each for each in everybody(10, rng, truth) if rng.random() <= share or 0 in each.players]
        found = paired_estimates(10, results)
        variance = found.variance(3)
        assert variance is not None
        ratio += (found.means[3] - (truth[3] - middle) * 10 / 9) ** 2 / variance / 400
    assert 0.75 < ratio < 1.25


def test_play_that_is_not_transitive_widens_what_an_incomplete_schedule_says() -> None:
    rng = Random(1)
    truth = [0.0] * 10
    cyclic = [
        met(each.players[0], each.players[1], each.means[0] + rng.gauss(0, 40), variance=25.0)
        for each in everybody(10, rng, truth)
    ]
    whole, part = paired_estimates(10, cyclic), paired_estimates(10, cyclic[:30])
    # of the whole schedule the ratings are the means, however play is: only the matches' own errors count
    assert whole.variance(0) == pytest.approx(25 / 9)
    assert sqrt(part.variance(0) or 0) > 3 * 5 / sqrt(9)


def test_ratings_are_drawn_in_where_results_decided_who_met_whom_and_not_once_all_have_met() -> None:
    rng = Random(2)
    truth = [rng.gauss(0, 30) for _ in range(10)]
    results = everybody(10, rng, truth)
    assert paired_estimates(10, results, by_results=True) == paired_estimates(10, results)
    few = [each for each in results if sum(each.players) % 3 == 0]
    plain, near = paired_estimates(10, few), paired_estimates(10, few, by_results=True)
    assert sum(near.means) == pytest.approx(0, abs=1e-9)
    # by less than their error: the strengths spread six times as far as that
    for one, other in zip(plain.means, near.means, strict=True):
        assert abs(one - other) < 5
    assert sum(map(abs, near.means)) < sum(map(abs, plain.means))
    # nothing is known of equals, nor of results without an error
    level = [met(one, other, 0.0) for one, other in ((0, 1), (1, 2), (2, 3))]
    assert paired_estimates(4, level, by_results=True) == paired_estimates(4, level)
    sure = [met(one, other, 9.0, variance=0.0) for one, other in ((0, 1), (1, 2), (2, 3))]
    assert paired_estimates(4, sure, by_results=True) == paired_estimates(4, sure)


def test_ratings_are_not_drawn_in_where_an_error_is_unknown() -> None:
    results = [met(0, 1, 5.0), TableResult((1, 2), 100, (5.0, -5.0), None, 0)]
    found = paired_estimates(3, results, by_results=True)
    assert found == paired_estimates(3, results)
    assert found.covariance is None
    assert Fit(3, results).difference(0, 1) is None
    assert [(each.one, each.other) for each in residuals_of(3, results)] == [(0, 1)]


@pytest.mark.parametrize("size", [2, 4])
def test_a_match_that_goes_against_all_others_widens_what_is_said_of_its_players(size: int) -> None:
    rng = Random(7)
    tables = [tuple(rng.sample(range(10), size)) for _ in range(30)]
    truth = [rng.gauss(0, 30) for _ in range(10)]

    def result(there: tuple[int, ...], upset: float) -> TableResult:
        middle = sum(truth[each] for each in there) / size
        means = [size / (size - 1) * (truth[each] - middle) for each in there]
        means[0] += upset
        means[1] -= upset
        unit = 25 * size / 2 / (size - 1)
        covariance = tuple(
            tuple(unit * ((one == other) - 1 / size) for other in range(size)) for one in range(size)
        )
        return TableResult(there, 100, tuple(means), covariance, 99)

    def errors(upset: float) -> list[float]:
        results = [result(each, upset * (at == 3)) for at, each in enumerate(tables)]
        found = paired_estimates(10, results, by_results=True)
        return [sqrt(found.variance(player) or 0.0) for player in range(10)]

    wider = [after / before for before, after in zip(errors(0.0), errors(100.0), strict=True)]
    others = [wider[player] for player in range(10) if player not in tables[3]]
    # all of them because play is not transitive, these two because theirs is not
    assert min(others) > 1.5
    assert min(wider[player] for player in tables[3][:2]) > 1.2 * sum(others) / len(others)


def test_a_residual_is_what_the_ratings_do_not_say() -> None:
    results = [met(one, other, 0.0) for one, other in combinations(range(5), 2)]
    results[3] = met(0, 4, 100.0)
    by_pair = {(each.one, each.other): each for each in residuals_of(5, results)}
    # of 10 matches of 5 players the ratings take 4 in 10 upon themselves
    assert by_pair[0, 4].value == pytest.approx(60.0)
    assert by_pair[0, 4].error == pytest.approx(5 * sqrt(0.6))
    assert max(abs(each.value) for pair, each in by_pair.items() if pair != (0, 4)) == pytest.approx(20.0)


def at_tables(players: int, rng: Random, truth: list[float], tables: int) -> list[TableResult]:
    """Results of tables of four, each player's with a standard error of 5 before they are made to add up to 0."""
    found = []
    for _ in range(tables):
        there = tuple(rng.sample(range(players), 4))
        errors = [rng.gauss(0, 5) for _ in there]
        middle, error = sum(truth[player] for player in there) / 4, sum(errors) / 4
        means = tuple(
            4 / 3 * (truth[player] - middle) + each - error
            for player, each in zip(there, errors, strict=True)
        )
        covariance = tuple(tuple(25 * ((one == other) - 1 / 4) for other in range(4)) for one in range(4))
        found.append(TableResult(there, 100, means, covariance, 99))
    return found


def test_the_stated_variance_is_that_of_the_ratings_at_larger_tables() -> None:
    rng = Random("tables")
    truth = [rng.gauss(0, 30) for _ in range(8)]
    middle = sum(truth) / 8
    ratio = pair = 0.0
    for _ in range(400):
        fit = Fit(8, at_tables(8, rng, truth, 14))
        found = fit.estimates()
        variance, apart = found.variance(3), found.variance(3, 5)
        assert variance is not None
        assert apart is not None
        known = fit.difference(3, 5)
        assert known is not None
        assert known[0] == pytest.approx(apart)
        ratio += (found.means[3] - (truth[3] - middle) * 8 / 7) ** 2 / variance / 400
        pair += (found.means[3] - found.means[5] - (truth[3] - truth[5]) * 8 / 7) ** 2 / apart / 400
    assert 0.75 < ratio < 1.25
    assert 0.75 < pair < 1.25


def test_a_rating_at_larger_tables_is_what_the_table_says_where_it_is_one() -> None:
    found = paired_estimates(3, [TableResult((0, 1, 2), 90, (9.0, -3.0, -6.0), None, 0)])
    assert found.means == pytest.approx((9.0, -3.0, -6.0))


def test_chips_given_away_at_tables_of_many_are_a_residual_of_the_two() -> None:
    rng = Random(5)
    results = []
    for each in at_tables(8, rng, [0.0] * 8, 40):
        given = {0: -80.0, 1: 80.0} if {0, 1} <= {*each.players} else {}
        means = tuple(
            mean + given.get(player, 0.0) for player, mean in zip(each.players, each.means, strict=True)
        )
        results.append(TableResult(each.players, each.hands, means, each.covariance, each.freedom))
    found = {(each.one, each.other): each for each in residuals_of(8, results)}
    worst = max(found, key=lambda pair: abs(found[pair].value) / found[pair].error)
    assert worst == (0, 1)
    assert found[worst].value < -40


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
