"""A session at a position: its messages, the state of its actors, explanations; and the ways to go elsewhere."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import zip_longest
from typing import Any, Self

import attrs

from poker_actors.actors import Delivery, Room
from poker_actors.debug.draw import TablePicture, picture_of, table_svg
from poker_actors.debug.plain import GOD, Viewpoint, plain_message
from poker_actors.debug.session.names import SAMPLE, Index, evaluate_expression, names_of
from poker_actors.debug.session.observed import PendingTimer, Step
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.promises import Held, broken_promises
from poker_actors.debug.session.record import Incident, error_words, place_of
from poker_actors.debug.session.script import Script
from poker_actors.debug.session.staged import open_playback, past_of
from poker_actors.debug.session.stops import (
    MOST_STEPS,
    ROOM_MESSAGES,
    Actors,
    Breakpoint,
    Condition,
    Predicate,
    parse_breakpoint,
)
from poker_actors.debug.state import (
    Difference,
    actor_state,
    delivery_words,
    differences,
    fingerprint,
    state_hash,
    told_apart,
)
from poker_actors.debug.turns import Link, Reason, why_deadline
from poker_actors.debug.why import why
from poker_actors.errors import BadSpec, Discrepancy, PokerError
from poker_actors.rules import Hand, View


class Moving:
    """A session at a position: everything there, and the ways to another one; see `Stepper`."""

    def __init__(
        self,
        script: Script | Program,
        viewpoint: Viewpoint,
        observer: Callable[[Playback, Step], None] | None,
    ) -> None:
        self.script: Script | Program = script
        self.viewpoint: Viewpoint = viewpoint
        self.index = Index()
        self._past = past_of(script)
        self._playback: Playback = open_playback(self.script, self._past)
        self.index.begin(self._names(GOD))
        self.breakpoints: list[Breakpoint] = []
        self.watches: list[str] = []
        self.held = Held()
        """the user's own promises, checked after each step when it is made for the first time"""
        self.observer = observer

    @property
    def steps(self) -> list[Step]:
        """Every step made so far, including those ahead of the position after going back."""
        return self.index.steps

    @property
    def position(self) -> int:
        """Number of steps made to get here."""
        return self._playback.position

    def recorded(self) -> Script | Program:
        """Return the script with the answers and the order up to here, so that a replay need not ask again.

        A program is returned as it is: it plays by itself.
        """
        if self._past is None:
            return self.script
        places = tuple(step.place for step in self.steps)
        return self.script.with_record(self._past.answers.record(places))

    @property
    def players(self) -> tuple[str, ...]:
        """The players by seat."""
        return self._playback.source.names

    @property
    def seats(self) -> int:
        """Number of seats; 0 until a program has opened a table."""
        return len(self._playback.source.stacks)

    @property
    def over(self) -> bool:
        """Whether the script has been played to its end."""
        return not self._playback.source.waiting

    @property
    def at_rest(self) -> bool:
        """Whether nothing more will come: the end of a script or program, but not of a live table's messages."""
        start = self.script.start
        return self.over and (start is None or start.plays_on)

    @property
    def stuck(self) -> str | None:
        """Name the hand that cannot end because nothing more will come; None if there is none."""
        hand = self._playback.last_hand
        actor = self._playback.table_hand
        if not self.at_rest or self.voided or hand is None or hand.over:
            return None
        return "the hand" if actor is None else actor.address.name

    @property
    def failure(self) -> BaseException | None:
        """The error that ended the session early: a refused command, or a program's exception."""
        return self._playback.source.failure

    @property
    def ended_by(self) -> str | None:
        """That error in words, with its place in a program's file; None if the session did not end early."""
        error = self.failure
        return None if error is None else error_words(error, getattr(self.script, "play", None))

    @property
    def voided(self) -> bool:
        """Whether the last hand is void, with all stacks as before it."""
        return self._playback.voided

    @property
    def incidents(self) -> tuple[Incident, ...]:
        """All incidents of the steps up to here; see `Step.incidents`."""
        wrong = self.index.wrong[: bisect_right(self.index.wrong, self.position)]
        return tuple(one for position in wrong for one in self.steps[position - 1].incidents)

    @property
    def timers(self) -> tuple[PendingTimer, ...]:
        """Pending timers, soonest first; times are seconds of the virtual `clock`."""
        return self._playback.observed.timers

    @property
    def clock(self) -> float:
        """The virtual clock, in seconds."""
        return self._playback.source.now

    @property
    def message_types(self) -> Mapping[str, type]:
        """Message types by name: those of every room, and of this room's own actors."""
        sent = [type(one.message) for one in self.pending]
        living = [one.actor for one in self._playback.known if one.actor is not None]
        handled = [kind for actor in living for kind in actor.handlers]
        # those that a program defines may be sent later
        own = {kind.__name__: kind for kind in (*self.script.kinds, *handled, *sent)}
        return {**self.index.kinds, **own, **ROOM_MESSAGES}

    def broken_promise(self) -> str | None:
        """Describe a promise of every room that is broken now; None when all hold."""
        made = None if self.position == 0 else self.steps[self.position - 1]
        broken = broken_promises(self._playback, made, self._playback.source.minted, over=self.at_rest)
        return next((text for _, text in broken), None)

    @property
    def room(self) -> Room:
        """The room as it is now. Do not change it: changes are lost at the next `back`.

        Raises `BadSpec` for a program, which opens its rooms itself.
        """
        return self._playback.source.room

    @property
    def hand(self) -> Hand | None:
        """A copy of the current or last hand; None before the first deal."""
        hand = self._playback.last_hand
        return None if hand is None else hand.copy()

    def peek(self) -> Delivery | None:
        """Return the next message; None at the end."""
        return None if self.over else self.pending[self._playback.source.place]

    @property
    def pending(self) -> tuple[Delivery, ...]:
        """All undelivered messages, in the order sent."""
        return self._playback.source.on_the_way

    @property
    def cause(self) -> int | None:
        """The step in which the next message was sent; None for one from outside, and at the end."""
        return self._playback.cause

    def names(self) -> dict[str, Any]:
        """Return the names that expressions can use, with values: `pot`, `to_call`, `stacks`, `street` and so on."""
        return self._names(self.viewpoint)

    def _names(self, viewpoint: Viewpoint) -> dict[str, Any]:
        names = names_of(self._playback.last_hand, viewpoint, self.position)
        if self.voided and "stacks" in names:
            names |= {
                "stacks": list(self._playback.source.stacks_now),
                "pot": 0,
                "payoffs": [0] * len(names["payoffs"]),
            }
        return names

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression such as `pot`, `stacks[2] - to_call` or `message`; raises `BadSpec`.

        `message`, `sender` and `receiver` are those of the last delivery, `pending` is what is on its way.
        """
        names = {**self.names(), "actors": Actors(self)}
        if self.position:
            made = self.steps[self.position - 1].delivery
            names |= {"message": plain_message(made.message, self.viewpoint)}
            names |= {"sender": made.sender or "outside", "receiver": made.receiver}
        if "pending" in expression:
            names["pending"] = [
                plain_message(one.message, self.viewpoint, arrived=False) for one in self.pending
            ]
        return evaluate_expression(expression, names, SAMPLE | {"message", "sender", "receiver"})

    def find(self, text: str) -> list[int]:
        """Return the positions after each step so far that contains a text, or is of a message type or actor.

        A text is looked for in a message's line, its payload and its incidents, ignoring case.
        """
        return self.index.find(text, self.viewpoint)

    def state(self) -> dict[str, Any]:
        """Return the whole room as plain values: `actors` by name, the common `mailbox`, the `clock`."""
        return self._playback.state(self.viewpoint)

    def hash(self) -> str:
        """Return a hash of the whole room, all cards included; equal rooms have equal hashes."""
        return state_hash(self._playback.state())

    @property
    def actors(self) -> tuple[str, ...]:
        """Names of the living actors, in the order they started."""
        return tuple(one.name for one in self._playback.known if one.actor is not None)

    def inspect(self, name: str) -> dict[str, Any]:
        """Return an actor's state, `mailbox` and owed `replies`; raise `BadSpec` for an unknown actor."""
        found = [one for one in self._playback.known if one.name == name and one.actor is not None]
        crash = None if found else self.crash_of(name)
        if crash is not None:
            seen = self.viewpoint.god
            return {**(crash.state if seen else {}), "crashed": crash.shown(self.viewpoint), "mailbox": []}
        if not found or found[0].actor is None:
            raise BadSpec(f"there is no actor {name[:40]!r} (actors: {', '.join(self.actors)})")
        waiting = [one for one in self.pending if one.receiver == name]
        shown = [(one, plain_message(one.message, self.viewpoint, arrived=False)) for one in waiting]
        return {
            **actor_state(found[0].actor, self.viewpoint),
            "mailbox": [{"from": one.sender, **message} for one, message in shown],
            "replies": [message["type"] for one, message in shown if one.asked],
        }

    def crash_of(self, name: str) -> Incident | None:
        """Return the last crash of an actor up to here; None if it has not crashed."""
        made = (one for one in reversed(self.incidents) if one.kind == "crash" and one.who == name)
        return next(made, None)

    def picture(self) -> TablePicture:
        """Return the drawing of the table as it is now, for this viewpoint."""
        playback = self._playback
        if playback.voided:
            drawn = picture_of(None, playback.source.names, playback.source.stacks_now, self.viewpoint)
            return attrs.evolve(drawn, street="void")
        return picture_of(playback.last_hand, playback.source.names, playback.source.stacks, self.viewpoint)

    def _repr_svg_(self) -> str:
        return table_svg(self.picture())

    def view(self, seat: int) -> View:
        """Return a seat's view; raise `BadSpec` if nothing is dealt, or the viewpoint may not see it."""
        hand = self._playback.last_hand
        if hand is None or not 0 <= seat < len(hand.stacks):
            raise BadSpec(
                f"seat {seat} has no view: {'no hand is dealt' if hand is None else 'there is no such seat'}"
            )
        if not self.viewpoint.sees(seat):
            raise BadSpec(f"seat {seat} is not seen from {self.viewpoint}")
        return hand.view(seat)

    def state_at(self, position: int) -> dict[str, Any]:
        """Return the whole room at another position without moving there; raise `BadSpec` past the end."""
        if position == self.position:
            return self.state()
        with closing(open_playback(self.script, self._past, position)) as playback:
            while playback.position < position and playback.advance() is not None:
                pass
            if playback.position != position:
                raise BadSpec(f"step {position}: the session ends at {playback.position}")
            return playback.state(self.viewpoint)

    def diff(self, before: int, after: int) -> list[Difference]:
        """Compare the whole room at two positions, leaf by leaf."""
        return differences(told_apart(self.state_at(before)), told_apart(self.state_at(after)))

    def why(self, what: str = "pot") -> Reason:
        """Explain a number of the hand, a turn, a deadline, or why an action is illegal; else raise `BadSpec`.

        `pot`, `to_call 2`, `stack 2`, `main pot`, `side pot 1`, `winner`, `turn`, `deadline`, `illegal raise_to 5`.
        """
        hand = self._playback.last_hand
        asked = " ".join(what.strip().lower().split())
        if asked == "deadline":
            return why_deadline(self.timers, self.clock, self.steps)
        if hand is None:
            raise BadSpec(f"why {what[:40]}: no hand is dealt yet")
        if self.voided:
            crash = [one for one in self.incidents if one.kind in ("crash", "void")][-2:]
            links = [Link(None, one.shown(self.viewpoint)) for one in crash]
            return Reason(
                what, "nothing: the hand is void", (*links, Link(None, "all stacks are what they were"))
            )
        if asked in ("illegal", "legal"):
            refused = [one for one in self.incidents if one.kind == "refused"][-1:]
            if refused:
                return Reason(
                    "the last action refused", "illegal", (Link(None, refused[0].shown(self.viewpoint)),)
                )
        try:
            return why(hand, what, self._acts(), self.viewpoint)
        except PokerError:
            raise
        except Exception as error:
            # the rules themselves may be what is being debugged: their failure must not end the session
            text = f"{type(error).__name__}: {error}"
            place = place_of(error.__traceback__)
            raise BadSpec(f"why {what[:40]}: the rules fail when queried: {text} ({place})") from error

    def _acts(self) -> list[int]:
        """Return the positions just after the deal and each action of the current hand."""
        acts: list[int] = []
        for step in self.steps[: self.position]:
            for one in step.handled:
                kind = type(one.delivery.message).__name__
                if kind == "Deal" and not one.outcome:
                    acts = [step.number + 1]
                elif kind == "Act" and not one.outcome:
                    acts.append(step.number + 1)
        return acts

    # -- moving -----------------------------------------------------------------------------

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
        """Whether the index, which sees as god, can tell where breakpoints stop from `low` to `high`."""
        tests = [one.test for one in self.breakpoints]
        return self.viewpoint.god and all(
            isinstance(one, Condition) and one.is_known(self.index, low, high) for one in tests
        )

    def _hit(self, low: int, high: int, *, last: bool) -> tuple[int, Breakpoint] | None:
        """Return the first known position at which a breakpoint stops, with `last` the last one, and the breakpoint."""
        found: tuple[int, Breakpoint] | None = None
        for one in self.breakpoints:
            assert isinstance(one.test, Condition)
            at = one.test.hit(self.index, low, high, last=last)
            if at is not None and (found is None or (at > found[0] if last else at < found[0])):
                found = at, one
        return found

    def _arm(self) -> None:
        """Give edge conditions the state at the start: a condition that is already true must not stop the run."""
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
                    f"step {now.number} cannot be repeated: it was {was}, and is now {comes}; "
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
