"""A trace: every delivery of a session in a file of JSON lines, each bound to those before it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import attrs

from poker_actors.atomic import replacing
from poker_actors.debug.session import Handled, LivePlayback, Playback, Program, Script, Step, open_playback
from poker_actors.debug.state import plain_message, state_hash
from poker_actors.debug.viewpoint import GOD
from poker_actors.errors import BadHistory, BadInput

__all__ = ["Trace", "TracedStep", "plain_handled"]

FORMAT: Final = "poker-actors trace"
VERSION: Final = 1
LONGEST_LINE: Final = 1 << 20
"""Characters; a step of ten seats takes some thousands."""
MOST_LINES: Final = 1_000_002
"""As many steps as a session may have, and two lines that are none."""


@attrs.frozen
class TracedStep:
    """What one step delivered, as plain values, and the hash of the room after it (None: not known)."""

    handled: tuple[dict[str, Any], ...]
    hash: str | None


@attrs.frozen
class Trace:
    """A session written down: its script, every step, and why it ended, if by an error.

    It holds every card. `made_by` is `stepper` or `threads`.
    """

    script: Script | Program
    steps: tuple[TracedStep, ...]
    made_by: str = "stepper"
    error: str | None = None

    @classmethod
    def of(cls, script: Script | Program, limit: int | None = None, error: str | None = None) -> Trace:
        """Play a script, or a program, to its end or for `limit` steps, and write it down.

        Of a program the messages are written down and not the hashes of its room: it may go on for hours.
        """
        playback = open_playback(script)
        steps = []
        try:
            while limit is None or playback.position < limit:
                step = playback.advance()
                if step is None:
                    break
                steps.append(traced(playback, step))
            if error is None and isinstance(script, Program) and playback.failure is not None:
                error = " ".join(f"{type(playback.failure).__name__}: {playback.failure}".split())[:400]
        finally:
            playback.close()
        return cls(script, tuple(steps), error=error)

    def lines(self) -> Iterator[str]:
        """Return the file line by line; each ends in a `check` over itself and all lines before it."""
        check = ""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "made_by": self.made_by,
            "script": self.script.to_dict(),
        }
        middle = (
            {"step": number, "handled": list(step.handled), "hash": step.hash}
            for number, step in enumerate(self.steps)
        )
        for line in (head, *middle, {"end": len(self.steps), "error": self.error}):
            text = json.dumps(line, separators=(",", ":"))
            check = _check(check, text)
            yield f'{text[:-1]},"check":"{check}"}}\n'

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        with replacing(path) as stream:
            stream.writelines(self.lines())

    @classmethod
    def read(cls, path: Path) -> Trace:
        """Read a file; raises `BadHistory` naming the line that is cut, altered or no trace at all."""
        try:
            with path.open(encoding="utf-8") as stream:
                lines = list(_checked(str(path), stream))
        except UnicodeDecodeError:
            raise BadHistory(f"{path}: it is not UTF-8 text, so no trace") from None
        head, *middle, last = lines
        if "end" not in last or last["end"] != len(middle):
            raise BadHistory(f"{path}, line {len(lines)}: the trace is cut: its end is missing")
        try:
            steps = tuple(TracedStep(tuple(line["handled"]), line["hash"]) for line in middle)
            return cls(_read_script(head["script"]), steps, head["made_by"], last["error"])
        except (KeyError, TypeError, AttributeError) as error:
            raise BadHistory(f"{path}: a field is missing or of the wrong kind ({error})") from None
        except BadInput as error:
            raise BadHistory(f"{path}: its script cannot be played here: {error}") from None


def _read_script(value: dict[str, Any]) -> Script | Program:
    return Program.from_dict(value) if "program" in value else Script.from_dict(value)


def traced(playback: Playback | LivePlayback, step: Step) -> TracedStep:
    """Write down the step that a playback has just made."""
    after = state_hash(playback.state()) if isinstance(playback, Playback) else None
    return TracedStep(tuple(plain_handled(one) for one in step.handled), after)


def plain_handled(one: Handled) -> dict[str, Any]:
    """Return a delivery and what came of it as plain values."""
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
    return blake2b(f"{before}{text}".encode(), digest_size=8).hexdigest()


def _checked(name: str, stream: Any) -> Iterator[dict[str, Any]]:
    """Return each line without its check; raises `BadHistory` at the first that does not hold."""
    check = ""
    number = 0
    while text := stream.readline(LONGEST_LINE):
        number += 1
        if number > MOST_LINES:
            raise BadHistory(f"{name}: a trace has at most {MOST_LINES} lines")
        body, found = text[:-29], text[-29:]
        check = _check(check, f"{body}}}")
        if found != f',"check":"{check}"}}\n':
            raise BadHistory(f"{name}, line {number}: {_fault(text, number)}")
        line = json.loads(f"{body}}}")
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
        return "this is no trace of poker-actors"
    return "altered, or a line before it is missing: its check does not hold"
