"""What happens when a bot is asked: its action, or the stated answer to a fault.

A bot that raises, returns what is no action, returns an action that is not legal, or is late
checks if it can and folds if it cannot. The fault is counted by kind; the action is never
repaired into a legal one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from poker_actors.rules import Action, Bet, Call, Check, Fold, RaiseTo, View

__all__ = ["Bot", "Faults", "decide", "fallback", "legal_or_fallback"]

Bot = Callable[[View], Action]
"""A bot: what one seat may know -> what it does."""

ACTIONS: Final = frozenset((Fold, Check, Call, Bet, RaiseTo))
_SHOWN: Final = 160
"""How much of a bot's own error is kept: enough to find it."""


@attrs.define
class Faults:
    """How often a bot went wrong, by kind, and what the first fault was."""

    raised: int = 0
    """it raised an exception"""
    nonsense: int = 0
    """it returned what is no action"""
    illegal: int = 0
    """it returned an action that the rules do not allow there"""
    late: int = 0
    """it did not answer in time"""
    first: str = ""
    """the first fault in words; empty when there was none"""

    @property
    def total(self) -> int:
        """All faults."""
        return self.raised + self.nonsense + self.illegal + self.late

    def has_raised(self, view: View, error: BaseException) -> Action:
        """Count a bot that raised `error` and give what it does instead."""
        self.raised += 1
        return self._answer(view, f"raised {type(error).__name__}: {_safe_text(error)}")

    def was_nonsense(self, view: View, answer: object) -> Action:
        """Count an answer that is no action and give what the bot does instead."""
        self.nonsense += 1
        return self._answer(view, f"returned {_safe_repr(answer)}, which is no action")

    def was_illegal(self, view: View, refusal: str) -> Action:
        """Count an action that the rules refuse and give what the bot does instead."""
        self.illegal += 1
        return self._answer(view, refusal)

    def was_late(self, view: View) -> Action:
        """Count a bot that let its time run out and give what it does instead."""
        self.late += 1
        return self._answer(view, "no answer in time")

    def add(self, other: Faults) -> None:
        """Count the faults of another stretch of hands, a later one, as well."""
        self.raised += other.raised
        self.nonsense += other.nonsense
        self.illegal += other.illegal
        self.late += other.late
        self.first = self.first or other.first

    def _answer(self, view: View, text: str) -> Action:
        if not self.first:
            flat = " ".join(text.split())
            self.first = flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"
        return fallback(view)


def fallback(view: View) -> Action:
    """Check if that is possible, else fold: what a seat does that gives no legal answer."""
    return Fold() if view.to_call else Check()


def decide(bot: Bot, view: View, faults: Faults) -> Action:
    """Ask `bot` and give a legal action, counting in `faults` what went wrong.

    Only what stops a program (KeyboardInterrupt) passes through.
    """
    try:
        action = bot(view)
    except (Exception, SystemExit) as error:  # noqa: BLE001  a bot is somebody else's code: its fault is counted
        return faults.has_raised(view, error)
    return action if type(action) is Fold else legal_or_fallback(action, view, faults)


def legal_or_fallback(answer: object, view: View, faults: Faults) -> Action:
    """Give a bot's answer back if it is a legal action, else count it and check or fold."""
    kind = type(answer)
    if kind is Call or kind is Check:
        public = view.public
        if (public.bet > public.chips_in_front[view.seat]) is (kind is Call):
            return answer  # type: ignore[return-value]  # nothing more to look at, and most answers
    if kind not in ACTIONS:
        return faults.was_nonsense(view, answer)
    amount = getattr(answer, "amount", getattr(answer, "total", 0))
    if type(amount) is not int:
        return faults.was_nonsense(view, answer)
    refusal = view.legal.refusal(answer)
    if refusal is not None:
        return faults.was_illegal(view, refusal)
    action: Action = answer  # type: ignore[assignment]  # its type is one of ACTIONS
    return action


def _safe_repr(value: object) -> str:
    """What `value` looks like; a bot may return what cannot even be printed."""
    try:
        return f"{value!r:.60}"
    except Exception:  # noqa: BLE001  somebody else's __repr__
        return f"a {type(value).__name__}"


def _safe_text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  somebody else's __str__
        return "(no text)"
