"""How right an arena's board is: schedules against the round robin, places and intervals against the truth, and flags.

Run with ``python -m tests.benchmarks.arena_ratings [RUNS]``; 300 runs take some minutes. Fields are drawn: strengths are normal,
styles add to each pair what no strengths explain, and results have heavy tails; or they are of house bots, whose
strengths are measured over a million hands of every pair. The schedules, the ratings and the flags are those of the arena.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import combinations, product
from math import isclose, sqrt
from random import Random
from time import process_time
from typing import Any, Final

import attrs
import numpy as np
import pytest

from poker_actors.arena import ArenaSettings, Fixture, Score
from poker_actors.arena.board import flags_of
from poker_actors.arena.playing import score_of
from poker_actors.arena.schedule import paired, schedule
from poker_actors.bots import BotSpec
from poker_actors.sim import Simulation
from poker_actors.sim.judging import Estimates, judge
from poker_actors.sim.ranking import Fit, paired_estimates, residuals_of
from poker_actors.sim.ranking import paired as ratings
from poker_actors.sim.ranking.paired import _SURE

STRENGTH = 30.0
"""bb/100: standard deviation of strengths over the field."""
ERROR = 15.0
"""bb/100: standard error of a match of 1,000 hands, the luck of the cards taken out."""
DECKS = 500
HOUSE = (
    *(f"tight:vpip={part}" for part in (0.15, 0.2, 0.25, 0.3, 0.4, 0.5)),
    "tight:vpip=0.3,bluff=0.4",
    "loose",
    "loose:vpip=0.7",
    "caller",
    "pot-odds",
    "pot-odds:margin=0.1",
)
TRUE_HANDS = 1_000_000
"""of each pair of the house"""


@attrs.define
class Field:
    """Players of known strength; `style` is the standard deviation of what strengths do not explain of a pair."""

    players: int
    rng: Random
    style: float = 12.0
    dump: tuple[int, int] | None = None
    dumped: float = 0.0
    spread: float = STRENGTH
    strengths: list[float] = attrs.field(init=False)
    pairs: dict[tuple[int, int], float] = attrs.field(init=False)
    """what the first wins from the second in the long run, chips that are given away apart"""

    def __attrs_post_init__(self) -> None:
        rng = self.rng
        self.strengths = [rng.gauss(0, self.spread) for _ in range(self.players)]
        self.pairs = {}
        for one, other in combinations(range(self.players), 2):
            mean = self.strengths[one] - self.strengths[other] + self.style * tail(rng)
            self.pairs[one, other], self.pairs[other, one] = mean, -mean

    def given(self, player: int, table: tuple[int, ...]) -> float:
        """What a player wins, or loses, because chips are given away at its table."""
        if self.dump is None or not {*self.dump} <= {*table}:
            return 0.0
        return self.dumped * ((player == self.dump[1]) - (player == self.dump[0]))

    @property
    def means(self) -> list[float]:
        """What each wins from the average of the others in the long run: the rating of a schedule without end."""
        return means_of(self.players, self.pairs)

    def score(self, fixture: Fixture) -> Score:
        """Play a match of 1,000 hands, or of as many at a larger table."""
        players = fixture.players
        others = len(players) - 1
        means = []
        noise = [sqrt(others / (others + 1)) * ERROR * tail(self.rng) for _ in players]
        for one in players:
            # from each other one what the two of them alone would come to, an equal part from each; chips are given as such
            parts = [self.pairs[one, other] for other in players if other != one]
            means.append(sum(parts) / others + self.given(one, players))
        middle = sum(noise) / len(noise)
        means = [mean + each - middle for mean, each in zip(means, noise, strict=True)]
        if others == 1:
            # of two the noise is one number, and not the mean of two, whose tails would be lighter
            means[0] = (
                self.pairs[players[0], players[1]] + self.given(players[0], players) + ERROR * tail(self.rng)
            )
            means[1] = -means[0]
        # the variance is estimated from the decks, as in an arena
        known = ERROR**2 * self.rng.gammavariate(DECKS / 2, 2 / DECKS)
        return Score(
            hands=2 * DECKS,
            units=DECKS,
            freedom=DECKS - 1,
            means=tuple(means),
            covariance=tuple(
                tuple(known if one == other else -known / others for other in players) for one in players
            ),
        )

    def played(self, settings: ArenaSettings) -> dict[Fixture, Score]:
        """Play a schedule to its end."""
        return played(self.players, settings, self.score)


def means_of(players: int, pairs: dict[tuple[int, int], float]) -> list[float]:
    """Return what each wins from the average of the others, if `pairs` has what the first wins from the second."""
    return [
        sum(pairs[one, other] for other in range(players) if other != one) / (players - 1)
        for one in range(players)
    ]


def played(players: int, settings: ArenaSettings, score: Callable[[Fixture], Score]) -> dict[Fixture, Score]:
    """Play a schedule to its end."""
    scores: dict[Fixture, Score] = {}
    for fixtures in schedule(players, settings, scores):
        scores |= {fixture: score(fixture) for fixture in fixtures}
    return scores


def tail(rng: Random) -> float:
    """Draw from Student's t with six degrees of freedom, of variance 1: heavier tails than the normal."""
    return rng.gauss(0, 1) / sqrt(rng.gammavariate(3, 2) / 6) * sqrt(4 / 6)


