"""Rank a round robin: crosstable, places, run-off, ratings and populations, with their uncertainty, as values and text."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any

import attrs

from poker_actors.errors import BadSpec
from poker_actors.sim.intervals import Estimate, by_blocks
from poker_actors.sim.judging import Estimates, Judgement, holm, judge, p_value, raw_estimates
from poker_actors.sim.ranking.ratings import (
    Crosstable,
    Spread,
    alpha_rank,
    elo,
    least_squares,
    replicator,
    run_off,
    spread_of,
)
from poker_actors.sim.results.table import aligned
from poker_actors.sim.round_robin import RoundRobinResult
from poker_actors.sim.statistics import add_columns, empty_row

_MILLI = 1000
"""Thousandths per unit: sums of integers are the same on every machine."""


@attrs.frozen
class Cell:
    """The winnings of one bot from another, in bb/100."""

    estimate: Estimate
    p: float
    """p-value, corrected for the number of pairs (Holm)"""


@attrs.frozen
class Elimination:
    """A round of the instant run-off: the bot eliminated, and its gap to the next in bb/100."""

    bot: int
    gap: Estimate


@attrs.frozen
class Ranking:
    """A ranked round robin. Tuples are by bot, in the order given."""

    names: tuple[str, ...]
    estimator: str
    hands_a_pair: int
    hands: int
    seed: int
    cells: tuple[tuple[Cell | None, ...], ...]
    """the row's winnings from the column; None on the diagonal"""
    bankroll: Estimates
    """means over the opponents; units are blocks of decks, the same decks for every pair"""
    judgement: Judgement | None
    eliminations: tuple[Elimination, ...]
    """eliminations in order; the bot missing here is the winner"""
    elo: Spread
    """Bradley-Terry ratings by decks or hands won"""
    strength: Spread
    """the ratings, in bb/100, that fit the crosstable best"""
    cyclic: float
    """the largest part of a cell, in bb/100, that no ratings explain"""
    alpha: Spread
    population: Spread
    """shares under replicator dynamics, averaged over time"""

    @property
    def order(self) -> list[int]:
        """The bots, best bankroll first."""
        return sorted(range(len(self.names)), key=lambda bot: -self.bankroll.means[bot])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return attrs.asdict(self) | {"order": self.order}


def ranked(result: RoundRobinResult) -> Ranking:
    """Rank a round robin; raise `BadSpec` for fewer than eight blocks of decks."""
    cross = _crosstable(result)
    if len(cross.blocks) < 8:
        raise BadSpec(
            f"{result.hands} hands a pair make {len(cross.blocks)} blocks of decks: a ranking needs at least 8"
        )
    table = cross.table()
    bank = _bankroll(cross)
    cells = _cells(result)
    errors = [[_error(cell) for cell in row] for row in cells]
    strength = spread_of(cross, lambda chosen: least_squares(cross.table(chosen), errors), result.seed)
    cyclic = max(
        abs(table[one][other] - strength.values[one] + strength.values[other])
        for one in range(len(table))
        for other in range(len(table))
        if one != other
    )
    return Ranking(
        names=result.names,
        estimator="corrected" if result.corrected else "raw",
        hands_a_pair=result.hands,
        hands=result.hands * len(result.pairings),
        seed=result.seed,
        cells=cells,
        bankroll=bank,
        judgement=judge(bank, result.seed),
        eliminations=tuple(_eliminations(cross, table)),
        elo=spread_of(cross, lambda chosen: elo(cross.wins(chosen)), result.seed),
        strength=strength,
        cyclic=cyclic,
        alpha=spread_of(cross, lambda chosen: alpha_rank(cross.table(chosen)), result.seed),
        population=spread_of(cross, lambda chosen: replicator(cross.table(chosen)), result.seed),
    )


def _crosstable(result: RoundRobinResult) -> Crosstable:
    """Return big blinds and units won by block, row against column."""
    size = len(result.names)
    blocks = result.pairings[0].result.blocks
    nothing = (0.0,) * len(blocks)
    gains = [[nothing] * size for _ in range(size)]
    won = [[nothing] * size for _ in range(size)]
    for pairing in result.pairings:
        for player, row, column in zip(
            pairing.result.players,
            (pairing.one, pairing.other),
            (pairing.other, pairing.one),
            strict=True,
        ):
            known = player.corrected_gains if result.corrected else player.gains
            big = pairing.result.big_blind
            gains[row][column] = tuple(chips / big for chips in known or ())
            won[row][column] = player.won or nothing
    return Crosstable(result.names, tuple(map(tuple, gains)), tuple(map(tuple, won)), blocks)


def _cells(result: RoundRobinResult) -> tuple[tuple[Cell | None, ...], ...]:
    size = len(result.names)
    values = []
    for pairing in result.pairings:
        best = pairing.result.best
        variance = None if best is None else best.variance(0)
        mean = 0.0 if best is None else best.means[0]
        if not variance:
            values.append(1.0 if not mean or variance is None else 0.0)
        else:
            values.append(p_value(mean / sqrt(variance), 1 if best is None else best.freedom))
    cells: list[list[Cell | None]] = [[None] * size for _ in range(size)]
    for pairing, p in zip(result.pairings, holm(values), strict=True):
        one, other = pairing.result.players
        cells[pairing.one][pairing.other] = Cell(one.judged, p)
        cells[pairing.other][pairing.one] = Cell(other.judged, p)
    return tuple(map(tuple, cells))


