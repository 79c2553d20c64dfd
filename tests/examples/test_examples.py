"""Every example prints what is written beside it, those for rooms on every runtime and event loop."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))
RUNTIMES = ("stepper", "loop", "threads")
LOOPS = ("asyncio", "uvloop")
CHATS = tuple(itertools.product(RUNTIMES, LOOPS))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_an_example_prints_what_is_written_beside_it(program: Path) -> None:
    assert printed(program) == program.with_suffix(".out").read_text(encoding="utf-8")


def printed(program: Path, *arguments: str) -> str:
    """What a program prints, which must not complain."""
    command = [sys.executable, "-W", "error", str(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_table_of_ones_own_plays_the_same_on_every_runtime(runtime: str) -> None:
    assert printed(EXAMPLES / "own_table.py", runtime) == (EXAMPLES / "own_table.out").read_text("utf-8")


@pytest.mark.parametrize(("runtime", "loop"), CHATS)
def test_a_chat_room_tells_everybody_the_same_on_every_runtime_and_loop(runtime: str, loop: str) -> None:
    """What each reads comes in one order; whose line is printed first is nobody's business."""
    if loop == "uvloop":
        pytest.importorskip("uvloop")
    written = (EXAMPLES / "chat_room.out").read_text("utf-8")
    assert by_reader(printed(EXAMPLES / "chat_room.py", runtime, loop)) == by_reader(written)


def by_reader(transcript: str) -> dict[str, list[str]]:
    """The lines of a transcript by their first word, the channel or a person."""
    lines = sorted(transcript.splitlines(), key=lambda line: line.split()[0])
    return {reader: list(of) for reader, of in itertools.groupby(lines, lambda line: line.split()[0])}


def test_a_web_app_plays_on_uvloop_as_on_asyncio() -> None:
    pytest.importorskip("uvloop")
    assert printed(EXAMPLES / "web_app.py", "uvloop") == (EXAMPLES / "web_app.out").read_text("utf-8")


def test_there_are_examples_and_no_output_without_its_program() -> None:
    assert {"embed_a_table.py", "step_a_hand.py"} <= {program.name for program in PROGRAMS}
    assert sorted(path.stem for path in EXAMPLES.glob("*.out")) == [program.stem for program in PROGRAMS]
