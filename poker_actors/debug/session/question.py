"""One turn of a bot: what it was shown, and what it answered or raised."""

from __future__ import annotations

import inspect
from types import CodeType, TracebackType
from typing import Any, cast

import attrs

from poker_actors.bots import Bot, BotFault, Faults, decide
from poker_actors.debug.session.incident import Incident, fault_kinds, place_of, place_of_code
from poker_actors.debug.session.record import Answer
from poker_actors.rules import Action, View

__all__ = ["Question", "ask"]


@attrs.define(eq=False)
class Question:
    """One turn of a bot: the view it was shown, and its answer."""

    view: View
    hand: int
    """the number of the hand"""
    step: int
    """the step in which it was asked, from 0"""
    answer: object = None
    error: BaseException | None = None
    trace: TracebackType | None = None
    action: Action | None = None
    """the action taken: the answer, or the fallback for a fault"""
    kind: str = ""
    """the kind of fault, as in `bots.Faults`; empty for none"""
    text: str = ""
    code: CodeType | None = None
    """the bot's code, if it is written in Python"""
    told: Answer | None = None
    """the answer in the record of a trace, if the bot was not asked here"""

    @property
    def words(self) -> str:
        """Describe the answer or the error."""
        if self.error is None:
            return f"{self.answer}"
        return (
            f"{self.error}"
            if isinstance(self.error, BotFault)
            else f"raised {type(self.error).__name__}: {self.error}"
        )

    def same(self, other: Question) -> bool:
        """Tell whether both answers are the same: equal actions, or errors of the same type."""
        return self._outcome() == other._outcome()

    def _outcome(self) -> object:
        """Return what two answers are compared by."""
        match self.kind:
            case "" | "illegal":
                return self.answer
            case "raised":
                return self.text.partition(":")[0]  # the type of the error: its text may name an object
            case "nonsense":
                return self.text
        return self.kind

    def recorded(self) -> Answer:
        """Return the answer as a trace keeps it."""
        if self.told is not None:
            return self.told
        seat, place = self.view.seat, self._place() if self.kind else ""
        if self.kind in ("", "illegal"):
            return Answer(seat, self.action if not self.kind else cast("Action", self.answer), place=place)
        lines = Incident((), "", "", error=self.error, trace=self.trace).traceback()
        return Answer(seat, None, self.kind, self.text, place, "\n".join(lines))

    def _place(self) -> str:
        if self.told is not None:
            return self.told.place
        file = None if self.code is None else self.code.co_filename
        return place_of(self.trace, file) if self.trace is not None else place_of_code(self.code)

    def incident(self, who: str, state: dict[str, Any]) -> Incident | None:
        """Return the fault as an incident; None when there was none."""
        if not self.kind:
            return None
        told = self.told
        return Incident(
            fault_kinds(self.kind),
            who,
            f"{self._said()}; it has to {self.action} instead",
            self._place(),
            self.view.seat,
            error=self.error if told is None else None,
            trace=self.trace,
            state=state,
            kept_trace="" if told is None else told.trace,
        )

    def _said(self) -> str:
        if self.kind == "illegal":
            return f"answers {self.answer}: {self.text}"
        return self.text


def ask(bot: Bot, view: View, hand: int, step: int = 0) -> Question:
    """Ask a bot, and return the question with its answer or error."""
    question = Question(view, hand, step, code=code_of(bot))

    def once(view: View) -> Action:
        try:
            question.answer = bot(view)
        except (Exception, SystemExit) as error:  # the same as `decide` catches: noted here, judged there
            question.error, question.trace = error, error.__traceback__
            raise
        return question.answer

    account = Faults()
    question.action = decide(once, view, account, hand)
    question.kind = next(iter(account.by_kind), "")
    question.text = account.first
    return question


def code_of(bot: Any) -> CodeType | None:
    """Return the code of a function, or of an object's `__call__`; None when there is no Python code."""
    found = inspect.unwrap(getattr(bot, "func", bot))  # look through `functools.partial`
    code = getattr(found, "__code__", None)
    if code is None:
        code = getattr(vars(type(found)).get("__call__"), "__code__", None)
    return code if isinstance(code, CodeType) else None
