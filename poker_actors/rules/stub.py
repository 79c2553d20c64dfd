"""The stub: the rest of the pack during a hand, reshuffled when draws exhaust it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from poker_actors.cards import Card, Deck

__all__ = ["Stub"]


class Stub:
    """Cards still to come, the next first, and those dealt so far.

    The order of reshuffle n follows from n and `key`, the deck's secret, alone. So copies and replays of the hand
    deal the same cards, and nobody can derive the order from cards seen.
    """

    __slots__ = ("_left", "dealt", "key", "reshuffles")

    def __init__(self, cards: Sequence[Card], key: bytes) -> None:
        self._left = list(cards)
        self.key = key
        self.dealt: list[Card] = []
        self.reshuffles = 0

    def __len__(self) -> int:
        return len(self._left)

    def take(self, count: int) -> tuple[Card, ...]:
        """Deal the next `count` cards, or as many as are left."""
        cards = self._left[:count]
        del self._left[:count]
        self.dealt += cards
        return tuple(cards)

    def take_others(self, count: int, thrown: Collection[Card]) -> tuple[Card, ...] | None:
        """Deal the next `count` cards that are not in `thrown`; if there are too few, deal none and return None.

        So a seat is not dealt a card that it discarded in the same hand.
        """
        left = self._left
        if len(left) >= count and not any(card in thrown for card in left[:count]):
            return self.take(count)
        places = [place for place, card in enumerate(left) if card not in thrown][:count]
        if len(places) < count:
            return None
        cards = [left[place] for place in places]
        # by place: the stub of a recorded hand with a reshuffle can contain a card twice
        for place in reversed(places):
            del left[place]
        self.dealt += cards
        return tuple(cards)

    def reshuffle(self, cards: Iterable[Card]) -> int:
        """Shuffle `cards` into the stub; return its number of cards.

        The new order is one of the whole pack in which cards still held are passed over. So it can be committed
        to before the deal, and the place of a card reveals nothing about the others.
        """
        self.reshuffles += 1
        pool, pack = {*self._left, *cards}, {*self._left, *self.dealt}
        mixed = Deck.reshuffled(pack, self.key, self.reshuffles).draw(len(pack))
        self._left = [card for card in mixed if card in pool]
        return len(self._left)

    def copy(self) -> Stub:
        """Return an independent copy."""
        other = Stub(self._left, self.key)
        other.dealt = self.dealt.copy()
        other.reshuffles = self.reshuffles
        return other

    def __repr__(self) -> str:
        return f"<Stub: {len(self._left)} cards>"
