"""The action notation of the Poker Hand History standard, for one step of a hand."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final, assert_never

from poker_actors.cards import Card
from poker_actors.errors import BadCard, BadHistory
from poker_actors.history.chips import amount_in, amount_text, in_chips, read_amount
from poker_actors.history.hand_history import (
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    Showed,
    Step,
)
from poker_actors.history.unknown import cards_text, parse_known_or_not

__all__ = ["raise_amount", "read_step", "step_text"]

_PLAYERS: Final = {f"p{player + 1}": player for player in range(16)}
DASH: Final = (Card("Xn"),)
"""Stands for the cards of a show written as a dash, until `parse_phh` puts in those held."""


@lru_cache(maxsize=1 << 16)
def read_step(text: str, scale: int) -> Step:
    """Read one action; raise `BadHistory` naming the faulty part.

    A show written as a dash has the cards `DASH`.
    """
    body, _, comment = text.partition("#")
    try:
        step = _read_words(body.split(), scale, comment.strip())
    except (BadCard, BadHistory) as error:
        raise BadHistory(f"action {text[:60]!r}: {error}") from None
    if step is None:
        raise BadHistory(f"action {text[:60]!r} is not in the notation, such as 'p1 cbr 60' or 'd db 2c3d4h'")
    return step


def _read_words(words: list[str], scale: int, comment: str) -> Step | None:
    match words:
        case []:
            return Comment(comment)
        case ["d", "db", cards]:
            return BoardDealt(parse_known_or_not(cards), comment)
        case ["d", "dh", who, cards]:
            return Dealt(_player(who), parse_known_or_not(cards), comment)
        case [who, "f" | "cc" | "pb" as move]:
            return ActionStep(_player(who), ActionKind(move), 0, comment)
        case [who, "cbr", amount]:
            total = read_amount("the amount", amount_in(amount))
            return ActionStep(_player(who), ActionKind.RAISE, in_chips(total, scale), comment)
        case [who, "sm"]:
            return Showed(_player(who), (), comment)
        case [who, "sm", cards]:
            return Showed(_player(who), DASH if cards == "-" else parse_known_or_not(cards), comment)
        case [who, "sd"]:
            return Discarded(_player(who), (), comment)
        case [who, "sd", cards]:
            return Discarded(_player(who), parse_known_or_not(cards), comment)
        case _:
            return None


def _player(word: str) -> int:
    player = _PLAYERS.get(word)
    if player is None:
        raise BadHistory(f"{word[:20]!r} is no player: players are p1 to p10")
    return player


def raise_amount(text: str) -> Decimal | int | None:
    """Return the amount of a raise, unchecked; None for any other text."""
    words = text.partition("#")[0].split()
    return amount_in(words[2]) if len(words) == 3 and words[1] == "cbr" else None


def step_text(step: Step, scale: int) -> str:
    """Write a step in the notation; the inverse of `read_step`."""
    match step:
        case ActionStep(player, ActionKind.RAISE, total):
            text = f"p{player + 1} cbr {amount_text(total, scale)}"
        case ActionStep(player, move):
            text = f"p{player + 1} {move.value}"
        case Dealt(player, cards):
            text = f"d dh p{player + 1} {cards_text(cards)}"
        case Discarded(player, cards):
            text = f"p{player + 1} sd {cards_text(cards)}".rstrip()
        case BoardDealt(cards):
            text = f"d db {cards_text(cards)}"
        case Showed(player, cards):
            text = f"p{player + 1} sm {cards_text(cards)}" if cards else f"p{player + 1} sm"
        case Comment():
            text = ""
        case _:
            assert_never(step)
    return f"{text} # {step.comment}".lstrip() if step.comment else text
