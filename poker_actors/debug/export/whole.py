"""Export a whole session, played from beginning to end, as diagrams or a trace."""

from __future__ import annotations

import attrs

from poker_actors.actors import HandState
from poker_actors.debug.draw import Arrow, mermaid_text, sequence_picture
from poker_actors.debug.session import Handled, Incident, Step, Stepper
from poker_actors.debug.state import message_words, plain_message
from poker_actors.debug.terminal import title
from poker_actors.debug.trace import Trace
from poker_actors.errors import BadSpec

__all__ = ["mermaid", "sequence_svg", "trace_of"]


def _arrows(stepper: Stepper, *, folded: bool) -> list[Arrow]:
    """Return the messages of a session as arrows, each step's incidents after them.

    With `folded`, a state that a hand sends to several players is one arrow, to the first of them.
    """
    arrows: list[Arrow] = []
    # only public words go on a folded arrow: with the hole cards of the first it would name one seat only
    told: dict[tuple[str, int], int] = {}
    with Stepper(stepper.recorded(), viewpoint=stepper.viewpoint) as other:
        other.run()
        for step in other.steps:
            for one in step.handled:
                arrow, state = _arrow(step, one, other), one.delivery.message
                if folded and isinstance(state, HandState) and state.turn is None:
                    key = state.hand_id, state.seq
                    if key in told:
                        place = told[key]
                        arrows[place] = attrs.evolve(arrows[place], others=arrows[place].others + 1)
                        continue
                    told[key] = len(arrows)
                    arrow = attrs.evolve(arrow, words=_public_words(state))
                arrows.append(arrow)
            arrows += [_wrong(step, incident, other) for incident in step.incidents]
    return arrows


def _arrow(step: Step, one: Handled, stepper: Stepper) -> Arrow:
    delivery = one.delivery
    words = message_words(plain_message(delivery.message, stepper.viewpoint))
    sender = delivery.sender or "outside"
    return Arrow(step.number + 1, sender, delivery.receiver, words, delivery.asked, one.depth > 0)


def _public_words(state: HandState) -> str:
    return f"HandState #{state.seq} {state.phase}, pot {state.pot}"


def _wrong(step: Step, incident: Incident, stepper: Stepper) -> Arrow:
    known = {name for one in step.handled for name in (one.delivery.sender, one.delivery.receiver)}
    who = incident.who if incident.who in known else step.delivery.receiver
    return Arrow(
        step.number + 1, who, who, f"!! {incident.shown(stepper.viewpoint)}", False, True, wrong=True
    )


def mermaid(stepper: Stepper) -> str:
    """Return the sequence diagram of a whole session as Mermaid text."""
    return mermaid_text(_arrows(stepper, folded=False), title(stepper))


def sequence_svg(stepper: Stepper) -> str:
    """Return the sequence diagram of a whole session as SVG; a state sent to several players is one arrow."""
    return sequence_picture(_arrows(stepper, folded=True), title(stepper))


def trace_of(stepper: Stepper) -> Trace:
    """Return the trace of a whole session; raise `BadSpec` for a viewpoint that may not see all cards."""
    if not stepper.viewpoint.god:
        raise BadSpec(f"a trace holds every card: it cannot be written as seen from {stepper.viewpoint}")
    return Trace.of(stepper.recorded())
