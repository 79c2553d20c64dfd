"""The stepper: a session in which one stops at any message, looks at everything, goes back and forks."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import zip_longest
from types import TracebackType
from typing import Any, Final, Self

import attrs

from poker_actors.actors import Delivery, Room
from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.debug.draw import TablePicture, picture_of, table_svg
from poker_actors.debug.session.intervention import Intervention, NextAction, NextCards, NextMessage
from poker_actors.debug.session.live import LivePlayback
from poker_actors.debug.session.names import evaluate_expression, names_of
from poker_actors.debug.session.past import Past
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.script import Script
from poker_actors.debug.session.step import Step
from poker_actors.debug.session.stops import Breakpoint, Predicate, parse_breakpoint
from poker_actors.debug.state import (
    Difference,
    actor_state,
    delivery_words,
    differences,
    fingerprint,
    plain_message,
    state_hash,
    told_apart,
)
from poker_actors.debug.viewpoint import GOD, Viewpoint
from poker_actors.debug.why import Reason, why
from poker_actors.errors import BadSpec, Discrepancy
from poker_actors.rules import Action, Hand, View, parse_action

__all__ = ["MOST_STEPS", "Stepper", "open_playback"]

MOST_STEPS: Final = 1_000_000
"""Of one session: a hand of six takes some 150."""


def open_playback(
    script: Script | Program, past: Past | None = None, position: int = 0
) -> Playback | LivePlayback:
    """Start to play what is played: from its beginning, or from the last checkpoint of its past before a position."""
    if not isinstance(script, Script):
        return LivePlayback(script)
    if past is None:
        return Playback(script)
    while True:
        start = past.nearest(position)
        playback = Playback(script, past, start)
        if start is None or playback.exact:
            return playback
        playback.close()
        past.drop(start)


class Stepper:
    """A hand, or several, played message by message; see `Script.of` for the settings.

    A `Program` instead is code of yours that opens a room and plays there. It can do all but fork.

    Position p is the state after p steps. Going back plays the script again up to the step asked
    for, which is exact, since all luck comes from the script; `steps` keeps what each step
    delivered, some hundred bytes a step. The `viewpoint` filters everything that is shown as plain values.
    Use it as a context manager, or `close` it.
    """

    def __init__(
        self,
        script: Script | Program | None = None,
        *,
        viewpoint: Viewpoint | str = GOD,
        observer: Callable[[Playback | LivePlayback, Step], None] | None = None,
        eyes: Viewpoint | str | None = None,
        **settings: Any,
    ) -> None:
        if eyes is not None:
            warnings.warn("Stepper(eyes=...) is Stepper(viewpoint=...) now", DeprecationWarning, stacklevel=2)
            viewpoint = eyes
        self.script: Script | Program = Script.of(**settings) if script is None else script
        self.viewpoint: Viewpoint = Viewpoint.parse(viewpoint) if isinstance(viewpoint, str) else viewpoint
        self.breakpoints: list[Breakpoint] = []
        self.watches: list[str] = []
        if isinstance(self.script, Script) and (self.viewpoint.seat or 0) >= len(self.script.stacks):
            raise BadSpec(
                f"viewpoint seat {self.viewpoint.seat}: seats are 0 to {len(self.script.stacks) - 1}"
            )
        self.observer = observer
        self.steps: list[Step] = []
        """Every step made so far, those ahead of the position included."""
        self._past = Past(self.script) if isinstance(self.script, Script) else None
        self._playback = open_playback(self.script, self._past)

    @property
    def eyes(self) -> Viewpoint:
        """The viewpoint by the name it had before; it goes with the next release."""
        return self.viewpoint

    @eyes.setter
    def eyes(self, viewpoint: Viewpoint) -> None:
        self.viewpoint = viewpoint

    # -- where we are -----------------------------------------------------------------------

    @property
    def position(self) -> int:
        """Steps made to come here."""
        return self._playback.position

    @property
    def players(self) -> tuple[str, ...]:
        """The players by seat."""
        return self._playback.names

    @property
    def seats(self) -> int:
        """How many seats there are; 0 while a program has opened no table."""
        return len(self._playback.stacks)

    @property
    def over(self) -> bool:
        """Whether the script has been played to its end."""
        return not self._playback.waiting

    @property
    def failure(self) -> BaseException | None:
        """What ended the session before its time: a refused command, or what a program has raised."""
        return self._playback.failure

    @property
    def room(self) -> Room:
        """The room as it is now. Look, and do not touch: what is changed here is gone with the next `back`.

        Raises `BadSpec` for a program: it has opened its room itself.
        """
        if isinstance(self._playback, LivePlayback):
            raise BadSpec(f"{self._playback.script.title} keeps its room to itself: inspect its actors")
        return self._playback.room

    @property
    def hand(self) -> Hand | None:
        """A copy of the hand being played or played last; None before the first deal."""
        hand = self._playback.last_hand
        return None if hand is None else hand.copy()

    def peek(self) -> Delivery | None:
        """Give the message that comes next; None at the end."""
        return None if self.over else self.pending[self._playback.place]

    @property
    def pending(self) -> tuple[Delivery, ...]:
        """All messages on their way, in the order sent."""
        return self._playback.on_the_way

    @property
    def cause(self) -> int | None:
        """The step in which the next message was sent; None for one from outside, and at the end."""
        return self._playback.cause

    # -- forward ----------------------------------------------------------------------------

    def step(self) -> Step | None:
        """Deliver one message, and what is asked while it is handled; None at the end.

        Raises `Discrepancy` when a step made before comes out another way: then somebody's bot
        does not follow from the seed alone.
        """
        if self.position >= MOST_STEPS:
            raise BadSpec(f"a session has at most {MOST_STEPS} steps")
        step = self._playback.advance()
        if step is None:
            return None
        if step.number < len(self.steps):
            self._compare(self.steps[step.number], step)
        else:
            self.steps.append(step)
        if self.observer is not None:
            self.observer(self._playback, step)
        return step

    def run(self, until: Callable[[Stepper], bool] | None = None) -> Breakpoint | None:
        """Step to the end, until `until(stepper)` is true after a step, or to a breakpoint, which is given."""
        while (step := self.step()) is not None:
            hit = [one for one in self.breakpoints if one.test(self, step)]
            if hit:
                return hit[0]
            if until is not None and until(self):
                break
        return None

    def step_action(self) -> Step | None:
        """Step until a player has acted; gives that step, None when nobody acts any more."""
        while (step := self.step()) is not None:
            if type(step.delivery.message).__name__ == "Act":
                return step
        return None

    def step_street(self) -> str:
        """Step until the next street opens or the hand is over; gives the street."""
        before = self._street()
        while self._street() == before and self.step() is not None:
            pass
        return self._street()[1]

    def step_hand(self) -> None:
        """Step until the hand is over and booked: to the next deal, or the end."""
        while self.step() is not None:
            following = self.peek()
            if following is not None and type(following.message).__name__ == "Deal":
                return

    def _street(self) -> tuple[int, str]:
        hand = self._playback.last_hand
        return (id(self._playback.table_hand), "" if hand is None else hand.phase)

    # -- back -------------------------------------------------------------------------------

    def back(self, count: int = 1) -> int:
        """Go back `count` steps, at most to the beginning; gives the position."""
        if count < 0:
            raise BadSpec(f"back {count}: steps back are counted from 0")
        return self.goto(max(0, self.position - count))

    def goto(self, position: int) -> int:
        """Go to a position, forward or back; gives the one reached, which is the end at most."""
        if position < 0:
            raise BadSpec(f"step {position}: steps are counted from 0")
        if position < self.position:
            self._playback.close()
            self._playback = open_playback(self.script, self._past, position)
        while self.position < position and self.step() is not None:
            pass
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

    # -- breakpoints and watches ------------------------------------------------------------

    def break_on(self, condition: str | Predicate) -> Breakpoint:
        """Set a breakpoint, from text (`street flop`, `pot 100`; see `parse_breakpoint`) or a predicate."""
        test = parse_breakpoint(condition) if isinstance(condition, str) else condition
        text = condition if isinstance(condition, str) else getattr(condition, "__name__", "a predicate")
        number = max((one.number for one in self.breakpoints), default=0) + 1
        self.breakpoints.append(Breakpoint(number, text, test))
        return self.breakpoints[-1]

    def clear(self, number: int | None = None) -> None:
        """Remove one breakpoint, or all."""
        if number is not None and number not in [one.number for one in self.breakpoints]:
            raise BadSpec(f"there is no breakpoint {number}")
        self.breakpoints = [one for one in self.breakpoints if number is not None and one.number != number]

    def names(self) -> dict[str, Any]:
        """Give the values that expressions see: `pot`, `to_call`, `stacks`, `street` and the like."""
        return names_of(self._playback.last_hand, self.viewpoint, self.position)

    def evaluate(self, expression: str) -> Any:
        """Give the value of an expression such as `pot` or `stacks[2] - to_call`; raises `BadSpec`."""
        return evaluate_expression(expression, self.names())

    def watch(self, expression: str) -> Any:
        """Watch an expression from now on; gives its value."""
        value = self.evaluate(expression)
        if expression not in self.watches:
            self.watches.append(expression)
        return value

    # -- looking ----------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Give the whole room as plain values: `actors` by name, the `mailbox` of all, the `clock`."""
        return self._playback.state(self.viewpoint)

    def hash(self) -> str:
        """Give the hash of the whole room; rooms are equal where it is."""
        return state_hash(self._playback.state())

    @property
    def actors(self) -> tuple[str, ...]:
        """Names of the actors that are alive, in the order started."""
        return tuple(one.name for one in self._playback.known if one.actor is not None)

    def inspect(self, name: str) -> dict[str, Any]:
        """Give what an actor keeps, its `mailbox` and for whose `replies` others wait; raises `BadSpec`."""
        found = [one for one in self._playback.known if one.name == name and one.actor is not None]
        if not found or found[0].actor is None:
            raise BadSpec(f"there is no actor {name[:40]!r} (there are {', '.join(self.actors)})")
        waiting = [one for one in self.pending if one.receiver == name]
        shown = [(one, plain_message(one.message, self.viewpoint, arrived=False)) for one in waiting]
        return {
            **actor_state(found[0].actor, self.viewpoint),
            "mailbox": [{"from": one.sender, **message} for one, message in shown],
            "replies": [message["type"] for one, message in shown if one.asked],
        }

    def picture(self) -> TablePicture:
        """Give what a drawing of the table shows now, for this viewpoint."""
        return picture_of(
            self._playback.last_hand, self._playback.names, self._playback.stacks, self.viewpoint
        )

    def _repr_svg_(self) -> str:
        return table_svg(self.picture())

    def view(self, seat: int) -> View:
        """Give what a seat may know now; raises `BadSpec` when the viewpoint does not show it, or nothing is dealt."""
        hand = self._playback.last_hand
        if hand is None or not 0 <= seat < len(hand.stacks):
            raise BadSpec(
                f"seat {seat} has no view: {'no hand is dealt' if hand is None else 'there is no such seat'}"
            )
        if not self.viewpoint.sees(seat):
            raise BadSpec(f"seat {seat} is not seen from {self.viewpoint}")
        return hand.view(seat)

    def state_at(self, position: int) -> dict[str, Any]:
        """Give the whole room as it is at another position, without going there."""
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
        """Explain a number of the hand: `pot`, `to_call`, `side pot 1`, `stack 2`, `winner`; raises `BadSpec`."""
        hand = self._playback.last_hand
        if hand is None:
            raise BadSpec(f"why {what[:40]}: no hand is dealt yet")
        return why(hand, what, self._acts(), self.viewpoint)

    def _acts(self) -> list[int]:
        """The deal and the actions of the hand being played, as positions right after them."""
        acts: list[int] = []
        for step in self.steps[: self.position]:
            for one in step.handled:
                kind = type(one.delivery.message).__name__
                if kind == "Deal" and not one.outcome:
                    acts = [step.number + 1]
                elif kind == "Act" and not one.outcome:
                    acts.append(step.number + 1)
        return acts

    # -- forks ------------------------------------------------------------------------------

    def fork(
        self,
        action: Action | str | None = None,
        *,
        cards: str | Sequence[Card] | None = None,
        deck: Deck | int | None = None,
        place: int | None = None,
    ) -> Stepper:
        """Give a session of its own that stands here and goes on another way; this one stays as it is.

        Changed is the next `action`, the first `cards` to come, the whole rest of the `deck` (or the
        deck that a seed makes), or which message is delivered next: the one at `place` of `pending`.
        Raises `BadSpec` and `IllegalAction` for what cannot be here.
        """
        if not isinstance(self.script, Script):
            raise BadSpec(f"{self.script.title} plays by itself: change it, and open it again")
        changes: list[Intervention] = []
        if action is not None:
            parsed = parse_action(action) if isinstance(action, str) else action
            changes.append(NextAction(self.position, parsed))
        if deck is not None:
            cards = self._rest_of(Deck.seeded(deck, self.script.game.pack) if isinstance(deck, int) else deck)
        if cards is not None:
            chosen = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
            changes.append(NextCards(self.position, chosen))
        if place is not None:
            changes.append(NextMessage(self.position, place))
        kept = tuple(one for one in self.script.interventions if one.at <= self.position)
        script = attrs.evolve(self.script, interventions=(*kept, *changes))
        other = Stepper(script, viewpoint=self.viewpoint, observer=self.observer)
        other._take_over(self)
        try:
            other.goto(self.position)
        except BaseException:
            other.close()
            raise
        return other

    def _take_over(self, before: Stepper) -> None:
        """Go on from where another session stands: what it knows up to there holds here as well."""
        assert isinstance(self.script, Script)
        self.close()
        self.steps = before.steps[: before.position]
        self._past = Past(self.script, before._past, before.position)
        self._playback = open_playback(self.script, self._past, before.position)

    def _rest_of(self, deck: Deck) -> tuple[Card, ...]:
        """The cards of another deck in the order it deals them, without those dealt here already."""
        cards = deck.copy().draw(len(deck))
        hand = self._playback.last_hand
        if hand is None or hand.over:
            return cards
        dealt = sum(map(len, hand.holes)) + len(hand.board)
        fresh = [card for card in cards if card not in hand.cards[:dealt]]
        return tuple(fresh[: len(hand.cards) - dealt])

    # -- closing ----------------------------------------------------------------------------

    def close(self) -> None:
        """End the room of this session, and what its bots have started."""
        self._playback.close()
        if self._past is not None:
            self._past.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Stepper: step {self.position}, {len(self.pending)} messages on their way>"
