"""Bots that are programs, in any language: they read a line of JSON per decision and write one back."""

from poker_actors.bots.program.bot import ProgramBot
from poker_actors.bots.program.child import Ran, run
from poker_actors.bots.program.isolated import IsolatedBot
from poker_actors.bots.program.protocol import VERSION, heard_line, schema
from poker_actors.bots.program.starting import Program, Started, bare_environment, program_spec

__all__ = [
    "VERSION",
    "IsolatedBot",
    "Program",
    "ProgramBot",
    "Ran",
    "Started",
    "bare_environment",
    "heard_line",
    "program_spec",
    "run",
    "schema",
]
