"""Prizes are whole, fall from place to place and add up to the pool."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.errors import BadSpec
from poker_actors.sim.tournaments import prizes, shared, shares_for

SHARES = st.lists(st.integers(1, 1000), min_size=1, max_size=30).map(
    lambda shares: sorted(shares, reverse=True)
)


@given(st.integers(0, 10**9), SHARES, st.sampled_from((1, 5, 10, 100)))
def test_prizes_add_up_to_the_pool(pool: int, shares: list[int], unit: int) -> None:
    amounts = prizes(pool, shares, unit)
    assert sum(amounts) == pool
    assert len(amounts) == len(shares)
    assert min(amounts) >= 0


@given(st.integers(0, 10**9), SHARES, st.sampled_from((1, 5, 10, 100)))
def test_no_place_is_paid_more_than_the_one_before(pool: int, shares: list[int], unit: int) -> None:
    amounts = prizes(pool, shares, unit)
    assert list(amounts) == sorted(amounts, reverse=True)
    assert all(amount % unit == 0 for amount in amounts[1:])


@given(st.lists(st.integers(0, 10**6), max_size=9), st.integers(1, 9))
def test_a_shared_prize_is_divided_to_the_last_unit(amounts: list[int], among: int) -> None:
    parts = shared(amounts, among)
    assert sum(parts) == sum(amounts)
    assert max(parts) - min(parts) <= 1


@pytest.mark.parametrize(
    ("entries", "shares"),
    [(2, (100,)), (6, (65, 35)), (9, (50, 30, 20)), (18, (40, 25, 20, 15)), (1, (100,))],
)
def test_small_fields_pay_what_sit_and_gos_pay(entries: int, shares: tuple[int, ...]) -> None:
    assert shares_for(entries) == shares


@given(st.integers(1, 3000))
def test_every_field_pays_some_of_its_players_and_the_first_most(entries: int) -> None:
    shares = shares_for(entries)
    assert 1 <= len(shares) <= entries
    assert list(shares) == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("pool", "shares", "message"),
    [
        (100, (), "no place is paid"),
        (100, (30, 50), "place 2 gets 50"),
        (100, (50, 0), "the share of place 2 is 0"),
        (-1, (1,), "the prize pool is -1"),
    ],
)
def test_shares_that_cannot_be_are_refused(pool: int, shares: tuple[int, ...], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        prizes(pool, shares)
