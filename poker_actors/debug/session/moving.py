"""Moving in a session: step by step, to a breakpoint, back, or to any position."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any, Self

import attrs

from poker_actors.debug.plain import GOD, Viewpoint
from poker_actors.debug.session.looking import Looking
from poker_actors.debug.session.names import SAMPLE, evaluate_expression
from poker_actors.debug.session.observed import Step
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.promises import Held
from poker_actors.debug.session.script import Script
from poker_actors.debug.session.staged import open_playback
from poker_actors.debug.session.stops import (
    MOST_STEPS,
    Breakpoint,
    Condition,
    Predicate,
    parse_breakpoint,
)
from poker_actors.debug.state import delivery_words, fingerprint
from poker_actors.errors import BadSpec, Discrepancy

__all__ = ["Moving"]


class Moving(Looking):
    """The half of a session that moves it; see `Stepper`."""

    def __init__(
        self,
        script: Script | Program,
        viewpoint: Viewpoint,
        observer: Callable[[Playback, Step], None] | None,
    ) -> None:
        super().__init__(script, viewpoint)
        self.breakpoints: list[Breakpoint] = []
        self.watches: list[str] = []
        self.held = Held()
        """the promises of one's own, checked after each step when it is made for the first time"""
        self.observer = observer

    def step(self) -> Step | None:
        """Deliver one message, with the questions asked during its handling; return None at the end.

        Raises `Discrepancy` when a repeated step differs from the first time: some bot or scene
        then depends on more than the seed. Raises `BadSpec` beyond `MOST_STEPS`.
        """
        if self.position >= MOST_STEPS:
            raise BadSpec(f"a session has at most {MOST_STEPS} steps")
        step = self._playback.advance()
        if step is None:
            return None
        if step.number < len(self.steps):
            known = self.steps[step.number]
            self._compare(known, step)
            step = known
        else:
            broken = tuple(self.held.after(self._playback, step, over=self.at_rest))
            step = attrs.evolve(step, incidents=(*step.incidents, *broken)) if broken else step
            playback = self._playback
            self.index.add(step, playback.last_hand, playback.voided, lambda: self._names(GOD))
        if self.observer is not None:
            self.observer(self._playback, step)
        return step

    def run(self, until: Callable[[Self], bool] | None = None) -> Breakpoint | None:
        """Step until a breakpoint, until `until(stepper)` is true, or to the end; return the breakpoint hit."""
        if until is None and self.observer is None and self._is_indexed(self.position + 1, len(self.steps)):
            hit_known = self._hit(self.position + 1, len(self.steps), last=False)
            self.goto(len(self.steps) if hit_known is None else hit_known[0])
            if hit_known is not None:
                return hit_known[1]
        self._arm()
        while (step := self.step()) is not None:
            hit = [one for one in self.breakpoints if one.test(self, step)]
            if hit:
                return hit[0]
            if until is not None and until(self):
                break
        else:
            self.index.read(self.viewpoint)  # now, while one waits anyway, and not at the first `find`
        return None

    def _is_indexed(self, low: int, high: int) -> bool:
        """Whether the index can tell where breakpoints stop from `low` to `high`; it holds what the god viewpoint sees."""
        tests = [one.test for one in self.breakpoints]
        return self.viewpoint.god and all(
            isinstance(one, Condition) and one.is_known(self.index, low, high) for one in tests
        )

    def _hit(self, low: int, high: int, *, last: bool) -> tuple[int, Breakpoint] | None:
        """Return the first position of known steps at which a breakpoint stops, or the `last`, and the breakpoint."""
        found: tuple[int, Breakpoint] | None = None
        for one in self.breakpoints:
            assert isinstance(one.test, Condition)
            at = one.test.hit(self.index, low, high, last=last)
            if at is not None and (found is None or (at > found[0] if last else at < found[0])):
                found = at, one
        return found

    def _arm(self) -> None:
        """Tell edge conditions the state at the start: what is true already must not stop the run."""
        for one in self.breakpoints:
            if isinstance(one.test, Condition):
                one.test.arm(self)

    def step_action(self) -> Step | None:
        """Step until a player has acted; return that step, or None when there is no further action."""
        while (step := self.step()) is not None:
            if type(step.delivery.message).__name__ == "Act":
                return step
        return None

    def step_street(self) -> str:
        """Step until the next street opens or the hand is over; return the street."""
        before = self._street()
        while self._street() == before and self.step() is not None:
            pass
        return self._street()[1]

    def step_hand(self) -> None:
        """Step until the hand is over and booked: up to the next deal, or the end."""
        while self.step() is not None:
            following = self.peek()
            if following is not None and type(following.message).__name__ == "Deal":
                return

    def _street(self) -> tuple[int, str]:
        hand = self._playback.last_hand
        return (id(self._playback.table_hand), "" if hand is None else hand.phase)

    def back(self, count: int = 1) -> int:
        """Go back `count` steps, at most to the beginning; return the position. Raises `BadSpec` below 0."""
        if count < 0:
            raise BadSpec(f"back {count}: the number of steps must not be negative")
        return self.goto(max(0, self.position - count))

    def goto(self, position: int) -> int:
        """Go to a position, forward or back; return the one reached, at most the end. Raises `BadSpec` below 0."""
        if position < 0:
            raise BadSpec(f"step {position}: steps are counted from 0")
        known = None if self._past is None else self._past.nearest(position)
        # an observer is told of every step, so nothing may be passed over on the way forward
        ahead = self.observer is None and known is not None and known.position > self.position
        if position < self.position or ahead:
            self._playback.close()
            self._playback = open_playback(self.script, self._past, position)
        while self.position < position and self.step() is not None:
            pass
        if position >= MOST_STEPS:
            self.index.read(self.viewpoint)  # as `run`
        return self.position

    def _compare(self, before: Step, now: Step) -> None:
        for old, new in zip_longest(before.handled, now.handled):
            if old is None or new is None or fingerprint(old.delivery) != fingerprint(new.delivery):
                was, comes = (
                    "nothing" if one is None else delivery_words(one.delivery) for one in (old, new)
                )
                raise Discrepancy(
                    f"step {now.number} does not come again: it was {was}, and now is {comes}; "
                    "a bot or a scene depends on more than its seed"
                )

    def break_on(self, condition: str | Predicate) -> Breakpoint:
        """Set a breakpoint from text (`street flop`, `pot 100`; see `parse_breakpoint`) or a predicate."""
        test = parse_breakpoint(condition, self) if isinstance(condition, str) else condition
        text = condition if isinstance(condition, str) else getattr(condition, "__name__", "a predicate")
        number = max((one.number for one in self.breakpoints), default=0) + 1
        self.breakpoints.append(Breakpoint(number, text, test))
        return self.breakpoints[-1]

    def clear(self, number: int | None = None) -> None:
        """Remove one breakpoint, or all; raise `BadSpec` for a number that does not exist."""
        if number is not None and number not in [one.number for one in self.breakpoints]:
            raise BadSpec(f"there is no breakpoint {number}")
        self.breakpoints = [one for one in self.breakpoints if number is not None and one.number != number]

    def watch(self, expression: str) -> Any:
        """Watch an expression from now on; return its value."""
        value = evaluate_expression(expression, self.names(), SAMPLE)
        if expression not in self.watches:
            self.watches.append(expression)
        return value
