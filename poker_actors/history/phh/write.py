"""Write the Poker Hand History standard, comments and unknown fields included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.cards import CARDS
from poker_actors.history.chips import amount_text
from poker_actors.history.hand_history import ActionKind, ActionStep, Comment, Dealt, HandHistory, Note, Step
from poker_actors.history.phh.notation import step_text
from poker_actors.history.phh.toml_text import key_text, string_text, value_text
from poker_actors.history.unknown import cards_text

__all__ = ["phh_text"]

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
