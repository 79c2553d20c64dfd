"""The hole cards as luck: nothing is expected of their points."""

from itertools import combinations

import pytest

from poker_actors.cards import parse_cards
from poker_actors.rules import game_named
from poker_actors.sim.luck.chance import chen_half_points, scores


@pytest.mark.parametrize("game", ["holdem", "short-deck"])
def test_the_scores_of_all_pairs_of_a_pack_are_nothing_together(game: str) -> None:
    pack = game_named(game).pack
    points = scores(pack)
    assert sum(points[first << 6 | second] for first, second in combinations(pack, 2)) == 0
    assert all(
        points[first << 6 | second] == points[second << 6 | first] for first, second in combinations(pack, 2)
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
