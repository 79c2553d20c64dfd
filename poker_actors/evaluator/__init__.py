"""Hand evaluation: strengths, their names, showdowns and lows.

Strengths are plain integers: higher is better, equal is a tie. Subpackages are imported by themselves: `fast` (arrays
and compiled code), `equity` and `openface`, and the module `libpoker`.
"""

from poker_actors.evaluator.lows import low_ace_to_five, low_deuce_to_seven
from poker_actors.evaluator.made import MadeHand, made_hand, worth_keeping
from poker_actors.evaluator.order import (
    Category,
    cactus_kev,
    category,
    describe,
    describe_briefly,
    from_cactus_kev,
    from_score,
    score,
)
from poker_actors.evaluator.ranking import RANKINGS, Ranking, ranking_named
from poker_actors.evaluator.showdown import (
    evaluate_omaha,
    evaluate_omaha_low,
    holdem_strengths,
    omaha_strengths,
    short_deck_strengths,
)
from poker_actors.evaluator.single import evaluate, evaluate_short_deck, open_strengths, suit_tie

__all__ = [
    "RANKINGS",
    "Category",
    "MadeHand",
    "Ranking",
    "cactus_kev",
    "category",
    "describe",
    "describe_briefly",
    "evaluate",
    "evaluate_omaha",
    "evaluate_omaha_low",
    "evaluate_short_deck",
    "from_cactus_kev",
    "from_score",
    "holdem_strengths",
    "low_ace_to_five",
    "low_deuce_to_seven",
    "made_hand",
    "omaha_strengths",
    "open_strengths",
    "ranking_named",
    "score",
    "short_deck_strengths",
    "suit_tie",
    "worth_keeping",
]
