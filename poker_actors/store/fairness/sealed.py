"""The dealer's side: a committed deal, each card of which is opened to those who have seen it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from itertools import chain
from typing import Final

from poker_actors.cards import Card, Deck
from poker_actors.rules import Game, Hand
from poker_actors.store.fairness.course import (
    Course,
    Opening,
    commit,
    opening_at,
    places_of,
    salts_of,
    tree_of,
)
from poker_actors.store.fairness.record import FairnessRecord, common_cards

__all__ = ["SECRET_BYTES", "SealedDeal", "reshuffles"]

SECRET_BYTES: Final = 32
MOST_RESHUFFLES: Final = 8
"""Reshuffles committed to: six seats that discard everything in each of three draws need seven. In open-face,
more deals in fantasy land than this are rarer than any other reason for a hand without a record."""


class SealedDeal:
    """The cards of a hand and the secret of their salts. Drop it once the hand's records are made.

    `mixed` are the orders of the pack for reshuffles, to which it commits as well; see `reshuffles`. `repr` shows
    the commitment and nothing else.
    """

    __slots__ = ("_cards", "_levels", "_mixed", "_salts", "commitment", "hand_id", "secret")

    def __init__(
        self,
        hand_id: str,
        cards: Sequence[Card],
        secret: bytes | None = None,
        mixed: Sequence[Sequence[Card]] = (),
    ) -> None:
        self.hand_id = hand_id
        self.secret: bytes = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        self._cards = tuple(cards)
        self._mixed = mixed
        every = [*cards, *chain.from_iterable(mixed)]
        self._salts = salts_of(self.secret, len(every))
        self._levels = tree_of(every, self._salts)
        self.commitment: bytes = commit(hand_id, len(every), self._levels[-1][0])
        """to be published before the deal"""

    @property
    def _count(self) -> int:
        return len(self._levels[0])

    def records(self, hand: Hand) -> dict[int | None, FairnessRecord]:
        """Return the records of a finished hand for each seat dealt in and, under None, for spectators.

        A record opens the seat's own cards, boards, open cards and cards shown at the showdown. Empty if the cards
        were reshuffled more often than was committed to.
        """
        extra = hand.extra
        if extra is None or (
            hand.game.plain and extra.options is not None and extra.options.bomb_boards == 1
        ):
            return self._plain_records(hand)
        if extra.stub.reshuffles > len(self._mixed):
            return {}
        course = Course(hand, [self._cards, *self._mixed])
        shown = dict(hand.public().shown)
        dealt = tuple(sorted({step.seat for step in course.steps if step.seat is not None}))
        # in open-face nobody holds cards at a reshuffle, so no place is passed over and places reveal nothing
        whole = hand.game.open_face
        everybody: tuple[int | None, ...] = (None, *dealt)
        records: dict[int | None, FairnessRecord] = {}
        for seat in everybody:
            known = course.known(seat, shown)
            records[seat] = FairnessRecord(
                hand_id=self.hand_id,
                game=hand.game.name,
                commitment=self.commitment,
                dealt=dealt,
                seat=seat,
                hole=() if seat is None else hand.holes[seat],
                board=hand.board,
                shown=shown,
                proofs={place: self._open(place) for place in known},
                runs=hand.public().boards[1:],
                count=self._count,
                course=tuple([step if whole else step.seen_by(seat) for step in course.steps]),
                cards=known,
            )
        return records

    def _plain_records(self, hand: Hand) -> dict[int | None, FairnessRecord]:
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
                hand_id=self.hand_id,
                game=hand.game.name,
                commitment=self.commitment,
                dealt=dealt,
                seat=seat,
                hole=hole,
                board=hand.board,
                shown=shown,
                proofs={**mine, **proofs},
                runs=runs,
                spare=spare,
            )
        return records

    @staticmethod
    def _run_cards(hand: Hand, run: tuple[Card, ...]) -> int:
        return len(run) - common_cards(hand.board, run)

    def _open(self, place: int) -> Opening:
        return opening_at(self._levels, self._salts, place)

    def __repr__(self) -> str:
        return f"<SealedDeal: {self.hand_id}, {self.commitment.hex()}>"


def reshuffles(game: Game, seats: int, key: bytes) -> list[tuple[Card, ...]]:
    """Return the orders of the pack of `game` for reshuffles among `seats` seats, from a deck's `reshuffle_key`.

    There are as many as are needed if at least half of each new stub is dealt before the next reshuffle. Open-face,
    which needs one for each deal in fantasy land, gets `MOST_RESHUFFLES`.
    """
    stub = len(game.pack) - seats * game.hole_cards - game.board_cards * game.boards
    beyond = seats * sum([street.draw for street in game.streets]) - stub
    most = min(-(-beyond // max(stub // 2, 1)), MOST_RESHUFFLES) if game.draws and beyond > 0 else 0
    most = MOST_RESHUFFLES if game.open_face else most
    size = len(game.pack)
    return [Deck.reshuffled(game.pack, key, number).draw(size) for number in range(1, most + 1)]
