"""Breakpoints: where a run stops."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import attrs

from poker_actors.actors import HandState, messages
from poker_actors.debug.session.incident import KINDS
from poker_actors.debug.session.names import SAMPLE, check_expression, evaluate_expression
from poker_actors.debug.session.step import Step
from poker_actors.debug.state import plain_message
from poker_actors.debug.viewpoint import Viewpoint
from poker_actors.errors import BadSpec

__all__ = ["ROOM_MESSAGES", "Actors", "Breakpoint", "Condition", "Looked", "Predicate", "parse_breakpoint"]

_HAND: Final = re.compile(r".+/hand-[0-9]{9}")
_KINDS: Final = (
    "actor NAME, message TYPE, street NAME, seat N, pot N, step N, fault, refused, crash, late, void, promise, "
    "or an expression such as pot > 100"
)


class Looked(Protocol):
    """What a condition looks at: a session."""

    viewpoint: Viewpoint

    @property
    def actors(self) -> tuple[str, ...]:
        """Names of the actors that are alive."""

    @property
    def message_types(self) -> Mapping[str, type]:
        """Message types by name: those of every room, and those of this room's own actors."""

    def names(self) -> dict[str, Any]:
        """Return the values that expressions see."""

    def broken_promise(self) -> str | None:
        """Say which promise of every room does not hold here."""


Predicate = Callable[[Any, Step], bool]
"""Given the stepper and a step: whether to stop after it."""


@attrs.frozen
class Breakpoint:
    """Stops a run where `test` is true; `text` is how it is written."""

    number: int
    text: str
    test: Predicate = attrs.field(repr=False, eq=False)

    def __str__(self) -> str:
        return f"{self.number}: {self.text}"


class Condition:
    """A test of a session after a step.

    With `edge` it stops a run where the test becomes true: what it was before the run is looked at
    first (`arm`). Otherwise it stops at every step at which it is true.
    """

    def __init__(self, test: Predicate, *, edge: bool) -> None:
        self.test = test
        self.edge = edge
        self._before = False

    def arm(self, session: Looked) -> None:
        """Look at the session before a run."""
        if self.edge:
            self._before = self.test(session, _NO_STEP)

    def __call__(self, session: Looked, step: Step) -> bool:
        """Whether to stop after a step."""
        now = self.test(session, step)
        before, self._before = self._before, now
        return now and not (self.edge and before)


_NO_STEP: Final = Step(-1, (), None)


def parse_breakpoint(text: str, session: Looked) -> Condition:
    """Read a condition; raises `BadSpec` for what a session has not and never will have.

    `actor NAME`, `message TYPE`, `step N` and the kinds of incidents stop at every step that has
    one; `seat N` when that seat is to act, `pot N` when the pot is at least so large, `street NAME`
    when it opens, an expression when it becomes true. `edge` or `level` before it says which of the
    two is meant; `if EXPRESSION` behind it must be true as well, and sees the `message`.
    """
    whole = text.strip()
    word, _, rest = whole.partition(" ")
    trigger = word if word in ("edge", "level") else ""
    base, found, condition = (rest if trigger else whole).partition(" if ")
    if not base.strip():
        raise BadSpec(f"a breakpoint is {_KINDS}")
    test, edge = _base(base.strip(), session)
    if found:
        test = _both(test, _expression(condition.strip(), session, _message_of(base)))
    return Condition(test, edge=trigger == "edge" if trigger else edge)


def _base(text: str, session: Looked) -> tuple[Predicate, bool]:
    """Read what stands before `if`: the test, and whether it is one of edges by itself."""
    kind, _, rest = text.partition(" ")
    rest = rest.strip()
    if kind in KINDS and not rest:
        return (_on_promise if kind == "promise" else _on_incident(kind)), kind == "promise"
    if kind == "actor" and rest:
        return _on_actor(rest, session), False
    if kind == "message" and rest:
        return _on_message(rest, session), False
    if kind == "step" and rest.isdecimal():
        return (lambda session, step, number=int(rest): step.number + 1 == number), False
    if kind == "street" and rest:
        return (lambda session, step: session.names()["street"] == rest), True
    if kind == "seat" and rest.isdecimal():
        return (lambda session, step, seat=int(rest): session.names().get("active") == seat), True
    if kind == "pot" and rest.isdecimal():
        return (lambda session, step, least=int(rest): session.names()["pot"] >= least), True
    return _expression(text, session, None), True


def _on_incident(kind: str) -> Predicate:
    return lambda session, step: any(kind in one.kinds for one in step.incidents)


def _on_promise(session: Any, step: Step) -> bool:
    return session.broken_promise() is not None


def _on_actor(name: str, session: Looked) -> Predicate:
    known = session.actors
    if known and name not in known and not _HAND.fullmatch(name):
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
    """Read an expression; of a message type it sees the fields by their names as well."""
    known = session.message_types
    kinds = [known[message]] if message else list(known.values())
    fields = {name for kind in kinds for name in _fields(kind)}
    extra = {"message", "sender", "receiver", "actors", *(fields if message else ())}
    check_expression(text, {*SAMPLE, *extra}, {"message": {"type", *fields}} if fields else {}, _KINDS)

    def test(session: Any, step: Step) -> bool:
        here = {**session.names(), "actors": Actors(session)}
        for handled in step.handled:
            if message is None or type(handled.delivery.message).__name__ == message:
                one = plain_message(handled.delivery.message, session.viewpoint)
                ends = {"sender": handled.delivery.sender or "outside", "receiver": handled.delivery.receiver}
                if _holds(text, {**here, **(one if message else {}), **ends, "message": one}):
                    return True
        return _holds(text, here)

    return test


def _fields(kind: type) -> tuple[str, ...]:
    """What a message of a kind has as plain values."""
    if kind is HandState:
        return "hand_id", "seat", "hole", "turn", "public"
    return tuple(field.name for field in attrs.fields(kind)) if attrs.has(kind) else ()


def _holds(text: str, names: dict[str, Any]) -> bool:
    try:
        return bool(evaluate_expression(text, names, known=names.keys() | SAMPLE))
    except BadSpec:
        return False  # what it asks for is not there: before the deal, or of another message


class Actors(Mapping[str, Any]):
    """What the actors of a session keep, by name: looked at when asked for."""

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
"""Messages that every room has."""
