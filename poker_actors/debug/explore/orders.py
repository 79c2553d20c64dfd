"""Exploring: the same script in many orders of delivery, in search of one that breaks a promise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import attrs

from poker_actors.actors.runtime import quiet_logs
from poker_actors.debug.session import NextMessage, Playback, Script, Step, broken_promise
from poker_actors.debug.trace import Trace
from poker_actors.errors import BadSpec

__all__ = ["Exploration", "Promise", "explore"]

Promise = Callable[[Playback, Step | None], str | None]
"""Says what is broken after a step (None: at the end of the script); None when all is well."""

MOST_ORDERS: Final = 1_000_000
MOST_TRIES: Final = 200
"""Runs that shrinking an order may take."""
STEPS_BOUND: Final = 20_000
"""Steps a hand: one of ten seats takes some 400, so this one does not come to rest."""


@attrs.frozen
class Exploration:
    """What was tried, and what was found: `trace` is the run that broke a promise, up to there."""

    orders: int
    steps: int
    complete: bool
    """whether every order there is has been tried"""
    violation: str | None = None
    trace: Trace | None = None


def explore(
    script: Script,
    orders: int = 500,
    *,
    every: bool = False,
    promises: tuple[Promise, ...] = (),
    progress: Callable[[int], None] | None = None,
) -> Exploration:
    """Play `script` in `orders` orders of delivery, at most, and stop at the first broken promise.

    Orders are drawn from seeds 0, 1, 2 ...; with `every`, they are gone through one after the
    other instead, the last choices first, until there are no more. Each sender's messages to each
    receiver stay in sequence. `promises` are checked besides those every room makes. Raises `BadSpec`.
    """
    if not 1 <= orders <= MOST_ORDERS:
        raise BadSpec(f"explore {orders}: orders are 1 to {MOST_ORDERS}")
    steps = tried = 0
    with quiet_logs():
        for run in _every(script) if every else _drawn(script):
            found = run(promises)
            tried += 1
            steps += found.steps
            if found.violation is not None:
                found = _shrunk(found, promises)
                trace = Trace.of(found.script, found.steps, found.violation)
                return Exploration(tried, steps, complete=False, violation=found.violation, trace=trace)
            if progress is not None:
                progress(1)
            if tried == orders:
                return Exploration(tried, steps, complete=False)
    return Exploration(tried, steps, complete=True)


@attrs.frozen
class _Found:
    script: Script
    steps: int
    violation: str | None


_Run = Callable[[tuple[Promise, ...]], _Found]


def _drawn(script: Script) -> Iterator[_Run]:
    # first as the messages are sent: what breaks then needs no search
    yield lambda promises: _played(script, promises, lambda playback: None)
    for seed in range(MOST_ORDERS):
        drawn = attrs.evolve(script, order=seed)
        yield lambda promises, drawn=drawn: _played(drawn, promises, lambda playback: None)  # type: ignore[misc]


def _every(script: Script) -> Iterator[_Run]:
    """Depth first: play with a prefix of choices, then change the last one that has others left."""
    chosen: list[int] = []
    while True:
        wide: list[int] = []

        def choose(playback: Playback, chosen: list[int] = chosen, wide: list[int] = wide) -> None:
            choices = playback.runtime.choices
            if len(choices) > 1:
                number = chosen[len(wide)] if len(wide) < len(chosen) else 0
                wide.append(len(choices))
                playback.runtime.choose(choices[number])

        yield lambda promises, choose=choose: _played(script, promises, choose)  # type: ignore[misc]
        chosen = [*chosen, *(0 for _ in wide[len(chosen) :])]
        while chosen and chosen[-1] + 1 >= wide[len(chosen) - 1]:
            chosen.pop()
        if not chosen:
            return
        chosen[-1] += 1


def _shrunk(found: _Found, promises: tuple[Promise, ...]) -> _Found:
    """Leave out choices of the next message as long as something still breaks, half of them at first, then fewer."""
    chosen = _choices(found)
    part, tries = max(1, len(chosen) // 2), 0
    while chosen and tries < MOST_TRIES:
        for start in range(0, len(chosen), part):
            fewer = (*chosen[:start], *chosen[start + part :])
            tries += 1
            again = _tried(found.script, fewer, promises)
            if again is not None and again.steps <= found.steps:
                found, chosen = again, fewer
                break
        else:
            if part == 1:
                break
            part = max(1, part // 2)
    return found


def _choices(found: _Found) -> tuple[NextMessage, ...]:
    """What an order has delivered before its time, as choices of the next message."""
    if found.script.order is None:
        return tuple(one for one in found.script.interventions if isinstance(one, NextMessage))
    playback = Playback(found.script)
    chosen = []
    try:
        while playback.position < found.steps:
            if playback.runtime.place:
                chosen.append(NextMessage(playback.position, playback.runtime.place))
            playback.advance()
    finally:
        playback.close()
    return tuple(chosen)


def _tried(script: Script, chosen: tuple[NextMessage, ...], promises: tuple[Promise, ...]) -> _Found | None:
    """Play with these choices alone; None when nothing breaks, or one of them cannot be made any more."""
    others = tuple(one for one in script.interventions if not isinstance(one, NextMessage))
    try:
        again = _played(
            attrs.evolve(script, order=None, interventions=(*others, *chosen)),
            promises,
            lambda playback: None,
        )
    except BadSpec:
        return None
    return None if again.violation is None else again


def _played(script: Script, promises: tuple[Promise, ...], choose: Callable[[Playback], None]) -> _Found:
    """Play once; gives the script that plays the same order again, and what broke."""
    playback = Playback(script)
    places: list[NextMessage] = []
    try:
        while True:
            before = playback.runtime.place
            choose(playback)
            if playback.runtime.place != before:
                places.append(NextMessage(playback.position, playback.runtime.place))
            step = playback.advance()
            broken = broken_promise(playback, step, playback.minted, over=step is None)
            for promise in promises:
                broken = broken or promise(playback, step)
            if playback.position >= STEPS_BOUND * script.hands:
                broken = broken or f"the room does not come to rest within {playback.position} steps"
            if broken is not None or step is None:
                same = attrs.evolve(script, interventions=(*script.interventions, *places))
                return _Found(same if places else script, playback.position, broken)
    finally:
        playback.close()
