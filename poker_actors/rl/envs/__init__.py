"""The environments themselves; importing them needs the extra `rl`."""

from poker_actors.rl.envs.aec import PokerEnv
from poker_actors.rl.envs.single import SeatEnv

__all__ = ["PokerEnv", "SeatEnv"]
