"""Names for expressions of a session, in watches and breakpoints: `pot`, `to_call`, `stacks[2] > 100`."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any, Final, TypeVar, cast

from poker_actors.actors import Delivery
from poker_actors.debug.plain import HIDDEN, Path, Viewpoint, card_text
from poker_actors.debug.session.observed import Step
from poker_actors.debug.state import searched_text
from poker_actors.errors import BadSpec, suggestion, unknown
from poker_actors.rules import Hand, PublicState

Spans = list[tuple[int, int]]
"""Ascending, non-adjacent ranges of positions: each pair is (first, one after the last)."""

_T = TypeVar("_T")


_ALLOWED: Final = (
    ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Subscript, ast.Index, ast.Slice, ast.List, ast.Tuple,
    ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.FloorDiv, ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.Is, ast.IsNot, ast.Call, ast.Attribute,
)  # fmt: skip
"""Nodes allowed in an expression. No `**`: `9**9**9` would never end. `a.b` means the key `b` of a dictionary."""

_FUNCTIONS: Final = {"len": len, "max": max, "min": min, "sum": sum}
_LONGEST: Final = 200
_FAILURES: Final = (ArithmeticError, LookupError, TypeError, ValueError, MemoryError)
"""Errors that an expression may raise on the values it reads."""


_OF_HAND: Final[dict[str, Callable[[Hand, PublicState], Any]]] = {
    "street": lambda hand, public: public.phase,
    "pot": lambda hand, public: public.pot,
    "pots": lambda hand, public: [pot.amount for pot in hand.pots],
    "board": lambda hand, public: card_text(public.board),
    "bet": lambda hand, public: public.bet,
    "min_raise_to": lambda hand, public: public.min_raise_to,
    "to_call": lambda hand, public: 0 if public.active is None else public.to_call(public.active),
    "active": lambda hand, public: public.active,
    "to_act": lambda hand, public: list(public.to_act),
    "live": lambda hand, public: list(public.live),
    "stacks": lambda hand, public: list(public.stacks),
    "bets": lambda hand, public: list(public.bets),
    "payoffs": lambda hand, public: list(hand.payoffs),
    "button": lambda hand, public: hand.button,
    "actions": lambda hand, public: public.seq,
    "over": lambda hand, public: public.over,
}
SAMPLE: Final = frozenset(["step", "holes", *_OF_HAND])
"""The names of a hand; most have no value before the first deal."""


def names_of(hand: Hand | None, viewpoint: Viewpoint, step: int) -> dict[str, Any]:
    """Return the names expressions can use, with values; before the first deal only a few."""
    if hand is None:
        return {"step": step, "street": "", "pot": 0, "over": False}
    public = hand.public()
    shown = dict(public.shown)
    holes = [
        card_text(hole) if viewpoint.sees(seat) or seat in shown else HIDDEN if hole else ""
        for seat, hole in enumerate(hand.holes)
    ]
    return {"step": step, "holes": holes} | {name: read(hand, public) for name, read in _OF_HAND.items()}


def evaluate_expression(text: str, names: Mapping[str, Any], known: Collection[str] | None = None) -> Any:
    """Return the value of a small expression over `names`; raise `BadSpec` saying what is wrong.

    Names in `known` exist but have no value here; the error says so.
    """
    used, code = _compiled(text)
    for name in used:
        if name not in names:
            if known is not None and name in known:
                raise BadSpec(f"{name} has no value here")
            raise BadSpec(unknown("value", name, sorted(names)))
    # no builtins, and only the nodes of `_ALLOWED`: an expression must not be able to run code
    try:
        return eval(code, {"__builtins__": {}, **_FUNCTIONS}, names)
    except _FAILURES as error:
        raise BadSpec(f"{text[:60]!r}: {type(error).__name__}: {error}") from None


def is_true(text: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return a test of whether an expression is true of names; it is false if a name has no value here."""
    used, code = _compiled(text)
    needed, scope = frozenset(used), {"__builtins__": {}, **_FUNCTIONS}

    def test(names: Mapping[str, Any]) -> bool:
        try:
            return needed <= names.keys() and bool(eval(code, scope, names))
        except _FAILURES:
            return False

    return test


