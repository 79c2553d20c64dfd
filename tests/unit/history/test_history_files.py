"""Files are written whole or not at all, and read hand by hand."""

from __future__ import annotations

import io
import os
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from poker_actors.errors import BadHistory, BadSpec
from poker_actors.history import FORMATS, Writer, entries, files_in, format_of, histories, parse, replay
from tests.conformance.history.seeds import recorded

HANDS = [hand for hand in recorded(20, seed=2) if hand.game.name != "short-deck"]
NAMES = {"phh": "x.phhs", "ohh": "x.ohh", "pokerstars": "x.txt", "acpc": "x.log", "jsonl": "x.jsonl"}


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_each_format_gives_its_hands_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / NAMES[name]
    with Writer(path) as writer:
        for hand in HANDS:
            writer.write(hand)
    assert writer.count == len(HANDS)
    back = list(histories(path))
    assert [replay(hand).payoffs for hand in back] == [replay(hand).payoffs for hand in HANDS]


@pytest.mark.parametrize("name", FORMATS)
def test_stdin_tells_its_format_by_its_first_characters(name: str) -> None:
    text = "".join(FORMATS[name].text(hand, 0) for hand in HANDS[:1])
    [entry] = entries("-", io.BufferedReader(io.BytesIO(text.encode())))
    assert entry.format == name
    assert entry.error is None


def test_a_file_appears_when_all_hands_are_written(tmp_path: Path) -> None:
    path = tmp_path / "x.phhs"
    with Writer(path) as writer:
        writer.write(HANDS[0])
        assert not path.exists()
    assert path.exists()
    assert [file.name for file in tmp_path.iterdir()] == ["x.phhs"]


def test_what_was_there_stays_when_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "x.phhs"
    path.write_text("before")

    def interrupted() -> None:
        with Writer(path, replace=True) as writer:
            writer.write(HANDS[0])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        interrupted()
    assert path.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["x.phhs"]


def test_a_file_that_is_there_is_not_overwritten_unasked(tmp_path: Path) -> None:
    path = tmp_path / "x.phhs"
    path.write_text("before")
    with pytest.raises(FileExistsError):
        Writer(path)


@pytest.mark.parametrize("name", ["x.phhs", "folder"])
def test_a_hand_after_an_interrupted_one_has_a_number_of_its_own(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()

    def interrupted(write: Any) -> Any:
        def once(*what: Any) -> None:
            write(*what)
            raise KeyboardInterrupt

        return once

    with Writer(tmp_path / name) as writer:
        if name == "folder":
            monkeypatch.setattr(Writer, "_write_file", interrupted(Writer._write_file))
        else:
            stream: Any = writer._stream
            monkeypatch.setattr(writer, "_stream", SimpleNamespace(write=interrupted(stream.write)))
        with pytest.raises(KeyboardInterrupt):
            writer.write(HANDS[0])
        monkeypatch.undo()
        writer.write(HANDS[1])
    assert len(list(histories(tmp_path / name))) == 2
    if name == "x.phhs":
        assert len(tomllib.loads((tmp_path / name).read_text())) == 2


def test_a_folder_gets_a_file_for_each_hand(tmp_path: Path) -> None:
    with Writer(tmp_path) as writer:
        for hand in HANDS[:3]:
            writer.write(hand)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["000001.phh", "000002.phh", "000003.phh"]
    assert list(histories(tmp_path)) == HANDS[:3]


def test_a_phh_file_holds_one_hand(tmp_path: Path) -> None:
    with Writer(tmp_path / "x.phh") as writer:
        writer.write(HANDS[0])
        with pytest.raises(BadHistory, match=r"name a \.phhs file for more"):
            writer.write(HANDS[1])
    assert list(histories(tmp_path / "x.phh")) == HANDS[:1]


def test_a_bad_hand_among_good_ones_is_named_and_passed(tmp_path: Path) -> None:
    path = tmp_path / "x.phhs"
    good = FORMATS["phh"].text(HANDS[0], 0)
    path.write_text(f"[1]\n{good}\n[2]\nvariant = 'NT\n\n[3]\n{good}\n")
    found = list(entries(path))
    assert [entry.error is None for entry in found] == [True, False, True]
    assert [entry.index for entry in found] == [0, 1, 2]
    assert str(found[1].error).startswith(f"{path}, line {found[1].line + 1}: Expected")


def test_comments_of_two_hands_do_not_mix() -> None:
    good = FORMATS["phh"].text(HANDS[0], 0)
    first, second = parse(f"# one\n[1]\n{good}# last of one\n\n# two\n[2]\n{good}")
    assert [note.text for note in first.notes] == ["one", "last of one"]
    assert [note.text for note in second.notes] == ["two"]


def test_a_header_inside_of_a_text_opens_no_hand() -> None:
    good = FORMATS["phh"].text(HANDS[0], 0)
    [hand] = parse(f"{good}_remark = '''\n[2]\n'''\n_nested = [\n[1]\n]\n")
    assert hand.fields["_remark"] == "[2]\n"
    assert hand.fields["_nested"] == [[1]]


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.phh"
    path.write_text("\n# nothing\n")
    [entry] = entries(path)
    assert str(entry.error) == f"{path}, line 1: there is no hand in this file"


def test_unknown_endings_and_folders_without_hands_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="no suffix of hand histories"):
        format_of(tmp_path / "x.png")
    with pytest.raises(BadSpec, match="no hand histories in"):
        list(entries(tmp_path))


