"""Print the results of simulations and tournaments at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from poker_actors.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from poker_actors.sim import SimulationResult
    from poker_actors.sim.tournaments import TournamentResult

__all__ = [
    "print_result",
    "print_table",
    "print_tournament",
]


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


_ROWS: Final = 20
"""The least number of standings shown, if there are as many; every paid player is shown."""
_BROKEN: Final = 12
"""The most broken tables that are named."""


def print_tournament(result: TournamentResult) -> None:
    """Print standings, levels, and totals of the tables."""
    out = console()
    structure = result.structure
    out.print(
        f"{structure.name} of {len(result.standings)} players at tables of {structure.seats}, "
        f"{structure.stack:,} chips, seed {result.seed}: {result.winner} wins"
    )
    _print_standings(result)
    hidden = len(result.standings) - max(_ROWS, len(result.payouts))
    if hidden > 0:
        out.print(f"and {hidden} more")
    out.print()
    _print_levels(result)
    out.print()
    for line in _remarks(result):
        out.print(line)


def _print_standings(result: TournamentResult) -> None:
    rebuys = any(placed.rebuys or placed.add_on for placed in result.standings)
    headings = (
        "place",
        "player",
        "bot",
        "prize",
        "paid",
        *(("rebuys",) if rebuys else ()),
        "hands",
        "moves",
        "out in",
    )
    rows = [
        (
            f"{placed.place}{'=' if placed.tied else ''}",
            placed.name,
            placed.bot,
            f"{placed.prize:,}" if placed.prize else "",
            f"{placed.paid:,}",
            *((str(placed.rebuys),) if rebuys else ()),
            f"{placed.hands:,}",
            str(placed.moves),
            "" if placed.place == 1 else f"level {placed.level}",
        )
        for placed in result.standings[: max(_ROWS, len(result.payouts))]
    ]
    print_table(headings, rows, left=("player", "bot"))


def _print_levels(result: TournamentResult) -> None:
    rows = []
    for level, stacks in enumerate(result.curve):
        leader = max(stacks, key=stacks.__getitem__)
        average = sum(stacks.values()) // len(stacks)
        stakes = str(result.structure.stakes(level))
        rows.append((str(level + 1), stakes, str(len(stacks)), f"{average:,}", leader, f"{stacks[leader]:,}"))
    print_table(("level", "blinds", "players", "average", "leader", "chips"), rows, left=("blinds", "leader"))


def _remarks(result: TournamentResult) -> list[str]:
    structure = result.structure
    clock = f"{result.time / 3600:.1f} h" if structure.by == "minutes" else f"{result.time} ticks"
    lines = [f"{result.hands:,} hands in {clock} of its clock, {result.tables} tables, {result.moves} moves"]
    if result.broken:
        numbers = [str(table) for table in result.broken]
        if len(numbers) > _BROKEN:
            numbers[_BROKEN // 2 : -_BROKEN // 2] = [f"({len(numbers) - _BROKEN} more)"]
        lines.append(f"tables broken: {', '.join(numbers)}")
    if result.final_table is not None:
        lines.append(f"final table: {result.final_table}")
    if result.rounds:
        lines.append(f"hand for hand: {result.rounds} round{'s' if result.rounds > 1 else ''}")
    lines.append(f"chips in {result.chips_in:,}, out {result.chips_out:,}")
    fees = f", fees {result.fees:,}" if result.fees else ""
    lines.append(f"prizes in {result.prize_in:,}, out {result.prize_out:,}{fees}")
    faults = [f"{placed.name} {placed.faults}" for placed in result.standings if placed.faults]
    if faults:
        lines.append(f"faults: {', '.join(faults[:10])}")
    lines.append(f"digest {result.digest}")
    return lines
