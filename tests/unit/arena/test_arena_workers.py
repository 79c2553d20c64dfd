"""Where an arena's work is done: pools and clusters, what dies or fails there, and what that costs."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from poker_actors.arena import Arena, ArenaSettings, arena, board_text, entrants, playing, workers
from poker_actors.arena.arena import _void
from poker_actors.arena.entrants import Entrant
from poker_actors.arena.workers import Workers
from poker_actors.errors import BadSpec, MissingExtra, MissingFeature, RoomError, StorageFailed
from tests.unit.arena.places import TOML, Here, made, run_here, scores


@attrs.frozen
class Dies:
    """A task that ends the process it runs in: always, or once."""

    marker: Path
    always: bool

    def __call__(self) -> str:
        if self.always or not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"


@attrs.frozen
class Works:
    number: int

    def __call__(self) -> int:
        return self.number


def test_a_process_that_dies_is_replaced_and_its_task_tried_once_more_alone(tmp_path: Path) -> None:
    tasks: list[Callable[[], object]] = [
        Works(1),
        Dies(tmp_path / "once", always=False),
        Dies(tmp_path / "always", always=True),
        Works(2),
    ]
    with Workers(1) as pool:
        found = dict(pool.run(tasks))
    assert [found[task] for task in (tasks[0], tasks[1], tasks[3])] == [1, "done", 2]
    assert found[tasks[2]].why == "its process ended twice before it was done"
    assert "terminated" in found[tasks[2]].log


@attrs.frozen
class Fails:
    """A task that raises: always, or until a file is there."""

    error: Exception
    once: Path | None = None

    def __call__(self) -> None:
        if self.once is not None:
            if self.once.exists():
                return
            self.once.touch()
        raise self.error


def test_a_fault_of_ours_or_of_the_machine_costs_its_task_and_a_lack_ends_the_run(tmp_path: Path) -> None:
    full = OSError(28, "No space left on device")
    tasks: list[Callable[[], object]] = [
        Fails(KeyError("x"), tmp_path / "ours"),  # it would go well the second time
        Fails(full, tmp_path / "once"),
        Fails(full),
        Fails(StorageFailed("x.db: disk is full")),
        Works(1),
    ]
    with Workers(1) as pool:
        found = dict(pool.run(tasks))
        failed, once, machine, store, works = (found[task] for task in tasks)
        with pytest.raises(MissingExtra):
            list(pool.run([Fails(MissingExtra("ray", "an arena"))]))
    assert (once, works) == (None, 1)
    assert not failed.passing
    assert not store.passing
    assert failed.why == store.why == "poker_actors itself failed, and the log of the match says how"
    first, *trace = failed.log.splitlines()
    assert first == "the program failed: KeyError: 'x'"
    assert trace[0].startswith("Traceback")
    assert machine.passing
    assert machine.why == "the machine failed (No space left on device), and the next run tries it again"
    assert machine.log.startswith("the machine failed: [Errno 28] No space left on device\nTraceback")
    task = playing.Playing(key="0", names=("a", "b"), players=(), seed=1, hands=2, settings=ArenaSettings())
    void = _void(task, failed)
    assert void.score.void == failed.why
    assert void.texts["log.txt"].startswith("a - b\nvoid: the program failed: KeyError: 'x'\nTraceback")


def test_a_cage_that_fails_once_costs_its_task_and_a_machine_without_cages_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lacks = Fails(MissingFeature("what bubblewrap needs for a cage: it does not start"))
    monkeypatch.setattr(workers, "check_cage", lambda: None)
    found = workers._done(lacks)
    assert found.passing
    assert found.why == "the machine failed (it could not make a cage), and the next run tries it again"
    monkeypatch.setattr(workers, "check_cage", lacks)
    with pytest.raises(MissingFeature):
        workers._done(lacks)


@pytest.mark.parametrize("schedule", ["round-robin", "swiss"])
def test_files_that_are_taken_away_cost_their_matches_until_the_next_run(
    tmp_path: Path, schedule: str
) -> None:
    toml = f'schedule = "{schedule}"\nrounds = 3\n{TOML}'
    whole, folder = (made(tmp_path / name, toml) for name in ("whole", "cut"))
    board, steps = run_here(whole), 0

    def advance(count: int) -> None:
        nonlocal steps
        steps += count
        if steps == 4:  # three checks and a match
            for each in (folder / ".arena/built").glob("*/bob"):
                (each / "bot").unlink()
                each.rmdir()

    cut = Arena(folder).run(advance)
    void = [pair for pair in cut.pairs if pair.score.void]
    assert void
    assert all(1 in pair.fixture.players for pair in void)
    said = "the machine failed (No such file or directory), and the next run tries it again"
    assert {pair.score.void for pair in void} == {said}
    assert f"void, and counted for nobody: {' - '.join(cut._names(void[0]))}: {said}" in board_text(cut)
    assert not {pair.key for pair in void} & scores(folder).keys()
    assert "Traceback" in (Arena(folder).files_of(void[0].key) / "log.txt").read_text()
    assert run_here(folder).digest == board.digest


def test_a_match_in_which_the_program_fails_stays_void(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "Workers", Here)
    monkeypatch.setattr(playing.Playing, "__call__", lambda _: int("x"))
    folder = made(tmp_path / "a")
    assert len(Arena(folder).run().pairs) == 3
    why = "poker_actors itself failed, and the log of the match says how"
    assert [score.void for score in scores(folder).values()] == [why] * 3
    monkeypatch.setattr(playing, "built", lambda *_: int("x"))
    refused = Arena(made(tmp_path / "b")).run().competitors
    assert [each.admission.refused_code for each in refused] == ["build_failed"] * 3


def test_whom_the_machine_failed_in_the_check_plays_in_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "Workers", Here)
    whole, build = Arena(made(tmp_path / "whole")).run(), entrants.built
    errors = [OSError(28, "No space left on device"), MissingFeature("a cage: it does not start")]

    def fails(entrant: Entrant, *rest: object) -> bytes:
        if entrant.name == "bob" and errors:
            raise errors.pop()
        return build(entrant, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "built", fails)
    monkeypatch.setattr(workers, "check_cage", lambda: None)
    folder = made(tmp_path / "a")
    for said in (
        "its build or check did not finish: the machine failed (it could not make",
        "the machine failed (No",
    ):
        (why,) = [each.admission for each in Arena(folder).run().competitors if each.admission.refused]
        assert why.refused_code == "machine_failed"
        assert why.refused.startswith(said)
    assert Arena(folder).run().digest == whole.digest


def test_a_process_that_dies_between_two_tasks_costs_none_of_them(tmp_path: Path) -> None:
    tasks: list[Callable[[], object]] = [
        Works(1),
        Dies(tmp_path / "once", always=False),
        Works(2),
        Works(3),
    ]
    found = {}
    with Workers(1) as pool:
        for task, result in pool.run(tasks):
            found[task] = result
            if len(found) == 1 and not (tmp_path / "once").exists():
                while not pool._pool._broken:  # type: ignore[union-attr]
                    pass  # whoever takes a result may write for a while before the next task is handed out
    assert [found[task] for task in tasks] == [1, "done", 2, 3]


class Broken:
    """A pool whose processes die at the tasks called so, as often as is said."""

    def __init__(self, deaths: Counter[str]) -> None:
        self.deaths = deaths

    def submit(self, _: object, task: str) -> Future[str]:
        future: Future[str] = Future()
        if self.deaths[task] > 0:
            self.deaths[task] -= 1
            future.set_exception(BrokenProcessPool(f"{task} died"))
        else:
            future.set_result(task.upper())
        return future

    def shutdown(self, **_: object) -> None: ...


def test_a_task_whose_process_died_is_done_again_alone_and_given_up_after_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deaths, pools = Counter({"once": 1, "twice": 2}), list[int]()

    def made(count: int, began: Any) -> Broken:
        pools.append(count)
        began.value = begins
        return Broken(deaths)

    monkeypatch.setattr(workers, "new_pool", made)
    begins = True
    tasks: Any = ["a", "once", "b", "c", "twice", "d"]
    with workers.Workers(1) as pool:
        found = dict(pool.run(tasks))
    why = "its process ended twice before it was done"
    given_up = workers.Lost(why=why, log=f"{why}: twice died")
    assert found == {"a": "A", "once": "ONCE", "b": "B", "c": "C", "twice": given_up, "d": "D"}
    assert pools[0] == 1
    pools.clear()
    begins, deaths["once"] = False, 1
    with workers.Workers(1) as pool, pytest.raises(RoomError, match="under `if __name__"):
        list(pool.run(tasks[1:]))
    assert pools == [1], "no other is tried"


def test_a_pool_is_made_once_has_little_ahead_and_is_waited_for_to_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pools, ahead = list[int](), list[int]()

    def made(count: int, began: object) -> Broken:
        pools.append(count)
        return Broken(Counter())

    def wait(running: dict[Future[str], str], return_when: str) -> SimpleNamespace:
        ahead.append(len(running))
        return SimpleNamespace(done=[next(iter(running))])

    monkeypatch.setattr(workers, "new_pool", made)
    monkeypatch.setattr(workers, "wait", wait)
    tasks: Any = ["a", "b", "c", "d", "e", "f"]
    with workers.Workers(2) as pool:
        assert dict(pool.run(tasks)) == {each: each.upper() for each in tasks}
    assert pools == [2]
    assert ahead == [4, 4, 4, 3, 2, 1]


def test_a_pool_that_ends_kills_what_is_under_way() -> None:
    killed = list[int]()

    def gone() -> None:
        raise ProcessLookupError

    pool: Any = Broken(Counter())
    pool._processes = {1: SimpleNamespace(kill=gone), 2: SimpleNamespace(kill=lambda: killed.append(2))}
    workers._kill(pool)
    pool._processes = None
    workers._kill(pool)
    assert killed == [2]


class Cluster:
    """A Ray of this process: tasks are done when they are asked for, and so many are under way at most."""

    class exceptions:  # noqa: N801  as Ray has it
        class RayError(Exception): ...

        class RayTaskError(RayError):
            cause: BaseException | None = None

    def __init__(self) -> None:
        self.most = 0

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, **_: object) -> Any:
        return lambda function: SimpleNamespace(remote=lambda *given: (function, given))

    def wait(self, running: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
        self.most = max(self.most, len(running))
        return running[:num_returns], running[num_returns:]

    def get(self, reference: Any) -> Any:
        function, given = reference
        try:
            return function(*given)
        except SystemExit:
            raise self.exceptions.RayError("a machine\n was lost") from None
        except Exception as error:
            failed = self.exceptions.RayTaskError()
            failed.cause = error
            raise failed from error


def test_a_cluster_does_all_tasks_and_tells_lost_machines_from_faults(tmp_path: Path) -> None:
    ray = Cluster()
    cluster = workers._Cluster(ray, tmp_path)
    tasks: list[Any] = [lambda at=at: at for at in range(7)]
    assert sorted(found for _, found in cluster.run(tasks)) == [*range(7)]
    assert ray.most == 4
    [(_, lost)] = cluster.run([sys.exit])
    assert lost.why == "the machine it ran on was lost"
    assert lost.log == "its process was lost: a machine was lost"
    [(_, failed)] = cluster.run([lambda: int("x")])
    assert failed.log.startswith("the program failed: ValueError: invalid literal")
    with pytest.raises(BadSpec, match=r"does not see .*: the machines of an arena must share its folder"):
        list(workers._Cluster(ray, tmp_path / "away").run(tasks))
    with pytest.raises(MissingExtra):
        list(cluster.run([lacks]))
    with pytest.raises(Cluster.exceptions.RayTaskError):
        list(workers._Cluster(Unpicklable(), tmp_path).run([sys.exit]))


def lacks() -> None:
    raise MissingExtra("ray", "an arena")


class Unpicklable(Cluster):
    def get(self, reference: Any) -> Any:
        raise self.exceptions.RayTaskError
