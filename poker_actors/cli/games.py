"""`poker-actors games`: list all games, and say how to add one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from poker_actors.cli.output import note
from poker_actors.cli.values import JsonOption, to_be_printed

if TYPE_CHECKING:
    from poker_actors.rules import Game

__all__ = ["games"]


def games(*, json: JsonOption = None) -> None:
    """List every game, those of installed packages included, by name, PHH code, seats and betting.

    A game of yours is a row in a file, `--game FILE.py:NAME`; docs/games.md has one to start from.
    """
    from poker_actors.rules.games import GAMES, games_of_packages

    others, refused = games_of_packages()
    rows = [_plain(name, game) for name, game in (GAMES | others).items()]
    for text in refused:
        note(f"poker-actors: {text}")
    if to_be_printed(json, rows):
        width = max(len(row["name"]) for row in rows)
        for row in rows:
            code, seats = row["code"] or "-", f"2-{row['max_seats']}"
            aliases = f" ({', '.join(row['aliases'])})" if row["aliases"] else ""
            print(
                f"{row['name']:<{width}}  {code:<6} {seats:<5} {row['betting']:<12} {row['title']}{aliases}"
            )
        print("in turn: horse, 8-game, dealers-choice, or names with + between, --game holdem+stud+badugi")
        print("a new one: a row in a file of yours, --game FILE.py:NAME")


def _plain(name: str, game: Game) -> dict[str, Any]:
    return {
        "name": name,
        "title": game.title,
        "code": game.code,
        "aliases": list(game.aliases),
        "max_seats": game.max_seats,
        "betting": "points" if game.open_face else game.betting.value,
        "streets": [street.name for street in game.streets],
        "hole_cards": game.hole_cards,
        "board_cards": game.board_cards,
        "boards": game.boards,
        "shares": [share.name for share in game.shares if share.name],
        "draws": game.draws,
        "stakes": str(game.stakes),
    }
