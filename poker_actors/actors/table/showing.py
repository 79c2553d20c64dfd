"""The hand that is over, until the next is dealt: whoever was in it may still turn up their cards.

Everybody mucks unless the rules ask for a show (TDA 16, 17) or the owner chooses one. A show is written before
it is told, and every player of the hand hears of it as a further `HandState` of that hand.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from poker_actors.actors.hand.messages import DealtHand, HandResult
from poker_actors.actors.player.messages import Change, HandState
from poker_actors.actors.runtime import Address
from poker_actors.actors.table.seats import Seat
from poker_actors.errors import TableRefusal
from poker_actors.frozen import value
from poker_actors.rules import Hand

__all__ = ["LastHand"]


@value
class LastHand:
    """A hand that is over, and who was in it."""

    hand_id: str
    number: int
    hand: Hand
    names: tuple[str | None, ...]
    """by seat; None for a seat that was not dealt in"""
    players: Mapping[int, Address]
    """seat -> the player who was dealt in: whoever has the name later has not seen a card of this hand"""
    address: Address
    """of its actor, which has stopped"""

    @classmethod
    def of(cls, live: DealtHand, result: HandResult, seats: tuple[Seat | None, ...]) -> LastHand | None:
        """Return the hand that has ended with `result`; None for a void one, of which nothing can be shown."""
        if result.hand is None:
            return None
        dealt = {number: seat for number in result.positions.dealt if (seat := seats[number]) is not None}
        names = tuple(dealt[number].player if number in dealt else None for number in range(len(seats)))
        players = {number: seat.address for number, seat in dealt.items()}
        return cls(live.hand_id, result.number, result.hand, names, players, live.address)

    def seat_of(self, player: str, hand_id: str | None) -> int:
        """Return the seat of a player in this hand; raises `TableRefusal` (`not_at_table`)."""
        if hand_id not in (None, self.hand_id):
            text = f"{hand_id!s:.80} is not the hand that is over, {self.hand_id} is"
            raise TableRefusal(text, code="not_at_table")
        if player not in self.names:
            raise TableRefusal(f"{player} was not dealt into {self.hand_id}", code="not_at_table")
        return self.names.index(player)

    def with_shown(self, seat: int) -> LastHand:
        """Return it with the cards of a seat turned up, on a copy of the hand: results that were told stay as they are."""
        hand = self.hand.copy()
        hand.show(seat)
        return attrs.evolve(self, hand=hand)

    def state(self, table: str, seat: int) -> HandState:
        """Return the state for a seat that was dealt in, or for a spectator (-1)."""
        change = Change(self.hand_id, self.number, table, self.address, self.hand.public(), self.names)
        return HandState(change, seat, self.hand.holes[seat] if seat >= 0 else (), None)
