"""What a hand has beyond hole cards, one board and bets; nothing in a plain hand."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.cards import Card
from poker_actors.rules.action import Lay
from poker_actors.rules.event import Awarded
from poker_actors.rules.laying import Rows, ScoredDeal
from poker_actors.rules.options import HandOptions
from poker_actors.rules.settlement import Claim
from poker_actors.rules.stub import Stub

__all__ = ["Extra"]


class Extra:
    """Open cards, several boards, cards thrown away, options of a cash table."""

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
        """the first is the hand's `board`; at the end, with those that were run again"""
        self.thrown: list[tuple[int, tuple[int, ...], tuple[Card, ...]]] = []
        """secret: of every entry `DISCARDED`, its seat, the places and the cards thrown away"""
        self.opening: list[int] = []
        """the order of play of the first street, while cards are thrown away before it"""
        self.answered: tuple[int, int] = (0, 0)
        """the bet and the least raise that wait meanwhile"""
        self.complete_from: list[tuple[Card, ...]] | None = None
        """the boards as they lay when betting was over; None while it is not"""
        self.turned_up: bool = False
        """whether the cards lie open because nobody has a decision any more"""
        self.rake: int = 0
        self.claims: Sequence[Sequence[Claim]] = ()
        """after a showdown: what each share of each board came to"""
        self.awards: list[Awarded] = []
        """after a showdown: who was paid how much of each share of each board"""
        self.laid: list[Lay] = []
        """open-face: what was laid, in order; of fantasy land secret until it is scored"""
        self.rows: list[Rows] = []
        """by seat, in this deal; of fantasy land secret, too"""
        self.fantasy: tuple[int, ...] = ()
        """the seats in fantasy land in this deal"""
        self.round: int = 0
        """how often everybody has laid in this deal"""
        self.scored: list[ScoredDeal] = []
        """the deals that are over"""

    @property
    def bomb_pot(self) -> int:
        """The ante of everybody in a hand without blinds; 0 for none."""
        return 0 if self.options is None else self.options.bomb_pot

    @property
    def undivided(self) -> bool:
        """Whether, after a showdown, the pot is one share, and no rake is taken."""
        return self.options is None and len(self.claims) == 1 and len(self.claims[0]) == 1

    def thrown_by(self, seat: int) -> set[Card]:
        """Return the cards that `seat` has thrown away."""
        return {card for who, _, cards in self.thrown if who == seat for card in cards}

    def copy(self) -> Extra:
        """Return an independent copy."""
        other = Extra.__new__(Extra)
        for name in Extra.__slots__:
            kept = getattr(self, name)
            setattr(other, name, kept.copy() if isinstance(kept, list | Stub) else kept)
        return other
