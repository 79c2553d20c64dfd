"""The one policy for faulty bots: what is counted, how it acts instead, when it is ejected.

A bot that raises, gives no action or none that is legal, is late, dies, floods, lies about its seat or
has used up what it may spend checks if it can and folds if it cannot: it loses at most its own
hand. Faults are counted by kind, and after a stated number of them the bot is asked no more.
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

__all__ = ["KINDS", "STOPS", "BotFault", "FaultLimits", "Faults", "Kind", "Usage", "fallback"]

Kind = Literal["raised", "nonsense", "illegal", "late", "died", "flooded", "lied", "spent"]
"""What can go wrong; each is a counter of `Faults`."""

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
"""Kinds that cost everybody time, or a program its life: few of them are enough."""

_SHOWN: Final = 160
"""How much of a bot's own error is kept: enough to find it."""


class BotFault(PokerError):
    """What a bot raises that knows what is wrong with it: `kind` is one of `KINDS`."""

    default_code = "bot_fault"

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind

    def __reduce__(self) -> tuple[object, ...]:
        return (BotFault, (self.kind, str(self)))


@attrs.frozen
class FaultLimits:
    """How much one bot may go wrong, and use up, in a match; it is ejected beyond that.

    `faults` is the number of all faults at which it is ejected, `stops` that of the kinds `late`,
    `died` and `flooded`. `calls`, `seconds` (of thinking) and `cost` (in whatever its answers are
    priced in) are for the whole match; None is no limit.
    """

    faults: int = 100
    stops: int = 5
    calls: int | None = None
    seconds: float | None = None
    cost: float | None = None


@attrs.define
class Usage:
    """What a bot that is a program, or is awaited, has used up."""

    calls: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    def add(self, other: Usage) -> None:
        """Count that of another block as well."""
        self.calls += other.calls
        self.seconds += other.seconds
        self.cost += other.cost


