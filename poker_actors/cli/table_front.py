"""What `console` and `play` share: the two ways to play a session."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import Final

from poker_actors.cli.output import note
from poker_actors.cli.reading import has_screen, line_reader, write_line
from poker_actors.cli.values import JsonOption
from poker_actors.console import Session, play_plain
from poker_actors.errors import BadSpec

__all__ = ["play_session"]

_PAUSE: Final = 0.6
"""Seconds a bot pretends to think, so that a person at a terminal can follow the hand."""


def play_session(session: Session, *, drawn: bool, plain: bool, json: JsonOption) -> None:
    """Play on the full screen, or in lines without one or with `plain`; then write the result.

    A `drawn` seed is noted on stderr. Raises `BadSpec` for JSON on stdout, which the game uses.
    """
    if json is not None and json.is_stdout:
        raise BadSpec("--json - is stdout, where the game is played: name a file")
    try:
        if not plain and has_screen():
            _play_full_screen(session)
        else:
            if drawn:
                note(f"seed {session.setup.seed}")
            _play_lines(session)
    finally:
        if json is not None:
            json.write(session.result)


def _play_lines(session: Session) -> None:
    """Play line by line on stdin and stdout."""
    play_plain(session, line_reader(), _thinking(session) if has_screen() else write_line)


def _thinking(session: Session) -> Callable[[str], None]:
    """Return a function that prints a line, after a pause if the line is about another player."""
    setup = session.setup
    others = tuple([f"{name} " for seat, name in enumerate(setup.names) if seat != setup.seat])

    def write(line: str) -> None:
        if line.startswith(others):
            sleep(_PAUSE)
        write_line(line)

    return write


def _play_full_screen(session: Session) -> None:
    """Play on the full screen, and print how it ended once the screen is gone.

    Raises `MissingExtra` without the extra `tui`, and `KeyboardInterrupt` when left by Ctrl-C.
    """
    from poker_actors.console import run_full_screen

    interrupted = run_full_screen(session, _PAUSE)
    for line in session.take_lines():
        write_line(line)
    note(f"seed {session.setup.seed}")
    if interrupted:
        raise KeyboardInterrupt
