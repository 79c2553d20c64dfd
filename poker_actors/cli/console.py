"""`poker-actors console`: the two-player five-card game against the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from poker_actors.cli.output import note

__all__ = ["console"]


def console(
    *,
    seed: int | None = None,
    log: Path = Path("PokerCPP.log"),
    cpu: Literal["seed", "fair"] = "seed",
    plain: bool = False,
    difficulty: Literal["easy", "normal", "hard"] = "normal",
    chances: Literal["coded", "commented"] = "coded",
    classes: Literal["counts", "printed", "kickers"] = "counts",
    name: Annotated[str, Parameter(allow_leading_hyphen=True)] = "player",
) -> None:
    """Play the two-player five-card console game against the CPU.

    Both have 200 credits. Three cards, then a fourth and a fifth; after each the CPU bets, you call,
    fold or raise up to its credits, and it calls or folds. Suits do not count.

    Args:
        seed: Any whole number; drawn, and shown, if not given.
        log: The file that events are appended to; put aside as FILE.1 at one megabyte.
        cpu: seed peeks at your cards, as the original does; fair judges by its own.
        plain: Lines instead of a full screen; the default where there is no terminal.
        difficulty: How the CPU bets and calls: easy, normal (the original's tables) or hard.
        chances: The original's chances as coded, or as its comments say.
        classes: Hands by counts, as the original's program prints them, or with kickers.
        name: Your name in the log.
    """
    from poker_actors.cli.line_terminal import has_screen
    from poker_actors.cli.table_front import drawn_seed, play_full_screen, play_lines
    from poker_actors.console import EventLog, Session, five_card_setup

    chosen = drawn_seed() if seed is None else seed
    setup = five_card_setup(seed=chosen, cpu=cpu, level=difficulty, chances=chances, classes=classes)
    session = Session(setup, EventLog(log), name)
    if plain or not has_screen():
        if seed is None:
            note(f"seed {chosen}")
        play_lines(session)
    else:
        play_full_screen(session)
