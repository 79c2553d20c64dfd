"""The tables of the report as HTML, each in a box that a keyboard can scroll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from poker_actors.sim.judging import Separation
from poker_actors.sim.results import (
    HEADINGS,
    Habits,
    PlayerResult,
    Share,
    SimulationResult,
    table_rows,
)

__all__ = ["box", "habits", "matrix", "pair_list", "streets", "summary"]

_STREETS: Final = (
    *("street", "bot", "raises", "calls", "folds", "checks"),
    *("factor", "frequency", "c-bet", "fold to c-bet"),
)

_WORDS: Final = frozenset(("ahead", "ahead of", "bot", "figure", "of", "street", "winnings"))
"""Columns that hold no numbers."""


def box(inside: str, words: str) -> str:
    """Put something wide into a box of its own that scrolls, by keyboard too, and is called `words`."""
    return f"<div class='scroll' tabindex='0' role='region' aria-label='{escape(words)}'>{inside}</div>"


def summary(result: SimulationResult) -> str:
    """A row for each player, as the command prints it."""
    bot = HEADINGS.index("bot")
    rows = [
        "".join(_row_head(cell) if place == bot else _cell(cell, place) for place, cell in enumerate(row))
        for row in table_rows(result)
    ]
    return _table(HEADINGS, rows, "Results")


def _cell(cell: str, place: int) -> str:
    kind = " class='bars'" if place == len(HEADINGS) - 1 else ""
    return f"<td{kind}>{escape(cell)}</td>"


def habits(columns: Sequence[Habits], names: Sequence[str], words: str) -> str:
    """The tracker's figures, a column each; numerator and denominator under the pointer."""
    figures = [column.statistics for column in columns]
    rows = [
        _row_head(name.replace("_", " ")) + "".join(_share(each[name]) for each in figures)
        for name in (figures[0] if figures else ())
    ]
    return _table(["figure", *names], rows, words)


def streets(result: SimulationResult) -> str:
    """What each player did on each street, street by street."""
    rows = [
        _street(player, number)
        for number in range(len(result.players[0].streets))
        for player in result.players
    ]
    return _table(_STREETS, rows, "By street")


def _street(player: PlayerResult, number: int) -> str:
    street = player.streets[number]
    factor = "-" if street.aggression_factor is None else f"{street.aggression_factor:.2f}"
    counts = (street.raises, street.calls, street.folds, street.checks)
    shown = [f"<td>{count:,}</td>" for count in counts] + [f"<td>{factor}</td>"]
    shown += map(_share, (street.aggression, street.cbet, street.fold_to_cbet))
    return f"<td class='words'>{street.street}</td>{_row_head(player.bot)}{''.join(shown)}"


def matrix(result: SimulationResult, found: Iterable[Separation]) -> str:
    """By how much the row is ahead of the column, in bb/100; bold where that stands out at 95 %."""
    ahead = {}
    for pair in found:
        ahead[pair.better, pair.worse] = (pair.difference.mean, pair.separated)
        ahead[pair.worse, pair.better] = (-pair.difference.mean, pair.separated)
    most = max((abs(mean) for mean, _ in ahead.values()), default=0.0) or 1.0
    rows = []
    for player in result.players:
        cells = [_ahead(ahead.get((player.seat, other.seat)), most) for other in result.players]
        rows.append(_row_head(player.bot) + "".join(cells))
    return _table(["ahead of", *(player.bot for player in result.players)], rows, "Who is ahead of whom")


def _ahead(one: tuple[float, bool] | None, most: float) -> str:
    if one is None:
        return "<td></td>"
    mean, sure = one
    kind = f"{'ahead' if mean >= 0 else 'behind'}{' sure' if sure else ''}"
    return f"<td class='{kind}' style='--v:{abs(mean) / most:.2f}'>{mean:+.0f}</td>"


def pair_list(result: SimulationResult, found: Iterable[Separation]) -> str:
    """The same pair by pair, with margins, and how many hands would tell them apart."""
    rows = [
        f"{_row_head(result.players[pair.better].bot)}<td class='words'>{escape(result.players[pair.worse].bot)}</td>"
        f"<td>{pair.difference.mean:.1f} ± {pair.difference.margin or 0:.1f}</td>"
        f"<td>{'yes' if pair.separated else 'no'}</td>"
        f"<td>{'-' if pair.hands_needed is None else f'{pair.hands_needed:,}'}</td>"
        for pair in found
    ]
    return _table(["ahead", "of", "bb/100", "at 95 %", "hands needed"], rows, "Pairs with margins")


def _table(heads: Iterable[str], rows: Iterable[str], words: str) -> str:
    head = "".join(_head(name) for name in heads)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return box(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", words)


def _head(name: str) -> str:
    kind = " class='words'" if name in _WORDS else ""
    return f"<th{kind} scope='col'>{escape(name)}</th>"


def _row_head(name: str) -> str:
    return f"<th scope='row'>{escape(name)}</th>"


def _share(share: Share | None) -> str:
    return "<td></td>" if share is None else f"<td title='{share.count} of {share.of}'>{share}</td>"
