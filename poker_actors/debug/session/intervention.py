"""Interventions: what enters a session from outside at a given step, by the user or from a recording."""

from __future__ import annotations

from typing import Any, Final, Literal, assert_never, get_args

import attrs

from poker_actors.cards import Card, parse_cards
from poker_actors.debug.session.incident import Incident, fault_kinds
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, parse_action

__all__ = [
    "HARMS",
    "ClockAt",
    "Harm",
    "Harmed",
    "Intervention",
    "LiveFault",
    "NextAction",
    "NextCards",
    "NextMessage",
    "Told",
    "intervention_from",
    "plain_intervention",
]


@attrs.frozen
class NextAction:
    """After step `at`, replace the next action that reaches the hand."""

    at: int
    action: Action

    def __str__(self) -> str:
        return f"the next action after step {self.at} is {self.action}"


@attrs.frozen
class NextCards:
    """After step `at`, put these cards on top of those still to be dealt."""

    at: int
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"after step {self.at} the cards to come are {' '.join(map(str, self.cards))}"


@attrs.frozen
class NextMessage:
    """After step `at`, deliver the pending message at index `place` next."""

    at: int
    place: int

    def __str__(self) -> str:
        return f"after step {self.at} message {self.place} is delivered next"


Harm = Literal["drop", "duplicate", "delay"]


@attrs.frozen
class Harmed:
    """After step `at`, lose, double or hold back the pending message at index `place`.

    A message held back, and what its sender has sent to the same receiver since, comes after all now pending.
    """

    at: int
    harm: Harm
    place: int

    def __str__(self) -> str:
        words = {"drop": "is lost", "duplicate": "comes twice", "delay": "is held back"}
        return f"after step {self.at} message {self.place} {words[self.harm]}"


@attrs.frozen
class Told:
    """After step `at`, send `to` a message: from `sender`, or from outside if None."""

    at: int
    to: str
    message: dict[str, Any] = attrs.field(hash=False)
    """its type and fields, as JSON values"""
    sender: str | None = None

    def __str__(self) -> str:
        return f"after step {self.at} {self.to} is told {self.message.get('type')}"


@attrs.frozen
class ClockAt:
    """After step `at`, move the clock to `seconds`; timers due by then send their messages."""

    at: int
    seconds: float

    def __str__(self) -> str:
        return f"after step {self.at} the clock stands at {self.seconds:g} s"


@attrs.frozen
class LiveFault:
    """After step `at`, record a live table's bot fault: the session has the fault, but not the bot."""

    at: int
    who: str
    """name of the player's actor"""
    said: dict[str, Any] = attrs.field(hash=False)
    """kind, text, place, seat and traceback, as JSON values"""

    @property
    def incident(self) -> Incident:
        """The fault as an incident."""
        said = self.said
        seat = said.get("seat")
        return Incident(
            fault_kinds(str(said.get("kind"))),
            self.who,
            str(said.get("text")),
            str(said.get("place", "")),
            seat if isinstance(seat, int) else None,
            kept_trace=str(said.get("trace", "")),
        )

    def __str__(self) -> str:
        return f"in step {self.at + 1} {self.who} {self.said.get('text')}"


Intervention = NextAction | NextCards | NextMessage | Harmed | Told | ClockAt | LiveFault

HARMS: Final[tuple[Harm, ...]] = get_args(Harm)
_KEYS: Final = ("action", "cards", "place", *HARMS, "told", "clock", "fault")


def plain_intervention(one: Intervention) -> dict[str, Any]:
    """Return an intervention as a JSON object: its step under `at`, and its content under one of `_KEYS`."""
    match one:
        case NextAction(at, action):
            return {"at": at, "action": str(action)}
        case NextCards(at, cards):
            return {"at": at, "cards": "".join(map(str, cards))}
        case NextMessage(at, place):
            return {"at": at, "place": place}
        case Harmed(at, harm, place):
            return {"at": at, harm: place}
        case Told(at, to, message, sender):
            return {"at": at, "told": [to, message, sender]}
        case ClockAt(at, seconds):
            return {"at": at, "clock": seconds}
        case LiveFault(at, who, said):
            return {"at": at, "fault": [who, said]}
        case _:
            assert_never(one)


def intervention_from(value: dict[str, Any]) -> Intervention:
    """Read what `plain_intervention` returned; raise `BadInput`, `KeyError` or `TypeError` for anything else."""
    at = value["at"]
    if type(at) is not int or at < 0 or len(value) != 2:
        raise BadSpec(f"intervention {str(value)[:80]}: `at` is a step, and one thing happens there")
    if "action" in value:
        return NextAction(at, parse_action(value["action"]))
    if "cards" in value:
        return NextCards(at, parse_cards(value["cards"]))
    if "place" in value and type(value["place"]) is int:
        return NextMessage(at, value["place"])
    for harm in HARMS:
        if type(value.get(harm)) is int:
            return Harmed(at, harm, value[harm])
    if "told" in value:
        to, message, sender = value["told"]
        return Told(at, to, message, sender)
    if "fault" in value:
        who, said = value["fault"]
        return LiveFault(at, str(who), dict(said))
    if "clock" in value and isinstance(value["clock"], int | float):
        return ClockAt(at, value["clock"])
    raise BadSpec(f"intervention {str(value)[:80]}: there is none of {', '.join(_KEYS)}")
