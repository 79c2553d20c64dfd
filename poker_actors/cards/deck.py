"""A deck hands out cards one draw at a time and never shows what is still in it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from math import prod
from operator import index
from typing import Final, Protocol, SupportsIndex

from poker_actors.cards.card import STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.native import mypyc_attr

__all__ = ["Deck"]

_SEEDED: Final = blake2b(digest_size=64, person=b"poker deck")
"""512 bits of hash make one shuffle: 54! needs 238, so what the remainders lean by is < 2**-270.

Copying a begun hash costs two thirds of beginning one.
"""

_PLANS: dict[tuple[int, int, int], tuple[int, tuple[tuple[int, int], ...]]] = {}
"""(size, start, count) of a draw -> how many outcomes it has; each place and the cards left there.

A draw of 17 cards costs half of what it does with these numbers counted out anew.
"""


class Luck(Protocol):
    """Where a deck's order comes from."""

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1, each as likely as the other."""


class _SystemLuck:
    __slots__ = ()

    def below(self, limit: int) -> int:
        return secrets.randbelow(limit)


@mypyc_attr(allow_interpreted_subclasses=True)
class Deck:
    """Cards in an order nobody knows before they are drawn.

    Make one with `Deck.seeded`, `Deck.secure` or `Deck.stacked`. The order of a drawn card is
    fixed at the draw (a partial Fisher-Yates shuffle), so 17 cards cost 17 draws and not 52.
    `repr` tells how many cards are left and never which.
    """

    __slots__ = ("_drawn", "_entropy", "_key", "_left", "_luck", "_pack")

    def __init__(
        self, cards: Sequence[Card], entropy: int = 0, luck: Luck | None = None, key: bytes = b""
    ) -> None:
        self._left: list[Card] = list(cards)
        self._drawn = 0
        self._entropy = entropy
        self._luck = luck
        self._pack: Sequence[Card] = cards
        self._key = key

    @classmethod
    def seeded(cls, seed: SupportsIndex | bytes, cards: Sequence[Card] = STANDARD_DECK) -> Deck:
        """Return the deck that belongs to `seed` (any integer or bytes): the same one each time.

        Raises `BadSpec` for anything else.
        """
        try:
            data = seed if isinstance(seed, bytes) else b"%d" % index(seed)
        except TypeError:
            raise BadSpec(f"seed {seed!r:.40} is neither a whole number nor bytes") from None
        seeded = _SEEDED.copy()
        seeded.update(data)
        return cls(cards, int.from_bytes(seeded.digest(), "little"))

    @classmethod
    def secure(cls, cards: Sequence[Card] = STANDARD_DECK) -> Deck:
        """Return a deck shuffled by the operating system's CSPRNG, for play that matters."""
        return cls(cards, luck=_SYSTEM_LUCK)

    @classmethod
    def stacked(
        cls,
        holes: Iterable[str | Iterable[Card]],
        board: str | Iterable[Card] = (),
        cards: Sequence[Card] = STANDARD_DECK,
    ) -> Deck:
        """Return a deck that deals these hole cards, seat by seat, and then this board.

        `holes` are in the order of the seats dealt in; the rest of the pack follows, sorted.
        Raises `BadCard`, `DuplicateCard`, and `BadSpec` for a card that this pack has not.

        >>> Deck.stacked(["AsAd", "KsKd"], "2c3c4c5c6c").draw(4)
        (Card('As'), Card('Ad'), Card('Ks'), Card('Kd'))
        """
        groups = [*(parse_cards(hole) for hole in holes), parse_cards(board)]
        top = [card for group in groups for card in group]
        chosen = set(top)
        if len(chosen) != len(top):
            twice = next(card for place, card in enumerate(top) if card in top[:place])
            raise DuplicateCard(f"{twice} is stacked twice")
        for card in top:
            if card not in cards:
                raise BadSpec(f"{card} is not in this pack of {len(cards)} cards")
        return cls([*top, *(card for card in cards if card not in chosen)], entropy=-1)

    def draw(self, count: int) -> tuple[Card, ...]:
        """Take `count` cards off the deck.

        Raises `BadSpec` when fewer are left, and then takes none.
        """
        left = self._left
        start = self._drawn
        size = len(left)
        if count < 0 or start + count > size:
            raise BadSpec(f"cannot draw {count} cards: {size - start} are left in the deck")
        if self._luck is not None:
            below = self._luck.below
            for place in range(start, start + count):
                other = place + below(size - place)
                left[place], left[other] = left[other], left[place]
        elif self._entropy >= 0:
            self._shuffle(start, count)
        self._drawn = start + count
        return tuple(left[start : start + count])

    def _shuffle(self, start: int, count: int) -> None:
        """Fix the next `count` places from the hashed seed: the remainders of one long number."""
        left = self._left
        size = len(left)
        plan = _PLANS.get((size, start, count))
        if plan is None:
            places = tuple((place, size - place) for place in range(start, start + count))
            plan = _PLANS[size, start, count] = (prod(below for _, below in places), places)
        outcomes, places = plan
        self._entropy, outcome = divmod(self._entropy, outcomes)
        for place, below in places:
            other = place + outcome % below
            outcome //= below
            card = left[other]
            left[other] = left[place]
            left[place] = card

    def reshuffle_key(self) -> bytes:
        """Return the secret that decides how cards of this deck are mixed again later in the hand.

        Of a seeded deck it is what its seed has left once these cards are drawn, so that the cards tell
        nothing about it; of a secure deck it is new each time. A stacked deck has the one it was given.
        """
        if self._luck is not None:
            return self._luck.below(1 << 256).to_bytes(32, "little")
        if self._entropy < 0:
            return self._key
        return blake2b(b"%d" % self._entropy, digest_size=32, person=b"poker reshuffle").digest()

    @classmethod
    def reshuffled(cls, pack: Iterable[Card], key: bytes, number: int) -> Deck:
        """Return the deck of the `number`-th time, from 1, that `pack` is mixed again in a hand, by its `reshuffle_key`."""
        return cls.seeded(b"reshuffle %d " % number + key, sorted(pack))

    def shuffles(self, pack: Sequence[Card]) -> bool:
        """Whether this deck was made of `pack`, that very object, so that its cards are known good."""
        return self._pack is pack

    def copy(self) -> Deck:
        """Return a deck that will deal the same cards (not of a `secure` deck: that has no memory)."""
        other = Deck(self._left, self._entropy, self._luck, self._key)
        other._drawn = self._drawn
        other._pack = self._pack
        return other

    def __len__(self) -> int:
        return len(self._left) - self._drawn

    def __repr__(self) -> str:
        return f"<Deck: {len(self)} of {len(self._left)} cards left>"


_SYSTEM_LUCK: Final = _SystemLuck()
