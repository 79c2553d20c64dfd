"""Bots that are programs of their own, in any language: a line of JSON for each decision, and one back."""

from poker_actors.bots.program.bot import ProgramBot
from poker_actors.bots.program.command import program_spec
from poker_actors.bots.program.protocol import VERSION, schema

__all__ = ["VERSION", "ProgramBot", "program_spec", "schema"]
