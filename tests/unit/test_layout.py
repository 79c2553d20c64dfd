"""The rules of the house that a reader relies on: small files, small doors, imports through doors."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import poker_actors

ROOT = Path(poker_actors.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
DOORS = [path for path in MODULES if path.name == "__init__.py"]
FORBIDDEN_NAMES = {"base", "common", "handler", "helpers", "manager", "utils"}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


LOOKED_INTO = {"testing": ("actors", "rules", "wire"), "debug": ("actors", "rules")}
"""The fault bench and the debugger look into actors and hands, and the kit that checks clients listens as protocols do."""


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_file_has_at_most_500_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_function_has_at_most_40_lines(path: Path) -> None:
    functions = [
        node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert [f.name for f in functions if lines_of_code(f) > 40] == []


def lines_of_code(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the signature to the end, without the docstring: what it says costs nobody anything."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_opens_with_what_it_is_for_and_has_a_name_that_says_it(path: Path) -> None:
    assert ast.get_docstring(tree_of(path))
    assert path.stem.strip("_") not in FORBIDDEN_NAMES


@pytest.mark.parametrize("path", DOORS, ids=name_of)
def test_a_door_has_at_most_25_names(path: Path) -> None:
    names = [
        ast.literal_eval(node.value)
        for node in tree_of(path).body
        if isinstance(node, ast.Assign) and [getattr(t, "id", "") for t in node.targets] == ["__all__"]
    ]
    assert len(names) == 1, "a door has one __all__"
    # the version is a fact about the package, not a name somebody builds with; the package's own
    # door opens onto all the others
    most = 27 if path.parent == ROOT else 25
    assert len([name for name in names[0] if name != "__version__"]) <= most


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_outsiders_import_a_package_and_not_its_files(path: Path) -> None:
    here = path.relative_to(ROOT).parts[0]
    imported = [node.module for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom)]
    inside = [module.split(".") for module in imported if module and module.startswith("poker_actors.")]
    inner = [
        parts for parts in inside if len(parts) > 2 and parts[1] not in {here, *LOOKED_INTO.get(here, ())}
    ]
    assert [".".join(parts) for parts in inner if not is_a_door(parts)] == []


def is_a_door(parts: list[str]) -> bool:
    """Whether this is a package within a package, or a module that is named as one in the documentation."""
    return (ROOT.parent / Path(*parts)).is_dir() or parts[1:] in (["evaluator", "libpoker"], ["rules", "log"])


PUBLIC_MODULES = {
    "actors.messages",  # every message by name: what the debugger lists and takes apart
    "evaluator.five_card",  # an order of strengths of its own, read as five_card.WILD
    "evaluator.libpoker",  # another library's values, named as that library's functions
    "rules.action",  # actions as a namespace, where a bot's own functions are called call and fold
    "rules.event",  # events as a namespace: event.Raised
    "rules.log",  # the reader of the log: log.seat_of
}
"""Modules that are imported as such from a package's door, and why their names stay behind a dot."""
ALSO = {"rules": {"Lay", "Stream", "stacks_by_seat"}}
"""Names a door gives beside the 25 that it shows."""


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
            shown = {*named_by(door), *ALSO.get(".".join(parts), ())}
            for alias in node.names:
                inner = ".".join([*parts, alias.name])
                if (
                    alias.name not in shown
                    and inner not in PUBLIC_MODULES
                    and not door.with_name(alias.name).is_dir()
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


def test_importing_the_package_imports_nothing_but_its_two_dependencies() -> None:
    script = (
        "import sys; before = set(sys.modules); import poker_actors;"
        "roots = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(*sorted(roots - set(sys.stdlib_module_names) - {'poker_actors', 'attr', 'attrs', 'pykka'}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
