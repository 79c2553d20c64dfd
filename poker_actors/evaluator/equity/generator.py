"""The generator of random deals: a trial starts it anew at a hash of the seed and the trial's number."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

__all__ = ["ADD", "GOLDEN", "MIX", "MULTIPLY", "SHIFT", "seed_start", "start_of"]

MULTIPLY: Final = 6364136223846793005
"""Of Knuth's MMIX generator, as `ADD`."""
ADD: Final = 1442695040888963407
GOLDEN: Final = 0x9E3779B97F4A7C15
MIX: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
SHIFT: Final = (30, 27, 31)
"""The finishing steps of splitmix64."""
_WORD: Final = (1 << 64) - 1


def seed_start(seed: int) -> int:
    """Return the number that a seed, any integer, stands for."""
    digest = blake2b(b"%d" % seed, digest_size=8, person=b"poker equity").digest()
    return int.from_bytes(digest, "little")


def start_of(start: int, trial: int) -> int:
    """Return the state in which a trial starts (splitmix64 of its number)."""
    state = (start + GOLDEN * (trial + 1)) & _WORD
    state = (state ^ state >> SHIFT[0]) * MIX[0] & _WORD
    state = (state ^ state >> SHIFT[1]) * MIX[1] & _WORD
    return state ^ state >> SHIFT[2]
