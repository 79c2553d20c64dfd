"""The spaces of actions and observations, as Gymnasium describes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from poker_actors.learn.layout import CompactLayout
from poker_actors.learn.table import Setting

__all__ = ["action_space", "compact_space", "observation_space"]


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
