"""`poker-actors console`: play the two-player five-card game against the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from poker_actors.cli.values import FILE, JsonOption, Plain, Seed

__all__ = ["console"]


def console(  # noqa: PLR0913  every option of the command is one
    *,
    seed: Seed = None,
    log: Annotated[Path, FILE] = Path("PokerCPP.log"),
    cpu: Literal["seed", "fair"] = "seed",
    plain: Plain = False,
    difficulty: Literal["easy", "normal", "hard"] = "normal",
    chances: Literal["coded", "commented"] = "coded",
    classes: Literal["counts", "printed", "kickers"] = "counts",
    name: Annotated[str, Parameter(allow_leading_hyphen=True)] = "player",
    json: JsonOption = None,
) -> None:
    """Play the two-player five-card console game against the CPU.

    Both have 200 credits. Three cards, then a fourth and a fifth; after each the CPU bets, you call,
    fold or raise up to its credits, and it calls or folds. Suits do not count.

    Args:
        log: Write a log: events, appended; put aside as FILE.1 at one megabyte.
        cpu: seed peeks at your cards, as the original does; fair judges by its own.
        difficulty: How the CPU bets and calls: easy, normal (the original's tables) or hard.
        chances: The original's chances as coded, or as its comments say.
        classes: Hands by counts, as the original's program prints them, or with kickers.
        name: Name in the log: yours.
    """
    from poker_actors.bots import drawn_seed
    from poker_actors.cli.play import play_session
    from poker_actors.console import EventLog, Session, five_card_setup

    chosen = drawn_seed() if seed is None else seed
    setup = five_card_setup(seed=chosen, cpu=cpu, level=difficulty, chances=chances, classes=classes)
    session = Session(setup, EventLog(log), name)
    play_session(session, drawn=seed is None, plain=plain, json=json)
