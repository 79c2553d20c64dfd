"""The environments themselves; importing them needs the extra `rl`, and registers the seat with Gymnasium."""

import gymnasium

from poker_actors.learn.envs.aec import PokerEnv
from poker_actors.learn.envs.single import SeatEnv

__all__ = ["SEAT_ID", "PokerEnv", "SeatEnv"]

SEAT_ID = "poker_actors/Seat-v1"
"""The Gymnasium id of a seat: `gymnasium.make_vec("poker_actors.learn.envs:poker_actors/Seat-v1", ...)`."""

gymnasium.register(
    SEAT_ID,
    entry_point="poker_actors.learn:seat_env",
    vector_entry_point="poker_actors.learn:seat_vector_env",
)
