"""The options of all commands: written down from the code, one meaning a word, no file written over."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from poker_actors.cli import main
from poker_actors.cli.commands import COMMANDS, help_text
from poker_actors.cli.values import check_written
from poker_actors.rules.games import GAMES
from tests.docs.draw_options import DATA, PAGE, ROUTES, first_clause, page, served
from tests.docs.draw_options import described as from_code
from tests.warm import command_line

Capture = pytest.CaptureFixture[str]
SAID_ELSEWHERE = {
    "replay": "--json is a flag there, and files follow it",
    "completion": "the script is for a shell",
    "mcp": "its standard output belongs to the protocol",
}
"""Commands without `--json FILE`, and why; the page of the command line says the same."""
REMEDY = "run `python tests/docs/draw_options.py`"


def uses() -> dict[str, dict[str, dict[str, Any]]]:
    """Every option by name: the commands that take it, with what they say of it."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for command, taken in from_code().items():
        for option in taken["options"]:
            found.setdefault(option["name"], {})[command] = option
    return found


def test_the_written_options_and_routes_are_those_of_the_code() -> None:
    code = from_code()
    assert json.loads(DATA.read_text(encoding="utf-8")) == code, REMEDY
    assert PAGE.read_text(encoding="utf-8") == page(code), REMEDY
    assert ROUTES.read_text(encoding="utf-8") == served(), REMEDY


def test_an_option_means_the_same_wherever_it_stands() -> None:
    for name, taken in uses().items():
        meanings = {
            command: (first_clause(option["help"]), option.get("value"))
            for command, option in taken.items()
            if name != "--json" or command not in SAID_ELSEWHERE
        }
        assert len(set(meanings.values())) == 1, (name, meanings)


def test_an_older_name_of_an_option_is_no_other_option_of_its_command() -> None:
    for name, taken in uses().items():
        for command, option in taken.items():
            others = {one["name"] for one in from_code()[command]["options"]} - {name}
            assert not others & set(option.get("older", ())), (command, name)


def test_every_command_writes_json_to_a_file_or_the_page_says_why_not() -> None:
    without = {
        command
        for command, taken in from_code().items()
        if all(one["name"] != "--json" or "value" not in one for one in taken["options"])
    }
    assert without == set(SAID_ELSEWHERE)
    text = " ".join((PAGE.parent / "command-line.md").read_text(encoding="utf-8").split())
    assert all(reason in text for reason in SAID_ELSEWHERE.values())


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_help_says_what_a_value_may_be(command: str) -> None:
    text = help_text(command)
    assert " STR" not in text
    for option in from_code()[command]["options"]:
        assert option["help"], option["name"]
        assert f"  {option['name']}" in text


def test_help_shows_the_choices_of_drivers_engines_formats_and_games(capsys: Capture) -> None:
    assert main(["tournament", "--help"]) == 0
    out = capsys.readouterr().out
    assert "--driver direct|stepper|threads" in out
    assert "--engine auto|processes|ray|batch" in out
    assert "--format round-robin|sng|mtt" in out
    assert all(game in out for game in GAMES)


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_help_is_as_wide_as_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for command in COMMANDS:
        lines = [line for line in help_text(command.name).splitlines() if " " in line.strip()]
        lines.pop()  # the example is one line, to be copied
        assert max(map(len, lines)) <= min(int(columns), 100), command.name


