"""The record of a session: every answer of a bot and every order of delivery, played again instead of asking."""

from __future__ import annotations

from typing import Any, Final, cast

import attrs

from poker_actors.bots import BotFault, BotSpec, FaultLimits, Faults, Registered
from poker_actors.errors import BadSpec, UnknownBot
from poker_actors.rules import Action, View, parse_action

__all__ = ["Answer", "Record", "known_spec", "unasked"]


_KINDS: Final = tuple(kind for kind, count in Faults().to_dict().items() if count == 0)
"""The kinds of faults: the counters of an account in which nothing is counted yet."""


@attrs.frozen
class Answer:
    """What a bot answered at one turn: an action, legal or not, or the fault that stood in its place."""

    seat: int
    action: Action | None = None
    kind: str = ""
    """the kind of fault when there is no action, as in `bots.Faults`"""
    text: str = ""
    """the fault in words"""
    place: str = ""
    """FILE:LINE of the code at fault, if there was one"""
    trace: str = ""
    """its traceback"""
    heard: int = 0
    """number, from 1, of the start or end of a hand at which it failed, told and not asked; 0 for an answer"""

    def __call__(self, view: View) -> Action:
        """Give the answer again; raise `BotFault` for a fault."""
        if self.action is None:
            raise BotFault(cast("Any", self.kind), self.text)
        return self.action

    def to_dict(self) -> dict[str, Any]:
        """Return it as a JSON object without what is empty; `from_dict` reads it back."""
        plain = attrs.asdict(self, recurse=False)
        plain["action"] = None if self.action is None else str(self.action)
        return {key: value for key, value in plain.items() if key == "seat" or value}

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Answer:
        """Read what `to_dict` returned; raise `BadInput`, `KeyError` or `TypeError` for anything else."""
        given = {**value, "action": parse_action(value["action"]) if "action" in value else None}
        made = cls(**given)
        if type(made.seat) is not int or (made.action is None and made.kind not in _KINDS):
            raise BadSpec(f"answer {str(value)[:80]} is neither an action nor a fault of a seat")
        return made


@attrs.frozen
class Record:
    """What a session plays instead of asking: its answers by seat, and its order of delivery."""

    answers: tuple[tuple[Answer, ...], ...]
    places: tuple[int, ...] = ()
    """index among the messages on their way of the one each step delivered; empty if in the order of the script"""
    limits: tuple[FaultLimits | None, ...] = ()
    """by seat, the faults and stops at which a program or an awaited bot was no longer asked; None for the rule"""


class _Unasked:
    """A recorded bot: its code is loaded when it is asked something that the record does not hold, if ever."""

    def __init__(self, text: str) -> None:
        self.text: Final = text


def unasked(text: str) -> BotSpec:
    """Return the spec of a recorded bot, without loading its code, which may not be on this machine."""
    return BotSpec(text, Registered(text, cast("Any", _Unasked(text))))


def known_spec(spec: BotSpec) -> BotSpec:
    """Load the code of a recorded bot; return any other as it is. Raises `BadSpec` if it is not here."""
    factory: object = spec.source.factory
    if not isinstance(factory, _Unasked):
        return spec
    try:
        return BotSpec.parse(spec.text)
    except (BadSpec, UnknownBot) as error:
        raise BadSpec(f"bot {spec.text[-80:]} is not here to be asked: {error}") from None
