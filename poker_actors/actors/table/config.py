"""A table's settings."""

from __future__ import annotations

import attrs

from poker_actors.actors.hand.messages import TimeBank, check_seconds
from poker_actors.errors import BadSpec
from poker_actors.rules import HOLDEM, Game, Stakes, whole_chips
from poker_actors.rules.cash import CashOptions, check_stakes
from poker_actors.rules.games import Rotation

__all__ = ["TableConfig", "game_of", "one_game_of", "stakes_of"]


def stakes_of(given: str | Stakes) -> Stakes:
    """Return stakes, given as such or as text; raises `BadSpec` for anything else."""
    if isinstance(given, str):
        return Stakes.parse(given)
    if not isinstance(given, Stakes):
        raise BadSpec(f"stakes {given!r:.40} are neither Stakes nor text such as 1/2")
    return given


def game_of(given: str | Game | Rotation) -> Game | Rotation:
    """Return a game or a rotation, given as such or by name; raises `BadSpec` for anything else."""
    if isinstance(given, str):
        return Rotation.named(given)
    if not isinstance(given, Game | Rotation):
        raise BadSpec(f"game {given!r:.40} is neither a Game nor the name of one")
    return given


def one_game_of(given: str | Game) -> Game:
    """Return a game, given as such or by name; raises `BadSpec` for anything else, a rotation included."""
    game = game_of(given)
    if isinstance(game, Rotation):
        raise BadSpec(f"a hand is of one game, and {game} is a rotation")
    return game


@attrs.frozen
class TableConfig:
    """The settings of a table. Chips are whole numbers, times are in seconds.

    With `restack`, every stack is brought to that size after each hand, against the bank, for matches
    whose hands all start alike. `button` is the seat of the first hand's button, by default the last
    seat ready; with `button_moves` false it stays there, for games in which the house always opens.
    `turn_seconds` None sets no deadline.
    """

    name: str
    seats: int = 6
    stakes: Stakes = attrs.field(factory=Stakes, converter=stakes_of)
    game: Game | Rotation = attrs.field(default=HOLDEM, converter=game_of)
    turn_seconds: float | None = None
    restack: int = 0
    button: int | None = None
    first_hand: int = 0
    button_moves: bool = True
    late_hands: int = 2
    """a player who runs out of time in this many hands in a row is sat out"""
    options: CashOptions | None = None
    """rake, bomb pots, boards run more than once"""
    time_bank: TimeBank | None = None
    """time that players may take beyond `turn_seconds`"""
    missed_blinds: bool = False
    """whether a player owes the blinds missed while sitting out, and a new player the big blind"""
    ledger: bool = False
    """whether the bank counts what each player brings and takes: see `Bank.accounts`"""

    def __attrs_post_init__(self) -> None:
        for name in ("seats", "button", "first_hand"):
            number = getattr(self, name)
            if type(number) is not int and (name, number) != ("button", None):
                raise BadSpec(f"{name} {number!r:.40} is not a whole number")
        for name, kind in (("options", CashOptions), ("time_bank", TimeBank)):
            given = getattr(self, name)
            if given is not None and not isinstance(given, kind):
                raise BadSpec(f"{name} {given!r:.40} is not {kind.__name__}(...) or None")
        for name in ("button_moves", "missed_blinds", "ledger"):
            if type(getattr(self, name)) is not bool:
                raise BadSpec(f"{name} {getattr(self, name)!r:.40} is neither True nor False")
        if self.missed_blinds and isinstance(self.game, Game) and not self.stakes.big_blind:
            raise BadSpec(f"missed_blinds: {self.game} {self.stakes} has no blinds to miss")
        if not 2 <= self.seats <= self.game.max_seats:
            raise BadSpec(f"{self.seats} seats: a table of {self.game} has 2 to {self.game.max_seats}")
        if self.button is not None and not 0 <= self.button < self.seats:
            raise BadSpec(f"button {self.button} is not a seat: seats are 0 to {self.seats - 1}")
        whole_chips("restack", self.restack)
        if self.first_hand < 0:
            raise BadSpec(f"first_hand {self.first_hand} is below 0")
        if self.turn_seconds is not None:
            check_seconds("turn_seconds", self.turn_seconds)
        if self.time_bank is not None and self.turn_seconds is None:
            raise BadSpec("a time bank is for tables with turn_seconds: without a deadline nobody needs it")
        options = self.options
        if options is not None and not self.game.board_cards and (options.bomb_pot or options.boards > 1):
            raise BadSpec(f"{self.game} has no board: it has no bomb pots and none to run twice")
        if isinstance(self.game, Game):
            # checked before the table opens: a hand that cannot be dealt is void, and a room with its records would not open
            check_stakes(self.stakes, self.game, None if options is None else options.of_hand(0))
