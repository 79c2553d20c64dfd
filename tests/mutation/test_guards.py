"""The guard operator: a guard with a test is noticed, one without lives, and what is known is not tried again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.guards import Guard, changed_code, guards_of

GUARDS = Path(__file__).with_name("guards.py")
TOY = """
def seat(number, taken):
    if number in taken:
        raise ValueError(number)
    if number < 0:
        raise ValueError(number)
    return number


def tell(player, news):
    if player is not None and news:
        player.append(news)


def ready(stacks, out):
    return [one for one in stacks if one not in out and stacks[one]]


class Table:
    @property
    def open(self):
        return self.closed or self.full

    closed = full = False


def alone(number):
    if number:
        return 1
    return 2
"""
TESTS = """
import pytest

from toy.room import Table, ready, seat, tell


def test_a_seat_that_is_taken_is_refused():
    with pytest.raises(ValueError):
        seat(3, [3])
    assert seat(2, [3]) == 2


def test_who_is_there_is_told_and_who_is_not_is_not():
    heard = []
    tell(heard, "hand")
    tell(None, "hand")
    assert heard == ["hand"]


def test_who_sits_out_is_not_ready():
    assert ready({"ann": 5, "bob": 5}, ["bob"]) == ["ann"]


def test_open():
    table = Table()
    table.closed = True
    assert table.open
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    for name, text in {"toy/__init__.py": "", "toy/room.py": TOY, "tests/test_toy.py": TESTS}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def tried(toy: Path, *options: str) -> tuple[dict[str, str], str]:
    """Try the toy's guards; gives what became of each, and what the command said."""
    command = [sys.executable, str(GUARDS), "--module=toy", "--state=known", "--tests", "tests", *options]
    said = subprocess.run(command, cwd=toy, check=True, capture_output=True, text=True).stdout
    kept = json.loads((toy / "known/toy.room.json").read_text(encoding="utf-8"))
    return {name: one["word"] for name, one in kept.items()}, said


FOUND = {
    "seat never 1": "killed",
    "seat never 2": "survived",  # nobody asks for seat -1
    "tell always 1": "killed",
    "tell drop 1": "killed",
    "tell drop 2": "survived",  # nobody tells nothing
    "ready always 1": "killed",
    "ready drop 1": "killed",
    "ready drop 2": "survived",  # everybody has chips
    "Table.open drop 1": "killed",
    "Table.open drop 2": "survived",
    "alone never 1": "no tests",
}


def test_a_guard_with_a_test_is_noticed_and_one_without_lives(toy: Path) -> None:
    assert tried(toy)[0] == FOUND


def test_what_is_known_is_tried_again_only_when_its_function_changes(toy: Path) -> None:
    tried(toy)
    assert "0 guards to try" in tried(toy, "--report")[1]
    room = toy / "toy/room.py"
    room.write_text(room.read_text().replace("number < 0", "number < -1"), encoding="utf-8")
    assert "2 guards to try" in tried(toy, "--report")[1]


@pytest.mark.heavy
def test_what_lives_is_asked_again_when_there_are_new_tests(toy: Path) -> None:
    tried(toy)
    more = TESTS + "\n\ndef test_below():\n    with pytest.raises(ValueError):\n        seat(-1, [])\n"
    (toy / "tests/test_toy.py").write_text(more, encoding="utf-8")
    assert tried(toy)[0] == FOUND
    assert tried(toy, "--again")[0] == FOUND | {"seat never 2": "killed"}


def without(text: str, name: str) -> Guard:
    return next(guard for guard in guards_of(text) if guard.name == name)


def played(text: str, name: str, *values: object) -> object:
    """Call the function of a module without one of its guards."""
    guard = without(text, name)
    space: dict[str, object] = {}
    exec(compile(text, "toy", "exec"), space)
    function = space[guard.function]
    assert callable(function)
    function.__code__ = changed_code(text, guard, "toy")  # type: ignore[attr-defined]  # a function of that text
    return function(*values)


LONG = """
def plays(seat, hand, line):
    if (
        seat
        and hand
        # a comment among them
        and line not in ("ö", "ü")
    ):
        return 1
    for one in (1, 2):
        if one == 2:
            continue
        seat = one
    match seat:
        case int() if hand:
            return 2
        case _:
            return 3
"""


def test_a_condition_over_several_lines_loses_one_operand_and_keeps_its_lines() -> None:
    names = ["always 1", "drop 1", "drop 2", "drop 3", "never 1", "never 2"]
    assert sorted(guard.name for guard in guards_of(LONG)) == [f"plays {name}" for name in names]
    assert played(LONG, "plays drop 1", 0, 1, "") == 1
    assert played(LONG, "plays drop 3", 1, 1, "ö") == 1
    assert played(LONG, "plays never 1", 1, 1, "") == 2
    assert played(LONG, "plays always 1", 0, 0, "ö") == 2


def test_an_operand_that_gives_a_name_is_left_alone() -> None:
    text = "def f(a):\n    return a and (b := a + 1) and b\n"
    assert [guard.text for guard in guards_of(text)] == ["and a", "and b"]
