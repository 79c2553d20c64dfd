"""Read and write line by line, on a terminal or through pipes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final

from poker_actors.cli.output import draws

__all__ = ["has_screen", "line_reader", "write_line"]

LONGEST: Final = 1000
"""The longest command, in characters: a pasted file comes in pieces, each of which is refused."""


def has_screen() -> bool:
    """Return whether stdin and stdout are a terminal that is not dumb and can encode the marks of a screen."""
    ends = (sys.stdin, sys.stdout)
    return (
        all(end is not None and end.isatty() for end in ends) and os.environ.get("TERM") != "dumb" and draws()
    )


def write_line(text: str) -> None:
    """Print a line at once, so that a pipe's reader sees it while the game waits."""
    print(text, flush=True)


def line_reader() -> Callable[[str], str | None]:
    """Return a function that prompts for a line on stdin and gives None at the end of input.

    What comes from a pipe is printed after its prompt, so that the output reads as it would have
    on a terminal; bytes that are no text are refused as orders, not as a broken stream.
    """
    stdin = sys.stdin
    if stdin is None:
        return lambda prompt: None
    if stdin.isatty():
        return _ask_terminal
    if hasattr(stdin, "reconfigure"):
        stdin.reconfigure(errors="replace")
    return _ask_pipe


def _ask_terminal(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        write_line("")
        return None


def _ask_pipe(prompt: str) -> str | None:
    print(prompt, end="", flush=True)
    line = sys.stdin.readline(LONGEST)
    write_line(line.strip())
    return line or None
