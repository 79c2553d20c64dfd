"""Write the Poker Hand History standard, comments and unknown fields included."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Final, assert_never

from poker_actors.cards import CARDS, Card
from poker_actors.errors import BadCard, BadHistory
from poker_actors.history.draft import amount_in, amount_text, in_chips, read_amount
from poker_actors.history.hand_history import (
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    HandHistory,
    Note,
    Showed,
    Step,
)
from poker_actors.history.unknown import cards_text, parse_known_or_not

_PLAYERS: Final = {f"p{player + 1}": player for player in range(16)}
DASH: Final = (Card("Xn"),)
"""Stands for the cards of a show written as a dash, until `parse_phh` fills in those held."""


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
        raise BadHistory(f"{word[:20]!r} is not a player: players are p1 to p10")
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


_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_NOT_LITERAL: Final = re.compile(r"['\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")
_ESCAPED: Final = re.compile(r'["\\\x00-\x1f\x7f\ud800-\udfff]')
_SHORT: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def key_text(key: str) -> str:
    """Return a key, quoted if needed."""
    return key if _BARE_KEY.fullmatch(key) else string_text(key)


def string_text(text: str) -> str:
    """Return a string in single quotes, or with escapes in double ones.

    Raises `BadHistory` for a lone surrogate, which TOML cannot hold.
    """
    if _NOT_LITERAL.search(text) is None:
        return f"'{text}'"
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    mark = found[0]
    if ord(mark) >= 0xD800:
        raise BadHistory(f"the text holds {mark!r}, which is not a character")
    return _SHORT.get(mark) or f"\\u{ord(mark):04x}"


def value_text(found: object) -> str:
    """Return the value of a field as text; raise `BadHistory` for a type that TOML lacks."""
    match found:
        case bool():
            return "true" if found else "false"
        case str():
            return string_text(found)
        case int():
            return str(found)
        case Decimal() | float():
            return _number_text(Decimal(found) if isinstance(found, Decimal) else Decimal(repr(found)))
        case datetime() | date() | time():
            return found.isoformat()
        case list() | tuple():
            return f"[{', '.join(map(value_text, found))}]"
        case Mapping():
            pairs = (f"{key_text(key)} = {value_text(one)}" for key, one in found.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            raise BadHistory(f"a {type(found).__name__} cannot be written as TOML")


def _number_text(number: Decimal) -> str:
    """Return a float with the digits it was read with."""
    if not number.is_finite():
        return {"Infinity": "inf", "-Infinity": "-inf"}.get(str(number), "nan")
    text = str(number).replace("E", "e")
    return text if "." in text or "e" in text else f"{text}.0"


_FOLDS: Final = [f"'p{player + 1} f'" for player in range(16)]
_CALLS: Final = [f"'p{player + 1} cc'" for player in range(16)]
_DEALS: Final = [f"'d dh p{player + 1} " for player in range(16)]
_CARDS: Final = [*map(str, CARDS), "??"]
"""Card texts by number; `UNKNOWN` is numbered next after the jokers."""


def phh_text(history: HandHistory) -> str:
    """Return one hand as the text of a `.phh` file, or of a section of a `.phhs` file.

    Raises `BadHistory` for a game outside the standard, and for a text with a lone surrogate.
    """
    if history.notes:
        return _with_notes(_lists(history), history.notes)
    return "".join([f"{key} = {_list_text(found)}\n" for key, found in _lists(history)])


def _list_text(found: str | list[str]) -> str:
    return found if type(found) is str else f"[{', '.join(found)}]"


def _lists(history: HandHistory) -> list[tuple[str, str | list[str]]]:
    """Return the fields in the order of the standard, with values as text, lists item by item."""
    scale = history.scale
    variant = history.variant
    zeros = (0,) * history.size
    antes, blinds = history.antes or zeros, history.blinds
    if history.size == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    rows: list[tuple[str, str | list[str]]] = [("variant", f"'{variant}'")]
    if history.trimmed_antes:
        rows.append(("ante_trimming_status", "true"))
    rows.append(("antes", _amounts(antes, scale)))
    if history.game.brings_in:
        rows.append(("bring_in", amount_text(history.bring_in, scale)))
    else:
        rows.append(("blinds_or_straddles", _amounts(blinds, scale)))
    if history.game.bets_per_street:
        rows.append(("small_bet", amount_text(history.min_bet, scale)))
        rows.append(("big_bet", amount_text(2 * history.min_bet, scale)))
    else:
        rows.append(("min_bet", amount_text(history.min_bet, scale)))
    rows.append(("starting_stacks", _amounts(history.stacks, scale)))
    rows.append(("actions", _actions(history.steps, scale)))
    if history.players:
        rows.append(("players", [string_text(name) for name in history.players]))
    if history.seats:
        rows.append(("seats", [str(seat + 1) for seat in history.seats]))
    return [*rows, *_told(history)]


def _told(history: HandHistory) -> list[tuple[str, str | list[str]]]:
    """Return the fields of results and of further facts."""
    scale = history.scale
    rows: list[tuple[str, str | list[str]]] = []
    if history.finishing is not None:
        rows.append(("finishing_stacks", _amounts(history.finishing, scale)))
    if history.winnings is not None:
        rows.append(("winnings", _amounts(history.winnings, scale)))
    if history.rake is not None:
        rows.append(("_rake", amount_text(history.rake, scale)))
    if history.dead_small:
        rows.append(("_dead_small_blind", amount_text(history.dead_small, scale)))
    if history.run_again:
        rows.append(("_run_again", [f"'{cards_text(run)}'" for run in history.run_again]))
    for key, found in history.fields.items():
        text = [value_text(one) for one in found] if isinstance(found, list) else value_text(found)
        rows.append((key_text(key), text))
    return rows


def _amounts(chips: Sequence[int], scale: int) -> list[str]:
    if scale == 1:
        return list(map(str, chips))
    return [amount_text(amount, scale) for amount in chips]


def _actions(steps: Sequence[Step], scale: int) -> list[str]:
    texts = []
    cards = _CARDS
    for step in steps:
        if step.comment or type(step) is Comment:
            texts.append(string_text(step_text(step, scale)))
        elif type(step) is ActionStep:
            if step.move is ActionKind.CALL:
                texts.append(_CALLS[step.player])
            elif step.move is ActionKind.FOLD:
                texts.append(_FOLDS[step.player])
            elif step.move is ActionKind.BRING_IN:
                texts.append(f"'p{step.player + 1} pb'")
            else:
                texts.append(f"'p{step.player + 1} cbr {amount_text(step.total, scale)}'")
        elif type(step) is Dealt:
            texts.append(_DEALS[step.player] + "".join([cards[card] for card in step.cards]) + "'")
        else:
            texts.append(f"'{step_text(step, scale)}'")
    return texts


def _with_notes(rows: list[tuple[str, str | list[str]]], notes: Sequence[Note]) -> str:
    """Write fields and comments, each comment in its place."""
    at: dict[tuple[str, int, bool], list[str]] = {}
    for note in notes:
        at.setdefault((key_text(note.key), note.item, note.own_line), []).append(f"# {note.text}".rstrip())
    lines: list[str] = []
    for key, found in rows:
        lines += at.pop((key, -1, True), [])
        inside = any(place[0] == key and place[1] >= 0 for place in at)
        if inside and type(found) is list:
            lines += [f"{key} = [", *_items(key, found, at), "]"]
        else:
            lines.append(f"{key} = {_list_text(found)}")
        beside = at.pop((key, -1, False), [])
        if beside:
            lines[-1] += f"  {' '.join(beside)}"
    lines += [text for texts in at.values() for text in texts]
    return "\n".join([*lines, ""])


def _items(key: str, found: list[str], at: dict[tuple[str, int, bool], list[str]]) -> list[str]:
    lines = []
    for place in range(len(found) + 1):
        lines += [f"  {text}" for text in at.pop((key, place, True), [])]
        beside = "  ".join(["", *at.pop((key, place, False), [])])
        if place < len(found):
            lines.append(f"  {found[place]},{beside}")
        elif beside:
            lines.append(beside)
    return lines
