"""Which games' luck is told: those whose pots go by one showdown of hands that nobody changes."""

from __future__ import annotations

from poker_actors.errors import BadSpec
from poker_actors.rules import Game
from poker_actors.rules.cash import CashOptions
from poker_actors.rules.games import Rotation

__all__ = ["check_luck"]


def check_luck(game: Game | Rotation, options: CashOptions | None) -> None:
    """Raise `BadSpec` for a game, or options of a table, whose luck cannot be told."""
    if isinstance(game, Rotation):
        raise BadSpec(f"the luck of {game} cannot be taken out: it is a rotation of games")
    reasons = {
        "pots are shared": len(game.shares) > 1,
        "there are several boards": game.boards > 1,
        "cards lie open": any(street.up for street in game.streets),
        "cards are thrown away": any(street.draw or street.throw for street in game.streets),
    }
    for reason, holds in reasons.items():
        if holds:
            raise BadSpec(f"the luck of {game} cannot be taken out: {reason}")
    if options is not None and options.bomb_every and max(options.boards, options.bomb_boards) > 1:
        raise BadSpec("the luck of bomb pots on several boards cannot be taken out")
