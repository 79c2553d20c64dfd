"""What cash tables may add to a hand: rake, bomb pots, boards run several times; off unless asked for."""

from poker_actors.rules.cash.cash_hand import CashHand, CashState, deal_hand
from poker_actors.rules.cash.options import CashOptions, HandOptions, Rake

__all__ = ["CashHand", "CashOptions", "CashState", "HandOptions", "Rake", "deal_hand"]
