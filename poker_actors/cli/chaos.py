"""`poker-actors chaos`: play hands under injected faults and check that the room keeps its promises."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import attrs
from cyclopts import Parameter

from poker_actors.cli.output import DONE, NO, console, note, progress
from poker_actors.cli.values import BOT, GAME, Hands, JsonOption, Seed, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.actors import StepRuntime
    from poker_actors.debug import Followed, OwnPromise
    from poker_actors.testing import ChaosReport


def chaos(
    *,
    hands: Hands = 1000,
    seed: Seed = None,
    game: Annotated[str | None, GAME] = None,
    bot: Annotated[list[str] | None, BOT] = None,
    runtime: Literal["stepper", "threads", "loop"] = "stepper",
    run: Annotated[int | None, Parameter(name=["--run", "--evening"])] = None,
    promise: list[str] | None = None,
    json: JsonOption = None,
) -> int:
    """Play hands while actors crash and messages are lost, doubled, late and out of order.

    Bots, custom actors and outside callers play at one or two tables, spectators watch, and all send every command,
    even in the middle of a hand. A witness hears everything that players, watchers and callers are told, and checks it
    after every message; the books must balance, and once the faults stop every hand must end. The exit status is 1 when
    a promise is broken; on the stepper it then leaves a trace of the run in the current directory, and prints the
    command that opens it there.

    Args:
        game: The game: a name from `poker-actors games`, FILE.py:NAME, or an orbit of each: horse, 8-game, A+B. If not
            given, hold'em, and another game in about every third run.
        bot: A bot, to join the house bots at every table: NAME, NAME:key=value, FILE.py:FUNCTION or
            MODULE:FUNCTION; once per bot.
        runtime: Inject the faults on the stepper, where the seed decides everything, on a thread for each actor, or on
            one thread for the room.
        promise: A promise to check: your own, as FILE.py:FUNCTION, that must hold always, eventually
            or
            never; on the stepper, after each message of a run as it is played.
        run: Play only the run with this number, as printed when it failed.
    """
    from poker_actors.testing.chaos import RUN_HANDS

    if hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    own = Own.of(promise or [], runtime)
    seed = secrets.randbits(32) if seed is None else seed
    hands = hands if run is None else min(hands, RUN_HANDS)  # the total of the progress bar
    report = _played(seed, hands, own, game=game, bots=bot or (), runtime=runtime, run=run)
    if report.violation is not None and report.run is not None and runtime == "stepper":
        from poker_actors.cli.postmortem import leave_run

        leave_run(report.run, report.violation, game, bot or ())
    elif own.broken is not None:
        own.leave(game, bot or ())
    if to_be_printed(json, {**report.to_dict(), **({"own_promise": own.broken} if promise else {})}):
        _show(report, _options(game, bot or ()))
        own.show()
    return DONE if report.violation is None and own.broken is None else NO


def _played(seed: int, hands: int, own: Own, **settings: Any) -> ChaosReport:
    """Play the hands, with a bar that shows how far they are."""
    from poker_actors.actors.runtime import quiet_logs
    from poker_actors.testing import run_chaos

    done = 0
    # the bench crashes actors on purpose: their logged tracebacks would bury the report
    with quiet_logs(), progress("hands", hands) as advance:

        def show(played: int) -> None:
            nonlocal done
            advance(played - done)
            done = played

        follower = own if own.promises else None
        return run_chaos(seed, hands, progress=show, follower=follower, **settings)


@attrs.define
class Own:
    """Your own promises, checked after each message of every run until one is broken."""

    texts: list[str]
    promises: tuple[OwnPromise, ...]
    broken: str | None = None
    """the broken promise, in words"""
    runs: int = 0
    """runs checked"""
    _run: int = 0
    _followed: Followed | None = None

    @classmethod
    def of(cls, texts: list[str], runtime: str) -> Own:
        """Load your promises; raise `BadSpec` or `UnknownBot` for one not found, or on a runtime without a debugger."""
        if not texts:
            return cls([], ())
        if runtime != "stepper":
            raise BadSpec(f"--promise needs --runtime stepper, not {runtime}")
        from poker_actors.debug import OwnPromise

        return cls(texts, tuple(map(OwnPromise.of, texts)))

    def begin(self, run: int, stop: Callable[[str], NoReturn]) -> Callable[[StepRuntime], None]:
        """Begin to follow another run."""
        from poker_actors.debug import Followed

        self._run, self._followed = run, Followed(self.promises, stop)
        return self._followed.watch

    def end(self) -> bool:
        """Hear that the run is over; return whether it has broken a promise."""
        assert self._followed is not None
        self.runs += 1
        self._followed.end()
        if self._followed.broken is not None:
            self.broken = (
                f"{self._followed.broken} after message {self._followed.broken_at} of run {self._run}"
            )
        return self.broken is not None

    def leave(self, game: str | None, bots: Sequence[str]) -> None:
        """Write the trace of the run that broke a promise."""
        from poker_actors.cli.postmortem import program_of
        from poker_actors.debug import leave_trace

        assert self.broken is not None
        assert self._followed is not None
        path, program = Path(f"broken-run-{self._run}.jsonl"), program_of(self._run, game, bots)
        command = leave_trace(program, path, self._followed.broken_at, self.broken)
        again = "".join(f" --promise {shlex.quote(text)}" for text in self.texts)
        note(f"a promise was broken; open it after that message: {command}{again}")

    def show(self) -> None:
        """Print the outcome."""
        if self.broken is not None:
            console().print(f"broken: {self.broken}", style="bold", soft_wrap=True)
        elif self.runs:
            console().print(f"{len(self.promises)} of your promises held in {self.runs} runs")


def _options(game: str | None, bots: Sequence[str]) -> str:
    """Return the options that, besides the seed, decide a run."""
    given = ([("--game", game)] if game is not None else []) + [("--bot", bot) for bot in bots]
    return "".join(f" {option} {shlex.quote(text)}" for option, text in given)


def _show(report: ChaosReport, options: str) -> None:
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
        f"{report.hands_unfinished:,} unfinished, {report.chips_lost:,} chips lost"
    )
    console().print(_people(report), soft_wrap=True)
    console().print(f"{report.promises_checked:,} promises checked, {report.promises_broken} promises broken")
    for verdict in report.verdicts:
        console().print(f"broken: {verdict}", style="bold")
    if report.run is not None:
        again = (
            f"poker-actors chaos --seed {report.seed}{options} --runtime {report.runtime} --run {report.run}"
        )
        console().print(f"see it again: {again}", soft_wrap=True)


def _people(report: ChaosReport) -> str:
    """Say who played and what was stopped."""
    played = report.played
    stops = sum(count for what, count in played.items() if what.startswith("stops of"))
    counts = {
        "tables": played.get("tables", 0),
        "spectators": played.get("spectators", 0),
        "players from outside": played.get("players from outside", 0),
        "custom actors": played.get("custom actors", 0),
        "stops": stops,
        "players killed": played.get("players killed", 0),
        "moves of seats": played.get("moves of seats", 0) + played.get("moves between tables", 0),
        "commands in mid-hand": sum(report.given.values()),
    }
    return ", ".join(f"{count:,} {what}" for what, count in counts.items())
