"""Mutation testing with mutmut: change the code a little, and see whether a test notices.

    python -m tests.mutation.run                      every target, at most three hours, two at a time
    python -m tests.mutation.run rules --hours 1     one of them
    python -m tests.mutation.run --report             what the runs so far come to, survivors by name

Each target is a few modules with the tests that are about them; of those each mutant has the ones that reach the
function changed (see `worker`). Results are kept in `.mutation/`, a folder a target: a run that was stopped, or whose
time was up, goes on where it was, and after a change of the code only what has changed is tried again.

Needs `pip install "mutmut>=3.8,<4"`, which is no dependency of ours: nothing but this command uses it.
"""

from __future__ import annotations

import argparse
import math
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import attrs

from tests.mutation.equivalent import of_sql

ROOT: Final = Path(__file__).resolve().parents[2]
WORK: Final = ROOT / ".mutation"
HOURS: Final = 3.0
CHILDREN: Final = 2
WORKER: Final = Path(__file__).with_name("worker.py")

GAMES: Final = (
    "tests/unit/rules",
    "tests/traces/test_told_hands.py",
    "tests/rulebook/test_rulebook_games.py",
    "tests/rulebook/test_rulebook_five_card.py",
    "tests/actors/test_rotations.py",
)
RULES: Final = (
    "tests/unit/rules",
    "tests/traces/test_told_hands.py",
    "tests/rulebook",
    "tests/traces/test_golden_hands.py",
    "tests/actors/test_cash_tables.py",
    "tests/property/test_hands_stateful.py",
    "tests/property/test_cash_hands.py",
    "tests/property/test_snapshots_stay.py",
)
ROOM: Final = (
    "tests/traces/test_told_tables.py",
    "tests/actors/test_room.py",
    "tests/actors/test_cash_tables.py",
    "tests/actors/test_commands.py",
    "tests/actors/test_dealer_loop.py",
    "tests/actors/test_faults.py",
    "tests/actors/test_otp.py",
    "tests/actors/test_own_actor.py",
    "tests/actors/test_own_classes.py",
    "tests/actors/test_recent_faults.py",
    "tests/actors/test_recording.py",
    "tests/actors/test_rotations.py",
    "tests/actors/test_settings.py",
    "tests/actors/test_several_tables.py",
    "tests/actors/test_stacks_between_tables.py",
    "tests/actors/test_told_stays_true.py",
    "tests/actors/test_turns_after_a_crash.py",
    "tests/actors/test_waiting.py",
    "tests/actors/test_durability.py",
    "tests/actors/test_durability_crashes.py",
    "tests/actors/test_durability_failures.py",
    "tests/actors/test_elixir_series.py",
    "tests/actors/test_hand_actor.py",
    "tests/actors/test_bank_actor.py",
    "tests/actors/test_table_from_journal.py",
    "tests/unit/debug/test_debug_live.py",
)
JOURNAL: Final = (
    "tests/unit/store",
    "tests/conformance/store",
    "tests/actors/test_durability.py",
    "tests/actors/test_durability_crashes.py",
    "tests/actors/test_durability_failures.py",
)


@attrs.frozen
class Target:
    """A few modules and their tests."""

    modules: str
    """a pattern, whose star matches folders as well"""
    tests: Sequence[str]
    but: str = ""
    """a pattern of modules left out"""
    afresh: bool = False
    """most of the code runs at import: every mutant is imported anew and runs all the tests"""


_GAMES: Final = "poker_actors/rules/game*.py"
TARGETS: Final = {
    "rules": Target("poker_actors/rules/*.py", RULES, but=_GAMES),
    "rules/games": Target(_GAMES, GAMES, afresh=True),
    "journal": Target("poker_actors/store/journal/*.py", JOURNAL),
    "actors/bank": Target("poker_actors/actors/bank.py", ROOM),
    "actors/hand": Target("poker_actors/actors/hand.py", ROOM),
    "actors/table": Target("poker_actors/actors/table/*.py", ROOM),
}

GONE_WRONG: Final = ("survived", "no tests")
"""Outcomes to look at: a mutant that survives, or that no test reaches."""


@attrs.frozen
class Outcome:
    """The outcomes of a target: mutant -> `killed`, `survived`, `no tests`, `timeout`, ..."""

    target: str
    mutants: dict[str, str]

    @property
    def counts(self) -> Counter[str]:
        """The number of mutants with each outcome."""
        return Counter(self.mutants.values())

    @property
    def modules(self) -> dict[str, Outcome]:
        """The outcomes module by module."""
        parts: dict[str, dict[str, str]] = {}
        for name, word in self.mutants.items():
            module = name.partition(".x")[0].removeprefix("poker_actors.")
            parts.setdefault(module, {})[name] = word
        return {module: Outcome(module, mutants) for module, mutants in sorted(parts.items())}

    @property
    def killed(self) -> float:
        """Share of killed mutants among those tried; time-outs and equivalent ones are in neither number."""
        counts = self.counts
        tried = counts["killed"] + counts["segfault"] + sum(counts[word] for word in GONE_WRONG)
        return (counts["killed"] + counts["segfault"]) / tried if tried else 0.0

    @property
    def killed_of_all(self) -> float:
        """Share of killed mutants among all of these, including those not tried yet: a lower bound."""
        counts = self.counts
        of_all = len(self.mutants) - counts["timeout"] - counts["equivalent"]
        return (counts["killed"] + counts["segfault"]) / of_all if of_all else 0.0


