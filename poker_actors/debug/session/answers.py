"""The bots' answers in a session: a bot is asked once per turn, and replays reuse the recorded answer."""

from __future__ import annotations

import inspect
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any, cast

import attrs

from poker_actors.bots import (
    Bot,
    BotFault,
    FaultLimits,
    Faults,
    HandStream,
    OutsideBot,
    SeedTree,
    decide,
    fallback,
    peeking_bots,
    show_cards,
)
from poker_actors.bots.awaiting import AwaitedBot
from poker_actors.debug.session.incident import Incident, fault_kinds, place_of, place_of_code
from poker_actors.debug.session.record import Answer, Record, known_spec
from poker_actors.errors import BadSpec, Discrepancy
from poker_actors.rules import Action, View

if TYPE_CHECKING:
    from poker_actors.debug.session.script import Script

__all__ = ["Again", "Answers", "Debugger", "Probe", "Question", "RecordedBot", "ask"]


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
            self.error if told is None else None,
            self.trace,
            state,
            "" if told is None else told.trace,
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


class Probe:
    """Wraps a bot that the session did not make, and remembers its last question."""

    def __init__(self, bot: Bot, step: int) -> None:
        self.bot = bot
        self._step = step
        self.last: Question | None = None

    def __call__(self, view: View) -> Action:
        """Ask the bot."""
        self.last = ask(self.bot, view, view.hand_number or 0, self._step)
        return _given(self.last)


class RecordedBot:
    """One seat's bot in one playback: answers from the record, and asks the real bot past its end."""

    def __init__(self, record: _Record, asked: int, answers: Answers) -> None:
        self._record = record
        self._answers = answers
        self.asked = asked
        """questions asked so far"""
        self.last: Question | None = None

    def __call__(self, view: View) -> Action:
        """Answer from the record, or ask the bot; return the fallback when a replay differs."""
        answers = self._answers
        try:
            self.last = self._record.question(self.asked, view, view.hand_number or 0, answers.step)
        except Discrepancy as error:
            # raised here, it would count as a fault of the bot; the playback raises it after the step
            answers.discrepancy = error
            return fallback(view)
        self.asked += 1
        return _given(self.last)


def _given(question: Question) -> Action:
    if question.error is not None:
        raise question.error.with_traceback(question.trace)
    return question.answer  # type: ignore[return-value]  # a bot may return anything: the player checks it


class _Record:
    """All questions asked of one seat's bot, in order, and the bot that answers new ones."""

    def __init__(self, script: Script, seat: int, before: _Record | None = None, steps: int = 0) -> None:
        self.script = script
        self.seat = seat
        self.limits: FaultLimits | None = None
        self.asked: list[Question] = (
            [] if before is None else [one for one in before.asked if one.step < steps]
        )
        self._told: Sequence[Answer] = () if script.record is None else script.record.answers[seat]
        """recorded answers, given instead of asking the bot"""
        self.bot: Bot | None = None
        self._luck: HandStream | None = None
        if before is not None:
            self.limits = before.limits
        elif script.record is not None:
            self.limits = script.record.limits[seat]
        else:
            # at once: a bot that cannot be made ends a session before it begins
            self.bot, self._luck = self._fed(0)
            self.limits = self.bot.limits if isinstance(self.bot, OutsideBot) else None

    @property
    def _factory(self) -> object:
        return known_spec(self.script.bots[self.seat]).source.factory

    @property
    def remade(self) -> bool:
        """Whether a fresh copy can be made; an object passed in by the user is the only one."""
        return inspect.isclass(self._factory) or inspect.isfunction(self._factory)

    @property
    def forgets(self) -> bool:
        """Whether it is a function, which keeps no memory: earlier hands need not be shown again."""
        return inspect.isfunction(self._factory)

    def question(self, number: int, view: View, hand: int, step: int) -> Question:
        """Return recorded question `number`, or ask the bot in `step`; raise `Discrepancy` for another view."""
        if number < len(self.asked):
            old = self.asked[number]
            if old.view != view:
                raise self._other(old, "is shown something else")
            return old
        if number < len(self._told):
            made = ask(self._told[number], view, hand)
            made.told, made.code = self._told[number], None
        else:
            if self.bot is None:
                self.bot, self._luck = self._fed(len(self.asked))
            made = self._ask(self.bot, self._luck, view, hand)
        made.step = step
        self.asked.append(made)
        return made

    def asked_again(self) -> Iterator[tuple[Question, Question]]:
        """Make the bot anew, ask it everything again, and yield each question with its answer now; then close it."""
        bot, luck = self._fed(0)
        try:
            for old in self.asked:
                yield old, self._ask(bot, luck, old.view, old.hand)
        finally:
            if isinstance(bot, OutsideBot):
                bot.close()

    def again(self, number: int) -> tuple[Bot, View]:
        """Return a bot in its state before question `number`, and the view with the luck of that time."""
        old = self.asked[number]
        bot, luck = self._fed(number, old.hand)
        luck.hand = old.hand
        self._show(bot, old.hand)
        return bot, View(old.view.public, old.view.seat, old.view.hole, luck)

    def _fed(self, number: int, hand: int | None = None) -> tuple[Bot, HandStream]:
        """Make a bot, and repeat the first `number` questions: they restore its memory and its luck."""
        bot: Bot = self.script.decider(self.seat)
        luck = SeedTree(self.script.seed).stream(0, self.seat)
        latest = hand if hand is not None else self.asked[number - 1].hand if number else 0
        if not self.remade or isinstance(bot, AwaitedBot):
            return (
                bot,
                luck,
            )  # the only copy cannot be rewound; an awaited bot keeps nothing, and each answer costs
        for old in self.asked[:number]:
            if self.forgets and old.hand != latest:
                continue
            now = self._ask(bot, luck, old.view, old.hand)
            if not now.same(old):
                raise self._other(old, f"answered {old.words}, and answers {now.words} when asked again")
        return bot, luck

    def _ask(self, bot: Bot, luck: HandStream | None, view: View, hand: int) -> Question:
        assert luck is not None
        luck.hand = hand
        self._show(bot, hand)
        return ask(bot, View(view.public, view.seat, view.hole, luck), hand)

    def _show(self, bot: Bot, hand: int) -> None:
        """Show the hand's cards to a bot that asks to peek."""
        script, peeking = self.script, peeking_bots([bot])
        if peeking:
            show_cards(peeking, script.game, script.deck(hand), script.stacks)

    def _other(self, old: Question, how: str) -> Discrepancy:
        name = self.script.names[self.seat] if self.script.names else str(self.seat)
        place = place_of_code(old.code)
        return Discrepancy(
            f"step {old.step} does not come again: bot {name} (seat {self.seat}{f', {place}' if place else ''}) "
            f"{how}; it depends on more than its views and its luck"
        )


