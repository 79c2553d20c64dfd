"""Inspect SQLite's write-ahead file: how far it is intact, and what follows; and the database's length.

SQLite reads the file up to the first frame with a wrong checksum and silently drops the rest. That is
right after a torn write. But if more than one commit is dropped, acknowledged data was damaged.
Layout: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from poker_actors.frozen import value

_HEADER: Final = 32
_FRAME: Final = 24
"""Bytes of the file's header, and of a frame's header, in SQLite's file format."""
_VERSIONS: Final = slice(18, 20)
"""Bytes of the database header that say whether it uses a write-ahead log; 1 means it does not."""
_MAGIC: Final = {0x377F0682: "<", 0x377F0683: ">"}
"""The file's first number -> byte order of its checksums."""
_WORD: Final = 0xFFFFFFFF
_MOST_PAGES: Final = 1 << 18
"""The most pages, 256 MB; a journal has a few, and a header that says more is damaged."""

Best = Callable[[Iterable[bytes]], int]
"""Returns the index of the right one among these databases, or raises."""


@value
class WalTail:
    """A write-ahead file: `whole` intact frames up to the last commit, and what follows them.

    `loose` counts the bytes of this generation of the file that SQLite will drop, and `commits` the commits
    among them.
    """

    whole: int
    loose: int = 0
    commits: int = 0
    bad_header: bool = False


