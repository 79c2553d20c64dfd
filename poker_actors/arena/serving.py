"""Work that a server runs in separate processes: a run of the arena, or the check of an upload.

Each reports progress in lines of JSON on stdout, and ends with its stdin, and so with the server.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import attrs

from poker_actors.arena.arena import Arena
from poker_actors.arena.board import Board
from poker_actors.arena.entrants import Entrant, check_cage, digest_of
from poker_actors.arena.playing import Admit
from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.site import write_site
from poker_actors.arena.uploads import unpack
from poker_actors.atomic import replacing
from poker_actors.errors import BadSpec, PokerError

_UNPACKING: Final = 1 << 30
"""Bytes that the address space may grow by while a stranger's archive is read."""
_OUTPUT: Final = 16_384
"""Characters that an author is shown of a build's output, from its end."""


def _say(**value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _end_with_stdin() -> None:
    """End this process when its parent, which holds the other end of stdin, ends."""

    def wait() -> None:
        with suppress(OSError):
            while os.read(0, 1024):
                pass
        os._exit(1)

    threading.Thread(target=wait, name="end with the server", daemon=True).start()


@contextmanager
def _little_memory() -> Iterator[None]:
    """Let this process grow by no more than `_UNPACKING` in the block, where the system says how large it is."""
    sizes = Path("/proc/self/statm")
    if not sizes.exists():
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    now = int(sizes.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + _UNPACKING, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _run(folder: Path, workers: int) -> None:
    """Play what is missing, and write the pages and the board."""
    arena = Arena(folder, workers, served=True)
    done, steps = 0, arena.steps

    def advance(count: int) -> None:
        nonlocal done
        done += count
        _say(done=done, of=steps)

    def publish(board: Board) -> None:
        write_site(arena, board, arena.site)
        with replacing(arena.site / "board.json") as stream:  # last: what it names is there
            json.dump(board.to_dict(), stream, separators=(",", ":"))

    _forget_builds(arena, arena.run(advance, publish=publish))


def _forget_builds(arena: Arena, board: Board) -> None:
    """Remove built files of versions not on the board: an author who uploads every hour would fill the disk.

    A version that comes back is built again.
    """
    there = [Entrant(name=each.name, digest=each.version) for each in board.competitors]
    kept = {*map(arena.place_of, there), *[arena.kept / "entrants" / each.name for each in there]}
    for place in [*arena.kept.glob("built/*/*"), *arena.kept.glob("entrants/*")]:
        if place not in kept:
            shutil.rmtree(place, ignore_errors=True)
    for version in arena.kept.glob("built/*"):
        with suppress(OSError):  # not empty
            version.rmdir()


def _check(folder: Path, name: str, upload: Path) -> None:
    """Unpack an upload beside its file, in `files`; then build and check it as the arena will."""
    settings = ArenaSettings.read(folder, served=True)
    files = upload.parent / "files"
    with _little_memory():
        unpack(upload, files, settings.limits.files)
    entrant = Entrant(name=name, digest=digest_of(files, settings.limits))
    _say(version=entrant.digest)
    if settings.cage:
        check_cage()
    place = upload.parent / "built" / name
    admission, output = Admit(entrant=entrant, folder=files, place=place, settings=settings)()
    shutil.rmtree(upload.parent / "built", ignore_errors=True)
    _say(**attrs.asdict(admission), output=output.decode("utf-8", "replace")[-_OUTPUT:])


def main(words: list[str]) -> int:
    """Run the command `words`; return its exit status: 2 for a refusal, printed as a line with code and text."""
    _end_with_stdin()
    try:
        match words:
            case ["run", folder, workers]:
                _run(Path(folder), int(workers))
            case ["check", folder, name, upload]:
                _check(Path(folder), name, Path(upload))
            case _:
                raise BadSpec(f"unknown work: {words[:1]}")
    except PokerError as error:
        _say(code=error.code, text=str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
