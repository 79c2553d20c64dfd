"""Ranges: how likely each of a fixed sample of hole cards is, given its owner's actions in the hand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from operator import itemgetter, mul
from typing import Final

import attrs

from poker_actors.bots.adaptive.opponent import LEVELS
from poker_actors.bots.figures import RAISES, Step
from poker_actors.bots.house.judging import starting_ranks
from poker_actors.cards import Card
from poker_actors.rules import Game

Hole = tuple[Card, ...]
_SAMPLE: Final = 96
"""Size of the sample that stands for all 1,326 holes: shares beaten are then known to about 0.05, in 25 us a board."""
_STRIDE: Final = 463
"""A prime: taking every so many-th pair of a pack, in order, spreads the sample over ranks and suits."""
_PLACES: Final = range(_SAMPLE)
_BOARDS: Final = 64
CALLING: Final = 0.9
"""How much an opponent's hand decides about calls.

It is not learnt: it hardly matters for an opponent who seldom folds, and one who often folds goes by the
hand. Assuming calls with any hand would be the most expensive mistake.
"""
_SOFT: Final = 0.2
"""Width of the transition from hands that are played to those that are not, in shares of all hands."""
_SURPRISE: Final = 0.03
"""The least chance of any action: even a player who does what they never do has some hand."""


@attrs.frozen
class Judged:
    """The sample on a board: how good each hole is, and the holes in order, except those that share a card with it."""

    strengths: Sequence[float]
    order: Sequence[int]
    ordered: Callable[[Sequence[float]], tuple[float, ...]]
    """picks the weights of the holes in this order, in one call"""
    reached: Sequence[float]
    """their strengths in this order"""


@lru_cache(maxsize=16)
def sample(pack: tuple[Card, ...]) -> tuple[Hole, ...]:
    """Return the sample of a pack's two-card holes, always the same."""
    pairs = list(combinations(pack, 2))
    return tuple([pairs[number * _STRIDE % len(pairs)] for number in range(_SAMPLE)])


@lru_cache(maxsize=_BOARDS)
def judged(game: Game, board: tuple[Card, ...]) -> Judged:
    """Return the sample on a board, which may be empty."""
    holes = sample(game.pack)
    found: Sequence[float]
    if board:
        there = set(board)
        free = [
            number for number, (one, other) in enumerate(holes) if one not in there and other not in there
        ]
        found = game.strengths(holes, board)
    else:
        ranks = starting_ranks(game.pack)
        free = list(range(len(holes)))
        found = [ranks[one << 6 | other] for one, other in holes]
    order = sorted(free, key=found.__getitem__)
    return Judged(found, order, itemgetter(*order), [found[number] for number in order])


@lru_cache(maxsize=16)
def starting_strengths(game: Game) -> Sequence[float]:
    """Return the `starting_strength` of each hole of the sample."""
    return [starting_strength(rank) for rank in judged(game, ()).strengths]


def strength_on(game: Game, hole: Hole, board: tuple[Card, ...]) -> float:
    """Return how good a hole is on a board, comparable to the strengths of `Judged`."""
    if board:
        return game.strengths((hole,), board)[0]
    return starting_ranks(game.pack)[hole[0] << 6 | hole[1]]


def share_beaten(on: Judged, weights: Sequence[float], strength: float) -> float:
    """Return the share of a range that a hand of this strength beats, ties counted half."""
    ordered, reached = on.ordered(weights), on.reached
    worse = bisect_left(reached, strength)
    tied = bisect_right(reached, strength, worse)
    total = sum(ordered)
    return (sum(ordered[:worse]) + sum(ordered[worse:tied]) / 2) / total if total else 0.5


def starting_strength(share: float) -> float:
    """Return how much more often a starting hand that beats `share` of all wins than the worst one."""
    return 0.3 * share + 0.12 * max(0.0, (share - 0.93) / 0.07)


def level_of(on: Judged, weights: Sequence[float]) -> int:
    """Return how good a range is on a board: the number of `LEVELS` reached."""
    ordered = on.ordered(weights)
    total = sum(ordered)
    mean = sum(map(mul, _PLACES, ordered)) / (total * len(ordered)) if total else 0.5
    return bisect_left(LEVELS, mean)


def weights_after(
    weights: Sequence[float],
    on: Judged,
    step: Step,
    reply: tuple[float, float, float],
    purity: float,
) -> list[float]:
    """Return a range after an action; `reply` says how often its owner folds, calls and raises.

    The worst holes of the range fold and the best raise, the more strictly the purer its owner plays. Holes that
    share a card with the board have no weight from then on.
    """
    after = [0.0] * len(weights)
    folds, _, raises = reply
    ordered = on.ordered(weights)
    part = 1 / (_SOFT * (sum(ordered) or 1.0))
    top, loose = 0.5 - (1 - raises) / _SOFT, (1 - purity) * raises + _SURPRISE
    bottom, stays = 0.5 - folds / _SOFT, (1 - CALLING) * (1 - folds)
    below = 0.0
    for number, weight in zip(on.order, ordered, strict=True):
        if not weight:
            continue
        place = (below + weight / 2) * part
        below += weight
        best = place + top
        chance = purity * (best if best < 1 else 1.0) + loose if best > 0 else loose
        if step.kind != RAISES:
            if step.bin:
                good = place + bottom
                chance = (CALLING * (good if good < 1 else 1.0) if good > 0 else 0.0) + stays - chance
            else:
                chance = 1 - chance
            chance = max(chance, _SURPRISE)
        after[number] = weight * chance
    return after
