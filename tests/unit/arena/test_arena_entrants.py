"""What is found in an arena's folder, and what an entrant may not be."""

import json
import os
from itertools import count
from pathlib import Path

import pytest

from poker_actors.arena import ArenaSettings, entrants
from poker_actors.arena.entrants import Entrant, built, found_in, player_of
from poker_actors.bots import BotSpec
from poker_actors.bots.program import run
from poker_actors.errors import BadSpec
from tests.unit.arena.places import CALLS, made, put

FREE = ArenaSettings(cage=False, hands=32)


def one(arena: Path, settings: ArenaSettings = FREE) -> Entrant:
    (found,) = found_in(arena, settings)
    return found


def test_entrants_are_the_sub_folders_and_bots_of_the_house(tmp_path: Path) -> None:
    made(tmp_path / "a")
    (tmp_path / "a/.hidden").mkdir()
    (tmp_path / "a/__pycache__").mkdir()
    (tmp_path / "a/notes.txt").write_text("no folder")
    (tmp_path / "a/link").symlink_to(tmp_path / "a/ann")
    found = found_in(tmp_path / "a", ArenaSettings(house=("tight",)))
    assert [(each.name, each.house, each.problem) for each in found] == [
        ("ann", False, ""),
        ("bob", False, ""),
        ("cat", False, ""),
        ("tight", True, ""),
    ]


def test_a_folder_and_a_bot_of_the_house_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="two entrants are called tight"):
        found_in(made(tmp_path / "a", tight=CALLS), ArenaSettings(house=("tight",)))


def test_a_version_is_what_the_files_say_and_whether_they_run(tmp_path: Path) -> None:
    bot = put(tmp_path, "ann", CALLS) / "bot"
    first = one(tmp_path).digest
    assert one(tmp_path).digest == first
    (tmp_path / "ann/__pycache__").mkdir()
    (tmp_path / "ann/__pycache__/x.pyc").write_text("left by Python")
    assert one(tmp_path).digest == first
    bot.chmod(0o755)
    assert one(tmp_path).digest != first
    bot.chmod(0o644)
    bot.write_text(bot.read_text() + "#")
    assert one(tmp_path).digest != first


def test_a_link_is_no_file_of_ones_own(tmp_path: Path) -> None:
    put(tmp_path, "ann", CALLS)
    (tmp_path / "ann/secret").symlink_to("/etc/passwd")
    assert "secret is a link" in one(tmp_path).problem
    (tmp_path / "ann/secret").unlink()
    (tmp_path / "ann/folder").symlink_to("/etc")
    assert "folder is a link" in one(tmp_path).problem


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    put(tmp_path, "ann", CALLS)
    os.mkfifo(tmp_path / "ann/pipe")
    assert "pipe is neither a file nor a folder" in one(tmp_path).problem


def test_files_are_bounded_in_number_and_size(tmp_path: Path) -> None:
    put(tmp_path, "ann", CALLS)
    with (tmp_path / "ann/large").open("wb") as file:
        file.truncate(65 << 20)
    assert one(tmp_path).problem == "its files have more than 64 megabytes"
    (tmp_path / "ann/large").unlink()
    for number in range(2_001):
        (tmp_path / f"ann/{number}").touch()
    assert one(tmp_path).problem == "it has more than 2,000 files"


def test_an_empty_folder_is_no_entrant(tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    assert one(tmp_path).problem == "it has no files"


@pytest.mark.parametrize("name", ["\x1b[31mred", "-rf", "x" * 41, "a,b"])
def test_a_name_that_could_be_taken_for_something_else_is_refused(tmp_path: Path, name: str) -> None:
    put(tmp_path, name, CALLS)
    found = one(tmp_path)
    assert found.problem.startswith("its name is not 1 to 40 letters")
    assert found.name.isprintable()


def build(tmp_path: Path, **commands: object) -> bytes:
    put(tmp_path, "ann", CALLS)
    (tmp_path / "ann/commands.json").write_text(json.dumps(commands))
    settings = ArenaSettings.of(
        {"cage": False, "hands": 32, "limits": {"build_seconds": 1, "files": 1}}, tmp_path
    )
    return built(one(tmp_path), tmp_path / "ann", tmp_path / ".arena/x", settings)


def test_what_has_no_commands_is_not_built(tmp_path: Path) -> None:
    put(tmp_path, "ann", CALLS)
    assert built(one(tmp_path), tmp_path / "ann", tmp_path / ".arena/x", FREE) == b""
    assert (tmp_path / ".arena/x/bot").read_bytes() == (tmp_path / "ann/bot").read_bytes()
    assert build(tmp_path, build=[], run=["sh"]) == b""


def test_a_build_runs_in_a_copy_and_its_words_are_kept(tmp_path: Path) -> None:
    assert build(tmp_path, build=["sh", "-c", "echo done; echo x > made"], run=["sh"]) == b"done\n"
    assert (tmp_path / ".arena/x/made").exists()
    assert not (tmp_path / "ann/made").exists()


def test_a_build_that_fills_the_disk_is_ended_before_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entrants, "_BUILDING", 8 << 20)
    monkeypatch.setattr(entrants, "run", lambda *args, **named: run(*args, **{**named, "seconds": 60}))
    script = "for one in $(seq 9); do head -c 1048576 /dev/zero > $one; done; echo full; sleep 600"
    with pytest.raises(BadSpec, match="its build writes more than 8 megabytes into its folder"):
        build(tmp_path, build=["sh", "-c", script], run=["sh"])


