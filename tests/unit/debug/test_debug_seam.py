"""The debugger looks into a room through what the room shows: it touches no private name of another package."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import poker_actors.debug

ROOT = Path(poker_actors.debug.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))


TEXTUALS = {"_check_bindings", "_scroll_update"}
"""What the full screen takes of its library: without the first a key typed fast goes astray, without the second each key
lays the screen out more than once."""


PROTOCOLS = {"_abc_impl", "_is_protocol"}
"""What `typing` notes in each protocol."""


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def made_here() -> set[str]:
    """Private names that the debugger itself defines: attributes, methods, functions, classes."""
    found: set[str] = set()
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                if isinstance(node.value, ast.Name) and node.value.id == "self":
                    found.add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.Assign | ast.AnnAssign) and "__slots__" in ast.unparse(node):
                found |= {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}  # type: ignore[misc]
    return found


def reached() -> Iterator[str]:
    """Private names that are read of anything, or imported, with where."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Attribute) and private(node.attr):
                yield f"{place} {node.attr}"
            elif isinstance(node, ast.ImportFrom):
                yield from (f"{place} {one.name}" for one in node.names if private(one.name))


def test_no_private_name_of_another_package_is_read() -> None:
    mine = made_here()
    assert [one for one in reached() if one.rpartition(" ")[2] not in mine | TEXTUALS] == []


def test_no_private_method_of_a_class_of_another_package_is_overridden() -> None:
    found = []
    for path in FILES:
        parts = [*path.relative_to(ROOT).with_suffix("").parts]
        if "tui" in parts:
            continue  # Textual's own hooks are named so
        module = importlib.import_module(
            ".".join(["poker_actors.debug", *(p for p in parts if p != "__init__")])
        )
        for kind in vars(module).values():
            if inspect.isclass(kind) and kind.__module__ == module.__name__:
                bases = [base for base in kind.__mro__[1:] if base.__module__.startswith("poker_actors.")]
                others = [base for base in bases if not base.__module__.startswith("poker_actors.debug")]
                taken = {name for name in vars(kind) if private(name)} - PROTOCOLS
                found += [f"{kind.__name__}.{name}" for base in others for name in taken & set(vars(base))]
    assert found == []
