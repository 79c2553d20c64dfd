"""`poker-actors console` and `poker-actors play`: options, refusals and exit statuses."""

import io
import sys
from pathlib import Path

import pytest

from poker_actors.cli import main


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Play in an empty folder, with nothing typed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["console", "--cpu", "kind"], 'invalid value "kind" for --cpu'),
        (["console", "--seed", "1.5"], "is not a whole number"),
        (["console", "--difficulty", "mad"], "--difficulty"),
        (["console", "--name", "a\x1bb"], "1 to 64 printable characters"),
        (["play", "--players", "11"], "--players 11: holdem seats 2 to 10, including you"),
        (["play", "--players", "1"], "--players 1"),
        (["play", "--bot", "nobody"], "no bot is called 'nobody'"),
        (["play", "--blinds", "2"], "blinds '2' are not SMALL/BIG"),
        (["play", "--stacks", "-5"], "'-5' is neither chips nor big blinds"),
        (["play", "--game", "five-card"], "see poker-actors console"),
    ],
)
def test_what_cannot_be_played_is_one_line_and_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert err.count("\n") == 1
    assert out == ""
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize("command", ["console", "play"])
def test_a_drawn_seed_is_noted_and_plays_the_same_again(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command]) == 0
    out, err = capsys.readouterr()
    word, seed = err.split()
    assert word == "seed"
    assert main([command, "--seed", seed]) == 0
    assert capsys.readouterr() == (out, "")


def test_where_there_is_no_terminal_the_game_is_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["console", "--seed", "-3"]) == 0
    assert capsys.readouterr().out.startswith("Five-card console poker.\n")


def test_bytes_that_are_no_text_are_refused_as_orders(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00\nc\n"), encoding="utf-8"))
    assert main(["console", "--seed", "1"]) == 0
    assert "is not an order" in capsys.readouterr().out


def test_ctrl_c_is_status_130_with_the_log_closed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        def isatty(self) -> bool:
            return False

        def readline(self, size: int) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupted())
    assert main(["console", "--seed", "1", "--log", "my.log", "--name", "Ann"]) == 130
    assert capsys.readouterr().err == "poker-actors: interrupted\n"
    log = Path("my.log").read_text(encoding="utf-8")
    assert "player entered: Ann\n" in log
    assert log.endswith("application exit\n")


def test_the_full_screen_names_its_extra_when_it_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*sys.modules]:
        if name.partition(".")[0] == "textual" or name.startswith("poker_actors.console.tui"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textual", None)
    monkeypatch.setattr("poker_actors.cli.play.has_screen", lambda: True)
    assert main(["console", "--seed", "1"]) == 3
    out, err = capsys.readouterr()
    assert "pip install '.[tui]'" in err
    assert "textual" in err
    assert out == ""
    assert list(Path.cwd().iterdir()) == []
