"""Decks shuffled like the competition's dealer: the same seed deals the same cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Final

from poker_actors.bots import SeedTree
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec
from poker_actors.wire.acpc.protocol import GameDefinition

__all__ = ["MOST_SEED", "CompetitionDecks", "decks_of"]

MOST_SEED: Final = 2**32 - 1
"""The competition's dealer seeds its generator with 32 bits."""

_WORDS: Final = 624
"""Words in the state of a Mersenne Twister (MT19937)."""
_PACK: Final = tuple(Card(rank + suit) for suit in "cdhs" for rank in "23456789TJQKA")
"""The unshuffled pack, in the order of the competition's dealer."""


def decks_of(seed: int, definition: GameDefinition) -> Iterator[Deck]:
    """Yield the decks of a match: the competition's for a seed of its 32 bits, those of a `SeedTree` for a larger one.

    A drawn seed is larger: whoever plays cannot work out the cards. Raises `BadSpec` for a seed below 0.
    """
    if type(seed) is int and seed > MOST_SEED:
        tree = SeedTree(seed)
        return (tree.deck(number) for number in count())
    decks = CompetitionDecks(seed)
    return (decks.deck(definition) for _ in count())


class CompetitionDecks:
    """The decks of a match, one after the other.

    Cards are drawn with the 32-bit numbers of a Mersenne Twister, seeded as its authors published in
    2002, which differs from Python's own seeding. About 70 hands are enough to work out all that
    follow, and trying all seeds takes minutes: they are for practice. Raises `BadSpec` for a seed that
    is not a 32-bit number.
    """

    def __init__(self, seed: int) -> None:
        if type(seed) is not int or not 0 <= seed <= MOST_SEED:
            raise BadSpec(f"seed {seed!r:.40}: the competition's seeds are 0 to {MOST_SEED}")
        words = [seed]
        for place in range(1, _WORDS):
            words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + place) % 2**32)
        # The position in a full state, so that the first number is generated from these words. 3 is the version of
        # the state's format.
        self._luck = Random()
        self._luck.setstate((3, (*words, _WORDS), None))

    def deck(self, definition: GameDefinition) -> Deck:
        """Return the next deck: two cards for each player in turn, then the board."""
        number = self._luck.getrandbits
        pack = list(_PACK)
        top = []
        for left in range(len(pack), len(pack) - 2 * definition.players - 5, -1):
            place = number(32) % left
            top.append(pack[place])
            pack[place] = pack[left - 1]
            pack.pop()
        size = 2 * definition.players
        return Deck.stacked([top[at : at + 2] for at in range(0, size, 2)], top[size:])
