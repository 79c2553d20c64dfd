"""Shared by all tests: hypothesis profiles, marks by folder, fixtures, and a check for threads left running."""

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.actors import postgres_server as postgres
from tests.actors.postgres_server import PostgresServer
from tests.actors.small_disk import mounted

TESTS = Path(__file__).parent
BENCHMARKS = TESTS / "benchmarks"
# the heart, marked `core`: what a change of rules, rooms, bots or stores is tried on first
CORE = (
    TESTS / "actors",
    TESTS / "rulebook",
    *(TESTS / "unit" / name for name in ("bots", "cards", "rules", "store")),
)
# in the folders of the heart, but not in it: it tries one rule, command or bot at a time, in this process
NOT_CORE = (
    # programs and servers, started and killed
    "_killed.py",
    "_mit.py",
    "_mit_rounds.py",
    "_model.py",
    "_cage.py",
    "_program.py",
    "_program_faults.py",
    "_postgres.py",
    "_postgres_rows.py",
    "_seeds.py",
    "_odds.py",
    "_awaiting.py",
    # benches that break a room at each message, record or write
    "_crashes.py",
    "_after_a_crash.py",
    "_durability.py",
    "_durability_failures.py",
    "test_faults.py",
    "_told_stays_true.py",
    # how well the house bots play, and what it takes thousands of hands to see
    "_adaptive.py",
    "_cpu.py",
    "_expert.py",
    "_exploiters.py",
    "_house.py",
    # what rooms of many tables take
    "test_memory.py",
    # what is built on the heart
    "_tournament_room.py",
)
# what the same test runs on beside a stepper or a loop, in memory or in SQLite
ALSO = frozenset({"threads", "uvloop", "postgresql"})

# a slow machine is no failure: no deadline, no health check of slow examples
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
# the same examples in every run, so that a failure comes from the change and not from new examples
settings.register_profile("default", PATIENT, max_examples=50, derandomize=True)
# new examples in every run, to find new failures
settings.register_profile("random", PATIENT, max_examples=50)
settings.register_profile("heavy", PATIENT, max_examples=2_000)
# the default without shrinking: mutation testing needs to know that a test fails, not on how small an example
settings.register_profile(
    "mutation",
    PATIENT,
    max_examples=50,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    database=None,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# a shell starts background jobs with SIGINT ignored, which programs inherit: those that tests interrupt would not end
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# The tests start hundreds of programs. If bytecode is not written, as is usual in containers, each of them compiles
# all its imports again, which is half of its processor time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# without buffers, also usual in containers, output and errors that share a pipe are always in order
os.environ.pop("PYTHONUNBUFFERED", None)

# an exported terminal size, such as pytest-xdist sets for its workers, would change the output of programs
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)


def pytest_configure(config: pytest.Config) -> None:
    """Beside a run of everything in several processes, compile what matches need: else each of these would, for a minute."""
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS and config.option.markexpr != "core"
    if everything and getattr(config.option, "numprocesses", None) and find_spec("numba"):
        from poker_actors.sim.engines import code_in_the_making

        compiling = ExitStack()
        compiling.enter_context(code_in_the_making())
        config.add_cleanup(compiling.close)


# what is collected stays to the end: to look for garbage among it, now and at each full collection of the run, finds none
gc.disable()


def pytest_collection_finish() -> None:
    """Leave modules and tests alone, and look for garbage from here on."""
    gc.freeze()
    gc.enable()


@cache  # asked of each of 12,000 tests, in each worker
def in_core(path: Path) -> bool:
    """Return whether a file of tests belongs to the heart."""
    return any(folder in path.parents for folder in CORE) and not path.name.endswith(NOT_CORE)


def is_core(item: pytest.Item) -> bool:
    """Return whether a test belongs to the heart: by its file, its marks and what it runs on."""
    runs_on = set(item.name.partition("[")[2].rstrip("]").split("-"))
    breaks = "_crash_in_any_handler_" in item.name  # a bench, whatever file it is in
    return in_core(item.path) and not (breaks or item.get_closest_marker("heavy") or runs_on & ALSO)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no other file for `-m core`: that alone would take a third of its time."""
    if config.option.markexpr == "core" and collection_path.suffix == ".py" and not in_core(collection_path):
        return collection_path.name.startswith("test_") or None
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in tests/benchmarks, so that it runs on request only, and the heart, so that it runs alone."""
    for item in items:
        if BENCHMARKS in item.path.parents:
            item.add_marker(pytest.mark.benchmark)
        elif is_core(item):
            item.add_marker(pytest.mark.core)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server for this run; tests that need it are skipped where PostgreSQL is not installed."""
    if postgres.shared is not None:
        yield postgres.shared
        return
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB that the test can fill."""
    with mounted(tmp_path / "disk") as folder:
        yield folder


LoopFactory = Callable[[], asyncio.AbstractEventLoop]


@pytest.fixture(params=["asyncio", "uvloop"])
def loop_factory(request: pytest.FixtureRequest) -> LoopFactory:
    """A factory of event loops: Python's own, and uvloop's if it is installed."""
    if request.param == "uvloop":
        uvloop = pytest.importorskip("uvloop")
        factory: LoopFactory = uvloop.new_event_loop
        return factory
    return asyncio.new_event_loop


@pytest.fixture
def runner(loop_factory: LoopFactory) -> Iterator[asyncio.Runner]:
    """A runner on each kind of event loop that users may have."""
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
