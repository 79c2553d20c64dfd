"""What the values of options are called in the help, and which of them name a file that is written."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from cyclopts import Parameter

__all__ = ["ADDRESS", "BOT", "CHIPS", "FILE", "GAME", "WRITTEN", "Blinds", "Driver"]

ADDRESS: Final = Parameter(metavar="HOST:PORT")
BOT: Final = Parameter(metavar="BOT")
CHIPS: Final = Parameter(metavar="CHIPS", allow_leading_hyphen=True)
FILE: Final = Parameter(metavar="FILE")
GAME: Final = Parameter(metavar="GAME")

WRITTEN: Final = "written"
"""Marks an option whose file is written: it is never one that the same line reads."""

Blinds = Annotated[str, Parameter(metavar="SMALL/BIG", allow_leading_hyphen=True)]
Driver = Literal["direct", "stepper", "threads"]
