"""Who meets whom: schedules that follow from the players and the scores so far, and from nothing else.

A schedule yields rounds of fixtures and goes on once all scores of a round are known. So an arena that was killed asks
for the same rounds again, finds the scores that it has, and plays what is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil, log2, sqrt
from typing import Final

import attrs

from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.state import Score
from poker_actors.sim.judging import Estimates, mixture_width
from poker_actors.sim.ranking import Paired, paired_estimates

__all__ = ["Fixture", "Scores", "most_matches", "paired", "schedule"]

SWISS_ROUNDS: Final = 2.5
"""Rounds of the Swiss schedule for each doubling of the field; see docs/arena.md for what they come to."""
_LADDER_ROUNDS: Final = 60
"""Most rounds of the ladder, each of which plays the players that are still in doubt."""


@attrs.frozen(order=True)
class Fixture:
    """A match to be played: two players by number, the lower first or the same for a control, and which one it is."""

    one: int
    other: int
    number: int = 0
    """0 for the first match of the two, which a later one does not repeat"""

    @property
    def players(self) -> tuple[int, int]:
        """Both players."""
        return self.one, self.other


Scores = Mapping[Fixture, Score]


def paired(scores: Scores) -> list[Paired]:
    """Return the results of matches between different players, those that are void left out."""
    found = []
    for fixture, score in sorted(scores.items()):
        if not score.void and fixture.one != fixture.other:
            variance = None if score.covariance is None else score.covariance[0][0]
            found.append(
                Paired(fixture.one, fixture.other, score.hands, score.means[0], variance, score.freedom)
            )
    return found


def schedule(players: int, settings: ArenaSettings, scores: Scores) -> Iterator[list[Fixture]]:
    """Yield rounds of fixtures for `players`; `scores` must hold those of a round before the next is asked for."""
    if settings.control and players:
        yield [Fixture(player, player) for player in range(players)]
    if players < 2:
        return
    match settings.schedule:
        case "round-robin":
            yield [Fixture(*pair) for pair in combinations(range(players), 2)]
        case "swiss":
            yield from _swiss(players, _rounds(players, settings), scores)
        case "ladder":
            yield from _ladder(players, settings, scores)


def _rounds(players: int, settings: ArenaSettings) -> int:
    if settings.schedule == "ladder":
        return settings.rounds or _LADDER_ROUNDS
    return min(settings.rounds or ceil(SWISS_ROUNDS * log2(players)), players - 1 + players % 2)


def most_matches(players: int, settings: ArenaSettings) -> int:
    """Return how many matches a schedule has, at most."""
    control = players if settings.control else 0
    if settings.schedule == "round-robin":
        return control + players * (players - 1) // 2
    return control + _rounds(players, settings) * (players // 2)


def _swiss(players: int, rounds: int, scores: Scores) -> Iterator[list[Fixture]]:
    """Pair neighbours of the standings who have not met; the last without a bye has one if the number is odd."""
    met: Counter[tuple[int, int]] = Counter()
    byes: set[int] = set()
    for _ in range(rounds):
        order = standing_order(players, scores)
        if players % 2:
            bye = next((each for each in reversed(order) if each not in byes), order[-1])
            byes.add(bye)
            order.remove(bye)
        yield _fixtures(order, met)


def standing_order(players: int, scores: Scores) -> list[int]:
    """Return the players, the best first; those without a result stay as they came."""
    found = paired(scores)
    if not found:
        return list(range(players))
    means = paired_estimates(players, found).means
    return sorted(range(players), key=lambda player: (-means[player], player))


def _fixtures(order: Sequence[int], met: Counter[tuple[int, int]]) -> list[Fixture]:
    """Pair each player, the best first, with the next one it has met least; count the meetings."""
    left = list(order)
    found = []
    while len(left) > 1:
        one = left.pop(0)
        other = min(left, key=lambda each: (met[_pair(one, each)], left.index(each)))
        left.remove(other)
        pair = _pair(one, other)
        found.append(Fixture(*pair, met[pair]))
        met[pair] += 1
    return found


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _ladder(players: int, settings: ArenaSettings, scores: Scores) -> Iterator[list[Fixture]]:
    """After some Swiss rounds, play those whose order is in doubt, until the first `top` places are decided.

    An order is decided when the two are apart by a test that holds at every look, corrected for all the neighbours.
    """
    swiss = min(ceil(log2(players)) + 1, players - 1 + players % 2)
    rounds = _rounds(players, settings)
    met: Counter[tuple[int, int]] = Counter()
    for played in _swiss(players, min(swiss, rounds), scores):
        met.update((fixture.one, fixture.other) for fixture in played)
        yield played
    for _ in range(rounds - swiss):
        doubtful = _doubtful(players, settings.top, scores)
        if not doubtful:
            return
        # the doubtful first, each against whom it has met least, and of those its neighbours: a second match with the same
        # opponent says less of a player than one with another
        order = standing_order(players, scores)
        waiting = list(dict.fromkeys(player for pair in doubtful for player in pair))
        left = set(order)
        found = []
        for one in waiting:
            if one not in left or len(left) < 2:
                continue
            left.remove(one)
            place = order.index(one)
            other = min(left, key=lambda each: (met[_pair(one, each)], abs(order.index(each) - place), each))
            left.remove(other)
            pair = _pair(one, other)
            found.append(Fixture(*pair, met[pair]))
            met[pair] += 1
        yield found


def _doubtful(players: int, top: int, scores: Scores) -> list[tuple[int, int]]:
    """Return the pairs in doubt among neighbours down to the first place below the `top`, the least certain first."""
    found = paired(scores)
    if not found:
        return []
    estimates = paired_estimates(players, found)
    order = sorted(range(players), key=lambda player: (-estimates.means[player], player))
    border = min(top, players - 1)
    level = 0.05 / border
    # besides neighbours, everybody around the last place that counts: who belongs above it is the question asked most
    pairs = {_pair(order[place], order[place + 1]) for place in range(border)}
    pairs |= {_pair(order[border - 1], order[below]) for below in range(border, min(border + 3, players))}
    doubts = {pair: _doubt(estimates, pair, level) for pair in pairs}
    return sorted(
        (pair for pair, doubt in doubts.items() if doubt > 1), key=lambda pair: (-doubts[pair], pair)
    )


def _doubt(estimates: Estimates, pair: tuple[int, int], level: float) -> float:
    """Return the margin of a difference, at all times, over the difference itself: above 1 the order is in doubt."""
    one, other = pair
    difference = abs(estimates.means[one] - estimates.means[other])
    variance = estimates.variance(one, other)
    if variance is None or not difference:
        return float("inf")
    return mixture_width(estimates.units, level) * sqrt(variance) / difference
