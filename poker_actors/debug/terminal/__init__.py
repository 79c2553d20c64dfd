"""The debugger as a line-based terminal program."""

from poker_actors.debug.terminal.commands import COMMANDS, Commands, Quit
from poker_actors.debug.terminal.loop import PROMPT, converse
from poker_actors.debug.terminal.words import next_words, step_words, title

__all__ = ["COMMANDS", "PROMPT", "Commands", "Quit", "converse", "next_words", "step_words", "title"]
