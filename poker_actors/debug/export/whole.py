"""A whole session for export: played from beginning to end, for one viewpoint."""

from __future__ import annotations

import attrs

from poker_actors.debug.draw import Arrow, draw_text, mermaid_text, sequence_picture, table_svg
from poker_actors.debug.session import Stepper
from poker_actors.debug.state import delivery_words, differences, message_words, plain_message, told_apart
from poker_actors.debug.terminal import step_words, title
from poker_actors.debug.trace import Trace
from poker_actors.errors import BadSpec

__all__ = ["Frame", "frames", "mermaid", "sequence_svg", "trace_of"]


@attrs.frozen
class Frame:
    """One position of a session: what was delivered to come here, and everything as it is."""

    said: tuple[str, ...]
    svg: str
    text: tuple[str, ...]
    mailbox: tuple[str, ...]
    changed: tuple[str, ...]


def frames(stepper: Stepper) -> list[Frame]:
    """Play the script of a session from its beginning, and keep each position."""
    made = []
    with Stepper(stepper.script, viewpoint=stepper.viewpoint) as other:
        said: tuple[str, ...] = ()
        before = None
        while True:
            state = told_apart(other.state())
            changed = () if before is None else tuple(map(str, differences(before, state)))
            picture = other.picture()
            mailbox = tuple(delivery_words(one, other.viewpoint, arrived=False) for one in other.pending)
            made.append(Frame(said, table_svg(picture), tuple(draw_text(picture)), mailbox, changed))
            before = state
            step = other.step()
            if step is None:
                return made
            said = tuple(step_words(step, other.viewpoint))


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
