"""A stepping runtime that raises in the handling of one message, for tests that crash every handler once."""

from __future__ import annotations

from typing import Any

from poker_actors.actors import StepRuntime
from poker_actors.actors.runtime import Actor

__all__ = ["Fault", "FaultyRuntime"]


class Fault(Exception):
    """A planted bug."""


class FaultyRuntime(StepRuntime):
    """Raises in the handling of message number `at`, before or after its handler."""

    def __init__(self, at: int = -1, *, after: bool = False) -> None:
        super().__init__()
        self.at = at
        self.after = after
        self.handled: list[str] = []

    def handle(self, actor: Actor, message: object) -> Any:
        number = len(self.handled)
        self.handled.append(f"{actor.address.name} {type(message).__name__}")
        if number == self.at and not self.after:
            raise Fault
        answer = super().handle(actor, message)
        if number == self.at:
            raise Fault
        return answer
