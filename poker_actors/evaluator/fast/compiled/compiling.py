"""What every compiled function here needs: a cache on disk, a word while compiling, two instructions."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["announced", "bit_count", "compiled", "lowest_bit", "pointer"]

_LOG: Final = logging.getLogger("poker_actors.evaluator")
_PATIENCE: Final = 1.5
"""Seconds before compiling is worth a word; loading what was compiled before takes less."""


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function when first called and keep the code on disk, if there is a place for it."""
    try:
        return numba.njit(cache=True)(function)
    except RuntimeError:  # no directory that numba may write to: compile in every process
        return numba.njit(function)


_READY: Final[set[str]] = set()


@contextmanager
def announced(work: str) -> Iterator[None]:
    """Say in the log that code is being compiled, if the first run of `work` makes one wonder."""
    if work in _READY:
        yield
        return
    timer = threading.Timer(
        _PATIENCE, _LOG.warning, ["compiling the evaluator for this machine (once, some seconds)"]
    )
    timer.daemon = True
    timer.start()
    try:
        yield
        _READY.add(work)
    finally:
        timer.cancel()


def _bit_count(typing_context: Any, value: Any) -> Any:
    """Give the number of one bits of a uint64: one instruction, which numba does not offer."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _lowest_bit(typing_context: Any, value: Any) -> Any:
    """Give the place of the lowest one bit of a uint64 that has one."""

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
