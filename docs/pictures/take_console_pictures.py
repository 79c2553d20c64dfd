"""Take the pictures of the console's pages: play in tmux at 80 by 24 and draw what the pane shows as SVG.

Run it from anywhere with the extra `tui` and tmux installed: `python docs/pictures/take_console_pictures.py`.
"""

from __future__ import annotations

import io
import shlex
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
PROGRAM = Path(sysconfig.get_path("scripts")) / "poker-actors"
SOCKET = "poker-pictures"
PATIENCE = 15.0
"""Seconds to wait for a screen."""

# name -> the command, the keys to press, and words the screen must show before each of them and at the end
PICTURES = {
    "console-last-card": ("console --seed 11", [("c", "You are dealt"), ("c", "You get 5")], "You get J"),
    "console-showdown": (
        "console --seed 11",
        [("c", "You are dealt"), ("c", "You get 5"), ("c", "You get J")],
        "Enter deals",
    ),
    "console-all-in": ("console --seed 11 --cpu fair", [("a", "You are dealt")], "cannot be taken back"),
    "play-flop": ("play --seed 8 --players 6", [("c", "You are dealt")], "Flop"),
    "play-ten-seats": (
        "play --seed 5 --players 10 --bot caller --bot tight",
        [("c", "You are dealt")],
        "flop",
    ),
}

# as rich's own, without the window frame and without a font from the network
SVG = """\
<svg class="rich-terminal" viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px; \
line-height: {line_height}px; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}
</defs>
<rect width="{terminal_width}" height="{terminal_height}" fill="#121212" rx="6"/>
<g clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def tmux(*arguments: str) -> str:
    """Run a command of a tmux server of our own."""
    done = subprocess.run(
        ["tmux", "-L", SOCKET, "-f", "/dev/null", *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


def wait_for(words: str) -> None:
    """Wait until the pane shows these words and does not change any more."""
    end = time.monotonic() + PATIENCE
    before = ""
    while time.monotonic() < end:
        shown = tmux("capture-pane", "-p", "-t", "game")
        if words in shown and shown == before:
            return
        before = shown
        time.sleep(0.15)
    raise SystemExit(f"{words!r} did not appear:\n{before}")


def take(command: str, keys: list[tuple[str, str]], last: str, folder: str) -> str:
    """Play in tmux and give the pane, with its colours, as it is at the end."""
    line = f"{shlex.quote(str(PROGRAM))} {command}; sleep 1"
    tmux("new-session", "-d", "-s", "game", "-x", "80", "-y", "24", "-c", folder, line)
    try:
        for key, words in keys:
            wait_for(words)
            tmux("send-keys", "-t", "game", key)
        wait_for(last)
        return tmux("capture-pane", "-e", "-p", "-t", "game")
    finally:
        tmux("kill-server")


def draw(pane: str, name: str) -> None:
    """Write the pane as a picture."""
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    for row in pane.rstrip("\n").split("\n"):
        console.print(Text.from_ansi(row), no_wrap=True, overflow="crop", crop=True)
    svg = console.export_svg(code_format=SVG, unique_id="pane")
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


def main() -> None:
    """Take all of them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (command, keys, last) in PICTURES.items():
            draw(take(command, keys, last, folder), name)


if __name__ == "__main__":
    main()
