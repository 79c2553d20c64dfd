"""The dealer's side: a deal that is committed to, and opened card by card to who has seen the card."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from poker_actors.cards import Card
from poker_actors.rules import Hand
from poker_actors.store.fairness.commitment import Opening, commit, opening_at, tree_of
from poker_actors.store.fairness.places import places_of
from poker_actors.store.fairness.record import FairnessRecord, common_cards

__all__ = ["SECRET_BYTES", "SealedDeal"]

SECRET_BYTES: Final = 32


class SealedDeal:
    """The cards of a hand and the secret of their salts. Forget it once the hand's records are made.

    `repr` shows the commitment and nothing else.
    """

    __slots__ = ("_cards", "_levels", "commitment", "hand_id", "secret")

    def __init__(self, hand_id: str, cards: Sequence[Card], secret: bytes | None = None) -> None:
        self.hand_id = hand_id
        self.secret: bytes = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        self._cards = tuple(cards)
        self._levels = tree_of(self._cards, self.secret)
        self.commitment: bytes = commit(hand_id, len(self._cards), self._levels[-1][0])
        """to be published before the deal"""

    def records(self, hand: Hand) -> dict[int | None, FairnessRecord]:
        """Open a hand that is over to each seat dealt in, and, under None, to spectators.

        A seat gets its own cards, the board that was dealt and what was shown at the showdown. There are
        none of games whose cards are drawn, open or on two boards: a record has no place for them.
        """
        if not hand.game.plain:
            return {}
        shown = dict(hand.public().shown)
        dealt = tuple(seat for seat, hole in enumerate(hand.holes) if hole)
        places = places_of(hand.game, dealt)
        common = [*places.board[: len(hand.board)]]
        for one in shown:
            common += places.holes[one]
        runs = hand.public().boards[1:]
        spare = len(self._cards) - places.count
        common += range(places.count, places.count + sum(self._run_cards(hand, run) for run in runs))
        proofs = {place: self._open(place) for place in common}
        records: dict[int | None, FairnessRecord] = {}
        everybody: tuple[int | None, ...] = (None, *dealt)
        for seat in everybody:
            hole = () if seat is None else hand.holes[seat]
            own = () if seat is None else places.holes[seat][: len(hole)]
            mine = {place: self._open(place) for place in own if place not in proofs}
            records[seat] = FairnessRecord(
                self.hand_id,
                hand.game.name,
                self.commitment,
                dealt,
                seat,
                hole,
                hand.board,
                shown,
                {**mine, **proofs},
                runs,
                spare,
            )
        return records

    @staticmethod
    def _run_cards(hand: Hand, run: tuple[Card, ...]) -> int:
        return len(run) - common_cards(hand.board, run)

    def _open(self, place: int) -> Opening:
        return opening_at(self._levels, self.secret, place)

    def __repr__(self) -> str:
        return f"<SealedDeal: {self.hand_id}, {self.commitment.hex()}>"
