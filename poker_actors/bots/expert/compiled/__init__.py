"""Classes of cards for one hand at a time, compiled; imports numba."""

from poker_actors.bots.expert.compiled.classes import (
    class_at,
    class_of,
    class_of_hole,
    class_tables,
    count_hands,
    starting_class,
    twice_beaten,
)

__all__ = [
    "class_at",
    "class_of",
    "class_of_hole",
    "class_tables",
    "count_hands",
    "starting_class",
    "twice_beaten",
]