def paths_of_message(text: str, own: Collection[str]) -> list[Path] | None:
    """Return the parts of a message that an expression reads, as paths, none a prefix of another; None if it reads it all.

    `own` are the names that stand for the message's fields.
    """
    found: set[Path] = set()

    def walk(node: ast.AST, after: Path) -> None:
        if isinstance(node, ast.Attribute):
            walk(node.value, (node.attr, *after))
        elif (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, str)
        ):
            walk(node.value, (node.slice.value, *after))
        elif not isinstance(node, ast.Name):
            for inner in ast.iter_child_nodes(node):
                walk(inner, ())
        elif node.id in own or node.id == "message":
            found.add((node.id, *after) if node.id in own else after)

    walk(_parsed(text), ())
    if () in found:
        return None
    return sorted(path for path in found if not any(path[:at] in found for at in range(1, len(path))))


def joined_by_and(text: str, *kinds: Collection[str]) -> tuple[str, ...]:
    """Cut an expression where `and` joins its parts: return, for each kind of names, those that use no others, and the rest."""
    line = text.strip().replace("\n", " ")
    whole, found = _parsed(line).body, list[list[str]]([] for _ in (*kinds, None))
    for part in whole.values if isinstance(whole, ast.BoolOp) and isinstance(whole.op, ast.And) else [whole]:
        words = ast.get_source_segment(line, part) or ""
        used = {*names_used(words)}
        place = next((at for at, kind in enumerate(kinds) if used <= {*kind}), len(kinds))
        found[place].append(f"({words})" if isinstance(part, ast.BoolOp) else words)
    return tuple(" and ".join(some) for some in found)


def names_used(text: str) -> tuple[str, ...]:
    """Return the names that an expression uses; raise `BadSpec` for an invalid one."""
    return _compiled(text)[0]


@lru_cache(maxsize=200)
def _compiled(text: str) -> tuple[tuple[str, ...], CodeType]:
    """Compile an expression; return the names it uses, too."""
    tree = _parsed(text)
    names = {
        node.id: None for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in _FUNCTIONS
    }
    whole = ast.fix_missing_locations(_Keys().visit(tree))
    return tuple(names), compile(whole, "<expression>", "eval")


