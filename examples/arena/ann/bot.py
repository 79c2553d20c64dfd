"""A bot as a function of a view: plays good cards, and bets the pot with them."""

from poker_actors.rules import Action, Bet, Call, Check, Fold, RaiseTo, View


def bot(view: View) -> Action:
    """Judge the hand from 0 to 1 by high cards and pairs, then bet, call or fold by it."""
    ranks = [card.rank for card in view.hole]
    seen = [card.rank for card in view.board] + ranks
    pairs = sum(seen.count(rank) - 1 for rank in ranks)
    good = min(1.0, sum(ranks) / 50 + 0.3 * pairs)
    legal = view.legal
    if good > 0.7 and legal.can_raise:
        total = min(max(max(view.bets) + view.pot, legal.min_raise_to), legal.max_raise_to)
        return RaiseTo(total) if max(view.bets) else Bet(total)
    if not view.to_call:
        return Check()
    return Call() if good > view.to_call / (view.pot + view.to_call) else Fold()
