"""The board of an arena: places, ratings, the crosstable, and remarks on each entrant."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from math import sqrt
from statistics import median
from typing import Any, Final

import attrs

from poker_actors.arena.schedule import Fixture, paired
from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.state import Admission, Score
from poker_actors.sim import Estimate, Judgement
from poker_actors.sim.judging import Estimates, critical_value, holm, judge, p_value
from poker_actors.sim.ranking import Residual, elo, paired_estimates, residuals_of
from poker_actors.sim.results import aligned, estimate_text

_JUDGE_SEED: Final = 0
"""Seed of the draws behind the places: the same board has the same places."""
_LEVEL: Final = 0.01
"""The chance that an honest field raises any flag, if residuals are as heavy-tailed as assumed."""
_TAIL: Final = 6
"""Degrees of freedom of the t distribution assumed for residuals; docs/arena.md shows how well it fits."""
_FEWEST: Final = 15
"""The fewest pairs with which any is flagged, those of six entrants: with fewer, nobody can tell what is usual."""


@attrs.frozen(kw_only=True)
class Competitor:
    """A row of the board: an entrant's version, and the outcome of its admission."""

    name: str
    version: str
    house: bool
    admission: Admission

    @property
    def refusal(self) -> dict[str, str]:
        """The reason it does not play, as plain values."""
        why = self.admission
        return {
            "name": self.name,
            "version": self.version,
            "reason": why.refused,
            "code": why.refused_code,
        }


@attrs.frozen(kw_only=True)
class Pair:
    """A match on the board; `key` names the folder of its files."""

    fixture: Fixture
    key: str
    score: Score


@attrs.frozen(kw_only=True)
class Flag:
    """Two players whose matches do not fit the rest of their results: a sign of chips given away."""

    loser: int
    winner: int
    lost: float
    """what the loser lost to the winner, in the board's `measure`; at larger tables, half its deficit"""
    unexplained: float
    """the part that the difference of the ratings does not explain"""
    p: float
    """the p-value, corrected for the number of pairs"""


