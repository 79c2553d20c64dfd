"""Bet sizes: legal raises of the sizes that players name."""

from __future__ import annotations

from poker_actors.rules import Action, Legal, RaiseTo, View, action

__all__ = ["CALL", "CHECK", "FOLD", "call_or_check", "min_raise", "pot_raise", "raise_between"]

CALL, CHECK, FOLD = action.CALL, action.CHECK, action.FOLD


def call_or_check(legal: Legal) -> Action:
    """Call, or check if that is free."""
    return CALL if legal.to_call else CHECK


# `max_raise_to` is read where `can_raise` would say the same by a call: these are on the path of every raise.


def min_raise(legal: Legal) -> Action:
    """Raise or bet the minimum; call or check if no raise is allowed."""
    return RaiseTo(legal.min_raise_to) if legal.max_raise_to else call_or_check(legal)


def raise_between(legal: Legal, total: int) -> Action:
    """Raise to `total` chips, or to the nearest legal total; call or check if no raise is allowed."""
    if not legal.max_raise_to:
        return call_or_check(legal)
    return RaiseTo(max(legal.min_raise_to, min(total, legal.max_raise_to)))


def pot_raise(view: View, fraction: float) -> Action:
    """Raise by `fraction` of the pot after a call, to the nearest legal total; call or check if no raise is allowed."""
    legal = view.legal
    if not legal.max_raise_to:
        return call_or_check(legal)
    by = int(fraction * (view.pot + legal.to_call))
    return raise_between(legal, view.public.bet + by)
