"""Print the results of simulations at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from poker_actors.sim import SimulationResult

__all__ = ["print_result", "print_table"]


def print_result(result: SimulationResult, difference: float = 5.0) -> None:
    """Print a result as a table, with remarks below."""
    from rich.text import Text

    from poker_actors.sim import HEADINGS, table_rows

    out = console()
    taken, gap = _width_without_bars(result, out.width)
    room = min(24, out.width - taken - gap)
    rows = table_rows(result, room if room >= len(HEADINGS[-1]) else 0)
    headings = HEADINGS if rows[0][-1] else HEADINGS[:-1]
    body = [
        [
            Text(cell, style=_colour(player.net_chips) if place in (2, 3) else "")
            for place, cell in enumerate(row[: len(headings)])
        ]
        for row, player in zip(rows, result.players, strict=True)
    ]
    out.print(result.headline)
    out.print(result.ranking)
    print_table(headings, body, left=("bot", "winnings"), gap=gap)
    for line in result.remarks_for(difference):
        out.print(line)


def _colour(chips: int) -> str:
    return "green" if chips > 0 else "red" if chips < 0 else ""


def print_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    left: tuple[str, ...],
    *,
    keys: int = 2,
    gap: int = 2,
) -> None:
    """Print a table without lines; columns that are not `left` are flush right.

    Where the terminal is too narrow, columns go below in blocks, each after the first `keys`: no figure is cut.
    """
    from rich.table import Table

    from poker_actors.sim.results import blocks

    out = console()
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for number, block in enumerate(blocks(widths, out.width, keys, gap)):
        table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
        for place in block:
            heading = headings[place]
            # only a long name of a bot is wrapped
            table.add_column(
                heading, justify="left" if heading in left else "right", no_wrap=heading != "bot"
            )
        for row in rows:
            table.add_row(*(row[place] for place in block))
        if number:
            out.print()
        out.print(table)


def _width_without_bars(result: SimulationResult, width: int) -> tuple[int, int]:
    """How many columns the figures take, and the gap between them: 2, or 1 where that is too wide."""
    from poker_actors.sim import HEADINGS, table_rows

    rows = [HEADINGS[:-1], *(row[:-1] for row in table_rows(result, 0))]
    figures = sum(max(map(len, column)) for column in zip(*rows, strict=True))
    gaps = len(HEADINGS) - 2
    gap = 2 if figures + 2 * gaps <= width else 1
    return figures + gap * gaps, gap
