"""The PettingZoo environment: one agent a seat, one hand an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from gymnasium import spaces
from pettingzoo import AECEnv

from poker_actors.bots import Faults, Hearing, fallback
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.learn.envs.single import action_space, observation_space
from poker_actors.learn.layout import Layout
from poker_actors.learn.table import LearningTable, Setting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from poker_actors.learn.compiled import CompiledTable


class PokerEnv(AECEnv):  # type: ignore[misc]  # pettingzoo ships no types
    """Poker hands behind PettingZoo's AEC interface; make it with `poker_actors.learn.env`.

    Agents are `player_0` and up, one per seat; the button moves one seat each hand. Observations are rows of numbers,
    see `Layout`. The info of the agent to act has the `action_mask` (`kind_mask` where raises are continuous). Rewards
    come at the end of a hand, in big blinds; the infos repeat them as `reward_big_blinds` and count the hand's
    `illegal_actions`: an illegal action checks if possible, else folds.

    `reset(seed=...)` starts the series of hands of that seed, `reset()` deals its next hand.
    `options={"deck": ...}` deals from a deck of `poker_actors.cards`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "poker_actors_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, setting: Setting, table: LearningTable | CompiledTable, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.setting = setting
        self.layout: Layout = setting.layout
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(setting.players)]
        self._all_seats = range(setting.players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._table = table
        self._mask_name = setting.mask_name
        self._nothing = dict.fromkeys(self.possible_agents, 0.0)
        self._going_on = dict.fromkeys(self.possible_agents, False)
        self._observation_space = observation_space(setting)
        self._action_spaces = {agent: action_space(setting) for agent in self.possible_agents}
        self._listeners: dict[int, Any] = {}
        self._hearing: Hearing | None = None

    def observation_space(self, agent: str) -> spaces.Box:
        """Return the space of an agent's observations, the same for all."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, one object per agent: each has its own random generator."""
        return self._action_spaces[agent]

    def hear(self, agent: str, listener: object) -> None:
        """Tell `listener` what a bot in the agent's seat hears, from the next `reset` on.

        It has a method `hand_started(start)`, `hand_over(end)` or both, as a bot has; their exceptions pass through.
        Names are those of the agents. Raises `BadSpec` for a compiled table, which keeps no hands.
        """
        if not isinstance(self._table, LearningTable):
            raise BadSpec(
                "a compiled table keeps no hands to report: make the environment with compiled=False"
            )
        self._listeners[self._seats[agent]] = listener
        bots = [self._listeners.get(seat, fallback) for seat in range(self.setting.players)]
        self._hearing = Hearing(bots, [Faults(told=_raised) for _ in bots])

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal the next hand; with `seed`, the first one of that seed."""
        table = self._table
        table.seed(seed)
        deck = None if options is None else options.get("deck")
        table.begin(deck if isinstance(deck, Deck) else None)
        self.agents = self.possible_agents.copy()
        self.rewards = self._nothing.copy()
        self._cumulative_rewards = self._nothing.copy()
        self.terminations = self._going_on.copy()
        self.truncations = self._going_on.copy()
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        if self._hearing is not None:
            self._hearing.started(table.number, table.hand, self._all_seats, tuple(self.possible_agents))
        self._select(table.active)

    def step(self, action: Any) -> None:
        """Take the turn of `agent_selection`; `action` must be None once it has terminated."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        table = self._table
        table.act(action)
        active = table.active
        if active >= 0:
            self.infos[self.agent_selection] = {}
            self._select(active)
        else:
            self._end()

    def _select(self, seat: int) -> None:
        agent = self.agent_selection = self.possible_agents[seat]
        self.infos[agent] = {self._mask_name: self._table.mask(seat)}

    def _end(self) -> None:
        """Pay out the hand and terminate all agents at once; until now all rewards were 0."""
        table = self._table
        for seat, reward in enumerate(table.rewards()):
            agent = self.possible_agents[seat]
            self.rewards[agent] = self._cumulative_rewards[agent] = reward
            self.terminations[agent] = True
            self.infos[agent] = {
                "hand": table.number,
                "reward_big_blinds": reward,
                "illegal_actions": table.illegal[seat],
            }
        self.agent_selection = self.agents[0]
        if self._hearing is not None:
            self._hearing.over(table.number, table.hand, self._all_seats, tuple(self.possible_agents))

    def observe(self, agent: str) -> NDArray[np.float32]:
        """Return an agent's current observation."""
        return self._table.observation(self._seats[agent])

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, termination, truncation and info of the agent to act; overridden for speed."""
        agent = self.agent_selection
        return (
            self._table.observation(self._seats[agent]) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            False,
            self.infos[agent],
        )

    def render(self) -> str | None:
        """Return the table as text, without hole cards; None unless made with `render_mode="ansi"`."""
        if self.render_mode != "ansi":
            return None
        return repr(self._table.hand)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _raised(_kind: object, _text: str, _place: str, _view: object, error: BaseException | None) -> None:
    """Let a listener's errors pass through, since it is the caller's own code."""
    if error is not None:
        raise error
