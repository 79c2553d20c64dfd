"""The full screen as a person uses it: in a terminal of 80 by 24 that tmux keeps."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

pytest.importorskip("textual")
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

LOOKS = 4_000
"""Times to look before giving up: one takes some milliseconds."""
PROGRAM = [sys.executable, "-c", "from poker_actors.cli import main; raise SystemExit(main())"]
COMMAND = ["debug", "--seed", "7", "--bot", "caller", "--bot", "random", "--bot", "tight"]


class Terminal:
    """A terminal in a tmux server of its own."""

    def __init__(self, socket: str) -> None:
        self.socket = socket

    def tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self.socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def shown(self) -> str:
        return self.tmux("capture-pane", "-p", "-t", "debug")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tmux("send-keys", "-t", "debug", key)

    def see(self, *words: str, without: str = "\0") -> str:
        """Wait until all of these words are on the screen, and another is not."""
        screen = ""
        for _ in range(LOOKS):
            screen = self.shown()
            if all(word in screen for word in words) and without not in screen:
                return screen
        raise AssertionError(f"{words} did not appear:\n{screen}")


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    found = Terminal(f"poker-{abs(hash(request.node.nodeid)) % 10**8}")
    line = f"{shlex.join([*PROGRAM, *COMMAND])}; echo left with status $?; exec cat"
    found.tmux("new-session", "-d", "-s", "debug", "-x", "80", "-y", "24", line)
    try:
        yield found
    finally:
        found.tmux("kill-server")


def test_a_session_in_a_terminal_of_80_by_24(terminal: Terminal) -> None:
    screen = terminal.see(
        "hand 0 of seed 7", "next: outside asks table main: Deal", "0 of 29", "> table main"
    )
    rows = screen.rstrip("\n").split("\n")
    assert len(rows) == 24
    assert all(len(row) <= 80 for row in rows)
    terminal.press("n")
    terminal.see("1 of 29", "> player caller  2", "escrow/main")
    terminal.press("a")
    terminal.see("8 of 29", "bet 2, call")
    terminal.press("Left", "Left")
    terminal.see("6 of 29")
    terminal.press("a", "a", "w")
    terminal.see("pot is 204", "seat 1 raises to 200, all-in")
    terminal.press("Escape")
    terminal.see("12 of 29", "> player caller")
    terminal.press(":")
    terminal.see("12 of 29", without="q quit")
    terminal.press(*"fork", "Space", *"call")
    terminal.see("fork call")
    terminal.press("Enter")
    terminal.see("branch 1")
    terminal.press("Escape", "End")
    terminal.see("branch 1", "showdown")
    terminal.press("Home")
    terminal.see("0 of ")
    terminal.press("q")
    terminal.see("left with status 0")


def test_keys_typed_in_one_go_and_pasted_commands_go_where_they_belong(terminal: Terminal) -> None:
    terminal.see("0 of 29")
    terminal.tmux("send-keys", "-t", "debug", "-l", ":goto 10")
    terminal.tmux("send-keys", "-t", "debug", "Enter")
    terminal.see("10 of 29")
    terminal.press("Escape")
    terminal.tmux(
        "send-keys", "-t", "debug", "n", "n", "n", "Left", ":", "g", "o", "t", "o", "Space", "2", "0", "Enter"
    )
    terminal.see("20 of 29")
    terminal.press("Escape", *("Left",) * 8)
    terminal.see("12 of 29")
    for arguments in (("-p",), ()):  # as a bracketed paste, and as bare keys
        for position in (15, 7):
            terminal.tmux("set-buffer", f":goto {position}\n")
            terminal.tmux("paste-buffer", *arguments, "-t", "debug")
            terminal.see(f"{position} of 29")
            terminal.press("Escape")
    # an Escape and a q that arrive together are Alt-q: the command quits whether its colon was taken for that or not
    terminal.press(":", "q", "Enter")
    terminal.see("left with status 0")


def test_a_bot_is_looked_into_from_the_full_screen(terminal: Terminal) -> None:
    terminal.see("0 of 29")
    terminal.press("a", "i")
    terminal.see("(Pdb)")
    terminal.press("c", "Enter")
    terminal.see("and answers the same now")
    terminal.press("q")
    terminal.see("left with status 0")
