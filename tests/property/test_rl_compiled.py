"""The compiled table for learners does what the rules do: the same everything, action by action."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from poker_actors.cards import Deck
from poker_actors.learn import LearningTable, Setting
from poker_actors.learn.compiled import CompiledTable
from poker_actors.rules import Stakes

MOST_SEATS = {
    "holdem": 10,
    "limit-holdem": 10,
    "pot-limit-holdem": 10,
    "short-deck": 10,
    "omaha": 6,
    "omaha5": 5,
    "omaha6": 4,
}
"""Of compiled tables."""
FORCED = {
    "blinds": (Stakes(1, 2), Stakes(5, 10), Stakes(0, 3), Stakes(2, 2)),
    "antes": (Stakes(1, 2, ante=1), Stakes(1, 2, big_blind_ante=2), Stakes(0, 4, ante=1, big_blind_ante=3)),
    "straddles": (Stakes(1, 2, straddle=4), Stakes(5, 10, ante=2, straddle=20)),
    "small bets": (Stakes(5, 10, min_bet=3),),
}
"""Straddles are twice the big blind: with fixed limits they have to be."""

SETTINGS = st.builds(
    lambda game, stacks, stakes, sizes, history: Setting(
        len(stacks[: MOST_SEATS[game]]),
        game,
        stakes,
        [
            max(stakes.straddle, stakes.big_blind) + stakes.ante + stakes.big_blind_ante + x
            for x in stacks[: MOST_SEATS[game]]
        ],
        sizes,
        history,
    ),
    st.sampled_from(list(MOST_SEATS)),
    st.lists(st.integers(1, 60) | st.integers(1, 600), min_size=2, max_size=10),
    st.sampled_from([stakes for group in FORCED.values() for stakes in group]),
    st.sampled_from([None, ("min", 0.5, 1.0, "all-in"), (0.33, 2.5)]),
    st.sampled_from([0, 3, 64]),
)
ACTIONS = st.lists(st.sampled_from([1, 1, 1, 2, 2, 3, 4, 5, 0, 9, -1]), max_size=80)


@settings(max_examples=60)
@given(SETTINGS, st.integers(0, 1000), ACTIONS, st.floats(0, 400, width=32))
def test_compiled_hands_are_the_hands_of_the_rules(
    setting: Setting, seed: int, actions: list[int], asked: float
) -> None:
    assert setting.compiles
    plain, fast = LearningTable(setting), CompiledTable(setting)
    for table in (plain, fast):
        table.seed(seed)
        table.begin()
    compare(plain, fast)
    for action in actions:
        if plain.active < 0:
            plain.begin()
            fast.begin()
            compare(plain, fast)
        continuous = setting.sizes is None and action == 2
        taken = np.array([action, asked], np.float32) if continuous else action
        plain.act(taken)
        fast.act(taken)
        compare(plain, fast)


def compare(plain: LearningTable, fast: CompiledTable) -> None:
    assert fast.active == plain.active
    assert fast.illegal == plain.illegal
    assert fast.number == plain.number
    for seat in range(plain.setting.players):
        assert fast.mask(seat).tolist() == plain.mask(seat).tolist()
        assert np.array_equal(fast.observation(seat), plain.observation(seat))
    assert fast.hand == plain.hand
    assert fast.rewards() == plain.rewards() or plain.active >= 0


@given(st.integers(0, 10_000))
def test_split_pots_have_their_odd_chips_in_the_same_seats(seed: int) -> None:
    setting = Setting(3, stakes="1/3", stacks=90, raise_sizes=("min",))
    plain, fast = LearningTable(setting), CompiledTable(setting)
    others = [card for card in Deck.seeded(seed).draw(52) if str(card) not in "AsKsQsJsTs"]
    for number in range(3):
        for table in (plain, fast):
            table.seed(number)
            for _ in range(number + 1):
                table.begin(Deck.stacked([others[:2], others[2:4], others[4:6]], "AsKsQsJsTs"))
        folded = False
        while plain.active >= 0:
            action = 1 if folded or plain.active != 1 else 0
            folded = folded or action == 0
            plain.act(action)
            fast.act(action)
        assert fast.rewards() == plain.rewards()


def test_more_than_a_thousand_big_blinds_and_other_games_are_left_to_the_rules() -> None:
    assert not Setting(stacks=2_002).compiles
    assert Setting(stakes=Stakes(1, 2, ante=1)).compiles
    assert Setting(6, game="omaha").compiles
    assert not Setting(7, game="omaha").compiles
    assert not Setting(game="omaha8").compiles
    assert not Setting(raise_sizes=[0.01 * size for size in range(1, 23)]).compiles
    assert Setting(stacks=2_000).compiles
