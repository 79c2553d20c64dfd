"""Raw memory for compiled code: typed pointers from addresses, bits of a mask, the high half of a product.

A row as a pointer is four times as fast as an array view, which counts references each time it is passed on. Nothing
checks an index behind a pointer: the code that stores the addresses must have checked the arrays.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import types as _types
from numba.extending import intrinsic

from poker_actors.evaluator.fast.compiled import bit_count, compiled, lowest_bit

__all__ = [
    "as_bytes",
    "bytes_at",
    "compiled",
    "compiled_call",
    "count",
    "doubles_at",
    "floats_at",
    "halves_at",
    "high_product",
    "ints_at",
    "lowest",
    "quarters_at",
    "signed_at",
    "words_at",
]


types: Final[Any] = _types


def _pointer_to(kind: Any) -> Any:
    pointer = types.CPointer(kind)

    def typed(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(pointer))

        return pointer(types.int64), generate

    return intrinsic(typed)


ints_at: Final[Any] = _pointer_to(types.int64)
words_at: Final[Any] = _pointer_to(types.uint64)
quarters_at: Final[Any] = _pointer_to(types.uint32)
halves_at: Final[Any] = _pointer_to(types.uint16)
signed_at: Final[Any] = _pointer_to(types.int32)
bytes_at: Final[Any] = _pointer_to(types.uint8)
floats_at: Final[Any] = _pointer_to(types.float32)
doubles_at: Final[Any] = _pointer_to(types.float64)


def _as_bytes(typing_context: Any, pointer: Any) -> Any:
    """Return a pointer to int64 as a pointer to bytes."""
    kind = types.CPointer(types.uint8)

    def generate(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(kind))

    return kind(types.CPointer(types.int64)), generate


as_bytes: Final[Any] = intrinsic(_as_bytes)


def _high_product(typing_context: Any, one: Any, other: Any) -> Any:
    """Return the upper 64 bits of the product of two uint64: one instruction on 64-bit machines."""

    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


high_product: Final[Any] = intrinsic(_high_product)


def compiled_call(function: Callable[..., Any]) -> Any:
    """Compile an entry point for Python. It releases the GIL, so no two threads may share a desk's scratch space."""
    return compiled(function, nogil=True)


@compiled
def count(mask):
    """Return the number of one bits of a mask, signed: numba makes int64 with uint64 a float."""
    return np.int64(bit_count(np.uint64(mask)))


@compiled
def lowest(mask):
    """Return the position of the lowest one bit of a nonzero mask."""
    return np.int64(lowest_bit(np.uint64(mask)))
