"""Where an arena's work is done: processes of this machine, or a Ray cluster; a task that kills its process is told of."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, Protocol

from poker_actors.arena.playing import begin_worker
from poker_actors.errors import BadSpec, PokerError
from poker_actors.sim.engines import ray_cluster

__all__ = ["Pool", "Workers", "on_ray"]

_AHEAD: Final = 2
"""Tasks submitted for each worker: enough to keep it busy, few enough to stop soon."""
_TRIES: Final = 3
"""How often Ray starts a task again whose worker or machine was lost, before the task is given up."""


class Pool(Protocol):
    """Where tasks are run."""

    def run(self, tasks: Sequence[Callable[[], Any]]) -> Iterator[tuple[Any, Any]]:
        """Yield each task with what it returned, as they end; for one whose process died twice, with why, as text."""


class Workers:
    """A pool of processes that is made anew when one of them dies, and in which a task that did it is tried alone."""

    def __init__(self, workers: int) -> None:
        self._count = workers
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def run(self, tasks: Sequence[Callable[[], Any]]) -> Iterator[tuple[Any, Any]]:
        """Yield each task with what it returned, as they end; for one whose process died twice, with why, as text."""
        again: list[Any] = []
        waiting = list(reversed(tasks))
        running: dict[Future[Any], Any] = {}
        while waiting or running:
            while waiting and len(running) < _AHEAD * self._count:
                task = waiting.pop()
                running[self._open().submit(_done, task)] = task
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(future)
                try:
                    found = future.result()
                except BrokenProcessPool:
                    again += [task, *running.values()]  # any of them may have done it
                    running.clear()
                    self._end()
                    break
                yield task, found
        for task in again:
            yield task, self._alone(task)

    def _alone(self, task: Callable[[], Any]) -> Any:
        with _pool_of(1) as pool:
            try:
                return pool.submit(_done, task).result()
            except BrokenProcessPool as error:
                return str(error)

    def _open(self) -> Executor:
        if self._pool is None:
            self._pool = _new_pool(self._count)
        return self._pool

    def _end(self) -> None:
        """End the pool at once: what is under way is lost, as at a crash."""
        pool, self._pool = self._pool, None
        if pool is not None:
            _kill(pool)


def _done(task: Callable[[], Any]) -> Any:
    return task()


def _new_pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=begin_worker)


@contextmanager
def _pool_of(workers: int) -> Iterator[ProcessPoolExecutor]:
    pool = _new_pool(workers)
    try:
        yield pool
    finally:
        _kill(pool)


def _kill(pool: ProcessPoolExecutor) -> None:
    # Python 3.14 has `kill_workers`; before, a pool cannot be told not to wait for a match of minutes
    processes = list((getattr(pool, "_processes", None) or {}).values())
    for process in processes:
        with suppress(OSError):
            process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


# -- on Ray ----------------------------------------------------------------------------------------


@contextmanager
def on_ray(workers: int, address: str, folder: Path) -> Iterator[Pool]:
    """Yield a pool on the Ray cluster at `address`, all machines of which see `folder` at its place.

    "local" starts a cluster of `workers`. Raises `MissingExtra` without Ray, and `RoomError` for a cluster out of reach.
    """
    with ray_cluster(workers, address) as ray:
        yield _Cluster(ray, folder)


class _Cluster:
    """Tasks on a Ray cluster, one for each processor."""

    def __init__(self, ray: Any, folder: Path) -> None:
        self._ray = ray
        self._folder = folder
        self._count = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._remote = ray.remote(max_retries=_TRIES, num_cpus=1)(_seen)

    def run(self, tasks: Sequence[Callable[[], Any]]) -> Iterator[tuple[Any, Any]]:
        """As `Pool` has it; raises `BadSpec` if a machine does not see the folder."""
        waiting = list(reversed(tasks))
        running: dict[Any, Callable[[], Any]] = {}
        while waiting or running:
            while waiting and len(running) < _AHEAD * self._count:
                task = waiting.pop()
                running[self._remote.remote(task, self._folder)] = task
            done, _ = self._ray.wait(list(running), num_returns=1)
            for reference in done:
                yield (task := running.pop(reference)), self._found(reference)

    def _found(self, reference: Any) -> Any:
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, PokerError):
                raise error.cause from error
            raise
        except self._ray.exceptions.RayError as error:
            return " ".join(str(error).split())[:200]


def _seen(task: Callable[[], Any], folder: Path) -> Any:
    if not folder.is_dir():
        raise BadSpec(f"{socket.gethostname()} does not see {folder}: machines of an arena share its folder")
    return task()
