"""The fastest `evaluate` installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeAlias

from poker_actors.cards import Card
from poker_actors.evaluator.fast.batch import engine
from poker_actors.evaluator.single import evaluate

__all__ = ["fast_evaluate"]

Evaluate: TypeAlias = Callable[[str | Iterable[Card | str | int]], int]


@cache
def fast_evaluate() -> Evaluate:
    """Return a compiled `evaluate`, about six times as fast, with the same results and errors.

    Call this once and keep the result: ``evaluate = fast_evaluate()``. Without numba it is `evaluate` itself.
    """
    if engine() != "numba":
        return evaluate
    from poker_actors.evaluator.fast.compiled import builtin

    return builtin.build()
