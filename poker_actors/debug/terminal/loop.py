"""The debugger's loop at a terminal or on a pipe: read a line, write its output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from poker_actors.debug.draw import draw_text
from poker_actors.debug.session import Stepper
from poker_actors.debug.terminal.commands import Commands, Quit
from poker_actors.debug.terminal.words import next_words, title

__all__ = ["PROMPT", "converse"]

PROMPT: Final = "(debug) "


def converse(stepper: Stepper, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Carry out `lines` until they end or one of them quits; then close all branches."""
    commands = Commands(stepper)
    try:
        write(f"{title(stepper)}; h lists the commands")
        for line in draw_text(stepper.picture()):
            write(f"      {line}")
        for line in next_words(stepper, stepper.names()):
            write(line)
        for asked in lines:
            for line in commands.do(asked):
                write(line)
    except Quit:
        pass
    finally:
        commands.close()
