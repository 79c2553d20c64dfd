"""Tables by the thousand play the hands that each environment plays alone, and speak Gymnasium as its own do."""

from __future__ import annotations

import inspect
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

pytest.importorskip("numba")

from poker_actors.bots import BotSpec
from poker_actors.bots.house import loose, maniac, pot_odds, tight
from poker_actors.errors import BadSpec
from poker_actors.learn import DEFAULT_SIZES, env, seat_env, seat_vector_env, table_batch
from poker_actors.learn.policies import policy_of
from poker_actors.rules import Stakes

KINDS: dict[str, dict[str, Any]] = {
    "heads-up": {},
    "six": {"players": 6, "stacks": [100, 30, 200, 57, 80, 1000], "raise_sizes": (0.5, "all-in")},
    "limit": {"players": 3, "game": "limit-holdem", "raise_sizes": ("min",)},
    "pot-limit": {"players": 4, "game": "pot-limit-holdem", "stakes": Stakes(5, 10, ante=1, straddle=20)},
    "omaha": {"players": 4, "game": "omaha", "stacks": [40, 300, 200, 30]},
    "omaha6": {"players": 4, "game": "omaha6", "raise_sizes": (1.0, "all-in")},
    "short deck": {"players": 5, "game": "short-deck", "stacks": [20, 300, 200, 30, 60]},
    "nine": {"players": 9, "stakes": Stakes(1, 2, big_blind_ante=2), "stacks": 90, "history": 3},
}
BOTS = [
    ("caller",),
    ("tight", "random"),
    ("maniac:nerve=0.3", "loose", "pot-odds"),
    ("expert", "maniac", "expert:level=casual"),
    ("tight:vpip=0.6,bluff=1", "folder", "maniac", "random", "pot-odds:margin=-0.2"),
]


def choose(luck: random.Random, mask: Any) -> int:
    return luck.choice([*np.flatnonzero(mask).tolist(), 1, 1, 9])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_table_of_a_batch_is_hand_for_hand_the_environment_of_its_seed(kind: str, threads: int) -> None:
    settings = {"raise_sizes": DEFAULT_SIZES, **KINDS[kind]}
    batch = table_batch(3, **settings, threads=threads)
    alone = [env(**settings, compiled=False) for _ in range(3)]
    batch.reset(seed=40)
    for number, one in enumerate(alone):
        one.reset(seed=40 + number)
    luck = random.Random(kind)
    for _ in range(150):
        actions = []
        for table, one in enumerate(alone):
            row, _, _, _, info = one.last()
            assert one.possible_agents[batch.current_player[table]] == one.agent_selection
            assert np.array_equal(batch.observation[table], row)
            assert np.array_equal(batch.legal_action_mask[table], info["action_mask"])
            actions.append(choose(luck, info["action_mask"]))
        batch.step(actions)
        for table, one in enumerate(alone):
            one.step(actions[table])
            over = any(one.terminations.values())
            assert batch.terminated[table] == over
            assert batch.rewards[table].tolist() == list(one.rewards.values())
            if over:
                wrong = [info["illegal_actions"] for info in one.infos.values()]
                assert batch.illegal_actions[table].tolist() == wrong
                one.reset()
    batch.close()


def test_a_tables_hands_are_the_same_in_any_company() -> None:
    few, many = table_batch(2, observation="none"), table_batch(50, observation="none")
    few.reset(seed=7)
    many.reset(seed=7)
    for _ in range(60):
        few.step(np.ones(2, np.int64))
        many.step(np.ones(50, np.int64))
        assert np.array_equal(many.rewards[:2], few.rewards)
        assert np.array_equal(many.hands[:2], few.hands)


