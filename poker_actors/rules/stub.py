"""What is left of the pack during a hand, and how it is mixed again when a draw runs it short."""

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
        """Mix what is left with `cards` to a new stub; gives how many cards it has."""
        self.reshuffles += 1
        pool = sorted({*self._left, *cards})
        mixed = Deck.seeded(b"reshuffle %d " % self.reshuffles + self.key, pool)
        self._left = list(mixed.draw(len(pool)))
        return len(pool)

    def copy(self) -> Stub:
        """Give a stub that goes its own way from here."""
        other = Stub(self._left, self.key)
        other.dealt = self.dealt.copy()
        other.reshuffles = self.reshuffles
        return other

    def __repr__(self) -> str:
        return f"<Stub: {len(self._left)} cards>"
