"""`poker-actors stats`: figures of players over hand histories."""

from __future__ import annotations

import json as json_text
import os
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter

from poker_actors.cli.output import NO, many, note, progress, say
from poker_actors.cli.values import FILE, PLACE, WRITTEN, JsonOption, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.sim.histories import HistoryCounts, HistoryFigures

_SHOWN: Final = 50
"""Rows printed and on a page: the players with the most hands. JSON and Parquet have all."""
_KINDS: Final = 10
"""The most kinds of hands left out that are listed."""

Grouping = Literal["player", "position", "stakes", "game"]


def stats(
    *paths: Annotated[str, PLACE],
    by: list[Grouping] | None = None,
    least: Annotated[int, Parameter(metavar="HANDS")] = 1,
    workers: int = 1,
    state: Annotated[Path | None, FILE, WRITTEN] = None,
    report: Annotated[Path | None, FILE, WRITTEN] = None,
    parquet: Annotated[Path | None, FILE, WRITTEN] = None,
    json: JsonOption = None,
) -> int | None:
    """Show how players play, over hand histories of any format, after checking each hand by the rules.

    Reads files and folders as `replay` does: .phh .phhs .ohh .txt (PokerStars) .log (ACPC) .jsonl, .zip archives of
    them, and .zst. Hands that break the rules or cannot be read are left out and listed by kind; the exit status is
    then 1. The hands of `simulate` give the figures that it prints.

    Args:
        paths: Files and folders.
        by: Group by player (the default), position, stakes or game; repeat for groups within groups.
        least: Show only groups of at least this many hands.
        workers: Processes to play on: small files are shared out whole, large ones in parts.
        state: Keep the counts in this file, saved after each file and during large ones; a run with the same state reads only
            new or changed files.
        report: Write one HTML page with tables: of the 50 groups with the most hands.
        parquet: Write Parquet to this file: every figure, a row per group (extra stats).
    """
    from poker_actors.history import files_in

    if not paths:
        raise BadSpec("stats needs a file or a folder")
    if least < 1:
        raise BadSpec(f"--least {least} is below the minimum of 1")
    files = [str(file) for path in paths for file in files_in(Path(path))]
    grouping = tuple(dict.fromkeys(by or ["player"]))
    counts = _counted(files, grouping, workers, state)
    shown = list(counts.figures(least))
    if to_be_printed(json, _plain(counts, shown)):
        _print(counts, shown)
    if report is not None:
        from poker_actors.sim.pictures import save_history_report

        save_history_report(counts, shown[:_SHOWN], report)
        note(f"wrote {report}")
    if parquet is not None:
        _write_parquet(parquet, shown)
        note(f"wrote {parquet}, {many(len(shown), 'row')}")
    return NO if counts.disagreements or counts.unread else None


def _counted(files: list[str], by: tuple[str, ...], workers: int, state: Path | None) -> HistoryCounts:
    from poker_actors.sim.histories import count_histories

    with ExitStack() as stack:
        advance = stack.enter_context(progress("files", len(files)))
        kept = None if state is None else _State(state, by, stack)

        def done(file: str, found: HistoryCounts) -> None:
            advance(1)
            if kept is not None:
                kept.keep(file, None, found)

        if kept is None:
            return count_histories(files, by=by, workers=workers, done=done)
        known, begun = kept.counted, kept.begun
        return count_histories(
            files, by=by, workers=workers, counted=known, begun=begun, done=done, part=kept.keep
        )


def _plain(counts: HistoryCounts, shown: list[HistoryFigures]) -> dict[str, Any]:
    return {
        "hands": counts.hands,
        "undecided": counts.undecided,
        "unfinished": counts.unfinished,
        "disagreements": dict(counts.disagreements.most_common()),
        "unread": dict(counts.unread.most_common()),
        "skipped": dict(counts.skipped.most_common()),
        "by": list(counts.by),
        "figures": [figures.to_dict() for figures in shown],
    }


