"""The settings of a run of the fault bench: players, chips, and the kind of table."""

from __future__ import annotations

from random import Random
from typing import Final

import attrs

from poker_actors.actors import TimeBank
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, HOLDEM, Action, Call, Check, Game, RaiseTo, Stakes, View
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.rules.games import Rotation

__all__ = ["TIME_BANK", "RunSettings", "short_raiser"]


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
_CROWDED: Final = 0.12
"""Share of runs in which more players come than there are seats."""
_WITH_OPTIONS: Final = 0.1
"""Share of runs at tables with options."""
_OPTIONS: Final = CashOptions(Rake(500, 7), bomb_pot=15, bomb_every=5, boards=2)
TIME_BANK: Final = TimeBank(25, refill=5)


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

    @property
    def journaled(self) -> bool:
        """Whether a journal can keep the game. It keeps a name, so not for games from a user's file."""
        games = self.game.games if isinstance(self.game, Rotation) else (self.game,)
        return all(GAMES.get(game.name) is game for game in games)

    @classmethod
    def draw(cls, seed: int, hands: int, game: str = "holdem") -> RunSettings:
        """Draw a run: number of players, depth of stacks, antes, straddle, options.

        Raises `BadSpec` for an unknown game, or for dealer's choice: nobody is there to choose.
        """
        rules = Rotation.named(game)
        if isinstance(rules, Rotation) and rules.choice:
            raise BadSpec(f"{rules}: here is no dealer to name a game; name games, such as stud+razz")
        luck = Random(seed)
        players = luck.choice((2, 3, 4, 6, 7, 8, 8))
        extra = luck.choice(("none", "none", "ante", "big blind ante", "straddle"))
        stakes = Stakes(
            5,
            10,
            ante=3 if extra == "ante" else 0,
            big_blind_ante=10 if extra == "big blind ante" else 0,
            straddle=20 if extra == "straddle" else 0,
        )
        stack = luck.choice((35, 35, 60, 90, 170, 1000))
        crowd = luck.choice(_CROWDS)
        if luck.random() < 0.35:
            # a full table of short stacks that go all-in: short raises on short raises
            players, stack, crowd = 8, luck.choice((50, 70)), ("random", _SHORT_RAISER, _SHORT_RAISER)
        players = min(players, rules.max_seats)
        seats = min(players + 1, 9, rules.max_seats)
        rush = Random(f"{seed} rush")
        waiting = rush.choice((1, 2, 3)) if rush.random() < _CROWDED else 0
        come = seats + waiting if waiting else players
        options = _OPTIONS if Random(f"{seed} house").random() < _WITH_OPTIONS else None
        if not rules.board_cards:
            options = None
        if isinstance(rules, Game):
            stakes = rules.stakes_like(stakes)
        return cls(seed, hands, come, seats, stakes, stack, crowd, waiting, options, rules)