def folder(target: str) -> Path:
    """Return the folder of a target."""
    return WORK / target.replace("/", "-")


def prepare(target: str) -> Path:
    """Copy the project's newer files to the folder of a target, and return the folder."""
    work = folder(target)
    for name, left_out in (("poker_actors", ()), ("tests", ("mutation", "browser", "benchmarks"))):
        copied = shutil.ignore_patterns("__pycache__", *left_out)
        shutil.copytree(
            ROOT / name, work / name, ignore=copied, copy_function=_copy_newer, dirs_exist_ok=True
        )
    for name in ("pyproject.toml", "README.md", "docs", "examples", "CHANGELOG.md"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, work / name, copy_function=_copy_newer, dirs_exist_ok=True)
        else:
            _copy_newer(str(source), str(work / name))
    (work / "setup.cfg").write_text(settings(TARGETS[target]), encoding="utf-8")
    return work


def _copy_newer(source: str, target: str) -> str:
    """Copy a file unless its copy is as new: mutmut makes mutants again for files newer than theirs."""
    old = Path(target)
    if not old.exists() or old.stat().st_mtime < Path(source).stat().st_mtime:
        shutil.copy2(source, target)
    return target


def settings(target: Target) -> str:
    """Return mutmut's settings for one target."""
    lines = {
        "source_paths": ["poker_actors"],
        "only_mutate": [target.modules],
        "do_not_mutate": [target.but] if target.but else [],
        "also_copy": ["README.md", "docs", "examples", "CHANGELOG.md"],
        "pytest_add_cli_args_test_selection": list(target.tests),
        "pytest_add_cli_args": ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"],
    }
    text = "[mutmut]\n"
    for name, values in lines.items():
        if values:
            text += f"{name}=\n" + "".join(f"    {value}\n" for value in values)
    return text


def run(target: str, seconds: float, *options: str) -> None:
    """Try a target's untried mutants for at most so many seconds; `options` go to the worker."""
    work = prepare(target)
    command = [sys.executable, str(WORKER), str(seconds), str(CHILDREN), *options]
    command += ["--afresh"] * TARGETS[target].afresh
    log = work / "mutation.log"
    with (
        log.open("a", encoding="utf-8") as out,
        subprocess.Popen(command, cwd=work, stdout=out, stderr=subprocess.STDOUT) as worker,
    ):
        try:
            status = worker.wait()
        except BaseException:
            worker.terminate()  # not kill: it has a database to stop
            raise
    if status:
        sys.exit(f"the run has ended with {status}: {log}")


def outcome(target: str) -> Outcome | None:
    """Return the outcomes of a target; None if it was never run."""
    work = folder(target)
    if not (work / "mutants").is_dir():
        return None
    command = [sys.executable, "-m", "mutmut", "results", "--all", "true"]
    said = subprocess.run(command, cwd=work, capture_output=True, text=True, check=True).stdout
    pairs = [line.strip().rpartition(": ") for line in said.splitlines() if "__mutmut_" in line]
    mutants = {name: word for name, _, word in pairs}
    living = [name for name, word in mutants.items() if word == "survived"]
    return Outcome(target, mutants | dict.fromkeys(of_sql(work / "mutants", living), "equivalent"))


_COUNTED: Final = ("mutants", "killed", "survived", "no tests", "time-outs", "equivalent", "left")
COLUMNS: Final = (*_COUNTED, "of tried", "of all")


def report(targets: Iterable[str], *, survivors: bool) -> None:
    """Print one line per module and target, and with `survivors` the names of the mutants to look at."""
    print(f"{'':32}" + "".join(f"{name:>11}" for name in COLUMNS))
    for target in targets:
        found = outcome(target)
        if found is None:
            print(f"{target:32} never run")
            continue
        for module, part in found.modules.items():
            _print_line(module, part)
        _print_line(target, found)
        if survivors:
            for name, word in found.mutants.items():
                if word in GONE_WRONG:
                    print(f"    {word}: {name}")


def _print_line(name: str, found: Outcome) -> None:
    counts = found.counts
    killed = counts["killed"] + counts["segfault"]
    left = counts["not checked"] + counts["suspicious"]
    others = (counts["survived"], counts["no tests"], counts["timeout"], counts["equivalent"], left)
    row = (len(found.mutants), killed, *others)
    shares = f"{found.killed:11.1%}{found.killed_of_all:11.1%}"
    print(f"{name:32}" + "".join(f"{number:11}" for number in row) + shares)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run targets, or only report."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.run", description=__doc__)
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all modules unless given"
    )
    parser.add_argument("--hours", type=float, default=HOURS, help="stop after so long; a later run goes on")
    parser.add_argument(
        "--again", action="store_true", help="try those that live once more: there are new tests"
    )
    parser.add_argument(
        "--most",
        type=float,
        default=math.inf,
        help="seconds of tests a mutant has at most; what lives is left",
    )
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--survivors", action="store_true", help="name the mutants that live")
    options = parser.parse_args(arguments)
    targets = options.targets or tuple(TARGETS)
    unknown = [target for target in targets if target not in TARGETS]
    if unknown:
        parser.error(f"{unknown[0]} must be one of {', '.join(TARGETS)}")
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    end = time.monotonic() + options.hours * 3600
    for target in () if options.report else targets:
        left = end - time.monotonic()
        if left > 0:
            run(target, left, f"--most={options.most}", *["--again"] * options.again)
    report(targets, survivors=options.survivors)


if __name__ == "__main__":
    main()
