"""Seats at an OPP table: their states, chips and actions, and the messages that report a hand."""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import partial
from typing import Final

import attrs

from poker_actors.actors import Bank, HandState, News, Player
from poker_actors.errors import IllegalAction
from poker_actors.rules import Action, Call, Check, Fold, RaiseTo
from poker_actors.wire.opp.protocol.messages import ActionCode
from poker_actors.wire.opp.server.telling import Chunk, HandTelling, Row
from poker_actors.wire.opp.server.visitor import Visitor

_HAND_BETS: Final = 24
"""Most small bets a hand can cost: four bets on each of four streets, of 1, 1, 2 and 2 small bets."""


class Life(enum.Enum):
    """The state of a seat; `OppTable` changes it."""

    PLAYING = "playing"
    BROKE = "broke"
    """connected, without chips"""
    LATE = "late"
    """sits out for being late too often, until it sends a message"""
    RETURNING = "returning"
    """back again; dealt in at the next hand"""
    AWAY = "away"
    """without a connection; the seat is kept for a while"""
    LEAVING = "leaving"
    """has quit or was away too long; the seat is freed after the hand"""
    HOUSE = "house"
    """a house bot, which never leaves"""


_ABSENT: Final = (Life.AWAY, Life.LEAVING)


@attrs.define(eq=False, repr=False)
class Seated:
    """A user's seat: its player actor, and the connection that acts for it."""

    player: Player
    seat: int
    life: Life
    visitor: Visitor | None = None
    listener: Callable[[News], None] | None = None
    gone_at: float = 0.0
    """clock time of the lost connection"""
    latest: HandState | None = None
    """the player actor's last state, with its own cards and its turn"""
    turn_of: tuple[str, int] | None = None
    """(hand, seq) of the turn that is open; None once it is taken"""
    offset: int = 0
    """chips outside the stack minus debts, at the deal"""
    again: Callable[[], None] | None = None
    """sends the last action again"""

    @property
    def here(self) -> bool:
        """Whether a client or a bot can act for this seat."""
        return self.life not in _ABSENT

    def inform(self, text: str) -> None:
        """Send a text, if a client is connected."""
        if self.visitor is not None:
            self.visitor.inform(text)

    def act(self, number: int) -> None:
        """Take the open turn with the number of an ACTION.

        A raise that is not allowed counts as a call: the protocol has no refusal, and clients of its
        time raise and leave the cap to the server. Without an open turn the action is dropped,
        since some clients answer twice. Raises `IllegalAction` for an unknown number.
        """
        if number not in _MOVES:
            raise IllegalAction(f"action {number} must be 0 (fold), 1 (check or call) or 2 (bet or raise)")
        state = self._take_turn()
        if state is None:
            return
        action: Action = Call() if state.public.to_call(state.seat) else Check()
        if number == _FOLD:
            action = Fold()
        elif number == _RAISE and (legal := state.legal).can_raise:
            action = RaiseTo(legal.min_raise_to)
        self._send(state, action)

    def act_absent(self) -> None:
        """Take the open turn of an absent player: fold if it has left, else check if that is free, else fold."""
        state = self._take_turn()
        if state is not None:
            free = not state.public.to_call(state.seat) and self.life is not Life.LEAVING
            self._send(state, Check() if free else Fold())

    def _send(self, state: HandState, action: Action) -> None:
        self.again = partial(state.act, action)
        self.again()

    def _take_turn(self) -> HandState | None:
        """Return the state of the open turn and close it, so that no turn is taken twice; None without one."""
        state = self.latest
        if state is None or state.turn is None or self.turn_of != (state.hand_id, state.seq):
            return None
        self.turn_of = None
        return state

    def __repr__(self) -> str:
        return f"<Seated: {self.player.name} in seat {self.seat}, {self.life.value}>"


_FOLD, _, _RAISE = _MOVES = tuple(map(int, ActionCode))