@attrs.frozen(kw_only=True)
class Board:
    """The standings of an arena; player numbers index `competitors`, of which the first `playing` play."""

    title: str
    game: str
    competitors: tuple[Competitor, ...]
    playing: int
    pairs: tuple[Pair, ...]
    measure: str
    """the unit of results and ratings"""
    seats: int
    """seats at a table"""
    corrected: bool
    """whether the luck of the cards is removed"""
    estimates: Estimates
    """ratings: what each wins from the average of the others"""
    judgement: Judgement | None
    elo: tuple[float, ...]
    flags: tuple[Flag, ...]
    before: tuple[dict[str, Any], ...] = attrs.field(default=(), eq=False)
    """summaries of all boards so far, oldest first, including this one"""

    @property
    def order(self) -> list[int]:
        """The players, the best rating first."""
        return sorted(range(self.playing), key=lambda player: (-self.estimates.means[player], player))

    @property
    def matches(self) -> list[Pair]:
        """The matches of two different players that have a result."""
        return [pair for pair in self.pairs if not pair.score.void and not pair.fixture.is_control]

    def places(self, player: int) -> str:
        """Return the places a player may have: `3` or `3-7`; `-` if there is too little data."""
        if self.judgement is None:
            return "-"
        best, worst = self.judgement.ranks[player]
        return str(best) if best == worst else f"{best}-{worst}"

    @cached_property
    def cells(self) -> dict[tuple[int, int], Estimate]:
        """What the first won from the second over all their matches; at larger tables, its lead."""
        found: dict[tuple[int, int], list[_Part]] = {}
        for pair in self.matches:
            for (at, one), (beside, other) in combinations(enumerate(pair.fixture.players), 2):
                found.setdefault((one, other), []).append(_part(pair.score, at, beside))
        cells = {}
        for (one, other), parts in found.items():
            mean = _pooled(parts)
            cells[one, other] = mean
            cells[other, one] = mean.scaled(-1)
        return cells

    @cached_property
    def controls(self) -> tuple[int, int]:
        """The numbers of control matches, against copies, that came out even at 95 % and of all of them."""
        found = [pair.score for pair in self.pairs if pair.fixture.is_control and not pair.score.void]
        estimates = [_pooled([_part(score, 0, 1)]) for score in found]
        return sum(abs(each.mean) <= (each.margin or 0.0) for each in estimates), len(estimates)

    def faults(self, player: int) -> dict[str, int]:
        """Return a player's faults over its matches, by kind; `ejected` counts matches."""
        total: dict[str, int] = {}
        for faults in self._faults_of(player):
            for kind, count in faults.items():
                if kind == "ejected":
                    total[kind] = total.get(kind, 0) + 1
                elif kind not in ("first", "first_hand"):
                    total[kind] = total.get(kind, 0) + count
        return total

    def first_fault(self, player: int) -> str:
        """Return a player's first fault in words; empty if there was none."""
        return next((faults["first"] for faults in self._faults_of(player) if "first" in faults), "")

    def _faults_of(self, player: int) -> list[dict[str, Any]]:
        return [
            faults
            for pair in self.matches
            for number, faults in zip(pair.fixture.players, pair.score.faults, strict=True)
            if number == player
        ]

    def seconds(self, player: int) -> float:
        """Return the seconds a player spent on decisions in its matches."""
        return sum(
            seconds
            for pair in self.pairs
            for number, seconds in zip(pair.fixture.players, pair.score.seconds, strict=False)
            if number == player
        )

    @property
    def digest(self) -> str:
        """A hash of everything on the board except times."""
        plain = self.to_dict()
        for row in plain["standings"]:
            del row["seconds"]
        return blake2b(
            json.dumps(plain, sort_keys=True).encode(), digest_size=16, person=b"arena board"
        ).hexdigest()

    def summary(self) -> dict[str, Any]:
        """Return the summary of a board for the history of standings."""
        rows = {self.competitors[player].name: self._short(player) for player in self.order}
        return {"digest": self.digest, "entrants": rows}

    def _short(self, player: int) -> dict[str, Any]:
        rating = self.estimates.of(player)
        return {
            "version": self.competitors[player].version,
            "rating": rating.mean,
            "margin": rating.margin,
            "places": self.places(player),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "title": self.title,
            "luck_removed": self.corrected,
            "standings": [self._row(player) for player in self.order],
            "refused": [each.refusal for each in self.competitors[self.playing :]],
            "void": [
                {"players": self._names(pair), "reason": pair.score.void}
                for pair in self.pairs
                if pair.score.void
            ],
            "matches": [
                {
                    "players": self._names(pair),
                    "number": pair.fixture.number,
                    "key": pair.key,
                    "hands": pair.score.hands,
                    "digest": pair.score.digest,
                    **self._result(pair.score),
                    "net_chips": list(pair.score.net),
                }
                for pair in self.pairs
                if not pair.score.void
            ],
            "controls": {"even": self.controls[0], "of": self.controls[1]},
            "flags": [
                {
                    **attrs.asdict(flag),
                    "loser": self.competitors[flag.loser].name,
                    "winner": self.competitors[flag.winner].name,
                }
                for flag in self.flags
            ],
        }

    def _names(self, pair: Pair) -> list[str]:
        return [self.competitors[player].name for player in pair.fixture.players]

    def _result(self, score: Score) -> dict[str, Any]:
        if len(score.means) > 2:
            return {"results": list(score.means)}
        return {self._key: score.means[0], "margin": _pooled([_part(score, 0, 1)]).margin}

    @property
    def _key(self) -> str:
        return "bb_per_100" if self.measure == "bb/100" else "percent_of_buy_in"

    def _row(self, player: int) -> dict[str, Any]:
        rating, competitor = self.estimates.of(player), self.competitors[player]
        best, worst = (None, None) if self.judgement is None else self.judgement.ranks[player]
        return {
            "name": competitor.name,
            "version": competitor.version,
            "best_place": best,
            "worst_place": worst,
            self._key: rating.mean,
            "margin": rating.margin,
            "elo": self.elo[player],
            "faults": self.faults(player),
            "first_fault": self.first_fault(player),
            "remark": competitor.admission.remark,
            "seconds": self.seconds(player),
        }


@attrs.frozen
class _Part:
    """A match's evidence about two players."""

    weight: int
    mean: float
    variance: float | None
    freedom: int


def _part(score: Score, at: int, beside: int) -> _Part:
    """Return what one player won from another at a table of two; at a larger table, its lead over the other."""
    half = 0.5 if len(score.means) == 2 else 1.0
    known, variance = score.covariance, None
    if known is not None:
        variance = half * half * (known[at][at] + known[beside][beside] - 2 * known[at][beside])
    return _Part(score.weight, half * (score.means[at] - score.means[beside]), variance, score.freedom)


def _pooled(parts: Sequence[_Part]) -> Estimate:
    """Return the mean over matches, by their weights, and its 95 % margin."""
    weight = sum(part.weight for part in parts)
    mean = sum(part.mean * part.weight for part in parts) / weight
    variance = 0.0
    for part in parts:
        if part.variance is None:
            return Estimate(mean, None)
        variance += part.variance * (part.weight / weight) ** 2
    freedom = max(1, sum(part.freedom for part in parts))
    return Estimate(mean, critical_value(0.05, freedom) * sqrt(variance))


