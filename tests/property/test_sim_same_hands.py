"""The same seed plays the same hands: alone or in a match, by whatever driver."""

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.rules.log import CALLED, kind_of, seat_of
from poker_actors.sim import DEFAULT_BOTS, Match, play_hand, simulate
from poker_actors.sim.drivers import DRIVERS
from poker_actors.sim.engines import Job, play_block
from poker_actors.sim.record import digest_text, hand_digest
from poker_actors.sim.statistics import Sums, Tally

NAMES = [
    "caller",
    "folder",
    "random",
    "tight",
    "loose",
    "pot-odds",
    "maniac",
    "scripted:actions=bet 3/raise_to 7",
]
SEATS = st.lists(st.sampled_from(NAMES), min_size=2, max_size=6)
STACKS = st.integers(1, 300)
GAMES = st.sampled_from(["holdem", "limit-holdem", "omaha", "short-deck"])


@given(SEATS, st.integers(), STACKS, GAMES)
def test_hand_k_alone_is_hand_k_of_the_match(bots: list[str], seed: int, stack: int, game: str) -> None:
    match = Match.of(bots, hands=12, seed=seed, stacks=stack, game=game)
    alone = sum(hand_digest(number, play_hand(match, number)[0]) for number in reversed(range(12)))
    result = simulate(bots, hands=12, seed=seed, stacks=stack, game=game)
    assert digest_text(alone) == result.digest
    assert result.chips_in == result.chips_out == 12 * stack * len(bots)
    assert sum(player.net_chips for player in result.players) == 0


@given(SEATS, st.integers(), st.lists(st.integers(0, 40), min_size=1, max_size=5))
def test_any_split_of_the_hands_adds_up_to_the_same(bots: list[str], seed: int, cuts: list[int]) -> None:
    match = Match.of(bots, hands=40, seed=seed)
    ends = sorted({0, 40, *cuts})
    parts = [sums for start, end in pairwise(ends) for sums in play_block(Job(match), range(start, end))]
    total, whole = Sums(len(bots)), Sums(len(bots))
    for part in reversed(parts):
        total.add(part)
    for part in play_block(Job(match), range(40)):
        whole.add(part)
    assert _numbers(total) == _numbers(whole)


def _numbers(sums: Sums) -> tuple[object, ...]:
    return (
        sums.hands,
        sums.digest % 2**128,
        sums.chips_out,
        sums.moments,
        sums.fourths,
        sums.largest,
        sums.net,
        sums.curve,
        sums.habits,
        sums.blocks,
    )


@settings(max_examples=15)
@given(SEATS, st.integers(), st.sampled_from(["200", "7", "90,35"]), GAMES)
def test_the_stepper_plays_the_hands_of_the_direct_driver(
    bots: list[str], seed: int, stacks: str, game: str
) -> None:
    chips = (
        stacks if "," not in stacks else ",".join([stacks.split(",")[seat % 2] for seat in range(len(bots))])
    )
    direct, stepper = (
        simulate(bots, hands=25, seed=seed, stacks=chips, game=game, driver=driver)
        for driver in ("direct", "stepper")
    )
    assert direct == stepper


@pytest.mark.parametrize("stacks", ["100bb", "200,150,90,30,8,1000"])
@pytest.mark.parametrize("driver", sorted(DRIVERS))
def test_every_driver_plays_the_same_hands(driver: str, stacks: str) -> None:
    result = simulate(hands=60, seed=7, stacks=stacks, driver=driver)
    assert result == simulate(hands=60, seed=7, stacks=stacks)
    assert result.driver == driver
    assert result.hands == 60


def test_faults_are_counted_alike_by_every_driver() -> None:
    def wild(view: object) -> object:
        raise ValueError("never again")

    bots: list[Any] = [wild, lambda view: 5, "scripted:actions=raise_to 3", "caller"]
    results = [simulate(bots, hands=40, seed=1, driver=driver) for driver in DRIVERS]
    first = results[0]
    assert all(result == first for result in results)
    assert first.players[0].faults.raised > 30
    assert first.players[0].faults.first == "raised ValueError: never again"
    assert first.players[1].faults.nonsense > 30
    assert first.players[2].faults.illegal > 10
    assert first.players[3].illegal_actions == 0


def test_a_result_is_worked_out_of_the_hands() -> None:
    match = Match.of(DEFAULT_BOTS, hands=300, seed=9)
    hands = [play_hand(match, number)[0] for number in range(300)]
    result = simulate(hands=300, seed=9)
    for seat, player in enumerate(result.players):
        payoffs = [hand.payoffs[seat] for hand in hands]
        mean = sum(payoffs) / 300
        spread = math.sqrt(sum((chips - mean) ** 2 for chips in payoffs) / 299)
        assert player.net_chips == sum(payoffs) == player.curve[-1]
        assert player.bb_per_100.mean == pytest.approx(mean * 50)
        assert player.bb_per_100.margin == pytest.approx(1.9679 * spread / math.sqrt(300) * 50, rel=1e-4)
        assert player.hands == 300
        assert player.all_ins == sum(seat in hand.live and seat not in hand.can_bet for hand in hands)
        assert player.counts["showdowns"] == sum(
            hand.strengths is not None and seat in hand.live for hand in hands
        )
        assert player.vpip.count == sum(
            _entered(hand.log[: [*hand.marks, len(hand.log)][1]], seat) for hand in hands
        )


def _entered(preflop: list[int], seat: int) -> bool:
    return any(seat_of(entry) == seat and kind_of(entry) >= CALLED for entry in preflop)


def test_a_tally_that_hands_over_starts_again_from_nothing() -> None:
    match = Match.of(DEFAULT_BOTS, hands=10, seed=9)
    tally = Tally(6, 1)
    tally.count(0, *play_hand(match, 0))
    first = tally.take()
    tally.count(1, *play_hand(match, 1))
    second = tally.take()
    assert first.hands == second.hands == 1
    assert first.digest != second.digest
    assert sum(first.net) == sum(second.net) == 0
