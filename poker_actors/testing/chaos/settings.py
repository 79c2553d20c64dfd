"""The settings of a run of the fault bench: tables, people, chips, and the game."""

from __future__ import annotations

from random import Random
from typing import Final, Literal

import attrs

from poker_actors.actors import TimeBank
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, HOLDEM, Action, Call, Check, Game, RaiseTo, Stakes, View
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.rules.games import Rotation

RuntimeName = Literal["stepper", "threads", "loop"]
Outcome = Literal["done", "refused", "unknown"]
"""The outcome of a command; one whose handler crashed may or may not have been carried out."""


def short_raiser(view: View) -> Action:
    """Go all-in if that is less than a full raise; else make a minimum raise once a street, or check or call."""
    legal = view.legal
    if legal.discards or legal.lays:
        return legal.passive
    street = view.street
    acted = any(taken.seat == view.seat and taken.street == street for taken in view.actions)
    short = view.public.min_raise_to > legal.all_in_total > view.public.bet
    if legal.can_raise and (short or (not acted and view.rng.random() < 0.5)):
        return RaiseTo(legal.min_raise_to)
    return Call() if view.to_call else Check()


_SHORT_RAISER: Final = f"{__name__}:short_raiser"
"""Named by its import path, so that a room reopened from its journal finds it again."""

_CROWDS: Final[tuple[tuple[str, ...], ...]] = (
    ("random", "maniac", "caller", "tight", "loose", "random", "maniac", "caller"),
    ("random",),
    ("caller", "random", "caller"),
)
_SHORT: Final = 0.45
"""Share of runs at a full table of short stacks."""
_CROWDED: Final = 0.12
"""Share of runs in which more players come than there are seats."""
_OPTIONS: Final = CashOptions(Rake(500, 7), bomb_pot=15, bomb_every=5, boards=2)
_HOUSES: Final = (_OPTIONS, _OPTIONS, CashOptions(boards=3), CashOptions(Rake(250, 3), boards=2))
_WITH_OPTIONS: Final = 0.25
"""Share of runs at tables with options."""
TIME_BANK: Final = TimeBank(25, refill=5)
_OTHER_GAMES: Final = (*(name for name in GAMES if name != HOLDEM.name), "horse", "8-game")
_IN_OTHER_GAMES: Final = 1 / 3
"""Share of runs in a game other than hold'em, unless a game is asked for."""
_TWO_TABLES, _WATCHED, _FROM_OUTSIDE, _OWED = 0.4, 0.5, 0.5, 0.3
"""Shares of runs with two tables, with spectators, with players from outside, and with missed blinds owed."""


@attrs.frozen
class RunSettings:
    """The settings of a run; all follow from its seed."""

    seed: int
    hands: int
    players: int
    seats: int
    stakes: Stakes
    stack: int
    crowd: tuple[str, ...]
    """bots of the players, in turn"""
    waiting: int = 0
    """players who come beyond the number of seats"""
    options: CashOptions | None = None
    """rake, bomb pots, boards run twice"""
    game: Game | Rotation = HOLDEM
    missed_blinds: bool = False
    """whether missed blinds are owed, and players sometimes wait for the big blind"""
    tables: int = 1
    spectators: int = 0
    outside: float = 0.0
    """share of players without a bot, for whom the bench acts"""

    @property
    def journaled(self) -> bool:
        """Whether a journal can keep the game. It keeps a name, so not for games from a user's file."""
        games = self.game.games if isinstance(self.game, Rotation) else (self.game,)
        return all(GAMES.get(game.name) is game for game in games)

    @classmethod
    def draw(cls, seed: int, hands: int, game: str | None = None, bots: tuple[str, ...] = ()) -> RunSettings:
        """Draw a run: number of players, depth of stacks, antes, straddle, options, and other people.

        Without a `game`, about every third run is not hold'em. `bots` join the house bots at every table. Raises
        `BadSpec` for an unknown game, or for dealer's choice: nobody is there to choose.
        """
        rules = Rotation.named(_game_of(seed) if game is None else game)
        if isinstance(rules, Rotation) and rules.choice:
            raise BadSpec(f"{rules}: there is no dealer to choose a game: name the games, such as stud+razz")
        luck = Random(seed)
        players = luck.choice((2, 3, 4, 6, 7, 8, 8))
        stakes = _stakes(luck)
        stack = luck.choice((35, 35, 60, 90, 170, 1000))
        crowd = luck.choice(_CROWDS)
        if luck.random() < _SHORT:
            # a full table of short stacks that go all-in: short raises on short raises
            players, stack, crowd = 8, luck.choice((50, 70)), ("random", _SHORT_RAISER, _SHORT_RAISER)
        players = min(players, rules.max_seats)
        seats = min(players + 1, 9, rules.max_seats)
        rush = Random(f"{seed} rush")
        waiting = rush.choice((1, 2, 3)) if rush.random() < _CROWDED else 0
        house = Random(f"{seed} house")
        options = house.choice(_HOUSES) if house.random() < _WITH_OPTIONS else None
        if not rules.board_cards:
            options = None
        if isinstance(rules, Game):
            stakes = rules.stakes_like(stakes)
        people = Random(f"{seed} people")
        crowd = tuple(bot for one in crowd for bot in (*bots, one)) if bots else crowd
        return cls(
            seed,
            hands,
            players=seats + waiting if waiting else players,
            seats=seats,
            stakes=stakes,
            stack=stack,
            crowd=crowd,
            waiting=waiting,
            options=options,
            game=rules,
            missed_blinds=stakes.big_blind > 0 and Random(f"{seed} owed").random() < _OWED,
            tables=2 if people.random() < _TWO_TABLES else 1,
            spectators=people.choice((1, 2)) if people.random() < _WATCHED else 0,
            outside=people.choice((0.2, 0.5)) if people.random() < _FROM_OUTSIDE else 0.0,
        )


def _stakes(luck: Random) -> Stakes:
    """Draw an ante, a big blind ante, a straddle, or nothing of the kind."""
    extra = luck.choice(("none", "none", "ante", "big blind ante", "straddle"))
    return Stakes(
        5,
        10,
        ante=3 if extra == "ante" else 0,
        big_blind_ante=10 if extra == "big blind ante" else 0,
        straddle=20 if extra == "straddle" else 0,
    )


def _game_of(seed: int) -> str:
    """Return the game of a run for which none is asked."""
    luck = Random(f"{seed} game")
    return luck.choice(_OTHER_GAMES) if luck.random() < _IN_OTHER_GAMES else HOLDEM.name
