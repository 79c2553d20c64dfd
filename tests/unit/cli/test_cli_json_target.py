"""`--json`: whole or not at all, and nothing else on stdout."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from poker_actors.cli.values import JsonOption, JsonTarget
from poker_actors.errors import BadSpec
from tests.warm import command_line

Probe = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def test_a_dash_writes_one_value_to_stdout(probe: Probe, capsys: Capture) -> None:
    def command(*, json: JsonOption = None) -> None:
        assert json is not None
        assert json.is_stdout
        json.write({"winner": "é", "chips": [1, 2]})

    assert probe(command, "--json", "-") == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"winner": "é", "chips": [1, 2]}
    assert err == ""


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text("old", encoding="utf-8")
    target = JsonTarget(str(path))
    target.write({"hands": 3})
    assert json.loads(path.read_text(encoding="utf-8")) == {"hands": 3}
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text("old", encoding="utf-8")

    def interrupted() -> None:
        with JsonTarget(str(path)).lines() as write_line:
            write_line({"hand": 1})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_lines_hold_one_value_each(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    with JsonTarget(str(path)).lines() as write_line:
        write_line({"hand": 1})
        write_line({"hand": 2})
    assert path.read_text(encoding="utf-8") == '{"hand": 1}\n{"hand": 2}\n'


def test_a_link_is_written_through(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    link = tmp_path / "latest.json"
    link.symlink_to(path)
    JsonTarget(str(link)).write(1)
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "1\n"


def test_what_json_cannot_say_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    with pytest.raises(ValueError, match="JSON compliant"):
        JsonTarget(str(path)).write(float("nan"))
    assert not path.exists()


@pytest.mark.parametrize("text", ["", "--hands", ".", "nowhere/result.json"])
def test_a_place_that_cannot_be_written_is_refused_at_once(text: str) -> None:
    with pytest.raises(BadSpec):
        JsonTarget(text)


def test_the_refusal_names_the_option(probe: Probe, capsys: Capture) -> None:
    def command(*, json: JsonOption = None) -> None:
        raise AssertionError(f"ran with {json}")

    assert probe(command, "--json", "--hands") == 2
    line = 'poker-actors: invalid value for --json: "--hands" is neither a file nor "-"\n'
    assert capsys.readouterr() == ("", line)


@pytest.mark.parametrize(
    "line",
    ["simulate --hands 300", "simulate --hands 300 --workers 2", "rank --hands 100"],
)
def test_what_a_bot_prints_is_no_part_of_the_json_on_stdout(line: str, tmp_path: Path) -> None:
    bot = "from poker_actors import Fold\n\ndef mine(view):\n    print('a thought')\n    return Fold()\n"
    (tmp_path / "bot.py").write_text(bot, encoding="utf-8")
    line += " --seed 1 --bot bot.py:mine --bot tight --json -"
    done = command_line(*line.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    assert "a thought\n" in done.stderr
