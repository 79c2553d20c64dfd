"""Coverage of a search: the states seen, and the messages that could come next in them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import closing
from typing import Final

import attrs

from poker_actors.actors.runtime import quiet_logs
from poker_actors.debug.session import (
    PROMISES,
    Held,
    Listener,
    NextMessage,
    OwnPromise,
    Playback,
    Script,
    Staged,
    Step,
    broken_promises,
    open_playback,
)
from poker_actors.debug.state import delivery_words
from poker_actors.debug.trace import Trace
from poker_actors.errors import BadSpec


class Coverage:
    """Counts the states that a search has reached, and which possible next messages were delivered there.

    Two states count as the same when the pending messages (by sender, receiver and type), the hand's
    actions and the stacks are equal.
    """

    def __init__(self) -> None:
        self._ways: dict[int, tuple[int, set[int]]] = {}

    def note(self, playback: Playback) -> None:
        """Count the playback's current state, and the message it is about to deliver."""
        ways, hand = playback.source.on_the_way, playback.last_hand
        if not ways:
            return
        names = [(one.sender, one.receiver, type(one.message).__name__) for one in ways]
        log = () if hand is None else tuple(hand.log)
        key = hash((tuple(sorted(map(str, names))), log, playback.source.stacks_now))
        choices = playback.source.runtime.choices
        self._ways.setdefault(key, (len(choices), set()))[1].add(hash(names[playback.source.runtime.place]))

    @property
    def states(self) -> int:
        """Number of states seen."""
        return len(self._ways)

    @property
    def ways(self) -> int:
        """Number of messages that could have come next in these states."""
        # equal states may offer different numbers of choices: never count fewer ways than were taken
        return sum(max(known, len(taken)) for known, taken in self._ways.values())

    @property
    def taken(self) -> int:
        """Number of those messages that were delivered."""
        return sum(len(taken) for _, taken in self._ways.values())


_AROUND: Final = 4
"""Messages shown, from the first that differs."""


