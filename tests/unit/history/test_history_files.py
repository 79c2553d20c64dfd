"""Files are written whole or not at all, and read hand by hand."""

from __future__ import annotations

import io
import os
import tomllib
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
