"""Matchups: every choice of one hand from each range that share no card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import prod
from typing import TypeAlias

from poker_actors.cards import CARDS, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.equity.request import Request

__all__ = ["MOST_PAIRINGS", "matchups", "pairings"]

Matchup: TypeAlias = tuple[tuple[Card, ...], ...]
MOST_PAIRINGS = 2_000_000
"""Most choices of one hand from each range that are enumerated."""


def pairings(request: Request) -> int:
    """Return the number of choices, including those that share a card."""
    return prod(len(hands) for hands in request.ranges)


def matchups(request: Request) -> tuple[dict[Matchup, float], int]:
    """Return the matchups with their weights, and their number.

    Matchups that differ only in the names of suits are merged. Raises `BadSpec` for more than two million choices, or
    when no hands can meet.
    """
    if pairings(request) > MOST_PAIRINGS:
        raise BadSpec(
            f"{pairings(request)} pairings of hands are too many to go through: "
            f"at most {MOST_PAIRINGS}, or let the equities be sampled"
        )
    renamings = _renamings(request)
    found: dict[Matchup, float] = {}
    number = 0
    for matchup, weight in _disjoint(request):
        number += 1
        same = min(_renamed(matchup, suits) for suits in renamings) if len(renamings) > 1 else matchup
        found[same] = found.get(same, 0.0) + weight
    if not found:
        raise BadSpec("these hands cannot meet: every choice of one from each range has a card twice")
    return found, number


def _disjoint(request: Request) -> Iterator[tuple[Matchup, float]]:
    def extend(chosen: Matchup, used: int, weight: float) -> Iterator[tuple[Matchup, float]]:
        if len(chosen) == len(request.ranges):
            yield chosen, weight
            return
        for combo, mask, part in listed[len(chosen)]:
            if not mask & used:
                yield from extend((*chosen, combo), used | mask, weight * part)

    listed = [
        [
            (combo, sum(1 << card for card in combo), weight)
            for combo, weight in zip(hands.combos, hands.weights, strict=True)
        ]
        for hands in request.ranges
    ]
    return extend((), 0, 1.0)


def _renamings(request: Request) -> list[tuple[Card, ...]]:
    """Return the renamings of suits, card -> card, that leave board and dead cards unchanged."""
    if pairings(request) == 1:
        return [CARDS]
    renamings = []
    for suits in permutations(range(4)):
        renamed = tuple(CARDS[4 * card.rank + suits[card.suit]] for card in CARDS[:52])
        if all({renamed[card] for card in cards} == set(cards) for cards in (request.board, request.dead)):
            renamings.append(renamed)
    return renamings


def _renamed(matchup: Matchup, suits: Sequence[Card]) -> Matchup:
    return tuple(tuple(sorted((suits[card] for card in hole), reverse=True)) for hole in matchup)
