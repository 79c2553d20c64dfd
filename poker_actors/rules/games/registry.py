"""Where a game is looked up: by its name, by another one it is known by, or by its PHH code."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from poker_actors.errors import BadSpec
from poker_actors.rules.game import Game
from poker_actors.rules.games.five_card import FIVE_CARD_GAMES
from poker_actors.rules.games.table import TABLE

__all__ = ["GAMES", "game_named"]

GAMES: Final[dict[str, Game]] = {game.name: game for game in (*TABLE, *FIVE_CARD_GAMES)}
"""The games by the name one types."""

_OTHER_NAMES: Final = {name: game for game in TABLE for name in (*game.aliases, game.code.lower()) if name}


def game_named(name: str) -> Game:
    """Look a game up by name, alias or PHH code; raises `BadSpec` with the nearest name."""
    game = GAMES.get(name) or _OTHER_NAMES.get(name.lower())
    if game is None:
        near = get_close_matches(name, GAMES, n=1)
        hint = f", did you mean {near[0]}?" if near else ""
        raise BadSpec(f"no game is called {name[:40]!r}{hint} (there are {', '.join(GAMES)})")
    return game