def _error(cell: Cell | None) -> float:
    return inf if cell is None else (cell.estimate.margin or 1.0)


def _bankroll(cross: Crosstable) -> Estimates:
    """Return means over the opponents, by blocks of decks: bots met the same cards, so they are correlated."""
    others = len(cross.names) - 1
    size = max(cross.blocks)
    whole = [block for block, hands in enumerate(cross.blocks) if hands == size]
    # thousandths of a big blind, rounded to integers: their sums are exact
    columns = [
        [round(_MILLI * sum(cell[block] for cell in row) / others) for block in whole] for row in cross.gains
    ]
    sums = empty_row(len(columns))
    add_columns(sums, columns)
    return raw_estimates(sums, len(columns), unit="block of decks", unit_hands=size, big_blind=_MILLI)


def _eliminations(cross: Crosstable, table: Sequence[Sequence[float]]) -> list[Elimination]:
    left = list(range(len(table)))
    found = []
    for bot in run_off(table)[:-1]:
        others = [other for other in left if other != bot]
        rows = {each: sum(table[each][other] for other in left) / (len(left) - 1) for each in left}
        nearest = min(others, key=rows.__getitem__)
        found.append(Elimination(bot, _gap(cross, left, nearest, bot)))
        left.remove(bot)
    return found


def _gap(cross: Crosstable, left: Sequence[int], ahead: int, behind: int) -> Estimate:
    """Return one bot's lead over another among those left, by blocks, in bb/100."""
    others = len(left) - 1
    gains = [
        sum(cross.gains[ahead][other][block] - cross.gains[behind][other][block] for other in left) / others
        for block in range(len(cross.blocks))
    ]
    return by_blocks(gains, cross.blocks).scaled(100)


HEADINGS = ("rank", "bot", "bb/100 ± 95 %", "Elo", "bb/100 fitted", "alpha-rank %", "population %")


def ranking_text(ranking: Ranking, width: int | None = None) -> str:
    """Return a ranking as lines of text, with tables at most `width` wide if possible."""
    lines = [
        _played(ranking),
        f"results {'with the luck of the cards taken out' if ranking.estimator == 'corrected' else 'as the chips fell'}",
        "",
        "What the row wins from the column, bb/100; * where that stands out at 95 %, all pairs taken together",
        aligned(crosstable_rows(ranking), left=(0,), width=width, keys=1),
        "",
        aligned(standing_rows(ranking), left=(1,), width=width),
        "",
        run_off_words(ranking),
        f"the largest part of a cell that no order of strength explains: {ranking.cyclic:.1f} bb/100",
    ]
    return "\n".join(lines)


def _played(ranking: Ranking) -> str:
    pairs = len(ranking.names) * (len(ranking.names) - 1) // 2
    each = f"{ranking.hands_a_pair:,} for each of {pairs} pair{'s' if pairs > 1 else ''}"
    return f"{ranking.hands:,} hands in all, {each} on the same decks, seed {ranking.seed}"


def crosstable_rows(ranking: Ranking) -> list[tuple[str, ...]]:
    """Return the crosstable in the order of bankroll, row against column."""
    order = ranking.order
    rows = [("", *(ranking.names[bot] for bot in order))]
    cells = ranking.cells
    rows += [(ranking.names[bot], *(_cell(cells[bot][other]) for other in order)) for bot in order]
    return rows


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    margin = "-" if cell.estimate.margin is None else f"{cell.estimate.margin:.1f}"
    return f"{cell.estimate.mean:+.1f} ± {margin}{'*' if cell.p <= 0.05 else ' '}"


def standing_rows(ranking: Ranking) -> list[tuple[str, ...]]:
    """Return a row for each bot, the best bankroll first."""
    rows: list[tuple[str, ...]] = [HEADINGS]
    for bot in ranking.order:
        bank = ranking.bankroll.of(bot)
        places = "-" if ranking.judgement is None else _places(*ranking.judgement.ranks[bot])
        rows.append(
            (
                places,
                ranking.names[bot],
                f"{bank.mean:+.1f} ± {bank.margin or 0:.1f}",
                _between(ranking.elo, bot, "+.0f"),
                _between(ranking.strength, bot, "+.1f"),
                _between(ranking.alpha, bot, ".1f", 100),
                _between(ranking.population, bot, ".1f", 100),
            )
        )
    return rows


def _places(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best}-{worst}"


def _between(spread: Spread, bot: int, form: str, scale: float = 1) -> str:
    low, high = spread.intervals[bot]
    return f"{spread.values[bot] * scale:{form}} ({low * scale:{form}} to {high * scale:{form}})"


def run_off_words(ranking: Ranking) -> str:
    """Name the bots in the order of their elimination, with the gaps, and the winner."""
    gone = [
        f"{ranking.names[each.bot]} (behind by {each.gap.mean:.1f} ± {each.gap.margin or 0:.1f})"
        for each in ranking.eliminations
    ]
    out = {each.bot for each in ranking.eliminations}
    (winner,) = [bot for bot in range(len(ranking.names)) if bot not in out]
    return f"run-off, the first to go first: {', '.join(gone)}; {ranking.names[winner]} is left"