@attrs.frozen
class Funding:
    """Decides how many chips a player brings to the table; the bank books every chip."""

    _bank: Bank
    _bet: int
    _buy_in: int
    _credit: bool = attrs.field(kw_only=True)

    def missing(self, player: str, stack: int, *, house: bool = False) -> int:
        """Return the chips `player` should buy in for now, lending them if needed; 0 for none.

        A house bot never runs dry: without credit it is lent a buy-in when it has no chips.
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
        """Return how much a player's bankroll exceeds its stack; negative for debts.

        Without credit it is 0: the bankroll is the stack, all that can be lost at a table.
        """
        return self._bank.balance(player) - self._bank.debt(player) if self._credit else 0

    def settle(self, player: str) -> None:
        """Pay back the debt of a player who has left the table, as far as its chips go."""
        self._bank.pay_back(player, min(self._bank.debt(player), self._bank.balance(player)))


@attrs.define(eq=False)
class Announcer:
    """Sends the public changes of a table's hands, as the table's watcher receives them.

    A hand tells its players before its watchers, and a stepper delivers in that order: every player that a change
    concerns has its private part by then. `seated`, `visitors` and `faces` are shared with the table; `asked` is called
    with the seat whose turn it is.
    """

    _seated: dict[str, Seated]
    _visitors: dict[Visitor, None]
    _faces: dict[str, int]
    _asked: Callable[[Seated, HandState], None]
    _telling: HandTelling | None = None
    _hand_id: str = ""
    """of the hand being sent"""
    _seq: int = -1
    """of the last change sent"""

    def hear(self, state: HandState) -> None:
        """Send a change to everybody, and report the turn it opens."""
        public, begins = state.public, state.hand_id != self._hand_id
        if begins:
            self._begin(state)
        elif state.seq <= self._seq:
            return  # a recovered table passes on a change that may come again
        self._seq = state.seq
        telling = self._telling
        assert telling is not None, "no hand has begun"
        said = telling.advance(public) + telling.next(public)
        for visitor in list(self._visitors):
            if begins:
                self._start_for(visitor, telling, said)
            elif visitor.following is telling:
                visitor.say(said)
        name = None if public.active is None else state.change.names[public.active]
        asked = None if name is None else self._seated.get(name)
        if asked is not None:  # otherwise it is not this server's
            self._asked(asked, state)

    def _begin(self, state: HandState) -> None:
        self._hand_id = state.hand_id
        rows: list[Row | None] = []
        for name, stack in zip(state.change.names, state.public.setup.stacks, strict=True):
            if name is None:
                rows.append(None)
                continue
            there = self._seated.get(name)
            bankroll = stack + (there.offset if there is not None else 0)
            rows.append(Row(name, bankroll, self._faces.get(name, 0)))
        self._telling = HandTelling(state.public, rows, state.change.number)

    def _start_for(self, visitor: Visitor, telling: HandTelling, then: Chunk) -> None:
        """Send one visitor the start of the hand with its own cards, and what follows, if it can follow it."""
        seated = self._seated.get(visitor.user)
        mine = seated.seat if seated is not None and seated.visitor is visitor else -1
        dealt_in = telling.who(mine) >= 0
        if not dealt_in and not visitor.reads_minus_one:
            visitor.following = None
            return
        said = telling.start(mine) + telling.opening
        latest = None if seated is None else seated.latest
        if dealt_in and latest is not None and latest.hand_id == self._hand_id and latest.hole:
            said += telling.hole(mine, latest.hole)
        visitor.following = telling
        visitor.say(said + then)

    def catch_up(self, seated: Seated) -> None:
        """Send the hand so far to a player who has come back, and its open turn if there is one."""
        visitor, telling, state = seated.visitor, self._telling, seated.latest
        if visitor is None or telling is None or telling.who(seated.seat) < 0:
            return
        then = telling.said
        if state is not None and state.turn is not None and seated.turn_of is not None:
            then += telling.next(state.public)
        self._start_for(visitor, telling, then)
