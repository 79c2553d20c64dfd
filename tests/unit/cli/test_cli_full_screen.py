"""The full screen on a real terminal of 80 by 24: it draws, obeys keys, and Ctrl-C leaves it settled."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAM = """
import signal
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is inherited as ignored, and stays so
signal.signal(signal.SIGINT, signal.default_int_handler)  # the same in a shell's background
from poker_actors.cli import main
raise SystemExit(main())
"""
PATIENCE = 20.0
ESCAPES = re.compile(
    rb"\x1b(?:\[[0-9;?<>=]*[A-Za-z~$ ]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[()=>].?)"
)


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        try:
            self.side, other = pty.openpty()
        except OSError as error:
            pytest.skip(f"no pty devices: {error}")
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=folder,
            env=environment,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
        )
        os.close(other)
        self.seen = b""

    def wait_for(self, words: str) -> None:
        """Read until these words have been drawn since the last time."""
        end = time.monotonic() + PATIENCE
        while words.encode() not in ESCAPES.sub(b"", self.seen):
            assert time.monotonic() < end, self.seen[-2000:]
            if not self.read(1.0):
                break
        shown = ESCAPES.sub(b"", self.seen)
        assert words.encode() in shown, shown[-2000:]
        self.seen = b""

    def read(self, seconds: float) -> bool:
        """Take what there is; false once the program has closed its end."""
        if select.select([self.side], [], [], seconds)[0]:
            try:
                new = os.read(self.side, 65536)
            except OSError:
                return False
            self.seen += new
            return bool(new)
        return True

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self.side, keys.encode())

    def signal(self, number: signal.Signals, words: str) -> None:
        """Send a signal until it shows: one that comes just before a read blocks waits for the next."""
        end = time.monotonic() + PATIENCE
        while words.encode() not in self.seen:
            assert time.monotonic() < end, (self.process.poll(), self.seen[-2000:])
            self.process.send_signal(number)
            quiet = time.monotonic() + 6  # a second one, sent to a slow end, would end it without a word
            while time.monotonic() < quiet and words.encode() not in self.seen and self.read(0.5):
                pass

    def end(self) -> int:
        """Read to the end and give the exit status."""
        while self.read(PATIENCE):
            pass
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        """Stop the program if a test has failed, and close the terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.side)


@contextlib.contextmanager
def terminal(folder: Path, *arguments: str) -> Iterator[Terminal]:
    made = Terminal(folder, *arguments)
    try:
        yield made
    finally:
        made.close()


def test_the_console_draws_plays_and_ctrl_c_leaves_settled(tmp_path: Path) -> None:
    with terminal(tmp_path, "console", "--seed", "11") as screen:
        screen.wait_for("fold?")
        screen.press("c")
        screen.wait_for("You get 5 and hold 10 4 9 5.")
        screen.press("\x03")
        screen.wait_for("You leave with ")
        assert screen.end() == 130
    log = (tmp_path / "PokerCPP.log").read_text(encoding="utf-8").splitlines()
    assert "game 1 left after 1 round: player 1" in log[-2]
    assert log[-1].endswith("application exit")


def test_hold_em_draws_and_asks_before_it_is_left(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--seed", "4", "--players", "3", "--bot", "caller") as screen:
        screen.wait_for("Call 2, raise to 4-200, fold?")
        screen.press("q")
        screen.wait_for("Leave, and fold this hand?")
        screen.press("y")
        screen.wait_for("You leave with 200 chips.")
        assert screen.end() == 0


@pytest.mark.parametrize(
    ("number", "options"),
    [(signal.SIGINT, ["--plain"]), (signal.SIGHUP, ["--plain"]), (signal.SIGTERM, [])],
    ids=["interrupted in lines", "hung up in lines", "ended on the screen"],
)
def test_a_signal_from_outside_leaves_settled(
    tmp_path: Path, number: signal.Signals, options: list[str]
) -> None:
    with terminal(tmp_path, "console", "--seed", "11", *options) as screen:
        screen.wait_for(", fold")
        screen.signal(number, "interrupted")
        assert screen.end() == 130
    log = (tmp_path / "PokerCPP.log").read_text(encoding="utf-8").splitlines()
    assert log[-2].endswith("game 1 left after 1 round: player 200, CPU 200")
    assert log[-1].endswith("application exit")


def test_a_signal_ends_the_debugger_as_it_does_other_commands_and_a_key_does_not(tmp_path: Path) -> None:
    words = ["debug", "--seed", "1", "--bot", "caller", "--bot", "tight"]
    with terminal(tmp_path, *words) as screen:
        screen.wait_for("q quit")
        screen.signal(signal.SIGTERM, "interrupted")
        assert screen.end() == 130
    with terminal(tmp_path, *words) as screen:
        screen.wait_for("q quit")
        screen.press("q")
        assert screen.end() == 0


def test_lines_on_a_terminal_end_at_ctrl_d(tmp_path: Path) -> None:
    with terminal(tmp_path, "console", "--seed", "11", "--plain") as screen:
        screen.wait_for(", fold: ")
        screen.press("\x04")
        screen.wait_for("You leave with 200 credits.")
        assert screen.end() == 0
