"""Whole evenings at the terminal, typed from a file: they print what is stored, to the letter.

Run with POKER_SCREENS=write to store what is printed now, and read the difference before committing it.
"""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from poker_actors.cli import main

HERE = Path(__file__).parent / "console"
EXAMPLES = Path(__file__).parents[2] / "examples"
EVENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00 (.*)")

HOLDEM = (
    "play --seed 4 --players 4 --bot caller --bot scripted:actions=min_raise/call/check/fold --bot folder "
    "--stacks 60,40,80,50 --plain"
)
EVENINGS = [
    (
        "console --seed 11 --plain",
        EXAMPLES / "console_session.txt",
        EXAMPLES / "console_session_transcript.txt",
    ),
    (
        "console --seed 7 --cpu fair --classes printed --difficulty hard --chances commented",
        HERE / "fair_printed.txt",
        HERE / "fair_printed.out",
    ),
    (HOLDEM, HERE / "holdem.txt", HERE / "holdem.out"),
]


def type_in(monkeypatch: pytest.MonkeyPatch, command: str, typed: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    status = main(command.split())
    assert isinstance(status, int)
    return status


@pytest.mark.parametrize(
    ("command", "typed", "printed"), EVENINGS, ids=lambda value: getattr(value, "stem", None)
)
def test_an_evening_prints_its_transcript(
    command: str,
    typed: Path,
    printed: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert type_in(monkeypatch, command, typed.read_text(encoding="utf-8")) == 0
    out, err = capsys.readouterr()
    if os.environ.get("POKER_SCREENS") == "write":
        printed.write_text(out, encoding="utf-8")
    assert out == printed.read_text(encoding="utf-8")
    assert err == ""


def test_the_log_of_the_example_holds_every_event(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    type_in(monkeypatch, "console --seed 11", (EXAMPLES / "console_session.txt").read_text(encoding="utf-8"))
    lines = (tmp_path / "PokerCPP.log").read_text(encoding="utf-8").splitlines()
    matches = [EVENT.fullmatch(line) for line in lines]
    assert [match and match[1] for match in matches] == [
        "application start",
        "new game 1: player 200, CPU 200",
        "player entered: player",
        "CPU wins round 1: 78, net 39",
        "player wins round 2: 0, net 0",
        "round 3 split: CPU and player",
        "player wins round 4: 6, net 3",
        "CPU wins round 5: 152, net 76",
        "CPU wins round 6: 0, net 0",
        "CPU wins round 7: 0, net 0",
        "CPU wins round 8: 0, net 0",
        "player wins round 9: 26, net 13",
        "player wins round 10: 202, net 101",
        "round 11 split: CPU and player",
        "CPU wins round 12: 396, net 198",
        "CPU wins round 13: 8, net 4",
        "game 1 over after 13 rounds: CPU wins, player 0, CPU 400",
        "new game 2: player 200, CPU 200",
        "CPU wins round 1: 0, net 0",
        "game 2 left after 1 round: player 200, CPU 200",
        "application exit",
    ]


def test_an_evening_can_be_piped_in_and_its_output_closed_early(tmp_path: Path) -> None:
    """The reader goes away after one line: no error, and the log is closed all the same."""
    typed = (EXAMPLES / "console_session.txt").read_bytes()
    program = "from poker_actors.cli import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "console", "--seed", "11"]
    play = subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert play.stdin is not None
    assert play.stdout is not None
    assert play.stderr is not None
    with play:
        assert play.stdout.readline() == b"Five-card console poker.\n"
        play.stdout.close()
        play.stdin.write(typed)
        play.stdin.close()
        assert play.stderr.read() == b""
    assert play.returncode == 0
    assert (tmp_path / "PokerCPP.log").read_text(encoding="utf-8").endswith("application exit\n")
