"""Results of hands by the competition's count: pots are split into fractions, without odd chips."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from poker_actors.rules import Hand
from poker_actors.wire.acpc.protocol.betting import put_in

__all__ = ["amounts_text", "hand_values"]


def hand_values(hand: Hand) -> tuple[Fraction, ...]:
    """Return each player's win or loss in a finished hand, in chips and fractions of chips.

    They add up to 0 and differ from our payoffs only in odd chips.
    """
    spent = put_in(hand)
    strengths = dict.fromkeys(hand.live, 0) if hand.strengths is None else {}
    strengths |= zip(hand.live, hand.strengths or (), strict=False)
    values = [Fraction(0)] * len(spent)
    level = 0
    for amount in sorted({*spent} - {0}):
        size, level = amount - level, amount
        inside = [player for player, chips in enumerate(spent) if chips >= amount]
        best = max([strengths.get(player, -1) for player in inside])
        winners = [player for player in inside if strengths.get(player, -1) == best]
        for player in inside:
            values[player] -= size
        for player in winners:
            values[player] += Fraction(size * len(inside), len(winners))
    return tuple(values)


def amounts_text(amounts: Iterable[Fraction]) -> str:
    """Join amounts with `|`: at most six decimals, without trailing zeros."""
    return "|".join([f"{float(amount):.6f}".rstrip("0").rstrip(".") for amount in amounts])
