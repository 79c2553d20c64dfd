"""The independent chip model: exact values against known ones and brute force, estimates against exact ones."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.errors import BadSpec
from poker_actors.sim.tournaments import icm, icm_sampled


@pytest.mark.parametrize(
    ("stacks", "prizes", "values"),
    [
        ((5000, 3000, 2000), (50, 30, 20), (38.39, 32.75, 28.86)),
        ((5000, 3000, 1500, 500), (500, 300, 200), (377.78, 312.89, 225.60, 83.73)),
        ((50, 30, 20), (70, 30), (45.18, 32.25, 22.57)),
        ((60_000, 30_000, 10_000), (500, 300, 200), (412.38, 338.33, 249.29)),
        ((1, 1, 1, 1), (65, 35), (25, 25, 25, 25)),
        ((10_000, 1), (100,), (99.99, 0.01)),
        ((7,), (100, 50), (100,)),
    ],
)
def test_known_values_come_out(
    stacks: tuple[int, ...], prizes: tuple[int, ...], values: tuple[float, ...]
) -> None:
    assert [round(value, 2) for value in icm(stacks, prizes).values] == list(values)


def by_orders(stacks: list[int], prizes: list[int]) -> list[Fraction]:
    """What the model says, order by order."""
    values = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        probability, left = Fraction(1), sum(stacks)
        for player in order:
            probability *= Fraction(stacks[player], left)
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            values[player] += probability * prize
    return values


@given(
    st.lists(st.integers(1, 100_000), min_size=1, max_size=6),
    st.lists(st.integers(0, 10_000), max_size=7).map(lambda prizes: sorted(prizes, reverse=True)),
)
@settings(max_examples=80, deadline=None)
def test_sets_give_what_counting_every_order_gives(stacks: list[int], prizes: list[int]) -> None:
    estimate = icm(stacks, prizes)
    assert estimate.exact
    assert estimate.values == pytest.approx([float(value) for value in by_orders(stacks, prizes)])


def test_fifteen_players_are_counted_exactly_and_get_the_whole_pool() -> None:
    estimate = icm(range(100, 1600, 100), range(1500, 0, -100))
    assert estimate.exact
    assert sum(estimate.values) == pytest.approx(sum(range(100, 1600, 100)))
    assert list(estimate.values) == sorted(estimate.values)


def test_more_players_are_estimated_with_their_error() -> None:
    estimate = icm(range(100, 1700, 100), (500, 300, 200), samples=2000, seed=1)
    assert not estimate.exact
    assert estimate.samples == 2000
    assert all(error > 0 for error in estimate.errors)
    assert sum(estimate.values) == pytest.approx(1000)


def test_an_estimate_is_within_its_error_of_the_exact_value() -> None:
    stacks, prizes = (9000, 4000, 2500, 2500, 1200, 500, 300), (500, 300, 150, 50)
    exact = icm(stacks, prizes).values
    found = icm_sampled(stacks, prizes, samples=8000, seed=7)
    distances = [
        abs(value - truth) / error
        for value, truth, error in zip(found.values, exact, found.errors, strict=True)
    ]
    assert max(distances) < 4
    assert max(distances) > 0.01


def test_an_estimate_is_the_same_for_the_same_seed() -> None:
    stacks = tuple(range(1, 30))
    one, two, other = (icm_sampled(stacks, (10, 5), samples=100, seed=seed) for seed in (1, 1, 2))
    assert one == two != other


def test_who_has_no_chips_shares_what_is_left_for_the_last_places() -> None:
    estimate = icm((3000, 0, 1000, 0), (50, 25, 15, 9))
    assert estimate.values[1] == estimate.values[3] == 12
    assert sum(estimate.values) == pytest.approx(99)


@pytest.mark.parametrize(
    ("stacks", "prizes", "message"),
    [
        ((0, 0), (1,), "nobody has chips"),
        ((-1, 5), (1,), "stack 0 is -1"),
        ((1, 2), (1.5,), "the prize of place 1 is 1.5"),
    ],
)
def test_what_cannot_be_weighed_is_refused(
    stacks: tuple[int, ...], prizes: tuple[int, ...], message: str
) -> None:
    with pytest.raises(BadSpec, match=message):
        icm(stacks, prizes)
