"""A promise: a rule that compares what people are told with what they were told before."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

import attrs

__all__ = ["Answer", "BrokenPromise", "Ear", "Heard", "Hears", "Promise", "Verdict"]

T = TypeVar("T")
C = TypeVar("C")


class BrokenPromise(AssertionError):
    """Something that somebody was told is no longer true; `verdict` says what."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict: Final = verdict


@attrs.frozen
class Verdict:
    """One broken promise: its name, what was told and when, and what is true now."""

    promise: str
    sentence: str
    number: int
    """of the message that showed it, as the witness counts them, from 1"""
    life: int = 1
    """of the room in which it was heard: every process that opened it is one, from 1"""

    def __str__(self) -> str:
        where = "" if self.life == 1 else f", in life {self.life} of the room"
        return f"{self.promise}: {self.sentence} (heard {self.number}{where})"


class Heard(Generic[T]):
    """A message the witness has heard: `what` was told to or asked of `who`, the `number`-th message of all."""

    __slots__ = ("number", "time", "what", "who")

    def __init__(self, number: int, who: str, what: T, time: float = 0.0) -> None:
        self.number: Final = number
        self.who: Final = who
        self.what: Final[T] = what
        self.time: Final = time
        """on the room's clock, in seconds"""

    @property
    def table(self) -> str:
        """The table that was asked; empty for other actors."""
        return self.who.removeprefix("table ") if self.who.startswith("table ") else ""


@attrs.frozen
class Answer(Generic[C, T]):
    """A command and the answer to it."""

    command: C
    value: T


Ear = Callable[[Heard[Any]], None]
"""Called by the witness with one message."""


@attrs.frozen
class Hears:
    """What a promise listens to: a callback for each type of news or command."""

    told: Mapping[type, Ear] = attrs.field(factory=dict)
    asked: Mapping[type, Ear] = attrs.field(factory=dict)
    """before the command is carried out"""
    answered: Mapping[type, Ear] = attrs.field(factory=dict)
    """`what` is an `Answer`"""
    lost: Mapping[type, Ear] = attrs.field(factory=dict)
    """commands whose answer never arrived: they may or may not have been carried out"""
    refused: Mapping[type, Ear] = attrs.field(factory=dict)
    """commands that were refused, which changes nothing"""


class Promise:
    """One rule. A subclass lists what it listens to in `hears`, and checks each message with `holds` or `stays`.

    The witness calls `forget` for old hands, so memory stays bounded.
    """

    name: ClassVar[str]
    says: ClassVar[str]

    def __init__(self, broken: Callable[[Verdict], None]) -> None:
        self._broken = broken
        self.checked = 0
        """the number of comparisons made"""
        self._facts: dict[str, dict[Hashable, Heard[Any]]] = {}

    def hears(self) -> Hears:
        """Return what it listens to."""
        raise NotImplementedError

    def forget(self, hand_id: str) -> None:
        """Forget a hand that is long over."""
        self._facts.pop(hand_id, None)

    def rest(self, number: int) -> None:
        """Check what must be true once no message is on its way."""

    def died(self) -> None:
        """Note that the process has died: messages on their way are lost."""

    def holds(self, held: bool, heard: Heard[Any], sentence: Callable[[], str]) -> None:
        """Count one comparison; if it does not hold, break the promise with `sentence()`."""
        self.checked += 1
        if not held:
            self.breaks(heard.number, sentence())

    def breaks(self, number: int, sentence: str) -> None:
        """Report the promise as broken."""
        self._broken(Verdict(self.name, sentence, number))

    def fact(self, hand_id: str, key: Hashable) -> Heard[Any] | None:
        """Return what was said of a hand under `key`; None if nothing was."""
        facts = self._facts.get(hand_id)
        return None if facts is None else facts.get(key)

    def note(self, hand_id: str, key: Hashable, heard: Heard[Any], value: Any) -> None:
        """Remember what is said of a hand under `key`."""
        self._facts.setdefault(hand_id, {})[key] = Heard(heard.number, heard.who, value, heard.time)

    def stays(self, hand_id: str, key: Hashable, heard: Heard[Any], value: Any, what: str) -> None:
        """Check that what is said of a hand under `key` is what was said before; remember the first."""
        before = self.fact(hand_id, key)
        if before is None:
            self.note(hand_id, key, heard, value)
            return
        self.checked += 1
        if before.what != value:
            self.breaks(
                heard.number,
                f"{before.who} was told (heard {before.number}) that {what} of {hand_id} is {before.what}, "
                f"and now {heard.who} is told {value}",
            )
