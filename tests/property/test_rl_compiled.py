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

SETTINGS = st.builds(
    lambda game, stacks, blinds, sizes, history: Setting(
        len(stacks),
        game,
        f"{blinds[0]}/{blinds[1]}",
        [blinds[1] + stack for stack in stacks],
        sizes,
        history,
    ),
    st.sampled_from(["holdem", "limit-holdem"]),
    st.lists(st.integers(1, 60) | st.integers(1, 600), min_size=2, max_size=6),
    st.sampled_from([(1, 2), (5, 10), (0, 3), (2, 2)]),
    st.sampled_from([None, ("min", 0.5, 1.0, "all-in"), (0.33, 2.5)]),
    st.sampled_from([0, 3, 64]),
)
ACTIONS = st.lists(st.sampled_from([1, 1, 1, 2, 2, 3, 4, 5, 0, 9, -1]), max_size=80)


@settings(max_examples=150)
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


def test_more_than_a_thousand_big_blinds_antes_and_other_games_are_left_to_the_rules() -> None:
    from poker_actors.rules import Stakes

    assert not Setting(stacks=2_002).compiles
    assert not Setting(stakes=Stakes(1, 2, ante=1)).compiles
    assert not Setting(game="omaha").compiles
    assert not Setting(raise_sizes=[0.01 * size for size in range(1, 23)]).compiles
    assert Setting(stacks=2_000).compiles
