"""A player that is the application's own actor: it receives what players hear, and acts through the states it gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pykka

from poker_actors.actors.player.state import News
from poker_actors.errors import BadSpec

__all__ = ["check_started", "passed_to"]


def check_started(given: object) -> None:
    """Raise `BadSpec` for an actor class, where a started actor's reference is needed."""
    if isinstance(given, type) and issubclass(given, pykka.Actor):
        name = given.__name__
        raise BadSpec(f"{name} is a class of actors: start one, and give what {name}.start() gives")


def passed_to(ref: pykka.ActorRef[Any], gone: Callable[[], None]) -> Callable[[News], None]:
    """Return a listener that passes everything to the actor, and calls `gone` when the actor is dead."""

    def tell(news: News) -> None:
        try:
            ref.tell(news)
        except pykka.ActorDeadError:
            # from now on its seat is acted for, as for any player who is gone
            gone()

    tell.quick = True  # type: ignore[attr-defined]  # telling an actor never waits; see `is_quick`
    return tell
