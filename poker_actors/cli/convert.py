"""`poker-actors convert`: convert hand histories from one format to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from poker_actors.cli.output import many, note, progress
from poker_actors.cli.values import PLACE, STDOUT, Force, JsonOption
from poker_actors.errors import BadHistory, BadSpec, Unplayed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from poker_actors.history import Entry, HandHistory, Writer


def convert(
    source: Annotated[str, PLACE, Parameter(allow_leading_hyphen=True)],
    target: Path,
    *,
    to: Literal["phh", "ohh", "pokerstars", "acpc", "jsonl"] | None = None,
    force: Force = False,
    workers: int = 1,
    json: JsonOption = None,
) -> None:
    """Convert hand histories into another format, hand by hand.

    The target appears only when complete: it is moved into place once the last hand is written. Hands of variants that
    are not played here are skipped and counted; any other hand that cannot be read, or that the format cannot carry,
    ends the conversion.

    Args:
        source: A file, a folder, or - for stdin.
        target: The file to write, or an existing folder, for one .phh file per hand.
        to: The format; taken from the target's name if not given.
        workers: Processes to play on: a file at a time.
    """
    from poker_actors.history import Writer

    if workers < 1 or (workers > 1 and source == STDOUT):
        raise BadSpec(f"--workers {workers} must be 1 or more, and 1 for stdin")
    if target.is_file() and source != STDOUT and target.samefile(source):
        raise BadSpec(f"converting {source} to {target} would overwrite its source")
    try:
        writer = Writer(target, to, replace=force)
    except FileExistsError:
        raise BadSpec(f"{target} already exists: --force overwrites it") from None
    with writer, progress("bytes", _size(source)) as advance:
        skipped = (
            _copy(source, writer, advance)
            if workers == 1
            else _copy_side_by_side(source, writer, workers, advance)
        )
        if not writer.count:
            raise BadSpec(f"{source} has no hands to convert; {skipped} are of variants not played here")
    if json is not None:
        found = {
            "target": str(target),
            "format": writer.format.name,
            "hands": writer.count,
            "skipped": skipped,
        }
        json.write(found)
    left_out = f", {skipped} skipped (variants not played here)" if skipped else ""
    note(f"wrote {target}, {many(writer.count, 'hand')} as {writer.format.name}{left_out}")


def _size(source: str) -> int:
    place = Path(source)
    files = place.rglob("*") if place.is_dir() else [place]
    return sum(file.stat().st_size for file in files if file.is_file())


def _copy(source: str, writer: Writer, advance: Callable[[int], None]) -> int:
    """Write every hand that can be played here and return how many were skipped."""
    from poker_actors.history import entries

    stdin = sys.stdin.buffer if source == STDOUT else None
    return _write(entries(source, stdin, advance), writer.write)


def _write(found: Iterable[Entry], write: Callable[[HandHistory], None]) -> int:
    """Write the hands that can be played here; return how many were skipped. Raises `BadHistory` at any other."""
    skipped = 0
    for entry in found:
        if isinstance(entry.error, Unplayed):
            skipped += 1
            continue
        if entry.history is None:
            assert entry.error is not None  # an entry has a history or the error that prevented it
            raise entry.error
        try:
            write(entry.history)
        except BadHistory as error:
            raise type(error)(f"{entry.file}, line {entry.line}: {error}") from None
    return skipped


def _copy_side_by_side(source: str, writer: Writer, workers: int, advance: Callable[[int], None]) -> int:
    """Read the files on several processes, and write their hands in the order of the files."""
    from poker_actors.history import files_in
    from poker_actors.sim.engines import check_workers, process_pool

    check_workers(workers)
    files = files_in(Path(source))
    skipped = 0
    with process_pool(min(workers, len(files))) as pool:
        asked = map(str, files), [writer.format.name] * len(files)
        for file, (found, left_out) in zip(files, pool.map(_read, *asked), strict=True):
            for one in found:
                if isinstance(one, str):
                    writer.write_text(one)
                else:
                    writer.write(one)
            skipped += left_out
            advance(file.stat().st_size)
    return skipped


def _read(file: str, to: str) -> tuple[list[str | HandHistory], int]:
    """Read a file on a process of its own: the texts of its hands in a format, and how many were skipped."""
    from poker_actors.history import entries, format_named

    found: list[str | HandHistory] = []

    def keep(history: HandHistory) -> None:
        # a log numbers its hands through all files, so it is written where they come together
        found.append(history if to == "acpc" else format_named(to).text(history, 0))

    skipped = _write(entries(file), keep)
    return found, skipped
