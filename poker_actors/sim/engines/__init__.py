"""Engines: play hands in this process, in several, or on a cluster."""

from poker_actors.sim.engines.block import play_block, play_hand, play_hands, play_rounds, play_whole
from poker_actors.sim.engines.cluster import ray_cluster
from poker_actors.sim.engines.compiled import asked_bots, code_in_the_making
from poker_actors.sim.engines.executor import (
    check_travel,
    check_workers,
    new_pool,
    pieces_of,
    play_on_executor,
    process_pool,
)
from poker_actors.sim.engines.job import Job, new_bots

__all__ = [
    "Job",
    "asked_bots",
    "check_travel",
    "check_workers",
    "code_in_the_making",
    "new_bots",
    "new_pool",
    "pieces_of",
    "play_block",
    "play_hand",
    "play_hands",
    "play_on_executor",
    "play_rounds",
    "play_whole",
    "process_pool",
    "ray_cluster",
]
