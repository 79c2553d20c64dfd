"""Inspect SQLite's write-ahead file: how far it is intact, and what follows.

SQLite reads the file up to the first frame with a wrong checksum and silently drops the rest. That is
right after a torn write. But if more than one commit is dropped, acknowledged data was damaged.
Layout: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from poker_actors.frozen import value

__all__ = ["WalTail", "inspect_wal", "overlaid", "salvaged"]

_HEADER: Final = 32
_FRAME: Final = 24
"""Bytes of the file's header, and of a frame's header, in SQLite's file format."""
_VERSIONS: Final = slice(18, 20)
"""Bytes of the database header that say whether it uses a write-ahead log; 1 means it does not."""
_MAGIC: Final = {0x377F0682: "<", 0x377F0683: ">"}
"""The file's first number -> byte order of its checksums."""


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
        at = (int.from_bytes(frame[:4], "big") - 1) * size
        pages += bytes(max(at + size - len(pages), 0))
        pages[at : at + size] = frame[_FRAME:]
    if len(pages) > _VERSIONS.stop:
        pages[_VERSIONS] = b"\x01\x01"
    return bytes(pages)


def salvaged(database: bytes, log: bytes) -> tuple[bytes, str]:
    """Return the database with every commit in its write-ahead file, damaged ones too, and what was wrong, in words.

    A frame in which one bit is wrong is restored by its checksum; another is applied as it is.
    """
    order = _MAGIC.get(int.from_bytes(log[:4], "big"))
    size = int.from_bytes(log[8:12], "big")
    if len(log) <= _HEADER or order is None or not 512 <= size <= 65536:
        return overlaid(database, b"", 0), "the write-ahead file does not read" if log else ""
    data, sums, wrong, last = bytearray(log), _checksum(log[:24], order, (0, 0)), 0, 0
    for number, frame in _frames(log, size):
        if _is_older(frame, log):
            break
        if (after := _frame_sums(frame, log, order, sums)) is None:
            wrong += 1
            frame = _bit_restored(frame, log, order, sums) or frame
            after = struct.unpack(">II", frame[16:24])
            at = _HEADER + (number - 1) * len(frame)
            data[at : at + len(frame)] = frame
        sums = after
        last = number if frame[4:8] != bytes(4) else last
    return overlaid(
        database, bytes(data), last
    ), f"{wrong} damaged frames in the write-ahead file" if wrong else ""


def _frame_sums(frame: bytes, log: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int] | None:
    """Return the checksums after a frame; None if they are not those it has."""
    after = _checksum(frame[_FRAME:], order, _checksum(frame[:8], order, sums))
    return after if frame[8:16] == log[16:24] and after == struct.unpack(">II", frame[16:24]) else None


def _bit_restored(frame: bytes, log: bytes, order: str, sums: tuple[int, int]) -> bytes | None:
    data = bytearray(frame)
    for at in range(len(data)):
        for bit in range(8):
            data[at] ^= 1 << bit
            if _frame_sums(bytes(data), log, order, sums) is not None:
                return bytes(data)
            data[at] ^= 1 << bit
    return None


def _whole_frames(data: bytes, order: str, size: int, sums: tuple[int, int]) -> int:
    """Count the frames up to the last intact commit."""
    committed = 0
    for number, frame in _frames(data, size):
        sums = _checksum(frame[:8], order, sums)
        sums = _checksum(frame[_FRAME:], order, sums)
        if frame[8:16] != data[16:24] or sums != struct.unpack(">II", frame[16:24]):
            break
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
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