def inspect_wal(path: Path) -> WalTail:
    """Inspect the write-ahead file at `path`; a missing or empty one counts as intact."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return WalTail(0)
    if not data:
        return WalTail(0)
    order = _MAGIC.get(int.from_bytes(data[:4], "big"))
    if len(data) < _HEADER or order is None:
        return WalTail(0, len(data), 0, bad_header=True)
    size = int.from_bytes(data[8:12], "big")
    sums = _checksum(data[:24], order, (0, 0))
    if sums != struct.unpack(">II", data[24:32]) or not 512 <= size <= 65536:
        return WalTail(0, len(data), 0, bad_header=True)
    whole = _whole_frames(data, order, size, sums)
    step = _FRAME + size
    rest = data[_HEADER + whole * step :]
    loose = commits = 0
    for at in range(0, len(rest), step):
        piece = rest[at : at + step]
        if _is_older(piece, data):
            break
        loose += len(piece)
        commits += piece[4:8] != bytes(4) and len(piece) >= 8
    return WalTail(whole, loose, commits)


def overlaid(database: bytes, log: bytes, frames: int) -> bytes:
    """Return the database with the first `frames` of its write-ahead file applied, to be read in memory."""
    size = int.from_bytes(log[8:12], "big")
    pages = bytearray(database)
    for number, frame in _frames(log, size):
        if number > frames:
            break
        at = _place(frame, database, log)
        if at is None:
            continue
        pages += bytes(max(at + size - len(pages), 0))
        pages[at : at + size] = frame[_FRAME:]
    if len(pages) > _VERSIONS.stop:
        pages[_VERSIONS] = b"\x01\x01"
    return bytes(pages)


def _place(frame: bytes, database: bytes, log: bytes) -> int | None:
    """Return where the page of a frame begins; None for a damaged number: a database grows by what is written."""
    at = (int.from_bytes(frame[:4], "big") - 1) * (len(frame) - _FRAME)
    return at if 0 <= at <= len(database) + len(log) else None


def salvaged(database: bytes, log: bytes, best: Best) -> tuple[bytes, str]:
    """Return the database with every commit in its write-ahead file, damaged ones too, and what was wrong, in words.

    A frame with one wrong bit is restored by its checksums; any other is applied as it is. For high bits they do not
    tell which word is wrong: then `best` chooses among the candidate databases.
    """
    order = _MAGIC.get(int.from_bytes(log[:4], "big"))
    size = int.from_bytes(log[8:12], "big")
    if len(log) < _HEADER or order is None or not 512 <= size <= 65536:
        return overlaid(database, b"", 0), "the write-ahead file cannot be read" if log else ""
    data, sums, wrong, restored = log, _checksum(log[:24], order, (0, 0)), 0, 0
    frames = [frame for _, frame in _frames(log, size)]
    frames = frames[: next((at for at, frame in enumerate(frames) if _is_older(frame, log)), len(frames))]
    unsure: list[tuple[int, list[bytes]]] = []
    for number, (frame, then) in enumerate(zip(frames, [*frames[1:], b""], strict=False)):
        if (after := _frame_sums(frame, log, order, sums)) is None:
            wrong += 1
            found = _bits_restored(frame, log, order, sums)
            # a sum with a bit flipped looks like a word with it flipped; the next frame goes on from the right one
            found = [one for one in found if _frame_sums(then, log, order, _sums_told(one))] or found
            found = [one for one in found if _place(one, database, log) is not None] or found
            restored += bool(found)
            data = _with_frame(data, number, (*found, frame)[0])
            if len(found) > 1:
                unsure.append((number, [*found, frame]))
            after = _sums_told((*found, frame)[0])
        sums = after
    for number, found in unsure:
        tried = [_with_frame(data, number, one) for one in found]
        data = tried[best(overlaid(database, one, _last_committed(one, len(frames))) for one in tried)]
    last = _last_committed(data, len(frames))
    out = sum(
        _place(frame, database, data) is None for number, frame in _frames(data, size) if number <= last
    )
    how = {"restored by the checksums": restored, "taken as it stands": wrong - restored - out}
    how["left out, as the number of its page is out of range"] = out
    told = ", ".join(f"{count} {what}" for what, count in how.items() if count > 0)
    s = "s" * (wrong > 1)
    said = f"{wrong} damaged frame{s} in the write-ahead file: {told}" if wrong else ""
    return overlaid(database, data, last), said


def _with_frame(log: bytes, number: int, frame: bytes) -> bytes:
    at = _HEADER + number * len(frame)
    return log[:at] + frame + log[at + len(frame) :]


def _last_committed(log: bytes, frames: int) -> int:
    """Return the number of the last commit among the first `frames` of a write-ahead file."""
    size = int.from_bytes(log[8:12], "big")
    ends = [number for number, frame in _frames(log, size) if number <= frames and frame[4:8] != bytes(4)]
    return max(ends, default=0)


def _frame_sums(frame: bytes, log: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int] | None:
    """Return the checksums after a frame; None if the frame holds others."""
    if not frame or frame[8:16] != log[16:24]:
        return None
    after = _checksum(frame[:8] + frame[_FRAME:], order, sums)
    return after if after == _sums_told(frame) else None


def _sums_told(frame: bytes) -> tuple[int, int]:
    first, second = struct.unpack(">II", frame[16:24])
    return first, second


def _bits_restored(frame: bytes, log: bytes, order: str, sums: tuple[int, int]) -> list[bytes]:
    """Return the frame with one bit flipped, in every way that makes its salts and checksums right."""
    summed = frame[:8] + frame[_FRAME:]
    right = _checksum(summed, order, sums)
    head = log[16:24] + struct.pack(">II", *right)
    found = []
    if (int.from_bytes(head, "big") ^ int.from_bytes(frame[8:24], "big")).bit_count() == 1:
        found.append(frame[:8] + head + frame[_FRAME:])
    if frame[8:16] != log[16:24]:
        return found
    gap = tuple([(told - one) & _WORD for told, one in zip(_sums_told(frame), right, strict=True)])
    words = struct.unpack(f"{order}{len(summed) // 4}I", summed)
    # how much both sums grow if a word grows by 1, from the last pair back: a word is part of all later sums
    weights = [(0, 1), (1, 1)]
    for at in range(len(words) - 1, -1, -1):
        one, two = weights[(at + 1) % 2]
        for bit in range(32):
            change = (1 << bit) * (-1 if words[at] >> bit & 1 else 1)
            if (one * change & _WORD, two * change & _WORD) == gap:
                fixed = struct.pack(f"{order}I", words[at] + change)
                page = summed[: 4 * at] + fixed + summed[4 * at + 4 :]
                found.append(page[:8] + frame[8:_FRAME] + page[8:])
        if at % 2 == 0:
            weights = [(one + two, one + 2 * two) for one, two in weights]
    return found


def _whole_frames(data: bytes, order: str, size: int, sums: tuple[int, int]) -> int:
    """Count the frames up to the last intact commit."""
    committed = 0
    for number, frame in _frames(data, size):
        after = _frame_sums(frame, data, order, sums)
        if after is None:
            break
        sums = after
        if frame[4:8] != bytes(4):
            committed = number
    return committed


def _frames(data: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    step = _FRAME + size
    for number in range(1, (len(data) - _HEADER) // step + 1):
        end = _HEADER + number * step
        yield number, data[end - step : end]


def _is_older(piece: bytes, data: bytes) -> bool:
    """Return whether a frame is left over from an earlier generation of the file: both its salts differ.

    If only one differs, the frame is damaged. A piece too short to tell counts as current.
    """
    return len(piece) >= 16 and piece[8:12] != data[16:20] and piece[12:16] != data[20:24]


def _checksum(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for even, odd in zip(words, words, strict=True):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second


def rightly_long(data: bytes, size: int) -> tuple[bytes, str]:
    """Correct the page count in a file's header, if only that is wrong for `size` bytes; return file and damage."""
    right = data[:28] + (len(data) // size).to_bytes(4, "big") + data[32:]
    if right != data:
        with closing(sqlite3.connect(":memory:")) as db, suppress(sqlite3.DatabaseError):
            db.deserialize(right[:18] + b"\x01\x01" + right[20:])  # in memory there is no write-ahead file
            if db.execute("PRAGMA quick_check").fetchone() == ("ok",):
                return right, "the number of pages in the file's header is wrong"
    return data, ""


def told_bytes(data: bytes, size: int) -> int:
    """Return the length that a file's header states; 0 if the header is damaged or lacks it."""
    pages = int.from_bytes(data[28:32], "big")
    return pages * size if data[24:28] == data[92:96] and pages <= _MOST_PAGES else 0
