"""One HSPE game: a table of the Room, who plays and who waits, the turn and its clock, the next deal."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Final

import attrs

from poker_actors.actors import HandState, News, Player, Room, Table, TableNews
from poker_actors.errors import IllegalAction, PokerError, StaleAction, StorageFailed, TableRefusal
from poker_actors.evaluator import made_hand
from poker_actors.rules import Fold, PublicState
from poker_actors.server.hspe.clock import Alarm, Clock
from poker_actors.server.hspe.orders import Order, action_of
from poker_actors.server.hspe.roster import Member, Roster
from poker_actors.server.users import Notes, User

__all__ = ["Game", "InvalidBet", "Rules", "Turn"]

_log: Final = logging.getLogger("poker_actors.server")

_RETRY_SECONDS: Final = 1.0


@attrs.frozen
class Rules:
    """How games are played. `turn_seconds` is the window for a turn, `pause` lies between two hands."""

    turn_seconds: float = 15.0
    pause: float = 0.0
    waiting: int = 100
    """how many may wait for a seat in one game"""


@attrs.frozen
class Turn:
    """Somebody's turn, and when it ends (seconds since 1970)."""

    user: str
    state: HandState
    expiry: float


@attrs.frozen
class InvalidBet:
    """A bet that was invalid and folded its player, and why."""

    user: str
    amount: int
    reason: str


