"""Cages for untrusted programs, made with bubblewrap: what they may see, use and do."""

from poker_actors.bots.cage.bubblewrap import LAUNCHER, Cage, Entrance, bwrap_path
from poker_actors.bots.cage.filter import FORBIDDEN, seccomp_filter
from poker_actors.bots.cage.groups import Group, limits_here

__all__ = [
    "FORBIDDEN",
    "LAUNCHER",
    "Cage",
    "Entrance",
    "Group",
    "bwrap_path",
    "limits_here",
    "seccomp_filter",
]
