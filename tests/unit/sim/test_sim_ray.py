"""A Ray cluster plays the same hands, also when a node dies on the way."""

import gc
import socket
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cli import main
from poker_actors.errors import RoomError
from poker_actors.rules import Check, Fold
from poker_actors.sim import Duplicate, Match, Simulation, simulate
from poker_actors.sim.engines import ray_cluster

pytestmark = [
    pytest.mark.heavy,
    # Ray's own: it leaves sockets and files to the collector, and warns of its future
    pytest.mark.filterwarnings("ignore"),
]

ray = pytest.importorskip("ray", reason="the extra [ray] is not installed")


MINE = """
from poker_actors.rules import Call, Check

def mine(view):
    return Call() if view.to_call else Check()
"""


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Three nodes of one processor each, on this machine; the head is the first."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    yield made
    ray.shutdown()
    made.shutdown()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


def test_a_cluster_that_loses_a_node_plays_the_same_hands(cluster: Any) -> None:
    cluster.wait_for_nodes()
    assert ray.cluster_resources()["CPU"] == 3
    played: list[int] = []

    def kill_a_node(hands: int) -> None:
        if not played:
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
        played.append(hands)

    result = simulate(hands=20_000, seed=3, engine="ray", progress=kill_a_node)
    assert sum(played) == 20_000
    assert len(played) > 5
    assert len(cluster.worker_nodes) == 1
    assert result == simulate(hands=20_000, seed=3)


def test_functions_and_files_travel_to_the_cluster(cluster: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    bots: list[Any] = [lambda view: Fold() if view.to_call else Check(), f"{path}:mine", "random"]
    there = Simulation(Match.of(bots, hands=300, seed=1, form=Duplicate()), engine="ray")
    path.unlink()
    result = there.run()
    path.write_text(MINE, encoding="utf-8")
    assert result == simulate(bots, hands=300, seed=1, form=Duplicate())


def test_a_cluster_is_started_and_stopped_if_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--hands", "200", "--seed", "1", "--engine", "ray", "--workers", "2"]) == 0
    assert simulate(hands=200, seed=1).digest in capsys.readouterr().out
    assert not ray.is_initialized()


def test_compiled_hands_are_played_on_a_cluster(cluster: Any) -> None:
    cluster.wait_for_nodes()
    settings: dict[str, Any] = {"hands": 500_000, "seed": 1, "engine": "batch"}
    pieces: list[int] = []
    there = simulate(["caller"] * 6, address=cluster.address, progress=pieces.append, **settings)
    assert there == simulate(["caller"] * 6, **settings)
    assert max(pieces) > 10_000, "that many hands are a piece of a compiled match only"


def test_compiled_hands_start_a_cluster_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--bot", "caller", "--bot", "tight", "--hands", "20000", "--seed", "1", "--engine", "batch"]
    assert main(["simulate", *words, "--address", "local", "--workers", "2"]) == 0
    said = capsys.readouterr()
    assert simulate(["caller", "tight"], hands=20_000, seed=1, engine="batch").digest in said.out
    assert "hand by hand" not in said.err
    assert not ray.is_initialized()


def test_a_cluster_imports_nothing_from_the_folder_it_is_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That may be an arena's, in which strangers name the files; what we import from, a cluster does."""
    monkeypatch.chdir(tmp_path)
    with ray_cluster(1, None) as there:
        assert str(tmp_path) not in there.get(there.remote(lambda: sys.path).remote())
    monkeypatch.syspath_prepend(str(tmp_path))
    with ray_cluster(1, None) as there:
        assert str(tmp_path) in there.get(there.remote(lambda: sys.path).remote())


def test_a_cluster_that_is_not_there_is_an_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers there
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(RoomError, match=f"no Ray cluster at {address}"):
            simulate(hands=10, seed=1, engine="ray", address=address)
