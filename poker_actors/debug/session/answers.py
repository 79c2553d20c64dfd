"""The bots' answers in a session: a bot is asked once per turn, and replays reuse the recorded answer."""

from __future__ import annotations

import inspect
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import attrs

from poker_actors.bots import (
    Bot,
    BotFault,
    FaultLimits,
    Faults,
    HandEnd,
    HandStart,
    HandStream,
    OutsideBot,
    SeedTree,
    fallback,
    hears,
    peeking_bots,
    show_cards,
)
from poker_actors.bots.awaiting import AwaitedBot
from poker_actors.debug.session.record import (
    Answer,
    Incident,
    Question,
    Record,
    ask,
    known_spec,
    place_of,
    place_of_code,
)
from poker_actors.errors import BadSpec, Discrepancy
from poker_actors.rules import Action, View

if TYPE_CHECKING:
    from poker_actors.debug.session.script import Script


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

    def __init__(self, record: _Record, asked: int, heard: int, answers: Answers) -> None:
        self._record = record
        self._answers = answers
        self.asked = asked
        """questions asked so far"""
        self.heard = heard
        """starts and ends of hands that it was told of so far"""
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


class HearingBot(RecordedBot):
    """A recorded bot that is told of starts and ends of hands, and passes them on the first time."""

    def hand_started(self, news: HandStart) -> None:
        """Hear that a hand begins."""
        self._hear("hand_started", news)

    def hand_over(self, news: HandEnd) -> None:
        """Hear how a hand ended."""
        self._hear("hand_over", news)

    def cards_shown(self, news: HandEnd) -> None:
        """Hear of cards shown after a hand."""
        self._hear("cards_shown", news)

    def _hear(self, method: str, news: HandStart) -> None:
        told = self._record.heard
        if self.heard == len(told):
            told.append(self._record.tell(_Told(self.asked, self._answers.step, method, news)))
        error = told[self.heard].error
        self.heard += 1
        if error is not None:
            raise error


@attrs.define(eq=False)
class _Told:
    """A start or an end of a hand that a bot was told of."""

    after: int
    """questions asked before it"""
    step: int
    method: str
    """the bot's method that hears it"""
    news: HandStart
    error: BaseException | None = None
    """what the bot raised"""

    def recorded(self, seat: int, number: int) -> Answer:
        """Return the fault at news `number` in the form of a trace."""
        error = self.error
        assert error is not None
        lines = Incident((), "", "", error=error, trace=error.__traceback__).traceback()
        place, text = place_of(error.__traceback__), f"raised {type(error).__name__}: {error}"
        kind = "raised"
        if isinstance(error, BotFault):
            kind, text = error.kind, str(error)
        return Answer(seat, None, kind, text, place, "\n".join(lines), number)


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
        self.heard: list[_Told] = [] if before is None else [one for one in before.heard if one.step < steps]
        given = () if script.record is None else script.record.answers[seat]
        self._told: Sequence[Answer] = [one for one in given if not one.heard]
        """recorded answers, given instead of asking the bot"""
        self._failed = {one.heard: one for one in given if one.heard}
        """recorded faults at what it was told"""
        self.bot: Bot | None = None
        self._luck: HandStream | None = None
        if before is not None:
            self.limits = before.limits
            if before.bot is not None and not self.remade:
                self.bot, self._luck = self._fed(0)  # the only one there is
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
        """Whether a fresh copy of the bot can be made; an object passed in by the user cannot be copied."""
        return inspect.isclass(self._factory) or inspect.isfunction(self._factory)

    @property
    def forgets(self) -> bool:
        """Whether the bot is a function, which keeps no memory: earlier hands need not be shown again."""
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

    @property
    def hears(self) -> bool:
        """Whether the bot is told of hands; if its code is not loaded, it may be."""
        return self.bot is None or hears(self.bot)

    def tell(self, told: _Told) -> _Told:
        """Tell the bot, if it is loaded; otherwise it is told before its next question."""
        failed = self._failed.get(len(self.heard) + 1)
        if failed is not None:
            told.error = BotFault(cast("Any", failed.kind), failed.text)
        elif self.bot is not None:
            _tell(self.bot, [told])
        return told

    def faults_heard(self, first: int = 0, until: int | None = None) -> list[Answer]:
        """Return the faults at news, from step `first` to the one before `until`."""
        found = []
        for number in range(len(self.heard), 0, -1):  # from the end: a trace asks for the step just made
            one = self.heard[number - 1]
            if one.step < first:
                break
            if one.error is not None and (until is None or one.step < until):
                found.append(self._failed.get(number) or one.recorded(self.seat, number))
        return found[::-1]

    def _heard_after(self, number: int) -> list[_Told]:
        return [one for one in self.heard if one.after == number]

    def asked_again(self) -> Iterator[tuple[Question, Question]]:
        """Make a new bot, ask it everything again, and yield each question with its answer now; then close it."""
        bot: Bot = self.script.decider(self.seat)
        luck = SeedTree(self.script.seed).stream(0, self.seat)
        try:
            for number, old in enumerate(self.asked):
                _tell(bot, self._heard_after(number))
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
        for place, old in enumerate(self.asked[:number]):
            if self.forgets and old.hand != latest:
                continue
            _tell(bot, self._heard_after(place))
            now = self._ask(bot, luck, old.view, old.hand)
            if not now.same(old):
                raise self._other(old, f"answered {old.words}, but answers {now.words} when asked again")
        _tell(bot, self._heard_after(number))
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
            f"step {old.step} cannot be repeated: bot {name} (seat {self.seat}{f', {place}' if place else ''}) "
            f"{how}; it depends on more than its views and its luck"
        )


