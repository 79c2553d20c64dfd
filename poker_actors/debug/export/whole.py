"""A whole session for export: played from beginning to end, for one viewpoint."""

from __future__ import annotations

from poker_actors.debug.draw import Arrow, mermaid_text, sequence_picture
from poker_actors.debug.session import Stepper
from poker_actors.debug.state import message_words, plain_message
from poker_actors.debug.terminal import title
from poker_actors.debug.trace import Trace
from poker_actors.errors import BadSpec

__all__ = ["mermaid", "sequence_svg", "trace_of"]


def _arrows(stepper: Stepper) -> list[Arrow]:
    with Stepper(stepper.script, viewpoint=stepper.viewpoint) as other:
        other.run()
        return [
            Arrow(
                step.number + 1,
                one.delivery.sender or "outside",
                one.delivery.receiver,
                message_words(plain_message(one.delivery.message, other.viewpoint)),
                one.delivery.asked,
                one.depth > 0,
            )
            for step in other.steps
            for one in step.handled
        ]


def mermaid(stepper: Stepper) -> str:
    """Give the sequence diagram of a whole session as Mermaid text."""
    return mermaid_text(_arrows(stepper), title(stepper))


def sequence_svg(stepper: Stepper) -> str:
    """Give the sequence diagram of a whole session as SVG."""
    return sequence_picture(_arrows(stepper), title(stepper))


def trace_of(stepper: Stepper) -> Trace:
    """Give the trace of a whole session; raises `BadSpec` for a viewpoint that does not show all cards."""
    if not stepper.viewpoint.god:
        raise BadSpec(f"a trace holds every card: it cannot be written as seen from {stepper.viewpoint}")
    return Trace.of(stepper.script)