@contextmanager
def quick() -> Iterator[None]:
    """Have numpy do the sums of ratings at tables of two: the same as in an arena, but for the last digits."""

    def varied(fit: Fit, row: Sequence[float], extra: float = 0.0) -> tuple[float, float]:
        met, hands, _, spread, freedom = _columns(fit)
        values = np.array(row)
        parts = (hands * (values[met[0]] - values[met[1]]) / 2) ** 2 * (4 * extra + spread)
        total, squares = float(parts.sum()), float((parts**2 / freedom).sum())
        return total, total * total / squares if squares else _SURE

    def style(fit: Fit, fewest: int) -> float:
        met, _, means, spread, _ = _columns(fit)
        free = len(means) - fit.players + 1
        if free < fewest:
            return 0.0
        about = np.array(fit._about)
        beyond = means - about[met[0]] + about[met[1]]
        return max(0.0, float((beyond @ beyond - spread.sum() / 4 * free / len(means)) / free))

    def about(fit: Fit) -> list[float]:
        met, hands, means, _, _ = _columns(fit)
        pulls = np.bincount(met[0], hands * means, fit.players) - np.bincount(
            met[1], hands * means, fit.players
        )
        return (np.array(fit._inverse) @ pulls).tolist()  # type: ignore[no-any-return]

    def inverse(fit: Fit) -> list[list[float]]:
        met, hands, _, _, _ = _columns(fit)
        rows = np.zeros((fit.players, fit.players))
        np.add.at(rows, (met[0], met[1]), -hands)
        rows += rows.T
        np.fill_diagonal(rows, -rows.sum(axis=1))
        level = 0.0 if fit.ridge else np.trace(rows) / fit.players or 1.0
        rows += level / fit.players + (fit.ridge or 1e-12 * level) * np.eye(fit.players)
        found = np.linalg.inv(rows) - 1 / ((fit.ridge or level) * fit.players)
        return found.tolist()  # type: ignore[no-any-return]

    def product(one: Any, other: Any) -> list[list[float]]:
        return (np.array(one) @ np.array(other)).tolist()  # type: ignore[no-any-return]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fit, "_varied", varied)
        patch.setattr(Fit, "_style", style)
        for name, work in (("_about", about), ("_inverse", inverse)):
            once: cached_property[Any] = cached_property(work)
            once.__set_name__(Fit, name)
            patch.setattr(Fit, name, once)
        patch.setattr(ratings, "_product", product)
        yield


def _columns(fit: Fit) -> tuple[Any, Any, Any, Any, Any]:
    """Return who met, for how many hands, what the first won, the variance of twice that, and its freedom, as arrays."""
    if "columns" not in fit.__dict__:
        rows = fit.results
        varied = [each.covariance or ((0.0, 0.0), (0.0, 0.0)) for each in rows]
        spread = [one[0] - one[1] - other[0] + other[1] for one, other in varied]
        met = np.array([each.players for each in rows], int).reshape(-1, 2).T
        numbers = [(each.hands, each.means[0], each.freedom) for each in rows]
        hands, means, freedom = np.array(numbers, float).reshape(-1, 3).T
        fit.__dict__["columns"] = met, hands, means, np.array(spread), freedom
    return fit.__dict__["columns"]  # type: ignore[no-any-return]


ROUNDS: Final[dict[str, tuple[int, ...]]] = {"swiss": (6, 10, 15, 20), "ladder": (15, 20, 60)}
"""Of these schedules, after which the standings are looked at; 60 is where the ladder ends if it decides nothing before."""


