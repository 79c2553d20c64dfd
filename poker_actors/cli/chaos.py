"""`poker-actors chaos`: play hands under injected faults and check that the room keeps its promises."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from poker_actors.cli.exits import DONE, NO
from poker_actors.cli.output import console, progress
from poker_actors.cli.values import GAME, Hands, JsonOption, Seed, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.testing import ChaosReport

__all__ = ["chaos"]


def chaos(
    *,
    hands: Hands = 1000,
    seed: Seed = None,
    game: Annotated[str, GAME] = "holdem",
    runtime: Literal["stepper", "threads", "loop"] = "stepper",
    run: Annotated[int | None, Parameter(name=["--run", "--evening"])] = None,
    json: JsonOption = None,
) -> int:
    """Play hands while actors crash and messages are lost, doubled, late and out of order.

    A witness hears everything that players, watchers and callers are told, and after every message
    holds the room to it; the books must balance, and once the faults stop every hand must end. The exit
    status is 1 when a promise is broken; on the stepper a trace of that run is left in the current
    directory then, and the command that opens it at the message is said.

    Args:
        game: The game: a name from `poker-actors games`, FILE.py:NAME, or an orbit of each: horse, 8-game, A+B.
        runtime: Inject the faults on the stepper, where the seed decides everything, on a thread for each actor, or on one thread for the room.
        run: Play this one run alone, by the number that a failed run has named.
    """
    from poker_actors.actors.runtime import quiet_logs
    from poker_actors.testing import run_chaos
    from poker_actors.testing.chaos import RUN_HANDS

    if hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    seed = secrets.randbits(32) if seed is None else seed
    hands = hands if run is None else min(hands, RUN_HANDS)  # the total of the progress bar
    done = 0
    # the bench crashes actors on purpose: their logged tracebacks would bury the report
    with quiet_logs(), progress("hands", hands) as advance:

        def show(played: int) -> None:
            nonlocal done
            advance(played - done)
            done = played

        report = run_chaos(seed, hands, game=game, runtime=runtime, run=run, progress=show)
        if report.violation is not None and report.run is not None and runtime == "stepper":
            from poker_actors.cli.postmortem import leave_run

            leave_run(report.run, report.violation, game)
    if to_be_printed(json, report.to_dict()):
        _show(report, game)
    return DONE if report.violation is None else NO


def _show(report: ChaosReport, game: str) -> None:
    from rich.table import Table

    table = Table("situation", "seen", box=None)
    for name, seen in sorted(report.situations.items(), key=lambda item: -item[1]):
        table.add_row(name, f"{seen:,}")
    console().print(table)
    harm = ", ".join(f"{count:,} {kind}" for kind, count in report.harm.items())
    where = {"stepper": "the stepper", "threads": "threads", "loop": "one thread"}[report.runtime]
    console().print(
        f"{report.hands:,} hands on {where}, seed {report.seed}, {report.messages:,} messages; {harm}"
    )
    console().print(
        f"{report.crashes:,} crashes, {report.restarts:,} restarts, {report.hands_voided:,} hands void, "
        f"{report.hands_unfinished} unfinished, {report.chips_lost} chips lost"
    )
    console().print(f"{report.promises_checked:,} promises checked, {report.promises_broken} promises broken")
    for verdict in report.verdicts:
        console().print(f"broken: {verdict}", style="bold")
    if report.run is not None:
        of = "" if game == "holdem" else f" --game {game}"
        again = f"poker-actors chaos --seed {report.seed}{of} --runtime {report.runtime} --run {report.run}"
        console().print(f"see it again: {again}", soft_wrap=True)
