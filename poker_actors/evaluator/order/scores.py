"""Conversions to the rank numbers of other evaluators: the 7,462 ranks of five cards."""

from __future__ import annotations

from functools import cache
from typing import Final

from poker_actors.errors import BadSpec
from poker_actors.evaluator.order.classes import STANDARD, class_of, scale_of, strengths
from poker_actors.evaluator.order.listing import HandClass

__all__ = ["cactus_kev", "from_cactus_kev", "from_score", "score"]

CLASSES: Final = 7462
_FULL_LENGTH: Final = (5, 4, 3, 3, 1, 5, 2, 2, 1)
"""Number of ranks in a class of five cards, by category."""


def score(strength: int) -> int:
    """Return the rank of a five-card strength from 0, the royal flush, to 7461, seven high.

    Raises `BadSpec` for a strength of fewer than five cards or of another scale.
    """
    made = class_of(strength)
    if scale_of(strength) != STANDARD or not _complete(made):
        raise BadSpec(f"strength {strength} has no rank among the {CLASSES} of five cards")
    return _scores()[strength]


def from_score(number: int) -> int:
    """Return the strength whose `score` is `number` (0 to 7461, 0 best); raises `BadSpec` outside that range."""
    if not 0 <= number < CLASSES:
        raise BadSpec(f"score {number} is outside 0 to {CLASSES - 1}")
    return _ordered()[number]


def cactus_kev(strength: int) -> int:
    """Return the rank in Cactus Kev's evaluator: 1, the royal flush, to 7462; raises as `score` does."""
    return score(strength) + 1


def from_cactus_kev(number: int) -> int:
    """Return the strength whose `cactus_kev` rank is `number` (1 to 7462, 1 best); raises `BadSpec` for others."""
    if not 1 <= number <= CLASSES:
        raise BadSpec(f"rank {number} is outside 1 to {CLASSES}")
    return from_score(number - 1)


@cache
def _ordered() -> tuple[int, ...]:
    return tuple(sorted((value for made, value in strengths().items() if _complete(made)), reverse=True))


@cache
def _scores() -> dict[int, int]:
    return {strength: number for number, strength in enumerate(_ordered())}


def _complete(made: HandClass) -> bool:
    return len(made) - 1 == _FULL_LENGTH[made[0]]