def schedules(runs: int, players: int = 60) -> None:
    """Say how much of the round robin each schedule plays, and how many of the first ten are the same."""
    _check_quick()
    shares: dict[str, list[float]] = {}
    done = 0
    with quick(), suppress(KeyboardInterrupt):  # Ctrl-C: what is known so far
        for run in range(runs):
            for name, new in _shares(Field(players, Random(f"field {run}"))).items():
                shares[name] = [a + b for a, b in zip(shares.get(name, [0.0] * 4), new, strict=True)]
            done = run + 1
    print(
        f"{done} fields of {players}: part of the hands, of ten the same as in the round robin, truly of the first ten, the truly best first"
    )
    for name, row in shares.items():
        part, same, true, won = [each / done for each in row]
        print(f"  {name:20} {part:6.1%} {same:6.2f} {true:6.2f} {won:6.1%}")


def _shares(field: Field) -> dict[str, tuple[float, ...]]:
    """Play a field by each schedule; return, by its name, what `schedules` prints the means of."""
    players = field.players
    whole = field.played(ArenaSettings())
    first = {*_order(players, whole, ArenaSettings())[:10]}
    means = field.means
    best = sorted(range(players), key=lambda player: -means[player])
    found: dict[str, tuple[float, ...]] = {}
    for name, scores, settings in _looks(field):
        order = _order(players, scores, settings)
        top, won = {*order[:10]}, order[0] == best[0]
        found[name] = (len(scores) / len(whole), len(top & first), len(top & {*best[:10]}), won)
    return found


def _looks(field: Field) -> Iterator[tuple[str, dict[Fixture, Score], ArenaSettings]]:
    """Yield the standings of a field after so many rounds of each schedule; later looks have the matches of those before."""
    yield "round robin, again", field.played(ArenaSettings()), ArenaSettings()
    for name, looks in ROUNDS.items():
        settings = ArenaSettings(schedule=name, rounds=looks[-1])  # type: ignore[arg-type]
        scores: dict[Fixture, Score] = {}
        kept = dict.fromkeys(looks, scores)
        for number, fixtures in enumerate(schedule(field.players, settings, scores), start=1):
            scores |= {fixture: field.score(fixture) for fixture in fixtures}
            kept |= {rounds: dict(scores) for rounds in looks if rounds >= number}
        for rounds, seen in kept.items():
            yield f"{name}, {rounds} rounds", seen, settings


def _order(players: int, scores: dict[Fixture, Score], settings: ArenaSettings) -> list[int]:
    """Return the players as a board has them, the best first."""
    means = paired_estimates(players, paired(scores), by_results=settings.pairs_by_results).means
    return sorted(range(players), key=lambda player: -means[player])


def _check_quick() -> None:
    """Raise unless the quick sums lead to the matches and the ratings that an arena's own do."""

    def found() -> tuple[list[Fixture], Estimates]:
        settings = ArenaSettings(schedule="ladder", rounds=12)
        scores = Field(14, Random("quick")).played(settings)
        return list(scores), paired_estimates(14, paired(scores), by_results=True)

    own = found()
    with quick():
        same = found()
    assert own[0] == same[0]
    for one, other in zip(own[1].means, same[1].means, strict=True):
        assert isclose(one, other, abs_tol=1e-6)


def coverage(runs: int, players: int = 20) -> None:
    """Say how often intervals hold, and all places together."""
    print(f"{runs} fields of {players}: intervals of ratings that hold, and boards of which all places hold")
    chosen: dict[str, dict[str, Any]] = {
        "round robin": {},
        "swiss": {"schedule": "swiss"},
        "swiss, 5 rounds": {"schedule": "swiss", "rounds": 5},
        "ladder": {"schedule": "ladder", "top": 5, "rounds": 20},
        "six-max": {"seats": "six-max"},
        "six-max, swiss": {"seats": "six-max", "schedule": "swiss"},
    }
    for name, values in chosen.items():
        print(f"  {name:24} {covered(runs, players, ArenaSettings(**values))}", flush=True)
    swiss = ArenaSettings(schedule="swiss")
    print(f"  {'swiss, all equal':24} {covered(runs, players, swiss, spread=0.0, style=0.0)}", flush=True)
    few = ArenaSettings(schedule="swiss", rounds=10)
    print(f"  {'swiss of 60, 10 rounds':24} {covered(runs, 60, few)}", flush=True)


def covered(runs: int, players: int, settings: ArenaSettings, **drawn: Any) -> Held:
    """Play so many fields, drawn so, by a schedule; return how often they were judged right."""
    held = Held()
    for run in range(runs):
        field = Field(players, Random(f"coverage {run}"), **drawn)
        held.add(field.means, field.played(settings), run, settings)
    return held


