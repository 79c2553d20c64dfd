"""The environments pass the tests of the libraries they are for, and say what they promise."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import attrs
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, MissingExtra, UnknownBot
from poker_actors.learn import DEFAULT_SIZES, LearningTable, Setting, env, seat_env
from poker_actors.rules import Hand, Stakes

Row = NDArray[np.float32]

KINDS: dict[str, dict[str, Any]] = {
    "sizes": {"raise_sizes": DEFAULT_SIZES},
    "plain": {"raise_sizes": DEFAULT_SIZES, "compiled": False},
    "continuous": {},
    "continuous-plain": {"compiled": False},
    "six": {"players": 6, "raise_sizes": (0.5, "all-in"), "stacks": [100, 30, 200, 57, 80, 1000]},
    "limit": {"players": 3, "game": "limit-holdem", "raise_sizes": ("min",)},
    "omaha": {"players": 4, "game": "omaha", "history": 3, "stakes": "5/10"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_pettingzoos_own_tests_pass_without_a_warning(kind: str) -> None:
    api_test(env(**KINDS[kind]), num_cycles=300)
    seed_test(lambda: env(**KINDS[kind]), num_cycles=100)


@pytest.mark.parametrize("kind", KINDS)
def test_played_in_parallel_pettingzoos_test_passes(kind: str) -> None:
    parallel_api_test(turn_based_aec_to_parallel(env(**KINDS[kind])), num_cycles=200)


@pytest.mark.parametrize("kind", KINDS)
def test_gymnasiums_own_check_passes(kind: str) -> None:
    setting = {name: value for name, value in KINDS[kind].items() if name != "compiled"}
    opponents = ["random", "caller", "tight", "loose", "maniac"][: setting.pop("players", 2) - 1]
    with warnings.catch_warnings():
        # advice for box actions, which are chips here and not between -1 and 1
        warnings.filterwarnings("ignore", ".*we recommend using a symmetric and normalized space.*")
        check_env(seat_env(opponents, **setting), skip_render_check=True)


def steps(seed: int, hands: int) -> Iterator[tuple[object, ...]]:
    """Everything seen and paid in some hands, one step at a time, actions chosen by a generator of their own."""
    environment = env(raise_sizes=DEFAULT_SIZES)
    luck = random.Random(seed)
    for hand in range(hands):
        environment.reset(seed=seed if hand == 0 else None)
        for agent in environment.agent_iter():
            row, reward, over, _, info = environment.last()
            yield (agent, row.tobytes(), reward, over)
            environment.step(None if over else luck.choice(np.flatnonzero(info["action_mask"]).tolist()))


def test_environments_that_take_turns_play_as_each_does_alone() -> None:
    alone = [list(steps(seed, 5)) for seed in (1, 2)]
    runs = [steps(seed, 5) for seed in (1, 2)]
    seen: list[list[tuple[object, ...]]] = [[], []]
    for both in zip_longest(*runs):
        for place, one in enumerate(both):
            if one is not None:
                seen[place].append(one)
    assert seen == alone


def test_a_reset_deals_the_next_hand_of_the_seed_and_the_button_moves_on() -> None:
    first = env(3, raise_sizes=("min",))
    first.reset(seed=5)
    positions, holes = [], []
    for _ in range(4):
        parts = first.layout.split(first.observe("player_0"))
        positions.append(int(np.argmax(parts["position"])))
        holes.append(np.flatnonzero(parts["hole"]).tolist())
        first.reset()
    assert positions == [2, 1, 0, 2]
    assert len({tuple(hole) for hole in holes}) == 4
    first.reset(seed=5)
    assert np.flatnonzero(first.layout.split(first.observe("player_0"))["hole"]).tolist() == holes[0]


def test_every_observation_is_in_its_space_and_says_what_the_table_says() -> None:
    luck = random.Random(3)
    for kind in KINDS.values():
        environment = env(**kind)
        environment.reset(seed=1)
        for _ in range(40):
            environment.reset()
            for agent in environment.agent_iter():
                row, _, over, _, info = environment.last()
                assert row in environment.observation_space(agent)
                check_parts(environment, environment.possible_agents.index(agent), row)
                mask = info.get("action_mask", info.get("kind_mask", []))
                environment.step(None if over else luck.choice(np.flatnonzero(mask).tolist()))


def check_parts(environment: Any, seat: int, row: Row) -> None:
    table: LearningTable = environment._table
    hand, layout = table.hand, environment.layout
    unit = 1 / hand.stakes.big_blind
    parts = layout.split(row)
    turned = [*range(seat, layout.players), *range(seat)]
    assert np.flatnonzero(parts["hole"]).tolist() == sorted(map(int, hand.holes[seat]))
    assert np.flatnonzero(parts["board"]).tolist() == sorted(map(int, hand.board))
    assert parts["street"].tolist() == [float(street == hand.street) for street in range(layout.streets)]
    assert parts["live"].tolist() == [float(other in hand.live) for other in turned]
    assert np.allclose(parts["stacks_big_blinds"], [hand.stacks[other] * unit for other in turned])
    assert np.allclose(parts["bets_big_blinds"], [hand.bets[other] * unit for other in turned])
    assert np.allclose(parts["pot_big_blinds"], hand.pot * unit)
    view = hand.view(seat)
    assert np.allclose(parts["to_call_big_blinds"], view.to_call * unit)
    assert np.allclose(parts["raise_big_blinds"], [view.min_raise_to * unit, view.max_raise_to * unit])
    told = [line for line in parts["history"].tolist() if line[0] >= 0]
    words = ["fold", "check", "call", "bet", "raise_to"]
    names = [street.name for street in hand.game.streets]
    actions = view.actions[-layout.rows :]
    assert [(names[int(line[0])], turned[int(line[1])], words[int(line[2])]) for line in told] == [
        (one.street, one.seat, str(one.action).split()[0]) for one in actions
    ]
    sizes = [float(str(one.action).split()[1]) * unit for one in actions if " " in str(one.action)]
    assert np.allclose([line[3] for line in told if line[2] >= 3], sizes)


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_sees_what_others_hold(kind: str) -> None:
    luck = random.Random(kind)
    environment, other = env(**KINDS[kind]), env(**KINDS[kind])
    setting: Setting = environment.setting
    size, hole_cards = setting.players, setting.game.hole_cards
    for hand in range(20):
        cards = list(setting.game.pack)
        luck.shuffle(cards)
        holes = [tuple(cards[at * hole_cards : (at + 1) * hole_cards]) for at in range(size)]
        board = cards[size * hole_cards : size * hole_cards + 5]
        changed = cards[size * hole_cards + 5 :] + [card for hole in holes[1:] for card in hole]
        luck.shuffle(changed)
        others = [tuple(changed[at * hole_cards : (at + 1) * hole_cards]) for at in range(size - 1)]
        # cards are dealt from the first seat on, whoever has the button
        environment.reset(seed=1 if hand == 0 else None, options={"deck": Deck.stacked(holes, board)})
        other.reset(seed=1 if hand == 0 else None, options={"deck": Deck.stacked([holes[0], *others], board)})
        while not any(environment.terminations.values()):
            assert environment.observe("player_0").tobytes() == other.observe("player_0").tobytes()
            assert environment.agent_selection == other.agent_selection
            info = environment.infos[environment.agent_selection]
            mask = info.get("action_mask", info.get("kind_mask", []))
            action = luck.choice(np.flatnonzero(mask).tolist())
            environment.step(action)
            other.step(action)


def test_rewards_are_big_blinds_and_add_up_to_nothing() -> None:
    environment = env(2, stakes="5/10", stacks=500, raise_sizes=("all-in",))
    deck = Deck.stacked(["AsAh", "KsKh"], "2c3d4h8s9s")
    environment.reset(seed=1, options={"deck": deck})
    environment.step(2)
    environment.step(1)
    assert environment.rewards == {"player_0": 50.0, "player_1": -50.0}
    info = environment.infos["player_0"]
    assert (info["reward_big_blinds"], info["illegal_actions"], info["hand"]) == (50.0, 0, 0)
    assert environment.last()[1:4] == (50.0, True, False)


def test_what_is_not_legal_checks_or_folds_and_is_counted() -> None:
    environment = env(2, raise_sizes=("min", 0.5, "all-in"))
    environment.reset(seed=1)
    for action in (4, 1):  # all-in and a call
        environment.step(action)
    environment.reset()
    environment.step(4)
    environment.step(4)  # all-in again: folds
    assert [environment.infos[agent]["illegal_actions"] for agent in environment.agents] == [1, 0]
    assert sorted(environment.rewards.values()) == [-1.0, 1.0]


@pytest.mark.parametrize("action", [-1, 5, 1_000])
def test_numbers_that_are_no_action_are_counted_too(action: int) -> None:
    environment = env(2, raise_sizes=("min", 0.5, "all-in"))
    environment.reset(seed=1)
    environment.step(action)
    assert sum(info.get("illegal_actions", 0) for info in environment.infos.values()) == 1


@pytest.mark.parametrize(
    ("asked", "total"), [(0.0, 4), (2.4, 5), (3.0, 6), (2.76, 6), (99.9, 200), (1e30, 200), (float("nan"), 4)]
)
def test_a_continuous_raise_is_the_nearest_legal_one_to_the_chip(asked: float, total: int) -> None:
    environment = env(2, stakes="1/2", stacks=200)
    environment.reset(seed=1)
    environment.step(np.array([2.7, asked], np.float32))
    hand: Hand = environment._table.hand
    assert max(hand.bets) == total


def test_a_continuous_kind_alone_raises_the_least() -> None:
    environment = env(2)
    environment.reset(seed=1)
    assert environment.infos[environment.agent_selection]["kind_mask"].tolist() == [1, 1, 1]
    environment.step(2)
    assert max(environment._table.hand.bets) == 4


def test_sizes_are_parts_of_the_pot_after_calling() -> None:
    environment = env(2, raise_sizes=("min", 0.5, 1.0, 60.0, "all-in"))
    environment.reset(seed=1)
    mask = environment.infos[environment.agent_selection]["action_mask"]
    assert mask.tolist() == [1, 1, 1, 1, 1, 0, 1], "sixty pots are more than the stack"
    environment.step(4)
    hand: Hand = environment._table.hand
    assert max(hand.bets) == 6, "two to call, and a pot of four on top"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": 1}, "players is 1: holdem seats 2 to 10"),
        ({"players": 11}, "players is 11"),
        ({"stakes": "x"}, "are not SMALL/BIG"),
        ({"stacks": 2}, "a stack is 2: the minimum is 3"),
        ({"stacks": [100, 100, 100]}, "3 stacks for 2 players"),
        ({"game": "chess"}, "no game is called 'chess'"),
        ({"game": "five-card"}, "no big blind"),
        ({"raise_sizes": ()}, "0 raise sizes"),
        ({"raise_sizes": ("mni",)}, "raise size 'mni'"),
        ({"raise_sizes": (0,)}, "raise size 0"),
        ({"raise_sizes": (True,)}, "raise size True"),
        ({"history": -1}, "history -1"),
    ],
)
def test_what_cannot_be_played_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSpec, match=said):
        env(**change)


def test_bots_that_are_not_there_and_libraries_that_are_missing_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(UnknownBot, match="did you mean caller"):
        seat_env(["calle"])
    from poker_actors.learn import making

    blocker: Callable[..., object] = __import__

    def blocked(name: str, *rest: Any, **more: Any) -> object:
        if name == "poker_actors.learn.envs":
            raise ModuleNotFoundError("no module", name="pettingzoo")
        return blocker(name, *rest, **more)

    monkeypatch.setattr("builtins.__import__", blocked)
    with pytest.raises(MissingExtra, match=r"\.\[rl\]"):
        making.env()


def test_a_seat_plays_against_bots_and_the_same_seed_is_the_same_evening() -> None:
    def evening() -> list[float]:
        environment = seat_env(["tight", "random"], raise_sizes=DEFAULT_SIZES)
        rewards = []
        for hand in range(30):
            row, info = environment.reset(seed=4 if hand == 0 else None)
            reward, over = 0.0, False
            while not over:
                assert row in environment.observation_space
                row, reward, over, _, info = environment.step(int(np.flatnonzero(info["action_mask"])[-2]))
            assert info["reward_big_blinds"] == reward
            rewards.append(reward)
        with pytest.raises(gymnasium.error.ResetNeeded):
            environment.step(1)
        assert [faults.total for faults in environment.faults] == [0, 0]
        return rewards

    assert evening() == evening()


def test_a_hand_that_ends_before_the_learners_turn_is_dealt_past() -> None:
    environment = seat_env(["folder"], raise_sizes=("min",))
    numbers = [environment.reset(seed=1 if hand == 0 else None)[1]["hand"] for hand in range(4)]
    # on the button the folder gives the small blind up at once
    assert numbers == [0, 2, 4, 6]


def test_the_table_as_text_holds_no_hole_cards() -> None:
    environment = env(render_mode="ansi", stakes=Stakes(1, 2))
    deck = Deck.stacked(["AsAh", "KsKh"], "2c3d4h8s9s")
    environment.reset(seed=1, options={"deck": deck})
    text = environment.render()
    assert text is not None
    assert "preflop" in text
    assert not any(str(card) in text for card in parse_cards("AsAhKsKh2c3d"))
    assert env().render() is None


def test_hands_are_compiled_where_that_can_be_unless_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(env()._table).__name__ == "CompiledTable"
    assert isinstance(env(compiled=False)._table, LearningTable)
    assert type(env(game="omaha", players=6)._table).__name__ == "CompiledTable"
    assert isinstance(env(game="omaha", players=8)._table, LearningTable)
    with pytest.raises(BadSpec, match="8 seats of omaha take 37 cards"):
        env(game="omaha", players=8, compiled=True)
    monkeypatch.setitem(sys.modules, "poker_actors.learn.compiled", None)
    monkeypatch.setattr("poker_actors.learn.making._NUMBA", ("numba", "llvmlite", "poker_actors"))
    assert isinstance(env()._table, LearningTable)
    with pytest.raises(MissingExtra, match=r"\.\[fast\]"):
        env(compiled=True)


def test_opponents_that_are_programs_are_started_and_stopped() -> None:
    program = Path(__file__).parents[3] / "examples" / "bots" / "line_bot.py"
    environment = seat_env([f"cmd:{sys.executable} {program}"], raise_sizes=("min",))
    over = False
    environment.reset(seed=1)
    while not over:
        _, _, over, _, _ = environment.step(1)
    assert environment.faults[0].total == 0
    environment.close()


def test_a_setting_is_a_value_of_its_own() -> None:
    sizes = Setting(raise_sizes=[0.5]).sizes
    assert sizes is not None
    assert attrs.asdict(sizes) == {"values": (0.5,)}


def test_why_a_table_is_not_compiled_is_said_with_the_value_and_the_limit() -> None:
    with pytest.raises(BadSpec, match="6 seats of omaha6 take 41 cards, and compiled code deals at most 32"):
        env(players=6, game="omaha6", compiled=True)
    with pytest.raises(BadSpec, match="not omaha8"):
        env(players=3, game="omaha8", compiled=True)
    assert "1001 smallest bets is above its limit of 1000" in Setting(2, stacks=2002).why_not_compiled
    assert not Setting(2, "omaha6").why_not_compiled