@attrs.define
class Faults:
    """How often a bot went wrong, by kind, what the first fault was, and whether it is still asked."""

    raised: int = 0
    """it raised an exception"""
    nonsense: int = 0
    """it returned what is no action"""
    illegal: int = 0
    """it returned an action that the rules do not allow there"""
    late: int = 0
    """it did not answer in time"""
    died: int = 0
    """it is a program, and ended"""
    flooded: int = 0
    """it is a program, and wrote more than an answer"""
    lied: int = 0
    """it answered for another seat or another turn"""
    spent: int = 0
    """it had used up what it may in a match"""
    first: str = ""
    """the first fault in words; empty when there was none"""
    first_hand: int | None = attrs.field(default=None, eq=False)
    """the number of the hand of the first fault"""
    first_place: str = attrs.field(default="", eq=False)
    """FILE:LINE of what the bot raised first, where it is written in Python"""
    ejected: int | None = None
    """the number of the hand in which it was ejected; None while it is asked"""
    used: Usage = attrs.field(factory=Usage, eq=False, repr=False)
    limits: FaultLimits = attrs.field(factory=FaultLimits, eq=False, repr=False)
    hand: int = attrs.field(default=0, eq=False, repr=False)
    """the hand being played, by which an ejection is noted"""
    before: Faults | None = attrs.field(default=None, eq=False, repr=False)
    """what was counted in the hands before, where these are a block of a match"""
    told: Callable[[Kind, str, str, View, BaseException | None], None] | None = attrs.field(
        default=None, eq=False, repr=False
    )
    """called at each fault, with its kind, the text, FILE:LINE, what the bot was shown and what it raised"""

    @classmethod
    def after(cls, before: Faults) -> Faults:
        """Begin to count a block of hands that follows those in which `before` was counted."""
        return cls(ejected=before.ejected, limits=before.limits, before=before)

    @property
    def total(self) -> int:
        """All faults."""
        return sum([getattr(self, kind) for kind in KINDS])

    @property
    def by_kind(self) -> dict[str, int]:
        """The counters that are not 0."""
        return {kind: count for kind in KINDS if (count := getattr(self, kind))}

    @property
    def words(self) -> str:
        """All of it in a line, what was used up as well; empty where there is nothing to say."""
        parts = []
        if total := self.total:
            kinds = ", ".join(f"{kind} {count}" for kind, count in self.by_kind.items())
            parts += [f"{total} fault{'' if total == 1 else 's'}, the first: {self.first}", kinds]
        if self.ejected is not None:
            parts.append(f"ejected in hand {self.ejected}")
        if self.used.calls:
            cost = f", cost {self.used.cost:g}" if self.used.cost else ""
            parts.append(f"asked {self.used.calls:,} times, {self.used.seconds:.1f} s{cost}")
        if self.first_place:
            parts.append(f"the first in hand {self.first_hand}, at {self.first_place}")
        return "; ".join(parts)

    def at(self, hand: int) -> Faults:
        """Say which hand is being played, and give this."""
        self.hand = hand
        return self

    def has_raised(self, view: View, error: BaseException) -> Action:
        """Count a bot that raised `error` and give what it does instead."""
        if isinstance(error, BotFault):
            return self._count(error.kind, view, str(error), error=error)
        place = _place(error.__traceback__)
        return self._count(
            "raised", view, f"raised {type(error).__name__}: {_safe_text(error)}", place, error
        )

    def was_nonsense(self, view: View, answer: object) -> Action:
        """Count an answer that is no action and give what the bot does instead."""
        return self._count("nonsense", view, f"returned {_safe_repr(answer)}, which is no action")

    def was_illegal(self, view: View, refusal: str) -> Action:
        """Count an action that the rules refuse and give what the bot does instead."""
        return self._count("illegal", view, refusal)

    def was_late(self, view: View) -> Action:
        """Count a bot that let its time run out and give what it does instead."""
        return self._count("late", view, "no answer in time")

    def check_budget(self) -> None:
        """Raise `BotFault` (`spent`) for a bot that has used up its calls, seconds or cost."""
        for name, sofar, most in self._budget():
            if sofar >= most:
                raise BotFault("spent", f"its {name} for the match: {sofar:.6g} of {most:g} used up")

    @property
    def over_budget(self) -> bool:
        """Whether more was used up than may be."""
        return any(sofar > most for _, sofar, most in self._budget())

    def _budget(self) -> Iterator[tuple[str, float, float]]:
        """Return what there is a limit for: its name, what was used since the first hand, and the limit."""
        before = Usage() if self.before is None else self.before.used
        for name in ("calls", "seconds", "cost"):
            most = getattr(self.limits, name)
            if most is not None:
                yield name, getattr(self.used, name) + getattr(before, name), most

    def add(self, other: Faults) -> None:
        """Count the faults of another block of hands, a later one, as well."""
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
        """Return plain values for JSON, from which `from_dict` makes an equal one."""
        counts: dict[str, Any] = {kind: getattr(self, kind) for kind in KINDS}
        where = {"first_hand": self.first_hand, "first_place": self.first_place}
        return {
            **counts,
            "first": self.first,
            **where,
            "ejected": self.ejected,
            "used": attrs.asdict(self.used),
        }

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Faults:
        """Read what `to_dict` gave, or an earlier version of it."""
        return cls(**{**value, "used": Usage(**value.get("used", {}))})

    def _count(
        self, kind: Kind, view: View, text: str, place: str = "", error: BaseException | None = None
    ) -> Action:
        setattr(self, kind, getattr(self, kind) + 1)
        if self.told is not None:
            self.told(kind, text, place, view, error)
        if not self.first:
            flat = " ".join(text.split())
            self.first = flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"
            self.first_hand, self.first_place = self.hand, place
        if self.ejected is None and self.beyond_limits:
            self.ejected = self.hand
        return fallback(view)


def fallback(view: View) -> Action:
    """Check if that is possible, else fold: what a seat does that gives no legal answer.

    In a draw it stands pat, and it pays a bring-in.
    """
    return view.legal.passive


def _safe_repr(value: object) -> str:
    """Describe `value`; a bot may return something that cannot even be printed."""
    try:
        return f"{value!r:.60}"
    except Exception:  # noqa: BLE001  somebody else's __repr__
        return f"a {type(value).__name__}"


def _place(trace: TracebackType | None) -> str:
    """Where in its file a bot raised: the deepest frame in the file of the first that is not ours."""
    frames = []
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    inside = [one for one in frames[1:] if one[0] == frames[1][0]]  # the first frame is whoever asked the bot
    if not inside:
        return ""
    file, line = inside[-1]
    with suppress(ValueError, OSError):  # below the current directory it reads better from there
        file = str(Path(file).relative_to(Path.cwd()))
    return f"{file}:{line}"


def _safe_text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  somebody else's __str__
        return "(no text)"
