"""Decks, which deal cards and never show those still in them."""

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

_SEEDED: Final = blake2b(digest_size=64, person=b"poker deck")
"""A shuffle uses 512 bits of hash: 54! needs 238, so the bias of taking remainders is below 2**-270.

Copying this hash takes two thirds of the time of creating one.
"""

_PLANS: dict[tuple[int, int, int], tuple[int, tuple[tuple[int, int], ...]]] = {}
"""Maps the (size, start, count) of a draw to its number of outcomes, and each place with the cards left there.

It halves the time of a draw of 17 cards. Threads that compute the same entry at once store the same value.
"""


class Luck(Protocol):
    """A source of random numbers for a deck's order."""

    def below(self, limit: int) -> int:
        """Return a uniform random number from 0 to `limit` - 1."""


class _SystemLuck:
    __slots__ = ()

    def below(self, limit: int) -> int:
        return secrets.randbelow(limit)


@mypyc_attr(allow_interpreted_subclasses=True)
class Deck:
    """Cards whose order is unknown until they are drawn.

    Make one with `Deck.seeded`, `Deck.secure` or `Deck.stacked`. A card is chosen when it is drawn (a partial
    Fisher-Yates shuffle), so that the order of the others takes no random number. `repr` says how many cards are
    left, never which.
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
        """Return the deck of `seed` (any integer or bytes): the same seed deals the same cards.

        Raise `BadSpec` for any other type of seed.
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

        `holes` are in the order of the seats dealt in; the rest of the pack follows in its own order.
        Raise `BadCard`, `DuplicateCard`, or `BadSpec` for a card that is not in this pack.

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
        # a negative entropy marks a stacked deck: `draw` must not shuffle it
        return cls([*top, *(card for card in cards if card not in chosen)], entropy=-1)

    def draw(self, count: int) -> tuple[Card, ...]:
        """Take `count` cards off the deck.

        Raise `BadSpec` if fewer are left, and take none.
        """
        left = self._left
        start = self._drawn
        size = len(left)
        if count < 0 or start + count > size:
            raise BadSpec(f"cannot draw {count} cards: {size - start} are left in the deck")
        if self._luck is not None or self._entropy >= 0:
            self._shuffle(start, count)
        self._drawn = start + count
        return tuple(left[start : start + count])

    def _shuffle(self, start: int, count: int) -> None:
        """Choose the next `count` cards by one random number below the number of all outcomes of the draw.

        A seeded deck divides its long number for that. The single cards are successive remainders.
        """
        left = self._left
        size = len(left)
        plan = _PLANS.get((size, start, count))
        if plan is None:
            places = tuple((place, size - place) for place in range(start, start + count))
            plan = _PLANS[size, start, count] = (prod(below for _, below in places), places)
        outcomes, places = plan
        if self._luck is None:
            self._entropy, outcome = divmod(self._entropy, outcomes)
        else:
            outcome = self._luck.below(outcomes)
        for place, below in places:
            other = place + outcome % below
            outcome //= below
            card = left[other]
            left[other] = left[place]
            left[place] = card

    def reshuffle_key(self) -> bytes:
        """Return the secret from which later reshuffles in the same hand follow.

        For a seeded deck it is the entropy left after the cards drawn so far, so that those cards reveal nothing about
        it; for a secure deck it is drawn again at each call; for a stacked deck it is the key it was given.
        """
        if self._luck is not None:
            return self._luck.below(1 << 256).to_bytes(32, "little")
        if self._entropy < 0:
            return self._key
        return blake2b(b"%d" % self._entropy, digest_size=32, person=b"poker reshuffle").digest()

    @classmethod
    def reshuffled(cls, pack: Iterable[Card], key: bytes, number: int) -> Deck:
        """Return the deck of the `number`-th reshuffle in a hand, counted from 1; `key` is from `reshuffle_key`."""
        return cls.seeded(b"reshuffle %d " % number + key, sorted(pack))

    def shuffles(self, pack: Sequence[Card]) -> bool:
        """Return whether this deck was made from this very `pack` object, so that its cards need no check."""
        return self._pack is pack

    def copy(self) -> Deck:
        """Return a deck that deals the same cards from here on, unless it is a `secure` one, which draws other cards."""
        other = Deck(self._left, self._entropy, self._luck, self._key)
        other._drawn = self._drawn
        other._pack = self._pack
        return other

    def __len__(self) -> int:
        return len(self._left) - self._drawn

    def __repr__(self) -> str:
        return f"<Deck: {len(self)} of {len(self._left)} cards left>"


_SYSTEM_LUCK: Final = _SystemLuck()
