"""A room on each runtime, for scenarios that must have the same outcome on both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from poker_actors.actors import Room, StepRuntime


@pytest.fixture(params=["stepper", "threads"])
def room(request: pytest.FixtureRequest) -> Iterator[Room]:
    with Room(StepRuntime() if request.param == "stepper" else None, seed=1) as room:
        yield room
