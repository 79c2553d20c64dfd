"""Functions compiled with numba; imports numba, so each module is imported only by functions that need it."""

from poker_actors.evaluator.fast.compiled.compiling import (
    announce,
    bit_count,
    compiled,
    compiled_before,
    lowest_bit,
)

__all__ = ["announce", "bit_count", "compiled", "compiled_before", "lowest_bit"]
