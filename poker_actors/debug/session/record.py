"""The record of a session: every answer of a bot and the order of delivery, replayed instead of asking."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Final, Literal, cast

import attrs

from poker_actors.actors import runtime
from poker_actors.bots import Bot, BotFault, BotSpec, FaultLimits, Faults, Registered, decide
from poker_actors.debug.plain import GOD, HIDDEN, Viewpoint
from poker_actors.errors import BadSpec, PokerError, UnknownBot
from poker_actors.rules import Action, View, parse_action

_KINDS: Final = tuple(kind for kind, count in Faults().to_dict().items() if count == 0)
"""The kinds of faults: the names of an account's counters."""


@attrs.frozen
class Answer:
    """A bot's answer at one turn: an action, legal or not, or the fault in its place."""

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
    """number, from 1, of the news (start or end of a hand) at which it failed; 0 for an answer"""

    def __call__(self, view: View) -> Action:
        """Give the answer again; raise `BotFault` for a fault."""
        if self.action is None:
            raise BotFault(cast("Any", self.kind), self.text)
        return self.action

    def to_dict(self) -> dict[str, Any]:
        """Return the record as a JSON object without empty parts; `from_dict` reads it back."""
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
    """What a session replays instead of asking: answers by seat, and the order of delivery."""

    answers: tuple[tuple[Answer, ...], ...]
    places: tuple[int, ...] = ()
    """for each step, the index of its message among those on their way; empty if in the script's order"""
    limits: tuple[FaultLimits | None, ...] = ()
    """by seat, the faults and stops at which a program or an awaited bot was ejected; None for the default"""


class _Unasked:
    """A recorded bot: its code is loaded only if it is asked something that is not in the record."""

    def __init__(self, text: str) -> None:
        self.text: Final = text


def unasked(text: str) -> BotSpec:
    """Return the spec of a recorded bot, without loading its code, which may not be on this machine."""
    return BotSpec(text, Registered(text, cast("Any", _Unasked(text))))


def known_spec(spec: BotSpec) -> BotSpec:
    """Load the code of a recorded bot; return any other as it is. Raises `BadSpec` if it is not found."""
    factory: object = spec.source.factory
    if not isinstance(factory, _Unasked):
        return spec
    try:
        return BotSpec.parse(spec.text)
    except (BadSpec, UnknownBot) as error:
        raise BadSpec(f"bot {spec.text[-80:]} cannot be asked here: {error}") from None


Kind = Literal["fault", "refused", "crash", "late", "void", "promise"]

KINDS: Final[tuple[Kind, ...]] = ("fault", "refused", "crash", "late", "void", "promise")
"""A bot's fault, a refused action or command, an actor's crash, a timeout, a voided hand, a broken promise."""


def fault_kinds(kind: str) -> tuple[Kind, ...]:
    """Return the kinds of incident for one kind of fault in `bots.Faults`."""
    special: dict[str, tuple[Kind, ...]] = {"illegal": ("refused", "fault"), "late": ("late", "fault")}
    return special.get(kind, ("fault",))


@attrs.frozen(eq=False)
class Incident:
    """Something that went wrong in a step; `str` describes it in one line.

    A bot's illegal action is `refused`, and one that came too late is `late`. Both are also the
    bot's `fault`, so `kinds` may hold several.
    """

    kinds: tuple[Kind, ...]
    who: str
    """name of the actor"""
    text: str
    place: str = ""
    """FILE:LINE of the code that failed, if known"""
    seat: int | None = None
    """the seat whose cards the text or the traceback may reveal; None for all seats"""
    error: BaseException | None = attrs.field(default=None, repr=False)
    trace: TracebackType | None = attrs.field(default=None, repr=False)
    state: dict[str, Any] = attrs.field(factory=dict, repr=False)
    """the actor's state when it failed, as plain values, with all cards"""
    kept_trace: str = attrs.field(default="", repr=False)
    """the traceback as text, when there is no exception object, as in a recording"""

    @property
    def kind(self) -> Kind:
        """The main kind: the first of `kinds`."""
        return self.kinds[0]

    def shown(self, viewpoint: Viewpoint = GOD) -> str:
        """Describe the incident in one line, without what the viewpoint may not see."""
        if not self.seen(viewpoint):
            return f"{self.kind}: {self.who}"
        place = f" ({self.place})" if self.place else ""
        return f"{self.kind}: {self.who} {self.text}{place}"

    def seen(self, viewpoint: Viewpoint) -> bool:
        """Tell whether a viewpoint may see the text, the traceback and the state."""
        return viewpoint.god or (self.seat is not None and viewpoint.sees(self.seat))

    def traceback(self, viewpoint: Viewpoint = GOD, *, local: bool = False) -> list[str]:
        """Return the lines of the traceback; with `local`, also the local variables of each frame."""
        if self.error is None and not self.kept_trace:
            return []
        if not self.seen(viewpoint):
            return [HIDDEN]
        if self.error is None:
            return self.kept_trace.rstrip("\n").split("\n")
        made = traceback.TracebackException(type(self.error), self.error, self.trace, capture_locals=local)
        made.stack[:] = [frame for frame in made.stack if Path(frame.filename).parent not in _OURS]
        return [line for text in made.format() for line in text.rstrip("\n").split("\n")]

    def __str__(self) -> str:
        return self.shown()


_OURS: Final = (Path(__file__).parent, Path(runtime.__file__).parent)
"""Folders whose frames are left out: the session and the runtime are not what is being debugged."""


def place_of(trace: TracebackType | None, file: str | None = None, *, only: bool = False) -> str:
    """Return FILE:LINE of an exception: its deepest frame in `file`, or else, unless `only`, its deepest one; "" for none."""
    frames = list(_frames(trace))
    inside = [frame for frame in frames if frame[0] == file]
    chosen = (inside if only or inside else frames)[-1:]
    return f"{_short(chosen[0][0])}:{chosen[0][1]}" if chosen else ""


def error_words(error: BaseException, function: object) -> str:
    """Return an error and, in parentheses, the FILE:LINE of its deepest frame in the file of a user's function, if any."""
    text = str(error) if isinstance(error, PokerError) else f"{type(error).__name__}: {error}"
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    place = place_of(error.__traceback__, file, only=True)
    return f"{text} ({place})" if place else text


def place_of_code(code: CodeType | None) -> str:
    """Return FILE:LINE of the start of a function; "" for None."""
    return "" if code is None else f"{_short(code.co_filename)}:{code.co_firstlineno}"


def _frames(trace: TracebackType | None) -> Iterator[tuple[str, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def _short(file: str) -> str:
    """Shorten a path below the current directory to a relative one."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file


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
        """Return the value by which two answers are compared."""
        match self.kind:
            case "" | "illegal":
                return self.answer
            case "raised":
                return self.text.partition(":")[0]  # the type of the error: its text may name an object
            case "nonsense":
                return self.text
        return self.kind

    def recorded(self) -> Answer:
        """Return the answer in the form of a trace."""
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
