"""A seat at a table of our OPP server: its states, its chips, and how its turns are taken."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Final

from poker_actors.actors import Bank, HandState, News, Player
from poker_actors.errors import IllegalAction
from poker_actors.rules import Action, Call, Check, Fold, RaiseTo
from poker_actors.wire.opp.protocol.opcodes import ActionCode
from poker_actors.wire.opp.server.visitor import Visitor

__all__ = ["LIFE", "Change", "Funding", "Life", "Seated"]

_HAND_BETS: Final = 24
"""Small bets one hand can cost: four bets a street, of one, one, two and two."""


class Life(enum.Enum):
    """What somebody with a seat is doing."""

    PLAYING = "playing"
    BROKE = "broke"
    """is there and has no chips"""
    LATE = "late"
    """was late too often, sits out, and has been told to say something"""
    RETURNING = "returning"
    """is there again, and is dealt in at the next hand"""
    AWAY = "away"
    """has no connection; the seat is kept for a while"""
    LEAVING = "leaving"
    """has quit, or was away too long; the seat is free after the hand"""
    HOUSE = "house"
    """a bot of the house, which never leaves"""


class Change(enum.Enum):
    """What may happen to somebody with a seat."""

    JOINED = "joined"
    LOST = "lost its connection"
    QUIT = "quit"
    GIVEN_UP = "was away longer than its seat is kept"
    SAT_OUT = "was sat out by the table, for being late"
    SPOKE = "said something"
    DEALT_IN = "is dealt in"
    BUSTED = "has no chips and brings none"


LIFE: Final[dict[Life, dict[Change, Life]]] = {
    Life.PLAYING: {
        Change.LOST: Life.AWAY,
        Change.QUIT: Life.LEAVING,
        Change.SAT_OUT: Life.LATE,
        Change.BUSTED: Life.BROKE,
    },
    Life.BROKE: {
        Change.LOST: Life.AWAY,
        Change.QUIT: Life.LEAVING,
        Change.DEALT_IN: Life.PLAYING,
    },
    Life.LATE: {
        Change.JOINED: Life.RETURNING,
        Change.SPOKE: Life.RETURNING,
        Change.LOST: Life.AWAY,
        Change.QUIT: Life.LEAVING,
    },
    Life.RETURNING: {
        Change.LOST: Life.AWAY,
        Change.QUIT: Life.LEAVING,
        Change.DEALT_IN: Life.PLAYING,
        Change.BUSTED: Life.BROKE,
    },
    Life.AWAY: {Change.JOINED: Life.RETURNING, Change.GIVEN_UP: Life.LEAVING},
    Life.LEAVING: {Change.JOINED: Life.RETURNING},
    Life.HOUSE: {},
}
"""Life -> change -> life after it; a change that is not listed leaves it as it is."""


class Seated:
    """A user's seat: the player actor that sits there, and the connection that acts for it."""

    def __init__(self, player: Player, seat: int, life: Life) -> None:
        self.player: Final = player
        self.seat: Final = seat
        self.life = life
        self.visitor: Visitor | None = None
        self.listener: Callable[[News], None] | None = None
        self.gone_at = 0.0
        """since when it has no connection"""
        self.latest: HandState | None = None
        """what the actor heard last: the way to the own cards and the own turn"""
        self.turn_of: tuple[str, int] | None = None
        """(hand, seq) it has been asked for and not answered yet"""
        self.offset = 0
        """chips outside the stack, minus debts, when the hand was dealt"""

    def change(self, what: Change) -> bool:
        """Live through a change; returns whether it made a difference."""
        before, self.life = self.life, LIFE[self.life].get(what, self.life)
        return self.life is not before

    @property
    def here(self) -> bool:
        """Whether somebody can answer for this seat."""
        return self.life not in (Life.AWAY, Life.LEAVING)

    @property
    def broke(self) -> bool:
        """Whether it is there and has no chips."""
        return self.life is Life.BROKE

    def inform(self, text: str) -> None:
        """Send a message, if anybody is connected."""
        if self.visitor is not None:
            self.visitor.inform(text)

    def act(self, number: int) -> None:
        """Take the turn with an ACTION's number.

        A raise where there may be none is a call: the protocol has no word for a refusal, and
        clients of its time raise and leave the cap to the server. Without a turn it is dropped,
        since some clients answer twice. Raises `IllegalAction` for a number that is no move.
        """
        if number not in _MOVES:
            raise IllegalAction(f"action {number} is none of 0 fold, 1 check or call, 2 bet or raise")
        state = self._take_turn()
        if state is None:
            return
        legal = state.legal
        action: Action = Call() if legal.to_call else Check()
        if number == ActionCode.FOLD:
            action = Fold()
        elif number == ActionCode.RAISE and legal.can_raise:
            action = RaiseTo(legal.min_raise_to)
        state.act(action)

    def act_absent(self) -> None:
        """Take the turn of an absent player: fold for one who has left, else check if free."""
        state = self._take_turn()
        if state is not None:
            free = not state.legal.to_call and self.life is not Life.LEAVING
            state.act(Check() if free else Fold())

    def _take_turn(self) -> HandState | None:
        """Return the turn that is open, once."""
        state = self.latest
        if state is None or state.turn is None or self.turn_of != (state.hand_id, state.seq):
            return None
        self.turn_of = None
        return state

    def __repr__(self) -> str:
        return f"<Seated: {self.player.name} in seat {self.seat}, {self.life.value}>"


_MOVES: Final = frozenset(map(int, ActionCode))


class Funding:
    """Decides what somebody brings to the table; every chip moves by the bank's booking."""

    def __init__(self, bank: Bank, bet: int, buy_in: int, *, credit: bool) -> None:
        self._bank = bank
        self._bet = bet
        self._buy_in = buy_in
        self._credit = credit

    def missing(self, player: str, stack: int, *, house: bool = False) -> int:
        """Return the chips `player` should bring now, after lending what it takes; 0 for none.

        A bot of the house never runs dry: without credit it is lent a buy-in when it has nothing.
        """
        if not self._credit:
            if house and not stack and not self._bank.balance(player):
                self._bank.lend(player, self._buy_in)
            return 0 if stack else min(self._buy_in, self._bank.balance(player))
        need = _HAND_BETS * self._bet
        if stack >= need:
            return 0
        wanted = 2 * need - stack
        balance = self._bank.balance(player)
        if balance < wanted:
            self._bank.lend(player, wanted - balance)
        return wanted

    def offset(self, player: str) -> int:
        """Return what a bankroll is more than the stack; below 0 for somebody who owes.

        Without credit it is 0: a bankroll is the stack, which is all that can be lost at a table.
        """
        return self._bank.balance(player) - self._bank.debt(player) if self._credit else 0

    def settle(self, player: str) -> None:
        """Pay back, as far as the chips go, what somebody who has left the table owes."""
        debt = self._bank.debt(player)
        back = min(debt, self._bank.balance(player))
        if back:
            self._bank.pay_back(player, back)
