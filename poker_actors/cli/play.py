"""`poker-actors play`: play hold'em or another game at a terminal against bots, in a room of actors."""

from __future__ import annotations

from typing import Annotated

from poker_actors.cli.values import BLINDS, BOT, CHIPS, GAME, JsonOption, Seed

__all__ = ["play"]


def play(  # noqa: PLR0913  every option of the command is one
    *,
    players: int | None = None,
    bot: Annotated[list[str] | None, BOT] = None,
    seed: Seed = None,
    stacks: Annotated[str, CHIPS] = "100bb",
    blinds: Annotated[str, BLINDS] = "1/2",
    game: Annotated[str, GAME] = "holdem",
    level: str | None = None,
    plain: bool = False,
    json: JsonOption = None,
) -> None:
    """Play hold'em, or another game, against one to nine bots until you leave, are out, or have all the chips.

    Args:
        players: How many play: 2 to 10, you among them. Six, or one more than the bots named.
        bot: A bot: NAME, NAME:key=value,key=value, FILE.py:FUNCTION or MODULE:FUNCTION. Fewer bots than
            seats sit down more than once.
        stacks: Chips at the start: 200, 100bb, or one per seat, yours first.
        blinds: The blinds, in chips.
        game: The game: a name that `poker-actors games` lists, with one board or none.
        level: How good the bots are: beginner, casual, regular, strong or expert; or in what way they err: gambler,
            stubborn, tame, timid or wild. A mix of simple bots if neither this nor --bot is given.
        plain: Lines instead of a full screen: the default where there is no terminal, and in open-face games.
    """
    from poker_actors.bots import drawn_seed
    from poker_actors.cli.table_front import play_session
    from poker_actors.console import Session, holdem_setup
    from poker_actors.rules import Stakes

    chosen = drawn_seed() if seed is None else seed
    setup = holdem_setup(
        seed=chosen,
        players=players,
        bots=bot or (),
        stakes=Stakes.parse(blinds),
        stacks=stacks,
        game=game,
        level=level,
    )
    # the full screen has no keys to place cards in open-face rows
    in_lines = plain or setup.game.open_face
    play_session(Session(setup), drawn=seed is None, plain=in_lines, json=json)