class Answers:
    """The bots of a script and all their answers, shared by the playbacks of one session.

    Questions are counted per bot, so a playback that begins in the middle continues with the right
    one. Bots are never copied: a bot that needs its memory is made anew and asked everything again.
    """

    def __init__(self, script: Script, before: Answers | None = None, steps: int = 0) -> None:
        self.step = 0
        """the step in progress"""
        self.discrepancy: Discrepancy | None = None
        """a replay that differed, to be raised after the step"""
        seats = range(len(script.bots))
        old: list[_Record | None] = [None if before is None else before._records[seat] for seat in seats]
        self._records: list[_Record] = [_Record(script, seat, old[seat], steps) for seat in seats]

    def deciders(self, asked: Sequence[int] | None = None) -> list[RecordedBot]:
        """Return one decider per seat; `asked` is how many questions each has had (none by default)."""
        counts = [0] * len(self._records) if asked is None else asked
        return [RecordedBot(record, count, self) for record, count in zip(self._records, counts, strict=True)]

    def in_step(self, step: int) -> tuple[int, int] | None:
        """Return the seat and number of the question asked in a step; None when none was."""
        for record in self._records:
            number = bisect_left(record.asked, step, key=_step_of)
            if number < len(record.asked) and record.asked[number].step == step:
                return record.seat, number
        return None

    def latest(self, step: int) -> tuple[int, int] | None:
        """Return the seat and number of the last question asked up to a step; None when none was."""
        found = [(record, bisect_right(record.asked, step, key=_step_of) - 1) for record in self._records]
        made = [(record.asked[number].step, record.seat, number) for record, number in found if number >= 0]
        return max(made)[1:] if made else None

    def record(self, places: tuple[int, ...], until: int | None = None) -> Record:
        """Return all answers so far, or those given before step `until`, as a trace keeps them."""
        return Record(
            tuple(
                tuple(one.recorded() for one in record.asked if until is None or one.step < until)
                for record in self._records
            ),
            places,
            tuple(record.limits for record in self._records),
        )

    def asked_again(self) -> Iterator[tuple[int, Iterator[tuple[Question, Question]] | None]]:
        """Yield each seat with its questions, asked again of a new bot; None if the bot is not here to be asked."""
        for record in self._records:
            try:
                known_spec(record.script.bots[record.seat])
            except BadSpec:
                yield record.seat, None
            else:
                yield record.seat, record.asked_again()

    def question(self, seat: int, number: int) -> Question:
        """Return question `number` of a seat."""
        return self._records[seat].asked[number]

    def again(self, seat: int, number: int) -> tuple[Bot, View]:
        """Return a bot in its state before question `number`, and the view with the luck of that time."""
        return self._records[seat].again(number)

    def limit(self, accounts: Sequence[Faults]) -> None:
        """Apply each outside bot's own fault limits to its seat's account."""
        for record, account in zip(self._records, accounts, strict=True):
            if record.limits is not None:
                account.limits = record.limits

    def close(self) -> None:
        """Close the outside bots, with whatever they have started."""
        for record in self._records:
            if isinstance(record.bot, OutsideBot):
                record.bot.close()
                record.bot = None


def _step_of(question: Question) -> int:
    return question.step


Debugger = Callable[[Bot, View], Any]
"""Calls a bot with a view under a debugger, and returns its answer."""


@attrs.frozen(eq=False)
class Again:
    """A bot asked again: its recorded answer and its new one."""

    recorded: Question
    now: Question
    name: str

    @property
    def same(self) -> bool:
        """Tell whether both answers are the same."""
        return self.recorded.same(self.now)
