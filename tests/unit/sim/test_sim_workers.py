"""Many processes play the same hands, and say so when a bot cannot come along."""

import errno
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec, RoomError
from poker_actors.rules import Action, Call, Check, View
from poker_actors.sim import CarryOver, Duplicate, Form, Match, simulate
from poker_actors.sim.engines import Job, check_travel, executor, pieces_of, play_on_executor, process_pool


def stay(view: View) -> Action:
    return Call() if view.to_call else Check()


@pytest.fixture
def pool() -> Iterator[ProcessPoolExecutor]:
    with process_pool(2) as pool:
        yield pool


@pytest.mark.parametrize("form", [None, CarryOver(10), Duplicate()])
def test_two_processes_play_the_hands_of_one(pool: ProcessPoolExecutor, form: Form | None) -> None:
    given: dict[str, Any] = {"hands": 300, "seed": 3, "form": form}
    assert simulate(executor=pool, workers=2, **given) == simulate(**given)


def test_workers_are_processes_of_our_own() -> None:
    heard: list[int] = []
    result = simulate(hands=200, seed=3, workers=2, progress=heard.append)
    assert result == simulate(hands=200, seed=3)
    assert sum(heard) == 200
    assert len(heard) > 2


def test_any_executor_will_do() -> None:
    with ThreadPoolExecutor(2) as threads:
        assert simulate(hands=200, seed=3, executor=threads) == simulate(hands=200, seed=3)


def test_a_bot_of_a_file_comes_along(pool: ProcessPoolExecutor, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from poker_actors.bots import bot\nfrom poker_actors.rules import Call, Check\n"
        "@bot('test-travelling')\n"
        "def mine(view, *, luck: float = 0.5):\n"
        "    return Call() if view.to_call and view.rng.random() < luck else Check()\n",
        encoding="utf-8",
    )
    bots = [f"{path}:mine:luck=0.9", "caller", "test-travelling"]
    assert simulate(bots, hands=100, seed=1, executor=pool) == simulate(bots, hands=100, seed=1)


def test_a_function_of_a_module_comes_along() -> None:
    spec = pickle.loads(pickle.dumps(BotSpec.of(stay)))
    assert spec.make() is stay
    named = BotSpec.parse("tight:vpip=0.3")
    assert pickle.loads(pickle.dumps(named)) == named


def test_a_bot_that_cannot_travel_is_named() -> None:
    with pytest.raises(BadSpec, match=r"bot <lambda> cannot be sent to another process .*FILE.py:FUNCTION"):
        simulate([lambda view: Check(), "caller"], hands=10, seed=1, workers=2)
    check_travel(Match.of(["caller", "random"], hands=1))


def test_pieces_are_whole_units_and_cover_every_hand_once() -> None:
    for hands, form in (
        (1, None),
        (999, None),
        (10_000, CarryOver(100)),
        (50_000, None),
        (6000, Duplicate()),
    ):
        match = Match.of(["caller"] * 6, hands=hands, form=form)
        for workers in (1, 2, 7):
            pieces = pieces_of(match, workers)
            assert [number for piece in pieces for number in piece] == list(range(hands))
            assert all(len(piece) % match.unit == 0 for piece in pieces)
            assert all(len(piece) <= max(2000, match.unit) for piece in pieces)


def test_pieces_of_compiled_matches_are_long() -> None:
    """A piece makes its own table and sends its own sums: in 2,000 compiled hands that was most of the work."""
    match = Match.of(["caller"] * 6, hands=3_000_000)
    assert len(pieces_of(match, 2)) == 1500
    pieces = pieces_of(match, 2, compiled=True)
    assert len(pieces) == 30
    assert [number for piece in pieces for number in (piece[0], piece[-1])][:3] == [0, 99_999, 100_000]


def test_an_address_is_of_a_cluster() -> None:
    for engine in ("auto", "processes"):
        with pytest.raises(BadSpec, match=f"an address is for the engines ray and batch, not for {engine}"):
            simulate(hands=10, seed=1, engine=engine, address="auto")


class Counting(Executor):
    """Runs at once and notes how many results wait to be taken."""

    def __init__(self) -> None:
        self.waiting = self.most = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_results_do_not_pile_up() -> None:
    executor = Counting()
    match = Match.of(["caller"] * 2, hands=500, seed=1)
    for _ in play_on_executor(Job(match), range(500), executor=executor, workers=2):
        executor.waiting -= 1
    assert executor.most <= 5


def die(view: View) -> Action:
    os._exit(1)


def test_a_worker_that_dies_is_an_error_and_no_hang() -> None:
    with process_pool(1) as pool, pytest.raises(RoomError, match="a worker process died"):
        simulate(["poker_actors.bots.house:caller", f"{__file__}:die"], hands=10, seed=1, executor=pool)


def test_without_shared_memory_it_says_what_workers_need(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", refused)
    with pytest.raises(
        RoomError, match=r"2 workers need shared memory .*: Permission denied; one worker needs none"
    ):
        simulate(hands=10, seed=1, workers=2)


def test_the_number_of_workers_has_limits() -> None:
    for workers in (0, 1000, 1.5):
        with pytest.raises(BadSpec, match=r"workers is .* it must be 1 to 512"):
            simulate(hands=1, workers=workers)  # type: ignore[arg-type]


def test_workers_import_what_lies_beside_the_script_and_nothing_where_it_is_started(tmp_path: Path) -> None:
    """That folder may be an arena's, in which strangers name the files. What a bot starts is started as ever."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    (theirs / "socket.py").write_text(f"open({str(tmp_path / 'taken')!r}, 'w')", encoding="utf-8")
    (ours / "beside.py").write_text(
        "import os\nfrom poker_actors.rules import Call, Check\n"
        "def mine(view):\n    assert os.environ.get('PYTHONSAFEPATH') is None\n"
        "    return Call() if view.to_call else Check()\n",
        encoding="utf-8",
    )
    script = ours / "script.py"
    script.write_text(
        "import beside\nfrom poker_actors import simulate\nif __name__ == '__main__':\n"
        "    found = simulate([beside.mine, 'caller'], hands=20, seed=1, workers=2)\n"
        "    print(found.hands, found.players[0].faults.total)\n",
        encoding="utf-8",
    )
    # as a person starts it: the compiled build is tried with a safe path of its own
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    given: dict[str, Any] = {
        "cwd": theirs,
        "env": usual,
        "text": True,
        "capture_output": True,
        "timeout": 120,
    }
    ran = subprocess.run([sys.executable, str(script)], **given, check=False)
    assert not (tmp_path / "taken").exists()
    assert (ran.stdout, ran.stderr) == ("20 0\n", "")


def test_a_worker_leaves_ctrl_c_to_its_parent_and_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[tuple[object, object]] = []
    monkeypatch.setattr(signal, "signal", lambda *given: left.append(given))
    monkeypatch.setattr(executor, "parent_process", lambda: None)
    executor.begin_worker()
    assert left == [(signal.SIGINT, signal.SIG_IGN)]


def test_the_processes_of_a_killed_simulation_end_with_it() -> None:
    """While their standard output is open, whoever reads it waits."""
    code = "from poker_actors import simulate; simulate(hands=10**7, seed=1, workers=2, progress=print)"
    with subprocess.Popen([sys.executable, "-uc", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        process.communicate(timeout=120)
