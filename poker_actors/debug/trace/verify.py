"""Replay a trace and find the first message at which the replay differs."""

from __future__ import annotations

from typing import Any

import attrs

from poker_actors.debug.session import NextMessage, Playback, Program, Script, Step, open_playback
from poker_actors.debug.state import message_words, plain_message, state_hash
from poker_actors.debug.trace.file import Trace, plain_handled
from poker_actors.errors import BadHistory, Discrepancy

__all__ = ["script_of", "verify"]


def verify(trace: Trace) -> int:
    """Replay a trace, compare every message and room state, and return the number of steps compared.

    Raise `Discrepancy` at the first message or state of the room that differs.
    """
    if trace.made_by == "threads":
        script_of(trace)
        return len(trace.steps)
    playback = open_playback(trace.script)
    try:
        for number, traced in enumerate(trace.steps):
            step = playback.advance()
            if step is None:
                raise Discrepancy(f"step {number}: the trace goes on, but this run is over")
            made = [plain_handled(one) for one in step.handled]
            _compare(number, list(traced.handled), made)
            if traced.hash is not None and traced.hash != state_hash(playback.state()):
                raise Discrepancy(f"step {number}: the same message, and the room after it is not the same")
        if trace.error is None and playback.waiting:
            raise Discrepancy(f"step {len(trace.steps)}: the trace is over, but this run goes on")
    finally:
        playback.close()
    return len(trace.steps)


def _compare(number: int, told: list[dict[str, Any]], made: list[dict[str, Any]]) -> None:
    for place in range(max(len(told), len(made))):
        old = told[place] if place < len(told) else None
        new = made[place] if place < len(made) else None
        if old != new:
            raise Discrepancy(f"step {number}: the trace has {_words(old)}; this run has {_words(new, old)}")


def _words(one: dict[str, Any] | None, other: dict[str, Any] | None = None) -> str:
    if one is None:
        return "nothing more"
    try:
        words = f"{one['from'] or 'outside'} -> {one['to']}: {message_words(one['message'])}"
        if other is not None and other != one:
            fields = [key for key in one if one[key] != other.get(key)]
            if fields == ["message"]:
                fields = [key for key in one["message"] if one["message"][key] != other["message"].get(key)]
            words += f" (different: {', '.join(fields)})"
        return f"{words} {one['outcome']}".rstrip()
    except (KeyError, TypeError, AttributeError):
        return "what is not a message"


def script_of(trace: Trace) -> Script | Program:
    """Return the script or program that replays a trace on the stepper, in the recorded order.

    For a threaded run, the recorded order becomes interventions, each choosing the next message.
    Raise `Discrepancy` at the first recorded message that no actor has sent in the replay or that differs,
    and `BadHistory` if the recording is not one of a script.
    """
    if trace.made_by != "threads":
        return trace.script
    if isinstance(trace.script, Program):
        raise BadHistory("a program plays on the stepper: its trace cannot be one of threads")
    recorded = [step.handled[0] for step in trace.steps if step.handled]
    taken: set[int] = set()
    choices: list[NextMessage] = []
    playback = Playback(trace.script)
    try:
        for number, one in enumerate(recorded):
            if number in taken:
                continue  # the stepper handled it inside the handler that asked
            choices += _stops(playback, str(one.get("from")))
            place = _place(playback, number, one)
            step = _deliver(playback, place, choices)
            for inside in step.handled[1:]:
                taken.add(_inside(recorded, taken, number, plain_handled(inside)))
        for name in {delivery.receiver for delivery in playback.on_the_way}:
            choices += _stops(playback, name)
        if trace.error is None and playback.runtime.waiting:
            raise Discrepancy(f"message {len(recorded)}: the recording is over, but this run goes on")
    finally:
        playback.close()
    return attrs.evolve(trace.script, interventions=tuple(choices))


def _deliver(playback: Playback, place: int, choices: list[NextMessage]) -> Step:
    choices.append(NextMessage(playback.position, place))
    playback.runtime.choose(place)
    step = playback.advance()
    assert step is not None
    return step


def _stops(playback: Playback, name: str) -> list[NextMessage]:
    """Deliver an actor's next message if it is a `Stop`: on threads no handler gets it, so none is recorded."""
    choices: list[NextMessage] = []
    mine = [place for place, one in enumerate(playback.on_the_way) if one.receiver == name]
    if mine and plain_message(playback.on_the_way[mine[0]].message)["type"] == "Stop":
        _deliver(playback, mine[0], choices)
    return choices


def _place(playback: Playback, number: int, one: dict[str, Any]) -> int:
    """Return the place of the recorded message among those on their way. Raise `Discrepancy` if none matches."""
    pending = playback.on_the_way
    for place in playback.runtime.choices:
        delivery = pending[place]
        if (delivery.sender, delivery.receiver) == (one.get("from"), one.get("to")):
            message = plain_message(delivery.message)
            if message == one.get("message"):
                return place
            told = {**one, "message": message}
            raise Discrepancy(
                f"message {number}: recorded is {_words(one)}; this run has {_words(told, one)}"
            )
    raise Discrepancy(f"message {number}: recorded is {_words(one)}; in this run nobody has sent it")


def _inside(recorded: list[dict[str, Any]], taken: set[int], number: int, made: dict[str, Any]) -> int:
    """Return the number of the recorded message that the stepper has just handled inside another's handler."""
    for later in range(number + 1, len(recorded)):
        if later not in taken and recorded[later].get("to") == made["to"]:
            if recorded[later].get("message") != made["message"]:
                # Recorded with depth 0, as threads have no nested handlers: `depth` would be reported as different too
                _compare(later, [{**recorded[later], "depth": 1}], [made])
            return later
    raise BadHistory(f"message {number}: the recording ends before {_words(made)}")
