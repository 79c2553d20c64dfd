"""The random generator of deals: each trial restarts it at a hash of the seed and the trial's number.

So a trial's cards do not depend on the other trials, and every engine deals the same ones.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

__all__ = ["ADD", "GOLDEN", "MIX", "MULTIPLY", "SHIFT", "seed_start", "start_of"]

MULTIPLY: Final = 6364136223846793005
"""With `ADD`, the linear congruential generator of Knuth's MMIX."""
ADD: Final = 1442695040888963407
GOLDEN: Final = 0x9E3779B97F4A7C15
MIX: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
SHIFT: Final = (30, 27, 31)
"""Constants of splitmix64 (Steele, Lea and Flood, 2014)."""
_WORD: Final = (1 << 64) - 1


def seed_start(seed: int) -> int:
    """Return 64 bits derived from a seed, any integer."""
    digest = blake2b(b"%d" % seed, digest_size=8, person=b"poker equity").digest()
    return int.from_bytes(digest, "little")


def start_of(start: int, trial: int) -> int:
    """Return the initial state of a trial: splitmix64 of its number."""
    state = (start + GOLDEN * (trial + 1)) & _WORD
    state = (state ^ state >> SHIFT[0]) * MIX[0] & _WORD
    state = (state ^ state >> SHIFT[1]) * MIX[1] & _WORD
    return state ^ state >> SHIFT[2]