@attrs.define
class Held:
    """How often intervals held, and all places of a board together; and by how much ratings lay too far out."""

    boards: int = 0
    intervals: float = 0.0
    places: int = 0
    out: float = 0.0
    widths: float = 0.0

    def add(
        self, truth: list[float], scores: dict[Fixture, Score], seed: int, settings: ArenaSettings
    ) -> None:
        """Judge a board whose truth is known."""
        players = len(truth)
        estimates = paired_estimates(players, paired(scores), by_results=settings.pairs_by_results)
        for player, true in enumerate(truth):
            off, margin = estimates.means[player] - true, estimates.of(player).margin or 0.0
            self.intervals += (abs(off) <= margin) / players
            self.out += (off if true > 0 else -off) / players
        judged = judge(estimates, seed)
        order = sorted(truth, reverse=True)
        # of equals nobody is behind anybody
        places = [(order.index(each) + 1, players - order[::-1].index(each)) for each in truth]
        if judged is not None:
            self.places += all(
                best <= first and last <= worst
                for (first, last), (best, worst) in zip(places, judged.ranks, strict=True)
            )
            self.widths += sum(worst - best + 1 for best, worst in judged.ranks) / players
        self.boards += 1

    def __str__(self) -> str:
        whole, boards = self.places / self.boards, self.boards
        return (
            f"{self.intervals / boards:6.1%} {whole:6.1%}; {self.widths / boards:.1f} places a player, "
            f"{self.out / boards:+.1f} bb/100 too far out"
        )


def house(runs: int) -> None:
    """Say the same of arenas of house bots, each match 1,000 hands as they fell."""
    specs = [BotSpec.parse(name) for name in HOUSE]
    chosen = ArenaSettings(adjust=False, histories=False)

    def match(one: int, other: int, hands: int, seed: int) -> Score:
        planned = chosen.match([specs[one], specs[other]], hands=hands, seed=seed)
        return score_of(Simulation(planned, engine="batch").run(), ())

    pairs: dict[tuple[int, int], float] = {}
    for one, other in combinations(range(len(specs)), 2):
        mean = match(one, other, TRUE_HANDS, 1).means[0]
        pairs[one, other], pairs[other, one] = mean, -mean
    truth = means_of(len(specs), pairs)
    said = ", ".join(f"{name} {mean:+.1f}" for name, mean in zip(HOUSE, truth, strict=True))
    print(f"the house over {TRUE_HANDS:,} hands of each pair: {said}")
    schedules: dict[str, dict[str, Any]] = {
        "round robin": {},
        "swiss, 5 rounds": {"schedule": "swiss", "rounds": 5},
        "ladder, top 5": {"schedule": "ladder", "top": 5, "rounds": 12},
    }
    for name, values in schedules.items():
        held = Held()
        for run in range(runs):
            rng = Random(f"house {run}")

            def score(fixture: Fixture, rng: Random = rng) -> Score:
                one, other = fixture.players
                return match(one, other, 2 * DECKS, rng.getrandbits(64))

            settings = attrs.evolve(chosen, **values)
            held.add(truth, played(len(specs), settings, score), run, settings)
        print(f"  {name:24} {held}", flush=True)


def flags(runs: int, players: int = 20) -> None:
    """Say how often an honest field has a flag, and how often a match in which chips were given away has one."""
    print(
        f"{runs} fields of {players}: with a flag though honest; the match flagged when so many bb/100 were given away"
    )
    for seats, style in product(("heads-up", "six-max"), (0.0, 12.0, 40.0)):
        raised = sum(
            bool(flagged(Field(players, Random(f"honest {run} {style}"), style), seats))
            for run in range(runs)
        )
        caught = []
        for dumped in (50.0, 100.0, 200.0, 400.0):
            count = 0
            for run in range(runs):
                field = Field(players, Random(f"dumped {run} {style}"), style, (3, 7), dumped)
                count += (3, 7) in flagged(field, seats)
            caught.append(f"{dumped:.0f}: {count / runs:.1%}")
        print(
            f"  {seats:8} styles {style:4.0f} bb/100: {raised / runs:5.1%};  {', '.join(caught)}", flush=True
        )


def flagged(field: Field, seats: Any) -> list[tuple[int, int]]:
    """Return the pairs (loser, winner) that are flagged after a round robin."""
    residuals = residuals_of(field.players, paired(field.played(ArenaSettings(seats=seats))))
    return [(flag.loser, flag.winner) for flag in flags_of(residuals)]


def main(runs: int, names: list[str]) -> None:
    """Print all tables, or those named, and the time each took."""
    parts: list[Callable[[int], None]] = [schedules, coverage, house, flags]
    for part in parts:
        if names and part.__name__ not in names:
            continue
        start = process_time()
        part(runs)
        print(f"  ({process_time() - start:.0f} s of processor time)", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300, sys.argv[2:])
