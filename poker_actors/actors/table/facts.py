"""A table's settings, and conversions between the facts of a journal and the values of a room's actors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import attrs

from poker_actors.actors.hand import KEPT_SECONDS, TURNS
from poker_actors.actors.runtime import Address
from poker_actors.actors.table.seats import OwedBlinds, Seat, Seating, Waiting
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadJournal, BadSpec
from poker_actors.jsontext import parse_json
from poker_actors.rules import GAMES, HOLDEM, Game, Hand, Positions, Stakes, event, game_named, whole_chips
from poker_actors.rules.cash import CashOptions, HandOptions, check_stakes, deal_hand
from poker_actors.rules.games import Rotation
from poker_actors.store import (
    Fact,
    HandDealt,
    Ledger,
    Noted,
    SeatsChanged,
    TableImage,
    TableOpened,
    escrow_account,
    stack_account,
)
from poker_actors.store.fairness import SealedDeal, reshuffles


def stakes_of(given: str | Stakes) -> Stakes:
    """Return stakes, given as `Stakes` or as text; raises `BadSpec` for anything else."""
    if isinstance(given, str):
        return Stakes.parse(given)
    if not isinstance(given, Stakes):
        raise BadSpec(f"stakes {given!r:.40} are neither Stakes nor text such as 1/2")
    return given


def game_of(given: str | Game | Rotation) -> Game | Rotation:
    """Return a game or a rotation, given as an object or by name; raises `BadSpec` for anything else."""
    if isinstance(given, str):
        return Rotation.named(given)
    if not isinstance(given, Game | Rotation):
        raise BadSpec(f"game {given!r:.40} is neither a Game nor the name of one")
    return given


def one_game_of(given: str | Game) -> Game:
    """Return a game, given as a `Game` or by name; raises `BadSpec` for anything else, a rotation included."""
    game = game_of(given)
    if isinstance(game, Rotation):
        raise BadSpec(f"a hand is of one game, and {game} is a rotation")
    return game


MOST_SECONDS: Final = 31 * 86_400
"""A month for a turn: a player who takes longer has left, and every system's clock can wait this long."""


def check_seconds(name: str, value: object, *, above: float = 0.0) -> float:
    """Return a time in seconds above `above` and at most `MOST_SECONDS`; raises `BadSpec` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadSpec(
            f"{name} is {value!r:.40}: seconds must be a number above {above:g}, at most {MOST_SECONDS}"
        )
    if not above < value <= MOST_SECONDS:
        raise BadSpec(f"{name} {value} must be above {above:g} and at most {MOST_SECONDS} seconds, a month")
    return value


@attrs.frozen
class TimeBank:
    """Each player's time bank: `seconds` at the start and at most, plus `refill` for every hand dealt in."""

    seconds: float
    refill: float = 0.0

    def __attrs_post_init__(self) -> None:
        check_seconds("a time bank's seconds", self.seconds)
        if self.refill != 0:
            check_seconds("a time bank's refill", self.refill)


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
                raise BadSpec(f"{name} {given!r:.40} is neither {kind.__name__}(...) nor None")
        for name in ("button_moves", "missed_blinds", "ledger"):
            if type(getattr(self, name)) is not bool:
                raise BadSpec(f"{name} {getattr(self, name)!r:.40} must be True or False")
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
            raise BadSpec(f"{self.game} has no board: it has no bomb pots and cannot be run twice")
        if isinstance(self.game, Game):
            # checked before the table opens: a hand that cannot be dealt is void, and a room with its records would not open
            check_stakes(self.stakes, self.game, None if options is None else options.of_hand(0))


# -- facts ------------------------------------------------------------------------------------

BANKS: Final = "time banks/"
"""Prefix of the notes that keep the seconds left in a table's time banks."""


def opened_fact(config: TableConfig) -> TableOpened:
    """Return a table's settings as a fact; raises `BadSpec` for a game that cannot be found by name."""
    game = config.game
    games = game.games if isinstance(game, Rotation) else (game,)
    if any(GAMES.get(one.name) is not one for one in games):
        raise BadSpec(f"game {game.name!r} must be one of {', '.join(GAMES)}: a journal keeps games by name")
    fields = {name: getattr(config, name) for name in _SAME}
    return TableOpened(
        stakes=config.stakes.numbers(),
        game=game.name,
        options=() if config.options is None else config.options.packed(),
        time_bank=() if config.time_bank is None else attrs.astuple(config.time_bank),
        **fields,
    )


_SAME: Final = (
    "name", "seats", "turn_seconds", "restack", "button", "first_hand", "button_moves", "late_hands",
    "missed_blinds", "ledger",
)  # fmt: skip
"""Settings that need no conversion."""


def config_from(opened: TableOpened) -> TableConfig:
    """Return the settings of a `TableOpened`; raises `BadJournal`."""
    try:
        fields = {name: getattr(opened, name) for name in _SAME}
        return TableConfig(
            stakes=Stakes(*opened.stakes),
            game=Rotation.named(opened.game),
            options=CashOptions.unpacked(opened.options),
            time_bank=TimeBank(*opened.time_bank) if opened.time_bank else None,
            **fields,
        )
    except BadSpec as error:
        raise BadJournal(f"table {opened.name}: {error}") from None


