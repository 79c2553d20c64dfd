"""Breakpoints: where a run stops."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any, Final, Protocol

import attrs

from poker_actors.actors import Delivery, messages
from poker_actors.debug.plain import (
    FIELDS,
    GOD,
    Viewpoint,
    attribute_at,
    fields_of,
    plain_message,
    plain_parts,
)
from poker_actors.debug.session.names import (
    SAMPLE,
    Index,
    Spans,
    check_expression,
    common,
    is_true,
    joined_by_and,
    joined_spans,
    names_used,
    paths_of_message,
    points,
)
from poker_actors.debug.session.observed import Step
from poker_actors.debug.session.record import KINDS
from poker_actors.errors import BadSpec

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
    index: Index
    script: Any
    """a script says what is played; a program does not"""

    @property
    def position(self) -> int:
        """Number of steps made."""

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

    def __init__(self, text: str, tests: Sequence[Test], *, edge: bool) -> None:
        self.text = text
        self.tests = tests
        self.edge = edge
        self._before = False

    def arm(self, session: Looked) -> None:
        """Record the test's value before a run."""
        if self.edge:
            self._before = all(one(session, _NO_STEP) for one in self.tests)
            if not session.position:
                self._note(session, self._before)

    def __call__(self, session: Looked, step: Step) -> bool:
        """Tell whether to stop after a step."""
        now = all(one(session, step) for one in self.tests)
        self._note(session, now)
        before, self._before = self._before, now
        return now and not (self.edge and before)

    @property
    def of_record(self) -> bool:
        """Whether the index can answer it, without the room."""
        return all(one.of_record for one in self.tests)

    def _note(self, session: Looked, now: bool) -> None:
        if session.viewpoint.god and not self.of_record:
            session.index.note(self.text, session.position, now)

    def is_known(self, index: Index, low: int, high: int) -> bool:
        """Tell whether the index knows where it holds from `low` to `high`."""
        return self.of_record or index.noted(self.text, max(0, low - 1), high)

    def hit(self, index: Index, low: int, high: int, *, last: bool) -> int | None:
        """Return the first position from `low` to `high` at which a run from `low` - 1 stops; with `last`, the last one.

        Nothing is played: the index must know the answer there.
        """
        spans = index.once(self.text, lambda: self._spans(index)) if self.of_record else index.held(self.text)
        # before a run there is no step yet: what is true of the one before it begins to hold anew
        anew = not self.edge or (any(one.of_step for one in self.tests) and not last)
        place = bisect_right(spans, low, key=_first)
        if not last:
            if place and anew and spans[place - 1][1] > low:
                return low if low <= high else None
            place -= bool(place and spans[place - 1][0] == low)
            return spans[place][0] if place < len(spans) and spans[place][0] <= high else None
        place = bisect_right(spans, high, key=_first)
        if not place:
            return None
        start, end = spans[place - 1]
        found = start if self.edge else min(high, end - 1)
        return found if found >= low else None

    def _spans(self, index: Index) -> Spans:
        found = self.tests[-1].spans(index)
        # what follows `if` holds more seldom: where it never does, nothing else is looked at
        for one in self.tests[-2::-1]:
            found = common(found, one.spans(index)) if found else found
        return found


def _first(span: tuple[int, int]) -> int:
    return span[0]


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
        raise BadSpec(f"a breakpoint must be {_KINDS}")
    tests, edge = _base(base.strip(), session)
    if found:
        tests += _expressions(condition.strip(), session, _message_of(base))
    return Condition(whole, tests, edge=edge if not trigger else trigger == "edge")


def _base(text: str, session: Looked) -> tuple[list[Test], bool]:
    """Read the part before `if`: return the test, and whether it is an edge test by default."""
    kind, _, rest = text.partition(" ")
    rest = rest.strip()
    if kind in KINDS and not rest:
        return ([_Promise()], True) if kind == "promise" else ([_Incident(kind)], False)
    impossible = _impossible(kind, rest, session)
    if impossible is not None:
        raise BadSpec(f"{text[:40]} can never be true: {impossible}")
    if kind == "actor" and rest:
        _check_actor(rest, session)
        return [_Delivered(f"{kind} {rest}", lambda one: rest in (one.receiver, one.sender))], False
    if kind == "message" and rest:
        if rest not in session.message_types:
            raise BadSpec(
                f"there is no message {rest[:40]!r}; some are Act, HandState, Deal, Settle, TableNews"
            )
        return [_Delivered(f"{kind} {rest}", lambda one: type(one.message).__name__ == rest)], False
    if kind == "step" and rest.isdecimal():
        return [_Number(int(rest))], False
    meant = text
    if kind == "street" and rest:
        meant = f"street == {rest!r}"
    elif kind == "seat" and rest.isdecimal():
        meant = f"active == {int(rest)}"
    elif kind == "pot" and rest.isdecimal():
        meant = f"pot >= {int(rest)}"
    return _expressions(meant, session, None), True


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
        return f"all stacks add up to {sum(script.stacks)}"
    return None