def test_compact_observations_say_what_the_others_do() -> None:
    settings = KINDS["six"]
    compact, wide = table_batch(4, **settings, observation="compact"), table_batch(4, **settings)
    for batch in (compact, wide):
        batch.reset(seed=1)
    luck = random.Random(1)
    for _ in range(200):
        for table in range(4):
            numbers, parts = (batch.layout.split(batch.observation[table]) for batch in (compact, wide))
            assert sorted(numbers["hole"].tolist()) == np.flatnonzero(parts["hole"]).tolist()
            board = [card for card in numbers["board"].tolist() if card >= 0]
            assert sorted(board) == np.flatnonzero(parts["board"]).tolist()
            assert parts["street"][numbers["street"][0]] == 1
            assert parts["position"][numbers["position"][0]] == 1
            assert np.array_equal(numbers["live"], parts["live"])
            for name in ("stacks", "bets", "pot", "to_call", "raise"):
                assert np.array_equal(numbers[name], 2 * parts[f"{name}_big_blinds"])
        actions = [choose(luck, mask) for mask in wide.legal_action_mask]
        compact.step(actions)
        wide.step(actions)


@pytest.mark.parametrize("bots", BOTS, ids=",".join)
@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.name)
def test_a_vector_environment_does_what_gymnasiums_own_does_with_single_seats(
    bots: tuple[str, ...], mode: AutoresetMode
) -> None:
    ours = seat_vector_env(3, bots, autoreset_mode=mode.name)
    single = [lambda: seat_env(bots, raise_sizes=DEFAULT_SIZES)] * 3
    theirs: Any = SyncVectorEnv(single, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    seen, infos = ours.reset(seed=11)
    expected, told = theirs.reset(seed=11)
    luck = random.Random(mode.name)
    over = np.zeros(3, np.bool_)
    for _ in range(60):
        assert np.array_equal(seen, expected)
        # Gymnasium leaves a finished table's mask at 0; a table that is to be reset has none here either
        assert np.array_equal(infos["action_mask"] * infos["_action_mask"][:, None], told["action_mask"])
        actions = np.array([choose(luck, mask) % 6 for mask in infos["action_mask"]])
        if mode is AutoresetMode.DISABLED and over.any():
            options = {"reset_mask": over.copy()}
            seen, infos = ours.reset(options=options)
            expected, told = theirs.reset(options={"reset_mask": over.copy()})
            over = np.zeros(3, np.bool_)
            told["action_mask"] = infos["action_mask"]  # theirs tells of the tables that were reset only
            continue
        seen, rewards, over, _, infos = ours.step(actions)
        expected, their_rewards, their_over, _, told = theirs.step(actions)
        assert rewards.tolist() == their_rewards.tolist()
        assert over.tolist() == their_over.tolist()
        if mode is AutoresetMode.SAME_STEP and over.any():
            for table in np.flatnonzero(over).tolist():
                assert np.array_equal(infos["final_obs"][table], told["final_obs"][table])
                wrong = infos["final_info"]["illegal_actions"][table]
                assert wrong == told["final_info"]["illegal_actions"][table]
        told.setdefault("action_mask", np.zeros_like(infos["action_mask"]))
    ours.close()
    theirs.close()


def test_gymnasium_makes_it_by_name() -> None:
    made = gymnasium.make_vec(
        "poker_actors.learn.envs:poker_actors/Seat-v1",
        num_envs=5,
        vectorization_mode="vector_entry_point",
        opponents=("tight",),
        observation="compact",
    )
    seen, _ = made.reset(seed=1)
    assert made.observation_space.contains(seen)
    single = gymnasium.make("poker_actors.learn.envs:poker_actors/Seat-v1", raise_sizes=(1.0,))
    assert single.reset(seed=1)[0].shape == single.observation_space.shape


@pytest.mark.parametrize("game", ["omaha", "omaha5", "short-deck"])
def test_bots_that_look_at_no_cards_play_other_games(game: str) -> None:
    bots = ("random", "maniac", "caller")
    ours = seat_vector_env(3, bots, game=game, observation="compact")
    alone = [seat_env(bots, game=game, raise_sizes=DEFAULT_SIZES) for _ in range(3)]
    seen, infos = ours.reset(seed=5)
    assert ours.observation_space.contains(seen)
    for number, one in enumerate(alone):
        one.reset(seed=5 + number)
    luck = random.Random(game)
    for _ in range(120):
        actions = np.array([choose(luck, mask) % 6 for mask in infos["action_mask"]])
        seen, rewards, over, _, infos = ours.step(actions)
        assert ours.observation_space.contains(seen)
        for number, one in enumerate(alone):
            _, reward, ended, _, _ = one.step(actions[number])
            assert (reward, ended) == (rewards[number], over[number])
            if ended:
                one.reset()


def test_experts_see_all_of_a_hand_whatever_the_learner_is_shown() -> None:
    wide = seat_vector_env(5, ["expert", "maniac"], history=2)
    compact = seat_vector_env(5, ["expert", "maniac"], observation="compact", threads=2)
    for vector in (wide, compact):
        vector.reset(seed=3)
    luck = random.Random(3)
    for _ in range(300):
        actions = np.array([luck.choice((0, 1, 1, 1, 2)) for _ in range(5)])
        assert wide.step(actions)[1].tolist() == compact.step(actions)[1].tolist()
    compact.close()


def test_without_copies_the_arrays_are_the_tables_own() -> None:
    ours = seat_vector_env(2, copy=False)
    first, _ = ours.reset(seed=1)
    second = ours.step(np.ones(2, np.int64))[0]
    assert first is second
    batch = table_batch(2)
    assert np.shares_memory(np.from_dlpack(batch.observation), batch.observation)


def test_parameters_that_are_not_given_are_those_of_the_bots_themselves() -> None:
    bots: dict[str, Any] = {"tight": tight, "loose": loose, "maniac": maniac, "pot-odds": pot_odds}
    for name, bot in bots.items():
        own = {
            each.name: each.default
            for each in inspect.signature(bot).parameters.values()
            if each.name != "view"
        }
        given = ",".join(f"{key}={value}" for key, value in own.items())
        assert policy_of(BotSpec.parse(f"{name}:{given}")) == policy_of(BotSpec.parse(name))
    assert policy_of(BotSpec.parse("equity")) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tables": 0}, "tables is 0"),
        ({"game": "omaha", "players": 9}, "Omaha with at most 32 cards"),
        ({"game": "stud", "stakes": "1/2"}, "play hold'em"),
        ({"threads": 0}, "threads is 0"),
        ({"observation": "all"}, "observation 'all'"),
        ({"autoreset": "now"}, "autoreset 'now'"),
        (
            {"stakes": Stakes(1, 10**8), "stacks": 10**10, "observation": "compact"},
            "compact observations hold",
        ),
    ],
)
def test_what_a_batch_cannot_play_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSpec, match=said):
        table_batch(**{"tables": 2, **change})


