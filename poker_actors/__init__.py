"""A poker room of actors you can embed, run a million hands through, and stop at any single message.

The names below are imported on first use, so ``import poker_actors`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from poker_actors.version import __version__

if TYPE_CHECKING:
    from poker_actors.actors import HandState, Player, Refusal, Room, Table, TableNews
    from poker_actors.actors.aio import AsyncRoom
    from poker_actors.bots import AllIn, bot
    from poker_actors.cards import Card, Deck, parse_cards
    from poker_actors.debug import Stepper
    from poker_actors.errors import IllegalAction, PokerError
    from poker_actors.evaluator import category, describe, evaluate
    from poker_actors.rules import (
        HOLDEM,
        Bet,
        Call,
        Check,
        Fold,
        Game,
        Hand,
        Legal,
        RaiseTo,
        Stakes,
        View,
    )
    from poker_actors.sim import SimulationResult, simulate

__all__ = [
    "HOLDEM",
    "AllIn",
    "AsyncRoom",
    "Bet",
    "Call",
    "Card",
    "Check",
    "Deck",
    "Fold",
    "Game",
    "Hand",
    "HandState",
    "IllegalAction",
    "Legal",
    "Player",
    "PokerError",
    "RaiseTo",
    "Refusal",
    "Room",
    "SimulationResult",
    "Stakes",
    "Stepper",
    "Table",
    "TableNews",
    "View",
    "__version__",
    "bot",
    "category",
    "describe",
    "evaluate",
    "parse_cards",
    "simulate",
]

_PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "actors": ("HandState", "Player", "Refusal", "Room", "Table", "TableNews"),
    "actors.aio": ("AsyncRoom",),
    "bots": ("AllIn", "bot"),
    "cards": ("Card", "Deck", "parse_cards"),
    "debug": ("Stepper",),
    "errors": ("IllegalAction", "PokerError"),
    "evaluator": ("category", "describe", "evaluate"),
    "rules": (
        "HOLDEM", "Bet", "Call", "Check", "Fold", "Game", "Hand", "Legal", "RaiseTo", "Stakes", "View",
    ),
    "sim": ("SimulationResult", "simulate"),
}  # fmt: skip
"""Package -> the names that are imported from it."""

_PACKAGE_OF: Final = {name: package for package, names in _PACKAGES.items() for name in names}


def __getattr__(name: str) -> Any:
    package = _PACKAGE_OF.get(name)
    if package is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{package}"), name)
    if name == "Room" and value.debugger is None:
        value.debugger = (
            _debug  # a room does not know the debugger, which is built on it; this door knows both
        )
    return value


def _debug(room: Room, table: str) -> Any:
    return __getattr__("Stepper").of_room(room, table)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
