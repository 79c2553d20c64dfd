"""Equities: the share of the pot that each hand, or range of hands, can expect."""

from poker_actors.evaluator.equity.answer import equity
from poker_actors.evaluator.equity.deals import EquityResult, PlayerEquity
from poker_actors.evaluator.equity.exact import holdem_matchups
from poker_actors.evaluator.equity.ranges import Range, parse_range

__all__ = ["EquityResult", "PlayerEquity", "Range", "equity", "holdem_matchups", "parse_range"]
