"""A tournament's table, seen and played as a game; the tournament sets seats, blinds and time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

import attrs

from poker_actors.actors import HandState, Player, Room
from poker_actors.cards import Card
from poker_actors.errors import TableRefusal
from poker_actors.rules import Hand
from poker_actors.server.hspe.clock import Clock
from poker_actors.server.hspe.game import Game
from poker_actors.server.hspe.orders import Order
from poker_actors.server.hspe.roster import Member, Roster
from poker_actors.server.hspe.setting import Rules, Setting
from poker_actors.server.hspe.turn import Due, Key, NamedAction, OpenTurn
from poker_actors.server.users import Notes, User


class _Drawn(Roster):
    """Seats drawn by the tournament: nobody takes one, gives one up, or adds chips."""

    def seat(self, members: Mapping[str, Member]) -> None:
        """Note who sits here in the current hand."""
        self._members = dict(members)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TableRefusal("seats and stacks here are the tournament's", code="not_yours")

    join = leave = leave_after_hand = sit_out = sit_in = top_up = missing = seat_house = _refuse

    @property
    def free(self) -> int:
        """None: nobody can take a seat."""
        return 0

    def tidy(self) -> None:
        """Change nothing."""

    def _write(self, waiting: Mapping[str, object], members: Mapping[str, Member]) -> None:
        """Record nothing: the tournament does."""


@attrs.frozen
class _Told:
    """Hears of a table's changes, and of its hands."""

    on_change: Callable[[Game], None]
    ended: Callable[[Game, Hand, str, Mapping[int, Member]], None]
    shown: Callable[[Game, str, str, tuple[Card, ...]], None]

    def changed(self, game: Game) -> None:
        self.on_change(game)

    talked = changed

    def taken(self, game: Game, member: Member, key: Key, done: NamedAction | Order) -> None:
        """Remember no turns."""

    def due(self, game: Game, due: Due) -> None:
        """Keep nothing: the room has the clock."""


class TournamentTable(Game):
    """A table of a tournament. The room acts for players out of time; plans are carried out here."""

    def __init__(
        self,
        room: Room,
        name: str,
        setting: Setting,
        clock: Clock,
        find: Callable[[str], tuple[User, Player]],
        *,
        on_change: Callable[[Game], None],
        on_ended: Callable[[Game, Hand, str, Mapping[int, Member]], None],
        on_shown: Callable[[Game, str, str, tuple[Card, ...]], None],
    ) -> None:
        self._room = room
        table = room.tables[name]
        self._drawn = _Drawn(room, table, Notes(), setting)
        self._find = find
        super().__init__(table, self._drawn, setting, Rules(), clock, _Told(on_change, on_ended, on_shown))

    def _hand_state(self, user_id: str, state: HandState) -> None:
        if state.hand_id not in (self.hand_id, self._ended):
            self._seat(state)
            live = self._room.live_hands.get(self.id)
            if live is not None:
                self._await(live)
        super()._hand_state(user_id, state)

    def _seat(self, state: HandState) -> None:
        """Take players and blinds from the first news of a hand."""
        setup, members = state.public.setup, {}
        self.at = {}
        for seat, name in enumerate(state.names):
            if name is None:
                continue
            user, player = self._find(name)
            member = Member(user, player, setup.stacks[seat], what="playing", seat=seat, keeps_seat=True)
            members[user.id] = self.at[seat] = member
        self._drawn.seat(members)
        stakes = setup.stakes
        unit = stakes.big_blind or stakes.min_bet  # without blinds, what bets are counted in
        self.setting = attrs.evolve(self.setting, small_blind=min(stakes.small_blind, unit), big_blind=unit)

    def _time_out(self, turn: OpenTurn) -> None:
        """Do nothing: the room's own clock acts for players out of time."""

    def _deal_in(self, seconds: float) -> None:
        """Do nothing: the tournament deals."""
