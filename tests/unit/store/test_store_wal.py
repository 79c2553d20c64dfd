"""SQLite's write-ahead file, made by hand after its documentation, and what is found at its end."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest

from poker_actors.store.journal.wal import WalTail, inspect_wal

SALTS, OLDER = b"saltSALT", b"oldsOLDS"


def summed(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """The checksum that goes on from `sums`; see https://www.sqlite.org/fileformat2.html#checksum_algorithm."""
    one, two = sums
    for at in range(0, len(data), 8):
        even, odd = struct.unpack(f"{order}II", data[at : at + 8])
        one = (one + even + two) % 2**32
        two = (two + odd + one) % 2**32
    return one, two


@attrs.frozen
class Frame:
    """A frame: `pages` of the database after a commit (0: no commit), and whether it is damaged or of an older file."""

    pages: int = 0
    damaged: bool = False
    salts: bytes = SALTS


def log(frames: Sequence[Frame], size: int = 512, magic: int = 0x377F0683) -> bytes:
    """The bytes of a file with these frames."""
    order = ">" if magic & 1 else "<"
    head = struct.pack(">IIII", magic, 3007000, size, 0) + SALTS
    sums = summed(head, (0, 0), order)
    data = head + struct.pack(">II", *sums)
    for number, frame in enumerate(frames, start=1):
        page = bytes([number]) * size
        begin = struct.pack(">II", number, frame.pages)
        sums = summed(page, summed(begin, sums, order), order)
        told = (sums[0] ^ 1, sums[1]) if frame.damaged else sums
        data += begin + frame.salts + struct.pack(">II", *told) + page
    return data


def tail(folder: Path, data: bytes) -> WalTail:
    path = folder / "room.db-wal"
    path.write_bytes(data)
    return inspect_wal(path)


STEP = 24 + 512


def test_nothing_is_intact(tmp_path: Path) -> None:
    assert inspect_wal(tmp_path / "nowhere") == tail(tmp_path, b"") == WalTail(0, 0, 0, False)
    assert tail(tmp_path, log([])) == WalTail(0, 0, 0, False)


@pytest.mark.parametrize("magic", [0x377F0682, 0x377F0683])
@pytest.mark.parametrize("size", [512, 1024, 65536])
def test_frames_up_to_the_last_commit_are_whole(tmp_path: Path, size: int, magic: int) -> None:
    frames = [Frame(), Frame(2), Frame(), Frame(4), Frame()]
    assert tail(tmp_path, log(frames, size, magic)) == WalTail(4, 24 + size, 0, False)
    assert tail(tmp_path, log(frames[:1], size, magic)) == WalTail(0, 24 + size, 0, False)


@pytest.mark.parametrize("size", [256, 65537, 131072, 0x01000200])
def test_a_size_that_no_page_has_is_a_bad_header(tmp_path: Path, size: int) -> None:
    data = log([], size)
    assert tail(tmp_path, data) == WalTail(0, len(data), 0, True)


def test_a_header_that_is_cut_of_something_else_or_damaged_is_a_bad_one(tmp_path: Path) -> None:
    data = log([Frame(1)])
    for bad in (data[:31], b"else" + data[4:], data[:24] + bytes(8) + data[32:]):
        assert tail(tmp_path, bad) == WalTail(0, len(bad), 0, True)


def test_bytes_and_commits_after_a_damaged_frame_are_counted(tmp_path: Path) -> None:
    lost = [Frame(2, damaged=True), Frame(), Frame(3), Frame(0x01000000)]
    assert tail(tmp_path, log([Frame(1), *lost])) == WalTail(1, 4 * STEP, 3, False)
    assert tail(tmp_path, log([Frame(1), Frame(damaged=True), Frame()])) == WalTail(1, 2 * STEP, 0, False)


def test_a_last_frame_that_is_cut_is_a_commit_if_it_says_so(tmp_path: Path) -> None:
    data = log([Frame(1), Frame(2)])
    for cut, commits in ((7, 0), (8, 1), (9, 1), (STEP - 1, 1)):
        assert tail(tmp_path, data[: 32 + STEP + cut]) == WalTail(1, cut, commits, False)
    assert tail(tmp_path, log([Frame(1), Frame()])[: 32 + STEP + 9]) == WalTail(1, 9, 0, False)


def test_frames_of_an_older_file_are_not_missed(tmp_path: Path) -> None:
    frames = [Frame(1), Frame(2, damaged=True), Frame(3, salts=OLDER), Frame(4, salts=OLDER)]
    assert tail(tmp_path, log(frames)) == WalTail(1, STEP, 1, False)
