"""A user's program: code that opens a room on the stepping runtime and plays there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import attrs

from poker_actors.actors import StepRuntime
from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec

__all__ = ["Program", "Watch"]

Watch = Callable[[StepRuntime], None]
"""Call it with a runtime before opening a room on it: the runtime then stops at every delivery."""


Play = Callable[..., object]
"""The function of a program: takes `watch` and its arguments, opens a room, watches it, and plays."""


@attrs.frozen
class Program:
    """Code that opens a room by itself, to be debugged in a session: `Stepper(Program(play))`.

    `play(watch, **arguments)` is called once for the session and again each time you go back, on a
    thread of its own that runs only while the session makes a step. It must do the same each time:
    a step that differs raises `Discrepancy`. Messages from outside, and everything else the program
    does, happen between two steps.
    """

    play: Play = attrs.field(eq=False)
    place: str | None = None
    """the function, as ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION``; a trace needs it"""
    arguments: dict[str, Any] = attrs.field(factory=dict)
    """JSON values, by parameter name"""

    @classmethod
    def at(cls, place: str, **arguments: Any) -> Program:
        """Load the function at a place; raise `BadSpec` or `UnknownBot` when there is none."""
        play: Play = BotSpec.parse(place).source.factory
        if not callable(play):
            raise BadSpec(f"{place} is not a function of `watch`")
        return cls(play, place, arguments)

    @property
    def title(self) -> str:
        """Its name and arguments, in one line."""
        name = self.place or str(getattr(self.play, "__qualname__", type(self.play).__name__))
        given = ", ".join(f"{key} {value}" for key, value in self.arguments.items())
        return f"program {name}{f' ({given})' if given else ''}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as a JSON object; raise `BadSpec` for a function without a place."""
        if self.place is None:
            raise BadSpec(f"{self.title}: a trace needs its place, Program.at('FILE.py:FUNCTION')")
        return {"program": self.place, "arguments": self.arguments}

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Program:
        """Read what `to_dict` returned; raise `BadInput` for anything else."""
        arguments: Final = value["arguments"]
        if not isinstance(arguments, dict) or not all(isinstance(key, str) for key in arguments):
            raise BadSpec(f"the arguments of program {value['program']!s:.80} are no names with values")
        return cls.at(str(value["program"]), **arguments)
