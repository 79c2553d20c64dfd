"""The engine for many processes: play pieces of a match on any executor of `concurrent.futures`."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from copy import deepcopy
from multiprocessing import connection, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, Final, TypeAlias

import attrs

from poker_actors.bots import Faults
from poker_actors.errors import BadSpec, RoomError
from poker_actors.sim.engines.block import play_block, play_whole
from poker_actors.sim.engines.compiled import asked_bots
from poker_actors.sim.engines.job import Job
from poker_actors.sim.match import Match, programs
from poker_actors.sim.statistics import Sums


class Settlement:
    """The faults of each bot, added up piece by piece from the first hand."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._known = list(map(deepcopy, job.before)) or [Faults() for _ in job.match.bots]

    def job(self) -> Job:
        """Return the job with the faults known now."""
        return attrs.evolve(self._job, before=tuple(map(deepcopy, self._known)))

    def holds(self, asked: Job, sums: Sums) -> bool:
        """Whether a piece played as `asked` would be played the same with the faults known now."""
        return all(map(_same_play, asked.before, self._known, sums.faults))

    def take(self, sums: Sums) -> Sums:
        """Add the faults of the next piece, in the order of hands, and return its sums."""
        for known, new in zip(self._known, sums.faults, strict=True):
            known.add(new)
        return sums


def _same_play(assumed: Faults, known: Faults, counted: Faults) -> bool:
    """Whether a bot that played a piece after faults `assumed` plays the same after those `known`."""
    if assumed.ejected is not None or known.ejected is not None:
        return assumed.ejected is not None and known.ejected is not None
    if counted == Faults() and not counted.used.calls:
        return True
    if assumed == known and assumed.used == known.used:
        return True
    if counted.ejected is not None:
        return False  # other faults before it move the hand of the ejection
    together = Faults.after(known)
    together.add(counted)
    return not (together.beyond_limits or together.over_budget)


_PIECES_PER_WORKER: Final = 12
"""Enough that the slowest piece hardly delays the end and that progress shows."""
_LONGEST_PIECE: Final = 2_000
"""Hands of a piece at most: losing one costs about a second of work."""
_PIECES_OF_PROGRAMS: Final = 3
"""Pieces per worker if bots are programs: fewer, since each piece starts them again."""
_LONGEST_OF_PROGRAMS: Final = 10_000
"""Hands of a piece at most if bots are programs, to start them less often."""
_LONGEST_COMPILED: Final = 100_000
"""Hands of a piece at most in compiled code: some tenths of a second, mostly play and not setup and sums."""
Play: TypeAlias = Callable[[Job, range], Iterator[Sums]]
"""An engine that is open: plays a range of hands of a job"""

_AHEAD: Final = 2
"""Pieces submitted ahead per worker: enough to keep it busy, few enough to keep memory flat."""


