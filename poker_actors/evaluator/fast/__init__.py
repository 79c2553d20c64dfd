"""Arrays of hands, and a compiled single call, with numpy and numba (the extra `fast`).

Importing this package loads neither. Small jobs run in plain Python until a large one loads the compiled code. Without
numba the same functions use numpy, without numpy plain Python, with the same results: `engine` tells which. Compiled
code is cached on disk; a process that must compile logs a warning.
"""

from poker_actors.evaluator.fast.batch import (
    Engine,
    categories,
    engine,
    engine_for,
    fast_evaluate,
    omaha_strengths,
    short_deck_strengths,
    strengths,
)
from poker_actors.evaluator.fast.frequencies import category_frequencies, frequencies, ranking_strengths

__all__ = [
    "Engine",
    "categories",
    "category_frequencies",
    "engine",
    "engine_for",
    "fast_evaluate",
    "frequencies",
    "omaha_strengths",
    "ranking_strengths",
    "short_deck_strengths",
    "strengths",
]
