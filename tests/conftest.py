"""What every test shares: hypothesis profiles, marks by folder, and nothing left running."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.actors import postgres_server as postgres
from tests.actors.postgres_server import PostgresServer
from tests.actors.small_disk import mounted

BENCHMARKS = Path(__file__).parent / "benchmarks"

# a slow machine is not a wrong answer: no deadline, no complaint about slow examples
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
# the same examples on every run, so that a change is judged by what it changed
settings.register_profile("default", PATIENT, max_examples=50, derandomize=True)
# other examples on every run, to find what nobody has seen yet
settings.register_profile("random", PATIENT, max_examples=50)
settings.register_profile("heavy", PATIENT, max_examples=2_000)
# as ever, but what fails is not looked for in smaller: whoever changes the code on purpose wants to know that it fails
settings.register_profile(
    "mutation",
    PATIENT,
    max_examples=50,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    database=None,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# a shell ignores Ctrl-C for what runs in its background, and so would every program that a test interrupts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# The tests start some hundreds of programs. Where compiled modules are not kept, as many containers have it, each
# of them would compile all that it imports once more: half of its processor time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# whoever runs the tests may have exported a width, as pytest-xdist does for its workers
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in tests/benchmarks, so that it runs only when asked for."""
    for item in items:
        if BENCHMARKS in item.path.parents:
            item.add_marker(pytest.mark.benchmark)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server for this run, where it is installed; else the test is skipped and says why."""
    if postgres.shared is not None:
        yield postgres.shared
        return
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB, of which the test fills what it likes."""
    with mounted(tmp_path / "disk") as folder:
        yield folder


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
    """A runner on each of the loops that a user may run what is asynchronous on."""
    with asyncio.Runner(loop_factory=loop_factory) as made:
        yield made


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    """Fail a test that leaves a thread behind."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=60)
    left = sorted(thread.name for thread in set(threading.enumerate()) - before)
    assert not left, f"threads left running: {', '.join(left)}"
