"""Run an arena's tasks in processes of this machine or on a Ray cluster, and report tasks that kill their process."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import current_process
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from traceback import format_exc
from typing import Any, Final, Protocol

import attrs

from poker_actors.arena.entrants import check_cage
from poker_actors.errors import BadSpec, MissingExtra, MissingFeature, PokerError, RoomError
from poker_actors.sim.engines import new_pool, ray_cluster

_AHEAD: Final = 2
"""Tasks submitted for each worker: enough to keep it busy, few enough to stop soon."""
_TRIES: Final = 3
"""How often Ray restarts a task after losing its worker or machine, before giving it up."""
_UNGUARDED: Final = (
    "the processes of the arena end before they begin to play: a script that runs an arena must do so "
    'under `if __name__ == "__main__":`, because each process imports it'
)


def leave_if_imported() -> None:
    """End this process silently if it is a pool's and is importing the script that made the pool.

    Otherwise each process would print a traceback; the parent says the same in one line.
    """
    if getattr(current_process(), "_inheriting", False):
        raise SystemExit(1)


@attrs.frozen(kw_only=True)
class Lost:
    """How a task without a result ended."""

    why: str
    """the reason, for everybody to read"""
    log: str
    """details for whoever fixes it, one line or more"""
    passing: bool = False
    """whether the machine failed, so that the task may succeed next time"""


class Pool(Protocol):
    """A place where tasks run."""

    def run(self, tasks: Sequence[Callable[[], Any]]) -> Iterator[tuple[Any, Any]]:
        """Yield each task, as it ends, with its result or a `Lost`.

        Raises only what stops every task: `MissingExtra`, and `MissingFeature` on a machine without cages.
        """


class Workers:
    """A pool of processes, remade when one of them dies; the task that killed it is tried alone."""

    def __init__(self, workers: int) -> None:
        self._count = workers
        self._pool: ProcessPoolExecutor | None = None
        # without a lock, which a process that dies could hold
        self._began = RawValue("b", 0)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def run(self, tasks: Sequence[Callable[[], Any]]) -> Iterator[tuple[Any, Any]]:
        """See `Pool.run`. A task whose process dies, or in which the machine fails, is tried once more, alone.

        Raises `RoomError` if no process lives long enough to begin a task.
        """
        again: list[Any] = []
        waiting = list(reversed(tasks))
        running: dict[Future[Any], Any] = {}
        while waiting or running:
            with suppress(BrokenProcessPool):
                while waiting and len(running) < _AHEAD * self._count:
                    future = self._open().submit(_done, waiting[-1])
                    running[future] = waiting.pop()
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    found = future.result()
                    task = running.pop(future)
                    if isinstance(found, Lost) and found.passing:
                        again.append(task)
                    else:
                        yield task, found
                continue
            again += running.values()  # any of them may have done it
            running.clear()
            self._end()
            if not self._began.value:
                raise RoomError(_UNGUARDED)
        for task in again:
            yield task, self._alone(task)

    def _alone(self, task: Callable[[], Any]) -> Any:
        pool = new_pool(1, self._began)
        try:
            return pool.submit(_done, task).result()
        except BrokenProcessPool as error:
            why = "its process ended twice before it was done"
            return Lost(why=why, log=f"{why}: {error}")
        finally:
            _kill(pool)

    def _open(self) -> Executor:
        if self._pool is None:
            self._pool = new_pool(self._count, self._began)
        return self._pool

    def _end(self) -> None:
        """End the pool at once: tasks under way are lost, as in a crash."""
        pool, self._pool = self._pool, None
        if pool is not None:
            _kill(pool)


def _done(task: Callable[[], Any]) -> Any:
    """Return a task's result, or a `Lost`: a fault of ours, or of the machine, costs that task only."""
    try:
        return task()
    except MissingExtra:  # a fault of the settings: every other task would fail, too
        raise
    except MissingFeature as error:
        check_cage()
        return _machine_failed("it could not make a cage", error)
    except OSError as error:
        return _machine_failed(error.strerror or type(error).__name__, error)
    except Exception as error:  # noqa: BLE001  whatever it is, the other matches are played
        log = f"the program failed: {type(error).__name__}: {error}\n{format_exc()}"
        return Lost(why="poker_actors itself failed, and the log of the match says how", log=log)


def _machine_failed(what: str, error: Exception) -> Lost:
    why = f"the machine failed ({what}), and the next run tries it again"
    return Lost(why=why, log=f"the machine failed: {error}\n{format_exc()}", passing=True)


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
    """Yield a pool on the Ray cluster at `address`, whose machines all see `folder` under the same path.

    "local" starts a cluster of `workers`. Raises `MissingExtra` without Ray, and `RoomError` for a cluster that
    cannot be reached.
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
        """See `Pool.run`; raises `BadSpec` if a machine does not see the folder."""
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
            log = f"its process was lost: {' '.join(str(error).split())[:200]}"
            return Lost(why="the machine it ran on was lost", log=log)


def _seen(task: Callable[[], Any], folder: Path) -> Any:
    if not folder.is_dir():
        raise BadSpec(
            f"{socket.gethostname()} does not see {folder}: the machines of an arena must share its folder"
        )
    return _done(task)
