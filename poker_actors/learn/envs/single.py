"""The Gymnasium environment: one seat for the learner, the others for bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from poker_actors.bots import BotSpec, Faults, HandStream, Hearing, decide, running
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.learn.layout import CompactLayout, Layout
from poker_actors.learn.table import LearningTable, Setting

if TYPE_CHECKING:
    from numpy.typing import NDArray


def observation_space(setting: Setting) -> spaces.Box:
    """Return the space of observations: the numbers of `Layout`, each with its bounds."""
    layout = setting.layout
    low = np.zeros(layout.size, np.float32)
    high = np.ones(layout.size, np.float32)
    chips = sum(setting.stacks) * setting.unit
    history = layout.start("history")
    high[layout.start("stacks_big_blinds") : history] = chips
    low[history:] = -1.0
    high[history:] = np.tile([len(setting.game.streets), setting.players, 4, chips], layout.rows)
    return spaces.Box(low, high, dtype=np.float32)


def compact_space(setting: Setting) -> spaces.Box:
    """Return the space of compact observations: the numbers of `CompactLayout`, each with its bounds."""
    layout = CompactLayout.of(setting.game, setting.players, 0)
    low = np.zeros(layout.size, np.int32)
    high = np.full(layout.size, sum(setting.stacks), np.int32)
    bounds = {"hole": 51, "board": 51, "street": layout.streets, "position": setting.players - 1, "live": 1}
    for name, most in bounds.items():
        start = layout.start(name)
        high[start : start + layout.parts[name][0]] = most
    board = layout.start("board")
    low[board : board + 5] = -1
    return spaces.Box(low, high, dtype=np.int32)


def action_space(setting: Setting) -> spaces.Space[Any]:
    """Return the space of actions: a number with raise sizes, else a kind and a total in big blinds."""
    if setting.sizes is not None:
        return spaces.Discrete(setting.actions)
    low = np.zeros(2, np.float32)
    # the largest float below 3: fractions of a kind are cut off, and 3.0 would be an illegal kind
    high = np.array([np.nextafter(np.float32(3), np.float32(0)), setting.most_big_blinds], np.float32)
    return spaces.Box(low, high, dtype=np.float32)


class SeatEnv(gymnasium.Env[Any, Any]):
    """One hand per episode against bots; make it with `poker_actors.learn.seat_env`.

    The learner has seat 0, the opponents the seats after it; the button moves one seat each hand. A hand that ends
    before the learner's first turn is skipped. Observations, actions, masks and rewards are those of `PokerEnv`; the
    last step's info has `reward_big_blinds`.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  Gymnasium declares it without ClassVar

    def __init__(
        self,
        setting: Setting,
        opponents: Sequence[str | BotSpec | Callable[..., Any]],
        render_mode: str | None = None,
    ) -> None:
        if len(opponents) != setting.players - 1:
            raise BadSpec(
                f"{len(opponents)} opponents for {setting.players} players: there must be {setting.players - 1}"
            )
        self.setting = setting
        self.layout: Layout = setting.layout
        self.render_mode = render_mode
        self.observation_space = observation_space(setting)
        self.action_space = action_space(setting)
        self.faults = tuple(Faults() for _ in opponents)
        """the opponents' faults, in their order"""
        self._bots = [BotSpec.of(bot).make() for bot in opponents]
        self._table = LearningTable(setting)
        self._streams: list[HandStream] = []
        self._hearing = Hearing(self._bots, self.faults)
        self._seated = range(-1, len(self._bots))
        self._started = ExitStack()
        self._ready = False

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal the next hand; with `seed`, the first one of that seed."""
        super().reset(seed=seed)
        if not self._ready:
            self._started.enter_context(running(self._bots, self.faults))
            self._ready = True
            self._hearing = Hearing(self._bots, self.faults)  # a program says in its hello whether it hears
        table = self._table
        before = table.tree
        table.seed(seed)
        if table.tree is not before and table.tree is not None:
            self._streams = [HandStream(table.tree, 1 + number) for number in range(len(self._bots))]
        deck = None if options is None else options.get("deck")
        self._begin(deck if isinstance(deck, Deck) else None)
        while table.active < 0:
            self._begin(None)
        return table.observation(0), {"hand": table.number, self.setting.mask_name: table.mask(0)}

    def _begin(self, deck: Deck | None) -> None:
        """Deal a hand and let the bots act first."""
        self._table.begin(deck)
        if self._hearing:
            self._hearing.started(self._table.number, self._table.hand, self._seated, self._names)
        self._others_act()

    @property
    def _names(self) -> tuple[str, ...]:
        """Return names by seat: 0 for the learner, then its opponents from 1; in `faults` they count from 0."""
        return tuple(map(str, range(len(self._seated))))

    def _others_act(self) -> None:
        """Let the bots act until it is the learner's turn or the hand is over."""
        table = self._table
        hand = table.hand
        while (seat := table.active) > 0:
            stream = self._streams[seat - 1]
            stream.hand = table.number
            view = hand.view(seat, stream)
            hand.act(decide(self._bots[seat - 1], view, self.faults[seat - 1], table.number))
            table.heard()
        if self._hearing and hand.over:
            self._hearing.over(table.number, hand, self._seated, self._names)

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Take the learner's turn and the bots' turns until its next one; raises `ResetNeeded` after a hand."""
        table = self._table
        if table.active < 0:
            raise gymnasium.error.ResetNeeded("the hand is over: reset deals the next one")
        table.act(action)
        self._others_act()
        over = table.active < 0
        reward = table.rewards()[0] if over else 0.0
        info: dict[str, Any] = {"hand": table.number, "illegal_actions": table.illegal[0]}
        if over:
            info["reward_big_blinds"] = reward
        else:
            info[self.setting.mask_name] = table.mask(0)
        return table.observation(0), reward, over, False, info

    def close(self) -> None:
        """Stop opponents that run as programs; the next `reset` starts them again."""
        self._started.close()
        self._ready = False

    def render(self) -> str | None:
        """Return the table as text, without hole cards; None unless made with `render_mode="ansi"`."""
        return repr(self._table.hand) if self.render_mode == "ansi" else None
