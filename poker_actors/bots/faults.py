"""The policy for faulty bots: what is counted, what they do instead, and when they are ejected.

A bot that raises, returns no legal action, is late, dies, floods, lies about its seat or has spent its budget checks if
possible, else folds: it loses at most its own hand. Faults are counted by kind; beyond a limit the bot is ejected, that
is, no longer asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal

import attrs

from poker_actors.errors import PokerError
from poker_actors.rules import Action, View

Kind = Literal["raised", "nonsense", "illegal", "late", "died", "flooded", "lied", "spent"]
"""Kinds of faults; each is a counter of `Faults`."""

KINDS: Final[tuple[Kind, ...]] = (
    "raised",
    "nonsense",
    "illegal",
    "late",
    "died",
    "flooded",
    "lied",
    "spent",
)
STOPS: Final[tuple[Kind, ...]] = ("late", "died", "flooded")
"""Kinds that cost everyone time or need a restart; they have a lower limit of their own."""

_SHOWN: Final = 160
"""The most characters of the first error that are kept: results stay small whatever a bot raises."""


class BotFault(PokerError):
    """A fault that names its own kind: `kind` is one of `KINDS`."""

    default_code = "bot_fault"

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind

    def __reduce__(self) -> tuple[object, ...]:
        # exceptions are rebuilt from `args`, which lack `kind`
        return (BotFault, (self.kind, str(self)))


@attrs.frozen
class FaultLimits:
    """The limits of one bot in a match, beyond which it is ejected.

    It is ejected at `faults` faults of any kind, or at `stops` of the kinds `late`, `died` and `flooded`. `calls`,
    `seconds` (of thinking) and `cost` (in the unit of its answers, see `Priced`) limit the whole match; None means
    no limit.
    """

    faults: int = 100
    stops: int = 5
    calls: int | None = None
    seconds: float | None = None
    cost: float | None = None


@attrs.define
class Usage:
    """The resources that a program or an awaited bot has used."""

    calls: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    prompt_tokens: int = 0
    """tokens that a language model read"""
    answer_tokens: int = 0
    """tokens that it wrote"""
    failed: dict[str, int] = attrs.field(factory=dict)
    """its unusable answers, by `Failure`, including those that a second try made good"""

    def add(self, other: Usage) -> None:
        """Add the use of another block of hands."""
        for name in ("calls", "seconds", "cost", "prompt_tokens", "answer_tokens"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for failure, count in other.failed.items():
            self.failed[failure] = self.failed.get(failure, 0) + count

    @property
    def words(self) -> str:
        """Return the use in words; empty if nothing was used."""
        if not self.calls:
            return ""
        cost = f", cost {self.cost:g}" if self.cost else ""
        tokens = self.prompt_tokens + self.answer_tokens
        read = f", {self.prompt_tokens:,} tokens read and {self.answer_tokens:,} written" if tokens else ""
        failed = ", ".join(f"{failure} {count}" for failure, count in self.failed.items())
        unusable = f"; answers that failed: {failed}" if failed else ""
        return f"asked {self.calls:,} times, {self.seconds:.1f} s{cost}{read}{unusable}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, those of language models only if there are any."""
        value = attrs.asdict(self)
        return {name: used for name, used in value.items() if used or name in ("calls", "seconds", "cost")}