def board_of(settings: ArenaSettings, competitors: Sequence[Competitor], pairs: Sequence[Pair]) -> Board:
    """Judge the matches; in `competitors`, the players come first."""
    playing = sum(not each.admission.refused for each in competitors)
    scores = {pair.fixture: pair.score for pair in pairs}
    results = paired(scores)
    estimates = paired_estimates(playing, results, by_results=settings.pairs_by_results)
    won = [[0.0] * playing for _ in range(playing)]
    for fixture, score in scores.items():  # games against oneself do not count in Elo
        if score.void:
            continue
        beaten = score.beaten or ((0.0, score.won[0]), (score.won[1], 0.0))
        for one, row in zip(fixture.players, beaten, strict=True):
            for other, count in zip(fixture.players, row, strict=True):
                won[one][other] += count
    seats = settings.table(playing)
    each = f"{settings.length(seats)}{f' at tables of {seats}' if seats > 2 else ''}"
    return Board(
        title=f"{playing} entrants, {len(results):,} matches of {each}, {settings.rules.title}",
        game=settings.rules.name,
        competitors=tuple(competitors),
        playing=playing,
        pairs=tuple(pairs),
        measure=settings.measure,
        seats=seats,
        corrected=settings.corrects,
        estimates=estimates,
        judgement=judge(estimates, _JUDGE_SEED),
        elo=tuple(elo(won)) if playing > 1 else (0.0,) * playing,
        flags=tuple(flags_of(residuals_of(playing, results))) if playing > 1 else (),
    )


def flags_of(residuals: Sequence[Residual]) -> list[Flag]:
    """Return the pairs that stand out among all, the most striking first.

    A residual is measured against its own error and the spread of all residuals, which differences in style cause.
    """
    if len(residuals) < _FEWEST:
        return []
    spread = (1.4826 * median(abs(each.value) for each in residuals)) ** 2
    style = max(0.0, spread - median(each.error**2 for each in residuals))
    ratios = [abs(each.value) / sqrt(style + each.error**2 or 1.0) for each in residuals]
    found = []
    for each, p in zip(residuals, holm([p_value(ratio, _TAIL) for ratio in ratios]), strict=True):
        if p <= _LEVEL:
            loser, winner = (each.one, each.other) if each.value < 0 else (each.other, each.one)
            found.append(
                Flag(loser=loser, winner=winner, lost=abs(each.mean), unexplained=abs(each.value), p=p)
            )
    return sorted(found, key=lambda flag: (flag.p, flag.loser, flag.winner))


# -- as text ---------------------------------------------------------------------------------------


def board_text(board: Board, width: int | None = None) -> str:
    """Return the board as lines of text, its table at most `width` wide if possible."""
    rows: list[Sequence[str]] = [("place", "entrant", f"{board.measure} ± 95 %", "Elo", "faults", "thought")]
    for player in board.order:
        faults = board.faults(player)
        rows.append(
            (
                board.places(player),
                board.competitors[player].name,
                estimate_text(board.estimates.of(player)),
                f"{board.elo[player]:+.0f}",
                f"{sum(count for kind, count in faults.items() if kind != 'ejected'):,}",
                f"{seconds:,.1f} s" if (seconds := board.seconds(player)) else "-",
            )
        )
    judged = "the luck of the cards taken out" if board.corrected else "as the chips fell"
    lines = [f"{board.title}, {judged}", ""]
    lines += [aligned(rows, left=(1,), width=width)] if board.playing else ["nobody plays"]
    if board.judgement is not None:
        lines += [
            "",
            f"all places, by {board.measure}, are right together in 95 arenas of 100; Elo goes by decks won",
        ]
    return "\n".join([*lines, *_remarks(board)])


def _remarks(board: Board) -> list[str]:
    lines = []
    even, of = board.controls
    if of:
        lines.append(f"control: {even} of {of} came out even with a copy of themselves, at 95 % each")
    for flag in board.flags:
        loser, winner = (board.competitors[player].name for player in (flag.loser, flag.winner))
        lines.append(
            f"look at {loser} - {winner}: {loser} did worse there by {flag.unexplained:.0f} {board.measure} than all their other "
            f"matches say (p {flag.p:.4f})"
        )
    for player in board.order:
        name = board.competitors[player].name
        first = board.first_fault(player)
        gone = board.faults(player).get("ejected", 0)
        if first:
            ejected = f"; ejected in {gone} match{'es' if gone > 1 else ''}" if gone else ""
            lines.append(f"{name}: the first fault: {first}{ejected}")
    lines += [
        f"void, and counted for nobody: {' - '.join(board._names(pair))}: {pair.score.void}"
        for pair in board.pairs
        if pair.score.void
    ]
    lines += [
        f"refused: {each.name}: {each.admission.refused}" for each in board.competitors[board.playing :]
    ]
    return lines
