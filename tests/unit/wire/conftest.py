"""Every asynchronous part is tested on each event loop that a user may run it on."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


@pytest.fixture(params=["asyncio", "uvloop"])
def loop_factory(request: pytest.FixtureRequest) -> LoopFactory:
    """What makes the loop: Python's own, and uvloop's where it is installed."""
    if request.param == "uvloop":
        uvloop = pytest.importorskip("uvloop")
        factory: LoopFactory = uvloop.new_event_loop
        return factory
    return asyncio.new_event_loop


@pytest.fixture
def runner(loop_factory: LoopFactory) -> Iterator[asyncio.Runner]:
    """A runner on each of the loops."""
    with asyncio.Runner(loop_factory=loop_factory) as made:
        yield made
