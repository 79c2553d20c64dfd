"""The rules of the house that a reader relies on, each held by one test over all files, which lists the offenders."""

import ast
import gc
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import poker_actors

ROOT = Path(poker_actors.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
DOORS = [path for path in MODULES if path.name == "__init__.py"]
FORBIDDEN_NAMES = {"base", "common", "handler", "helpers", "manager", "utils"}

LOOKED_INTO = {"testing": ("actors", "rules", "wire"), "debug": ("actors", "rules")}
"""The fault bench and the debugger look into actors and hands, and the kit that checks clients listens as protocols do."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def _trees() -> Iterator[None]:
    """Look for no garbage in all these trees, which takes four times as long as to parse them, and keep none of them."""
    gc.disable()
    yield
    tree_of.cache_clear()
    gc.enable()


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def test_a_file_has_at_most_500_lines() -> None:
    lines = {name_of(path): path.read_text(encoding="utf-8").count("\n") for path in MODULES}
    assert {name: count for name, count in lines.items() if count > 500} == {}


def test_a_function_has_at_most_40_lines() -> None:
    lengths = {f"{name_of(path)}: {node.name}": lines_of_code(node) for path, node in functions()}
    assert {name: lines for name, lines in lengths.items() if lines > 40} == {}


def lines_of_code(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the signature to the end, without the docstring: what it says costs nobody anything."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def test_a_module_opens_with_what_it_is_for() -> None:
    assert [name_of(path) for path in MODULES if not ast.get_docstring(tree_of(path))] == []


def test_a_module_has_a_name_that_says_what_it_is_for() -> None:
    assert [name_of(path) for path in MODULES if path.stem.strip("_") in FORBIDDEN_NAMES] == []


MOST_BY_POSITION = 7
"""Arguments of one call: with more, nobody sees which is which."""
BY_POSITION = {
    # being rewritten
    "actors/messages.py": 1,
    "actors/table/dealing.py": 2,
    "debug/draw.py": 3,
    "debug/explore.py": 2,
    "debug/session/answers.py": 1,
    "debug/session/checkpoint.py": 1,
    "debug/session/observed.py": 1,
    "debug/session/script.py": 1,
    "wire/hspe/guest.py": 1,
    "testing/chaos/bench.py": 1,
    "testing/chaos/settings.py": 1,
    "testing/chaos/situations.py": 1,
    # functions that numba compiles, which take arrays
    "bots/expert/compiled.py": 2,
    "learn/compiled/expert.py": 1,
    "learn/training/rounds.py": 3,
    "evaluator/equity/exact/compiled.py": 4,
    "evaluator/equity/exact/run.py": 2,
    "evaluator/equity/sampled_compiled.py": 1,
    # on the hot path: once an action of every hand
    "rules/hand.py": 1,
}
"""Calls with more, by file. The numbers may only become smaller."""


def test_no_call_passes_more_than_seven_arguments_by_position() -> None:
    found: dict[str, list[int]] = {}
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and by_position(node) > MOST_BY_POSITION:
                found.setdefault(name_of(path), []).append(node.lineno)
    assert {name: lines for name, lines in found.items() if len(lines) > BY_POSITION.get(name, 0)} == {}


def by_position(call: ast.Call) -> int:
    return sum(not isinstance(argument, ast.Starred) for argument in call.args)


def test_a_door_has_one_list_of_its_names() -> None:
    lists = {
        name_of(path): sum(
            isinstance(node, ast.Assign) and [getattr(t, "id", "") for t in node.targets] == ["__all__"]
            for node in tree_of(path).body
        )
        for path in DOORS
    }
    assert {name: count for name, count in lists.items() if count != 1} == {}


def test_outsiders_import_a_package_and_not_its_files() -> None:
    passed = []
    for path in MODULES:
        here = path.relative_to(ROOT).parts[0]
        imported = [node.module for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom)]
        inside = [module.split(".") for module in imported if module and module.startswith("poker_actors.")]
        inner = [
            parts for parts in inside if len(parts) > 2 and parts[1] not in {here, *LOOKED_INTO.get(here, ())}
        ]
        passed += [f"{name_of(path)}: {'.'.join(parts)}" for parts in inner if not is_a_door(parts)]
    assert passed == []


def is_a_door(parts: list[str]) -> bool:
    """Whether this is a package within a package, or a module that is named as one in the documentation."""
    return (ROOT.parent / Path(*parts)).is_dir() or parts[1:] in (
        ["evaluator", "libpoker"],
        ["rules", "log"],
        ["sim", "histories"],  # behind its own dot: a match must not load the readers of histories
        # packages within a package that are one file
        ["bots", "expert", "compiled"],
        ["bots", "house", "compiled"],
        ["debug", "web"],
        ["debug", "why"],
        ["history", "acpc"],
        ["history", "refereed"],
        ["evaluator", "fast", "compiling"],
        ["evaluator", "fast", "tables"],
        ["evaluator", "openface"],
        ["server", "operator"],
        ["sim", "exports"],
        ["sim", "tournaments", "pictures"],
        ["actors", "aio"],
        ["actors", "bank"],
        ["actors", "hand"],
        ["wire", "opp", "aio"],
        ["wire", "opp", "captures"],
    )


PUBLIC_MODULES = {
    "actors.messages",  # every message by name: what the debugger lists and takes apart
    "evaluator.five_card",  # an order of strengths of its own, read as five_card.WILD
    "evaluator.libpoker",  # another library's values, named as that library's functions
    "rules.action",  # actions as a namespace, where a bot's own functions are called call and fold
    "rules.event",  # events as a namespace: event.Raised
    "rules.log",  # the reader of the log: log.seat_of
}
"""Modules that are imported as such from a package's door, and why their names stay behind a dot."""


def test_a_door_gives_what_it_names_and_nothing_else() -> None:
    passed = []
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("poker_actors."):
                continue
            parts = str(node.module).split(".")[1:]
            door = ROOT.joinpath(*parts, "__init__.py")
            if not door.is_file():
                continue
            if path.relative_to(ROOT).parts[0] == parts[0]:
                continue
            shown = {*named_by(door)}
            for alias in node.names:
                inner = ".".join([*parts, alias.name])
                if (
                    alias.name not in shown
                    and inner not in PUBLIC_MODULES
                    and not is_a_door(["poker_actors", *parts, alias.name])
                ):
                    passed.append(f"{name_of(path)}: {inner}")
    assert passed == []


def named_by(door: Path) -> tuple[str, ...]:
    """The names in the `__all__` of a package."""
    for node in tree_of(door).body:
        if isinstance(node, ast.Assign) and [getattr(t, "id", "") for t in node.targets] == ["__all__"]:
            return tuple(ast.literal_eval(node.value))
    return ()


def test_json_is_parsed_by_one_function_which_knows_what_is_nested_too_deeply() -> None:
    others = [
        name_of(path)
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in ("load", "loads")
        if isinstance(node.value, ast.Name) and node.value.id.startswith("json")
    ]
    assert others == ["jsontext.py"]


TANGLES: list[set[str]] = []
"""Circles that are left; whoever unties one takes it off this list."""


def test_no_modules_import_each_other_in_a_circle_not_even_for_types_or_in_functions() -> None:
    import grimp

    graph = grimp.build_graph("poker_actors", exclude_type_checking_imports=False)
    # the package's own door names all packages for the type checker, and nothing below it imports it
    assert graph.find_modules_that_directly_import("poker_actors") == set()
    ways = {module: graph.find_downstream_modules(module) for module in graph.modules}
    circles = {frozenset({one, *(two for two in there if one in ways[two])}) for one, there in ways.items()}
    found = [{name.removeprefix("poker_actors.") for name in circle} for circle in circles if len(circle) > 1]
    assert sorted(map(sorted, found)) == sorted(map(sorted, TANGLES))


IMPORTED_BY_STRING = {
    "__init__.py": "the package's own door, which stands above all others",
    "bots/spec.py": "a bot's module, as its user names it",
    "debug/asking.py": "debugpy, which is no requirement",
}
NAMED_IN_STRINGS = {
    "native.py": "a module that is compiled or not",
    "cli/postmortem.py": "a program that a trace names; from the top",
}


def test_no_module_imports_by_string_what_the_linter_would_not_let_it() -> None:
    found = [
        f"{name_of(path)}: {text}" for path in MODULES for text in imports_by_string(path, tree_of(path))
    ]
    assert found == []


def imports_by_string(path: Path, tree: ast.Module) -> list[str]:
    """Return the calls that import by a string, and the strings that name a module of another package."""
    found = []
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        called = getattr(node, "attr", getattr(node, "id", ""))
        if (
            called in ("import_module", "__import__", "run_module")
            and name_of(path) not in IMPORTED_BY_STRING
        ):
            found.append(called)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            parts = node.value.partition(":")[0].split(".")
            other = parts[0] == ROOT.name and any(parts[1:2]) and parts[1] != path.relative_to(ROOT).parts[0]
            if other and is_a_module(parts) and name_of(path) not in NAMED_IN_STRINGS:
                found.append(node.value)
    return found


def is_a_module(parts: list[str]) -> bool:
    place = ROOT.parent.joinpath(*parts)
    return place.is_dir() or place.with_suffix(".py").is_file()


@pytest.mark.parametrize(
    "line",
    [
        "import_module('poker_' + name)",
        "importlib.import_module(name)",
        "__import__(name)",
        "DOOR = 'poker_actors.debug'",
        "AT = 'poker_actors.debug.state:x'",
    ],
)
def test_an_import_by_string_is_found(line: str) -> None:
    assert len(imports_by_string(ROOT / "actors" / "room.py", ast.parse(line))) == 1


def test_importing_the_package_imports_nothing_but_its_two_dependencies() -> None:
    script = (
        "import sys; before = set(sys.modules); import poker_actors;"
        "roots = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(*sorted(roots - set(sys.stdlib_module_names) - {'poker_actors', 'attr', 'attrs', 'pykka'}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