def test_the_help_of_a_command_loads_no_library_but_attrs() -> None:
    script = (
        "import sys; from poker_actors.cli import main; main(['simulate', '--help']);"
        "sys.exit(bool(sys.modules.keys() & {'cyclopts', 'rich', 'asyncio', 'poker_actors.rules'}))"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


HAND = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 AsKs", "d dh p2 QhQd", "p1 f"]
"""


@pytest.mark.parametrize(
    "line",
    [
        "replay hand.phh --html hand.phh",
        "replay ./hand.phh --html hand.phh",
        "convert hand.phh hand.phh --force",
        "simulate --hands 4 --seed 1 --bot bot.py:mine --bot tight --report bot.py",
        "simulate --hands 4 --seed 1 --bot bot.py:mine --bot tight --json=bot.py",
        "simulate --hands 4 --seed 1 --compare hand.phh --json hand.phh",
        "simulate --hands 4 --seed 1 --jsonl new.jsonl --json new.jsonl",
        "debug --history hand.phh --svg hand.phh",
        "verify hand.phh --json hand.phh",
    ],
)
def test_no_output_is_written_over_what_the_line_reads(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = "from poker_actors import Fold\n\ndef mine(view):\n    return Fold()\n"
    (tmp_path / "hand.phh").write_text(HAND, encoding="utf-8")
    (tmp_path / "bot.py").write_text(bot, encoding="utf-8")
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "would overwrite" in err
    assert err.count("\n") == 1
    assert (tmp_path / "hand.phh").read_text(encoding="utf-8") == HAND
    assert (tmp_path / "bot.py").read_text(encoding="utf-8") == bot
    assert not (tmp_path / "new.jsonl").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("stats gone.phh --report folder", "--report folder is a directory"),
        ("stats gone.phh --parquet no/x", "there is no directory no to write x in"),
        ("stats gone.phh --state away", "no/such, to which the link away leads"),
        ("replay gone.phh --html folder", "--html folder is a directory"),
        ("debug --history gone.phh --svg no/x.svg", "there is no directory no"),
        ("acpc dealer no.game --turns folder", "--turns folder is a directory"),
        ("opp dump gone.hex --histories no/x.phhs", "there is no directory no"),
        ("train --out=folder", "--out folder is a directory"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_read(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "away").symlink_to("no/such/file")
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert len([*tmp_path.iterdir()]) == 2


def test_a_folder_without_permission_is_named_with_the_file_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = TemporaryDirectory()  # others may not look into pytest's own
    monkeypatch.chdir(place.name)
    Path(place.name).chmod(0o755)
    Path("locked").mkdir(mode=0o555)
    Path("open.json").touch()
    Path("open.json").chmod(0o666)
    check_written(["doctor", "--json", "locked/x.json"][:1])  # loads the table of options
    root = os.geteuid() == 0  # whom permissions do not bind
    try:
        if root:
            os.setresuid(65534, 65534, 0)
        check_written(["doctor", "--json", "open.json"])
        with pytest.raises(PermissionError) as denied:
            check_written(["doctor", "--json", "locked/x.json"])
    finally:
        if root:
            os.setresuid(0, 0, 0)
        place.cleanup()
    assert denied.value.filename == "locked/x.json"


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("stats hand.phh --report page.html", "wrote page.html"),
        ("replay hand.phh gone.phh --show", "poker-actors: gone.phh: no such file or directory"),
    ],
)
def test_notes_and_errors_follow_the_output_they_come_after(line: str, last: str, tmp_path: Path) -> None:
    (tmp_path / "hand.phh").write_text(HAND, encoding="utf-8")
    done = command_line(*line.split(), cwd=tmp_path, stderr=subprocess.STDOUT)
    before, _, end = done.stdout.rstrip("\n").rpartition("\n")
    assert end == last
    assert "is to act" in before


def test_a_result_of_converting_is_written_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hand.phh").write_text(HAND, encoding="utf-8")
    assert main(["convert", "hand.phh", "hands.jsonl", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {"target": "hands.jsonl", "format": "jsonl", "hands": 1, "skipped": 0}


def test_what_a_debugger_found_is_written_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    hand = ["debug", "--seed", "7", "--bot", "tight", "--bot", "caller"]
    assert main([*hand, "--trace", "hand.jsonl"]) == 0
    assert main(["debug", "--trace", "hand.jsonl", "--verify", "--json", "verified.json"]) == 0
    verified = json.loads((tmp_path / "verified.json").read_text(encoding="utf-8"))
    assert verified["same"] is True
    assert verified["difference"] is None
    assert verified["messages"] > 20
    capsys.readouterr()
    assert main([*hand, "--explore", "2", "--json", "-"]) == 0
    explored = json.loads(capsys.readouterr().out)
    assert (explored["orders"], explored["violation"], explored["trace"]) == (2, None, None)
    assert main([*hand, "--json", "stepped.json"]) == 2
    assert "--json needs --verify or --explore" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["play", "console"])
def test_an_evening_at_the_terminal_is_written_as_json(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = tmp_path / "typed"
    typed.write_text("f\nq\n" if command == "play" else "q\n", encoding="utf-8")
    with typed.open(encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main([command, "--seed", "8", "--json", "left.json"]) == 0
    found = json.loads((tmp_path / "left.json").read_text(encoding="utf-8"))
    assert (found["seed"], found["games"], len(found["players"])) == (8, 1, len(found["stacks"]))
    assert found["hands"] >= 1
    capsys.readouterr()
    assert main([command, "--seed", "8", "--json", "-"]) == 2
    assert "--json -" in capsys.readouterr().err


def test_json_of_a_server_is_the_report_of_an_examination(capsys: Capture) -> None:
    assert main(["serve", "--json", "-"]) == 2
    assert "--json needs --check-client" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the device is not Windows's")
@pytest.mark.parametrize(
    "line",
    [
        "opp dump zero",
        "opp dump zero --histories new.phhs",
        "replay hand.phh --show --transcript zero",
        "simulate --bot expert:table=zero --bot tight --hands 4",
        "simulate --bot tight --bot loose --seed 1 --hands 4 --compare zero",
        "simulate --bot tight --bot loose --until-decided --resume --data zero",
        "train expert --rounds 1 --resume --checkpoint zero",
        "repair zero",
    ],
)
def test_what_has_no_end_is_refused(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hand.phh").write_text(HAND, encoding="utf-8")
    Path("zero").symlink_to("/dev/zero")
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 32, before[1]))  # a failure here is none of the machine
    try:
        assert main(line.split()) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "zero has more than 268435456 bytes, the most that are read" in err or "not an SQLite file" in err
    assert not Path("new.phhs").exists()
