"""The environments themselves; importing them needs the extra `rl`."""

from poker_actors.learn.envs.aec import PokerEnv
from poker_actors.learn.envs.single import SeatEnv

__all__ = ["PokerEnv", "SeatEnv"]
