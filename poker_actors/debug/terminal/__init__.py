"""The debugger as a line-based terminal program."""

from poker_actors.debug.terminal.asking import next_words, step_words, title
from poker_actors.debug.terminal.commands import COMMANDS, PROMPT, Commands, Quit, converse

__all__ = ["COMMANDS", "PROMPT", "Commands", "Quit", "converse", "next_words", "step_words", "title"]
