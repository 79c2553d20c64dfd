"""A promise: a rule about what people are told, which remembers what they were told before."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

import attrs

__all__ = ["Answer", "BrokenPromise", "Ear", "Heard", "Hears", "Promise", "Verdict"]

T = TypeVar("T")
C = TypeVar("C")


class BrokenPromise(AssertionError):
    """What somebody was told is not true any more; `verdict` says what."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict: Final = verdict


@attrs.frozen
class Verdict:
    """One broken promise: its name, what was told and when, and what is true now."""

    promise: str
    sentence: str
    number: int
    """of what the witness heard, from 1"""

    def __str__(self) -> str:
        return f"{self.promise}: {self.sentence} (heard {self.number})"


class Heard(Generic[T]):
    """One thing the witness has heard: `what` was told to `who`, or asked of `who`, as the `number`-th."""

    __slots__ = ("number", "time", "what", "who")

    def __init__(self, number: int, who: str, what: T, time: float = 0.0) -> None:
        self.number: Final = number
        self.who: Final = who
        self.what: Final[T] = what
        self.time: Final = time
        """on the room's clock, in seconds"""

    @property
    def table(self) -> str:
        """The table that was asked; empty for whatever is no table."""
        return self.who.removeprefix("table ") if self.who.startswith("table ") else ""


@attrs.frozen
class Answer(Generic[C, T]):
    """A command with what it was answered."""

    command: C
    value: T


Ear = Callable[[Heard[Any]], None]
"""What a promise does about one thing heard."""


@attrs.frozen
class Hears:
    """What a promise listens to, by type of the news or of the command."""

    told: Mapping[type, Ear] = attrs.field(factory=dict)
    asked: Mapping[type, Ear] = attrs.field(factory=dict)
    """before the command is carried out"""
    answered: Mapping[type, Ear] = attrs.field(factory=dict)
    """`what` is an `Answer`"""
    lost: Mapping[type, Ear] = attrs.field(factory=dict)
    """commands whose answer nobody got: whether they have happened is not known"""
    refused: Mapping[type, Ear] = attrs.field(factory=dict)
    """commands that were refused: nothing has happened"""


class Promise:
    """One rule. A subclass says what it listens to, and calls `holds` or `stays` for what it hears.

    What it remembers of a hand is forgotten when the witness says so.
    """

    name: ClassVar[str]
    says: ClassVar[str]

    def __init__(self, broken: Callable[[Verdict], None]) -> None:
        self._broken = broken
        self.checked = 0
        """how often something told was held against something told before"""
        self._facts: dict[str, dict[Hashable, Heard[Any]]] = {}

    def hears(self) -> Hears:
        """Say what it listens to."""
        raise NotImplementedError

    def forget(self, hand_id: str) -> None:
        """Forget a hand that is long over."""
        self._facts.pop(hand_id, None)

    def rest(self, number: int) -> None:
        """Look at what must be true when nothing is on its way any more."""

    def died(self) -> None:
        """Hear that the process has died: what was on its way is lost."""

    def holds(self, held: bool, heard: Heard[Any], sentence: Callable[[], str]) -> None:
        """Count one look; `sentence` says what is wrong where it does not hold."""
        self.checked += 1
        if not held:
            self.breaks(heard.number, sentence())

    def breaks(self, number: int, sentence: str) -> None:
        """Return the verdict."""
        self._broken(Verdict(self.name, sentence, number))

    def fact(self, hand_id: str, key: Hashable) -> Heard[Any] | None:
        """Return what was told of a hand under `key`."""
        facts = self._facts.get(hand_id)
        return None if facts is None else facts.get(key)

    def note(self, hand_id: str, key: Hashable, heard: Heard[Any], value: Any) -> None:
        """Remember what was told of a hand under `key`."""
        self._facts.setdefault(hand_id, {})[key] = Heard(heard.number, heard.who, value, heard.time)

    def stays(self, hand_id: str, key: Hashable, heard: Heard[Any], value: Any, what: str) -> None:
        """Hold that what is told of a hand under `key` is what was told before."""
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
