"""The Gymnasium vector environment: a seat at each of many tables, against compiled house bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec
from poker_actors.learn.compiled import TableBatch
from poker_actors.learn.envs.single import action_space, compact_space, observation_space
from poker_actors.learn.policies import policy_of
from poker_actors.learn.table import Setting
from poker_actors.rules import GAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from poker_actors.learn.policies import Policy

_NOBODY: Final = "folder"
"""Placeholder for the learner among the policies; it is never asked."""
_HOLDEM: Final = tuple([GAMES[name] for name in ("holdem", "limit-holdem", "pot-limit-holdem")])


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """Many tables, one hand per episode, the learner in seat 0; make it with `poker_actors.learn.seat_vector_env`.

    Table i plays hand for hand like the `SeatEnv` with its seed: S + i after `reset(seed=S)`, whatever the number of
    tables. Infos have the `action_mask` (`kind_mask` where raises are continuous), a row per table, and the
    `illegal_actions` of hands that have just ended. With `copy=False` the next step overwrites the returned arrays.
    """

    def __init__(
        self,
        setting: Setting,
        num_envs: int,
        opponents: Sequence[str | BotSpec],
        *,
        observation: str = "layout",
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        mode = autoreset_mode if isinstance(autoreset_mode, AutoresetMode) else _mode(autoreset_mode)
        self.setting: Final = setting
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": mode}
        self._tables = TableBatch(
            setting,
            num_envs,
            observation=observation,
            autoreset=mode.name.lower(),
            threads=threads,
            policies=_policies(setting, opponents),
            learner=0,
        )
        self.layout = self._tables.layout
        compact = observation == "compact"
        self.single_observation_space = compact_space(setting) if compact else observation_space(setting)
        self.single_action_space = action_space(setting)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mode = mode
        self._copy = copy
        self._truncations = np.zeros(num_envs, np.bool_)
        self._everywhere = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal the next hand at every table, or where `options["reset_mask"]` is True."""
        if isinstance(seed, int):
            self._np_random_seed = seed
        mask = None if options is None else options.get("reset_mask")
        self._tables.reset(list(seed) if isinstance(seed, Sequence) else seed, mask=mask)
        return self._given(self._tables.observation), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take the learner's turn at every table and the bots' turns until its next one."""
        tables = self._tables
        tables.step(actions)
        infos = self._infos()  # of the current hands, which with "same_step" are already the next ones
        over = tables.terminated
        if over.any():
            infos["illegal_actions"] = self._given(tables.illegal_actions[:, 0])
            infos["_illegal_actions"] = self._given(over)
            if self._mode is AutoresetMode.SAME_STEP:
                infos.update(self._final(over))
        rewards = self._given(tables.rewards[:, 0])
        return (
            self._given(tables.observation),
            rewards,
            self._given(over),
            self._given(self._truncations),
            infos,
        )

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _infos(self) -> dict[str, Any]:
        name = self.setting.mask_name
        return {name: self._given(self._tables.legal_action_mask.view(np.int8)), f"_{name}": self._everywhere}

    def _final(self, over: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the final observations and infos of ended hands, as Gymnasium's own vector environments do."""
        ended = np.flatnonzero(over)
        seen = np.full(self.num_envs, None, object)
        rows = self._tables.final_observation[ended]
        for table, seen_last in zip(ended.tolist(), rows, strict=True):
            seen[table] = seen_last
        ends = self._given(over)
        wrong = self._given(self._tables.illegal_actions[:, 0])
        final = {"illegal_actions": wrong, "_illegal_actions": ends}
        return {"final_obs": seen, "_final_obs": ends, "final_info": final, "_final_info": ends}

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the worker threads."""
        self._tables.close()


def _mode(text: str) -> AutoresetMode:
    modes = {mode.name.lower(): mode for mode in AutoresetMode}
    if text.lower() not in modes:
        raise BadSpec(f"autoreset_mode {text!r:.20} must be one of {', '.join(modes)}")
    return modes[text.lower()]


def _policies(setting: Setting, opponents: Sequence[str | BotSpec]) -> list[Policy]:
    if len(opponents) != setting.players - 1:
        raise BadSpec(
            f"{len(opponents)} opponents for {setting.players} players: there must be {setting.players - 1}"
        )
    policies = []
    for bot in (_NOBODY, *opponents):
        policy = policy_of(BotSpec.of(bot))
        if policy is None:
            raise BadSpec(
                f"bot {bot!s:.40} has no array form: choose from caller, folder, random, maniac, tight, loose, pot-odds and expert "
                "(seat_env plays against any bot)"
            )
        if policy.judges and setting.game not in _HOLDEM:
            raise BadSpec(f"bot {bot!s:.40} has an array form in hold'em only, not in {setting.game.name}")
        policies.append(policy)
    return policies
