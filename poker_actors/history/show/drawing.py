"""Draw a history as lines of text, street by street."""

from __future__ import annotations

from poker_actors.history.chips import amount_text
from poker_actors.history.hand_history import HandHistory
from poker_actors.history.show.frames import Frame, Said, frames_of
from poker_actors.history.story import common_ante

__all__ = ["drawing"]


def drawing(history: HandHistory, said: Said | None = None) -> list[str]:
    """Draw a hand, from the seats to the result; raise `Discrepancy` if the rules disagree.

    `said` is what was said before an action, by the action's number from 0.
    """
    _, frames = frames_of(history, said or {})
    lines = [_title(history)]
    widest = max(len(history.name(player)) for player in range(history.size))
    for player, hole in enumerate(history.holes):
        stack = amount_text(history.stacks[player], history.scale)
        role = _role(history, player)
        cards = " ".join(map(str, hole))
        lines.append(f"  {history.name(player):<{widest}}  {cards}  {stack:>10}{role}")
    street = ""
    before: Frame | None = None
    for frame in frames:
        if frame.street != street:
            street = frame.street
            pot = f"  pot {before.pot}" if before and before.pot != "0" else ""
            board = f"  {frame.board}" if frame.board else ""
            lines.append(f"{street}{board}{pot}")
        if not frame.words.startswith(f"the {street}:"):
            result = frame.words.startswith("result: ")
            lines.append(frame.words if result else f"  {frame.words}")
        before = frame
    return lines


def _title(history: HandHistory) -> str:
    blinds = [amount_text(abs(blind), history.scale) for blind in history.blinds if blind]
    if history.size == 2:
        blinds.reverse()
    parts = [f"hand {history.hand_id}" if history.hand_id else "a hand", history.game.title, "/".join(blinds)]
    if any(history.antes):
        parts.append(f"ante {amount_text(common_ante(history), history.scale)}")
    event = history.fields.get("event")
    if isinstance(event, str):
        parts.append(event)
    return ", ".join(part for part in parts if part)


def _role(history: HandHistory, player: int) -> str:
    """Mark the button, which heads-up is the small blind, too."""
    return "  button" if player == history.size - 1 else ""
