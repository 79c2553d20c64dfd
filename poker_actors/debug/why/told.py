"""A hand's events with the step each of them happened in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from poker_actors.rules import Action, Bet, Call, Check, Event, Fold, Hand, RaiseTo, event

__all__ = ["action_words", "placed_events"]


def placed_events(hand: Hand, acts: Sequence[int]) -> Iterator[tuple[int | None, Event]]:
    """Give each event of `hand` and its step: `acts` are the steps of the deal and of each action.

    What an action sets off (a street, the showdown) happens in the step of that action.
    """
    taken = 0
    for news in hand.events():
        if isinstance(news, event.Acted):
            taken += 1
        yield (acts[taken] if taken < len(acts) else None), news


def action_words(action: Action, paid: int, all_in: bool) -> str:
    """Say what somebody did, in the third person."""
    match action:
        case Fold():
            text = "folds"
        case Check():
            text = "checks"
        case Call():
            text = f"calls {paid}"
        case Bet(amount):
            text = f"bets {amount}"
        case RaiseTo(total):
            text = f"raises to {total}"
        case _:
            assert_never(action)
    return f"{text}, all-in" if all_in else text
