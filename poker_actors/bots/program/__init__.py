"""Bots that are programs, in any language: they read a line of JSON per decision and write one back."""

from poker_actors.bots.program.bot import ProgramBot
from poker_actors.bots.program.command import program_spec
from poker_actors.bots.program.protocol import VERSION, schema

__all__ = ["VERSION", "ProgramBot", "program_spec", "schema"]