def check_expression(
    text: str, names: Collection[str], fields: Mapping[str, Collection[str]], kinds: str
) -> None:
    """Check an expression for later use; raise `BadSpec` for a name or field that can never exist."""
    try:
        tree = _parsed(text)
    except BadSpec:
        raise BadSpec(f"breakpoint {text[:60]!r} must be {kinds}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in names and node.id not in _FUNCTIONS:
            raise BadSpec(unknown("value", node.id, sorted(names)))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            there = fields.get(node.value.id)
            if there is not None and node.attr not in there:
                text = ", ".join(sorted(there)) if len(there) <= _MOST_NAMED else "others"
                raise BadSpec(
                    f"no {node.value.id} has {node.attr[:40]!r}{suggestion(node.attr, there)} (choose from {text})"
                )


_MOST_NAMED: Final = 20


def _parsed(text: str) -> ast.Expression:
    try:
        tree = ast.parse(text.strip()[: _LONGEST + 1], mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadSpec(f"{text[:60]!r} is not an expression, such as pot > 100") from None
    if len(text) > _LONGEST:
        raise BadSpec(f"an expression has at most {_LONGEST} characters")
    for node in ast.walk(tree):
        named = isinstance(node, ast.Call) and not (
            isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
        )
        hidden = isinstance(node, ast.Attribute) and not _has_keys(node)
        if not isinstance(node, _ALLOWED) or named or hidden:
            raise BadSpec(f"{text[:60]!r}: {type(node).__name__.lower()} is not understood here")
    return tree


def _has_keys(node: ast.Attribute) -> bool:
    """Tell whether the value before the dot can have keys: a message, an actor, or a part of one."""
    root: ast.expr = node
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    return isinstance(root, ast.Name) and root.id not in SAMPLE and not node.attr.startswith("_")


class _Keys(ast.NodeTransformer):
    """Turns `a.b` into `a["b"]`: real attributes would lead to `__class__` and so out of the sandbox."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return ast.Subscript(node.value, ast.Constant(node.attr), ast.Load())


class Index:
    """An index of steps by name and text. Positions are after steps, ascending; the index sees everything."""

    def __init__(self) -> None:
        self.steps: Final[list[Step]] = []
        """every step made so far, including those ahead of the position after going back"""
        self.acts: list[int] = []
        """after an action"""
        self.wrong: list[int] = []
        """after a step with an incident"""
        self.kinds: dict[str, type] = {}
        """the types of the messages delivered, by name"""
        self.pairs: dict[tuple[str | None, str], list[int]] = {}
        """after a message from one actor, or None, the outside, to another"""
        self._groups: dict[type, tuple[list[int], list[Delivery]]] = {}
        """positions and deliveries by type of message, side by side: a search goes through all of them"""
        self._changed: list[int] = [0]
        self._names: list[dict[str, Any]] = [{}]
        """the names of the hand where they changed"""
        self._key: tuple[Any, ...] = (None,)
        self._texts: dict[Viewpoint, list[str]] = {}
        self._worked_out: dict[object, tuple[int, Any]] = {}
        self._tested: dict[str, bytearray] = {}

    def begin(self, names: dict[str, Any]) -> None:
        """Index the names before the first step."""
        self._names[0] = names

    def add(self, step: Step, hand: Hand | None, voided: bool, names: Callable[[], dict[str, Any]]) -> None:
        """Note a step when it is made for the first time."""
        self.steps.append(step)
        position = step.number + 1
        for one in step.handled:
            kind, delivery = type(one.delivery.message), one.delivery
            self.kinds[kind.__name__] = kind
            self.pairs.setdefault((delivery.sender, delivery.receiver), []).append(position)
            places, ones = self._groups.setdefault(kind, ([], []))
            places.append(position)
            ones.append(delivery)
        if type(step.delivery.message).__name__ == "Act":
            self.acts.append(position)
        if step.incidents:
            self.wrong.append(position)
        # chips too, and not the log alone: a fault may move them behind its back
        key = (
            (hand, voided)
            if hand is None
            else (hand, voided, len(hand.log), *hand.stacks, *hand.bets, *hand.to_act)
        )
        if len(key) != len(self._key) or key[0] is not self._key[0] or key[1:] != self._key[1:]:
            self._key = key
            self._changed.append(position)
            self._names.append(names())

    def until(self, position: int) -> Index:
        """Return the index of the steps up to a position."""
        other = Index()
        other.steps.extend(self.steps[:position])
        other.acts, other.wrong = _until(self.acts, position), _until(self.wrong, position)
        other.kinds = dict(self.kinds)
        kept_pairs = {pair: _until(places, position) for pair, places in self.pairs.items()}
        other.pairs = {pair: places for pair, places in kept_pairs.items() if places}
        for kind, (places, ones) in self._groups.items():
            if kept := _until(places, position):
                other._groups[kind] = kept, ones[: len(kept)]
        other._changed = _until(self._changed, position)
        other._names = self._names[: len(other._changed)]
        return other

    def of(self, name: str) -> Sequence[int]:
        """Return the positions after each `message TYPE` or `actor NAME`."""
        what, _, whose = name.partition(" ")
        if what == "message":
            found = [at for _, places, _ in self.deliveries(whose) for at in places]
        else:
            found = [at for pair, places in self.pairs.items() if whose in pair for at in places]
        return sorted(dict.fromkeys(found))  # of runs in order already: linear

    def deliveries(self, name: str | None) -> Iterator[tuple[type, Sequence[int], Sequence[Delivery]]]:
        """Yield positions and deliveries by type of message; of one type if given."""
        return ((kind, *group) for kind, group in self._groups.items() if name in (None, kind.__name__))

    @property
    def changed(self) -> Sequence[int]:
        """Return the positions at which a name of the hand changed its value."""
        return self._changed

    def runs(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield the names of the hand except `step`, with the first position of each set and the one after its last."""
        ends = (*self._changed[1:], len(self.steps) + 1)
        return zip(self._changed, ends, self._names, strict=True)

    def once(self, key: object, work: Callable[[], _T]) -> _T:
        """Return a result computed from the steps so far, cached until there are more."""
        size, found = self._worked_out.get(key, (-1, None))
        if size != len(self.steps):
            found = work()
            self._worked_out[key] = len(self.steps), found
        return cast("_T", found)

    def note(self, text: str, position: int, held: bool) -> None:
        """Note whether a condition that needs the room held at a position."""
        kept = self._tested.setdefault(text, bytearray())
        kept.extend(bytes(max(0, position + 1 - len(kept))))
        kept[position] = 1 + held

    def noted(self, text: str, low: int, high: int) -> bool:
        """Tell whether a condition has been tested at all positions from `low` to `high`."""
        kept = self._tested.get(text, b"")
        return high < len(kept) and kept.find(0, low, high + 1) < 0

    def held(self, text: str) -> Spans:
        """Return the positions where a condition is known to have held."""
        return points(at for at, mark in enumerate(self._tested.get(text, b"")) if mark > 1)

    def names(self, position: int) -> dict[str, Any]:
        """Return the names of the hand at a position, with their values."""
        return {**self._names[bisect_right(self._changed, position) - 1], "step": position}

    def read(self, viewpoint: Viewpoint) -> list[str]:
        """Return each step's searchable text in lower case; the first call takes ten microseconds a step."""
        texts = self._texts.setdefault(viewpoint, [])
        texts += [_text(step, viewpoint) for step in self.steps[len(texts) :]]
        return texts

    def find(self, text: str, viewpoint: Viewpoint) -> list[int]:
        """Return the positions after each message whose line or payload contains a text, or that is of a type or actor."""
        asked = text.lower()
        for name in (f"message {text}", f"actor {text}"):
            if places := self.of(name):
                return [*places]
        return [number + 1 for number, kept in enumerate(self.read(viewpoint)) if asked in kept]


def _text(step: Step, viewpoint: Viewpoint) -> str:
    """Return the text by which a step is found, in lower case."""
    lines = [one.shown(viewpoint) for one in step.incidents]
    lines += [f"{searched_text(one.delivery, viewpoint)} {one.outcome}" for one in step.handled]
    return "\n".join(lines).lower()


def _until(places: list[int], position: int) -> list[int]:
    return places[: bisect_right(places, position)]


def points(positions: Iterable[int]) -> Spans:
    """Return positions, ascending, as spans; those side by side are one."""
    return joined_spans((at, at + 1) for at in positions)


def joined_spans(found: Iterable[tuple[int, int]]) -> Spans:
    """Join adjacent spans, given in ascending order."""
    spans: Spans = []
    for low, high in found:
        if spans and spans[-1][1] == low:
            spans[-1] = (spans[-1][0], high)
        else:
            spans.append((low, high))
    return spans


def common(one: Spans, other: Spans) -> Spans:
    """Return the intersection of two lists of spans."""
    found: Spans = []
    place = 0
    for low, high in one:
        while place < len(other) and other[place][1] <= low:
            place += 1
        at = place
        while at < len(other) and other[at][0] < high:
            found.append((max(low, other[at][0]), min(high, other[at][1])))
            at += 1
    return joined_spans(found)
