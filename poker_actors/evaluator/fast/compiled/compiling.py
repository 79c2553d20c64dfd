"""What every compiled function here needs: a cache on disk, a word while compiling, three instructions."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numba
from llvmlite import ir
from numba.core import event, types
from numba.extending import intrinsic

__all__ = ["bit_count", "compiled", "lowest_bit", "pointer"]

_LOG: Final = logging.getLogger("poker_actors.evaluator")
_COMPILING: Final = "numba:run_pass"
"""What numba broadcasts at each step of compiling, and never when it loads code from the disk."""


def compiled(function: Callable[..., Any], **options: bool) -> Any:
    """Compile a function when first called and keep the code on disk, if there is a place for it."""
    try:
        made = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no directory that numba may write to: compile in every process
        return numba.njit(**options)(function)
    _forget_older(Path(made.stats.cache_path))
    return made


@cache
def _sources() -> str:
    """A digest of the files that compiled code takes functions and numbers from: names, sizes, times of change."""
    root = Path(__file__).parents[3]
    found = (
        path
        for part in ("bots", "cards", "evaluator", "learn", "rules")
        for path in (root / part).rglob("*.py")
    )
    told = sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in found)
    return blake2b(repr(told).encode(), digest_size=16).hexdigest()


@cache
def _forget_older(folder: Path) -> None:
    """Forget code in a folder that was compiled from other sources.

    numba compares the file of the function alone. A number or a function from another file stays in the code as it
    was, and behind a pointer an old offset reads and writes what is not there.
    """
    stamp = folder / "sources.txt"
    with suppress(OSError):  # a folder that does not exist yet, or may not be written to, holds nothing old
        if stamp.exists() and stamp.read_text(encoding="ascii") == _sources():
            return
        for index in folder.glob("*.nbi"):
            index.unlink(missing_ok=True)
        stamp.write_text(_sources(), encoding="ascii")


class _Announcement(event.Listener):  # type: ignore[misc]  # numba is read as untyped
    """Says in the log, once a process, that code of ours is being compiled: that takes seconds, or half a minute."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        """Look whose code it is; a user's own functions are not our business."""
        if self.said or not str(event.data["module"]).startswith("poker_actors."):
            return
        self.said = True
        _LOG.warning("compiling poker_actors for this machine (once; it can take half a minute)")

    def on_end(self, event: Any) -> None:
        """Say nothing: the answer itself is what was waited for."""


event.register(_COMPILING, _Announcement())


def _bit_count(typing_context: Any, value: Any) -> Any:
    """Return the number of one bits of a uint64: one instruction, which numba does not offer."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _lowest_bit(typing_context: Any, value: Any) -> Any:
    """Return the place of the lowest one bit of a uint64 that has one."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _pointer(typing_context: Any, address: Any) -> Any:
    """Turn an address into a pointer that `carray` takes."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.intp), generate


bit_count: Final[Any] = intrinsic(_bit_count)
lowest_bit: Final[Any] = intrinsic(_lowest_bit)
pointer: Final[Any] = intrinsic(_pointer)
