"""Build the compiled wheel and compare it with the Python one: hands, figures and refusals must be equal.

`python tests/packaging/compiled.py`. Needs `build` (extra `test`), a C compiler and an index to install from.
Prints one line per check and exits with status 1 at the first that fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from poker_actors.native import is_compiled

ROOT: Final = Path(__file__).parents[2]
BUILD_FLAG: Final = "POKER_ACTORS_COMPILE"

MATCHES: Final = {
    "the default bots": ["--hands", "1500", "--seed", "3"],
    "two processes": ["--hands", "600", "--seed", "3", "--workers", "2"],
    "duplicate": ["--bot", "tight", "--bot", "maniac", "--hands", "500", "--seed", "5", "--duplicate"],
    "short stacks, adjusted": ["--hands", "500", "--seed", "6", "--stacks", "15,40,7,90,22,3", "--adjust"],
    "antes and a straddle": ["--hands", "500", "--seed", "7", "--ante", "1", "--straddle"],
    "rake, boards run twice, bomb pots": [
        *("--hands", "500", "--seed", "8", "--rake", "5%/10", "--run-it-twice", "--bomb-pot", "4/10")
    ],
    "the stepper": ["--hands", "300", "--seed", "9", "--driver", "stepper"],
    "omaha": ["--game", "omaha", "--hands", "500", "--seed", "10"],
    "short-deck": ["--game", "short-deck", "--hands", "500", "--seed", "11"],
    "limit": ["--game", "limit-holdem", "--hands", "500", "--seed", "12"],
    "sessions": ["--carry-over", "--session", "50", "--hands", "500", "--seed", "13"],
    "five cards": [
        "--game",
        "five-card",
        "--bot",
        "cpu-seed",
        "--bot",
        "cpu-fair",
        "--hands",
        "300",
        "--seed",
        "14",
    ],
}
"""Options of `simulate` that together exercise everything the compiled modules decide."""

TESTED: Final = (
    "tests/packaging/compiled.py",
    *("tests/property", "tests/rulebook", "tests/actors/test_hidden_cards.py"),
    *("tests/unit/cards", "tests/unit/rules", "tests/unit/sim"),
)
"""Tests run again on compiled code; those that plant bugs cannot patch it."""

LEFT_OUT: Final = (
    # numba's code, which is compared with the rules in Python already and is made anew for every place of the package
    "tests/property/test_rl_compiled.py",
    # texts that are no hand: no rule is asked
    "tests/property/test_history_malformed.py",
    # what is made of the figures of a match, which `MATCHES` compares in full
    *(
        f"tests/unit/sim/test_sim_{name}.py"
        for name in (
            *("compare", "conclusions", "exploiting", "intervals", "judging", "loading"),
            *("paired", "pictures", "ranking", "ray", "report", "report_adjusted"),
            *("round_robin", "until_decided"),
        )
    ),
    *(f"tests/unit/sim/tournaments/test_tournament_{name}.py" for name in ("icm", "payouts", "structure")),
)
"""Of these, what no compiled module has a part in."""

OF_THE_MACHINE: Final = {"hands_per_second", "seconds", "seconds_per_decision"}
"""Figures that differ from run to run."""


def build(work: Path) -> Path:
    """Build the wheel, unpack it and return the folder that holds the package."""
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(work / "dist"), str(ROOT)]
    run(command, **{BUILD_FLAG: "1"})
    (wheel,) = (work / "dist").glob("*.whl")
    assert "py3-none-any" not in wheel.name, wheel
    site = work / "site"
    zipfile.ZipFile(wheel).extractall(site)
    hidden = [*(ROOT / "poker_actors").rglob("*.so"), *ROOT.glob("*.so")]
    assert not hidden, f"a compiled module hides its source: {hidden}"
    return site


def run(command: list[str], **environment: str) -> str:
    """Run a command and return its output; exit if it fails."""
    done = subprocess.run(
        command, env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def result(options: list[str], **environment: str) -> Any:
    """Play a match and return its figures without those of the clock."""
    command = [str(Path(sys.executable).with_name("poker-actors")), "simulate", *options, "--json", "-"]
    return without_clock(json.loads(run(command, **environment)))


def without_clock(figures: Any) -> Any:
    """Remove the figures that differ from run to run, at any depth."""
    if isinstance(figures, dict):
        return {name: without_clock(kept) for name, kept in figures.items() if name not in OF_THE_MACHINE}
    return [without_clock(kept) for kept in figures] if isinstance(figures, list) else figures


def test_these_tests_run_on_compiled_code() -> None:
    """Collected by the run of `TESTED` only: a process that took the checkout would prove nothing."""
    assert is_compiled()


def main() -> int:
    """Build, compare and test."""
    with tempfile.TemporaryDirectory() as folder:
        path = {"PYTHONPATH": str(build(Path(folder)))}
        asked = "from poker_actors.native import is_compiled; print(is_compiled())"
        assert run([sys.executable, "-P", "-c", asked], **path).strip() == "True"
        assert run([sys.executable, "-P", "-c", asked]).strip() == "False"
        print("compiled: the wheel holds compiled modules, the checkout none", flush=True)
        refusals = [sys.executable, "-P", str(ROOT / "tests" / "packaging" / "refusals.py")]
        plain, compiled = run(refusals), run(refusals, **path)
        if plain != compiled:
            differ = [
                pair
                for pair in zip(plain.splitlines(), compiled.splitlines(), strict=True)
                if pair[0] != pair[1]
            ]
            print("compiled: refused otherwise than in Python", *differ, sep="\n")
            return 1
        print(f"compiled: {len(plain.splitlines())} odd arguments are answered as in Python", flush=True)
        for name, options in MATCHES.items():
            with ThreadPoolExecutor(2) as both:  # a process each, on two processors
                plain, compiled = both.map(lambda where: result(options, **where), ({}, path))  # noqa: B023
            if plain != compiled:
                print(f"compiled: {name}: the hands or figures differ\n{plain}\n{compiled}")
                return 1
            print(f"compiled: {name}: digest {compiled['digest']} and every figure as in Python", flush=True)
        # by its own variable, as workers of pytest-xdist and children of tests would not know of -P
        tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTED]
        tests += [f"--ignore={name}" for name in LEFT_OUT]
        tested = run([*tests, "-n", "2", "--dist", "loadfile"], **path, PYTHONSAFEPATH="1")
        print(f"compiled: {tested.splitlines()[-1].strip('= ')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
