"""Entrants: the folders of an arena, what each holds, its build and the check that admits it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, Final

import attrs

from poker_actors.arena.settings import ArenaSettings, Limits
from poker_actors.bots import BotSpec, Registered
from poker_actors.bots.cage import Cage
from poker_actors.bots.mit import COMMANDS, MitBot, found_program, read_commands
from poker_actors.bots.program import IsolatedBot, Program, ProgramBot, Ran, bare_environment, run
from poker_actors.errors import BadSpec, MissingFeature

NAME: Final = re.compile(r"[\w][\w .+-]{0,39}")
"""The pattern of an entrant's name."""
_BOT_FILE: Final = "bot.py"
_BOT: Final = "bot"
MOST_FILES: Final = 2_000
"""Files and folders that an entrant may have."""
_MEGABYTE: Final = 1 << 20
_OUTPUT: Final = 512 << 10
"""The most bytes kept of a build's output."""
_READ: Final = 65536
_BUILDING: Final = 1 << 30
"""Bytes that an entrant's folder may take on the disk while it is built without a cage, unless twice its limit is
more."""
_PROCESSOR_SECONDS: Final = 3600
_SAMPLE: Final = 0.05
"""Seconds of processor time spent to see how busy the machine is."""
MOST_PATIENCE: Final = 4.0
_PAGE: Final = 4096
"""The fewest bytes that a file takes besides its content."""


@attrs.frozen(kw_only=True)
class Entrant:
    """A folder of the arena as it was found: its name, and its version or the reason it has none."""

    name: str
    digest: str = ""
    """hash of its files, their names and whether they are executable: its version"""
    problem: str = ""
    """why it cannot be an entrant; empty if it can"""
    house: bool = False

    @property
    def version(self) -> str:
        """Name and digest: what a result belongs to."""
        return f"{self.name} {self.digest}"


def found_in(folder: Path, settings: ArenaSettings) -> list[Entrant]:
    """Return the entrants of a folder, by name: its sub-folders, except hidden ones, and house bots."""
    entrants = [_found(path, settings.limits) for path in sorted(folder.iterdir()) if _is_entrant(path)]
    taken = {entrant.name for entrant in entrants}
    for bot in settings.house:
        if bot in taken:
            raise BadSpec(f"two entrants are called {bot[:40]}: a folder and a house bot")
        taken.add(bot)
        entrants.append(Entrant(name=bot, digest="house", house=True))
    return entrants


def _is_entrant(path: Path) -> bool:
    return (
        path.is_dir()
        and not path.is_symlink()
        and not path.name.startswith(".")
        and path.name != "__pycache__"
    )


def _found(path: Path, limits: Limits) -> Entrant:
    if NAME.fullmatch(path.name) is None:
        shown = path.name.encode("unicode_escape", "backslashreplace").decode()[:40]
        return Entrant(name=shown, problem="its name is not 1 to 40 letters, digits, blanks and . _ + -")
    try:
        return Entrant(name=path.name, digest=digest_of(path, limits))
    except (BadSpec, OSError) as error:
        return Entrant(name=path.name, problem=str(error))


def digest_of(folder: Path, limits: Limits) -> str:
    """Return the hash of a folder's files; raises `BadSpec` for special files such as links, and for too many bytes.

    A link could lead to a file of the server, and reading a pipe would never end.
    """
    digest = blake2b(digest_size=12, person=b"arena entrant")
    size = count = 0
    for path in _files(folder):
        place = path.relative_to(folder).as_posix()
        kept = path.lstat()
        if not stat.S_ISREG(kept.st_mode):
            kind = "a link" if stat.S_ISLNK(kept.st_mode) else "neither a file nor a folder"
            raise BadSpec(f"{place[:60]} is {kind}: an entrant may have only files and folders")
        count += 1
        size += kept.st_size
        if count > MOST_FILES:
            raise BadSpec(f"it has more than {MOST_FILES:,} files")
        if size > limits.files * _MEGABYTE:
            raise BadSpec(f"its files have more than {limits.files} megabytes")
        named = f"{place}\0{int(bool(kept.st_mode & stat.S_IXUSR))}\0{kept.st_size}\0"
        digest.update(named.encode("utf-8", "surrogateescape"))
        digest.update(path.read_bytes())
    if not count:
        raise BadSpec("it has no files")
    return digest.hexdigest()


def _files(folder: Path) -> list[Path]:
    """Return the files in a folder and below it, in order, without those that Python leaves beside its sources."""
    found = []
    for place, folders, files in os.walk(folder):
        # a link to a folder is not followed
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [Path(place) / name for name in (*files, *links)]
    return sorted(found)


# -- built -----------------------------------------------------------------------------------------


