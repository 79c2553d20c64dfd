"""How strong are these cards? Strengths, words, showdowns."""

from poker_actors.evaluator.classes import Category, category
from poker_actors.evaluator.showdown import holdem_strengths, omaha_strengths, short_deck_strengths
from poker_actors.evaluator.single import evaluate
from poker_actors.evaluator.words import describe

__all__ = [
    "Category",
    "category",
    "describe",
    "evaluate",
    "holdem_strengths",
    "omaha_strengths",
    "short_deck_strengths",
]
