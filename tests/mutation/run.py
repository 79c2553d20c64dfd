"""Mutation testing with mutmut: change the code a little, and see whether a test notices.

    python -m tests.mutation.run                      every target, at most three hours, two at a time
    python -m tests.mutation.run rules/pots --hours 1 one of them
    python -m tests.mutation.run --report             what the runs so far come to, survivors by name

Each target is a few modules with the tests that are about them; of those mutmut chooses, for each mutant, the ones
that reach the function changed. Results are kept in `.mutation/`, a folder a target: a run that was stopped, or whose
time was up, goes on where it was, and after a change of the code only what has changed is tried again.

Needs `pip install mutmut`, which is no dependency of ours: nothing but this command uses it.
"""

from __future__ import annotations

import argparse
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

ROOT: Final = Path(__file__).resolve().parents[2]
WORK: Final = ROOT / ".mutation"
HOURS: Final = 3.0
CHILDREN: Final = 2
SECONDS_TO_STOP: Final = 60.0
"""What mutmut is given to finish the mutants it is at, when its time is up."""
MUTMUT: Final = "mutmut>=3.8,<4"

RULES: Final = ("tests/unit/rules", "tests/rulebook", "tests/traces/test_golden_hands.py")
ROOM: Final = ("tests/actors/test_room.py", "tests/actors/test_faults.py", "tests/actors/test_waiting.py")
DURABLE: Final = ("tests/actors/test_durability.py", "tests/actors/test_durability_crashes.py")
JOURNAL: Final = ("tests/unit/store",)

TARGETS: Final[dict[str, tuple[str, Sequence[str]]]] = {
    # target -> what is changed, as a pattern; the tests that are about it
    "rules/pots": ("poker_actors/rules/pots.py", RULES),
    "rules/positions": ("poker_actors/rules/positions.py", RULES),
    "rules/betting": ("poker_actors/rules/betting.py", RULES),
    "rules/payout": ("poker_actors/rules/payout.py", RULES),
    "rules/settlement": ("poker_actors/rules/settlement.py", RULES),
    "rules/hand": ("poker_actors/rules/hand.py", RULES),
    "rules/cash": ("poker_actors/rules/cash/*.py", (*RULES, "tests/actors/test_cash_tables.py")),
    "rules": ("poker_actors/rules/*.py", RULES),
    "journal/record": ("poker_actors/store/journal/record.py", JOURNAL),
    "journal": ("poker_actors/store/journal/*.py", (*JOURNAL, *DURABLE)),
    "actors/bank": ("poker_actors/actors/bank/*.py", ROOM),
    "actors/table": (
        "poker_actors/actors/table/*.py",
        (*ROOM, *DURABLE, "tests/actors/test_elixir_series.py"),
    ),
    "actors/hand": ("poker_actors/actors/hand/*.py", (*ROOM, *DURABLE, "tests/actors/test_elixir_series.py")),
}
WHOLE: Final = ("rules", "rules/cash", "journal", "actors/bank", "actors/table", "actors/hand")
"""Between them they have every module once; the others are parts of these, to try one thing."""

GONE_WRONG: Final = ("survived", "no tests")
"""What is to be looked at: a mutant that lives, or that no test reaches."""


@attrs.frozen
class Outcome:
    """What became of the mutants of one target: mutant -> `killed`, `survived`, `no tests`, `timeout`, ..."""

    target: str
    mutants: dict[str, str]

    @property
    def counts(self) -> Counter[str]:
        """How many there are of each."""
        return Counter(self.mutants.values())

    @property
    def killed(self) -> float:
        """Share of the mutants tried that a test has failed on; time-outs are in neither number."""
        counts = self.counts
        tried = counts["killed"] + counts["segfault"] + sum(counts[word] for word in GONE_WRONG)
        return (counts["killed"] + counts["segfault"]) / tried if tried else 0.0


def folder(target: str) -> Path:
    """Where a target is worked on."""
    return WORK / target.replace("/", "-")