class Answers:
    """The bots of a script and all their answers, shared by the playbacks of one session.

    Questions are counted per bot, so a playback that begins in the middle continues with the right one. Bots are never
    copied: a bot that needs its memory is made again and asked everything again.
    """

    def __init__(self, script: Script, before: Answers | None = None, steps: int = 0) -> None:
        self.step = 0
        """the step in progress"""
        self.discrepancy: Discrepancy | None = None
        """a replay that differed, to be raised after the step"""
        seats = range(len(script.bots))
        old: list[_Record | None] = [None if before is None else before._records[seat] for seat in seats]
        self._records: list[_Record] = [_Record(script, seat, old[seat], steps) for seat in seats]

    def deciders(self, had: Sequence[tuple[int, int]] | None = None) -> list[RecordedBot]:
        """Return one decider per seat; `had` counts the questions and the news that each has had, none by default."""
        counts = [(0, 0)] * len(self._records) if had is None else had
        return [
            (HearingBot if record.hears else RecordedBot)(record, asked, heard, self)
            for record, (asked, heard) in zip(self._records, counts, strict=True)
        ]

    def in_step(self, step: int) -> tuple[int, int] | None:
        """Return the seat and number of the question asked in a step; None when none was."""
        for record in self._records:
            number = bisect_left(record.asked, step, key=_step_of)
            if number < len(record.asked) and record.asked[number].step == step:
                return record.seat, number
        return None

    def made(self, step: int) -> tuple[Answer, ...]:
        """Return the bots' answers in a step, and their failures at news, in the form of a trace."""
        asked = self.in_step(step)
        given = () if asked is None else (self.question(*asked).recorded(),)
        return (
            *given,
            *(one for record in self._records if record.heard for one in record.faults_heard(step)),
        )

    def latest(self, step: int) -> tuple[int, int] | None:
        """Return the seat and number of the last question asked up to a step; None when none was."""
        found = [(record, bisect_right(record.asked, step, key=_step_of) - 1) for record in self._records]
        made = [(record.asked[number].step, record.seat, number) for record, number in found if number >= 0]
        return max(made)[1:] if made else None

    def record(self, places: tuple[int, ...], until: int | None = None) -> Record:
        """Return all answers so far, or those before step `until`, in the form of a trace."""
        return Record(
            tuple(
                (
                    *(one.recorded() for one in record.asked if until is None or one.step < until),
                    *record.faults_heard(until=until),
                )
                for record in self._records
            ),
            places,
            tuple(record.limits for record in self._records),
        )

    def asked_again(self) -> Iterator[tuple[int, Iterator[tuple[Question, Question]] | None]]:
        """Yield each seat with its questions, asked again of a new bot; None if the bot is not available."""
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
        """Close the outside bots, with all they have started."""
        for record in self._records:
            if isinstance(record.bot, OutsideBot):
                record.bot.close()
                record.bot = None


def _tell(bot: Bot, told: Sequence[_Told]) -> None:
    """Tell a bot of hands; its error, if any, is recorded, and raised again in a replay."""
    for one in told:
        method = getattr(bot, one.method, None)
        try:
            if method is not None and hears(bot):
                method(one.news)
        except (Exception, SystemExit) as error:  # noqa: BLE001  somebody's own bot may raise anything
            one.error = error


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
