"""Run a notebook, and show or keep what its cells print: `python run.py [--write] NOTEBOOK...`.

The cells of a notebook are run one after another in a folder of their own, as Jupyter would, and what each prints is held against
what the file says it printed. With `--write` the file is told instead. Needs no Jupyter.
"""

from __future__ import annotations

import ast
import io
import json
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any


def outputs(cells: list[dict[str, Any]]) -> list[str]:
    """What each cell of code prints, the value of a last expression included."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_printed("".join(cell["source"]), names) for cell in cells]


def _printed(source: str, names: dict[str, Any]) -> str:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None:
                print(repr(value))
    return out.getvalue()


def main(arguments: list[str]) -> int:
    """Run every notebook that is named; the status is 1 when one prints something else."""
    write = "--write" in arguments
    wrong = 0
    for place in [Path(name).resolve() for name in arguments if name != "--write"]:
        notebook = json.loads(place.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            sys.path.insert(0, folder)
            shown = outputs(code)
            sys.path.pop(0)
        for number, (cell, text) in enumerate(zip(code, shown, strict=True), 1):
            stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
            kept = [stream] if text else []
            if not write and cell["outputs"] != kept:
                print(f"{place.name}, cell {number} prints:\n{text}")
                wrong += 1
            cell["execution_count"], cell["outputs"] = number, kept
        if write:
            place.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
