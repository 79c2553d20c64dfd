"""The engine for many machines: play pieces of a match as tasks of a Ray cluster."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from poker_actors.errors import PokerError, RoomError, from_extra
from poker_actors.sim.engines.block import play_whole
from poker_actors.sim.engines.executor import in_order, pieces_of
from poker_actors.sim.engines.job import Job
from poker_actors.sim.statistics import Sums

_HERE: Final = "local"
"""Ray's word for a cluster started by this process."""
_TRIES: Final = 20
"""How often a piece is retried after its worker or node was lost."""
_AHEAD: Final = 3
"""Pieces submitted ahead per worker: results are taken in order, and a slow piece must not idle the workers."""

_KNOCK_SECONDS: Final = 5.0
"""Seconds for a scheduler to accept a connection before it counts as absent."""


def play_on_ray(job: Job, hands: range, *, workers: int, address: str | None) -> Iterator[Sums]:
    """Play `hands` on the Ray cluster at `address`; yield the pieces' sums in order.

    Without an address or with `"local"`, a cluster of `workers` processes is started here unless this
    process is connected to one already. A piece whose worker or node is lost runs again elsewhere.
    Raises `MissingExtra` without Ray, and `RoomError` if the cluster cannot be reached or loses a
    piece for good.
    """
    with ray_cluster(workers, address) as ray:
        size = max(1, int(ray.cluster_resources().get("CPU", workers)))
        play = ray.remote(max_retries=_TRIES, num_cpus=1)(play_whole)
        pieces = pieces_of(job.match, size, hands, compiled=job.compiled)
        yield from in_order(job, pieces, _AHEAD * size, play.remote, partial(_taken, ray))


def _taken(ray: Any, reference: Any) -> Sums:
    try:
        sums: Sums = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, PokerError):
            raise error.cause from error
        raise
    except ray.exceptions.RayError as error:
        raise RoomError(f"the Ray cluster lost a piece for good: {error}") from error
    return sums


def _ray() -> Any:
    # Ray sends usage statistics home by default: do so only if the user has opted in
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    with from_extra("ray", "ray"):
        import ray
    return ray


@contextmanager
def ray_cluster(workers: int, address: str | None) -> Iterator[Any]:
    """Yield Ray, as already connected, or connected to `address` for the block; None or "local" starts `workers`.

    Raises `MissingExtra` without Ray, and `RoomError` if the cluster cannot be reached.
    """
    ray = _ray()
    if ray.is_initialized():
        yield ray
        return
    if address is not None:
        _knock(address)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "job_config": _config(ray)}
    try:
        if address in (None, _HERE):
            ray.init(address=_HERE, num_cpus=workers, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise RoomError(f"no Ray cluster at {address or 'this machine'}: {error}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _config(ray: Any) -> Any:
    """Return settings by which workers import from the folder we are in only if we do.

    Ray puts it first: in an arena's folder, an entrant `attrs` would run outside any cage.
    """
    config = ray.job_config.JobConfig()
    config._client_job = Path.cwd() not in map(
        Path.absolute, map(Path, sys.path)
    )  # the same test as Ray's own
    return config


def _knock(address: str) -> None:
    """Raise `RoomError` unless host:port accepts a connection: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=_KNOCK_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise RoomError(f"no Ray cluster at {address}: {error}") from error
