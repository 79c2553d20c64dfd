"""The order of hands: classes, the keys that find them, and the rank numbers of other evaluators."""

from poker_actors.evaluator.order.classes import (
    ACE_TO_FIVE,
    BADUGI,
    BADUGI_ACE_HIGH,
    DEUCE_TO_SEVEN,
    FOUR_CARD_LOW,
    ONE_CARD,
    SHORT_DECK,
    SHORT_DECK_OLD,
    STANDARD,
    THREE_CARD,
    Category,
    category,
    class_of,
    lowest_rank,
    scale_of,
    strengths,
)
from poker_actors.evaluator.order.keys import cactus_kev, from_cactus_kev, from_score, score
from poker_actors.evaluator.order.listing import HandClass
from poker_actors.evaluator.order.words import describe, describe_briefly, describe_low

__all__ = [
    "ACE_TO_FIVE",
    "BADUGI",
    "BADUGI_ACE_HIGH",
    "DEUCE_TO_SEVEN",
    "FOUR_CARD_LOW",
    "ONE_CARD",
    "SHORT_DECK",
    "SHORT_DECK_OLD",
    "STANDARD",
    "THREE_CARD",
    "Category",
    "HandClass",
    "cactus_kev",
    "category",
    "class_of",
    "describe",
    "describe_briefly",
    "describe_low",
    "from_cactus_kev",
    "from_score",
    "lowest_rank",
    "scale_of",
    "score",
    "strengths",
]
