"""The fault bench: plays many runs under faults, and reports."""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NoReturn, Protocol, get_args

import attrs

from poker_actors.actors import StepRuntime
from poker_actors.bots import BotSpec, SeedTree
from poker_actors.errors import BadSpec
from poker_actors.rules import whole_chips
from poker_actors.testing.chaos.faults import FaultRates, Stopped
from poker_actors.testing.chaos.run import BENCH_PROMISES, Run
from poker_actors.testing.chaos.settings import RunSettings, RuntimeName
from poker_actors.testing.chaos.situations import FAULT_SITUATIONS, HAND_SITUATIONS
from poker_actors.testing.witness import PROMISES, BrokenPromise, Verdict

RUN_HANDS: Final = 50
"""Hands in a run: enough for players to bust and come back, and for the button to go round several times."""
_SWITCH_SECONDS: Final = (1e-6, 1e-5, 1e-4, 5e-3)
"""Switch intervals, one drawn for each run on threads; the last is Python's default."""

SITUATIONS: Final[tuple[str, ...]] = (*HAND_SITUATIONS, *FAULT_SITUATIONS)
"""The rare situations that the bench counts."""


@attrs.frozen
class ChaosReport:
    """The report of a run of the bench. If every promise held, `violation` is None and no chip or hand was lost."""

    seed: int
    hands: int
    hands_voided: int
    hands_unfinished: int
    chips_lost: int
    messages: int
    crashes: int
    restarts: int
    harm: dict[str, int]
    """faults injected, by kind: messages lost, doubled and delayed, stalls, and crashes by kind of actor"""
    situations: dict[str, int]
    """how often each rare situation was seen"""
    runtime: RuntimeName = "stepper"
    promises: dict[str, int] = attrs.field(factory=dict)
    """comparisons made, by promise"""
    verdicts: tuple[Verdict, ...] = ()
    """the promises broken, in order"""
    run: int | None = None
    """the seed of the run that broke a promise; None if none did"""
    played: dict[str, int] = attrs.field(factory=dict)
    """counts of what was played: tables, spectators, outside players, moves, stops and so on"""
    given: dict[str, int] = attrs.field(factory=dict)
    """commands given in mid-hand, by call"""

    @property
    def promises_checked(self) -> int:
        """Number of comparisons made."""
        return sum(self.promises.values())

    @property
    def promises_broken(self) -> int:
        """The number of promises broken."""
        return len(self.verdicts)

    @property
    def violation(self) -> str | None:
        """The first broken promise in words, or None."""
        return str(self.verdicts[0]) if self.verdicts else None

    @property
    def evening(self) -> int | None:
        """The former name of `run`."""
        return self.run

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a JSON value."""
        more = ("promises_checked", "promises_broken", "violation", "evening")
        return {**attrs.asdict(self), **{name: getattr(self, name) for name in more}}


def run_chaos(  # noqa: PLR0913  `evening` is the former name of `run`
    seed: int,
    hands: int,
    *,
    game: str | None = None,
    bots: Sequence[str] = (),
    runtime: RuntimeName = "stepper",
    rates: FaultRates | None = None,
    run: int | None = None,
    evening: int | None = None,
    progress: Callable[[int], None] | None = None,
    follower: Follower | None = None,
) -> ChaosReport:
    """Play `hands` hands under faults, and report.

    `game` is a game or a rotation; by default hold'em, and another game in about every third run. `bots`, named
    as on the command line, sit at every table.

    On the stepper everything follows from `seed`. On threads (`runtime="threads"`) or one thread ("loop") only the
    kinds of faults do: their timing depends on the machine. Stops at the first broken promise. To see it break again,
    pass the report's `run`: only that run is played. `evening` is its former name. `progress` is called with the hands
    played so far. A `follower` watches each run on the stepper as it is played.

    Raises `BadSpec` for hands below 1 or an unknown runtime.
    """
    whole_chips("hands", hands, least=1)
    for bot in bots:
        BotSpec.parse(bot)
    if runtime not in get_args(RuntimeName):
        raise BadSpec(f"runtime {runtime!r:.40} must be one of {', '.join(get_args(RuntimeName))}")
    tally = _Tally(runtime)
    alone = evening if run is None else run
    numbers = run_numbers(seed) if alone is None else itertools.repeat(alone)
    while tally.counts["hands"] < hands and not tally.verdicts:
        tally.run = next(numbers)
        left = min(RUN_HANDS, hands - tally.counts["hands"])
        watch = None if follower is None else follower.begin(tally.run, _stop)
        settings = RunSettings.draw(tally.run, left, game, tuple(bots))
        with _switches(tally.run if runtime != "stepper" else None):
            tally.play(partial(Run, settings, rates or FaultRates(), runtime, watch))
        if progress is not None:
            progress(tally.counts["hands"])
        if follower is not None and follower.end():
            break
    return tally.report(seed)


class Follower(Protocol):
    """Follows runs on the stepper as they are played, and may stop one."""

    def begin(self, run: int, stop: Callable[[str], NoReturn]) -> Callable[[StepRuntime], None]:
        """Return a watcher of the runtime of run number `run`; it ends the run by calling `stop` with the reason."""

    def end(self) -> bool:
        """Hear that the run is over; return whether to stop after it."""


def _stop(reason: str) -> NoReturn:
    raise Stopped(reason)


def run_numbers(seed: int) -> Iterator[int]:
    """Yield the numbers of the runs that a seed draws, without end."""
    tree = SeedTree(seed)
    return (tree.rng(number, 0).getrandbits(48) for number in itertools.count())


@contextmanager
def _switches(seed: int | None) -> Iterator[None]:
    """Set the switch interval of threads by `seed`; None leaves it alone."""
    before = sys.getswitchinterval()
    if seed is not None:
        sys.setswitchinterval(_SWITCH_SECONDS[seed % len(_SWITCH_SECONDS)])
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def watched_run(
    watch: Callable[[StepRuntime], None], run: int, game: str | None = None, bots: Sequence[str] = ()
) -> None:
    """Play the run that a report names, on the stepper and under a debugger.

    Stops at the message that breaks a promise, and raises `BrokenPromise`.
    """
    played = Run(RunSettings.draw(run, RUN_HANDS, game, tuple(bots)), FaultRates(), watch=watch)
    try:
        played.play()
    except Stopped as stopped:
        raise BrokenPromise(played.witness.verdicts[0]) from stopped
    finally:
        played.leave()


def watched_evening(watch: Callable[[StepRuntime], None], evening: int) -> None:
    """Call `watched_run` under its former name, which traces contain."""
    watched_run(watch, evening)


@attrs.define
class _Tally:
    """Totals of the runs so far."""

    runtime: RuntimeName
    counts: Counter[str] = attrs.field(factory=Counter)
    situations: Counter[str] = attrs.field(factory=lambda: Counter(dict.fromkeys(SITUATIONS, 0)))
    promises: Counter[str] = attrs.field(
        factory=lambda: Counter(dict.fromkeys((*PROMISES, *BENCH_PROMISES), 0))
    )
    harm: Counter[str] = attrs.field(factory=Counter)
    played: Counter[str] = attrs.field(factory=Counter)
    given: Counter[str] = attrs.field(factory=Counter)
    run: int = 0
    verdicts: list[Verdict] = attrs.field(factory=list)

    def play(self, make: Callable[[], Run]) -> None:
        """Play one more run and count what happened."""
        try:
            run = make()
        except Stopped:
            return  # by a follower, while the room was being opened
        try:
            run.play()
        except BrokenPromise as broken:
            self.verdicts.append(broken.verdict)
        except Stopped:
            pass  # by the witness, whose verdicts are added below, or by a follower
        except Exception as error:  # noqa: BLE001 - whatever comes out of the room but a refusal is a broken promise
            text = f"{type(error).__name__} came out of the room: {error}"
            self.verdicts.append(Verdict("sound", text, run.witness.number))
        self.verdicts += [verdict for verdict in run.witness.verdicts if verdict not in self.verdicts]
        run.leave()
        run.seen.of_faults(run.happened)
        self.situations.update({name: run.situations[name] for name in SITUATIONS})
        for kind, count in run.happened.items():
            if kind.count(" ") < 2 or kind.startswith("died"):
                self.harm[kind] += count
        self.played.update(run.played)
        self.given.update(run.given)
        self.promises.update(run.witness.checked)
        self.promises.update(run.checked)
        self.promises["sound"] += run.hands
        self.counts.update(
            hands=run.hands,
            voided=run.voided,
            messages=run.steps,
            restarts=run.restarts,
            lost=run.chips_lost,
            unfinished=run.unfinished,
        )

    def report(self, seed: int) -> ChaosReport:
        """Return the totals as a report."""
        counts = self.counts
        return ChaosReport(
            seed,
            counts["hands"],
            counts["voided"],
            counts["unfinished"],
            counts["lost"],
            counts["messages"],
            sum(count for kind, count in self.harm.items() if kind.startswith("crash")),
            counts["restarts"],
            dict(sorted(self.harm.items())),
            dict(self.situations),
            self.runtime,
            dict(self.promises),
            tuple(self.verdicts),
            self.run if self.verdicts else None,
            dict(sorted(self.played.items())),
            dict(sorted(self.given.items())),
        )
