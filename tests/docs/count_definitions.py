"""Print the table of ADR 2, of definitions of d333bcd and of today: `python tests/docs/count_definitions.py`.

A definition is a function, a method, a class without its methods, or the rest of a module. Only lines with code count:
no comments, docstrings or blank lines. Each old definition gets at most one successor, the most similar one by tokens,
name and package. Old definitions without a successor are gone; those of today that succeed none are new, such as
parts split off.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tarfile
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path

import attrs

BEFORE = "d333bcd"
PACKAGE = Path(__file__).parents[2] / "poker_actors"
MOVED = {"opp": "wire", "acpc": "wire", "fairness": "store", "rl": "learn", "tournaments": "sim"}
COMMON = 60
"""Three tokens in a row that more definitions share than this are ignored in the search for successors."""
ENOUGH = 0.6
SILENT = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


@attrs.frozen(eq=False)
class Definition:
    """A definition: package, name and code."""

    package: str
    name: str
    lines: int
    words: list[str]

    @property
    def triples(self) -> set[tuple[str, ...]]:
        """Every three consecutive tokens."""
        return set(zip(self.words, self.words[1:], self.words[2:], strict=False))


def code_lines(source: str, tree: ast.Module) -> set[int]:
    """Return the numbers of the lines with code."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in SILENT:
            found.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and type(node.value.value) is str
        ):
            found.difference_update(lines_of(node))
    return found


def lines_of(node: ast.stmt) -> range:
    """Return the lines of a statement, decorators included."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    return range(first, (node.end_lineno or first) + 1)


def definitions(path: str, source: str) -> Iterator[Definition]:
    """Yield the definitions of one file; `path` is relative to the package."""
    tree, lines = ast.parse(source), source.split("\n")
    code = code_lines(source, tree)
    package = path.split("/", maxsplit=1)[0] if "/" in path else ""

    def define(name: str, numbers: Iterable[int]) -> Definition:
        words = re.findall(r"\w+|[^\w\s]", " ".join(lines[number - 1] for number in sorted(numbers)))
        return Definition(MOVED.get(package, package), name, len(set(numbers)), words)

    def below(body: list[ast.stmt], within: str, left: set[int]) -> Iterator[Definition]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                own = code & set(lines_of(node))
                left -= own
                if isinstance(node, ast.ClassDef) and not within:
                    yield from below(node.body, f"{node.name}.", own)
                yield define(within + node.name, own)

    left = set(code)
    yield from below(tree.body, "", left)
    yield define("", left)


def likeness(one: Definition, other: Definition) -> float:
    """Return the similarity of two definitions: 0 to 1 for their tokens, and up to 0.35 for name and package."""
    alike = SequenceMatcher(None, one.words, other.words, autojunk=False).ratio()
    same = one.name.rpartition(".")[2] == other.name.rpartition(".")[2]
    return alike + 0.15 * same + 0.1 * (one.name == other.name) + 0.1 * (one.package == other.package)


def successors(before: list[Definition], today: list[Definition]) -> dict[Definition, Definition]:
    """Pair each old definition with the most similar new one, in order of similarity."""
    sharing = defaultdict(list)
    named = defaultdict(list)
    for one in before:
        named[one.name].append(one)
        for triple in one.triples:
            sharing[triple].append(one)
    pairs = []
    for new in today:
        shared = Counter(
            one for triple in new.triples if len(sharing[triple]) < COMMON for one in sharing[triple]
        )
        likely = {one for one, _ in shared.most_common(15)} | set(named[new.name] if new.name else ())
        pairs += [(likeness(one, new), one, new) for one in likely if bool(one.name) == bool(new.name)]
    found: dict[Definition, Definition] = {}
    taken = set()
    for alike, one, new in sorted(pairs, key=lambda pair: -pair[0]):
        if alike >= ENOUGH and one not in found and new not in taken:
            found[one] = new
            taken.add(new)
    return found


def files_before() -> Iterator[tuple[str, str]]:
    """Yield path and source of each file of the old package."""
    packed = subprocess.run(
        ["git", "archive", BEFORE, "poker_actors"], check=True, capture_output=True, cwd=PACKAGE.parent
    )
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.name.endswith(".py") else None
            if stream is not None:
                yield member.name.partition("/")[2], stream.read().decode()


def main() -> None:
    """Print lines by package: before, kept, their successors, gone, new."""
    before = [one for path, source in files_before() for one in definitions(path, source)]
    paths = sorted(PACKAGE.rglob("*.py"))
    today = [
        one for path in paths for one in definitions(path.relative_to(PACKAGE).as_posix(), path.read_text())
    ]
    found = successors(before, today)
    kept = set(found.values())
    print("| package | before | of it kept | their successors | gone | new |\n|---|---|---|---|---|---|")
    for package in [*sorted({one.package for one in today}), None]:
        mine = [one for one in before if package in (None, one.package)]
        rows = [
            sum(one.lines for one in mine),
            sum(one.lines for one in mine if one in found),
            sum(found[one].lines for one in mine if one in found),
            sum(one.lines for one in mine if one not in found),
            sum(new.lines for new in today if new not in kept and package in (None, new.package)),
        ]
        name = "all" if package is None else f"`{package}`" if package else "files of the root"
        print(f"| {name} | {' | '.join(f'{count:,}' for count in rows)} |")


if __name__ == "__main__":
    main()
