"""Who meets whom: schedules that depend only on the players and the scores so far.

A schedule yields rounds of fixtures and goes on once all scores of a round are known. So an arena that was killed
asks for the same rounds again, finds the scores it has, and plays the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import ceil, log2, sqrt
from typing import Final

import attrs

from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.state import Score
from poker_actors.sim.judging import mixture_width
from poker_actors.sim.ranking import Fit, TableResult

SWISS_ROUNDS: Final = 2.5
"""Rounds of the Swiss schedule for each doubling of the field; see docs/arena.md for how well they do."""
_LADDER_ROUNDS: Final = 60
"""Most rounds of the ladder; each pairs players whose order is still in doubt."""


@attrs.frozen(order=True)
class Fixture:
    """A match to be played: the players' numbers in order, one repeated for a control, and the match's own number."""

    players: tuple[int, ...]
    number: int = 0
    """0 for the first match of these players; a later match differs"""

    @property
    def is_control(self) -> bool:
        """Whether a player meets copies of itself."""
        return self.players[0] == self.players[-1]


Scores = Mapping[Fixture, Score]


def names_at(fixture: Fixture, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a match's players by place; copies of a player get different names."""
    if not fixture.is_control:
        return tuple(names)
    marks = ["", " (copy)", *(f" (copy {number})" for number in range(2, len(names)))]
    return tuple(name + mark for name, mark in zip(names, marks, strict=True))


def paired(scores: Scores) -> list[TableResult]:
    """Return the results of matches between different players, except void matches."""
    found = sorted(scores.items(), key=lambda each: (each[0].players, each[0].number))
    return [
        TableResult(fixture.players, score.weight, score.means, score.covariance, score.freedom)
        for fixture, score in found
        if not score.void and not fixture.is_control
    ]


def schedule(players: int, settings: ArenaSettings, scores: Scores) -> Iterator[list[Fixture]]:
    """Yield rounds of fixtures for `players`; `scores` must hold each round's before the next is drawn."""
    if settings.control and players:
        yield [Fixture((player,) * settings.most_seats) for player in range(players)]
    if players < 2:
        return
    match settings.schedule:
        case "round-robin":
            yield list(_everybody(players, settings.table(players)))
        case "swiss":
            yield from _Rounds(players, settings.table(players), scores).swiss(_rounds(players, settings))
        case "ladder":
            rounds = _Rounds(players, settings.table(players), scores)
            yield from rounds.ladder(_rounds(players, settings), settings.top)


def _rounds(players: int, settings: ArenaSettings) -> int:
    if settings.schedule == "ladder":
        return settings.rounds or _LADDER_ROUNDS
    rounds = settings.rounds or ceil(SWISS_ROUNDS * log2(players))
    return min(rounds, players - 1 + players % 2) if settings.seats == "heads-up" else rounds


