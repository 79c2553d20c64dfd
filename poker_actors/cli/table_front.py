"""What `console` and `play` share: a drawn seed, and the two ways to play a session."""

from __future__ import annotations

import secrets

from poker_actors.cli.line_terminal import line_reader, write_line
from poker_actors.cli.output import note
from poker_actors.console import Session, endings_interrupt, play_plain

__all__ = ["drawn_seed", "play_full_screen", "play_lines"]


def drawn_seed() -> int:
    """Draw a seed that is short enough to type."""
    return secrets.randbelow(10**9)


def play_lines(session: Session) -> None:
    """Play line by line on stdin and stdout."""
    with endings_interrupt():
        play_plain(session, line_reader(), write_line)


def play_full_screen(session: Session) -> None:
    """Play on the whole screen, and say how it ended once the screen is gone.

    Raises `MissingExtra` without the extra `tui`, and `KeyboardInterrupt` when left by Ctrl-C.
    """
    from poker_actors.console import run_full_screen

    with endings_interrupt():
        interrupted = run_full_screen(session)
    for line in session.take_lines():
        write_line(line)
    note(f"seed {session.setup.seed}")
    if interrupted:
        raise KeyboardInterrupt
