"""What can be asked by name in a session: `pot`, `to_call`, `stacks[2] > 100`; for watches and breakpoints."""

from __future__ import annotations

import ast
from typing import Any, Final

from poker_actors.debug.state import HIDDEN, card_text
from poker_actors.debug.viewpoint import Viewpoint
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand

__all__ = ["evaluate_expression", "names_of"]

_ALLOWED: Final = (
    ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Subscript, ast.Index, ast.Slice, ast.List, ast.Tuple,
    ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.FloorDiv, ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.Is, ast.IsNot, ast.Call,
)  # fmt: skip
"""No attribute and no power: an expression looks at a few plain values and cannot run away."""

_FUNCTIONS: Final = {"len": len, "max": max, "min": min, "sum": sum}
_LONGEST: Final = 200


def names_of(hand: Hand | None, viewpoint: Viewpoint, step: int) -> dict[str, Any]:
    """Give the values that expressions see; of a hand not dealt yet, only the `step`."""
    if hand is None:
        return {"step": step, "street": "", "pot": 0, "over": False}
    public = hand.public()
    active = public.active
    shown = dict(public.shown)
    holes = [
        card_text(hole) if viewpoint.sees(seat) or seat in shown else HIDDEN if hole else ""
        for seat, hole in enumerate(hand.holes)
    ]
    return {
        "step": step,
        "street": public.phase,
        "pot": public.pot,
        "pots": [pot.amount for pot in hand.pots],
        "board": card_text(public.board),
        "bet": public.bet,
        "min_raise_to": public.min_raise_to,
        "to_call": 0 if active is None else public.to_call(active),
        "active": active,
        "to_act": list(public.to_act),
        "live": list(public.live),
        "stacks": list(public.stacks),
        "bets": list(public.bets),
        "payoffs": list(hand.payoffs),
        "button": hand.button,
        "actions": public.seq,
        "holes": holes,
        "over": public.over,
    }


def evaluate_expression(text: str, names: dict[str, Any]) -> Any:
    """Give the value of a small expression over `names`; raises `BadSpec` naming what is wrong."""
    try:
        tree = ast.parse(text.strip()[: _LONGEST + 1], mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadSpec(f"{text[:60]!r} is no expression, such as pot > 100") from None
    if len(text) > _LONGEST:
        raise BadSpec(f"an expression has at most {_LONGEST} characters")
    for node in ast.walk(tree):
        named = isinstance(node, ast.Call) and not (
            isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
        )
        if not isinstance(node, _ALLOWED) or named:
            raise BadSpec(f"{text[:60]!r}: {type(node).__name__.lower()} is not understood here")
        if isinstance(node, ast.Name) and node.id not in names and node.id not in _FUNCTIONS:
            raise BadSpec(f"there is no {node.id[:40]!r} (there are {', '.join(sorted(names))})")
    try:
        return eval(compile(tree, "<expression>", "eval"), {"__builtins__": {}, **_FUNCTIONS}, names)
    except (ArithmeticError, LookupError, TypeError, ValueError, MemoryError) as error:
        raise BadSpec(f"{text[:60]!r}: {type(error).__name__}: {error}") from None