def most_matches(players: int, settings: ArenaSettings) -> int:
    """Return the most matches a schedule can have."""
    control = players if settings.control else 0
    if players < 2:
        return control
    size = settings.table(players)
    if settings.schedule == "round-robin":
        return control + len(_everybody(players, size))
    return control + _rounds(players, settings) * (players // 2 if size == 2 else -(-players // size))


@lru_cache(maxsize=4)
def _everybody(players: int, size: int) -> tuple[Fixture, ...]:
    """Let everybody meet everybody: each pair once, or at larger tables as evenly as a simple rule can.

    Each table starts with the player who has been at the fewest, and adds those who have met it and each other least,
    until all have met and all have been at equally many tables. Of sixty players, each sits at 22 tables of six and
    meets others one to five times, nine in ten of them once or twice.
    """
    if size == 2:
        return tuple(Fixture(pair) for pair in combinations(range(players), 2))
    met = _Meetings(players)
    found = []
    while met.missing or len(set(met.tables)) > 1:
        table = [min(range(players), key=lambda each: (met.tables[each], each))]
        while len(table) < size:
            load = met.of(table)
            left = [each for each in range(players) if each not in table]
            table.append(
                min(left, key=lambda each: (met.tables[each], load[each], -met.strangers[each], each))
            )
        found.append(met.fixture(table))
    return tuple(found)


class _Meetings:
    """Who has met whom, and how often."""

    def __init__(self, players: int) -> None:
        self._met = [[0] * players for _ in range(players)]
        self._fixtures: Counter[tuple[int, ...]] = Counter()
        self.tables = [0] * players
        """that each player was at"""
        self.strangers = [players - 1] * players
        """whom each player has not met"""
        self.missing = players * (players - 1) // 2

    def of(self, table: Sequence[int]) -> list[int]:
        """Return how often each player has met the players of a table."""
        return [sum(met) for met in zip(*(self._met[player] for player in table), strict=True)]

    def fixture(self, table: Sequence[int]) -> Fixture:
        """Note that these players meet; return the match."""
        players = tuple(sorted(table))
        for one, other in combinations(players, 2):
            if not self._met[one][other]:
                self.missing -= 1
                self.strangers[one] -= 1
                self.strangers[other] -= 1
            self._met[one][other] += 1
            self._met[other][one] += 1
        for player in players:
            self.tables[player] += 1
        number = self._fixtures[players]
        self._fixtures[players] += 1
        return Fixture(players, number)


def standing_order(players: int, scores: Scores) -> list[int]:
    """Return the players, best first; those without a result keep their order."""
    return _order(Fit(players, paired(scores)))


def _order(fit: Fit) -> list[int]:
    means = fit.means
    return sorted(range(fit.players), key=lambda player: (-means[player], player))


@attrs.define
class _Rounds:
    """The rounds of a schedule that follow from the standings."""

    players: int
    size: int
    scores: Scores
    met: _Meetings = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.met = _Meetings(self.players)

    def swiss(self, rounds: int) -> Iterator[list[Fixture]]:
        """Seat neighbours in the standings together, those who have met least.

        At tables of two, if the number is odd, the last player who has had no bye gets one. A larger table short of
        players takes some from other tables as well.
        """
        byes: set[int] = set()
        for _ in range(rounds):
            order = standing_order(self.players, self.scores)
            if self.size == 2 and self.players % 2:
                bye = next((each for each in reversed(order) if each not in byes), order[-1])
                byes.add(bye)
                order.remove(bye)
            left = list(order)
            found = []
            while left:
                found.append(self._table(left.pop(0), left, order))
            yield found

    def _table(self, first: int, left: list[int], order: Sequence[int]) -> Fixture:
        """Seat the next players with `first`, preferably from `left`, and remove them from it."""
        table, place = [first], order.index(first)
        while len(table) < self.size:
            # those left must play in this round; otherwise take whoever has met these least, and of those the nearest
            pool = left or [each for each in order if each not in table]
            met = self.met.of(table)
            other = min(pool, key=lambda each: (met[each], abs(order.index(each) - place), each))
            table.append(other)
            if left:
                left.remove(other)
        return self.met.fixture(table)

    def ladder(self, rounds: int, top: int) -> Iterator[list[Fixture]]:
        """After some Swiss rounds, play those whose order is in doubt, until the first `top` places are decided.

        An order is decided when a test that holds at every look tells the two apart, corrected for all neighbours.
        """
        swiss = min(ceil(log2(self.players)) + 1, self.players - 1 + self.players % 2, rounds)
        yield from self.swiss(swiss)
        for _ in range(rounds - swiss):
            fit = Fit(self.players, paired(self.scores))
            doubtful = _doubtful(fit, top)
            if not doubtful:
                return
            # the doubtful first, each against whom it has met least, and of those its neighbours: a second match with the
            # same opponent says less of a player than one with another
            order = _order(fit)
            waiting = dict.fromkeys(player for pair in doubtful for player in pair)
            left = list(order)
            found = []
            for one in waiting:
                if one in left and len(left) >= 2:
                    left.remove(one)
                    found.append(self._table(one, left, order))
            yield found


def _doubtful(fit: Fit, top: int) -> list[tuple[int, int]]:
    """Return the pairs in doubt among neighbours down to the first place below the `top`, the least certain first."""
    if not fit.results:
        return []
    order = _order(fit)
    border = min(top, fit.players - 1)
    level = 0.05 / border
    # besides neighbours, everybody around the last place that counts: who belongs above it is the question asked most
    pairs = {_pair(order[place], order[place + 1]) for place in range(border)}
    pairs |= {_pair(order[border - 1], order[below]) for below in range(border, min(border + 3, fit.players))}
    doubts = {pair: _doubt(fit, pair, level) for pair in pairs}
    return sorted(
        (pair for pair, doubt in doubts.items() if doubt > 1), key=lambda pair: (-doubts[pair], pair)
    )


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _doubt(fit: Fit, pair: tuple[int, int], level: float) -> float:
    """Divide a difference's margin, which holds at every look, by the difference: above 1, the order is in doubt."""
    one, other = pair
    difference = abs(fit.means[one] - fit.means[other])
    known = fit.difference(one, other)
    if known is None or not difference:
        return float("inf")
    variance, freedom = known
    return mixture_width(freedom + 1, level) * sqrt(variance) / difference
