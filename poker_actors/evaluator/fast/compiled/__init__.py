"""What numba compiles; imports numba. Each module is imported by the function that needs it."""

from poker_actors.evaluator.fast.compiled.compiling import bit_count, compiled, lowest_bit

__all__ = ["bit_count", "compiled", "lowest_bit"]
