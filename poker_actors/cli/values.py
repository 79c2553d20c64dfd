"""Shared options: name, type and help; also results as JSON, seeds, and checks that no file overwrites another."""

from __future__ import annotations

import ctypes
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Annotated, Any, Final, Literal

import attrs
from cyclopts import Parameter

from poker_actors.atomic import check_directory, replacing
from poker_actors.cli.commands import described, named
from poker_actors.cli.reading import read_text
from poker_actors.errors import BadSpec

_ARGUMENTS_AT: Final = 47
"""Place of arg_start in /proc/self/stat, counted from 0; arg_end follows (see proc(5))."""


def hide_from_programs(arguments: Sequence[str]) -> None:
    """Blank the arguments after the command's name, if there are bots or a seed among them.

    Every program on the machine can read them, even one that plays, and the seed reveals the decks. Works on Linux
    only.
    """
    stat = Path("/proc/self/stat")
    if not any(argument.startswith(("--bot", "--seed")) for argument in arguments) or not stat.exists():
        return
    # the second field is the program's name in brackets, which may hold blanks
    fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    start, end = (int(field) for field in fields[_ARGUMENTS_AT - 2 : _ARGUMENTS_AT])
    shown = sys.orig_argv[: len(sys.orig_argv) - len(arguments) + 1]
    blanked = start + sum([len(word.encode(errors="surrogateescape")) + 1 for word in shown])
    if start and blanked < end:
        ctypes.memset(blanked, 0, end - blanked)


def _check_hands(kind: object, hands: int) -> None:
    from poker_actors.sim import MOST_HANDS

    if not 1 <= hands <= MOST_HANDS:
        raise ValueError(f"it must be 1 to {MOST_HANDS:,}")


def check_place(kind: object, place: str) -> None:
    """Raise `ValueError` for an empty path, which would mean the current folder."""
    if not place:
        raise ValueError('"" is neither a file nor a folder')


ADDRESS: Final = Parameter(metavar="HOST:PORT")
BLINDS: Final = Parameter(metavar="SMALL/BIG", allow_leading_hyphen=True)
BOT: Final = Parameter(metavar="BOT")
CHIPS: Final = Parameter(metavar="CHIPS", allow_leading_hyphen=True)
FILE: Final = Parameter(metavar="FILE")
GAME: Final = Parameter(metavar="GAME")
PLACE: Final = Parameter(validator=check_place)
"""Check a text that is a file or folder, or something else; a `Path` is checked without it."""

WRITTEN: Final = "written"
"""Mark an option whose file is written: the same command line must not read that file."""

_SEED: Final = "Seed of everything random: any whole number"
_DRAWN: Final = "; drawn, and shown, if not given."
_SEED_FILE: Final = "File that holds the seed; a seed given by --seed may show in a list of processes."
_STACKS: Final = """Chips at the start: 200, 100bb, or one per seat, 200,150,90. 100bb if not given; 200 in
games without blinds."""
_BLINDS: Final = "The blinds, in chips; the game's own if not given."
_BOT_SEED: Final = f"Seed of the bot's random choices: any whole number{_DRAWN}"
_PASSWORD: Final = """File whose first line is the password. If not given, it is read from POKER_ACTORS_PASSWORD, or
asked for on a terminal; elsewhere it is empty."""
_PLAIN: Final = "Lines instead of a full screen: the default where there is no terminal."

Blinds = Annotated[str | None, BLINDS, Parameter(help=_BLINDS)]
BotSeed = Annotated[int | None, Parameter(name=["--bot-seed", "--seed"], help=_BOT_SEED)]
Driver = Literal["direct", "stepper", "threads"]
Force = Annotated[bool, Parameter(help="Overwrite existing files.")]
Hands = Annotated[int, Parameter(help="How many hands to play.", validator=_check_hands)]
PasswordFile = Annotated[str | None, FILE, Parameter(help=_PASSWORD)]
Plain = Annotated[bool, Parameter(help=_PLAIN)]
Seed = Annotated[int | None, Parameter(help=_SEED + _DRAWN)]
SeedFile = Annotated[Path | None, FILE, Parameter(help=_SEED_FILE)]
SetSeed = Annotated[int, Parameter(help=f"{_SEED}.")]
"""A seed with a default value."""
Stacks = Annotated[str | None, CHIPS, Parameter(help=_STACKS)]
Url = Annotated[str, Parameter(help="The server, such as http://127.0.0.1:8080.")]
User = Annotated[str, Parameter(help="Name to play under.")]


_BETWEEN: Final = re.compile(r"[:=,\s]+")
"""What stands around a file inside a word: `FILE.py:FUNCTION`, `cmd:python FILE.py`, `--compare=FILE`."""


_TAKES_FOLDER: Final = ("--history", "--phh")
"""The options that write into a folder, if given one."""


def check_written(arguments: list[str]) -> None:
    """Check the files that the command line names to be written, before the command does any work.

    Raise `BadSpec` for a folder, for one in no folder, and for one that is named twice; `PermissionError` for one in a
    folder that may not be written to.
    """
    name = named(arguments)
    if name is None:
        return
    options = described(name)["options"]
    names = {name for one in options if "written" in one for name in (one["name"], *one.get("older", ()))}
    written, others = _sorted(arguments[len(name.split()) :], names)
    for place, (name, target) in enumerate(written):
        others_written = [path for _, path in written[:place]]
        for word in (*others, *others_written):
            if any(_same(Path(target), Path(part)) for part in (word, *_BETWEEN.split(word)) if part):
                raise BadSpec(f"{name} {target} would overwrite {target}, which the command line names again")
        path = Path(target)
        if path.is_dir():
            if name not in _TAKES_FOLDER:
                raise BadSpec(f"{name} {target} is a directory")
        elif not (path.is_file() and os.access(path, os.W_OK)):  # some files are only added to, in any folder
            check_directory(path)