@pytest.mark.parametrize(
    ("build_words", "said"),
    [
        (["sh", "-c", "echo not so; exit 3"], "its build ends with exit status 3: not so"),
        (["sh", "-c", "sleep 30"], "its build takes more than 1 s"),
        (["gcc-of-the-future"], "gcc-of-the-future is not on the PATH"),
        (["sh", "-c", "ln -s /etc/passwd made"], "made is a link"),
        (["sh", "-c", "head -c 2000000 /dev/zero > made"], "its files have more than 1 megabytes"),
    ],
)
def test_a_build_that_fails_is_refused_with_the_reason(
    tmp_path: Path, build_words: list[str], said: str
) -> None:
    with pytest.raises(BadSpec, match=said):
        build(tmp_path, build=build_words, run=["sh"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "commands.json is not JSON"),
        ("[]", "commands.json has no list of words for 'build'"),
        ('{"build": [], "run": ["a", 5]}', "commands.json has no list of words for 'run'"),
        ('{"build": [], "run": []}', "commands.json has an empty command to run"),
        ('{"build": [], "run": ["a"], "protocol": "morse"}', "protocol 'morse' must be one of mit, lines"),
    ],
)
def test_commands_that_cannot_be_read_are_refused(tmp_path: Path, text: str, said: str) -> None:
    put(tmp_path, "ann", CALLS)
    (tmp_path / "ann/commands.json").write_text(text)
    with pytest.raises(BadSpec, match=said):
        built(one(tmp_path), tmp_path / "ann", tmp_path / ".arena/x", FREE)


def test_files_that_change_while_they_are_copied_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "ann", CALLS)
    found = one(tmp_path)
    (tmp_path / "ann/new").touch()
    with pytest.raises(BadSpec, match="its files changed while they were copied"):
        built(found, tmp_path / "ann", tmp_path / ".arena/x", FREE)


def kind(tmp_path: Path, **files: str) -> str:
    folder = tmp_path / "ann"
    folder.joinpath("lib").mkdir(parents=True)
    for name, text in files.items():
        (folder / name.replace("_py", ".py").replace("_json", ".json")).write_text(text)
    entrant = Entrant(name="ann", digest="1")
    spec = player_of(entrant, folder, FREE)
    assert str(spec) == "ann"
    return spec.source.factory.__name__


def test_a_folder_says_by_its_files_what_it_is(tmp_path: Path) -> None:
    for number, (files, name) in enumerate(
        [
            ({"commands_json": '{"build": [], "run": ["sh", "x"]}'}, "MitBot"),
            ({"commands_json": '{"build": [], "run": ["sh", "x"], "protocol": "lines"}'}, "ProgramBot"),
            ({"program": "#!/bin/sh\n"}, "ProgramBot"),
            ({"bot_py": "def bot(view): ..."}, "IsolatedBot"),
            ({"bot_py": "#!/usr/bin/env python3"}, "ProgramBot"),
        ]
    ):
        (tmp_path / str(number)).mkdir()
        assert kind(tmp_path / str(number), **files) == name


def test_bots_of_mit_play_holdem_in_an_arena_where_they_know_another_game(tmp_path: Path) -> None:
    (tmp_path / "commands.json").write_text('{"build": [], "run": ["sh", "x"]}')
    (tmp_path / "skeleton").mkdir()
    (tmp_path / "skeleton/states.py").write_text("bounties = 1")
    spec = player_of(Entrant(name="ann", digest="1"), tmp_path, FREE)
    assert FREE.match([spec, spec], hands=32, seed=0).game.name == "holdem"


def test_a_bot_of_the_house_is_itself(tmp_path: Path) -> None:
    tight = Entrant(name="tight", digest="house", house=True)
    assert player_of(tight, tmp_path, FREE) == BotSpec.parse("tight")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"README": "hello"}, "it has no commands.json, no bot.py and no program that begins with #!"),
        ({"a": "#!/bin/sh", "b": "#!/bin/sh"}, "a, b begin with #!: name the one to run in commands.json"),
        ({"a": "#!\n"}, "a begins with #! but names no program"),
        ({"a": "#!/usr/bin/env rubyish"}, "rubyish is not on the PATH"),
    ],
)
def test_a_folder_without_one_program_is_refused(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(BadSpec, match=said):
        kind(tmp_path, **files)


@pytest.mark.parametrize(("slower", "patience"), [(0.5, 1.0), (3.0, 3.0), (9.0, entrants.MOST_PATIENCE)])
def test_patience_is_how_much_slower_a_busy_machine_is(
    monkeypatch: pytest.MonkeyPatch, slower: float, patience: float
) -> None:
    assert 1 <= entrants.patience() <= entrants.MOST_PATIENCE
    used, clock = count(), iter((7.0, 7.0 + slower * 0.05))
    monkeypatch.setattr(entrants, "thread_time", lambda: next(used) / 100)
    monkeypatch.setattr(entrants, "perf_counter", lambda: next(clock))
    assert entrants.patience() == pytest.approx(patience)
    assert next(used) >= 6, "it worked for as long as it says"
