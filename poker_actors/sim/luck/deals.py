"""The ways the cards still to come can fall: every one, or many drawn so that each is as likely as the other."""

from __future__ import annotations

from functools import cache, cached_property
from itertools import chain, combinations, permutations
from math import comb, perm
from random import Random
from typing import Any, Final

import attrs

__all__ = ["MANY", "SOME", "Ways", "ways"]

MANY: Final = (1_000, 500)
"""Ways looked at where strengths are found many at a time: all of them up to the first, else the second."""
SOME: Final = (60, 60)
"""The same in other games. Drawing adds a sixtieth of the variance it takes away."""


@attrs.frozen(eq=False)
class Ways:
    """Places in a stub of cards, a tuple for each way; `every` when no way is missing."""

    places: tuple[tuple[int, ...], ...]
    every: bool

    @cached_property
    def array(self) -> Any:
        """The places as an array of numpy."""
        import numpy as np

        return np.array(self.places, dtype=np.intp)


@cache
def ways(stub: int, missing: int, most: tuple[int, int], *, in_order: bool) -> Ways:
    """Return the ways in which `missing` cards fall from a stub of so many: all of them, or about `most`.

    Those drawn are places in a stub that has to be shuffled first: then every card is as likely in
    every place, although the list is always the same. Each shuffle of it is used up, card by card,
    before another begins, which spreads the cards more evenly than drawing each way afresh.
    `in_order` when it matters who gets which card.
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
