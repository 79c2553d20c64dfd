"""The one order of hands: classes, the keys that find them, and other people's numbers for them."""

from poker_actors.evaluator.order.classes import (
    ACE_TO_FIVE,
    DEUCE_TO_SEVEN,
    SHORT_DECK,
    STANDARD,
    Category,
    category,
    class_of,
    scale_of,
    strengths,
)
from poker_actors.evaluator.order.listing import HandClass
from poker_actors.evaluator.order.scores import cactus_kev, from_cactus_kev, from_score, score
from poker_actors.evaluator.order.words import describe, describe_briefly

__all__ = [
    "ACE_TO_FIVE",
    "DEUCE_TO_SEVEN",
    "SHORT_DECK",
    "STANDARD",
    "Category",
    "HandClass",
    "cactus_kev",
    "category",
    "class_of",
    "describe",
    "describe_briefly",
    "from_cactus_kev",
    "from_score",
    "scale_of",
    "score",
    "strengths",
]
