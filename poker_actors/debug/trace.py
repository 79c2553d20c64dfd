"""A trace: every delivery of a session as a file of JSON lines, each with a checksum over all lines so far.

Also traces left by failures.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import attrs

from poker_actors.atomic import replacing
from poker_actors.bots import FaultLimits
from poker_actors.debug.plain import GOD, plain_message
from poker_actors.debug.session import (
    Answer,
    Handled,
    Past,
    Playback,
    Program,
    Record,
    Recording,
    Script,
    Step,
    Stepper,
    open_playback,
    past_of,
)
from poker_actors.debug.state import state_hash
from poker_actors.errors import BadHistory, BadInput, UnknownBot
from poker_actors.jsontext import parse_json

FORMAT: Final = "poker-actors trace"
VERSION: Final = 1
LONGEST_LINE: Final = 1 << 20
"""Longest line in characters. A step at a ten-seat table takes a few thousand."""
MOST_LINES: Final = 1_000_002
"""The most steps of a session (`MOST_STEPS`), plus the head and the end line."""


@attrs.frozen
class TracedStep:
    """The deliveries of one step as plain values, and the hash of the room after it (None if unknown)."""

    handled: tuple[dict[str, Any], ...]
    hash: str | None
    place: int = 0
    """index of its message among those on their way, in the order sent"""
    answers: tuple[Answer, ...] = ()
    """the bots' answers in it"""

    @property
    def crashed(self) -> bool:
        """Whether an actor crashed in this step."""
        return any(one["outcome"].startswith("crashed: ") for one in self.handled)

    def to_dict(self, number: int) -> dict[str, Any]:
        """Return a JSON object, as step `number`."""
        line = {"step": number, "handled": list(self.handled), "hash": self.hash}
        kept = {"place": self.place, "answers": [one.to_dict() for one in self.answers]}
        return line | {key: value for key, value in kept.items() if value}

    @classmethod
    def from_dict(cls, line: dict[str, Any]) -> TracedStep:
        """Read what `to_dict` returned; raise `BadInput`, `KeyError` or `TypeError` for anything else."""
        answers = tuple([Answer.from_dict(one) for one in line.get("answers", ())])
        return cls(tuple(line["handled"]), line["hash"], line.get("place", 0), answers)


