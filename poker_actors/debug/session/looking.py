"""Inspecting a session: its position, the state of its actors, and explanations."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

import attrs

from poker_actors.actors import Delivery, Room
from poker_actors.debug.draw import TablePicture, picture_of, table_svg
from poker_actors.debug.plain import GOD, Viewpoint, plain_message
from poker_actors.debug.session.names import SAMPLE, Index, evaluate_expression, names_of
from poker_actors.debug.session.observed import PendingTimer, Step
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.promises import broken_promise
from poker_actors.debug.session.record import Incident, place_of
from poker_actors.debug.session.script import Script
from poker_actors.debug.session.staged import open_playback, past_of
from poker_actors.debug.session.stops import (
    ROOM_MESSAGES,
    Actors,
)
from poker_actors.debug.state import Difference, actor_state, differences, state_hash, told_apart
from poker_actors.debug.turns import Link, Reason
from poker_actors.debug.why import why
from poker_actors.errors import BadSpec, PokerError
from poker_actors.rules import Hand, View

__all__ = ["Looking"]


class Looking:
    """The read-only half of a session: everything at its position, nothing that moves it."""

    def __init__(self, script: Script | Program, viewpoint: Viewpoint) -> None:
        self.script: Script | Program = script
        self.viewpoint: Viewpoint = viewpoint
        self.index = Index()
        self._past = past_of(script)
        self._playback: Playback = open_playback(self.script, self._past)
        self.index.begin(self._names(GOD))

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
        return broken_promise(self._playback, made, self._playback.source.minted, over=self.at_rest)

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
        return self._playback.on_the_way

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
            raise BadSpec(f"there is no actor {name[:40]!r} (there are {', '.join(self.actors)})")
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
        playback = open_playback(self.script, self._past, position)
        try:
            while playback.position < position and playback.advance() is not None:
                pass
            if playback.position != position:
                raise BadSpec(f"step {position}: the session ends at {playback.position}")
            return playback.state(self.viewpoint)
        finally:
            playback.close()

    def diff(self, before: int, after: int) -> list[Difference]:
        """Compare the whole room at two positions, leaf by leaf."""
        return differences(told_apart(self.state_at(before)), told_apart(self.state_at(after)))

    def why(self, what: str = "pot") -> Reason:
        """Explain a number of the hand, a turn, a deadline, or why an action is illegal; raise `BadSpec` for others.

        `pot`, `to_call 2`, `stack 2`, `main pot`, `side pot 1`, `winner`, `turn`, `deadline`, `illegal raise_to 5`.
        """
        hand = self._playback.last_hand
        asked = " ".join(what.strip().lower().split())
        if asked == "deadline":
            return self._why_deadline()
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
            raise BadSpec(f"why {what[:40]}: the rules fail when they are asked: {text} ({place})") from error

    def _why_deadline(self) -> Reason:
        """Explain the deadline of the current turn."""
        timers = [one for one in self.timers if type(one.message).__name__ == "Deadline"]
        if not timers:
            limit = self.script.turn_seconds
            text = "nobody is timed: the table has no turn_seconds" if limit is None else "nobody is to act"
            return Reason("deadline", "none", (Link(None, text),))
        timer = timers[0]
        seat = timer.message.turn.seat  # type: ignore[attr-defined]  # every `Deadline` has a turn
        links = (
            Link(
                None if timer.step is None else timer.step + 1,
                f"{timer.receiver} told seat {seat} that it is its turn, at {timer.since:g} s",
            ),
            Link(None, f"a turn has {timer.due - timer.since:g} s, by the turn_seconds of its table"),
            Link(None, f"the clock is at {self.clock:g} s: {timer.due - self.clock:g} s are left"),
        )
        return Reason(f"deadline of seat {seat}", f"at {timer.due:g} s", links)

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