def built(entrant: Entrant, folder: Path, place: Path, settings: ArenaSettings) -> bytes:
    """Copy an entrant's files from `folder` to `place` and build them there; return what the build printed.

    Raises `BadSpec` with the reason if that fails.
    """
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(folder, place, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    if digest_of(place, settings.limits) != entrant.digest:
        raise BadSpec("its files changed while they were copied: start again")
    if not (place / COMMANDS).is_file():
        return b""
    words = found_program(place, read_commands(place).build, our_python=True)
    if not words:
        return b""
    limits = settings.limits
    program = Program(
        words=words,
        memory=4096 * _MEGABYTE,
        cpu_seconds=_PROCESSOR_SECONDS,
        environment=bare_environment(),
        folder=place,
        cage=Cage(
            folder=place,
            room=limits.files * _MEGABYTE + MOST_FILES * _PAGE,
            memory=4096 * _MEGABYTE,
            processes=256,
            tmp=256 * _MEGABYTE,
        )
        if settings.cage
        else None,
    )
    most = limits.files * _MEGABYTE if settings.cage else max(_BUILDING, 2 * limits.files * _MEGABYTE)
    written = None if settings.cage else most  # in a cage it writes to memory
    ran = run(program, seconds=limits.build_seconds * patience(), output=_OUTPUT, written=written)
    _check_build(ran, limits, most)
    digest_of(place, limits)  # a build makes no links and no more than the folder may hold
    return ran.output


def patience() -> float:
    """Return how many times longer work takes now than on a quiet machine, from 1 to `MOST_PATIENCE`.

    Limits are stretched by it, so that nobody is refused because others kept the processors busy. It is bounded, so
    that an endless build does not stop the rest.
    """
    began, used = perf_counter(), thread_time()
    while thread_time() - used < _SAMPLE:
        pass
    return min(max(1.0, (perf_counter() - began) / _SAMPLE), MOST_PATIENCE)


def _check_build(ran: Ran, limits: Limits, most: int) -> None:
    """Raise `BadSpec`, with a code, unless the build ended well."""
    last = ran.output.decode("utf-8", "replace").strip().rpartition("\n")[2][:160]
    if ran.full:
        text = f"its build writes more than {most >> 20:,} megabytes into its folder"
        raise BadSpec(text, code="build_too_large")
    if ran.status is None:
        raise BadSpec(f"its build takes more than {limits.build_seconds:g} s", code="build_too_slow")
    if ran.status:
        text = f"its build ends with exit status {ran.status}{f': {last}' if last else ''}"
        raise BadSpec(text, code="build_failed")


def check_cage() -> None:
    """Raise `MissingFeature`, naming what is missing, unless this machine can make a cage."""
    program = Program(
        words=("/bin/true",),
        memory=1 << 30,
        cpu_seconds=10,
        environment=bare_environment(),
        cage=Cage(folder=Path("/usr")),
    )
    try:
        run(program, seconds=20, output=1024)
    except MissingFeature as error:
        error.args = (f"{error}; to run without cages, write cage = false in arena.toml",)
        raise


# -- played ----------------------------------------------------------------------------------------


def player_of(entrant: Entrant, place: Path, settings: ArenaSettings) -> BotSpec:
    """Return the bot of an entrant whose built files lie at `place`; raises `BadSpec` if there is none.

    It has the entrant's name and a process of its own, in a cage unless the settings say otherwise.
    """
    if entrant.house:
        return BotSpec.parse(entrant.name)
    limits = settings.limits
    shared: dict[str, Any] = {
        "seconds": limits.decision_seconds,
        "start_seconds": limits.start_seconds,
        "match_seconds": limits.match_seconds,
        "restarts": limits.restarts,
        "memory": limits.memory,
        "processes": limits.processes,
        "tmp": limits.tmp,
        "cage": settings.cage,
        "folder": str(place),
    }
    if (place / COMMANDS).is_file():
        commands = read_commands(place)
        if commands.protocol == "mit":
            return _mit(entrant, place, settings)
        return _program(entrant, found_program(place, commands.run, our_python=True), shared)
    script = _script(place)
    if script is not None:
        return _program(
            entrant, [*found_program(place, _shebang(script), our_python=True), str(script)], shared
        )
    if (place / _BOT_FILE).is_file():
        return BotSpec(
            entrant.name,
            Registered(entrant.name, IsolatedBot),
            shared | {"spec": f"{place / _BOT_FILE}:{_BOT}"},
        )
    raise BadSpec(f"it has no {COMMANDS}, no {_BOT_FILE} and no program that begins with #!")


def _program(entrant: Entrant, words: Sequence[str], shared: dict[str, Any]) -> BotSpec:
    return BotSpec(
        entrant.name, Registered(entrant.name, ProgramBot), shared | {"command": shlex.join(words)}
    )


def _mit(entrant: Entrant, place: Path, settings: ArenaSettings) -> BotSpec:
    limits = settings.limits
    values: dict[str, Any] = {
        "folder": str(place),
        "clock": limits.match_seconds,
        "cage": settings.cage,
        "memory": limits.memory,
        "processes": limits.processes,
        "tmp": limits.tmp,
        "built": True,
    }
    return BotSpec(entrant.name, Registered(entrant.name, MitBot), values)


def _script(place: Path) -> Path | None:
    """Return the only file that begins with `#!`, if any; raises `BadSpec` for several."""
    found = [path for path in sorted(place.iterdir()) if path.is_file() and _starts(path)]
    if len(found) > 1:
        names = ", ".join(path.name[:40] for path in found[:4])
        raise BadSpec(f"{names} begin with #!: name the one to run in {COMMANDS}")
    return found[0] if found else None


def _starts(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def _shebang(script: Path) -> list[str]:
    """Return the interpreter of a script and its arguments, looked up by name as `env` does."""
    with script.open("rb") as file:
        line = file.readline(_READ)[2:].decode("utf-8", "replace")
    words = line.split()
    if words and Path(words[0]).name == "env":
        words = words[2:] if words[1:2] == ["-S"] else words[1:]
    if not words:
        raise BadSpec(f"{script.name[:40]} begins with #! but names no program")
    return [Path(words[0]).name, *words[1:]]