@attrs.frozen
class Trace:
    """A recorded session: its script, every step, and the error that ended it, if any.

    It contains every card, hidden ones too, and every answer of a bot: it opens without the bots.
    `made_by` is `stepper` or `threads`.
    """

    script: Script | Program
    steps: tuple[TracedStep, ...]
    made_by: str = "stepper"
    error: str | None = None
    limits: tuple[FaultLimits | None, ...] | None = None
    """by seat, the fault limits of a program or an awaited bot; None if the trace holds no answers, like that of a
    program or of an earlier version"""

    @property
    def crashed(self) -> bool:
        """Whether an actor crashed in its last step."""
        return bool(self.steps) and self.steps[-1].crashed

    @property
    def recorded(self) -> Script | Program:
        """The script with the answers and the order of this trace."""
        if self.limits is None:
            return self.script
        answers = [one for step in self.steps for one in step.answers]
        by_seat = tuple(tuple(one for one in answers if one.seat == seat) for seat in range(len(self.limits)))
        places = tuple(step.place for step in self.steps) if self.made_by == "stepper" else ()
        return self.script.with_record(Record(by_seat, places, self.limits))

    @classmethod
    def of(
        cls,
        script: Script | Program,
        limit: int | None = None,
        error: str | None = None,
        *,
        to_crash: bool = False,
    ) -> Trace:
        """Play a script or a program to its end, or for `limit` steps, or `to_crash`, and return its trace.

        A program may run for hours, so its trace has the messages but no hashes of the room.
        """
        past = past_of(script)
        steps = []
        asked = nullcontext() if past is None else closing(past)  # it has started the programs that it asked
        with asked, closing(open_playback(script, past)) as playback:
            while limit is None or playback.position < limit:
                step = playback.advance()
                if step is None:
                    break
                steps.append(_traced(playback, step, past))
                if to_crash and steps[-1].crashed:
                    break
            if error is None and past is None and playback.source.failure is not None:
                error = " ".join(
                    f"{type(playback.source.failure).__name__}: {playback.source.failure}".split()
                )[:400]
        limits = None if past is None else past.answers.record(()).limits
        return cls(script.with_record(None), tuple(steps), error=error, limits=limits)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file; each ends with a `check` over itself and all lines before it."""
        check = ""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "made_by": self.made_by,
            "script": self.script.to_dict(),
        }
        if self.limits is not None:
            head["limits"] = [None if one is None else attrs.asdict(one) for one in self.limits]
        middle = (step.to_dict(number) for number, step in enumerate(self.steps))
        for line in (head, *middle, {"end": len(self.steps), "error": self.error}):
            text = json.dumps(line, separators=(",", ":"))
            check = _check(check, text)
            yield f'{text[:-1]},"check":"{check}"}}\n'

    def write(self, path: Path) -> None:
        """Write the file atomically: an interrupted write leaves what was there before."""
        with replacing(path) as stream:
            stream.writelines(self.lines())

    @classmethod
    def read(cls, path: Path) -> Trace:
        """Read a file. Raise `BadHistory`, naming the line, if it is truncated, altered or not a trace."""
        try:
            with path.open(encoding="utf-8") as stream:
                lines = list(_checked(str(path), stream))
        except UnicodeDecodeError:
            raise BadHistory(f"{path} is not a trace: it is not UTF-8 text") from None
        head, *middle, last = lines
        if "end" not in last or last["end"] != len(middle):
            raise BadHistory(f"{path}, line {len(lines)}: the trace is cut: its end is missing")
        try:
            steps = tuple(map(TracedStep.from_dict, middle))
            given = head.get("limits")
            limits = given and tuple(one and FaultLimits(**one) for one in given)
            script = _read_script(head["script"], steps, last["error"], asks=limits is None)
            return cls(script, steps, head["made_by"], last["error"], limits)
        except (KeyError, TypeError, AttributeError) as error:
            raise BadHistory(f"{path}: a field is missing or of the wrong kind ({error})") from None
        except BadInput as error:
            raise BadHistory(f"{path}: its script cannot be played here: {error}") from None


def _read_script(
    value: dict[str, Any], steps: tuple[TracedStep, ...], error: str | None, *, asks: bool
) -> Script | Program:
    """Read the script or program; for a program that is not on this machine, read its record."""
    if "program" not in value:
        return Script.from_dict(value, asks=asks)
    try:
        return Program.from_dict(value)
    except (BadInput, UnknownBot) as absent:
        return Recording.of(value, (step.handled for step in steps), error, str(absent))


def _traced(playback: Playback, step: Step, past: Past | None) -> TracedStep:
    """Return the record of the step that a playback has just made."""
    handled = tuple(plain_handled(one) for one in step.handled)
    if past is None:
        return TracedStep(handled, None)
    answers = past.answers.made(step.number)
    return TracedStep(handled, state_hash(playback.state()), step.place, answers)


def plain_handled(one: Handled) -> dict[str, Any]:
    """Return a delivery and its outcome as plain values, with all cards shown."""
    delivery = one.delivery
    return {
        "from": delivery.sender,
        "to": delivery.receiver,
        "asked": delivery.asked,
        "depth": one.depth,
        "outcome": one.outcome,
        "message": plain_message(delivery.message, GOD),
    }


def _check(before: str, text: str) -> str:
    # Chained, so that a line removed, repeated or moved is noticed too. It guards against accidents only: anybody
    # can compute it.
    return blake2b(f"{before}{text}".encode(), digest_size=8).hexdigest()


def _checked(name: str, stream: Any) -> Iterator[dict[str, Any]]:
    """Yield each line without its check. Raise `BadHistory` at the first line whose check is wrong."""
    check = ""
    number = 0
    # Bounded: a large file without newlines would otherwise be read into memory at once
    while text := stream.readline(LONGEST_LINE):
        number += 1
        if number > MOST_LINES:
            raise BadHistory(f"{name}: a trace has at most {MOST_LINES} lines")
        # 29 characters: `,"check":"`, 16 hex digits, `"}` and the newline. Split by length before parsing, so that a
        # damaged line is reported as such and not as bad JSON.
        body, found = text[:-29], text[-29:]
        check = _check(check, f"{body}}}")
        if found != f',"check":"{check}"}}\n':
            raise BadHistory(f"{name}, line {number}: {_fault(text, number)}")
        try:
            line = parse_json(f"{body}}}")
        except ValueError:  # anybody can compute a check
            raise BadHistory(f"{name}, line {number}: its checksum matches, but it is not JSON") from None
        if number == 1 and (line.get("format"), line.get("version")) != (FORMAT, VERSION):
            raise BadHistory(f"{name}: it is not a trace of version {VERSION}")
        yield line
    if number < 2:
        raise BadHistory(f"{name}: {'it is empty' if not number else 'the trace is cut after line 1'}")


def _fault(text: str, number: int) -> str:
    if not text.endswith("\n"):
        return (
            "the line is cut" if len(text) < LONGEST_LINE else f"above the limit of {LONGEST_LINE} characters"
        )
    if number == 1 and FORMAT not in text:
        return "this is not a trace of poker-actors"
    return "altered, or a line before it is missing: its check does not hold"


def opening_command(path: Path, position: int) -> str:
    """Return the command that opens a trace at a position."""
    return f"poker-actors debug --trace {shlex.quote(str(path))} --goto {position}"


def leave_trace(
    script: Script | Program, path: Path, position: int | None, error: BaseException | str
) -> str:
    """Write a script's trace up to `position`, with the error; return the command that opens it there.

    Without a position, the script plays up to the message on which an actor crashes, and opens at
    that message. If no actor crashes, the fault lies outside the actors: the trace opens at its end,
    or, for a recorded hand that does not fail again, after its last action.
    """
    said = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    words = " ".join(said.split())[:400]
    trace = Trace.of(script, position, words, to_crash=position is None)
    crashed = position is None and trace.crashed
    if position is None and not crashed and script.actions is not None:
        trace = Trace.of(script, _after(script, len(script.actions)), words)
    trace.write(path)
    return opening_command(path, len(trace.steps) - crashed)


def _after(script: Script | Program, actions: int) -> int:
    """Return the position after `actions` actions."""
    with Stepper(script) as stepper:
        stepper.run(until=lambda one: one.hand is not None and len(one.hand.log) >= actions)
        return stepper.position


@contextmanager
def traced_on_failure(stepper: Stepper, path: str | Path) -> Iterator[Stepper]:
    """Write a trace to `path` if the block fails, and note on the error the command that opens it.

    The trace ends where the session stood. The error propagates.
    """
    try:
        yield stepper
    except Exception as error:
        command = leave_trace(stepper.recorded(), Path(path), stepper.position, error)
        error.add_note(f"the hand is in {path}; open it at this message: {command}")
        raise
