"""Functions compiled with numba; imports numba, so each module is imported only by functions that need it."""

from poker_actors.evaluator.fast.compiled.compiling import bit_count, compiled, lowest_bit

__all__ = ["bit_count", "compiled", "lowest_bit"]
