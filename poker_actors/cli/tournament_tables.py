"""Print the result of a tournament at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from poker_actors.cli.output import console
from poker_actors.cli.simulation_tables import print_table

if TYPE_CHECKING:
    from poker_actors.sim.tournaments import TournamentResult

__all__ = ["print_tournament"]

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
