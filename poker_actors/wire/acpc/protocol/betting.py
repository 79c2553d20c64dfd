"""Betting played by our rules, and what a hand is worth to each player."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.history.acpc import turns_in
from poker_actors.rules import Hand

__all__ = ["amounts_text", "hand_values", "play_betting"]


def play_betting(hand: Hand, betting: str) -> None:
    """Play the actions of `betting`; raises `BadSpec` for one that does not fit the hand.

    Each part between two `/` must be a complete street.
    """
    street = 0
    try:
        for turn in turns_in(betting, hand, strict=True):
            street += turn is None
            if len(hand.marks) <= street:
                raise BadSpec(f"{betting[:60]!r}: street {street} ends with somebody to act")
    except IllegalAction as error:
        raise BadSpec(str(error)) from None
    if len(hand.marks) > street + 1:
        raise BadSpec(f"{betting[:60]!r}: a / is missing at its end")


def hand_values(hand: Hand) -> tuple[Fraction, ...]:
    """Return each player's win or loss in a finished hand, in chips and fractions of chips.

    They add up to 0 and differ from our payoffs only in odd chips.
    """
    spent = hand.public().log.put_in
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
