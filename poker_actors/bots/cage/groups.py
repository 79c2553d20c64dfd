"""Control groups of a cage: limits for all its processes together, if the system lets us make one."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import attrs

_PREFIX: Final = "poker-actors-"
_NUMBERS: Final = count()
_WAIT_SECONDS: Final = 2.0
"""Seconds for killed processes to leave their group, which cannot be removed before."""
_PERIOD: Final = 100_000
"""Microseconds of processor time: a cage gets one processor's worth of each period, as much as any opponent."""


@attrs.frozen
class Group:
    """The directories of one cage's group; its members are the processes that wrote their number into `joins`."""

    folders: tuple[Path, ...]
    limits: frozenset[str]
    """what it limits: `cpu`, `memory`, `pids`"""

    @property
    def joins(self) -> list[str]:
        """Return the files into which a process writes its number to join."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    def remove(self) -> None:
        """Remove the group once its last process has ended; one busy too long is left to the next sweep."""
        end = monotonic() + _WAIT_SECONDS
        for folder in self.folders:
            while folder.exists():
                try:
                    folder.rmdir()
                except OSError:
                    if monotonic() > end:
                        break
                    sleep(0.002)  # the kernel tells nobody about the end of a killed process's last moment


def group_for(memory: int, processes: int) -> Group | None:
    """Make a group limited to `memory` bytes and a number of processes in total; None if it cannot be made."""
    folders, limits = [], set()
    for parent, wanted in _parents().items():
        _sweep(parent)
        folder = parent / f"{_PREFIX}{os.getpid()}-{next(_NUMBERS)}"
        try:
            folder.mkdir()
        except OSError:
            continue
        set_here = {kind for kind in wanted if _set(folder, kind, memory, processes)}
        if set_here:
            folders.append(folder)
            limits |= set_here
        else:
            folder.rmdir()
    return Group(tuple(folders), frozenset(limits)) if folders else None


def limits_here() -> frozenset[str]:
    """Return the resources that a group made here would limit."""
    group = group_for(1 << 30, 100)
    if group is None:
        return frozenset()
    group.remove()
    return group.limits


def _set(folder: Path, kind: str, memory: int, processes: int) -> bool:
    """Write the limits of a kind, in version 2 or else 1; return whether that was possible."""
    rows: dict[str, list[tuple[str, str, bool]]] = {
        # file, value, whether the limit is none without it: swap may be switched off
        "memory": [
            ("memory.max", f"{memory}", True),
            ("memory.swap.max", "0", False),
            ("memory.limit_in_bytes", f"{memory}", True),
            ("memory.memsw.limit_in_bytes", f"{memory}", False),
        ],
        "pids": [("pids.max", f"{processes}", True)],
        "cpu": [("cpu.max", f"{_PERIOD} {_PERIOD}", True), ("cpu.cfs_quota_us", f"{_PERIOD}", True)],
    }
    done = False
    for name, value, needed in rows[kind]:
        if not (folder / name).exists():
            continue
        with suppress(OSError):
            (folder / name).write_text(value)
            done = done or needed
    return done


def _parents() -> dict[Path, list[str]]:
    """Return the directories in which a group may be made, and the kinds of limits each gives.

    In version 1 a group lies in our own group of its kind. In version 2 it lies beside our own: a group that has
    processes cannot have limited groups in it.
    """
    mounts = _mounts()
    found: dict[Path, list[str]] = {}
    for line in _lines("/proc/self/cgroup"):
        _, kinds, path = line.split(":", 2)
        if not kinds:
            root = mounts.get("2")
            if root is not None:
                beside = root / path.strip("/").rpartition("/")[0]
                with suppress(OSError):
                    there = (beside / "cgroup.subtree_control").read_text().split()
                    found[beside] = [kind for kind in ("memory", "pids", "cpu") if kind in there]
            continue
        for kind in kinds.split(","):
            if kind in ("memory", "pids", "cpu") and kind in mounts:
                found.setdefault(mounts[kind] / path.strip("/"), []).append(kind)
    return {path: kinds for path, kinds in found.items() if kinds and os.access(path, os.W_OK)}


def _mounts() -> dict[str, Path]:
    """Return where each kind of version 1 is mounted, and version 2 as `2`."""
    found: dict[str, Path] = {}
    for line in _lines("/proc/self/mounts"):
        _, place, system, options, *_ = line.split(" ")
        if system == "cgroup2":
            found["2"] = Path(place)
        elif system == "cgroup":
            found |= {kind: Path(place) for kind in options.split(",")}
    return found


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _sweep(parent: Path) -> None:
    """Remove groups whose maker ended without removing them, for example because it was killed."""
    for folder in parent.glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            with suppress(OSError):
                folder.rmdir()
