"""Options of cash tables: rake, bomb pots, boards run more than once; all off by default.

Pass them as `Hand(..., options=...)`. `CashHand` is the former name of a hand with options.
"""

from poker_actors.rules.hand import Hand, deal_hand
from poker_actors.rules.opening import check_stakes, posts_with_owed
from poker_actors.rules.options import CashOptions, HandOptions, Rake
from poker_actors.rules.public import PublicState

__all__ = [
    "CashHand",
    "CashOptions",
    "CashState",
    "HandOptions",
    "Rake",
    "check_stakes",
    "deal_hand",
    "posts_with_owed",
]

CashHand = Hand
CashState = PublicState