def _sorted(words: list[str], names: set[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the options that write, with their files, and all other words."""
    written: list[tuple[str, str]] = []
    others: list[str] = []
    waiting = ""
    for word in words:
        name, equals, value = word.partition("=")
        if waiting:
            written.append((waiting, word))
            waiting = ""
        elif name not in names:
            others.append(word)
        elif equals:
            written.append((name, value))
        else:
            waiting = name
    # `-` is stdout; the command itself refuses no name at all
    return [(name, path) for name, path in written if path not in ("-", "")], others


def _same(target: Path, other: Path) -> bool:
    """Return whether both are the same file; devices and folders may be named repeatedly."""
    try:
        if target.exists() and other.exists():
            return target.is_file() and target.samefile(other)
        # `resolve` raises for links in a circle
        return os.path.realpath(target) == os.path.realpath(other)
    except OSError:  # a word that cannot be a path
        return False


_LONGEST: Final = 4096
"""The most bytes of a seed file: Python refuses longer numbers."""
_ARGUMENTS_START: Final = 45
"""Index in /proc/self/stat, after the program's name, of the address of its arguments: field 48 in proc(5)."""


def typed_seed(seed: int | None, file: Path | None) -> int | None:
    """Return the seed given by `--seed` or in `--seed-file`; None for one to be drawn.

    A seed among the arguments is hidden; see `hide_seed`. Raises `BadSpec` if both are given, and for a file that holds
    no whole number.
    """
    if file is None:
        hide_seed()
        return seed
    if seed is not None:
        raise BadSpec("--seed and --seed-file both give the seed: choose one")
    text = read_text(str(file), _LONGEST, "seed").strip()
    try:
        return int(text)
    except ValueError:
        raise BadSpec(f"{file} holds no seed: {text[:20]!r} is not a whole number") from None


def hide_seed() -> None:
    """Write stars over the value of `--seed` where the system shows this process's arguments to others (Linux).

    A program that plays runs as the same user, and would read it in /proc or in `ps`.
    """
    if not any(word.split("=")[0] == "--seed" for word in sys.argv):
        return
    with suppress(OSError, ValueError, IndexError):  # only Linux has these files
        words = Path("/proc/self/cmdline").read_bytes().split(b"\0")
        start = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[_ARGUMENTS_START])
        for place, word in enumerate(words):
            value = word.removeprefix(b"--seed=") if words[place - 1] != b"--seed" else word
            if value != word or words[place - 1] == b"--seed":
                before = sum(len(one) + 1 for one in words[:place]) + len(word) - len(value)
                ctypes.memset(start + before, ord("*"), len(value))


STDOUT: Final = "-"


def _must_be_writable_place(target: JsonTarget, attribute: object, text: str) -> None:
    if text == STDOUT:
        return
    path = Path(text)
    if not text or text.startswith("--"):
        raise BadSpec(f'"{text}" is neither a file nor "-"')
    if path.is_dir():
        raise BadSpec(f"{text} is a directory")
    check_directory(path)


@attrs.frozen
class JsonTarget:
    """A file, or stdout for `-`; checked when it is made, before any work is done.

    Raises `BadSpec` for a directory, a file in no directory, or what looks like another option.
    """

    text: str = attrs.field(validator=_must_be_writable_place)
    _stdout: IO[str] = attrs.field(factory=lambda: sys.stdout, init=False, repr=False, eq=False)

    @property
    def is_stdout(self) -> bool:
        """Whether JSON goes to stdout, which must then hold nothing else."""
        return self.text == STDOUT

    def write(self, value: object) -> None:
        """Write one JSON value; a file is written whole or not at all."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
        with self._opened() as stream:
            stream.write(text + "\n")

    @contextmanager
    def lines(self) -> Iterator[Callable[[object], None]]:
        """Open for one JSON value a line; yield the function that writes one. A file appears at the end."""
        with self._opened() as stream:

            def write_line(value: object) -> None:
                stream.write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")

            yield write_line

    @contextmanager
    def _opened(self) -> Iterator[IO[str]]:
        if self.is_stdout:
            yield self._stdout
            self._stdout.flush()
        else:
            with replacing(Path(self.text)) as stream:
                yield stream


def _converted(kind: type[Any], tokens: Any) -> JsonTarget:
    target = JsonTarget(tokens[0].value)
    if target.is_stdout:
        sys.stdout = sys.stderr  # until the command ends: what a bot prints is no part of the JSON
    return target


JsonOption = Annotated[
    JsonTarget | None,
    Parameter(
        name="--json",
        metavar="FILE",
        converter=_converted,
        n_tokens=1,
        accepts_keys=False,
        allow_leading_hyphen=True,
        help="Write the result as JSON to a file, or to stdout for -.",
    ),
    WRITTEN,
]
"""The type of a command's `json` argument: `json: JsonOption = None`."""


def to_be_printed(target: JsonTarget | None, value: object) -> bool:
    """Write a result as JSON if requested; return whether to print it as text too."""
    if target is not None:
        target.write(value)
    return target is None or not target.is_stdout
