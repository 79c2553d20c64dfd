"""A player that is the application's own actor: it hears what players hear, and acts by the states it is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pykka

from poker_actors.actors.player.state import News
from poker_actors.errors import BadSpec

__all__ = ["check_started", "passed_to"]


def check_started(given: object) -> None:
    """Raise `BadSpec` for a class of actors, which nobody has started."""
    if isinstance(given, type) and issubclass(given, pykka.Actor):
        name = given.__name__
        raise BadSpec(f"{name} is a class of actors: start one, and give what {name}.start() gives")


def passed_to(ref: pykka.ActorRef[Any], gone: Callable[[], None]) -> Callable[[News], None]:
    """Return a listener that tells the actor everything, and calls `gone` once when the actor is dead."""

    def tell(news: News) -> None:
        try:
            ref.tell(news)
        except pykka.ActorDeadError:
            # its seat is acted for from now on, as that of any player who is gone
            gone()

    return tell
