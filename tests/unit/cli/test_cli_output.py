"""Colour and progress belong to terminals."""

import io
import sys
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.cli.output import console, many, note, on_terminal, progress

Capture = pytest.CaptureFixture[str]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def sit_at_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Both streams are one terminal; not a fixture, as pytest replaces the streams before the test."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return stream


def test_a_terminal_gets_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = sit_at_terminal(monkeypatch)
    console().print("ace", style="red")
    assert "\x1b[" in terminal.getvalue()


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = sit_at_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    console().print("ace", style="bold red")
    assert terminal.getvalue() == "ace\n"


def test_a_dumb_terminal_is_treated_as_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = sit_at_terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    assert not on_terminal("stdout")
    console().print("ace", style="bold red")
    assert terminal.getvalue() == "ace\n"


def test_a_pipe_gets_no_colour_even_when_the_environment_forces_it(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    console().print("ace", style="bold red")
    assert capsys.readouterr().out == "ace\n"


def test_text_is_printed_as_it_is(capsys: Capture) -> None:
    console().print("[red]bot[/red] :smile: 42")
    assert capsys.readouterr().out == "[red]bot[/red] :smile: 42\n"


def test_a_note_goes_to_stderr(capsys: Capture) -> None:
    note("seed 7")
    assert capsys.readouterr() == ("", "seed 7\n")


def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = sit_at_terminal(monkeypatch)
    with progress("hands", 200) as advance:
        advance(100)
        advance(100)
    assert "200/200" in terminal.getvalue()


def test_progress_is_silent_in_a_pipe(capsys: Capture) -> None:
    with progress("hands", 200) as advance:
        advance(200)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("hands", "played", "said"), [("100", 102, True), ("102", 102, False)])
def test_a_duplicate_match_is_played_in_whole_decks_and_says_so(
    hands: str, played: int, said: bool, capsys: Capture
) -> None:
    assert main(["simulate", *["--bot", "caller"] * 3, "--hands", hands, "--seed", "3", "--duplicate"]) == 0
    shown = capsys.readouterr()
    assert f"{played} hands of holdem" in shown.out
    assert (
        f"playing {played} hands: duplicate plays each deck once from each of 3 seats" in shown.err
    ) is said


@pytest.mark.parametrize("wrong", ["--plot o.xyz", "--workers 0", "--blinds 5/1", "--bot scripted"])
def test_what_is_refused_is_not_said_to_be_played(wrong: str, capsys: Capture) -> None:
    assert main(f"simulate --bot caller --bot tight --hands 1 --duplicate {wrong}".split()) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_run_that_is_kept_is_not_begun_again(tmp_path: Path, capsys: Capture) -> None:
    kept = tmp_path / "run"
    line = f"simulate --bot tight --bot maniac --until-decided --hands 400 --data {kept}".split()
    assert main(line) == 0
    before = kept.read_bytes()
    capsys.readouterr()
    for seed in ([], ["--seed", "1"]):
        assert main([*line, *seed]) == 2
        error = f"{kept} already exists: --resume continues the run in it, or name another file"
        assert capsys.readouterr() == ("", f"poker-actors: {error}\n")
    assert kept.read_bytes() == before
    assert main([*line, "--resume"]) == 0


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 hands"), (1, "1 hand"), (2, "2 hands"), (30_000, "30,000 hands")]
)
def test_a_number_goes_with_its_noun(count: int, words: str) -> None:
    assert many(count, "hand") == words
    assert many(count, "person", "people") == words.replace("hands", "people").replace("hand", "person")
