"""State a plain hand does not need: anything beyond hole cards, one board and bets, and the stub that draws are dealt from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from poker_actors.cards import Card, Deck
from poker_actors.rules.action import Lay
from poker_actors.rules.event import Awarded
from poker_actors.rules.laying import Rows, ScoredDeal
from poker_actors.rules.options import HandOptions
from poker_actors.rules.settlement import Claim


class Extra:
    """Open cards, further boards, discards, open-face rows and cash-table options of a hand."""

    __slots__ = (
        "answered",
        "awards",
        "boards",
        "claims",
        "complete_from",
        "fantasy",
        "laid",
        "open",
        "opening",
        "options",
        "rake",
        "round",
        "rows",
        "scored",
        "stub",
        "thrown",
        "turned_up",
    )

    def __init__(self, seats: int, boards: int, stub: Stub, options: HandOptions | None) -> None:
        self.options = options
        self.stub = stub
        self.open: list[tuple[Card, ...]] = [()] * seats
        """by seat, in the order dealt"""
        self.boards: list[tuple[Card, ...]] = [()] * boards
        """the first is the hand's `board`; boards run again are added at the end"""
        self.thrown: list[tuple[int, tuple[int, ...], tuple[Card, ...]]] = []
        """secret: for each `DISCARDED` entry of the log, the seat, the places and the cards thrown away"""
        self.opening: tuple[int, ...] = ()
        """the order of play of the first street, while cards are thrown away before it"""
        self.answered: tuple[int, int] = (0, 0)
        """the bet and the minimum raise, set aside meanwhile"""
        self.complete_from: list[tuple[Card, ...]] | None = None
        """the boards at the moment betting ended; None until then"""
        self.turned_up: bool = False
        """whether hole cards lie face up because no decision is left"""
        self.rake: int = 0
        self.claims: Sequence[Sequence[Claim]] = ()
        """after a showdown: the claims on each share of each board"""
        self.awards: list[Awarded] = []
        """after a showdown: the payments, by share and board"""
        self.laid: list[tuple[Lay, tuple[Card, ...]]] = []
        """open-face: for each entry of the log, the cards laid, and the hand they were laid from

        Those of fantasy land are secret until scored, and those thrown away for good.
        """
        self.rows: list[Rows] = []
        """the boards of this deal by seat; those of fantasy land are secret, too"""
        self.fantasy: tuple[int, ...] = ()
        """the seats in fantasy land in this deal"""
        self.round: int = 0
        """rounds of laying completed in this deal"""
        self.scored: list[ScoredDeal] = []
        """the deals already scored"""

    @property
    def bomb_pot(self) -> int:
        """The ante each seat posts in a bomb pot, in chips; 0 in any other hand."""
        return 0 if self.options is None else self.options.bomb_pot

    @property
    def undivided(self) -> bool:
        """Whether the showdown pot is a single share with no cash-table options (no rake)."""
        return self.options is None and len(self.claims) == 1 and len(self.claims[0]) == 1

    def thrown_by(self, seat: int) -> set[Card]:
        """Return the cards `seat` has thrown away."""
        return {card for who, _, cards in self.thrown if who == seat for card in cards}

    def copy(self) -> Extra:
        """Return an independent copy."""
        other = Extra.__new__(Extra)
        for name in Extra.__slots__:
            kept = getattr(self, name)
            setattr(other, name, kept.copy() if isinstance(kept, list | Stub) else kept)
        return other


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
