"""Ranks and pairs of a result as tables for a paper: LaTeX, or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs

from poker_actors.atomic import check_directory, replacing
from poker_actors.errors import BadSpec
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.ranking.rank import Ranking
from poker_actors.sim.results import SimulationResult, method_sentence
from poker_actors.version import __version__

_SPECIAL: Final = str.maketrans(
    {
        **{each: f"\\{each}" for each in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "±": r"$\pm$",
        "…": r"\ldots{}",
    }
)


_RANKS: Final = ("best place", "worst place", "bot", "bb/100", "margin", "hands")
_PAIRS: Final = ("ahead", "behind", "bb/100", "margin", "p")


@attrs.frozen(kw_only=True)
class PaperTables:
    """Ranks and pairs, with a sentence on the method; figures in bb/100, margins of 95 %."""

    ranks: Sequence[tuple[int, int, str, Estimate, int]]
    """a row for each bot, the best first: best and worst place, bot, winnings, hands"""
    pairs: Sequence[tuple[str, str, Estimate, float]]
    """a row for each pair: the bot ahead, the one behind, the lead, p corrected for the number of pairs"""
    method: str

    def write(self, path: Path) -> None:
        """Write FILE.tex, or FILE.csv and FILE.pairs.csv; raise `BadSpec` for another suffix."""
        check_tables_path(path)
        if path.suffix == ".tex":
            with replacing(path) as stream:
                stream.write(self.as_latex())
            return
        ranks = [
            (best, worst, bot, one.mean, one.margin, hands) for best, worst, bot, one, hands in self.ranks
        ]
        pairs = [(ahead, behind, one.mean, one.margin, p) for ahead, behind, one, p in self.pairs]
        _write_csv(path, _RANKS, ranks)
        _write_csv(path.with_name(f"{path.stem}.pairs.csv"), _PAIRS, pairs)

    def as_latex(self) -> str:
        """Return both tables as LaTeX, which needs no package; the first has the method as its caption."""
        ranks = [
            (str(best) if best == worst else f"{best}--{worst}", _plain(bot), _figure(one), f"{hands:,}")
            for best, worst, bot, one, hands in self.ranks
        ]
        pairs = [
            (_plain(ahead), _plain(behind), _figure(one), "$<0.0001$" if p < 0.0001 else f"{p:.4f}")
            for ahead, behind, one, p in self.pairs
        ]
        first = _latex(("place", "bot", "bb/100", "hands"), "rlrr", ranks, self.method)
        return f"{first}\n{_latex(('ahead', 'behind', 'bb/100', 'p'), 'llrr', pairs, 'Differences between bots.')}"


def check_tables_path(path: Path) -> None:
    """Raise `BadSpec` unless tables can be written to `path`."""
    if path.suffix not in (".tex", ".csv"):
        raise BadSpec(f"tables {path}: the name must end with .tex or .csv")
    check_directory(path)


def result_tables(result: SimulationResult) -> PaperTables:
    """Make the tables of a match; with too few hands to judge, every place is open and no pair told apart."""
    judgement, best = result.judgement, result.best
    names = [player.bot for player in result.players]
    places = [(1, len(names))] * len(names) if judgement is None else judgement.ranks
    order = sorted(range(len(names)), key=lambda bot: (places[bot], bot))
    won = [player.bb_per_100 if best is None else best.of(player.seat) for player in result.players]
    pairs = () if judgement is None else judgement.pairs
    return PaperTables(
        ranks=[(*places[bot], names[bot], won[bot], result.players[bot].hands) for bot in order],
        pairs=[(names[pair.better], names[pair.worse], pair.difference, pair.p) for pair in pairs],
        method=method_sentence(result),
    )


def ranking_tables(ranking: Ranking) -> PaperTables:
    """Make the tables of a ranking: places by bankroll, and each pair's winnings from each other."""
    hands = ranking.hands_a_pair * (len(ranking.names) - 1)
    last = len(ranking.names)
    places = [(1, last)] * last if ranking.judgement is None else ranking.judgement.ranks
    pairs = [
        (ranking.names[one], ranking.names[other], cell.estimate, cell.p)
        for one, row in enumerate(ranking.cells)
        for other, cell in enumerate(row)
        if cell is not None and (cell.estimate.mean, other) > (0, one)
    ]
    luck = "with the luck of the cards taken out" if ranking.estimator == "corrected" else "as the chips fell"
    return PaperTables(
        ranks=[(*places[bot], ranking.names[bot], ranking.bankroll.of(bot), hands) for bot in ranking.order],
        pairs=pairs,
        method=(
            f"{ranking.hands:,} hands in all, {ranking.hands_a_pair:,} a pair on the same decks, seed {ranking.seed}, played by "
            f"poker_actors {__version__} (CITATION.cff); results {luck}; intervals of 95 %."
        ),
    )


def _write_csv(path: Path, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([heads, *rows])
    with replacing(path) as stream:
        stream.write(text.getvalue())


def _plain(text: str) -> str:
    return text.translate(_SPECIAL)


def _figure(one: Estimate) -> str:
    return f"${one.mean:+.1f}$" if one.margin is None else f"${one.mean:+.1f} \\pm {one.margin:.1f}$"


def _latex(heads: Sequence[str], columns: str, rows: Sequence[Sequence[str]], caption: str) -> str:
    """Return one table of cells that are LaTeX already, and a caption that is not."""
    body = "\n".join([" & ".join(heads) + r" \\ \hline", *(" & ".join(row) + r" \\" for row in rows)])
    return (
        f"\\begin{{table}}\n\\centering\n\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}\n"
        f"\\caption{{{_plain(caption)}}}\n\\end{{table}}\n"
    )
