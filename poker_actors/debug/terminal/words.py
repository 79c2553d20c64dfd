"""The text of steps and of the next message at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from poker_actors.debug.session import Step, Stepper
from poker_actors.debug.state import delivery_words
from poker_actors.debug.viewpoint import Viewpoint

__all__ = ["next_words", "step_words", "title"]


def title(stepper: Stepper) -> str:
    """Return a one-line title of the session. Only the god viewpoint gets the seed: it gives away every card."""
    god = stepper.viewpoint.god
    return f"{stepper.script.words(seed=god)}{'' if god else f', seen as {stepper.viewpoint}'}"


def step_words(step: Step, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield a line for each delivery of a step (`..`: asked by the handler of another) and each incident (`!!`)."""
    for one in step.handled:
        place = f"{step.number + 1:5} " if not one.depth else f"{'..':>5} "
        outcome = f"  ({one.outcome})" if one.outcome else ""
        yield f"{place} {delivery_words(one.delivery, viewpoint)}{outcome}"
    for incident in step.incidents:
        yield f"{'!!':>5} {incident.shown(viewpoint)}"


def next_words(stepper: Stepper, names: dict[str, Any]) -> Iterator[str]:
    """Yield the next message and how many are on their way; at the end, what each player won or lost."""
    following = stepper.peek()
    if following is None:
        won = [
            f"{name} {chips:+}"
            for name, chips in zip(stepper.players, names.get("payoffs", ()), strict=False)
            if chips
        ]
        if not stepper.at_rest:
            yield f"      now, after {stepper.position} messages; `more` hears what has come since"
            return
        if stepper.stuck is not None:
            yield f"      stuck after {stepper.position} messages: {stepper.stuck} has not ended, and nothing is on its way"
            return
        void = ": the hand is void" if stepper.voided else ""
        yield f"      the end, after {stepper.position} messages{void}{': ' if won else ''}{', '.join(won)}"
        return
    count = len(stepper.pending)
    waiting = f"  [{count} on their way]" if count > 1 else ""
    yield f"      next: {delivery_words(following, stepper.viewpoint, arrived=False)}{waiting}"
