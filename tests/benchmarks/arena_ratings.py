"""How right an arena's board is: schedules against the round robin, places and intervals against the truth, and flags.

Run with ``python tests/benchmarks/arena_ratings.py [RUNS]``; 300 runs take some minutes. Fields are drawn: strengths are normal,
styles add to each pair what no strengths explain, and results have heavy tails. The schedules, the ratings and the flags
are those of the arena.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import combinations
from math import sqrt
from random import Random
from time import process_time
from typing import Any

import attrs

from poker_actors.arena import ArenaSettings, Fixture, Score
from poker_actors.arena.board import flags_of
from poker_actors.arena.schedule import paired, schedule, standing_order
from poker_actors.sim.judging import judge
from poker_actors.sim.ranking import paired_estimates, residuals_of

STRENGTH = 30.0
"""bb/100: standard deviation of strengths over the field."""
ERROR = 15.0
"""bb/100: standard error of a match of 1,000 hands, the luck of the cards taken out."""
DECKS = 500


@attrs.define
class Field:
    """Players of known strength; `style` is the standard deviation of what strengths do not explain of a pair."""

    players: int
    rng: Random
    style: float = 12.0
    dump: tuple[int, int] | None = None
    dumped: float = 0.0
    strengths: list[float] = attrs.field(init=False)
    beyond: dict[tuple[int, int], float] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        rng = self.rng
        self.strengths = [rng.gauss(0, STRENGTH) for _ in range(self.players)]
        self.beyond = {pair: self.style * tail(rng) for pair in combinations(range(self.players), 2)}

    def truth(self, pair: tuple[int, int]) -> float:
        """What the first wins from the second in the long run."""
        given = self.dumped if pair == self.dump else 0.0
        return self.strengths[pair[0]] - self.strengths[pair[1]] + self.beyond[pair] - given

    @property
    def means(self) -> list[float]:
        """What each wins from the average of the others in the long run: the rating of a round robin without end."""
        total = [0.0] * self.players
        for one, other in self.beyond:
            total[one] += self.truth((one, other))
            total[other] -= self.truth((one, other))
        return [each / (self.players - 1) for each in total]

    def score(self, fixture: Fixture) -> Score:
        """Play a match of 1,000 hands."""
        mean = self.truth(fixture.players) + ERROR * tail(self.rng)
        # the variance is estimated from the decks, as in an arena
        known = ERROR**2 * self.rng.gammavariate(DECKS / 2, 2 / DECKS)
        return Score(
            hands=2 * DECKS,
            units=DECKS,
            freedom=DECKS - 1,
            means=(mean, -mean),
            covariance=((known, -known), (-known, known)),
        )

    def played(self, settings: ArenaSettings) -> dict[Fixture, Score]:
        """Play a schedule to its end."""
        scores: dict[Fixture, Score] = {}
        for fixtures in schedule(self.players, settings, scores):
            scores |= {fixture: self.score(fixture) for fixture in fixtures}
        return scores


def tail(rng: Random) -> float:
    """Draw from Student's t with six degrees of freedom, of variance 1: heavier tails than the normal."""
    return rng.gauss(0, 1) / sqrt(rng.gammavariate(3, 2) / 6) * sqrt(4 / 6)


def schedules(runs: int, players: int = 60) -> None:
    """Say how much of the round robin each schedule plays, and how many of the first ten are the same."""
    chosen: dict[str, dict[str, Any]] = {
        "round robin, again": {},
        **{f"swiss, {rounds} rounds": {"schedule": "swiss", "rounds": rounds} for rounds in (6, 10, 15, 20)},
        "ladder, top 10": {"schedule": "ladder"},
    }
    shares = {name: [0.0, 0.0, 0.0, 0.0] for name in chosen}
    for run in range(runs):
        field = Field(players, Random(f"field {run}"))
        whole = field.played(ArenaSettings())
        first = standing_order(players, whole)
        best = sorted(range(players), key=lambda player: -field.means[player])
        for name, values in chosen.items():
            scores = field.played(ArenaSettings(**values))
            order = standing_order(players, scores)
            found = shares[name]
            found[0] += len(scores) / len(whole) / runs
            found[1] += len({*order[:10]} & {*first[:10]}) / runs
            found[2] += len({*order[:10]} & {*best[:10]}) / runs
            found[3] += (order[0] == best[0]) / runs
    print(
        f"{runs} fields of {players}: part of the hands, of ten the same as in the round robin, truly of the first ten, the truly best first"
    )
    for name, (part, same, true, won) in shares.items():
        print(f"  {name:20} {part:6.1%} {same:6.2f} {true:6.2f} {won:6.1%}")


def coverage(runs: int, players: int = 20) -> None:
    """Say how often intervals hold, and all places together."""
    print(f"{runs} fields of {players}: intervals of ratings that hold, and boards of which all places hold")
    for name, values in {
        "round robin": {},
        "swiss": {"schedule": "swiss"},
        "ladder": {"schedule": "ladder", "top": 5, "rounds": 20},
    }.items():
        single = whole = 0.0
        for run in range(runs):
            field = Field(players, Random(f"coverage {run}"))
            truth = field.means
            settings = ArenaSettings(**values)  # type: ignore[arg-type]  # each by its name
            estimates = paired_estimates(players, paired(field.played(settings)))
            held = sum(
                abs(estimates.means[player] - truth[player]) <= (estimates.of(player).margin or 0)
                for player in range(players)
            )
            single += held / players / runs
            judged = judge(estimates, run)
            order = sorted(truth, reverse=True)
            places = [order.index(each) + 1 for each in truth]
            whole += judged is not None and all(
                best <= place <= worst for place, (best, worst) in zip(places, judged.ranks, strict=True)
            )
        print(f"  {name:12} {single:6.1%} {whole / runs:6.1%}")


def flags(runs: int, players: int = 20) -> None:
    """Say how often an honest field has a flag, and how often a match in which chips were given away has one."""
    print(
        f"{runs} fields of {players}: with a flag though honest; the match flagged when so many bb/100 were given away"
    )
    for style in (0.0, 12.0, 40.0):
        raised = sum(
            bool(flagged(Field(players, Random(f"honest {run} {style}"), style))) for run in range(runs)
        )
        caught = []
        for dumped in (50.0, 100.0, 200.0, 400.0):
            count = 0
            for run in range(runs):
                field = Field(players, Random(f"dumped {run} {style}"), style, (3, 7), dumped)
                count += (3, 7) in flagged(field)
            caught.append(f"{dumped:.0f}: {count / runs:.1%}")
        print(f"  styles {style:4.0f} bb/100: {raised / runs:5.1%};  {', '.join(caught)}")


def flagged(field: Field) -> list[tuple[int, int]]:
    """Return the pairs (loser, winner) that are flagged after a round robin."""
    residuals = residuals_of(field.players, paired(field.played(ArenaSettings())))
    return [(flag.loser, flag.winner) for flag in flags_of(residuals)]


def main(runs: int) -> None:
    """Print all tables, and the time each took."""
    parts: list[Callable[[int], None]] = [schedules, coverage, flags]
    for part in parts:
        start = process_time()
        part(runs)
        print(f"  ({process_time() - start:.0f} s of processor time)", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