def pieces_of(
    match: Match, workers: int, hands: range | None = None, *, compiled: bool = False
) -> list[range]:
    """Cut `hands`, all of the match if None, into pieces of whole units, several per worker.

    Pieces are longer if `compiled` code plays them. If bots remember hands, pieces begin only where they forget.
    """
    hands = range(match.hands) if hands is None else hands
    unit = match.unit
    units = len(hands) // unit
    starting = bool(programs(match.bots))
    count = _PIECES_OF_PROGRAMS if starting else _PIECES_PER_WORKER
    longest = _LONGEST_OF_PROGRAMS if starting else _LONGEST_COMPILED if compiled else _LONGEST_PIECE
    share = max(1, min(units // (workers * count), longest // unit))
    step, first = share * unit, hands.start
    if match.span > unit:
        step = -(-step // match.span) * match.span
        first = hands.start // step * step
    starts = range(first, hands.stop, step)
    return [range(max(start, hands.start), min(start + step, hands.stop)) for start in starts]


def in_order(
    job: Job,
    pieces: Sequence[range],
    ahead: int,
    submit: Callable[[Job, range], Any],
    taken: Callable[[Any], Sums],
    drop: Callable[[Any], object] = lambda task: None,
) -> Iterator[Sums]:
    """Submit pieces, at most `ahead` before the first is taken; yield their sums in order.

    A piece is played again if the faults before it turn out not to be those it assumed. Pieces still waiting
    at the end are dropped.
    """
    waiting: deque[tuple[Job, range, Any]] = deque()
    settlement = Settlement(job)

    def next_sums() -> Sums:
        asked, piece, task = waiting.popleft()
        sums = taken(task)
        if not settlement.holds(asked, sums):
            sums = taken(submit(settlement.job(), piece))
        return settlement.take(sums)

    try:
        for piece in pieces:
            known = settlement.job()
            waiting.append((known, piece, submit(known, piece)))
            if len(waiting) >= ahead:
                yield next_sums()
        while waiting:
            yield next_sums()
    finally:
        for *_, task in waiting:
            drop(task)


def play_on_executor(job: Job, hands: range, *, executor: Executor, workers: int) -> Iterator[Sums]:
    """Play `hands` on an executor of about `workers` workers.

    Yields the pieces' sums in order. Raises `RoomError` if a worker process dies.
    """
    pieces = pieces_of(job.match, workers, hands, compiled=job.compiled and not asked_bots(job.match))

    def submit(known: Job, piece: range) -> Future[Sums]:
        return executor.submit(play_whole, known, piece)

    try:
        yield from in_order(job, pieces, _AHEAD * workers, submit, Future.result, Future.cancel)
    except BrokenExecutor as error:
        raise RoomError(f"a worker process died: {error}") from error


_MEANWHILE: Final = 512
"""Hands between two checks whether the code is ready: a tenth of a second."""


class Meanwhile:
    """Plays in Python until `ready`, then by `play`; `hands` were played in Python."""

    def __init__(self, ready: Callable[[], bool], play: Play) -> None:
        self.hands = 0
        self._ready = ready
        self._play = play

    def __call__(self, job: Job, hands: range) -> Iterator[Sums]:
        """Play `hands`, whole units, and yield their sums."""
        settlement, start = Settlement(job), hands.start
        step = max(_MEANWHILE // job.match.unit, 1) * job.match.unit
        while start < hands.stop and not self._ready():
            stop = min(start + step, hands.stop)
            for sums in play_block(attrs.evolve(settlement.job(), compiled=False), range(start, stop)):
                self.hands += sums.hands
                yield settlement.take(sums)
            start = stop
        if start < hands.stop:
            yield from self._play(settlement.job(), range(start, hands.stop))


_SAFE_PATH: Final = "PYTHONSAFEPATH"
"""The variable that keeps a Python from importing what lies in the folder it starts in."""


@contextmanager
def _safe_path(given: str | None = "1") -> Iterator[str | None]:
    """Have that variable set to `given`, or unset, in the block; yield what it was."""
    before = os.environ.pop(_SAFE_PATH, None)
    os.environ.update({} if given is None else {_SAFE_PATH: given})
    try:
        yield before
    finally:
        os.environ.pop(_SAFE_PATH, None)
        os.environ.update({} if before is None else {_SAFE_PATH: before})


class _Worker(SpawnProcess):
    """A new interpreter that imports what this one would, and nothing else that lies in the folder it starts in.

    Python looks there first until it has our path: in an arena's folder, an entrant `socket` would run outside any cage.
    """

    def start(self) -> None:
        with _safe_path() as self._before:
            super().start()

    def run(self) -> None:
        with suppress(OSError):  # stderr may be closed
            os.dup2(2, 1)  # what a bot prints is no result
        with _safe_path(self._before):  # as here, for what a bot starts
            super().run()


class _Spawning(SpawnContext):
    Process = _Worker


_MOST_WORKERS: Final = 512
"""More than any machine has cores for: a larger number is a slip."""


def check_workers(workers: object) -> None:
    """Raise `BadSpec` unless `workers` is a number of processes that can be started."""
    if type(workers) is not int or not 1 <= workers <= _MOST_WORKERS:
        raise BadSpec(f"workers is {workers!r:.40}: it must be 1 to {_MOST_WORKERS}")


def new_pool(workers: int, began: Any = None) -> ProcessPoolExecutor:
    """Return a pool of `workers` processes, spawned: a fork would copy locks held by other threads.

    `began` is a number in shared memory, which becomes 1. Raises `RoomError` without such memory.
    """
    try:
        with _safe_path():  # it starts a process that tracks its semaphores
            return ProcessPoolExecutor(workers, _Spawning(), initializer=begin_worker, initargs=(began,))
    except OSError as error:  # the semaphores are files in shared memory
        raise RoomError(
            f"{workers} workers need shared memory (/dev/shm on Linux): {error.strerror}; one worker needs none"
        ) from error


@contextmanager
def process_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of `workers` processes; raises `RoomError` without shared memory."""
    pool = new_pool(workers)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def begin_worker(began: Any = None) -> None:
    """Leave Ctrl-C to the parent, and end with it: the worker of a killed parent would wait for ever.

    A terminal sends Ctrl-C to every process, and workers would print tracebacks of their own. For `began` see `new_pool`.
    """
    if began is not None:
        began.value = 1
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is None:
        return

    def end_with_parent() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, name="end with the parent", daemon=True).start()


def check_travel(match: Match) -> None:
    """Raise `BadSpec` unless every bot can be sent to another process."""
    for spec in match.bots:
        try:
            pickle.dumps(spec)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise BadSpec(
                f"bot {spec} cannot be sent to another process ({error}): "
                "write it as a function of a module, or name it FILE.py:FUNCTION"
            ) from error


def check_spread(match: Match) -> None:
    """Raise `BadSpec` unless every bot can play the blocks of a match in several processes."""
    for kind, values in programs(match.bots):
        kind.check_spread(values)
