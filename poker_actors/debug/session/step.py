"""A step: one delivery and its consequences."""

from __future__ import annotations

from typing import Any

import attrs

from poker_actors.actors import Delivery
from poker_actors.debug.session.incident import Incident
from poker_actors.debug.session.observed import Handled

__all__ = ["Change", "Step"]


@attrs.frozen
class Step:
    """Step `number`, from 0: the message delivered, and the questions asked while it was handled."""

    number: int
    handled: tuple[Handled, ...]
    cause: int | None
    """the step in which the message was sent; None for one from outside"""
    incidents: tuple[Incident, ...] = ()
    """what went wrong in this step"""
    place: int = 0
    """index of the message among those on their way before it"""

    @property
    def delivery(self) -> Delivery:
        """The step's own message."""
        return self.handled[0].delivery


@attrs.frozen
class Change:
    """A step that changed a value."""

    step: Step
    before: Any
    after: Any
