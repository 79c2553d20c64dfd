"""What somebody changed in a session, and at which step: a fork is the same script with one more."""

from __future__ import annotations

from typing import Any, Final

import attrs

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, parse_action

__all__ = ["Intervention", "NextAction", "NextCards", "NextMessage", "intervention_from"]


@attrs.frozen
class NextAction:
    """The next action to arrive at the hand after step `at` is this one."""

    at: int
    action: Action

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON can hold it."""
        return {"at": self.at, "action": str(self.action)}

    def __str__(self) -> str:
        return f"the next action after step {self.at} is {self.action}"


@attrs.frozen
class NextCards:
    """After step `at`, these are the first of the cards still to be dealt."""

    at: int
    cards: tuple[Card, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON can hold it."""
        return {"at": self.at, "cards": "".join(map(str, self.cards))}

    def __str__(self) -> str:
        return f"after step {self.at} the cards to come are {' '.join(map(str, self.cards))}"


@attrs.frozen
class NextMessage:
    """After step `at`, the message at `place` of those on their way, from 0, is delivered next."""

    at: int
    place: int

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON can hold it."""
        return {"at": self.at, "place": self.place}

    def __str__(self) -> str:
        return f"after step {self.at} message {self.place} is delivered next"


Intervention = NextAction | NextCards | NextMessage

_KEYS: Final = ("action", "cards", "place")


def intervention_from(value: dict[str, Any]) -> Intervention:
    """Read what `to_dict` gave; raises `BadInput`, `KeyError` or `TypeError` for anything else."""
    at = value["at"]
    if type(at) is not int or at < 0 or len(value) != 2:
        raise BadSpec(f"intervention {str(value)[:80]}: `at` is a step, and one thing happens there")
    if "action" in value:
        return NextAction(at, parse_action(value["action"]))
    if "cards" in value:
        return NextCards(at, parse_cards(value["cards"]))
    if "place" in value and type(value["place"]) is int:
        return NextMessage(at, value["place"])
    raise BadSpec(f"intervention {str(value)[:80]}: there is none of {', '.join(_KEYS)}")
