"""Support for compiled functions: a disk cache, a log message while compiling, and three instructions."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numba
from llvmlite import ir
from llvmlite.binding import get_host_cpu_name
from numba.core import event, types
from numba.extending import intrinsic

__all__ = ["announce", "bit_count", "compiled", "compiled_before", "lowest_bit", "pointer"]

_LOG: Final = logging.getLogger("poker_actors.evaluator")
_COMPILING: Final = "numba:run_pass"
"""The event of numba at each step of compiling, but not when it loads code from disk."""

_COMPILED_PARTS: Final = ("bots", "cards", "evaluator", "learn", "rules", "sim/exploiting")
"""The folders of the package with functions that are compiled, or with constants that those read."""


def compiled(function: Callable[..., Any], **options: bool) -> Any:
    """Compile a function at its first call and cache the code on disk if possible."""
    try:
        made = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no writable cache directory: compile in every process
        return numba.njit(**options)(function)
    _forget_older(Path(made.stats.cache_path))
    return made


@cache
def _sources() -> str:
    """Return a digest of the names, sizes and modification times of all files whose code or constants are compiled."""
    package = Path(__file__).parents[2]
    found = (path for part in _COMPILED_PARTS for path in (package / part).rglob("*.py"))
    told = sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in found)
    return blake2b(repr(told).encode(), digest_size=16).hexdigest()


@cache
def _forget_older(folder: Path) -> None:
    """Delete cached code in a folder that was compiled from other sources.

    numba checks only the function's own file. Constants and functions from other files would stay as they were, and an
    outdated offset behind a pointer would read and write wrong memory.
    """
    stamp = folder / "sources.txt"
    with suppress(OSError):  # a missing or read-only folder holds nothing to delete
        if stamp.exists() and stamp.read_text(encoding="ascii") == _sources():
            return
        for index in folder.glob("*.nbi"):
            index.unlink(missing_ok=True)
        stamp.write_text(_sources(), encoding="ascii")


def compiled_before(entry: Any) -> Path | None:
    """Return the file that marks `entry` and all it calls as compiled here from these sources; None without a cache."""
    folder = entry.stats.cache_path
    if folder is None:
        return None
    made = (_sources(), numba.__version__, sys.version, get_host_cpu_name())
    return Path(folder) / f"compiled-{blake2b(repr(made).encode(), digest_size=8).hexdigest()}.txt"


def announce(beside: str = "") -> None:
    """Announce at a terminal, once per process, that code is being compiled; elsewhere, log it below warnings.

    Half a minute of silence would look like a hang; a program that reads our stderr would take the line for a fault.
    """
    if _ANNOUNCED.is_set():
        return
    _ANNOUNCED.set()
    at_terminal = sys.stderr is not None and sys.stderr.isatty()
    said = f"compiling poker_actors for this machine{beside} (once; it can take half a minute)"
    _LOG.log(logging.WARNING if at_terminal else logging.INFO, said)


_ANNOUNCED: Final = threading.Event()


class _Announcement(event.Listener):  # type: ignore[misc]  # numba ships no types
    """Tells that our code is being compiled."""

    def on_start(self, event: Any) -> None:
        """Announce the compilation if the code is ours; users' own numba functions are ignored."""
        if str(event.data["module"]).startswith("poker_actors."):
            announce()

    def on_end(self, event: Any) -> None:
        """Do nothing; the interface requires the method."""


class _Interrupts(event.Listener):  # type: ignore[misc]
    """Holds signals back until a step of compiling is over.

    LLVM calls Python back in the middle of one, and what a signal's handler raises there is lost: the interrupt, and
    the code that the call was about, without which numba fails later.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.handlers: dict[int, Any] = {}
        self.came: list[int] = []

    def on_start(self, event: Any) -> None:
        """Note signals from here on."""
        if threading.current_thread() is not threading.main_thread():
            return  # handlers run in the main thread alone
        self.depth += 1
        if not self.handlers:
            found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
            self.handlers = {number: handler for number, handler in found.items() if callable(handler)}
            for number in self.handlers:
                signal.signal(number, lambda came, _: self.came.append(came))

    def on_end(self, event: Any) -> None:
        """Restore the signal handlers after a signal, or once nothing is being compiled."""
        if threading.current_thread() is not threading.main_thread():
            return
        self.depth -= 1
        if self.depth and not self.came:
            return
        came, self.came = self.came, []
        handlers, self.handlers = self.handlers, {}
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)


event.register(_COMPILING, _Announcement())
_INTERRUPTS: Final = _Interrupts()
for _step in ("numba:compile", _COMPILING):
    event.register(_step, _INTERRUPTS)


def _bit_count(typing_context: Any, value: Any) -> Any:
    """Return the number of one bits of a uint64 by the one instruction, which numba lacks."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _lowest_bit(typing_context: Any, value: Any) -> Any:
    """Return the position of the lowest one bit of a nonzero uint64; for 0 it is undefined."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _pointer(typing_context: Any, address: Any) -> Any:
    """Return an address as a pointer for `carray`."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.intp), generate


bit_count: Final[Any] = intrinsic(_bit_count)
lowest_bit: Final[Any] = intrinsic(_lowest_bit)
pointer: Final[Any] = intrinsic(_pointer)
