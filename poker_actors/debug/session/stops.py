"""Breakpoints: where a run stops."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

import attrs

from poker_actors.actors import HandState, messages
from poker_actors.debug.plain import Viewpoint, plain_message
from poker_actors.debug.session.names import (
    SAMPLE,
    Glance,
    Index,
    check_expression,
    evaluate_expression,
    names_used,
    nearest,
)
from poker_actors.debug.session.observed import Step
from poker_actors.debug.session.record import KINDS
from poker_actors.errors import BadSpec

__all__ = [
    "MOST_STEPS",
    "ROOM_MESSAGES",
    "Actors",
    "Breakpoint",
    "Condition",
    "Looked",
    "Predicate",
    "parse_breakpoint",
]

MOST_STEPS: Final = 1_000_000
"""Steps in one session; a six-handed hand takes about 150."""

_HAND: Final = re.compile(r".+/hand-[0-9]{9}")
_KINDS: Final = (
    "actor NAME, message TYPE, street NAME, seat N, pot N, step N, fault, refused, crash, late, void, promise, "
    "or an expression such as pot > 100"
)


class Looked(Protocol):
    """The part of a session that conditions use."""

    viewpoint: Viewpoint
    script: Any
    """a script says what is played; a program does not"""

    @property
    def actors(self) -> tuple[str, ...]:
        """Names of the living actors."""

    @property
    def message_types(self) -> Mapping[str, type]:
        """Message types by name: those of every room, and of this room's own actors."""

    def names(self) -> dict[str, Any]:
        """Return the names that expressions can use, with values."""

    def broken_promise(self) -> str | None:
        """Describe a promise of every room that is broken here; None when all hold."""


Where = Callable[[Index], Sequence[int]]
"""Positions, ascending, of a session's index."""

Predicate = Callable[[Any, Step], bool]
"""Takes the stepper and a step; tells whether to stop after it."""


@attrs.frozen
class Breakpoint:
    """Stops a run where `test` is true; `text` is its source."""

    number: int
    text: str
    test: Predicate = attrs.field(repr=False, eq=False)

    def __str__(self) -> str:
        return f"{self.number}: {self.text}"


class Condition:
    """A test of a session after a step.

    With `edge`, it stops a run where the test becomes true; `arm` records its value before the run.
    Otherwise it stops at every step at which the test is true.
    """

    def __init__(self, test: Predicate, *, edge: bool, where: Where | None = None) -> None:
        self.test = test
        self.edge = edge
        self.where = where
        """the only positions at which it can begin to hold; None if the room itself must be asked"""
        self._before = False

    def arm(self, session: Looked) -> None:
        """Record the test's value before a run."""
        if self.edge:
            self._before = self.test(session, _NO_STEP)

    def hit(self, index: Index, low: int, high: int, session: Looked, *, last: bool) -> int | None:
        """Return the first position from `low` to `high` at which it stops a run from `low` - 1, or the `last`.

        Nothing is played: the index must know the steps, and `where` be known.
        """

        def holds(position: int) -> bool:
            if not self.test(Glance(index, position, session), index.steps[position - 1]):
                return False
            first = position == 1 or (position == low and not last)
            before = _NO_STEP if first else index.steps[position - 2]
            return not (self.edge and self.test(Glance(index, position - 1, session), before))

        assert self.where is not None
        return nearest(self.where(index), low, high, holds, last=last)

    def __call__(self, session: Looked, step: Step) -> bool:
        """Tell whether to stop after a step."""
        now = self.test(session, step)
        before, self._before = self._before, now
        return now and not (self.edge and before)


_NO_STEP: Final = Step(-1, (), None)


def parse_breakpoint(text: str, session: Looked) -> Condition:
    """Read a condition; raise `BadSpec` for one that can never hold in this session.

    `actor NAME`, `message TYPE`, `step N` and the kinds of incident stop at every step that matches.
    `seat N` stops when that seat is to act, `pot N` when the pot reaches N, `street NAME` when it
    opens, an expression when it becomes true. A prefix `edge` or `level` overrides which: when the
    test becomes true, or while it is. A suffix `if EXPRESSION` must be true too; it can use `message`.
    """
    whole = text.strip()
    word, _, rest = whole.partition(" ")
    trigger = word if word in ("edge", "level") else ""
    base, found, condition = (rest if trigger else whole).partition(" if ")
    if not base.strip():
        raise BadSpec(f"a breakpoint is {_KINDS}")
    test, edge, where = _base(base.strip(), session)
    edge = trigger == "edge" if trigger else edge
    used = {*names_used(condition)} if found else set()
    if found:
        test = _both(test, _expression(condition.strip(), session, _message_of(base)))
    if "actors" in used:
        where = None
    elif where is _changed and (not edge or used & _OF_A_STEP):
        where = _everywhere
    return Condition(test, edge=edge, where=where)


_OF_A_STEP: Final = frozenset(["message", "sender", "receiver", "step"])
"""Names that may have another value after each step, though the hand is the same."""


def _changed(index: Index) -> Sequence[int]:
    return index.changed


def _everywhere(index: Index) -> Sequence[int]:
    return range(1, len(index.steps) + 1)


