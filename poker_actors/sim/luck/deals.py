"""The ways in which cards still to come can fall: all of them, or a sample in which each card is as likely."""

from __future__ import annotations

from functools import cache, cached_property
from itertools import chain, combinations, permutations
from math import comb, perm
from random import Random
from typing import Any, Final

import attrs

__all__ = ["MANY", "SOME", "Ways", "ways"]

MANY: Final = (1_000, 500)
"""Ways if hands are ranked many at a time: all of them up to the first number, else a sample of the second."""
SOME: Final = (60, 60)
"""The same for other games. A sample of 60 adds a sixtieth of the variance it removes."""


@attrs.frozen(eq=False)
class Ways:
    """Indices into a stub of cards, a tuple for each way; `every` says that none is missing."""

    places: tuple[tuple[int, ...], ...]
    every: bool

    @cached_property
    def array(self) -> Any:
        """The places as a numpy array, a row for each way."""
        import numpy as np

        return np.array(self.places, dtype=np.intp)


@cache
def ways(stub: int, missing: int, most: tuple[int, int], *, in_order: bool) -> Ways:
    """Return the ways in which `missing` cards fall from a stub of `stub` cards.

    Returns all ways if there are at most `most[0]`, else a sample of `most[1]`. For a sample the
    caller must shuffle the stub, since the sample itself is always the same; then every card is as
    likely in every place. Each permutation of the stub is used up before the next, which spreads the
    cards more evenly than drawing each way afresh. `in_order` says that it matters who gets which card.
    """
    number, every = (perm, permutations) if in_order else (comb, combinations)
    if number(stub, missing) <= most[0]:
        return Ways(tuple(every(range(stub), missing)), every=True)
    rng = Random(f"{missing} of {stub}")
    a_shuffle = stub // missing
    shuffles = -(-most[1] // a_shuffle)
    places = [rng.sample(range(stub), a_shuffle * missing) for _ in range(shuffles)]
    cut = chain.from_iterable(
        [tuple(order[at : at + missing]) for at in range(0, len(order), missing)] for order in places
    )
    return Ways(tuple(cut)[: most[1]], every=False)
