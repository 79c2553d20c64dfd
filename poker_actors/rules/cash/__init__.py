"""What cash tables may add to a hand: rake, bomb pots, boards run several times; off unless asked for.

A hand takes them as `Hand(..., options=...)`; `CashHand` is the name it had with them.
"""

from poker_actors.rules.hand import Hand, deal_hand
from poker_actors.rules.opening import check_stakes
from poker_actors.rules.options import CashOptions, HandOptions, Rake
from poker_actors.rules.public import PublicState

__all__ = ["CashHand", "CashOptions", "CashState", "HandOptions", "Rake", "check_stakes", "deal_hand"]

CashHand = Hand
CashState = PublicState