def _base(text: str, session: Looked) -> tuple[Predicate, bool, Where | None]:
    """Read the part before `if`: return the test, whether it is an edge test by default, and where it can begin."""
    kind, _, rest = text.partition(" ")
    rest = rest.strip()
    if kind in KINDS and not rest:
        if kind == "promise":
            return _on_promise, True, None
        return _on_incident(kind), False, lambda index: index.wrong
    impossible = _impossible(kind, rest, session)
    if impossible is not None:
        raise BadSpec(f"{text[:40]} can never be true: {impossible}")
    if kind == "actor" and rest:
        return _on_actor(rest, session), False, lambda index: index.of(text)
    if kind == "message" and rest:
        return _on_message(rest, session), False, lambda index: index.of(text)
    if kind == "step" and rest.isdecimal():
        number = int(rest)
        return (lambda session, step: step.number + 1 == number), False, lambda index: (number,)
    if kind == "street" and rest:
        return (lambda session, step: session.names()["street"] == rest), True, _changed
    if kind == "seat" and rest.isdecimal():
        return (lambda session, step, seat=int(rest): session.names().get("active") == seat), True, _changed
    if kind == "pot" and rest.isdecimal():
        return (lambda session, step, least=int(rest): session.names()["pot"] >= least), True, _changed
    test = _expression(text, session, None)
    used = {*names_used(text)}
    if "actors" in used:
        return test, True, None
    return test, True, _everywhere if used & _OF_A_STEP else _changed


def _impossible(kind: str, rest: str, session: Looked) -> str | None:
    """Return why a condition on a street, a seat, a pot or a step can never be true; None if it can."""
    script = session.script
    if kind == "step" and rest.isdecimal() and not 0 < int(rest) <= MOST_STEPS:
        return f"steps are counted from 1, and a session has at most {MOST_STEPS}"
    # a program opens what it likes, and a live table plays on with what it has
    if script.game is None or script.start is not None:
        return None
    if kind == "street" and rest:
        names = [*[street.name for street in script.game.streets], "showdown"]
        return None if rest in names else f"{script.game.name} has {', '.join(names)}"
    if kind == "seat" and rest.isdecimal() and int(rest) >= len(script.bots):
        return f"seats are 0 to {len(script.bots) - 1}"
    if kind == "pot" and rest.isdecimal() and int(rest) > sum(script.stacks):
        return f"all stacks together are {sum(script.stacks)}"
    return None


def _on_incident(kind: str) -> Predicate:
    return lambda session, step: any(kind in one.kinds for one in step.incidents)


def _on_promise(session: Any, step: Step) -> bool:
    return session.broken_promise() is not None


def _on_actor(name: str, session: Looked) -> Predicate:
    known = session.actors
    plays_by_itself = session.script.game is None  # a program, which may start any actor later
    if known and name not in known and not _HAND.fullmatch(name) and not plays_by_itself:
        raise BadSpec(f"there is no actor {name[:40]!r} (there are {', '.join(known)})")
    return lambda session, step: any(
        name in (one.delivery.receiver, one.delivery.sender) for one in step.handled
    )


def _on_message(kind: str, session: Looked) -> Predicate:
    if kind not in session.message_types:
        raise BadSpec(f"there is no message {kind[:40]!r}: such as Act, HandState, Deal, Settle, TableNews")
    return lambda session, step: any(type(one.delivery.message).__name__ == kind for one in step.handled)


def _message_of(base: str) -> str | None:
    kind, _, name = base.strip().partition(" ")
    return name.strip() if kind == "message" else None


def _both(one: Predicate, other: Predicate) -> Predicate:
    return lambda session, step: one(session, step) and other(session, step)


def _expression(text: str, session: Looked, message: str | None) -> Predicate:
    """Read an expression; with a message type, its fields are names too."""
    known = session.message_types
    kinds = [known[message]] if message else list(known.values())
    fields = {name for kind in kinds for name in _fields(kind)}
    extra = {"message", "sender", "receiver", "actors", *(fields if message else ())}
    check_expression(text, {*SAMPLE, *extra}, {"message": {"type", *fields}} if fields else {}, _KINDS)

    looks = message is not None or not {"message", "sender", "receiver"}.isdisjoint(names_used(text))

    def test(session: Any, step: Step) -> bool:
        here = session.names()
        here["actors"] = Actors(session)
        for handled in step.handled if looks else ():
            if message is None or type(handled.delivery.message).__name__ == message:
                one = plain_message(handled.delivery.message, session.viewpoint)
                ends = {"sender": handled.delivery.sender or "outside", "receiver": handled.delivery.receiver}
                if _holds(text, {**here, **(one if message else {}), **ends, "message": one}):
                    return True
        return _holds(text, here)

    return test


def _fields(kind: type) -> tuple[str, ...]:
    """Return the field names of a message type as plain values."""
    if kind is HandState:
        return "hand_id", "seat", "hole", "turn", "public"
    return tuple(field.name for field in attrs.fields(kind)) if attrs.has(kind) else ()


def _holds(text: str, names: dict[str, Any]) -> bool:
    try:
        return bool(evaluate_expression(text, names, known=SAMPLE))
    except BadSpec:
        return False  # a name has no value here: before the deal, or in another message


class Actors(Mapping[str, Any]):
    """The states of a session's actors by name, read on access."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def __getitem__(self, name: str) -> Any:
        try:
            return self._session.inspect(name)
        except BadSpec:
            raise KeyError(name) from None

    def __iter__(self) -> Any:
        return iter(self._session.actors)

    def __len__(self) -> int:
        return len(self._session.actors)


def _room_messages() -> dict[str, type]:
    return {name: kind for name, kind in vars(messages).items() if isinstance(kind, type) and attrs.has(kind)}


ROOM_MESSAGES: Final[Mapping[str, type]] = _room_messages()
"""The message types of every room, by name."""
