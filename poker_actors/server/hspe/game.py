"""One HSPE game: a table of the Room, its players and queue, the turn and its clock, the next deal."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

import attrs

from poker_actors.actors import HandState, LiveHand, News, Player, Table, TableNews
from poker_actors.errors import IllegalAction, PokerError, RoomError, StaleAction, StorageFailed, TableRefusal
from poker_actors.rules import Action, Fold, PublicState
from poker_actors.server.contract import Plan
from poker_actors.server.hspe.hearing import Chat, HandsHeard, Heard, won_by_showing
from poker_actors.server.hspe.house import HouseSeat
from poker_actors.server.hspe.roster import Member, Roster
from poker_actors.server.hspe.setting import Rules, Setting
from poker_actors.server.hspe.turn import (
    KEPT_SECONDS,
    Alarm,
    Clock,
    DealersChoice,
    Due,
    InvalidBet,
    Key,
    NamedAction,
    OpenChoice,
    OpenTurn,
    Order,
    Plans,
    TurnsTaken,
    action_of,
    not_to_name,
    planned,
)
from poker_actors.server.users import User

_log: Final = logging.getLogger("poker_actors.server")

_RETRY_SECONDS: Final = 1.0
"""Seconds until a refused command (an actor restarts, the journal is full) is retried: neither a busy loop nor a hang."""
_LOOK_AT_CLOCK: Final = 3600.0
"""The longest wait in one piece, in seconds."""
_LOOK_SECONDS: Final = 0.05
"""Seconds until an entrant that was thinking is looked at again."""


class Game:
    """One game. It runs in the room's thread; players' actors tell it what happens.

    Its visible state changes only with `version`, so a view may be kept while that stays the same.
    """

    def __init__(
        self, table: Table, roster: Roster, setting: Setting, rules: Rules, clock: Clock, owner: Heard[Game]
    ) -> None:
        self.id: Final = table.name
        self.table: Final = table
        self.setting = setting
        self.rules: Final = rules
        self.roster: Final = roster
        self.version = self.hands = 0  # hands that have ended, those before a restart included
        self.public: PublicState | None = None
        """of the current or last hand"""
        self.at: dict[int, Member] = {}
        """seat -> member at that deal"""
        self.gone: Mapping[int, str] = {}
        """seat -> name of a player dealt into the last hand before a restart who has left since"""
        self.dealt: dict[str, HandState] = {}
        """user id -> the last state of that hand the player heard"""
        self.turn: OpenTurn | None = None
        self.before: Mapping[Key, Due] = {}
        """when turns end that were open before the room was reopened: they keep the rest of their time"""
        self.winners: list[tuple[str, list[str]]] | None = None
        """of the last hand: the players who won by showing, and their five cards; None before the first"""
        self.invalid_bet: InvalidBet | None = None
        """of the hand being shown"""
        self.notice: str | None = None  # news that cards and chips do not show, until the next hand
        self.hand_id = ""
        """of the hand being shown or the one before"""
        self.choice: Final = DealersChoice.of(setting)
        self.told: Final = HandsHeard()
        self.chat: Final = Chat(setting.chat)
        self._heard_by = owner
        self._clock = clock
        self._taken: TurnsTaken[NamedAction | Order] = TurnsTaken()
        self._plans: Final = Plans()
        self._ended, self._closed = "", False
        self._timer: Alarm | None = None
        self._next: Alarm | None = None

    @property
    def turn_seconds(self) -> float:
        """The time for a turn: this game's own, or else the server's."""
        return self.setting.turn_seconds or self.rules.turn_seconds

    def sees_now(self, user_id: str | None) -> bool:
        """Return whether a user sees the table as it is now; with a delay, users without a seat see it later."""
        return not self.setting.watch_delay or self.roster.plays(user_id)

    def own_hand(self, user_id: str) -> HandState | None:
        """Return the shown hand as its player was told it; None after leaving, even for a player who has come back."""
        state, member = self.dealt.get(user_id), self.roster.playing.get(user_id)
        return None if state is None or member is None or member is not self.at.get(state.seat) else state

    def _turn_of(self, user_id: str) -> OpenTurn | None:
        turn = self.turn
        return turn if turn is not None and turn.user == user_id else None

    def _changed(self) -> None:
        self.version += 1
        self._heard_by.changed(self)

    def talked(self) -> None:
        """Report a change of the chat, which leaves the game unchanged."""
        self._heard_by.talked(self)

    def _goes_on(self) -> None:
        """Report a change after which a hand may be dealt."""
        self._changed()
        self._deal_in(0.0)

    # -- commands ----------------------------------------------------------------------------

    def join(self, user: User, player: Player, *, seat: int | None = None, keeps_seat: bool = False) -> bool:
        """Take a seat, or a place in the queue of a full game; return whether it is a seat.

        With `keeps_seat`, as for a person, a missed turn means sitting out; without, as for a program,
        leaving. Raises `TableRefusal`: `already_joined`, `seat_taken`, `too_many` waiting.
        """
        seated = self.roster.join(user, player, self.rules.waiting, seat=seat, keeps_seat=keeps_seat)
        self._goes_on()
        return seated

    def join_house(self, seat: HouseSeat, player: Player) -> None:
        """Give a free seat to a player of the house."""
        self.roster.seat_house(seat, player)
        self._goes_on()

    def leave(self, user_id: str) -> None:
        """Fold and leave; chips won or lost are forfeited. Raises `TableRefusal` (`not_joined`)."""
        self.roster.leave(user_id)
        self._changed()
        if (turn := self._turn_of(user_id)) is not None:
            self._give_up(turn)
        self._deal_in(0.0)

    def leave_after_hand(self, user_id: str, *, leave: bool) -> None:
        """Leave after the current hand, or at once outside a hand; or stay after all. See `leave`."""
        self.roster.leave_after_hand(user_id, leave=leave)
        self._goes_on()

    def show(self, user_id: str) -> None:
        """Turn up a player's cards of the hand that is over, until the next is dealt.

        Raises `TableRefusal` (`not_joined`, `hand_in_progress`, `not_at_table`).
        """
        self.roster.joined(user_id)
        state = self.own_hand(user_id)
        if state is None:
            raise TableRefusal("you were not dealt into that hand", code="not_at_table")
        self.table.show_cards(self.roster.playing[user_id].player, hand_id=self.hand_id)
        self._heard_by.shown(self, self.hand_id, user_id, state.hole)

    def sit_out(self, user_id: str, *, out: bool, wait: bool = False) -> None:
        """Sit out and keep the seat, or play again: from the next hand or, with `wait`, from the next big blind.

        Raises `TableRefusal` (`not_joined`).
        """
        if out:
            self.roster.sit_out(user_id, self._clock.now())
            if (turn := self._turn_of(user_id)) is not None:
                self._answer(turn, partial(planned, "check_fold"))
        else:
            self.roster.sit_in(user_id, wait=wait)
        self._goes_on()

    def top_up(self, user_id: str) -> int:
        """Top up the stack to the buy-in, between hands; return the chips added. See `Roster.top_up`."""
        added = self.roster.top_up(user_id)
        self._goes_on()
        return added

    def plan(self, user_id: str, plan: Plan | None, hand_id: str | None = None) -> None:
        """Plan the next turn of the current hand in advance; None withdraws the plan.

        With `hand_id` it is for that hand only. Nobody else is told: `version` stays the same. A restart forgets it.
        Raises `TableRefusal`: `not_joined`; `not_active` for a player with no more turns in this hand; `stale_action`
        once the turn is there, or for another hand.
        """
        self.roster.joined(user_id)
        if plan is None:
            self._plans.take(user_id)
            return
        self._plans.check(self.dealt.get(user_id), self.public)
        if hand_id not in (None, self.hand_id) or self._turn_of(user_id) is not None:
            raise TableRefusal("it is already your turn, or this is another hand", code="stale_action")
        self._plans.keep(user_id, plan)

    def planned(self, user_id: str) -> Plan | None:
        """Return a player's plan for the next turn."""
        return self._plans.of(user_id)

    def act(self, user_id: str, order: Order, key: Key | None = None) -> None:
        """Take the turn; an invalid bet folds. Raises `TableRefusal`: `not_joined`, `out_of_turn`.

        With `key` it is for that turn alone; sent again, it changes nothing and gets the first answer.
        """
        self.roster.joined(user_id)
        self.check_contract()
        if self._taken.was(user_id, key, order):
            return
        turn = self._turn_of(user_id)
        if turn is None or key not in (None, turn.key):
            raise TableRefusal(f"controller: not this player's turn: {user_id}", code="out_of_turn")
        member, state, invalid = self.roster.playing[user_id], turn.state, None
        try:
            action = action_of(order, state.public, state.seat)
        except IllegalAction as error:
            action = Fold()
            invalid = InvalidBet(user_id, order.amount or 0, str(error))
        try:
            member.player.act(action, hand_id=state.hand_id, seq=state.seq)
        except (IllegalAction, StaleAction):
            raise TableRefusal(f"controller: not this player's turn: {user_id}", code="out_of_turn") from None
        self._took(member, turn.key, order, repeatable=key is not None)
        if invalid is not None:
            self.invalid_bet = invalid
            self._changed()

    def check_contract(self) -> None:
        """Raise `TableRefusal` (`other_game`) for a game HSPE cannot describe."""
        if not self.setting.by_contract:
            text = f"HSPE plays no-limit hold'em, but this table plays {self.setting.game}"
            raise TableRefusal(f"{text}: see /games/{self.id}/table", code="other_game")

    def take(self, user_id: str, move: NamedAction, key: Key | None = None) -> Key:
        """Take the turn with an action of the rules; an illegal one is refused and changes nothing.

        With `key` it is for that turn alone; sent again, it gets the first answer. Returns the key.
        Raises `TableRefusal` (`not_joined`, `out_of_turn`), `IllegalAction`, `StaleAction`.
        """
        member, mine = self.roster.joined(user_id), self._turn_of(user_id)
        if key is not None and self._taken.was(user_id, key, move):
            return key
        self._taken.check_cards(user_id, key, move)
        meant = key or (None if mine is None else mine.key)
        if member is None or meant is None:
            raise TableRefusal("it is not your turn", code="out_of_turn")
        action: Action = move.action(mine.state.legal if mine is not None and mine.key == meant else None)
        member.player.act(action, hand_id=meant[0], seq=meant[1])
        self._took(member, meant, move, repeatable=key is not None)
        return meant

    def _took(self, member: Member, key: Key, done: NamedAction | Order, *, repeatable: bool) -> None:
        """Remember a turn; durably if its key was sent, since it may then be repeated even after a restart."""
        self._taken.keep(member.user.id, key, done)
        if repeatable:
            self._heard_by.taken(self, member, key, done)

    def remember(self, user_id: str, key: Key, done: NamedAction | Order) -> None:
        """Restore a player's last turn, so that its repeat gets the same answer after a restart."""
        self._taken.keep(user_id, key, done)

    def choose(self, user_id: str, name: str) -> None:
        """Name the game of the next hands, in dealer's choice.

        Raises `TableRefusal` (`not_joined`, `out_of_turn`), and `BadSpec` for other games.
        """
        self.roster.joined(user_id)
        if self.choice is None:
            raise not_to_name()
        self.choice.take(user_id, name)
        self._goes_on()

    # -- news from the room ------------------------------------------------------------------

    def heard(self, user_id: str, news: News) -> None:
        """Handle one player's news of this table."""
        if isinstance(news, HandState):
            self._hand_state(user_id, news)
            if self.sees_now(user_id):
                self.told.hear(user_id, news, self.at)
        elif isinstance(news, TableNews) and news.what in ("hand_ended", "hand_voided"):
            assert news.hand_id is not None
            if news.hand_id != self._ended:
                self._ended = news.hand_id
                self._hand_over(voided=news.what == "hand_voided")

    def _hand_state(self, user_id: str, state: HandState) -> None:
        hand_id, public = state.change.hand_id, state.change.public
        if hand_id == self._ended:  # late news of a hand already booked, unless somebody shows
            shown = None if self.public is None or self.hand_id != self._ended else self.public.shown
            if shown is not None and len(public.shown) > len(shown):
                self.public = public
                self._changed()
            return
        if hand_id != self.hand_id:
            self.hand_id = hand_id
            if self.choice is not None:  # also for a hand that continues after a restart
                self.choice.name(state.change.number, public.setup.game)
            self.dealt, self.gone = {}, {}
            self.told.keep(self.roster.playing)
            self._plans.clear()
            self.public = self.invalid_bet = self.notice = None
        # the first player to hear of a change moves the game on; a late state must not reopen a turn already taken
        self.dealt[user_id] = state
        self._changed()
        if self.public is None or public.seq > self.public.seq or public.over:
            self.public = public
            self._end_turn()
        if state.turn is not None and public.seq == self.public.seq:
            self._begin_turn(user_id, state)

    def _begin_turn(self, user_id: str, state: HandState) -> None:
        self._end_turn()
        turn = OpenTurn(user_id, state, self._clock.now() + self.turn_seconds)
        turn = turn.until(self.before.get(turn.key))
        # even a planned action waits for the loop: everybody must hear of a turn before it is taken
        self.turn = turn
        member = self.roster.playing.get(user_id)
        if member is None:
            self._give_up(turn)
        elif member.away is not None:
            self._timer = self._clock.later(0.0, partial(self._answer, turn, partial(planned, "check_fold")))
        elif member.house is not None:
            self._timer = self._clock.later(
                self.setting.think, partial(self._answer, turn, member.house.decide)
            )
        elif (plan := self._plans.take(user_id)) is not None:
            choose = partial(planned, plan)
            self._timer = self._clock.later(0.0, partial(self._answer, turn, choose))
        else:
            self._wait(turn)

    def _wait(self, turn: OpenTurn, *, begun: bool = True) -> None:
        """Wait until the turn is over: hour by hour, because the loop's clock may stand still while a machine sleeps."""
        if begun and (turn.bank or self.turn_seconds >= KEPT_SECONDS):
            self._heard_by.due(self, turn.due)
        left = max(0.0, turn.expiry - self._clock.now())
        later = partial(self._wait, turn, begun=False)
        then = partial(self._time_out, turn) if left <= _LOOK_AT_CLOCK else later
        self._timer = self._clock.later(min(left, _LOOK_AT_CLOCK), then)

    def _answer(self, turn: OpenTurn, choose: Callable[[HandState], Action | None]) -> None:
        """Take the open turn for a player; retry later if the journal is full, and soon if an entrant is thinking."""
        if self._timer is not None:
            self._timer.cancel()
        action, again = choose(turn.state), partial(self._answer, turn, choose)
        # set before the act: taking the turn cancels the alarm, and with a full journal nothing else would retry
        self._timer = self._clock.later(_LOOK_SECONDS if action is None else _RETRY_SECONDS, again)
        if action is not None:
            turn.state.act(action)

    def _end_turn(self) -> None:
        turn, self.turn = self.turn, None
        if turn is not None and turn.bank and not self._closed:
            self.roster.keep_banks({turn.user: turn.bank_left(self._clock.now())})
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self, turn: OpenTurn) -> None:
        """Fold for a player who has left."""
        self._end_turn()
        legal = turn.state.legal
        # nobody folds in a draw or instead of a bring-in: that comes with the next bet
        turn.state.act(Fold() if Fold() in legal else legal.passive)
        # should the journal be full, the hand keeps the turn: fold again until it is taken
        self._timer = self._clock.later(_RETRY_SECONDS, lambda: self._give_up(turn))

    def _time_out(self, turn: OpenTurn) -> None:
        """Act for a player whose time is up, bank included: a person sits out, a program folds and loses the seat."""
        member = self.roster.playing[turn.user]  # the end of a turn cancels its alarm
        if member.bank and not turn.bank:
            self._draw_on_bank(turn, member.bank)
            return
        try:
            if member.keeps_seat:
                self.sit_out(turn.user, out=True)
                did = "sits out"
            else:
                self.leave(turn.user)
                did = "has left"
            self.notice = f"{member.user.name} ran out of time and {did}"
            self._changed()
        except StorageFailed:
            self._timer = self._clock.later(_RETRY_SECONDS, lambda: self._time_out(turn))

    def _draw_on_bank(self, turn: OpenTurn, seconds: float) -> None:
        """Give a player whose time is up the rest of the time bank."""
        self.turn = turn = attrs.evolve(turn, expiry=self._clock.now() + seconds, bank=seconds)
        self._wait(turn)
        self._changed()

    def _hand_over(self, *, voided: bool) -> None:
        self._end_turn()
        self._changed()
        public = self.public
        self.hands += not voided
        if voided:
            self.public, self.dealt = None, {}
            self.notice = "the hand is void: all chips are back where they were"
        elif public is not None:  # else it was over before the restart: see `Lobby._show_last`
            self.roster.refill_banks(self.dealt)
            dealt = {state.seat: one for one, state in self.dealt.items()}
            self.winners = won_by_showing(public, dealt) if self.setting.by_contract else []
            for seat, member in self.at.items():
                if public.setup.stacks[seat]:
                    member.wealth = public.chips_behind[seat]
        if self._next is not None:
            self._next.cancel()  # somebody came or went during the hand: the pause is no shorter for that
            self._next = None
        self._deal_in(self.rules.pause if self.setting.pause is None else self.setting.pause)

    # -- the next hand -----------------------------------------------------------------------

    def come_back(self, live: LiveHand | None) -> None:
        """After a restart, once the roster is read, finish interrupted work, then continue dealing.

        `live` is the hand that continued when the room was opened.
        """
        dealt = self.table.state().in_hand  # empty, too, if the hand ends as it goes on
        self.at = {seat: one for seat, one in self.roster.seated().items() if not dealt or seat in dealt}
        plays = live is not None and live.hand_id != self._ended  # else it is counted by now
        self.hands = self.table.state().number - plays
        if live is not None:
            self._await(live)
        with suppress(StorageFailed):  # until the journal can be written, the game is shown unchanged
            self.roster.come_back()
        self._deal_in(0.0)

    def _deal_in(self, seconds: float) -> None:
        if self._next is None and not self._closed:
            self._next = self._clock.later(seconds, self._between)

    def _between(self) -> None:
        """Clear seats, fill them from the queue, and deal if two can play."""
        self._next = None
        try:
            before = self.roster.changes
            self.roster.tidy()
            if self.roster.changes != before:
                self._changed()
            if self.table.state().hand_id is None and self.roster.people:
                self._deal()
        except StorageFailed as error:
            _log.warning("game %s waits: %s", self.id, error)
            self._deal_in(_RETRY_SECONDS)
        except PokerError as error:
            closing = error.code == "room_closed"  # and lets its last hands end
            _log.log(logging.INFO if closing else logging.ERROR, "game %s stops: %s", self.id, error)

    def _deal(self) -> None:
        seated, choice = self.roster.seated(), self.choice
        if choice and not self._is_named(choice, seated):
            return
        game = choice.game_of(self.table.state().number) if choice else None
        with suppress(TableRefusal):  # too few can play: the next join deals
            live = self.table.deal(game=game)
            self.at = seated
            self._await(live)

    def _is_named(self, choice: DealersChoice, seated: Mapping[int, Member]) -> bool:
        """Return whether the next hand's game is named; if not, ask a player to name it."""
        state, before = self.table.state(), choice.open
        ready = {seat: seated[seat] for seat in state.ready}
        named = len(ready) > 1 and choice.ask(state.number, ready, self._clock.now(), self.turn_seconds)
        if choice.open is not before:
            self._changed()
            self._clock.later(self.turn_seconds, partial(self._choose_late, choice, choice.open))
        return named

    def _choose_late(self, choice: DealersChoice, asked: OpenChoice | None) -> None:
        """Name the game for a player whose time is up."""
        if choice.lapse(asked):
            self._goes_on()

    def _await(self, live: LiveHand) -> None:
        """Record the hand once it is paid."""
        live.promise.when_done(partial(self._booked, live, dict(self.at)))

    def _booked(self, live: LiveHand, players: dict[int, Member]) -> None:
        with suppress(RoomError):  # the hand was given up with its actor, or the room is closing
            result = live.result(0)
            if result.hand is not None and not self._closed:
                self._heard_by.ended(self, result.hand, live.hand_id, players)

    def close(self) -> None:
        """Stop dealing and cancel the clock; the room takes care of the current hand."""
        self._closed = True
        self._end_turn()
        if self._next is not None:
            self._next.cancel()

    def __repr__(self) -> str:
        return f"<Game: {self.id}, {len(self.roster.playing)} play, {len(self.roster.queue)} wait>"
