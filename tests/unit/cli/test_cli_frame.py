"""The frame of the command line: parsing, help, the table of commands."""

import importlib
import inspect
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from poker_actors import __version__
from poker_actors.cli import frame, main
from poker_actors.cli.commands import COMMANDS, FAMILIES, FIRST, MORE, OLDER, Command

SCRIPT = Path(sysconfig.get_path("scripts")) / "poker-actors"
Probe = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def error_line(capsys: Capture) -> str:
    """The only thing printed: one line on stderr."""
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert err.startswith("poker-actors: ")
    return err.removeprefix("poker-actors: ").rstrip("\n")


def test_version_is_printed_on_stdout(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"{__version__}\n"


def test_the_console_script_is_installed_and_answers() -> None:
    run = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == (f"{__version__}\n", "")


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_and_more_list_every_command_with_what_it_does(flag: str, capsys: Capture) -> None:
    assert main([flag]) == 0
    first, err = capsys.readouterr()
    assert err == ""
    assert main(["more"]) == 0
    rest = capsys.readouterr().out
    seldom = {name for names in MORE.values() for name in names}
    for command in COMMANDS:
        family, _, word = command.name.rpartition(" ")
        assert f"  {family or word} " in (rest if word in seldom else first)
        assert (FAMILIES[family] if family else command.summary) in (rest if word in seldom else first)


def test_the_first_list_has_at_most_sixteen_rows(capsys: Capture) -> None:
    assert main(["--help"]) == 0
    rows = capsys.readouterr().out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert len(rows) <= 16
    assert set(rows[-1].partition(": ")[2].rstrip(".").split(", ")) == {
        name for names in MORE.values() for name in names
    }


@pytest.mark.parametrize("arguments", [["{}"], ["{}", "--help"], ["{}", "-h"]])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_lists_its_own_commands(family: str, arguments: list[str], capsys: Capture) -> None:
    assert main([word.format(family) for word in arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines() if line[:2] == "  "]
    assert listed[:-1] == [
        command.name.split()[1] for command in COMMANDS if command.name.startswith(family + " ")
    ]


@pytest.mark.parametrize("older", OLDER)
def test_an_older_name_gives_the_help_of_the_new_one(older: str, capsys: Capture) -> None:
    assert main([older, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: poker-actors {OLDER[older]} ")


def test_an_older_name_does_its_work_and_says_the_new_one(tmp_path: Path, capsys: Capture) -> None:
    capture = tmp_path / "session.hex"
    capture.write_text("< 0000001500000000\n", encoding="ascii")
    assert main(["opp", "dump", str(capture)]) == 0
    today = capsys.readouterr()
    assert today.err == ""
    assert main(["opp-dump", str(capture)]) == 0
    older = capsys.readouterr()
    assert older.out == today.out
    assert older.err == "this command is now poker-actors opp dump\n"


@pytest.mark.parametrize(
    "line", ["opp-dump nowhere.hex", "acpc-client here --bot tight", "opp here --user ann"]
)
def test_an_error_of_an_older_name_is_still_one_line(line: str, capsys: Capture) -> None:
    assert main(line.split()) == 2
    error_line(capsys)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_summary_of_a_command_is_the_first_sentence_of_its_help(command: Command) -> None:
    module, _, name = command.target.partition(":")
    function = getattr(importlib.import_module(module), name)
    assert (inspect.getdoc(function) or "").splitlines()[0] == command.summary


def test_without_a_command_five_things_to_do_are_shown(capsys: Capture) -> None:
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert len(FIRST) == 5
    for _, line in FIRST:
        assert line in out
        _function, _, ignored = frame.program().parse_args(
            line.split()[1:], exit_on_error=False, print_error=False
        )
        assert ignored == {}


def test_the_list_of_commands_loads_no_library_but_attrs() -> None:
    script = (
        "import sys; from poker_actors.cli import main; main(['--help']);"
        "sys.exit(bool(sys.modules.keys() & {'cyclopts', 'rich', 'asyncio'}))"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_shows_an_example_that_parses(command: Command, capsys: Capture) -> None:
    assert main([command.name, "--help"]) == 0
    assert f"Example: {command.example}" in " ".join(capsys.readouterr().out.split())
    assert command.example.startswith(f"poker-actors {command.name}")
    function, _, ignored = frame.program().parse_args(
        command.example.split()[1:], exit_on_error=False, print_error=False
    )
    assert function.__module__ == command.target.partition(":")[0]
    assert ignored == {}


def test_an_unknown_command_suggests_the_nearest(capsys: Capture) -> None:
    assert main(["doctr"]) == 2
    assert 'did you mean "doctor"?' in error_line(capsys).lower()


def test_an_unknown_option_suggests_the_nearest(capsys: Capture) -> None:
    assert main(["doctor", "--jsn", "x"]) == 2
    assert error_line(capsys) == "unknown option: --jsn. Did you mean --json?"


def test_an_option_in_place_of_a_command_is_called_an_option(capsys: Capture) -> None:
    assert main(["--hands", "5"]) == 2
    assert error_line(capsys) == 'unknown option "--hands" (see poker-actors --help)'


def test_a_negative_number_reaches_the_command(probe: Probe) -> None:
    seen: list[int] = []

    def command(*, hands: int = 1, seed: int | None = None) -> None:
        seen.extend((hands, seed or 0))

    assert probe(command, "--hands", "-1", "--seed", "-5") == 0
    assert seen == [-1, -5]


@pytest.mark.parametrize(
    ("text", "number"), [("1,000", 1000), ("-12,345,678", -12345678), ("1_000", 1000), ("007", 7)]
)
def test_a_whole_number_may_have_its_thousands_set_off(text: str, number: int, probe: Probe) -> None:
    seen: list[int] = []

    def command(*, hands: int = 1) -> None:
        seen.append(hands)

    assert probe(command, f"--hands={text}") == 0
    assert seen == [number]


@pytest.mark.parametrize(
    "text", ["1.5", "1e3", "1,00", "1,0000", ",100", "10,", "1,000.0", "0x10", "abc", "", "½", "--"]
)
def test_what_is_no_whole_number_is_refused(text: str, probe: Probe, capsys: Capture) -> None:
    def command(*, hands: int = 1) -> None:
        raise AssertionError(f"ran with {hands}")

    assert probe(command, f"--hands={text}") == 2
    assert error_line(capsys) == f'invalid value for --hands: "{text}" is not a whole number'


def test_a_number_too_long_to_read_is_refused_in_one_line(probe: Probe, capsys: Capture) -> None:
    def command(*, hands: int = 1) -> None:
        raise AssertionError(f"ran with {hands}")

    assert probe(command, "--hands", "9" * 10_000) == 2
    assert len(error_line(capsys)) <= 400


def test_an_option_without_its_value_is_refused(probe: Probe, capsys: Capture) -> None:
    def command(*, hands: int = 1) -> None:
        raise AssertionError(f"ran with {hands}")

    assert probe(command, "--hands") == 2
    assert error_line(capsys) == 'command "probe" parameter --hands requires an argument'


def test_an_argument_nobody_asked_for_is_refused(probe: Probe, capsys: Capture) -> None:
    def command(*, hands: int = 1) -> None:
        raise AssertionError(f"ran with {hands}")

    assert probe(command, "5") == 2
    assert error_line(capsys) == 'unexpected argument "5"'


def test_a_repeated_option_is_refused_and_a_repeatable_one_is_not(probe: Probe, capsys: Capture) -> None:
    def command(*, hands: int = 1, bot: list[str] | None = None) -> None:
        assert bot == ["tight:vpip=0.2", "maniac"]

    assert probe(command, "--bot", "tight:vpip=0.2", "--bot", "maniac") == 0
    assert probe(command, "--hands", "1", "--hands", "2") == 2
    assert error_line(capsys) == "parameter --hands specified multiple times"


def test_a_command_is_not_imported_before_it_is_used() -> None:
    script = (
        "import sys; from poker_actors.cli import main; main(['--version']);"
        "sys.exit('poker_actors.cli.doctor' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


def without_the_extra(*arguments: str) -> "subprocess.CompletedProcess[str]":
    script = "import sys; sys.modules.update(cyclopts=None, rich=None); from poker_actors.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("arguments", [("games",), ("doctor", "--json", "-")])
def test_without_the_extra_one_line_says_how_to_get_it(arguments: tuple[str, ...]) -> None:
    run = without_the_extra(*arguments)
    assert run.returncode == 3
    assert run.stdout == ""
    assert run.stderr == (
        "poker-actors: cyclopts is not installed: it comes with the extra [cli] "
        "(in a checkout of the sources: pip install '.[cli]')\n"
    )


def test_the_doctor_works_without_the_extra() -> None:
    run = without_the_extra("doctor")
    assert (run.returncode, run.stderr) == (0, "")
    assert re.search(r"^cli +\w+ +cyclopts", run.stdout, re.MULTILINE)
    assert without_the_extra("doctor", "core").returncode == 0
    unknown = without_the_extra("doctor", "clj")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert unknown.stderr.startswith(
        "poker-actors: no extra is called 'clj', did you mean cli? (choose from core, archives, "
    )


def test_the_package_runs_as_a_module_too() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "poker_actors", "--version"], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, f"{__version__}\n", "")


def test_output_that_python_cannot_encode_is_escaped() -> None:
    run = subprocess.run(
        [SCRIPT, b"d\xff\n\x1b[31m"],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert run.returncode == 2
    assert run.stderr.startswith(rb'poker-actors: unknown command "d\udcff \x1b[31m".')


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("join --user x", "join needs URL (see poker-actors join --help)"),
        ("convert a.phh", "convert needs TARGET (see poker-actors convert --help)"),
        ("lbr tight --hands 0", 'invalid value "0" for --hands. it must be 1 to 1,000,000,000,000'),
        (
            "simulate --hands 1000000000001",
            "hands is 1000000000001: it must be 1 to 1,000,000,000,000",
        ),
    ],
)
def test_what_is_missing_or_out_of_bounds_is_named_as_it_is_written(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr().err == f"poker-actors: {message}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["arena", ""],
        ["arena", ".", "--site", ""],
        ["serve", "--http", "127.0.0.1:0", "--arena", ""],
        ["replay", "", "-"],
        ["stats", "x.phh", ""],
        ["convert", "", "x.phhs"],
        ["opp", "dump", ""],
    ],
)
def test_an_empty_path_is_not_the_folder_that_one_is_in(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    line = error_line(capsys)
    assert line.endswith('"" is neither a file nor a folder')
    assert "(" not in line
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "circle.phh", "--html", "page.html"],
        ["opp", "dump", "circle.phh", "--histories", "hands.phhs"],
        ["simulate", "--bot", "cage:circle.py:bot", "--bot", "tight"],
        ["simulate", "--bot", "cage:~nobody-of-this-name/a.py:bot", "--bot", "tight"],
        ["simulate", "--game", "circle.py:GAME"],
        ["arena", "."],
    ],
)
def test_links_in_a_circle_and_unknown_homes_are_named(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("circle.phh", "circle.py"):
        (tmp_path / name).symlink_to(name)
    (tmp_path / "hands.phhs").touch()
    (tmp_path / "arena.toml").write_text('game = "circle.py:GAME"')
    assert main(words) == 2
    assert re.search("circle[.]p|nobody-of-this-name", error_line(capsys))
