"""The luck of the cards in a hand: its equity when the betting ended, and what each deal changed."""

from poker_actors.sim.luck.chance import MILLI, TERMS, Luck, expected_payoffs, luck_of

__all__ = ["MILLI", "TERMS", "Luck", "expected_payoffs", "luck_of"]