def seats_fact(table: str, state: Seating) -> SeatsChanged:
    """Return the fact that says who sits where and who waits; stacks are in the ledger."""
    seats = tuple((seat.player, seat.out, seat.late) if seat else None for seat in state.seats)
    waiting = tuple((one.player, one.buy_in) for one in state.waiting)
    owed = tuple(attrs.astuple(one) for one in state.owed)
    return SeatsChanged(table, seats, waiting, state.once, state.leaving, owed)


def banks_fact(table: str, banks: Mapping[str, float]) -> Noted:
    """Return the fact that keeps a table's time banks (player -> seconds left)."""
    return Noted(f"{BANKS}{table}", json.dumps(banks))


def banks_in(notes: Mapping[str, str], table: str) -> dict[str, float]:
    """Return the time banks kept by `banks_fact`; empty if there are none."""
    kept: dict[str, float] = parse_json(notes.get(f"{BANKS}{table}", "{}"))
    return kept


def closed_facts(config: TableConfig) -> tuple[Fact, ...]:
    """Return the facts to write when a table is closed."""
    facts: list[Fact] = [SeatsChanged(config.name, ())]
    if config.time_bank is not None:
        facts.append(Noted(f"{BANKS}{config.name}", None))
    if (config.turn_seconds or 0.0) >= KEPT_SECONDS:
        facts.append(Noted(f"{TURNS}{config.name}", None))
    return tuple(facts)


def positions_from(dealt: HandDealt) -> Positions:
    """Return the positions of a hand."""
    seats = tuple(number for number, player in enumerate(dealt.players) if player is not None)
    return Positions(dealt.button, dealt.small_seat, dealt.big_blind, seats)


def hand_from(dealt: HandDealt, config: TableConfig, log: list[int]) -> Hand:
    """Replay a hand to the end of `log`; raises `BadInput` or `IllegalAction` if that is impossible."""
    positions = positions_from(dealt)
    hand = deal_hand(
        dealt.stacks,
        _stakes_of(dealt, config),
        deck=Deck(parse_cards(dealt.cards), entropy=-1, key=bytes.fromhex(dealt.reshuffle)),
        options=HandOptions.unpacked(dealt.options),
        button=positions.button,
        game=_game_of(dealt, config),
        positions=positions,
        posts=[event.Posted(seat, event.Post(kind), chips) for seat, kind, chips in dealt.posts] or None,
    )
    return hand.replay(log)


def _game_of(dealt: HandDealt, config: TableConfig) -> Game:
    """Return the game of a hand; raises `BadSpec` for an unknown game."""
    game = game_named(dealt.game) if dealt.game else config.game
    if isinstance(game, Rotation):
        raise BadSpec(f"hand {dealt.hand_id} is of the rotation {game}: its game is missing")
    return game


def _stakes_of(dealt: HandDealt, config: TableConfig) -> Stakes:
    """Return the stakes of a hand."""
    return Stakes(*dealt.stakes) if dealt.stakes else config.stakes


def seating_from(table: TableImage, ledger: Ledger, addresses: Mapping[str, Address]) -> Seating:
    """Return who sits and waits at a table; during a hand, stacks are those its players began it with."""
    name = table.opened.name
    dealt = table.dealt
    seats: list[Seat | None] = []
    for kept in table.seats:
        if kept is None:
            seats.append(None)
            continue
        player, out, late = kept
        stack = ledger.balance(stack_account(name, player))
        if table.open_hand is not None:
            stack += ledger.balance(escrow_account(table.open_hand.hand_id, player))
        seats.append(Seat(player, addresses[player], stack, out, late))
    waiting = tuple(Waiting(player, addresses[player], buy_in) for player, buy_in in table.waiting)
    owed = tuple(OwedBlinds(*one) for one in table.owed)
    positions = None if dealt is None else positions_from(dealt)
    number = table.opened.first_hand if dealt is None else dealt.number + 1
    return Seating(tuple(seats), positions, number, waiting, table.once, table.leaving, owed)


def sealed_from(dealt: HandDealt, config: TableConfig) -> SealedDeal | None:
    """Rebuild the commitment to a hand's deck from its fact; None if there was none."""
    if not dealt.secret:
        return None
    seats, key = len(positions_from(dealt).dealt), bytes.fromhex(dealt.reshuffle)
    mixed = reshuffles(_game_of(dealt, config), seats, key)
    return SealedDeal(dealt.hand_id, parse_cards(dealt.cards), bytes.fromhex(dealt.secret), mixed)


def resumable(dealt: HandDealt, ledger: Ledger) -> bool:
    """Whether an open hand's chips are all in its escrow."""
    players = zip(dealt.players, dealt.stacks, strict=True)
    return all(
        player is None or ledger.balance(escrow_account(dealt.hand_id, player)) == stack
        for player, stack in players
    )
