"""Explain a number of a hand by the events that led to it, checked against the rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from poker_actors.debug.viewpoint import GOD, Viewpoint
from poker_actors.debug.why.showdown import why_pot, why_side_pot, why_stack, why_to_call, why_winner
from poker_actors.debug.why.turns import Link, Reason, placed_events, why_action, why_illegal, why_turn
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand

__all__ = ["Link", "Reason", "placed_events", "why"]

_ILLEGAL: Final = re.compile(r"(?:illegal|legal) ?(.*)")
_WHAT: Final = re.compile(
    r"(pot|to_call|stack|payoff|side pot|main pot|winner|turn|action)(?: (?:seat )?([0-9]{1,2}))?"
)


def why(hand: Hand, what: str, acts: Sequence[int] = (), viewpoint: Viewpoint = GOD) -> Reason:
    """Explain `what`, read from `hand` as the viewpoint may see it.

    `what` is `pot`, `to_call`, `to_call 2`, `stack 2`, `payoff 2`, `main pot`, `side pot 1`, `winner`,
    `turn`, `action` or `illegal ACTION`; raises `BadSpec` for anything else. `acts` are the steps of
    the deal and of every action.
    """
    asked = _ILLEGAL.fullmatch(" ".join(what.strip().lower().split()))
    if asked is not None:
        return why_illegal(hand, acts, asked[1])
    match = _WHAT.fullmatch(" ".join(what.strip().lower().split()))
    if match is None:
        raise BadSpec(
            f"why {what[:40]!r}: ask for pot, to_call [SEAT], stack SEAT, main pot, side pot N, winner, "
            "turn, action, illegal ACTION or deadline"
        )
    kind, number = match[1], None if match[2] is None else int(match[2])
    if kind in ("to_call", "stack", "payoff") and number is not None and number >= len(hand.stacks):
        raise BadSpec(f"why {what}: seats are 0 to {len(hand.stacks) - 1}")
    if kind in ("stack", "payoff"):
        if number is None:
            raise BadSpec(f"why {kind}: of which seat? {kind} 0 to {kind} {len(hand.stacks) - 1}")
        return why_stack(hand, acts, number)
    if kind == "action":
        return why_action(hand, viewpoint)
    if kind == "turn":
        return why_turn(hand, acts)
    if kind == "to_call":
        return why_to_call(hand, acts, number)
    if kind in ("side pot", "main pot"):
        return why_side_pot(hand, acts, 0 if kind == "main pot" else 1 if number is None else number)
    return why_winner(hand, acts, viewpoint) if kind == "winner" else why_pot(hand, acts)