def _print(counts: HistoryCounts, shown: list[HistoryFigures]) -> None:
    from poker_actors.cli.simulation_files import print_table
    from poker_actors.sim.histories import HISTORY_HEADINGS

    say(counts.headline)
    rows = [[*figures.group.values(), *figures.cells] for figures in shown[:_SHOWN]]
    if rows:
        print_table([*counts.by, *HISTORY_HEADINGS], rows, left=counts.by, keys=len(counts.by))
    if len(shown) > _SHOWN:
        say(f"and {len(shown) - _SHOWN:,} with fewer hands")
    for kind, times in counts.left_out()[:_KINDS]:
        say(f"{many(times, 'time')} {kind}")


_LINE: Final = b'{"file": '
"""How each line of a state begins."""


class _State:
    """The sums that a file keeps, of files that have not changed since.

    A line is added and written out for each file that was counted, and for a large one on the way, so an end at any moment
    costs seconds, or with several workers also the small files under way.
    """

    def __init__(self, path: Path, by: tuple[str, ...], stack: ExitStack) -> None:
        self.counted: dict[str, HistoryCounts] = {}
        self.begun: dict[str, tuple[int, HistoryCounts]] = {}
        self._read(path, by)
        self._stream = stack.enter_context(path.open("a", encoding="utf-8"))

    def _read(self, path: Path, by: tuple[str, ...]) -> None:
        from poker_actors.jsontext import parse_json
        from poker_actors.sim.histories import HistoryCounts

        if path.exists() and not path.is_file():
            raise BadSpec(f"--state {path} is not a file, in which counts could be kept")
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        # the run that wrote it was stopped within the line
        torn = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        if torn[: len(_LINE)] != _LINE[: len(torn)]:
            raise BadSpec(f"{path}, line {len(lines) + 1}: this is not a state of `stats`")
        for number, line in enumerate(lines, 1):
            try:
                plain = parse_json(line.decode("utf-8", "replace"))
                found = HistoryCounts.from_plain(plain["counts"])
                file, stamp, entries = str(plain["file"]), list(plain["stamp"]), plain.get("entries")
            except (KeyError, TypeError, ValueError):
                raise BadSpec(f"{path}, line {number}: this is not a state of `stats`") from None
            if found.by != by:
                raise BadSpec(f"{path} is grouped by {', '.join(found.by)}, but --by says {', '.join(by)}")
            if not Path(file).exists() or _stamp(Path(file)) != stamp:
                continue
            if entries is None:
                self.counted[file] = found
            elif type(entries) is int and entries >= 0:
                self.begun[file] = entries, found
        if torn:  # only now: the file of somebody who mistook it stays as it is
            os.truncate(path, sum(map(len, lines)))

    def keep(self, file: str, entries: int | None, found: HistoryCounts) -> None:
        """Write the sums of a file, or of its first `entries` hands."""
        line: dict[str, Any] = {"file": file, "stamp": _stamp(Path(file)), "counts": found.to_plain()}
        if entries is not None:
            line["entries"] = entries
        self._stream.write(json_text.dumps(line) + "\n")
        self._stream.flush()


def _stamp(file: Path) -> list[int]:
    found = file.stat()
    return [found.st_size, found.st_mtime_ns]


def _write_parquet(path: Path, shown: list[HistoryFigures]) -> None:
    from poker_actors.atomic import replacing
    from poker_actors.errors import from_extra

    with from_extra("stats", "polars"):
        import polars as pl
    rows = [
        {
            **figures.group,
            "hands": figures.hands,
            "net_chips": figures.net_chips,
            "bb_per_100": figures.bb_per_100.mean,
            "bb_per_100_margin": figures.bb_per_100.margin,
            **figures.counts,
        }
        for figures in shown
    ]
    whole = BytesIO()  # polars does not say why a stream fails; a row per group fits in memory
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(whole)
    with replacing(path, "wb") as stream:
        stream.write(whole.getvalue())
