"""A room on each runtime, for scenarios that must have the same outcome on all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pykka import ActorRegistry

from poker_actors.actors import LoopRuntime, Room, StepRuntime, ThreadRuntime
from poker_actors.actors.runtime import Runtime

RUNTIMES: dict[str, Callable[[], Runtime]] = {
    "stepper": StepRuntime,
    "threads": ThreadRuntime,
    "loop": LoopRuntime,
}


@pytest.fixture(params=RUNTIMES)
def room(request: pytest.FixtureRequest) -> Iterator[Room]:
    with Room(RUNTIMES[request.param](), seed=1) as room:
        yield room


@pytest.fixture(autouse=True)
def _forget_actors_of_steppers_nobody_closed() -> Iterator[None]:
    """Pykka's registry keeps an actor until it stops: `stop_all` would go on with the steppers of earlier tests."""
    before = set(ActorRegistry.get_all())
    yield
    for ref in set(ActorRegistry.get_all()) - before:
        ActorRegistry.unregister(ref)
