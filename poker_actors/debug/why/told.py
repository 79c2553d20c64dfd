"""Match a hand's events, and what the referee says of them, to the steps in which they happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from poker_actors.debug.why.reason import Link
from poker_actors.history.refereed import facts_of, sheet_of, sitting_of
from poker_actors.referee import Referee
from poker_actors.rules import Event, Hand, event

__all__ = ["judged", "placed_events"]


def placed_events(hand: Hand, acts: Sequence[int]) -> Iterator[tuple[int | None, Event]]:
    """Yield each event of `hand` with its step; `acts` are the steps of the deal and of each action.

    Consequences of an action (a street, the showdown) get the step of that action.
    """
    taken = 0
    for news in hand.events():
        if isinstance(news, event.Acted):
            taken += 1
        yield (acts[taken] if taken < len(acts) else None), news


def judged(hand: Hand, acts: Sequence[int]) -> tuple[Referee, list[Link]]:
    """Have the referee follow a hand; return it, and a link for each of its verdicts."""
    referee = Referee(sheet_of(hand.game), sitting_of(hand))
    facts = facts_of(hand)
    for fact in facts:
        referee.hear(fact)
    links = []
    for verdict in referee.verdicts:
        taken = sum([fact.what == "act" for fact in facts[: verdict.place + 1]])
        step = acts[taken] if taken < len(acts) else None
        links.append(Link(step, verdict.words, wrong=True))
    return referee, links
