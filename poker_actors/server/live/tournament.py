"""One tournament: the terms it was announced with, and its tables, seen and played as games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Final, NoReturn

import attrs

from poker_actors.actors import HandState, Player
from poker_actors.cards import Card
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.rules import HOLDEM, Hand
from poker_actors.rules.games import Rotation
from poker_actors.server.hspe import (
    Due,
    Game,
    Key,
    Lobby,
    Member,
    NamedAction,
    Order,
    Rules,
    Setting,
    TournamentGame,
    game_served,
)
from poker_actors.server.hspe.roster import Roster
from poker_actors.server.hspe.turn import OpenTurn
from poker_actors.server.notes import Notes
from poker_actors.server.shapes import Limit, When, check_fields, fields_of, held, object_of
from poker_actors.server.users import User
from poker_actors.sim.tournaments import Structure, blinds, prizes

MOST_ENTRANTS: Final = 60
"""The most entrants: six full tables, beside the others of this process."""
STACK: Final = 1_500
"""75 big blinds of the first level, as usual for sit-and-gos."""
_BUY_IN: Final = 100
"""Play money, minted for each entrant: a prize reads as a percentage of it."""
_LEVELS: Final = 16
"""Levels with listed blinds; beyond them the blinds double, so that every tournament ends."""
_REBUYS: Final = 10


@held(
    When(
        *("rebuys", tuple(range(1, _REBUYS + 1)), "late_levels"),
        "rebuys {}: they need late_levels, but there are none",
        among=tuple(range(1, _LEVELS + 1)),
    )
)
@attrs.frozen
class Announcement:
    """The terms of a tournament, which begins when `players` have entered.

    Levels last `minutes`, turns `turn_seconds`. During the first `late_levels` people can still enter, and
    a player out of chips can rebuy, `rebuys` times. `seats` is at most the game's maximum, by default that or
    6; `name` has printable characters only.
    """

    name: Annotated[str, Limit(most=32)] = ""
    players: Annotated[int, Limit(2, MOST_ENTRANTS)] = 6
    seats: Annotated[int, Limit(2, 10)] = 6
    """seats of a table"""
    minutes: Annotated[int, Limit(1, 60)] = 5
    turn_seconds: Annotated[int, Limit(5, 120)] = 30
    late_levels: Annotated[int, Limit(0, _LEVELS)] = 0
    rebuys: Annotated[int, Limit(0, _REBUYS)] = 0
    """rebuys of each player"""
    game: TournamentGame = HOLDEM.name
    """the game; several games change with each level"""

    def __attrs_post_init__(self) -> None:
        check_fields(self)
        if not self.name.isprintable():
            raise BadSpec("the name of a tournament must be at most 32 printable characters")
        if self.seats > self.most_seats:
            raise BadSpec(f"seats {self.seats} is not a whole number from 2 to {self.most_seats}")

    @property
    def most_seats(self) -> int:
        """The most seats of a table of the game; raises `BadSpec` for a game without tournaments."""
        rules = game_served(self.game)
        if isinstance(rules, Rotation) and rules.choice:
            raise BadSpec(
                f"a tournament of {self.game}: its games change by level, and nobody can choose them"
            )
        return min(10, rules.max_seats)

    @property
    def structure(self) -> Structure:
        """The structure for the simulator's tournaments."""
        return Structure(
            "sng",
            blinds(10, _LEVELS),
            self.minutes * 60,
            stack=STACK,
            seats=self.seats,
            buy_in=_BUY_IN,
            late_until=self.late_levels,
            rebuys=self.rebuys,
            rebuy_until=self.late_levels if self.rebuys else 0,
            game=self.game,
        )

    @property
    def prizes(self) -> list[int]:
        """The prizes from the first place on, if `players` enter and nobody enters late or again."""
        structure = self.structure
        pool = structure.buy_in * self.players
        return list(prizes(pool, structure.shares_of(self.players), structure.prize_unit))


def read_announced(body: bytes) -> Announcement:
    """Read ``{"name": "Sunday", "players": 6, "seats": 6, "minutes": 5}``, all of it optional; raises `BadSpec`."""
    plain = object_of(body.strip() or b"{}")
    names = fields_of(Announcement).keys()
    if plain is None or not plain.keys() <= names:
        raise BadSpec(f"a tournament must be an object with {', '.join(sorted(names))}")
    if "game" in plain and "seats" not in plain:
        plain["seats"] = min(Announcement().seats, game_served(plain["game"]).max_seats)
    return Announcement(**plain)


# -- tables ----------------------------------------------------------------------------------


class _Drawn(Roster):
    """Seats drawn by the tournament: players cannot take one, give one up, or add chips."""

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
    """A table of a tournament, whose players `find` finds by name.

    The room acts for players out of time; plans are carried out here.
    """

    def __init__(
        self,
        lobby: Lobby,
        name: str,
        setting: Setting,
        find: Callable[[str], tuple[User, Player]],
    ) -> None:
        self._room = lobby.room
        table = lobby.room.tables[name]
        self._drawn = _Drawn(lobby.room, table, Notes(), setting)
        self._find = find
        told = _Told(lobby.on_change, lobby.ended, lobby.shown)
        super().__init__(table, self._drawn, setting, Rules(), lobby.clock, told)

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
        self.setting = attrs.evolve(
            self.setting,
            small_blind=min(stakes.small_blind, unit),
            big_blind=unit,
            buy_in=max(self.setting.buy_in, unit),  # of a setting it is at least a big blind, which rises
        )

    def _time_out(self, turn: OpenTurn) -> None:
        """Do nothing: the room's own clock acts for players out of time."""

    def _deal_in(self, seconds: float) -> None:
        """Do nothing: the tournament deals."""
