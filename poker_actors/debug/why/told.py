"""Match a hand's events to the steps in which they happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from poker_actors.rules import Event, Hand, event

__all__ = ["placed_events"]


def placed_events(hand: Hand, acts: Sequence[int]) -> Iterator[tuple[int | None, Event]]:
    """Yield each event of `hand` with its step; `acts` are the steps of the deal and of each action.

    Consequences of an action (a street, the showdown) get the step of that action.
    """
    taken = 0
    for news in hand.events():
        if isinstance(news, event.Acted):
            taken += 1
        yield (acts[taken] if taken < len(acts) else None), news
