"""Every example prints what is written beside it."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_an_example_prints_what_is_written_beside_it(program: Path) -> None:
    command = [sys.executable, "-W", "error", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout == program.with_suffix(".out").read_text(encoding="utf-8")
    assert done.stderr == ""


def test_there_are_examples_and_no_output_without_its_program() -> None:
    assert {"embed_a_table.py", "step_a_hand.py"} <= {program.name for program in PROGRAMS}
    assert sorted(path.stem for path in EXAMPLES.glob("*.out")) == [program.stem for program in PROGRAMS]
