"""Read what commands take: addresses, passwords, and texts from files, stdin and the terminal."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from poker_actors.cli.output import draws
from poker_actors.errors import BadSpec

STDIN: Final = "-"
"""The name that stands for standard input."""


def endpoint(text: str, option: str) -> tuple[str, int]:
    """Return the host and port of `HOST:PORT`, or `[::1]:PORT` for IPv6.

    Raise `BadSpec`, which names the option, for anything else.

    >>> endpoint("127.0.0.1:55006", "--opp")
    ('127.0.0.1', 55006)
    """
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isascii() or not port.isdigit():
        raise BadSpec(f"{option} {text[:60]!r} is not HOST:PORT, such as 127.0.0.1:55006")
    # nine digits are enough to see that it is too large; int() raises ValueError for thousands of them
    if int(port[:9]) > 65535:
        raise BadSpec(f"{option} {text[:60]!r}: ports go up to 65535")
    return host, int(port)


LARGEST: Final = 65_536
"""The most bytes of a file whose first line is the password."""
PASSWORD_VARIABLE: Final = "POKER_ACTORS_PASSWORD"


def read_password(file: str | None, *, ask: bool = True) -> str:
    """Return the password: first line of `file`, else from the environment, else typed on a terminal, else ""."""
    if file is not None:
        lines = read_text(file, LARGEST, "password").splitlines()
        return lines[0] if lines else ""
    given = os.environ.get(PASSWORD_VARIABLE, "")
    if not given and ask and sys.stdin.isatty():
        return getpass.getpass("Password: ")
    return given


def read_text(place: str, most: int, what: str) -> str:
    """Return the text at `place`: the path of a file, or - for stdin.

    Raise `BadSpec` if it is not UTF-8, or longer than the `most` bytes of a `what`; `OSError` if it cannot be read.
    """
    if place == STDIN:
        raw = sys.stdin.buffer.read(most + 1)  # one byte too many shows that the text is too long
    else:
        with Path(place).open("rb") as file:
            raw = file.read(most + 1)
    if len(raw) > most:
        raise BadSpec(f"{place} has more than {most} bytes: it is not a {what}")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = f"{place} is not a text in UTF-8: byte {raw[error.start]:#04x} at offset {error.start}"
        raise BadSpec(text) from None


LONGEST: Final = 1000
"""The longest command, in characters: a pasted file comes in pieces, each of which is refused."""


def has_screen() -> bool:
    """Return whether stdin and stdout are a terminal that is not dumb and can encode the marks of a screen."""
    ends = (sys.stdin, sys.stdout)
    return all(end.isatty() for end in ends) and os.environ.get("TERM") != "dumb" and draws()


def write_line(text: str) -> None:
    """Print a line at once, so that a pipe's reader sees it while the game waits."""
    print(text, flush=True)


def line_reader() -> Callable[[str], str | None]:
    """Return a function that prompts for a line on stdin and gives None at the end of input.

    Input from a pipe is printed after its prompt, so that the output reads as on a terminal; bytes that are not text
    are refused as an order, not as a broken stream.
    """
    stdin = sys.stdin
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
