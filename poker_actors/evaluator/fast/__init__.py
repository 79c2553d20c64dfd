"""Arrays of hands, and single calls compiled, for whoever has numpy and numba (the extra `[fast]`).

Importing this pulls in neither; the first call does. Without numba the same functions use numpy,
without numpy plain Python, with the same answers: `engine` says which. Compiled code is kept on
disk; the first call ever says in the log that it is being compiled.
"""

from poker_actors.evaluator.fast.batch import (
    Engine,
    categories,
    engine,
    omaha_strengths,
    short_deck_strengths,
    strengths,
)
from poker_actors.evaluator.fast.frequencies import category_frequencies, frequencies
from poker_actors.evaluator.fast.single import fast_evaluate

__all__ = [
    "Engine",
    "categories",
    "category_frequencies",
    "engine",
    "fast_evaluate",
    "frequencies",
    "omaha_strengths",
    "short_deck_strengths",
    "strengths",
]
