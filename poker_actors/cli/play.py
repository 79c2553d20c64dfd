"""`poker-actors play`: hold'em at a terminal, against bots, through the room's own actors."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from poker_actors.cli.output import note

__all__ = ["play"]

Signed = Annotated[str, Parameter(allow_leading_hyphen=True)]


def play(
    *,
    players: int | None = None,
    bot: list[str] | None = None,
    seed: int | None = None,
    stacks: Signed = "100bb",
    blinds: Signed = "1/2",
    game: str = "holdem",
    plain: bool = False,
) -> None:
    """Play hold'em against one to nine bots until you leave, are out, or have all the chips.

    Args:
        players: How many sit at the table, you among them: 2 to 10. Six, or one more than the bots named.
        bot: A bot: NAME, NAME:key=value,key=value, FILE.py:FUNCTION or MODULE:FUNCTION. Fewer bots than
            seats sit down more than once.
        seed: Any whole number; drawn, and shown, if not given.
        stacks: Chips to start with: 200, 100bb, or one per seat, yours first.
        blinds: SMALL/BIG, in chips.
        game: holdem, limit-holdem, omaha or short-deck.
        plain: Lines instead of a full screen; the default where there is no terminal.
    """
    from poker_actors.cli.line_terminal import has_screen
    from poker_actors.cli.table_front import drawn_seed, play_full_screen, play_lines
    from poker_actors.console import Session, holdem_setup
    from poker_actors.rules import Stakes

    chosen = drawn_seed() if seed is None else seed
    setup = holdem_setup(
        seed=chosen, players=players, bots=bot or (), stakes=Stakes.parse(blinds), stacks=stacks, game=game
    )
    if plain or not has_screen():
        if seed is None:
            note(f"seed {chosen}")
        play_lines(Session(setup))
    else:
        play_full_screen(Session(setup))
