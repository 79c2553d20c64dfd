"""How the results of simulations look at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.cli.output import console

if TYPE_CHECKING:
    from rich.table import Table

    from poker_actors.sim import SimulationResult

__all__ = ["plain_table", "print_result"]


def print_result(result: SimulationResult, difference: float = 5.0) -> None:
    """Print a result as the table that a player would want, with what is odd about it below."""
    from rich.text import Text

    from poker_actors.sim import HEADINGS, table_rows

    out = console()
    taken, gap = _width_without_bars(result, out.width)
    room = min(24, out.width - taken - gap)
    rows = table_rows(result, room if room >= len(HEADINGS[-1]) else 0)
    headings = HEADINGS if rows[0][-1] else HEADINGS[:-1]
    table = plain_table(headings, left=("bot", "winnings"), gap=gap)
    for row, player in zip(rows, result.players, strict=True):
        style = "green" if player.net_chips > 0 else "red" if player.net_chips < 0 else ""
        cells = row[: len(headings)]
        table.add_row(
            *(Text(cell, style=style if place in (2, 3) else "") for place, cell in enumerate(cells))
        )
    out.print(result.headline)
    out.print(result.ranking)
    out.print(table)
    for line in result.remarks_for(difference):
        out.print(line)


def plain_table(headings: tuple[str, ...], left: tuple[str, ...], gap: int = 2) -> Table:
    """Make a table without lines; columns that are not `left` are flush right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right", no_wrap=heading != "bot")
    return table


def _width_without_bars(result: SimulationResult, width: int) -> tuple[int, int]:
    """How many columns the figures take, and the gap between them: 2, or 1 where that is too wide."""
    from poker_actors.sim import HEADINGS, table_rows

    rows = [HEADINGS[:-1], *(row[:-1] for row in table_rows(result, 0))]
    figures = sum(max(map(len, column)) for column in zip(*rows, strict=True))
    gaps = len(HEADINGS) - 2
    gap = 2 if figures + 2 * gaps <= width else 1
    return figures + gap * gaps, gap
