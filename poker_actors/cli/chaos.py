"""`poker-actors chaos`: the fault bench."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from poker_actors.cli.exits import DONE, NO
from poker_actors.cli.json_target import JsonOption
from poker_actors.cli.output import console, progress
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.testing import ChaosReport

__all__ = ["chaos"]


def chaos(
    *, hands: int = 1000, seed: int | None = None, evening: int | None = None, json: JsonOption = None
) -> int:
    """Play hands while actors crash and messages are lost, doubled, late and out of order.

    After every message the books must balance and no view may leak; once the faults stop every
    hand must end. The exit status is 1 when a promise is broken; a trace of that evening is left in
    the current directory then, and the command that opens it at the message is said.

    Args:
        hands: How many hands to play.
        seed: Any whole number; drawn, and shown, if not given.
        evening: Play this one evening alone, by the number a failed run has named.
        json: Write the report as JSON.
    """
    import attrs

    from poker_actors.actors.runtime import quiet_logs
    from poker_actors.testing import run_chaos

    if hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    seed = secrets.randbits(32) if seed is None else seed
    hands = hands if evening is None else min(hands, 50)
    done = 0
    with quiet_logs(), progress("hands", hands) as advance:

        def show(played: int) -> None:
            nonlocal done
            advance(played - done)
            done = played

        report = run_chaos(seed, hands, evening=evening, progress=show)
        if report.violation is not None and report.evening is not None:
            from poker_actors.cli.postmortem import leave_evening

            leave_evening(report.evening, report.violation)
    if json is not None:
        json.write(attrs.asdict(report))
    if json is None or not json.is_stdout:
        _show(report)
    return DONE if report.violation is None else NO


def _show(report: ChaosReport) -> None:
    from rich.table import Table

    table = Table("situation", "seen", box=None)
    for name, seen in sorted(report.situations.items(), key=lambda item: -item[1]):
        table.add_row(name, f"{seen:,}")
    console().print(table)
    harm = ", ".join(f"{count:,} {kind}" for kind, count in report.harm.items())
    console().print(f"{report.hands:,} hands, seed {report.seed}, {report.messages:,} messages; {harm}")
    console().print(
        f"{report.crashes:,} crashes, {report.restarts:,} restarts, {report.hands_voided:,} hands void, "
        f"{report.hands_unfinished} unfinished, {report.chips_lost} chips lost"
    )
    if report.violation is not None:
        console().print(f"broken: {report.violation}", style="bold")
        console().print(f"see it again: poker-actors chaos --seed {report.seed} --evening {report.evening}")
