"""The luck of the cards in a hand: equity when the betting ended, and the change by each deal."""

from poker_actors.sim.luck.chance import TERMS, Luck, expected_payoffs, luck_of, scores
from poker_actors.sim.luck.worth import MANY, ways

__all__ = [
    "MANY",
    "TERMS",
    "Luck",
    "expected_payoffs",
    "luck_of",
    "scores",
    "ways",
]