@attrs.define
class Faults:
    """A bot's faults by kind, the first of them, and whether it is ejected."""

    raised: int = 0
    """it raised an exception"""
    nonsense: int = 0
    """it returned something that is not an action"""
    illegal: int = 0
    """it returned an illegal action"""
    late: int = 0
    """it did not answer in time"""
    died: int = 0
    """its program ended"""
    flooded: int = 0
    """its program wrote more than an answer"""
    lied: int = 0
    """it answered for another seat or another turn"""
    spent: int = 0
    """its budget for the match was used up"""
    first: str = ""
    """the first fault in words; empty if there was none"""
    first_hand: int | None = attrs.field(default=None, eq=False)
    """the hand number of the first fault"""
    first_place: str = attrs.field(default="", eq=False)
    """FILE:LINE where a Python bot raised its first fault"""
    ejected: int | None = None
    """the hand number of its ejection; None while it plays"""
    used: Usage = attrs.field(factory=Usage, eq=False, repr=False)
    limits: FaultLimits = attrs.field(factory=FaultLimits, eq=False, repr=False)
    hand: int = attrs.field(default=0, eq=False, repr=False)
    """the number of the current hand, to note faults and an ejection by"""
    before: Faults | None = attrs.field(default=None, eq=False, repr=False)
    """the counts of earlier hands, if this counts one block of a match"""
    told: Callable[[Kind, str, str, View, BaseException | None], None] | None = attrs.field(
        default=None, eq=False, repr=False
    )
    """called at each fault with kind, text, FILE:LINE, the bot's view and the exception, if any"""

    @classmethod
    def after(cls, before: Faults) -> Faults:
        """Start counting a block of hands that follows the hands counted in `before`."""
        return cls(ejected=before.ejected, limits=before.limits, before=before)

    @property
    def total(self) -> int:
        """Return the number of all faults."""
        return sum([getattr(self, kind) for kind in KINDS])

    @property
    def by_kind(self) -> dict[str, int]:
        """Return the nonzero counters."""
        return {kind: count for kind in KINDS if (count := getattr(self, kind))}

    @property
    def words(self) -> str:
        """Return a one-line summary with resources used; empty if there is nothing to report."""
        parts = []
        if total := self.total:
            kinds = ", ".join(f"{kind} {count}" for kind, count in self.by_kind.items())
            parts += [f"{total} fault{'' if total == 1 else 's'}, the first: {self.first}", kinds]
        if self.ejected is not None:
            parts.append(f"ejected in hand {self.ejected}")
        if self.used.calls:
            parts.append(self.used.words)
        if self.first_place:
            parts.append(f"the first in hand {self.first_hand}, at {self.first_place}")
        return "; ".join(parts)

    def at(self, hand: int) -> Faults:
        """Set the number of the current hand and return self."""
        self.hand = hand
        return self

    def has_raised(self, view: View, error: BaseException) -> Action:
        """Count a bot's exception; return the fallback action."""
        return self._count(*_described(error), view, error)

    def was_nonsense(self, view: View, answer: object) -> Action:
        """Count an answer that is not an action; return the fallback action."""
        return self._count("nonsense", f"returned {_safe_repr(answer)}, which is not an action", "", view)

    def was_illegal(self, view: View, refusal: str) -> Action:
        """Count an illegal action; return the fallback action."""
        return self._count("illegal", refusal, "", view)

    def was_late(self, view: View) -> Action:
        """Count a late answer; return the fallback action."""
        return self._count("late", "no answer in time", "", view)

    def count(self, fault: BotFault) -> None:
        """Count a fault in a round outside the rules, which has no view and no fallback action."""
        setattr(self, fault.kind, getattr(self, fault.kind) + 1)
        self._note(_plain(str(fault)))

    def check_budget(self) -> None:
        """Raise `BotFault` (`spent`) if the bot has used up its calls, seconds or cost."""
        for name, sofar, most in self._budget():
            if sofar >= most:
                raise BotFault("spent", f"its {name} for the match: {sofar:.6g} of {most:g} used up")

    @property
    def over_budget(self) -> bool:
        """Whether the bot used more than its budget; using exactly all of it is allowed."""
        return any(sofar > most for _, sofar, most in self._budget())

    def _budget(self) -> Iterator[tuple[str, float, float]]:
        """Yield for each limited resource its name, its use since the first hand, and the limit."""
        before = Usage() if self.before is None else self.before.used
        for name in ("calls", "seconds", "cost"):
            most = getattr(self.limits, name)
            if most is not None:
                yield name, getattr(self.used, name) + getattr(before, name), most

    def add(self, other: Faults) -> None:
        """Add the faults of a later block of hands."""
        for kind in KINDS:
            setattr(self, kind, getattr(self, kind) + getattr(other, kind))
        if not self.first:
            self.first, self.first_hand, self.first_place = other.first, other.first_hand, other.first_place
        self.limits = other.limits
        self.used.add(other.used)
        if self.ejected is None:
            self.ejected = other.ejected

    @property
    def beyond_limits(self) -> bool:
        """Whether the bot must be ejected: too many faults, or its budget is spent."""
        if self.spent:
            return True
        total, stops = self.total, sum([getattr(self, kind) for kind in STOPS])
        if self.before is not None:
            total += self.before.total
            stops += sum([getattr(self.before, kind) for kind in STOPS])
        return total >= self.limits.faults or stops >= self.limits.stops

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; `from_dict` restores an equal object."""
        counts: dict[str, Any] = {kind: getattr(self, kind) for kind in KINDS}
        where = {"first_hand": self.first_hand, "first_place": self.first_place}
        return {
            **counts,
            "first": self.first,
            **where,
            "ejected": self.ejected,
            "used": self.used.to_dict(),
        }

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Faults:
        """Restore from the values of `to_dict`, even those of earlier versions, which lack some keys."""
        return cls(**{**value, "used": Usage(**value.get("used", {}))})

    def _count(
        self, kind: Kind, text: str, place: str, view: View, error: BaseException | None = None
    ) -> Action:
        text, place = _plain(text), _plain(place)
        setattr(self, kind, getattr(self, kind) + 1)
        if self.told is not None:
            self.told(kind, text, place, view, error)
        self._note(text, place)
        return fallback(view)

    def _note(self, text: str, place: str = "") -> None:
        """Note the first fault, and eject a bot that is beyond its limits."""
        if not self.first:
            self.first = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
            self.first_hand, self.first_place = self.hand, place
        if self.ejected is None and self.beyond_limits:
            self.ejected = self.hand


def fallback(view: View) -> Action:
    """Return the action of a seat without a legal answer: check if possible, else fold.

    In a draw it stands pat, and it pays a bring-in.
    """
    return view.legal.passive


def _described(error: BaseException) -> tuple[Kind, str, str]:
    """Return what kind of fault an exception is, in words, and where it was raised; all of it may be foreign code."""
    try:
        # `type`: an exception can claim to be of another class
        if issubclass(type(error), BotFault):
            given: object = getattr(error, "kind")  # noqa: B009  of any type
            for kind in KINDS:
                if type(given) is str and given == kind:
                    return kind, f"{error}", ""
        place = _place(error.__traceback__)
        return "raised", f"raised {type(error).__name__}: {_safe_text(error)}", place
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  foreign code, which may raise anything
        return "raised", "raised an exception that cannot be printed", ""


def _plain(text: str) -> str:
    """Return text on one line, without what could move a terminal's cursor, or cannot be written to a file."""
    flat = " ".join(str.split(text))  # a subclass of str may split in its own way
    return flat if flat.isprintable() else "".join([mark if mark.isprintable() else "?" for mark in flat])


def _safe_repr(value: object) -> str:
    """Describe `value`; a bot may return something that cannot even be printed."""
    try:
        return f"{value!r:.60}"
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  foreign __repr__, which may raise anything
        return "something that cannot be printed"


def _place(trace: TracebackType | None) -> str:
    """Return FILE:LINE where a bot raised: the deepest frame in the bot's own file, not in a library it calls."""
    frames = []
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    inside = [one for one in frames[1:] if one[0] == frames[1][0]]  # frame 0 is our own call of the bot
    if not inside:
        return ""
    file, line = inside[-1]
    with suppress(ValueError, OSError):  # a file outside the directory keeps its full path
        file = str(Path(file).relative_to(Path.cwd()))
    return f"{file}:{line}"


def _safe_text(error: BaseException) -> str:
    try:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  foreign __str__, which may raise anything
        return "(no text)"
