"""Drop one guard at a time, and see whether a test notices: the mutation that mutmut does not have.

    python tests/mutation/guards.py --module poker_actors/store/ledger.py
    python tests/mutation/guards.py --module poker_actors/debug/why.py --seconds 600
    python tests/mutation/guards.py --report --survivors

Several modules of one folder in one call share the pass that looks which test reaches what.

A *guard* is a condition that refuses, ignores or skips. Of each function of a module these are tried, one at a time:

- `never`: an `if` that ends in `raise`, `return`, `continue` or `break` never holds;
- `always`: any other `if` without `else`, the `if` of a comprehension and that of a `case` always hold;
- `drop`: one operand of an `and` or `or` is left out.

pytest collects once. Each change is tried in a fork of this process, by the tests that reach the changed function, the
most successful and the quickest first, until one fails; see `worker`. Outcomes are kept in `.mutation/guards/`, a file
a module: what is known of a function stays known until the function changes. Code that runs at import is left out.
"""

from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import json
import math
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

import attrs
import pytest

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[2])]  # run as a file, its folder is the path

from tests.mutation.run import TARGETS, WORK
from tests.mutation.worker import (
    KILLED,
    OUT_OF_TIME,
    SURVIVED,
    ForkedTrial,
    in_fork,
)

STATE: Final = WORK / "guards"
UNFIT: Final = 37
"""The exit code of a fork whose change does not fit the function: it uses other variables around it."""
WORDS: Final = {KILLED: "killed", SURVIVED: "survived", UNFIT: "unfit"}
LIVES: Final = ("survived", "no tests")
_WHY: Final = (
    "tests/unit/debug/test_debug_why.py",
    "tests/unit/debug/test_debug_why_games.py",
    "tests/unit/debug/test_debug_why_action.py",
)
MORE_TESTS: Final = {
    "poker_actors/bots/adaptive": ("tests/unit/bots/test_bots_adaptive.py",),
    "poker_actors/bots/awaiting": (
        "tests/unit/bots/test_bots_awaiting.py",
        "tests/unit/bots/test_bots_model.py",
        "tests/unit/bots/test_bots_hearing.py",
    ),
    "poker_actors/bots/cage": ("tests/unit/bots/test_bots_cage.py",),
    "poker_actors/bots/mit": (
        "tests/unit/bots/test_bots_mit.py",
        "tests/unit/bots/test_bots_mit_chances.py",
        "tests/unit/bots/test_bots_mit_rounds.py",
        "tests/conformance/mit",
    ),
    # all of the debugger's tests take an hour: screens, terminals and browsers among them
    "poker_actors/debug/why.py": _WHY,
    "poker_actors/debug/turns.py": _WHY,
    # not those of the mutants: they put functions made from the file in place of the changed one
    "poker_actors/referee": (
        "tests/unit/referee/test_referee_book.py",
        "tests/unit/referee/test_referee_verdicts.py",
    ),
    "poker_actors/console": ("tests/unit/console", "tests/traces/test_console_transcripts.py"),
    "poker_actors/wire/acpc": ("tests/unit/wire/acpc", "tests/conformance/acpc"),
    "poker_actors/wire/opp": ("tests/unit/wire/opp", "tests/conformance/opp"),
    "poker_actors/wire/hspe": (
        "tests/unit/wire/hspe",
        "tests/unit/server/test_server_picture.py",
        "tests/conformance/server/test_hspe_join.py",
        "tests/conformance/server/test_live_client.py",
    ),
    "poker_actors/server": ("tests/unit/server",),
    "poker_actors/store": ("tests/unit/store",),
    "poker_actors/actors": TARGETS["actors/table"].tests,
    "poker_actors/rules": TARGETS["rules"].tests,
}
"""Folder -> its tests, where `--tests` names none; the longest that fits counts."""

_REFUSALS: Final = (ast.Raise, ast.Return, ast.Continue, ast.Break)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@attrs.frozen
class Guard:
    """One change: in the function that begins in `line`, the text from `start` to `end` becomes `instead`."""

    name: str
    """the function, the kind of change, and the number of it in the function"""
    function: str
    line: int
    """of the function's code object: that of its first decorator"""
    place: int
    """the line of the change"""
    start: int
    end: int
    instead: str
    text: str
    """what is dropped, for people"""
    of: str
    """a digest of the function: when it changes, its guards are tried again"""


# -- the changes ---------------------------------------------------------------------------------------


class _Source:
    """A module's text; positions of `ast` are lines and bytes."""

    def __init__(self, text: str) -> None:
        self.text = text.encode()
        lines = self.text.splitlines(keepends=True)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Return where an expression begins and ends, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr) -> str:
        """Return the text of an expression."""
        start, end = self.span(node)
        return self.text[start:end].decode()


