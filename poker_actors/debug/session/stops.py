"""Breakpoints: where a run stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.actors import messages
from poker_actors.cards import Deck
from poker_actors.debug.session.names import evaluate_expression, names_of
from poker_actors.debug.viewpoint import SPECTATOR
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand, Stakes

if TYPE_CHECKING:
    from poker_actors.debug.session.step import Step
    from poker_actors.debug.session.stepper import Stepper

__all__ = ["Breakpoint", "Predicate", "parse_breakpoint"]

Predicate = Callable[["Stepper", "Step"], bool]
"""Whether to stop after a step."""

_KINDS: Final = (
    "actor NAME, message TYPE, street NAME, seat N, pot N, step N, or an expression such as pot > 100"
)


@attrs.frozen
class Breakpoint:
    """Stops a run where `test` says so; `text` is how it is written."""

    number: int
    text: str
    test: Predicate = attrs.field(repr=False, eq=False)

    def __str__(self) -> str:
        return f"{self.number}: {self.text}"


def parse_breakpoint(text: str) -> Predicate:
    """Read `actor NAME`, `message TYPE`, `street NAME`, `seat N`, `pot N`, `step N` or an expression.

    `seat` stops when that seat is to act, `pot` when the pot is at least so large, a street when it
    opens, an expression when it becomes true. Raises `BadSpec`.
    """
    kind, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    named = {"actor": _on_actor, "message": _on_message, "street": _on_street}
    numbered = {"seat": _on_seat, "pot": _on_pot, "step": _on_step}
    if not text.strip():
        raise BadSpec(f"a breakpoint is {_KINDS}")
    if kind in named and rest:
        return named[kind](rest)
    if kind in numbered and rest.isdecimal():
        return numbered[kind](int(rest))
    return _on_expression(text)


def _on_actor(name: str) -> Predicate:
    return lambda stepper, step: any(
        name in (one.delivery.receiver, one.delivery.sender) for one in step.handled
    )


def _on_message(kind: str) -> Predicate:
    if not isinstance(getattr(messages, kind, None), type):
        raise BadSpec(f"there is no message {kind[:40]!r}: such as Act, HandState, Deal, Settle, TableNews")
    return lambda stepper, step: any(type(one.delivery.message).__name__ == kind for one in step.handled)


def _on_street(street: str) -> Predicate:
    return _when_true(lambda stepper: stepper.names()["street"] == street)


def _on_seat(seat: int) -> Predicate:
    return _when_true(lambda stepper: stepper.names().get("active") == seat)


def _on_pot(amount: int) -> Predicate:
    return _when_true(lambda stepper: stepper.names()["pot"] >= amount)


def _on_step(number: int) -> Predicate:
    return lambda stepper, step: step.number + 1 == number


def _on_expression(text: str) -> Predicate:
    sample = Hand((100, 100), Stakes(), deck=Deck.seeded(0))
    try:
        evaluate_expression(text, names_of(sample, SPECTATOR, 0))
    except BadSpec as error:
        if "IndexError" not in str(error):
            raise BadSpec(f"breakpoint {text[:60]!r} is none of {_KINDS}") from None

    def test(stepper: Stepper) -> bool:
        names = stepper.names()
        return "pots" in names and bool(evaluate_expression(text, names))

    return _when_true(test)


def _when_true(test: Callable[[Stepper], bool]) -> Predicate:
    """Stop where something becomes true, not at every step while it stays so."""
    last: tuple[int, bool] = (-1, False)

    def stops(stepper: Stepper, step: Step) -> bool:
        nonlocal last
        before = last[1] if last[0] == step.number else False
        now = test(stepper)
        last = (step.number + 1, now)
        return now and not before

    return stops
