"""Mutants that no caller can tell from the code: those that only write SQL in another case."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

__all__ = ["of_sql"]

SQL: Final = re.compile(r"(SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT|ROLLBACK|PRAGMA|SET)( .*)?")
TEXT: Final = re.compile(r"'[^']*'")
"""What a statement has in quotes: there case matters."""

PRAGMA: Final = re.compile(r"[a-z_]+=[A-Z]+")
"""What a loop puts after `PRAGMA`."""


def of_sql(mutants: Path, names: Iterable[str]) -> set[str]:
    """Return those of the mutants that change nothing but the case of a statement; `mutants` is mutmut's folder."""
    modules: defaultdict[str, set[str]] = defaultdict(set)
    for name in names:
        modules[name.partition(".x")[0]].add(name)
    found = set()
    for module, inside in modules.items():
        source = mutants.joinpath(*module.split(".")).with_suffix(".py")
        functions = {
            node.name: node
            for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        for name in inside:
            mutant = name.rpartition(".")[2]
            original = f"{mutant.partition('__mutmut_')[0]}__mutmut_orig"
            if _is_case_of_sql(functions[original], functions[mutant]):
                found.add(name)
    return found


def _is_case_of_sql(original: ast.AST, mutant: ast.AST) -> bool:
    before, after = _texts(original), _texts(mutant)
    if len(before) != len(after):
        return False
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    return len(changed) == 1 and all(
        one.lower() == other.lower()
        and TEXT.findall(one) == TEXT.findall(other)
        and bool(SQL.fullmatch(one) or PRAGMA.fullmatch(one))
        for one, other in changed
    )


def _texts(tree: ast.AST) -> list[str]:
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
