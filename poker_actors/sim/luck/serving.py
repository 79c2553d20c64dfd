"""Which games' luck is told: those whose pots go by one showdown of hands that nobody changes."""

from __future__ import annotations

from typing import Any, Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Game
from poker_actors.rules.cash import CashOptions

__all__ = ["check_luck"]

_GAME: Final = frozenset(
    {
        *("name", "title", "streets", "betting", "strengths", "pack", "bets_per_street", "free_raise"),
        *("raise_again", "capped", "max_seats", "stakes", "stack", "words", "hole_cards", "board_cards"),
    }
)
_STREET: Final = frozenset(("name", "hole", "board", "bet_units"))
"""What a share of the pot at showdown takes account of. A game that says anything else is not guessed at."""


def check_luck(game: Game, options: CashOptions | None) -> None:
    """Raise `BadSpec` for a game, or options of a table, whose luck cannot be told."""
    unknown = sorted(
        {*_said(game, _GAME), *(name for street in game.streets for name in _said(street, _STREET))}
    )
    if unknown:
        raise BadSpec(
            f"the luck of {game} cannot be taken out: its {', '.join(unknown)} would have to be known"
        )
    if options is not None and options.bomb_every and options.boards > 1:
        raise BadSpec("the luck of bomb pots on several boards cannot be taken out")


def _said(value: Any, known: frozenset[str]) -> list[str]:
    """The fields of a value that are not known and say something."""
    return [
        field.name
        for field in attrs.fields(type(value))
        if field.name not in known and getattr(value, field.name) != _default(field)
    ]


def _default(field: Any) -> Any:
    factory = field.default
    return factory.factory() if isinstance(factory, attrs.Factory) and not factory.takes_self else factory  # type: ignore[arg-type]  # attrs types the class as a function