def _check_actor(name: str, session: Looked) -> None:
    known = session.actors
    plays_by_itself = session.script.game is None  # a program, which may start any actor later
    if known and name not in known and not _HAND.fullmatch(name) and not plays_by_itself:
        raise BadSpec(f"there is no actor {name[:40]!r} (actors: {', '.join(known)})")


def _message_of(base: str) -> str | None:
    kind, _, name = base.strip().partition(" ")
    return name.strip() if kind == "message" else None


class Test(Protocol):
    """A part of a condition: evaluated on a session after a step, or on the index for all positions at once."""

    of_record: bool = True
    """whether the index can answer it"""
    of_step: bool = True
    """whether it is about the step just made, not the hand"""

    def __call__(self, session: Any, step: Step) -> bool:
        """Tell whether the condition is true after a step."""

    def spans(self, index: Index) -> Spans:
        """Return the positions of the known steps at which it is true; none if that takes the room."""
        return []


class _Promise(Test):
    of_record = of_step = False

    def __call__(self, session: Any, step: Step) -> bool:
        return session.broken_promise() is not None


@attrs.frozen
class _Incident(Test):
    kind: str

    def __call__(self, session: Any, step: Step) -> bool:
        return any(self.kind in one.kinds for one in step.incidents)

    def spans(self, index: Index) -> Spans:
        return points(at for at in index.wrong if self(None, index.steps[at - 1]))


@attrs.frozen
class _Delivered(Test):
    """A message of a type, or from or to an actor."""

    text: str
    test: Callable[[Delivery], bool]

    def __call__(self, session: Any, step: Step) -> bool:
        return any(self.test(one.delivery) for one in step.handled)

    def spans(self, index: Index) -> Spans:
        return points(index.of(self.text))


@attrs.frozen
class _Number(Test):
    position: int

    def __call__(self, session: Any, step: Step) -> bool:
        return step.number + 1 == self.position

    def spans(self, index: Index) -> Spans:
        return points([self.position])


def _expressions(text: str, session: Looked, message: str | None) -> list[Test]:
    """Return tests that are all true where the expression is; with a message type, its fields are names too.

    Parts joined by `and` that depend only on the hand become separate tests, each answered for many steps at
    once.
    """
    known = session.message_types
    kinds = [known[message]] if message else list(known.values())
    fields = {name for kind in kinds if attrs.has(kind) for name in FIELDS.get(kind) or fields_of(kind)}
    own = fields if message else set()
    extra = {*_OF_A_STEP, "actors", *own}
    check_expression(text, {*SAMPLE, *extra}, {"message": {"type", *fields}} if fields else {}, _KINDS)
    of_hand, of_ends, others = joined_by_and(text, frozenset([*SAMPLE, "actors"]) - own, _ENDS)
    tests: list[Test] = [_OfDelivery(of_ends, others, message, own)] if of_ends or others else []
    return [*tests, _OfHand(of_hand)] if of_hand else tests


class _OfHand(Test):
    """An expression whose truth does not depend on a delivery."""

    of_step = False

    def __init__(self, text: str) -> None:
        used = names_used(text)
        self._step = "step" in used
        self._true = is_true(text)
        self.of_record = "actors" not in used

    def __call__(self, session: Any, step: Step) -> bool:
        return self._true({**session.names(), "actors": Actors(session)})

    def spans(self, index: Index) -> Spans:
        if self._step:
            return points(
                at
                for low, high, names in index.runs()
                for at in range(low, high)
                if self._true({**names, "step": at})
            )
        return joined_spans((low, high) for low, high, names in index.runs() if self._true(names))


