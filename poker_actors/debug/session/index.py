"""Where things are in a session's steps, noted as they are made, so that no search plays or reads them all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any, Final

from poker_actors.debug.session.observed import Step
from poker_actors.debug.state import delivery_words, payload_text
from poker_actors.debug.viewpoint import Viewpoint
from poker_actors.rules import Hand

__all__ = ["Glance", "Index", "nearest"]


class Index:
    """Positions are those right after a step, ascending. It holds what the god viewpoint sees."""

    def __init__(self) -> None:
        self.steps: Final[list[Step]] = []
        """every step made so far, including those ahead of the position after going back"""
        self.acts: list[int] = []
        """after an action"""
        self.wrong: list[int] = []
        """after a step with an incident"""
        self.kinds: dict[str, type] = {}
        """the types of the messages delivered, by name"""
        self._of: dict[str, list[int]] = {}
        """after a message of a type, or from or to an actor: `message TYPE`, `actor NAME`"""
        self._changed: list[int] = [0]
        self._names: list[dict[str, Any]] = [{}]
        """the names of the hand where they changed"""
        self._key: tuple[Any, ...] = (None,)
        self._texts: dict[Viewpoint, list[str]] = {}

    def begin(self, names: dict[str, Any]) -> None:
        """Note the names before the first step."""
        self._names[0] = names

    def add(self, step: Step, hand: Hand | None, voided: bool, names: Callable[[], dict[str, Any]]) -> None:
        """Note a step when it is made for the first time."""
        self.steps.append(step)
        position = step.number + 1
        for one in step.handled:
            kind, ends = type(one.delivery.message), (one.delivery.sender, one.delivery.receiver)
            self.kinds[kind.__name__] = kind
            for name in (f"message {kind.__name__}", *(f"actor {end}" for end in ends if end)):
                places = self._of.setdefault(name, [])
                if not places or places[-1] != position:
                    places.append(position)
        if type(step.delivery.message).__name__ == "Act":
            self.acts.append(position)
        if step.incidents:
            self.wrong.append(position)
        # chips too, and not the log alone: a fault may move them behind its back
        key = (
            (hand, voided)
            if hand is None
            else (hand, voided, len(hand.log), *hand.stacks, *hand.bets, *hand.to_act)
        )
        if len(key) != len(self._key) or key[0] is not self._key[0] or key[1:] != self._key[1:]:
            self._key = key
            self._changed.append(position)
            self._names.append(names())

    def until(self, position: int) -> Index:
        """Return the index of the steps up to a position."""
        other = Index()
        other.steps.extend(self.steps[:position])
        other.acts, other.wrong = _until(self.acts, position), _until(self.wrong, position)
        other.kinds = dict(self.kinds)
        other._of = {name: _until(places, position) for name, places in self._of.items()}
        other._changed = _until(self._changed, position)
        other._names = self._names[: len(other._changed)]
        return other

    def of(self, name: str) -> Sequence[int]:
        """Return the positions after each `message TYPE` or `actor NAME`."""
        return self._of.get(name, ())

    @property
    def changed(self) -> Sequence[int]:
        """The positions at which a name of the hand got another value."""
        return self._changed

    def names(self, position: int) -> dict[str, Any]:
        """Return the names of the hand at a position, with their values."""
        return {**self._names[bisect_right(self._changed, position) - 1], "step": position}

    def find(self, text: str, viewpoint: Viewpoint) -> list[int]:
        """Return the positions after each message with a text in its line or its payload, or of a type or an actor."""
        asked = text.lower()
        for name in (f"message {text}", f"actor {text}"):
            if name in self._of:
                return self._of[name]
        texts = self._texts.setdefault(viewpoint, [])
        texts += [_text(step, viewpoint) for step in self.steps[len(texts) :]]
        return [number + 1 for number, kept in enumerate(texts) if asked in kept]


def _text(step: Step, viewpoint: Viewpoint) -> str:
    """Return what a step is found by, in lower case."""
    lines = [one.shown(viewpoint) for one in step.incidents]
    for one in step.handled:
        line = delivery_words(one.delivery, viewpoint)
        lines.append(f"{line} {payload_text(one.delivery.message, viewpoint)} {one.outcome}")
    return "\n".join(lines).lower()


def _until(places: list[int], position: int) -> list[int]:
    return places[: bisect_right(places, position)]


class Glance:
    """A session at a position as conditions see it, read from the index instead of a room that was played there."""

    def __init__(self, index: Index, position: int, session: Any) -> None:
        self._index = index
        self._position = position
        self.viewpoint = session.viewpoint

    def names(self) -> dict[str, Any]:
        """Return the names that expressions can use, with values."""
        return self._index.names(self._position)


def nearest(
    places: Sequence[int], low: int, high: int, holds: Callable[[int], bool], *, last: bool
) -> int | None:
    """Return the first of `places` from `low` to `high` at which something holds, or the `last`; None if none."""
    within = places[bisect_left(places, low) : bisect_right(places, high)]
    return next((one for one in (reversed(within) if last else within) if holds(one)), None)
