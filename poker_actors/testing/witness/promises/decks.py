"""The deck that was given or committed to is the deck dealt."""

from __future__ import annotations

from typing import Any

from poker_actors.actors import DeckOpened, HandResult, TableNews
from poker_actors.actors.messages import Deal
from poker_actors.cards import Card
from poker_actors.testing.witness.promise import Answer, Heard, Hears, Promise

__all__ = ["DeckIsDealt"]


class DeckIsDealt(Promise):
    """Decks."""

    name = "deck"
    says = "A given deck is dealt in its order; a committed deck is proven by the cards seen."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._given: dict[str, tuple[Card, ...]] = {}
        """table -> the cards of the deck it was asked to deal, while nobody knows the hand's name"""

    def hears(self) -> Hears:
        """Return what it listens to."""
        return Hears(
            {TableNews: self.news, DeckOpened: self.opened, HandResult: self.result},
            asked={Deal: self.asked},
            answered={Deal: self.dealt},
        )

    def asked(self, heard: Heard[Deal]) -> None:
        """Look into a deck that the caller gives, before the hand draws from it."""
        deck = heard.what.deck
        self._given.pop(heard.table, None)
        if deck is not None:
            copy = deck.copy()
            self._given[heard.table] = copy.draw(len(copy))

    def dealt(self, heard: Heard[Answer[Deal, Any]]) -> None:
        """Hear which hand has the deck."""
        dealt, given = heard.what.value, self._given.pop(heard.table, None)
        if given is not None:
            self.note(dealt.hand_id, "given", heard, given)
        elif dealt.commitment:
            self.stays(dealt.hand_id, "commitment", heard, dealt.commitment, "the commitment")

    def news(self, heard: Heard[TableNews]) -> None:
        """Remember the commitment that everybody is told before the deal."""
        news = heard.what
        if news.what == "hand_started" and news.hand_id is not None and news.commitment:
            self.stays(news.hand_id, "commitment", heard, news.commitment, "the commitment")

    def opened(self, heard: Heard[DeckOpened]) -> None:
        """Check the proofs of the cards seen against what was committed to."""
        record = heard.what.record
        self.stays(record.hand_id, "commitment", heard, record.commitment.hex(), "the commitment")
        flaw = record.flaw()
        self.holds(flaw is None, heard, lambda: f"the deck of {record.hand_id}: {flaw}")

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare the cards with the deck, in its order: hole cards, then the board; other games deal as it comes."""
        hand = heard.what.hand
        given = self.fact(heard.what.hand_id, "given")
        if hand is None or given is None or not hand.game.plain:
            return
        before = hand.game.hole_cards * len(heard.what.positions.dealt)
        board = given.what[before : before + len(hand.board)]
        self.holds(
            tuple(hand.board) == board,
            heard,
            lambda: (
                f"{heard.what.hand_id} was given a deck with {_text(board)} for the board, "
                f"and dealt {_text(tuple(hand.board))} to it"
            ),
        )


def _text(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))
