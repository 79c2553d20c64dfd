"""Export a session: an HTML page to scrub through, diagrams, and a trace."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import Any

import attrs

from poker_actors.actors import HandState
from poker_actors.browser import Book, replay_page
from poker_actors.debug.asking import title
from poker_actors.debug.draw import Arrow, mermaid_text, sequence_picture
from poker_actors.debug.plain import Viewpoint, plain_message
from poker_actors.debug.session import Handled, Incident, Step, Stepper
from poker_actors.debug.state import delivery_words, differences, message_words
from poker_actors.debug.trace import Trace
from poker_actors.errors import BadSpec, PokerError


class _Session:
    """Writes the positions of a session into the page's book."""

    def __init__(self) -> None:
        self.book = Book(room=True)
        self._before: dict[str, Any] = {}

    def add(self, stepper: Stepper, step: Step | None) -> None:
        """Add the session's current position."""
        viewpoint = stepper.viewpoint
        state = stepper.state()["actors"]
        changes = [(one.path, one.after) for one in differences(self._before, state)]
        self._before = state
        said = [] if step is None else [_said(one, viewpoint) for one in step.handled]
        wrong = [] if step is None else step.incidents
        self.book.add(
            stepper.picture().to_dict(),
            said,
            mailbox=[delivery_words(one, viewpoint, arrived=False) for one in stepper.pending],
            changes=changes,
            wrong=[[one.shown(viewpoint), *one.traceback(viewpoint)] for one in wrong],
        )

    def explain(self, stepper: Stepper) -> None:
        """Add the explanations of the pot and the winner of the hand that ends here."""
        reasons: dict[str, Any] = {"end": stepper.position}
        for what in ("pot", "winner"):
            try:
                found = stepper.why(what)
            except PokerError:
                continue
            reasons[what] = [[link.step, str(link)] for link in found.links]
        if len(reasons) > 1:
            self.book.reasons.append(reasons)


def _said(one: Handled, viewpoint: Viewpoint) -> list[Any]:
    words = delivery_words(one.delivery, viewpoint)
    return [words, one.depth, one.outcome] if one.depth or one.outcome else [words]


class Page(str):
    """The HTML of a page; a notebook displays it in a frame, with a slider to step through the session."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self)}" style="width: 100%; height: 46rem; border: 0"></iframe>'


def page(stepper: Stepper, *, served: bool = False) -> str:
    """Return the HTML page of a whole session, as its viewpoint sees it; a notebook displays it.

    With `served`, for a debugger that answers the page's commands, the page opens at the session's
    position.
    """
    session = _Session()
    with Stepper(stepper.recorded(), viewpoint=stepper.viewpoint) as other:
        step = None
        while True:
            session.add(other, step)
            hand = other.hand
            over = hand is not None and hand.over
            step = other.step()
            if step is None or (over and type(step.delivery.message).__name__ == "Deal"):
                # a deal replaces the hand that `why` explains: explain the finished one a step earlier
                _explain_before(session, other, step)
            if step is None:
                break
    # only a served page has a form: a page sent as a file has no server to ask
    return Page(
        replay_page(
            title(stepper),
            [session.book],
            at=stepper.position if served else 0,
            sought="fault, an actor, a value, a reason",
            form=_part("commands.html") if served else None,
            commands=_part("commands.js") if served else "",
        )
    )


def _part(name: str) -> str:
    return files("poker_actors.debug").joinpath(name).read_text(encoding="utf-8")


def _explain_before(session: _Session, stepper: Stepper, step: Step | None) -> None:
    """Explain a finished hand at the last position where it is still the session's hand."""
    if step is None:
        session.explain(stepper)
        return
    here = stepper.position
    stepper.back(1)
    session.explain(stepper)
    stepper.goto(here)


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