def guards_of(text: str) -> list[Guard]:
    """Return every guard of the functions in a module's text."""
    source, found = _Source(text), list[Guard]()
    for name, function in _functions(ast.parse(text), ""):
        first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        digest = hashlib.sha256(ast.unparse(function).encode()).hexdigest()[:16]
        counts = Counter[str]()
        for kind, node, instead, dropped in _changes(function, source):
            start, end = source.span(node)
            # as many lines as before, so that every code object begins where it did
            breaks = "\n" * source.text[start:end].count(b"\n")
            counts[kind] += 1
            found.append(
                Guard(
                    f"{name} {kind} {counts[kind]}",
                    name,
                    first,
                    node.lineno,
                    start,
                    end,
                    f"({instead}{breaks})" if "\n" not in instead else f"({instead})",
                    " ".join(dropped.split()),
                    digest,
                )
            )
    return found


def _functions(tree: ast.AST, inside: str) -> Iterator[tuple[str, Any]]:
    """Yield the outermost functions with their qualified names; those within belong to them."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _FUNCTIONS):
            yield f"{inside}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{inside}{node.name}.")
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _functions(node, inside)


def _changes(function: ast.AST, source: _Source) -> Iterator[tuple[str, ast.expr, str, str]]:
    """Yield kind, expression, what replaces it, and what is dropped."""
    for node in ast.walk(function):
        match node:
            case ast.If(test=test, body=body) if isinstance(body[-1], _REFUSALS):
                yield "never", test, "False", source.of(test)
            case ast.If(test=test, orelse=[]):
                yield "always", test, "True", source.of(test)
            case ast.comprehension(ifs=ifs):
                for test in ifs:
                    yield "always", test, "True", source.of(test)
            case ast.match_case(guard=ast.expr() as test):
                yield "always", test, "True", source.of(test)
            case ast.BoolOp(op=op, values=values):
                yield from _operands(node, " and " if isinstance(op, ast.And) else " or ", values, source)
            case _:
                pass


def _operands(
    node: ast.BoolOp, word: str, values: Sequence[ast.expr], source: _Source
) -> Iterator[tuple[str, ast.expr, str, str]]:
    for dropped in values:
        if any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(dropped)):
            continue  # what it names would be missing: noticed at once
        rest = word.join(f"({source.of(value)})" for value in values if value is not dropped)
        missing = source.of(node).count("\n") - rest.count("\n")
        yield "drop", node, rest + "\n" * missing, f"{word.strip()} {source.of(dropped)}"


def changed_code(text: str, guard: Guard, file: str) -> CodeType:
    """Return the code of a guard's function without that guard."""
    raw = text.encode()
    changed = raw[: guard.start] + guard.instead.encode() + raw[guard.end :]
    codes = [compile(changed, file, "exec", dont_inherit=True)]
    while codes:
        code = codes.pop()
        if (code.co_qualname, code.co_firstlineno) == (guard.function, guard.line):
            return code
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    raise LookupError(f"{guard.function} is not there")


# -- what is known -------------------------------------------------------------------------------------


class Known:
    """The guards of one module, and what became of each; kept in a file."""

    def __init__(self, root: Path, module: Path, state: Path) -> None:
        self.module = module
        self.text = module.read_text(encoding="utf-8")
        self.guards = {guard.name: guard for guard in guards_of(self.text)}
        self.file = state / f"{'.'.join(module.relative_to(root).with_suffix('').parts)}.json"
        kept = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else {}
        self.found: dict[str, dict[str, str]] = {
            name: one
            for name, one in kept.items()
            if name in self.guards and one["of"] == self.guards[name].of
        }

    def left(self, *, again: bool) -> list[Guard]:
        """Return the guards not tried yet, and with `again` those that live."""
        wanted = (None, *LIVES) if again else (None,)
        return [one for name, one in self.guards.items() if self.found.get(name, {}).get("word") in wanted]

    def keep(self, guard: Guard, word: str, test: str) -> None:
        """Keep the outcome of one change."""
        where = f"{self.module.name}:{guard.place}"
        self.found[guard.name] = {"word": word, "of": guard.of, "by": test, "at": where, "text": guard.text}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.found, indent=1), encoding="utf-8")


# -- the trial -----------------------------------------------------------------------------------------


