"""What SQLite's write-ahead file says of itself: how far it is whole, and what comes after.

SQLite takes a write-ahead file up to the first frame whose checksum is wrong and drops the rest
without a word. After a torn write that is right; when more than one commit follows, it is damage
in the middle of what was acknowledged. Layout: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from poker_actors.frozen import value

__all__ = ["WalTail", "inspect_wal", "overlaid"]

_HEADER: Final = 32
_FRAME: Final = 24
"""Bytes of the file's header and of each frame's, as SQLite's file format has them."""
_VERSIONS: Final = slice(18, 20)
"""Where the database says that it has a write-ahead file; 1 says that it has none."""
_MAGIC: Final = {0x377F0682: "<", 0x377F0683: ">"}
"""Byte order of the checksums by the file's first number."""


@value
class WalTail:
    """A write-ahead file: `whole` frames up to the last commit, and what follows them.

    `loose` counts the bytes that belong to this generation of the file and that SQLite will drop,
    `commits` the commits that are among them.
    """

    whole: int
    loose: int = 0
    commits: int = 0
    bad_header: bool = False


def inspect_wal(path: Path) -> WalTail:
    """Read the write-ahead file at `path`; a missing or empty one is whole."""
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
    """Return the database as the first `frames` of its write-ahead file leave it, for a look in memory."""
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


def _whole_frames(data: bytes, order: str, size: int, sums: tuple[int, int]) -> int:
    """Count the frames up to the last commit that checks."""
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
    """Whether a frame is left from before the file was begun anew: both its salts are others.

    One changed salt is damage, and a piece too short to tell counts as ours.
    """
    return len(piece) >= 16 and piece[8:12] != data[16:20] and piece[12:16] != data[20:24]


def _checksum(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for even, odd in zip(words, words, strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
