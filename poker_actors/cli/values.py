"""The options that commands share: name, type and help of each, said once.

An option that means a little more in one command (`--data`, `--bot`) keeps its help there; a test holds its first words
to be the same everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

__all__ = [
    "ADDRESS",
    "BLINDS",
    "BOT",
    "CHIPS",
    "FILE",
    "GAME",
    "WRITTEN",
    "Blinds",
    "BotSeed",
    "Driver",
    "Force",
    "Hands",
    "PasswordFile",
    "Plain",
    "Seed",
    "SeedFile",
    "SetSeed",
    "Stacks",
    "Url",
    "User",
]


def _check_hands(kind: object, hands: int) -> None:
    from poker_actors.sim import MOST_HANDS

    if not 1 <= hands <= MOST_HANDS:
        raise ValueError(f"the least is 1, the most {MOST_HANDS:,}")


ADDRESS: Final = Parameter(metavar="HOST:PORT")
BLINDS: Final = Parameter(metavar="SMALL/BIG", allow_leading_hyphen=True)
BOT: Final = Parameter(metavar="BOT")
CHIPS: Final = Parameter(metavar="CHIPS", allow_leading_hyphen=True)
FILE: Final = Parameter(metavar="FILE")
GAME: Final = Parameter(metavar="GAME")

WRITTEN: Final = "written"
"""Mark an option whose file is written; it must not be a file that the same command line reads."""

_SEED: Final = "Seed of everything random: any whole number"
_DRAWN: Final = "; drawn, and shown, if not given."
_SEED_FILE: Final = "File that holds the seed: no list of processes shows it, as it may show --seed."
_STACKS: Final = """Chips at the start: 200, 100bb, or one per seat, 200,150,90. 100bb if not given, in games
without blinds 200."""
_BLINDS: Final = "The blinds, in chips; the game's own if not given."
_BOT_SEED: Final = f"Seed of the bot's random choices: any whole number{_DRAWN}"
_PASSWORD: Final = """File whose first line is the password. Without it, it is in POKER_ACTORS_PASSWORD, or
you are asked on a terminal; elsewhere the password is empty."""
_PLAIN: Final = "Lines instead of a full screen: the default where there is no terminal."

Blinds = Annotated[str | None, BLINDS, Parameter(help=_BLINDS)]
BotSeed = Annotated[int | None, Parameter(name=["--bot-seed", "--seed"], help=_BOT_SEED)]
Driver = Literal["direct", "stepper", "threads"]
Force = Annotated[bool, Parameter(help="Overwrite existing files.")]
Hands = Annotated[int, Parameter(help="How many hands to play.", validator=_check_hands)]
PasswordFile = Annotated[str | None, FILE, Parameter(help=_PASSWORD)]
Plain = Annotated[bool, Parameter(help=_PLAIN)]
Seed = Annotated[int | None, Parameter(help=_SEED + _DRAWN)]
SeedFile = Annotated[Path | None, FILE, Parameter(help=_SEED_FILE)]
SetSeed = Annotated[int, Parameter(help=f"{_SEED}.")]
"""A seed where one is given by default."""
Stacks = Annotated[str | None, CHIPS, Parameter(help=_STACKS)]
Url = Annotated[str, Parameter(help="The server, such as http://127.0.0.1:8080.")]
User = Annotated[str, Parameter(help="Name to play under.")]