class Trial(ForkedTrial):
    """Tries the guards of a few modules."""

    def __init__(self, known: Sequence[Known], options: argparse.Namespace) -> None:
        super().__init__()
        self.known = {str(one.module): one for one in known}
        self.again: bool = options.again
        self.end = time.monotonic() + options.seconds
        self.killers: Counter[str] = Counter()

    def try_all(self) -> None:
        """Try one guard after another, module by module."""
        for known in self.known.values():
            self._try_module(known)

    def reached_by(self, run: Callable[[], None]) -> Collection[str]:
        """Run a test and return the outermost functions of the modules that it enters, each after its file."""
        entered: set[str] = set()
        files = frozenset(self.known)

        def enter(frame: FrameType, what: str, _: object) -> None:
            code = frame.f_code
            if code.co_filename in files:
                entered.add(_place(code.co_filename, code.co_qualname.split(".<locals>")[0]))

        threading.settrace(enter)
        sys.settrace(enter)
        run()
        sys.settrace(None)
        return entered

    def _try_module(self, known: Known) -> None:
        for guard in known.left(again=self.again):
            if time.monotonic() > self.end:
                return
            tests = self.reach.get(_place(str(known.module), guard.function), [])
            if not tests:
                known.keep(guard, "no tests", "")
                continue
            order = sorted(tests, key=lambda test: (-self.killers[test], self.seconds[test]))
            process, reads = in_fork(lambda writes: self._try(known, guard, order, writes))  # noqa: B023  forked at once
            with os.fdopen(reads) as said:
                killer = said.read()
            code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            self.killers[killer] += 1
            word = "time-out" if code in OUT_OF_TIME else WORDS.get(code, "killed" if code < 0 else "broken")
            known.keep(guard, word, killer)

    def _try(self, known: Known, guard: Guard, tests: Iterable[str], writes: int) -> int:
        """Run the tests without a guard until one fails."""
        gc.unfreeze()  # the functions are among what was frozen
        code = changed_code(known.text, guard, str(known.module))
        try:
            for function in _functions_at(str(known.module), guard.function, guard.line):
                function.__code__ = code
        except ValueError:
            return UNFIT
        return self.until_one_fails(tests, writes)


def _place(file: str, function: str) -> str:
    return f"{file}::{function}"


def _functions_at(file: str, name: str, line: int) -> list[FunctionType]:
    """Return the living function objects of a definition: attrs and decorators may have made several of it."""
    return [
        one
        for one in gc.get_objects()
        if type(one) is FunctionType
        and one.__code__.co_filename == file
        and (one.__code__.co_qualname, one.__code__.co_firstlineno) == (name, line)
    ]


# -- the command ---------------------------------------------------------------------------------------


def modules_of(root: Path, given: Iterable[str]) -> list[Path]:
    """Return the modules named: a file, or the files of a folder."""
    found: list[Path] = []
    for name in given:
        path = root / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [path for path in found if guards_of(path.read_text(encoding="utf-8"))]


def tests_of(module: str) -> Sequence[str]:
    """Return the tests of a module that names none; exits if nobody has said which."""
    folders = [folder for folder in MORE_TESTS if module.startswith(folder)]
    targets = [one for one in TARGETS.values() if Path(module).match(one.modules) and not one.but]
    if not folders and not targets:
        sys.exit(f"which tests are about {module}? name them with --tests")
    return MORE_TESTS[max(folders, key=len)] if folders else targets[0].tests


def report(state: Path, *, survivors: bool) -> None:
    """Print what is known of each module, and with `survivors` what lives."""
    columns = ("guards", "killed", "survived", "no tests", "time-out", "unfit", "broken")
    print(f"{'':48}" + "".join(f"{name:>10}" for name in columns) + f"{'noticed':>10}")
    total = Counter[str]()
    for file in sorted(state.glob("*.json")):
        found = json.loads(file.read_text(encoding="utf-8"))
        counts = Counter(one["word"] for one in found.values())
        total += counts
        _print_line(file.stem, counts, columns[1:])
        for name, one in found.items() if survivors else ():
            if one["word"] in LIVES:
                print(f"    {one['word']}: {one['at']} {name}: {one['text']}")
    _print_line("all", total, columns[1:])


def _print_line(name: str, counts: Counter[str], columns: Sequence[str]) -> None:
    tried = counts["killed"] + sum(counts[word] for word in LIVES)
    share = counts["killed"] / tried if tried else 0.0
    numbers = (sum(counts.values()), *(counts[word] for word in columns))
    print(f"{name:48}" + "".join(f"{number:10}" for number in numbers) + f"{share:10.1%}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the guards of modules, or only report."""
    parser = argparse.ArgumentParser(prog="python tests/mutation/guards.py", description=__doc__)
    parser.add_argument("--module", action="append", default=[], help="a file or a folder of the project")
    parser.add_argument("--tests", nargs="*", default=[], help="its tests, as pytest takes them")
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="stop after so long; a later run goes on"
    )
    parser.add_argument(
        "--again", action="store_true", help="try those that live once more: there are new tests"
    )
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--survivors", action="store_true", help="name the guards that live")
    parser.add_argument("--state", type=Path, default=STATE, help="the folder of what is known")
    options = parser.parse_args(arguments)
    root = Path.cwd()
    modules = modules_of(root, options.module)
    known = [Known(root, module, options.state) for module in modules]
    left = sum(len(one.left(again=options.again)) for one in known)
    print(f"{left} guards to try in {len(known)} modules", flush=True)
    if left and not options.report:
        tests = options.tests or sorted({test for name in options.module for test in tests_of(name)})
        # the profile without shrinking: a kill needs no smallest example
        os.environ["HYPOTHESIS_PROFILE"] = "mutation"
        sys.path.insert(0, str(root))
        flags = ["-x", "-q", "-s", "-p", "no:cacheprovider", "-p", "no:randomly"]
        status = int(pytest.main([*flags, *tests], plugins=[Trial(known, options)]))
        if status:
            return status
    report(options.state, survivors=options.survivors)
    return 0


if __name__ == "__main__":
    sys.exit(main())
