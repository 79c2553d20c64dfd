"""A client's view of the current hand: the article's state, booked from the server's messages."""

from __future__ import annotations

from poker_actors.cards import parse_cards
from poker_actors.wire.opp.client.holdem_state import STAGES, HoldemState
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.opcodes import Op

__all__ = ["Picture"]


class Picture:
    """Follows a session's messages; `state` is None before the first game.

    The Perl client books every raise as one small bet, both blinds at the first BLIND, and a fold
    or call for the player it believes is next. Here every amount and seat is the server's, so that
    pot and bankrolls are right on every street.
    """

    def __init__(self) -> None:
        self.state: HoldemState | None = None
        self.position = -1
        """this client's seat; -1 when not dealt in"""
        self.game_id = 0
        self.shares: tuple[tuple[int, int], ...] = ()
        """(seat, chips) of the last pot"""

    def hear(self, message: Message) -> None:
        """Book a message; messages outside a hand, or of a hand not announced, change nothing."""
        values = message.values
        if message.op is Op.START_NEW_GAME:
            self._start(message)
            return
        state = self.state
        if state is None:
            return
        match message.op:
            case Op.BLIND | Op.CALL | Op.RAISE:
                state.pay(values[0], values[1])
            case Op.FOLD:
                state.fold_seat(values[0])
            case Op.NEXT_TO_ACT:
                state.set_next(values[0])
            case Op.HOLE_CARDS:
                state.show(values[0], parse_cards(values[1]))
            case Op.NEW_STAGE if values[0] > 0:
                state.open_stage(values[0], parse_cards(values[1]))
            case Op.WINNERS:
                state.open_stage(len(STAGES) - 1, state.board)
                self.shares = values[1]
                for who, share in values[1]:
                    state.award(who, share)
            case _:
                pass

    def _start(self, message: Message) -> None:
        bet_size, _, button, self.position, self.game_id, players = message.values
        rows = [(name, bankroll) for name, bankroll, _ in players]
        self.state = HoldemState(rows, rows[button][0], bet_size)
        self.shares = ()
