"""A ranking as text: the crosstable, the standings and the run-off."""

from __future__ import annotations

from poker_actors.sim.ranking.rank import Cell, Ranking
from poker_actors.sim.ranking.ratings import Spread
from poker_actors.sim.results.table import aligned

__all__ = ["crosstable_rows", "ranking_text", "standing_rows"]

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
