"""The action notation of the Poker Hand History standard, for one step of a hand."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, assert_never

from poker_actors.errors import BadCard, BadHistory
from poker_actors.history.chips import amount_in, amount_text, in_chips, read_amount
from poker_actors.history.hand_history import BoardDealt, Comment, Dealt, Move, Showed, Step, Turn
from poker_actors.history.unknown import cards_text, parse_known_or_not

__all__ = ["raise_amount", "read_step", "step_text"]

_PLAYERS: Final = {f"p{player + 1}": player for player in range(16)}
_PLAIN: Final[dict[str, Step]] = {
    f"p{player + 1} {move.value}": Turn(player, move)
    for player in range(16)
    for move in (Move.FOLD, Move.CALL)
}
"""Folds and calls by their text: most steps of most hands."""
_PLAIN_TEXTS: Final = {step: text for text, step in _PLAIN.items()}


def read_step(text: str, scale: int, dealt: dict[int, str]) -> Step:
    """Read one action; `dealt` holds each player's cards so far, for a show written as a dash.

    Raises `BadHistory` with the part that is wrong.
    """
    plain = _PLAIN.get(text)
    if plain is not None:
        return plain
    body, _hash_sign, comment = text.partition("#")
    try:
        step = _read_words(body.split(), scale, comment.strip(), dealt)
    except (BadCard, BadHistory) as error:
        raise BadHistory(f"action {text[:60]!r}: {error}") from None
    if step is None:
        raise BadHistory(f"action {text[:60]!r} is not in the notation, such as 'p1 cbr 60' or 'd db 2c3d4h'")
    return step


def _read_words(words: list[str], scale: int, comment: str, dealt: dict[int, str]) -> Step | None:
    match words:
        case []:
            return Comment(comment)
        case ["d", "db", cards]:
            return BoardDealt(parse_known_or_not(cards), comment)
        case ["d", "dh", who, cards]:
            player = _player(who)
            dealt[player] = dealt.get(player, "") + cards
            return Dealt(player, parse_known_or_not(cards), comment)
        case [who, "f" | "cc" as move]:
            return Turn(_player(who), Move(move), 0, comment)
        case [who, "cbr", amount]:
            total = read_amount("the amount", amount_in(amount))
            return Turn(_player(who), Move.RAISE, in_chips(total, scale), comment)
        case [who, "sm"]:
            return Showed(_player(who), (), comment)
        case [who, "sm", cards]:
            player = _player(who)
            return Showed(
                player, parse_known_or_not(dealt.get(player, "") if cards == "-" else cards), comment
            )
        case [_, "sd" | "pb", *_]:
            raise BadHistory("no game played here has draws or a bring-in")
        case _:
            return None


def _player(word: str) -> int:
    player = _PLAYERS.get(word)
    if player is None:
        raise BadHistory(f"{word[:20]!r} is no player: players are p1 to p10")
    return player


def raise_amount(text: str) -> Decimal | int | None:
    """Give the amount of a raise, unchecked; None for every other action or text."""
    words = text.partition("#")[0].split()
    return amount_in(words[2]) if len(words) == 3 and words[1] == "cbr" else None


def step_text(step: Step, scale: int) -> str:
    """Print a step in the notation; `read_step` is the inverse."""
    plain = _PLAIN_TEXTS.get(step)
    if plain is not None:
        return plain
    match step:
        case Turn(player, Move.RAISE, total):
            text = f"p{player + 1} cbr {amount_text(total, scale)}"
        case Turn(player, move):
            text = f"p{player + 1} {move.value}"
        case Dealt(player, cards):
            text = f"d dh p{player + 1} {cards_text(cards)}"
        case BoardDealt(cards):
            text = f"d db {cards_text(cards)}"
        case Showed(player, cards):
            text = f"p{player + 1} sm {cards_text(cards)}" if cards else f"p{player + 1} sm"
        case Comment():
            text = ""
        case _:
            assert_never(step)
    return f"{text} # {step.comment}".lstrip() if step.comment else text
