"""The rest of the pack during a hand, and its reshuffle when a draw exhausts it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from poker_actors.cards import Card, Deck

__all__ = ["Stub"]


class Stub:
    """Cards still to come, the next first, and those dealt so far.

    The order of reshuffle number n comes from `key`, the deck's secret, and n alone: a copy and a replay
    of the hand are dealt the same cards, and nobody can work it out from the cards that were seen.
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
        """Deal the next `count` cards; fewer when there are not so many."""
        cards = self._left[:count]
        del self._left[:count]
        self.dealt += cards
        return tuple(cards)

    def take_others(self, count: int, thrown: Collection[Card]) -> tuple[Card, ...] | None:
        """Deal the next `count` cards that are none of `thrown`; None, and none dealt, when there are too few.

        So nobody is ever dealt a card that he threw away in the same hand.
        """
        left = self._left
        if len(left) >= count and not any(card in thrown for card in left[:count]):
            return self.take(count)
        places = [place for place, card in enumerate(left) if card not in thrown][:count]
        if len(places) < count:
            return None
        cards = [left[place] for place in places]
        # by place: a recorded hand that was reshuffled has a card in its stub twice
        for place in reversed(places):
            del left[place]
        self.dealt += cards
        return tuple(cards)

    def reshuffle(self, cards: Iterable[Card]) -> int:
        """Mix what is left with `cards` to a new stub; returns how many cards it has.

        The order is one of the whole pack, in which cards that somebody holds are passed over: so it can be
        committed to before the deal, and the place of one card says nothing about which the others are.
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