def test_arrays_of_the_wrong_shape_are_refused_before_compiled_code_sees_them() -> None:
    batch = table_batch(3)
    with pytest.raises(BadSpec, match="call reset first: it deals the first hands"):
        batch.step([1, 1, 1])
    batch.reset(seed=1)
    with pytest.raises(BadSpec, match="actions have shape"):
        batch.step([1, 1])
    with pytest.raises(BadSpec, match="2 seeds for 3 tables"):
        batch.reset(seed=[1, 2])
    with pytest.raises(BadSpec, match="mask of int64"):
        batch.reset(mask=np.ones(3, np.int64))
    with pytest.raises(BadSpec, match="bot equity has no array form"):
        seat_vector_env(2, ["equity"])
    with pytest.raises(BadSpec, match="bot tight has an array form in hold'em only, not in omaha"):
        seat_vector_env(2, ["tight"], game="omaha")
    with pytest.raises(BadSpec, match="autoreset_mode 'never'"):
        seat_vector_env(2, autoreset_mode="never")


def test_rows_of_many_tables_are_split_like_one() -> None:
    environment: Any = seat_env(opponents=["tight"])
    layout = environment.unwrapped.layout
    row, _ = environment.reset(seed=1)
    environment.close()
    rows = np.stack([row, row + 1, row + 2])
    one, many = layout.split(row), layout.split(rows)
    for name, part in one.items():
        assert many[name].shape == (3, *part.shape)
        assert (many[name][0] == part).all()
        assert (many[name][2] == part + 2).all()
