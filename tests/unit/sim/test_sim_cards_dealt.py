"""The hole cards as a control variate: nothing is expected of them, and they explain some of the results."""

import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from poker_actors.cards import parse_cards
from poker_actors.rules import game_named
from poker_actors.sim import Duplicate, SimulationResult, simulate
from poker_actors.sim.intervals import controlled, estimate
from poker_actors.sim.statistics.cards_dealt import _scores, chen_half_points


@pytest.mark.parametrize("game", ["holdem", "short-deck"])
def test_the_scores_of_all_pairs_of_a_pack_are_nothing_together(game: str) -> None:
    pack = game_named(game).pack
    scores = _scores(pack)
    assert sum(scores[first << 6 | second] for first, second in combinations(pack, 2)) == 0
    assert all(
        scores[first << 6 | second] == scores[second << 6 | first] for first, second in combinations(pack, 2)
    )


@pytest.mark.parametrize(
    ("hole", "points"),
    [
        ("AsAh", 20),
        ("AsKs", 12),
        ("TcTs", 10),
        ("5d5c", 5),
        ("2c2d", 5),
        ("JhTh", 9),
        ("5d7d", 5.5),
        ("7c2d", 0),
    ],
)
def test_cards_have_the_points_of_the_formula(hole: str, points: float) -> None:
    first, second = parse_cards(hole)
    assert chen_half_points(first, second) == chen_half_points(second, first) == 2 * points


def sums(results: list[int], own: list[int], others: list[int]) -> tuple[int, int, list[int]]:
    def products(one: list[int], other: list[int]) -> int:
        return sum(a * b for a, b in zip(one, other, strict=True))

    variates = [sum(own), sum(others), products(own, own), products(own, others), products(others, others)]
    variates += [products(own, results), products(others, results)]
    return sum(results), products(results, results), variates


def drawn(rng: random.Random, count: int) -> tuple[list[int], list[int], list[int]]:
    own = [rng.randrange(-50, 51) for _ in range(count)]
    others = [rng.randrange(-50, 51) for _ in range(count)]
    return [3 * a - b + rng.randrange(-60, 61) for a, b in zip(own, others, strict=True)], own, others


def test_the_estimate_is_the_constant_of_a_regression() -> None:
    results, own, others = drawn(random.Random(1), 400)
    found = controlled(400, *sums(results, own, others))
    design = np.column_stack([np.ones(400), own, others])
    solved, left, *_ = np.linalg.lstsq(design, np.array(results), rcond=None)
    assert found.mean == pytest.approx(float(solved[0]))
    assert found.margin == pytest.approx(1.966 * (float(left[0]) / 397 / 400) ** 0.5, rel=1e-3)


def test_the_interval_holds_the_truth_as_often_as_it_says_and_is_narrower() -> None:
    rng = random.Random(3)
    held = 0
    for _ in range(500):
        results, own, others = drawn(rng, 60)
        found = controlled(60, *sums(results, own, others))
        low, high = found.interval or (1, 1)
        held += low <= 0 <= high
        assert (found.margin or 9) < (estimate(60, *sums(results, own, others)[:2]).margin or 0)
    # 95 % give or take three standard deviations
    assert 460 <= held <= 490


def test_variates_that_say_the_same_count_once() -> None:
    results, own, _ = drawn(random.Random(1), 100)
    found = controlled(100, *sums(results, own, [5 * each for each in own]))
    design = np.column_stack([np.ones(100), own])
    assert found.mean == pytest.approx(float(np.linalg.lstsq(design, np.array(results), rcond=None)[0][0]))
    plain = estimate(100, *sums(results, own, own)[:2])
    constant = controlled(100, *sums(results, [0] * 100, [0] * 100))
    assert constant.mean == pytest.approx(plain.mean)
    assert constant.margin == pytest.approx(plain.margin, rel=0.02)


def test_too_few_results_are_left_as_they_are() -> None:
    results, own, others = drawn(random.Random(1), 5)
    assert controlled(5, *sums(results, own, others)) == estimate(5, *sums(results, own, others)[:2])


def test_taking_the_luck_of_the_cards_out_narrows_what_the_adjustment_has_left(tmp_path: Path) -> None:
    result = simulate(["tight", "maniac"], hands=1500, seed=11, adjust=True)
    for player in result.players:
        adjusted, found = player.bb_per_100_adjusted, player.bb_per_100_controlled
        assert adjusted is not None
        assert found is not None
        assert found.margin is not None
        assert found.margin < 0.97 * (adjusted.margin or 0)
        assert abs(found.mean - adjusted.mean) < (adjusted.margin or 0)
    assert any("the luck of the hole cards" in line for line in result.remarks)
    result.save(tmp_path / "result.json")
    assert SimulationResult.load(tmp_path / "result.json") == result


def test_where_everybody_gets_every_hand_the_two_variates_are_one() -> None:
    result = simulate(["tight", "caller"], hands=400, seed=11, form=Duplicate(), adjust=True)
    found, adjusted = result.players[0].bb_per_100_controlled, result.players[0].bb_per_100_adjusted
    assert found is not None
    assert adjusted is not None
    assert found.margin is not None
    assert found.margin <= 1.02 * (adjusted.margin or 0)


def test_games_whose_cards_have_no_points_have_no_such_estimate() -> None:
    result = simulate(["random", "caller"], hands=20, seed=1, game="omaha", adjust=True)
    assert result.players[0].bb_per_100_adjusted is not None
    assert result.players[0].bb_per_100_controlled is None
    assert simulate(["random", "caller"], hands=20, seed=1).players[0].bb_per_100_controlled is None