def test_a_folder_that_cannot_be_listed_is_refused_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hands/locked").mkdir(parents=True)
    Path("hands/a.phh").write_text("")
    tmp_path.chmod(0o755)
    Path("hands/locked").chmod(0)
    root = os.geteuid() == 0  # whom permissions do not bind
    try:
        if root:
            os.seteuid(65534)
        with pytest.raises(PermissionError, match="hands/locked"):
            files_in(Path("hands"))
    finally:
        if root:
            os.seteuid(0)


def packed(path: Path, text: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("folder.phhs/", b"")
        archive.writestr("x.phhs", text)
    return bytearray(path.read_bytes())


@pytest.mark.parametrize(
    "method",
    [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, "check", "password", "unknown", "place"],
)
def test_a_damaged_archive_is_an_unread_file_beside_the_others(tmp_path: Path, method: int | str) -> None:
    text = "".join(f"[{number}]\n{FORMATS['phh'].text(HANDS[0], 0)}\n" for number in range(1, 4)).encode()
    (tmp_path / "b.phhs").write_bytes(text)
    data = packed(tmp_path / "a.zip", text, method if isinstance(method, int) else zipfile.ZIP_STORED)
    local, central = data.find(b"PK\x03\x04", 4), data.rfind(b"PK\x01\x02")
    match method:
        case "password":
            data[local + 6] |= 1
            data[central + 8] |= 1
        case "unknown":
            data[local + 8] = data[central + 10] = 99
        case "place":
            data[data.rfind(b"PK\x05\x06") + 17] += 1
        case _:
            data[(local + central) // 2 : (local + central) // 2 + 40] = bytes(40)
    (tmp_path / "a.zip").write_bytes(data)
    found = list(entries(tmp_path))
    errors = [str(entry.error) for entry in found if entry.error is not None]
    assert [entry.error for entry in found[-3:]] == [None] * 3
    assert f"{tmp_path}/a.zip/x.phhs, the archive cannot be read: " in errors[-1]


def test_a_folder_in_an_archive_is_no_file_and_an_archive_in_it_is_refused(tmp_path: Path) -> None:
    packed(tmp_path / "a.zip", FORMATS["phh"].text(HANDS[0], 0).encode())
    assert [entry.error for entry in entries(tmp_path / "a.zip")] == [None]
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as outer:
        outer.write(tmp_path / "a.zip", "a.zip")
    with pytest.raises(BadSpec, match=r"b\.zip/a\.zip is an archive within an archive: unpack it first"):
        list(entries(tmp_path / "b.zip"))


@pytest.mark.parametrize(("place", "value"), [(0, 0), (46, 0x9E), (6, 99)])
def test_what_is_no_readable_archive_is_refused(tmp_path: Path, place: int, value: int) -> None:
    data = packed(tmp_path / "a.zip", FORMATS["phh"].text(HANDS[0], 0).encode())
    central = data.find(b"PK\x01\x02")
    data[central + 9] |= 8  # names are UTF-8
    data[central + place] = value
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(BadSpec, match=r"a\.zip is not a zip archive: "):
        list(entries(tmp_path / "a.zip"))


@pytest.mark.parametrize("left", [9, 200, None])
def test_a_compressed_file_that_is_cut_short_is_told(tmp_path: Path, left: int | None) -> None:
    zstandard = pytest.importorskip("zstandard")
    text = "".join(f"[{number}]\n{FORMATS['phh'].text(HANDS[0], 0)}\n" for number in range(1, 4)).encode()
    data = zstandard.ZstdCompressor().compress(text)
    path = tmp_path / "x.phhs.zst"
    path.write_bytes(data + data[:left])
    found = list(entries(path))
    assert [entry.error for entry in found[:2]] == [None, None]
    if left is None:  # a file may have several frames
        assert [entry.error for entry in found] == [None] * 6
    else:
        assert str(found[-1].error) == f"{path}, the archive cannot be read: the compressed data ends early"