class Game:
    """One game. All of it runs in the room's thread; players' actors tell it what happens.

    What is seen of it changes only with `version`, so a view may be kept for as long as that is
    the same.
    """

    def __init__(self, room: Room, table: Table, notes: Notes, rules: Rules, clock: Clock) -> None:
        self.id: Final = table.name
        self.table: Final = table
        self.roster: Final = Roster(room, table, notes)
        self.version = 0
        self.public: PublicState | None = None
        """of the hand being played or played last"""
        self.at: dict[int, Member] = {}
        """seat -> who sat there when that hand was dealt"""
        self.dealt: dict[str, HandState] = {}
        """user id -> what that player has heard of that hand last"""
        self.turn: Turn | None = None
        self.winners: list[tuple[str, list[str]]] | None = None
        """of the last hand: who won by showing, and with which five cards; None before the first"""
        self.invalid_bet: InvalidBet | None = None
        """of the hand being shown"""
        self.hands = 0
        """hands that have ended"""
        self._rules = rules
        self._clock = clock
        self._hand_id = ""
        self._ended = ""
        self._timer: Alarm | None = None
        self._next: Alarm | None = None
        self._closed = False

    # -- commands ----------------------------------------------------------------------------

    def join(self, user: User, player: Player) -> bool:
        """Give a seat, or a place in the queue of a full game; gives whether it is a seat.

        Raises `TableRefusal`: `already_joined`, `too_many` waiting.
        """
        seated = self.roster.join(user, player, self._rules.waiting)
        self.version += 1
        self._deal_in(0.0)
        return seated

    def leave(self, user_id: str) -> None:
        """Fold and leave; what is won or lost is forfeited. Raises `TableRefusal` (`not_joined`)."""
        self.roster.leave(user_id)
        self.version += 1
        turn = self.turn
        if turn is not None and turn.user == user_id:
            self._give_up(turn)
        self._deal_in(0.0)

    def act(self, user_id: str, order: Order) -> None:
        """Take the turn; an invalid bet folds. Raises `TableRefusal`: `not_joined`, `out_of_turn`."""
        member = self.roster.playing.get(user_id)
        if member is None and user_id not in self.roster.queue:
            raise TableRefusal("The authenticated player has not joined this game.", code="not_joined")
        turn = self.turn
        if member is None or turn is None or turn.user != user_id:
            raise TableRefusal(f"controller: not this player's turn: {user_id}", code="out_of_turn")
        state = turn.state
        invalid: InvalidBet | None = None
        try:
            action = action_of(order, state.public, state.seat)
        except IllegalAction as error:
            action = Fold()
            invalid = InvalidBet(user_id, order.amount or 0, str(error))
        try:
            member.player.act(action, hand_id=state.hand_id, seq=state.seq)
        except (IllegalAction, StaleAction):
            raise TableRefusal(f"controller: not this player's turn: {user_id}", code="out_of_turn") from None
        if invalid is not None:
            self.invalid_bet = invalid
            self.version += 1

    # -- what is heard -----------------------------------------------------------------------

    def heard(self, user_id: str, news: News) -> None:
        """Hear what one player hears of this table."""
        if isinstance(news, HandState):
            self._hand_state(user_id, news)
        elif isinstance(news, TableNews) and news.what in ("hand_ended", "hand_voided"):
            assert news.hand_id is not None
            if news.hand_id != self._ended:
                self._ended = news.hand_id
                self._hand_over(voided=news.what == "hand_voided")

    def _hand_state(self, user_id: str, state: HandState) -> None:
        if state.hand_id == self._ended:
            return  # the last words of a hand that is booked already
        if state.hand_id != self._hand_id:
            self._hand_id = state.hand_id
            self.dealt = {}
            self.public = self.invalid_bet = None
        self.dealt[user_id] = state
        self.version += 1
        if self.public is None or state.seq > self.public.seq or state.public.over:
            self.public = state.public
            self._end_turn()
        if state.turn is not None and state.seq == self.public.seq:
            self._begin_turn(user_id, state)

    def _begin_turn(self, user_id: str, state: HandState) -> None:
        self._end_turn()
        seconds = self._rules.turn_seconds
        turn = self.turn = Turn(user_id, state, self._clock.now() + seconds)
        if user_id not in self.roster.playing:
            self._give_up(turn)
            return
        self._timer = self._clock.later(seconds, lambda: self._time_out(turn))

    def _end_turn(self) -> None:
        self.turn = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self, turn: Turn) -> None:
        """Fold for somebody who has left."""
        self._end_turn()
        turn.state.act(Fold())
        # should the journal be full, the hand keeps the turn: fold again until it is taken
        self._timer = self._clock.later(_RETRY_SECONDS, lambda: self._give_up(turn))

    def _time_out(self, turn: Turn) -> None:
        """Fold for somebody whose time is up, and take the seat."""
        if self.turn is not turn:
            return
        try:
            self.leave(turn.user)
        except StorageFailed:
            self._timer = self._clock.later(_RETRY_SECONDS, lambda: self._time_out(turn))

    def _hand_over(self, *, voided: bool) -> None:
        self._end_turn()
        self.version += 1
        public = self.public
        if voided or public is None or not public.over:
            self.public, self.dealt = None, {}
        else:
            self.hands += 1
            self.winners = self._winners(public)
            for seat, member in self.at.items():
                if public.setup.stacks[seat]:
                    member.wealth = public.chips_behind[seat]
        self._deal_in(self._rules.pause)

    def _winners(self, public: PublicState) -> list[tuple[str, list[str]]]:
        """Give who has shown a hand and won more than was put in."""
        shown = dict(public.shown)
        won = []
        for user_id, state in self.dealt.items():
            hole = shown.get(state.seat)
            if hole is not None and public.chips_behind[state.seat] > public.setup.stacks[state.seat]:
                won.append((user_id, [str(card) for card in made_hand([*hole, *public.board]).cards]))
        return won

    # -- the next hand -----------------------------------------------------------------------

    def come_back(self) -> None:
        """After a restart, the roster having been read: finish what was under way, then go on dealing."""
        self.at = self._seated()
        self.roster.come_back()
        self._deal_in(0.0)

    def _seated(self) -> dict[int, Member]:
        """Who sits where now: a seat may be another's while a hand is still shown."""
        members = self.roster.members
        seats = enumerate(self.table.state().seats)
        return {
            number: members[seat.player]
            for number, seat in seats
            if seat is not None and seat.player in members
        }

    def _deal_in(self, seconds: float) -> None:
        if self._next is None and not self._closed:
            self._next = self._clock.later(seconds, self._between)

    def _between(self) -> None:
        """Clear seats, fill them from the queue, and deal if two can play."""
        self._next = None
        if self._closed:
            return
        try:
            before = self.roster.changes
            self.roster.tidy()
            self.version += self.roster.changes - before
            if self.table.state().hand_id is None:
                seated = self._seated()
                with suppress(TableRefusal):  # too few can play: somebody will come
                    self.table.deal()
                    self.at = seated
        except StorageFailed as error:
            _log.warning("game %s waits: %s", self.id, error)
            self._deal_in(_RETRY_SECONDS)
        except PokerError as error:
            _log.error("game %s stops: %s", self.id, error)

    def close(self) -> None:
        """Deal no more and forget the clock; the hand being played is left to the Room."""
        self._closed = True
        self._end_turn()
        if self._next is not None:
            self._next.cancel()

    def __repr__(self) -> str:
        return f"<Game: {self.id}, {len(self.roster.playing)} play, {len(self.roster.queue)} wait>"
