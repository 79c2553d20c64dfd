"""The stepper: a session that can stop at any message, inspect everything, step back and fork."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import zip_longest
from typing import Any, Self

import attrs

from poker_actors.actors import Room
from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.closing import Closing
from poker_actors.debug.plain import GOD, Viewpoint
from poker_actors.debug.session.answers import Again, Debugger
from poker_actors.debug.session.checkpoint import Checkpoint
from poker_actors.debug.session.intervention import (
    Harm,
    Harmed,
    Intervention,
    NextAction,
    NextCards,
    NextMessage,
)
from poker_actors.debug.session.moving import Moving
from poker_actors.debug.session.names import SAMPLE, evaluate_expression, names_used
from poker_actors.debug.session.observed import Change, Step
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.promises import Held, OwnPromise
from poker_actors.debug.session.record import Question, ask
from poker_actors.debug.session.retelling import joined, script_of_recording
from poker_actors.debug.session.script import Script
from poker_actors.debug.session.staged import open_at, open_playback, past_of
from poker_actors.debug.session.stops import (
    MOST_STEPS,
    Actors,
    Breakpoint,
)
from poker_actors.debug.state import fingerprint
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, parse_action


class Stepper(Moving, Closing):
    """One or more hands, played message by message; see `Script.of` for the settings.

    Given a `Program`, your own code that opens a room, it can do everything except fork.

    Position p is the state after p steps. Going back replays the script up to that position, which
    is exact, since all luck comes from the script. `steps` keeps what each step delivered, about a
    hundred bytes a step. The `viewpoint` filters everything shown as plain values.
    Use it as a context manager, or call `close`.
    """

    def __init__(
        self,
        script: Script | Program | None = None,
        *,
        viewpoint: Viewpoint | str = GOD,
        observer: Callable[[Playback, Step], None] | None = None,
        eyes: Viewpoint | str | None = None,
        promises: Iterable[OwnPromise] = (),
        **settings: Any,
    ) -> None:
        if eyes is not None:
            warnings.warn("Stepper(eyes=...) is Stepper(viewpoint=...) now", DeprecationWarning, stacklevel=2)
            viewpoint = eyes
        chosen: Script | Program = Script.of(**settings) if script is None else script
        looks = Viewpoint.parse(viewpoint) if isinstance(viewpoint, str) else viewpoint
        if chosen.seats and (looks.seat or 0) >= chosen.seats:
            raise BadSpec(f"viewpoint seat {looks.seat}: seats are 0 to {chosen.seats - 1}")
        super().__init__(chosen, looks, observer)
        self.held = Held(promises)
        self._recording: dict[str, Any] | None = None
        """what a live table had handled, if this is one"""
        self._again: Callable[[], dict[str, Any]] | None = None

    @classmethod
    def of_recording(
        cls, recording: dict[str, Any], again: Callable[[], dict[str, Any]] | None = None
    ) -> Self:
        """Open the recent messages of a live table, at their end; see `Room.debug`.

        `again` returns a later recording, for `more`. Raises `BadHistory` for anything but a recording, and
        `Discrepancy` for one that does not replay the same.
        """
        stepper = cls(script_of_recording(recording))
        stepper._recording, stepper._again = recording, again
        stepper.goto(MOST_STEPS)
        return stepper

    @classmethod
    def of_room(cls, room: Room, table: str) -> Self:
        """Open a live table's recent messages, at their end; see `Room.debug`."""
        return cls.of_recording(room.recording(table), lambda: room.recording(table))

    def more(self) -> Stepper:
        """Fetch the live table's newer messages, and go to their end; return this session, or another one.

        Steps keep their numbers. If messages in between are no longer kept, this session stays as it is, and
        another one begins where the table's record begins now. Raises `BadSpec` for a session without a live
        table, and any error of asking the table.
        """
        if self._again is None or self._recording is None:
            raise BadSpec("more: this session has no live table")
        found = self._again()
        whole = joined(self._recording, found)
        other = Stepper.of_recording(found if whole is None else whole, self._again)
        if whole is None or not self._goes_on_in(other):
            return other
        self.close()
        self._recording = whole
        self.script, self.index = other.script, other.index
        self._past, self._playback = other._past, other._playback
        return self

    def _goes_on_in(self, other: Stepper) -> bool:
        """Tell whether another session begins with all the steps of this one."""
        pairs = zip_longest(self.steps, other.steps[: len(self.steps)])
        return all(old is not None and new is not None and _same(old, new) for old, new in pairs)

    @property
    def eyes(self) -> Viewpoint:
        """Deprecated name of `viewpoint`; to be removed in the next release."""
        return self.viewpoint

    @eyes.setter
    def eyes(self, viewpoint: Viewpoint) -> None:
        self.viewpoint = viewpoint

    def reverse(self) -> Breakpoint | None:
        """Go back to the last breakpoint before this position, and return it; to the start and None if none."""
        if self._is_indexed(1, self.position - 1):
            known = self._hit(1, self.position - 1, last=True)
            self.goto(0 if known is None else known[0])
            return None if known is None else known[1]
        hits: list[Breakpoint] = []

        def begin(other: Stepper) -> Callable[[Step], bool]:
            other._arm()

            def test(step: Step) -> bool:
                hit: list[Breakpoint] = [one for one in other.breakpoints if one.test(other, step)]
                hits.extend(hit[:1])
                return bool(hit)

            return test

        found = self._last(self.position - 1, begin)
        self.goto(0 if found is None else found)
        return None if found is None else hits[-1]

    def last_change(self, what: str) -> Change | None:
        """Return the last change of an expression or an actor before this position; None if it never changed."""
        found: list[Change] = []

        def begin(other: Stepper) -> Callable[[Step], bool]:
            before = other._value(what)

            def test(step: Step) -> bool:
                nonlocal before
                now = other._value(what)
                if now != before:
                    found.append(Change(step, before, now))
                changed = bool(now != before)
                before = now
                return changed

            return test

        self._known_value(what)
        if self.viewpoint.god and what not in self.actors and _of_the_hand(what):
            return self._last_change_known(what)
        return None if self._last(self.position, begin) is None else found[-1]

    def _last_change_known(self, what: str) -> Change | None:
        """Return the last change of a value of the hand before this position, without playing anything."""
        index = self.index
        places = [one for one in index.changed if one <= self.position]
        after: Any = None
        for number in range(len(places) - 1, -1, -1):
            try:
                value = evaluate_expression(what, index.names(places[number]), SAMPLE)
            except BadSpec:
                value = None  # has no value yet
            if number < len(places) - 1 and value != after:
                return Change(self.steps[places[number + 1] - 1], value, after)
            after = value
        return None

    def _known_value(self, what: str) -> None:
        """Raise `BadSpec` unless this is an actor or an expression."""
        if what not in self.actors and self.crash_of(what) is None:
            evaluate_expression(what, {**self.names(), "actors": Actors(self)}, SAMPLE)

    def _value(self, what: str) -> Any:
        try:
            return self.inspect(what) if what in self.actors else self.evaluate(what)
        except BadSpec:
            return None  # has no value yet

    def _last(self, limit: int, begin: Callable[[Stepper], Callable[[Step], bool]]) -> int | None:
        """Return the last position up to `limit` whose step passes a test; search backwards by checkpoint."""
        bound = limit
        for start in [None] if self._past is None else self._past.starts(limit):
            other = self._aside(start)
            found = None
            with closing(other._playback):
                begins = other.position
                test = begin(other)
                while other.position < bound and (step := other.step()) is not None:
                    if test(step):
                        found = other.position
            if found is not None:
                return found
            bound = begins
        return None

    def _aside(self, start: Checkpoint | None) -> Stepper:
        """Return a copy of this session at a checkpoint, so that a search does not move this one."""
        other = copy.copy(self)
        other.observer = None
        other._playback = open_at(self.script, self._past, start)
        return other

    def question(self) -> Question | None:
        """Return the last bot's turn up to here, or the next one; None if there is neither.

        Raises `BadSpec` for a program or a live table, whose bots the session cannot ask.
        """
        found = self._asked()
        return None if found is None or self._past is None else self._past.answers.question(*found)

    def _asked(self) -> tuple[int, int] | None:
        """Return the seat and number of that question."""
        if self._past is None:
            raise BadSpec(
                "the session cannot ask a program's bots: set a breakpoint() in them and open the program again"
            )
        if self.script.start is not None:
            raise BadSpec("the bots of a live table cannot be asked here; `faults` lists their faults")
        answers = self._past.answers
        made = answers.in_step(self.position - 1)
        if made is not None:
            return made
        following = self.peek()
        if following is not None and getattr(following.message, "turn", None) is not None:
            self.state_at(self.position + 1)  # asks the bot, if it has not been asked before
        return answers.latest(self.position)

    def into(self, debugger: Debugger) -> Again:
        """Ask a bot again under a debugger, with the view, the luck and the memory it had.

        The bot is the one asked in the step just made, else in the next step, else asked last.
        `debugger` is called with the bot and its view, and returns the answer. Raises `BadSpec` when no
        bot was asked, and `Discrepancy` for a bot that depends on more than its views and luck.
        """
        found = self._asked()
        if found is None or self._past is None:
            raise BadSpec("no bot has been asked yet: go on to a turn")
        asked = self._past.answers.question(*found)
        bot, view = self._past.answers.again(*found)
        now = ask(lambda shown: debugger(bot, shown), view, asked.hand, asked.step)
        return Again(asked, now, self.players[found[0]])

    def fork(
        self,
        action: Action | str | None = None,
        *,
        cards: str | Sequence[Card] | None = None,
        deck: Deck | int | None = None,
        place: int | None = None,
        drop: int | None = None,
        duplicate: int | None = None,
        delay: int | None = None,
    ) -> Stepper:
        """Return a new session at this position that continues differently; this one is unchanged.

        It may change the next `action`, the first `cards` to come, the rest of the `deck` (a deck, or
        the seed of one), or the next message: the one at index `place` of `pending`; or lose, double or hold
        back the one at index `drop`, `duplicate` or `delay`. Raises `BadSpec`
        and `IllegalAction` for changes that are impossible here.
        """
        here = self.script.forkable()
        changes: list[Intervention] = []
        if action is not None:
            parsed = parse_action(action) if isinstance(action, str) else action
            changes.append(NextAction(self.position, parsed))
        if deck is not None:
            cards = self._rest_of(Deck.seeded(deck, here.game.pack) if isinstance(deck, int) else deck)
        if cards is not None:
            chosen = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
            changes.append(NextCards(self.position, chosen))
        if place is not None:
            changes.append(NextMessage(self.position, place))
        harmed: dict[Harm, int | None] = {"drop": drop, "duplicate": duplicate, "delay": delay}
        changes += [Harmed(self.position, harm, at) for harm, at in harmed.items() if at is not None]
        kept = tuple(one for one in here.interventions if one.at <= self.position)
        script = attrs.evolve(self._until_here(here), interventions=(*kept, *changes))
        other = Stepper(script, viewpoint=self.viewpoint, observer=self.observer)
        other._take_over(self)
        try:
            other.goto(self.position)
        except BaseException:
            other.close()
            raise
        return other

    def _until_here(self, script: Script) -> Script:
        """Return a script with the answers up to here; a live table's script plays on after that."""
        assert self._past is not None
        places = tuple(step.place for step in self.steps[: self.position])
        record = self._past.answers.record(places, self.position)
        start = script.start and attrs.evolve(script.start, plays_on=True)
        return attrs.evolve(script, record=record, start=start)

    def _take_over(self, before: Stepper) -> None:
        """Continue from another session's position, with its steps, answers and checkpoints up to there."""
        self.close()
        self.index = before.index.until(before.position)
        self.held = before.held.until(before.position)
        self._past = past_of(self.script, before._past, before.position)
        self._playback = open_playback(self.script, self._past, before.position)

    def _rest_of(self, deck: Deck) -> tuple[Card, ...]:
        """Return another deck's cards in dealing order, without those already dealt here."""
        cards = deck.copy().draw(len(deck))
        hand = self._playback.last_hand
        if hand is None or hand.over:
            return cards
        dealt = sum(map(len, hand.holes)) + len(hand.board)
        fresh = [card for card in cards if card not in hand.cards[:dealt]]
        return tuple(fresh[: len(hand.cards) - dealt])

    def close(self) -> None:
        """Close this session's room and its bots."""
        self._playback.close()
        if self._past is not None:
            self._past.close()

    def __repr__(self) -> str:
        return f"<Stepper: step {self.position}, {len(self.pending)} messages on their way>"


def _of_the_hand(expression: str) -> bool:
    """Tell whether an expression depends only on the hand, so that the index knows its values."""
    return SAMPLE.issuperset(names_used(expression)) and "step" not in names_used(expression)


def _same(old: Step, new: Step) -> bool:
    return fingerprint(old.delivery) == fingerprint(new.delivery)


Room.debugger = Stepper.of_room