class _OfDelivery(Test):
    """Two expressions that must hold for a delivery, one of them about sender and receiver; "" always holds."""

    def __init__(self, of_ends: str, text: str, message: str | None, own: Collection[str]) -> None:
        text = text or "True"
        used = {*names_used(text)}
        self._kind = message
        self._of_ends = is_true(of_ends) if of_ends else None
        self._fields = used & {*own}
        self._paths = paths_of_message(text, own)
        self._names = {path[0] for path in self._paths or ()}
        self._payload = "message" in used or bool(self._fields)
        self._ends = used & _ENDS
        self._of_hand = used & SAMPLE - {*own}
        self._all = not used
        """whether only the two ends are tested"""
        self._true = is_true(text)
        self.of_record = "actors" not in used

    def __call__(self, session: Any, step: Step) -> bool:
        here = session.names()
        here["actors"] = Actors(session)
        return self._is_true(here, step, session.viewpoint)

    def _is_true(self, here: dict[str, Any], step: Step, viewpoint: Viewpoint) -> bool:
        """Tell whether the condition is true with the names of the hand, and of any delivery of a step."""
        return any(self._is_of(one.delivery, here, viewpoint) for one in step.handled)

    def _is_of(self, delivery: Delivery, here: dict[str, Any], viewpoint: Viewpoint) -> bool:
        if self._kind is not None and type(delivery.message).__name__ != self._kind:
            return False
        ends = _named_ends(delivery.sender, delivery.receiver)
        if self._of_ends is not None and not self._of_ends(ends):
            return False
        return self._holds(delivery.message, here | ends, viewpoint)

    def _is_alone(self, one: Delivery) -> bool:
        """Tell whether everything except the test of the two ends holds for a delivery, without names of the hand."""
        return self._holds(one.message, _named_ends(one.sender, one.receiver) if self._ends else {}, GOD)

    def _holds(self, message: object, names: dict[str, Any], viewpoint: Viewpoint) -> bool:
        """Tell whether everything except the test of the two ends holds for a message, with the names of hand and ends."""
        if self._payload:
            if self._paths is not None and viewpoint.god and type(message) in FIELDS:
                shown = plain_parts(message, self._names)
            else:
                shown = plain_message(message, viewpoint)
            names.update({name: shown[name] for name in self._fields if name in shown})
            names["message"] = shown
        return self._true(names)

    def spans(self, index: Index) -> Spans:
        return points(self._after_steps(index))

    def _after_steps(self, index: Index) -> Iterator[int]:
        """Yield the positions at which the test is true of a delivery."""
        if not self._of_hand:
            yield from sorted(self._of_deliveries(index))
            return
        places = range(1, len(index.steps) + 1) if self._kind is None else index.of(f"message {self._kind}")
        runs, end = index.runs(), 0
        here: dict[str, Any] = {}
        for at in places:
            while at >= end:
                _, end, names = next(runs)
                here = {name: names[name] for name in self._of_hand if name in names}
            here["step"] = at
            if self._is_true(here, index.steps[at - 1], GOD):
                yield at

    def _of_deliveries(self, index: Index) -> set[int]:
        """Return the positions at which the test is true, judged by deliveries alone; equal deliveries are judged once."""
        found: set[int] = set()
        test = self._of_ends
        pairs = [] if test is None else [pair for pair in index.pairs if test(_named_ends(*pair))]
        if test is not None and self._all and self._kind is None:
            return found.union(*(index.pairs[pair] for pair in pairs))
        true_of = {*pairs}
        for kind, places, ones in index.deliveries(self._kind):
            if test is not None:
                meant = [_ends_of(one) in true_of for one in ones]
                places, ones = [*compress(places, meant)], [*compress(ones, meant)]
            columns = self._columns_of(kind, ones)
            keys = columns[0] if len(columns) == 1 else [*zip(*columns, strict=True)] or [()] * len(ones)
            true = {key for key, one in dict(zip(keys, ones, strict=True)).items() if self._is_alone(one)}
            if true:
                found.update(at for at, key in zip(places, keys, strict=True) if key in true)
        return found

    def _columns_of(self, kind: type, ones: Sequence[Delivery]) -> list[Sequence[object]]:
        """Return columns; deliveries that have equal values in each of them give the expression the same values."""
        columns: list[Sequence[object]] = [[*map(attrgetter(end), ones)] for end in self._ends]
        if self._payload and (self._paths is None or kind not in FIELDS):
            columns.append([id(one.message) for one in ones])
        elif self._payload:
            for path in self._paths or ():
                name = attribute_at(kind, path)
                if name is None:
                    continue
                values = [*map(attrgetter(f"message.{name}"), ones)]
                kinds = {*map(type, values)}
                # of equal values those of another type are others, and of objects that may change only the same is;
                # parts of a public state are values
                equal = kinds <= _SIMPLE or name != FIELDS[kind][path[0]]
                columns.append(values if equal else [*map(id, values)])
                if len(kinds) > 1 and equal:
                    columns.append([*map(type, values)])
        return columns


_SIMPLE: Final = frozenset([str, int, bool, type(None)])
_ENDS: Final = frozenset(["sender", "receiver"])
_OF_A_STEP: Final = _ENDS | {"message"}
_ends_of: Final = attrgetter("sender", "receiver")


def _named_ends(sender: str | None, receiver: str) -> dict[str, str]:
    """Return the two ends of a delivery as expressions name them."""
    return {"sender": sender or "outside", "receiver": receiver}


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
