"""The package's own door: every name there, imported when it is used and not before."""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import poker_actors


@pytest.mark.parametrize("name", poker_actors.__all__)
def test_every_name_of_the_door_is_there(name: str) -> None:
    assert getattr(poker_actors, name) is not None
    assert name in dir(poker_actors)


def test_an_unknown_name_is_an_attribute_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Hnad'"):
        poker_actors.Hnad  # noqa: B018


def test_the_type_checker_is_told_the_same_names() -> None:
    tree = ast.parse(Path(poker_actors.__file__).read_text(encoding="utf-8"))
    told = {
        (alias.name, (node.module or "").removeprefix("poker_actors."))
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert told == {(name, package) for package, names in poker_actors._PACKAGES.items() for name in names}
    assert {name for name, _ in told} == {*poker_actors.__all__} - {"__version__"}


def test_importing_the_package_loads_its_version_and_none_of_its_packages() -> None:
    script = "import sys, poker_actors; print(*(m for m in sys.modules if m.startswith('poker_actors.')))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["poker_actors.version"]


def test_every_name_of_the_door_needs_nothing_but_the_two_dependencies() -> None:
    script = (
        "import sys; before = set(sys.modules); from poker_actors import *;"
        "roots = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(*sorted(roots - set(sys.stdlib_module_names)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    # multiprocessing, of the standard library, gives the main module a second name
    assert set(run.stdout.split()) <= {"poker_actors", "attr", "attrs", "pykka", "__mp_main__"}


# -- the doors of packages, and the pages of the reference that document them -------------------------------

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
AUTOMODULE = re.compile(
    r"^\.\. automodule:: (\S+)\n(   :members:\n)?(?:   :exclude-members: (.*)\n)?", re.MULTILINE
)
DATA = re.compile(r"^\.\. py:data:: (\S+)\n\n   \S", re.MULTILINE)
PAGES = "\n".join(page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md")))
DOORS = {
    door: {*left_out.split(", ")} - {""} for door, members, left_out in AUTOMODULE.findall(PAGES) if members
}
"""The packages whose names a page lists, and those that it leaves to another page."""


def listed(door: str) -> dict[str, Any]:
    module = import_module(door)
    return {name: getattr(module, name) for name in module.__all__}


def has_words_of_its_own(value: object) -> bool:
    """Whether Sphinx takes what a name says from its docstring: a constant has that of its class."""
    return (inspect.isclass(value) or inspect.isroutine(value)) and bool(value.__doc__)


def test_the_reference_documents_every_name_of_a_door_and_no_other() -> None:
    documented = {
        *DATA.findall(PAGES),
        *(
            f"{door}.{name}"
            for door, left_out in DOORS.items()
            for name, value in listed(door).items()
            if name not in left_out and has_words_of_its_own(value)
        ),
    }
    names = {f"{door}.{name}" for door, left_out in DOORS.items() for name in {*listed(door)} - left_out}
    assert sorted(names - documented) == [], "write a `py:data` of it on the package's page"
    assert sorted(documented - names) == [], "no name of the door"


def test_a_name_that_a_page_leaves_out_is_on_another_page() -> None:
    shown = {
        id(value) for door, out in DOORS.items() for name, value in listed(door).items() if name not in out
    }
    lost = {
        f"{door}.{name}" for door, out in DOORS.items() for name in out if id(listed(door)[name]) not in shown
    }
    assert lost == set()