@attrs.frozen
class Parting:
    """The first `step`, from 0, at which two orders differ, and what each delivers from there on."""

    step: int
    good: tuple[str, ...]
    bad: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return lines of text, the two orders side by side."""
        found = [f"the orders part at message {self.step + 1}"]
        for place in range(max(len(self.good), len(self.bad))):
            for mark, told in (("good", self.good), ("bad", self.bad)):
                if place < len(told):
                    found.append(f"  {mark:<4} {self.step + 1 + place:5} {told[place]}")
        return found


def parted(good: Script, bad: Script, steps: int) -> Parting | None:
    """Play both and compare; None if one is the beginning of the other."""
    told = [_told(script, steps + _AROUND) for script in (attrs.evolve(good, order=None), bad)]
    for number, (one, other) in enumerate(zip(*told, strict=False)):
        if one != other:
            return Parting(
                number,
                tuple(told[0][number : number + _AROUND]),
                tuple(told[1][number : min(number + _AROUND, steps)]),
            )
    return None


def _told(script: Script, steps: int) -> list[str]:
    made: list[Step] = []
    with closing(open_playback(script)) as playback:
        while len(made) < steps and (step := playback.advance()) is not None:
            made.append(step)
    return [delivery_words(step.delivery) for step in made]


MOST_ORDERS: Final = 1_000_000
MOST_TRIES: Final = 200
"""Runs that shrinking an order may take."""
STEPS_BOUND: Final = 20_000
"""Steps per hand: a ten-handed hand takes about 400, so a run beyond this is taken to be endless."""


@attrs.frozen
class Exploration:
    """The result of a search; `trace` is the run that broke a promise, up to that step."""

    orders: int
    steps: int
    complete: bool
    """whether all possible orders were tried"""
    violation: str | None = None
    trace: Trace | None = None
    parting: Parting | None = None
    """where that run departs from the order sent, which breaks nothing"""
    states: int = 0
    """states seen; see `Coverage`"""
    ways: int = 0
    """messages that could have come next in them"""
    taken: int = 0
    """those that were delivered"""


@attrs.frozen
class _Held:
    """What is checked in a run."""

    own: tuple[OwnPromise, ...]
    names: Container[str]
    """which of the promises of every room"""
    witness: Callable[[], Listener] | None


def explore(
    script: Script,
    orders: int = 500,
    *,
    every: bool = False,
    promises: Iterable[OwnPromise] = (),
    names: Container[str] = PROMISES,
    witness: Callable[[], Listener] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Exploration:
    """Play `script` in at most `orders` delivery orders, and stop at the first broken promise.

    Orders are drawn from seeds 0, 1, 2 ...; with `every`, they are enumerated instead, varying the last choices first,
    until there are no more. Messages from one sender to one receiver stay in sequence. It checks the promises of every
    room in `names` and your own `promises`; a `witness`, new for each run, hears everything said. Raises `BadSpec` for
    a bad `orders`.
    """
    if not 1 <= orders <= MOST_ORDERS:
        raise BadSpec(f"explore {orders}: orders must be 1 to {MOST_ORDERS}")
    held, seen = _Held(tuple(promises), names, witness), Coverage()
    steps = tried = 0
    complete = True
    with quiet_logs():
        for run in _every(script, seen) if every else _drawn(script, seen):
            found = run(held)
            tried += 1
            steps += found.steps
            if found.violation is not None:
                found = _shrunk(found, held)
                trace = Trace.of(found.script, found.steps, found.violation)
                parting = None if tried == 1 else parted(script, found.script, found.steps)
                return Exploration(
                    tried, steps, False, found.violation, trace, parting, seen.states, seen.ways, seen.taken
                )
            if progress is not None:
                progress(1)
            if tried == orders:
                complete = False
                break
    return Exploration(tried, steps, complete, None, None, None, seen.states, seen.ways, seen.taken)


@attrs.frozen
class _Found:
    script: Script
    steps: int
    violation: str | None


_Run = Callable[[_Held], _Found]


def _drawn(script: Script, seen: Coverage) -> Iterator[_Run]:
    # first in the order sent: what breaks there needs no search
    yield lambda held: _played(script, held, seen.note)
    for seed in range(MOST_ORDERS):
        drawn = attrs.evolve(script, order=seed)
        yield lambda held, drawn=drawn: _played(drawn, held, seen.note)  # type: ignore[misc]  # mypy infers no lambda with a default


def _every(script: Script, seen: Coverage) -> Iterator[_Run]:
    """Yield all orders, depth first: replay a prefix of choices, then advance the last one that can be."""
    chosen: list[int] = []
    while True:
        wide: list[int] = []

        def choose(playback: Playback, chosen: list[int] = chosen, wide: list[int] = wide) -> None:
            choices = playback.source.runtime.choices
            if len(choices) > 1:
                number = chosen[len(wide)] if len(wide) < len(chosen) else 0
                wide.append(len(choices))
                playback.source.runtime.choose(choices[number])
            seen.note(playback)

        yield lambda held, choose=choose: _played(script, held, choose)  # type: ignore[misc]  # as above
        chosen = [*chosen, *(0 for _ in wide[len(chosen) :])]
        while chosen and chosen[-1] + 1 >= wide[len(chosen) - 1]:
            chosen.pop()
        if not chosen:
            return
        chosen[-1] += 1


def _shrunk(found: _Found, held: _Held) -> _Found:
    """Drop choices while a promise still breaks: halves first, then ever smaller parts (delta debugging)."""
    chosen = tuple(one for one in found.script.interventions if isinstance(one, NextMessage))
    part, tries = max(1, len(chosen) // 2), 0
    while chosen and tries < MOST_TRIES:
        for start in range(0, len(chosen), part):
            fewer = (*chosen[:start], *chosen[start + part :])
            tries += 1
            again = _tried(found.script, fewer, held)
            if again is not None and again.steps <= found.steps:
                found, chosen = again, fewer
                break
        else:
            if part == 1:
                break
            part = max(1, part // 2)
    return found


def _tried(script: Script, chosen: tuple[NextMessage, ...], held: _Held) -> _Found | None:
    """Play with only these choices; None if nothing breaks, or if a choice is no longer possible."""
    others = tuple(one for one in script.interventions if not isinstance(one, NextMessage))
    try:
        again = _played(
            attrs.evolve(script, order=None, interventions=(*others, *chosen)),
            held,
            lambda playback: None,
        )
    except BadSpec:
        return None
    return None if again.violation is None else again


def _played(script: Script, held: _Held, choose: Callable[[Playback], None]) -> _Found:
    """Play once; return a script that repeats the same order, the steps made, and what broke."""
    witness = None if held.witness is None else held.witness()
    own = Held(held.own)
    places: list[NextMessage] = []
    with closing(Playback(Staged(script, witness=witness))) as playback:
        while True:
            choose(playback)
            if playback.source.runtime.place:
                places.append(NextMessage(playback.position, playback.source.runtime.place))
            step = playback.advance()
            broken = _broken(playback, step, held, witness)
            for incident in (
                () if step is None else own.after(playback, step, over=not playback.source.waiting)
            ):
                broken = broken or f"{incident.who} {incident.text} ({incident.place})"
            if playback.position >= STEPS_BOUND * script.hands:
                broken = broken or f"the room does not come to rest within {playback.position} steps"
            if broken is not None or step is None:
                others = [one for one in script.interventions if not isinstance(one, NextMessage)]
                same = attrs.evolve(script, order=None, interventions=(*others, *places))
                return _Found(same, playback.position, broken)


def _broken(playback: Playback, step: Step | None, held: _Held, witness: Listener | None) -> str | None:
    """Describe the promise broken after a step; at the end, also check what must hold at rest."""
    for name, text in broken_promises(playback, step, playback.source.minted, over=step is None):
        if name in held.names:
            return text
    if witness is not None:
        if step is None:
            witness.rest()
        return str(witness.verdicts[0]) if witness.verdicts else None
    return None