def prepare(target: str) -> Path:
    """Copy the project for a target, leaving alone what is there already and as new; gives the folder."""
    pattern, tests = TARGETS[target]
    work = folder(target)
    for name in ("poker_actors", "tests"):
        copied = shutil.ignore_patterns("__pycache__", "mutation", "browser", "benchmarks")
        shutil.copytree(
            ROOT / name, work / name, ignore=copied, copy_function=_copy_newer, dirs_exist_ok=True
        )
    for name in ("pyproject.toml", "README.md", "docs", "examples", "CHANGELOG.md"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, work / name, copy_function=_copy_newer, dirs_exist_ok=True)
        else:
            _copy_newer(str(source), str(work / name))
    (work / "setup.cfg").write_text(settings(pattern, tests), encoding="utf-8")
    return work


def _copy_newer(source: str, target: str) -> str:
    """Copy a file unless its copy is as new: mutmut tries again what is newer than its mutants."""
    old = Path(target)
    if not old.exists() or old.stat().st_mtime < Path(source).stat().st_mtime:
        shutil.copy2(source, target)
    return target


def settings(pattern: str, tests: Iterable[str]) -> str:
    """Give mutmut's settings for one target."""
    lines = {
        "source_paths": ["poker_actors"],
        "only_mutate": [pattern],
        "also_copy": ["README.md", "docs", "examples", "CHANGELOG.md"],
        "pytest_add_cli_args_test_selection": list(tests),
        # hypothesis draws what it likes, and a test that fails now and then would seem to kill
        "pytest_add_cli_args": ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"],
    }
    text = "[mutmut]\n"
    for name, values in lines.items():
        text += f"{name}=\n" + "".join(f"    {value}\n" for value in values)
    return text


def run(target: str, seconds: float) -> None:
    """Try the mutants of a target that have not been tried, for so many seconds at most."""
    work = prepare(target)
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(CHILDREN)]
    log = work / "mutmut.log"
    with log.open("a", encoding="utf-8") as out:
        process = subprocess.Popen(command, cwd=work, stdout=out, stderr=subprocess.STDOUT)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.wait(SECONDS_TO_STOP)
            status = 0
        except KeyboardInterrupt:
            process.wait(SECONDS_TO_STOP)
            raise
    if status:
        sys.exit(f"mutmut has ended with {status}: {log}")


def outcome(target: str) -> Outcome | None:
    """Read what became of a target's mutants; None for one that was never run."""
    work = folder(target)
    if not (work / "mutants").is_dir():
        return None
    command = [sys.executable, "-m", "mutmut", "results", "--all", "true"]
    said = subprocess.run(command, cwd=work, capture_output=True, text=True, check=True).stdout
    pairs = [line.strip().rpartition(": ") for line in said.splitlines() if "__mutmut_" in line]
    return Outcome(target, {name: word for name, _, word in pairs})


def report(targets: Iterable[str], *, survivors: bool) -> None:
    """Print a line a target, and the names of those that live."""
    print(
        f"{'target':18}{'mutants':>9}{'killed':>9}{'survived':>10}{'no tests':>10}{'time-outs':>11}{'left':>7}{'':>9}"
    )
    for target in targets:
        found = outcome(target)
        if found is None:
            print(f"{target:18} never run")
            continue
        counts = found.counts
        row = (
            len(found.mutants),
            counts["killed"] + counts["segfault"],
            counts["survived"],
            counts["no tests"],
        )
        left = counts["not checked"] + counts["check was interrupted by user"]
        print(
            f"{target:18}{row[0]:9}{row[1]:9}{row[2]:10}{row[3]:10}{counts['timeout']:11}{left:7}{found.killed:9.1%}"
        )
        if survivors:
            for name, word in found.mutants.items():
                if word in GONE_WRONG:
                    print(f"    {word}: {name}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run, or report."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.run", description=__doc__)
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all modules unless given"
    )
    parser.add_argument("--hours", type=float, default=HOURS, help="stop after so long; a later run goes on")
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--survivors", action="store_true", help="name the mutants that live")
    options = parser.parse_args(arguments)
    targets = options.targets or WHOLE
    unknown = [target for target in targets if target not in TARGETS]
    if unknown:
        parser.error(f"{unknown[0]} is none of {', '.join(TARGETS)}")
    end = time.monotonic() + options.hours * 3600
    for target in () if options.report else targets:
        left = end - time.monotonic()
        if left > 0:
            run(target, left)
    report(targets, survivors=options.survivors)


if __name__ == "__main__":
    main()
