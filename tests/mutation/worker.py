"""Try the mutants of one target; only `tests.mutation.run` starts it, in the target's folder.

mutmut makes the mutants and keeps their outcomes. They are tried here, because mutmut itself has pytest collect again
for each of them. Here pytest collects once, and each mutant gets a fork of this process: it runs the tests that reach
the changed function, first those that have killed another mutant of it, until one fails. Code that runs at import is
tried `--afresh`: the fork comes before the import and runs all tests.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import signal
import sys
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, NoReturn

import pytest

KILLED, SURVIVED, NO_TESTS, SUSPICIOUS, TIMEOUT = 1, 0, 33, 35, 36
"""Exit codes, as mutmut reads them."""
SEGFAULT: Final = -signal.SIGSEGV
LIVES: Final = (SURVIVED, NO_TESTS)
LIVING: Final = (*LIVES, SUSPICIOUS, TIMEOUT)
TIMES_AS_LONG, SECONDS_MORE = 10.0, 3.0
"""A test may take this many times its processor time on the unchanged code, plus this many seconds."""
SECONDS_AFRESH: Final = 120.0
"""Processor time for a mutant that is imported anew."""
SECONDS_BLOCKED: Final = 240.0
"""Wall-clock time for a mutant: one that waits for ever uses no processor time."""
OUT_OF_TIME: Final = (-signal.SIGPROF, -signal.SIGALRM)


def in_fork(work: Callable[[int], int]) -> tuple[int, int]:
    """Run `work` in a fork without output; return its process id and the pipe that `work` writes to."""
    reads, writes = os.pipe()
    process = os.fork()
    if process:
        os.close(writes)
        return process, reads
    status = SUSPICIOUS
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.close(reads)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        status = work(writes)
    finally:
        os._exit(status)


def be(mutant: str) -> None:
    """Activate a mutant from now on; the name `stats` records the functions that are reached."""
    from mutmut.mutation.trampoline import set_mutant_under_test

    set_mutant_under_test(mutant)


def function_of(mutant: str) -> str:
    """Return the function that a mutant changes."""
    return mutant.partition("__mutmut_")[0]


@contextmanager
def shared_postgres(tests: Iterable[str]) -> Iterator[None]:
    """Run one PostgreSQL server for all forks: a server per fork takes seconds to start and outlives a killed fork."""
    if not any("postgres" in test for test in tests):
        yield
        return
    from tests.actors import postgres_server

    if postgres_server.missing() is not None:
        yield
        return
    postgres_server.shared = postgres_server.ServerOfForks()
    try:
        yield
    finally:
        postgres_server.shared.remove()


def drawn(mutants: Collection[str], first: Collection[str]) -> list[str]:
    """Return the mutants in a random order that is the same in every run, with those of `first` at the start."""
    order = Random(1).sample(sorted(mutants), len(mutants))
    return sorted(order, key=lambda mutant: mutant not in first)


class Mutants:
    """The mutants of the folder, their outcomes, and those being tried."""

    def __init__(self, work: Path, options: argparse.Namespace) -> None:
        from mutmut.__main__ import collect_source_file_mutation_data

        self.children: int = options.children
        self.end: float = options.start + options.seconds
        self.most: float = options.most
        self.data: dict[str, Any] = {}
        self.lives: set[str] = set()
        """mutants known to survive"""
        wanted = {None, *LIVING} if options.again else {None}
        for data, name, found in collect_source_file_mutation_data(mutant_names=())[0]:
            data.meta_path = work / data.meta_path
            if found in wanted:
                self.data[name] = data
                if found in LIVES:
                    self.lives.add(name)
        self.killers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """function, or "" for any -> test -> how many of its mutants the test has killed"""
        self._running: dict[int, tuple[str, int]] = {}

    def try_all(self, names: Sequence[str], how: Callable[[str], Callable[[int], int] | None]) -> None:
        """Try mutants in that order until the time is up; `how` returns the work of a fork, or None without a test."""
        try:
            self._try_all(names, how)
        finally:
            for process in self._running:
                os.kill(process, signal.SIGKILL)

    def _try_all(self, names: Sequence[str], how: Callable[[str], Callable[[int], int] | None]) -> None:
        for count, name in enumerate(names):
            if time.time() > self.end:
                break
            if not count % 50:
                print(f"{count} of {len(names)}", flush=True)
            work = how(name)
            if work is None:
                self._keep(name, NO_TESTS)
                continue
            while len(self._running) >= self.children:
                self._reap()
            process, reads = in_fork(work)
            self._running[process] = (name, reads)
        while self._running:
            self._reap()

    def _reap(self) -> None:
        process, status = os.wait()
        name, reads = self._running.pop(process)
        with os.fdopen(reads) as said:
            killer = said.read()
        if killer:
            self.killers[function_of(name)][killer] += 1
            self.killers[""][killer] += 1
        code = os.waitstatus_to_exitcode(status)
        if code in OUT_OF_TIME:
            code = TIMEOUT
        self._keep(name, code if code in {KILLED, SURVIVED, TIMEOUT, SEGFAULT} else SUSPICIOUS)

    def _keep(self, name: str, code: int) -> None:
        data = self.data[name]
        data.exit_code_by_key[name] = code
        data.save()


class ForkedTrial(ABC):
    """A pytest plugin that tries changes of the code, each in a fork, instead of running the tests once."""

    def __init__(self) -> None:
        self.reach: dict[str, list[str]] = defaultdict(list)
        """function -> the tests that reach it"""
        self.seconds: dict[str, float] = {}
        """test -> processor time it takes"""
        self.failed: Callable[[str], None] = lambda test: None

    @abstractmethod
    def try_all(self) -> None:
        """Try one change after another; which tests reach what is known by then."""

    @abstractmethod
    def reached_by(self, run: Callable[[], None]) -> Collection[str]:
        """Run a test and return the functions it enters."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Report a failing test at once: pytest's report would first look up every line of the traceback."""
        if call.excinfo is None or isinstance(call.excinfo.value, pytest.skip.Exception):
            return
        if item.get_closest_marker("xfail") is None:
            self.failed(item.nodeid)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Look which test reaches what, then try the changes."""
        if session.testsfailed:
            sys.exit("not all tests can be collected")
        self.items = {item.nodeid: item for item in session.items}
        gc.freeze()  # a collection in a fork would write to every object, and unshare its memory
        with shared_postgres(self.items):
            self._look_what_is_reached()
            self.try_all()
        return True

    def _look_what_is_reached(self) -> None:
        process, reads = in_fork(self._reached)
        with os.fdopen(reads) as said:
            text = said.read()
        _, status = os.waitpid(process, 0)
        if status or not text:
            sys.exit(f"the tests do not run on the code as it is: {status}")
        found = json.loads(text)
        self.seconds = found["seconds"]
        for test in found["failed"]:
            print(f"fails on the code as it is, and is left out: {test}", flush=True)
        for test, functions in found["reach"].items():
            for function in functions:
                self.reach[function].append(test)
        print(f"{len(self.seconds)} tests, {sum(self.seconds.values()):.0f} s", flush=True)

    def _reached(self, writes: int) -> int:
        reach, seconds = {}, {}
        failed: list[str] = []
        self.failed = failed.append
        for test in self.items:
            before = time.process_time()
            entered = self.reached_by(lambda test=test: self._run(test))  # type: ignore[misc]  # the test of this turn
            if test not in failed:
                seconds[test] = time.process_time() - before
                reach[test] = sorted(entered)
        with os.fdopen(writes, "w") as out:
            json.dump({"reach": reach, "seconds": seconds, "failed": failed}, out)
        return 0

    def until_one_fails(self, tests: Iterable[str], writes: int, most: float = math.inf) -> int:
        """Run tests in a fork until one fails, which ends it; return `SUSPICIOUS` beyond `most` seconds, else `SURVIVED`."""

        def killed(test: str) -> NoReturn:
            os.write(writes, test.encode())
            os._exit(KILLED)

        self.failed = killed
        signal.setitimer(signal.ITIMER_REAL, SECONDS_BLOCKED)
        took = 0.0
        for test in tests:
            took += self.seconds[test]
            if took > most:
                return SUSPICIOUS
            signal.setitimer(signal.ITIMER_PROF, SECONDS_MORE + TIMES_AS_LONG * self.seconds[test])
            self._run(test)
        return SURVIVED

    def _run(self, test: str) -> None:
        item = self.items[test]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


class Trial(ForkedTrial):
    """Tries the mutants, survivors first, the others at random, so that a run cut off has a fair sample."""

    def __init__(self, mutants: Mutants) -> None:
        super().__init__()
        self.mutants = mutants

    def try_all(self) -> None:
        """Try the mutants that are left."""
        self.mutants.try_all(drawn(self.mutants.data, self.mutants.lives), self._how)

    def reached_by(self, run: Callable[[], None]) -> Collection[str]:
        """Run a test and return the functions it enters, as mutmut counts them."""
        from mutmut.state import state

        be("stats")
        state()._stats.clear()
        run()
        return [*state()._stats]

    def _tests(self, mutant: str) -> list[str]:
        killers, others = self.mutants.killers[function_of(mutant)], self.mutants.killers[""]
        reach = self.reach.get(function_of(mutant), ())
        return sorted(reach, key=lambda test: (-killers[test], self.seconds[test] / (1 + others[test])))

    def _how(self, mutant: str) -> Callable[[int], int] | None:
        tests = self._tests(mutant)
        return (lambda writes: self._try(mutant, tests, writes)) if tests else None

    def _try(self, mutant: str, tests: Iterable[str], writes: int) -> int:
        be(mutant)
        return self.until_one_fails(tests, writes, self.mutants.most)


def make_mutants(children: int) -> None:
    """Let mutmut make the mutants in the folder `mutants`; those of unchanged files are kept."""
    from mutmut.__main__ import create_mutants
    from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir

    be("mutant_generation")
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(children)
    be("")


def main() -> int:
    """Make the mutants of the current folder and try them for at most so many seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float)
    parser.add_argument("children", type=int)
    parser.add_argument("--most", type=float, default=math.inf)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--afresh", action="store_true")
    options = parser.parse_args()
    # exit by an exception, so that `finally` blocks run: a database that is not stopped outlives the worker
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    options.start = time.time()  # the time to make the mutants counts, too
    work = Path.cwd()
    make_mutants(options.children)
    mutants = Mutants(work, options)
    from mutmut.configuration import config

    # the profile without shrinking: a kill needs no smallest example
    os.environ["HYPOTHESIS_PROFILE"] = "mutation"
    sys.path.insert(0, str(work / "mutants"))
    os.chdir(work / "mutants")
    settings = config()
    arguments = ["--rootdir=.", "-s", *settings.pytest_add_cli_args]
    arguments += settings.pytest_add_cli_args_test_selection

    def afresh(mutant: str) -> Callable[[int], int]:
        def work(writes: int) -> int:
            be(mutant)
            signal.setitimer(signal.ITIMER_REAL, SECONDS_BLOCKED)
            signal.setitimer(signal.ITIMER_PROF, SECONDS_AFRESH)
            return KILLED if pytest.main(arguments) else SURVIVED

        return work

    if options.afresh:
        process, _ = in_fork(lambda _: int(pytest.main(arguments)))
        if os.waitpid(process, 0)[1]:
            sys.exit("the tests fail on the code as it is")
        mutants.try_all(drawn(mutants.data, mutants.lives), afresh)
        return 0
    return int(pytest.main(arguments, plugins=[Trial(mutants)]))


if __name__ == "__main__":
    sys.exit(main())
