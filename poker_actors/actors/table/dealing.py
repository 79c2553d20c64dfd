"""Prepare the next hand of a table: who is dealt in, where the button is, which deck is dealt."""

from __future__ import annotations

from collections.abc import Mapping

from poker_actors.actors.hand import HandPlan
from poker_actors.actors.runtime import Address
from poker_actors.actors.table.messages import Deal
from poker_actors.actors.table.seats import (
    OwedBlinds,
    Seating,
    TableConfig,
    entrants,
    has_blinds,
    owed_after,
    owing_posts,
)
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec
from poker_actors.frozen import value
from poker_actors.rules import Game, Hand, Positions, Stakes, event, first_positions, next_positions
from poker_actors.rules.cash import CashOptions, HandOptions, check_stakes
from poker_actors.rules.games import Rotation
from poker_actors.store.fairness import SealedDeal, reshuffles


@value
class NextHand:
    """A hand about to be dealt."""

    hand_id: str
    positions: Positions
    game: Game
    stakes: Stakes | None
    """of this hand only; None for the table's"""
    options: HandOptions | None
    deck: Deck
    cards: tuple[Card, ...]
    """the cards to deal; empty for a deck passed in without a journal, which is dealt as it is"""
    sealed: SealedDeal | None
    """the commitment to the cards; None for a deck passed in"""
    stacks: dict[str, int]
    """player -> chips, of those dealt in"""
    posts: tuple[event.Posted, ...] | None = None
    """every forced bet, if somebody posts missed blinds; else None"""
    owed: tuple[OwedBlinds, ...] = ()
    """blinds that are owed once it is dealt"""

    @property
    def commitment(self) -> str:
        """The commitment to the deck, in hexadecimal; empty for a deck passed in."""
        return "" if self.sealed is None else self.sealed.commitment.hex()


def hand_id_of(config: TableConfig, number: int) -> str:
    """Return the name of a hand in the room, from its number at its table."""
    return f"{config.name}/hand-{number:09d}"


def prepare(config: TableConfig, state: Seating, command: Deal, *, journaled: bool) -> NextHand:
    """Prepare the hand that `command` asks for; raises `BadSpec`, and `TableRefusal` (`not_enough_players`)."""
    game, stakes = _played(config, state, command)
    positions = command.positions or _positions(config, state)
    if command.positions is not None:
        _check_positions(state, positions)
    options = None
    if config.options or command.bomb_pot:
        options = _options(config, state, positions, bomb=command.bomb_pot)
    if stakes is not None or options is not None:
        check_stakes(config.stakes if stakes is None else stakes, game, options)
    hand_id = hand_id_of(config, state.number)
    deck, cards, sealed = _deck(game, command.deck, positions, hand_id, options, journaled=journaled)
    seats = state.seats
    stacks = {seat.player: seat.stack for number in positions.dealt if (seat := seats[number]) is not None}
    posts, owed = None, state.owed
    if config.missed_blinds and command.positions is None:
        paid = config.stakes if stakes is None else stakes
        if has_blinds(config, paid, bomb=options is not None and options.bomb_pot > 0):
            posts, owed = owing_posts(state, positions, paid), owed_after(state, positions)
    return NextHand(hand_id, positions, game, stakes, options, deck, cards, sealed, stacks, posts, owed)


def _played(config: TableConfig, state: Seating, command: Deal) -> tuple[Game, Stakes | None]:
    """Return the game of the next hand, and its stakes if they are not the table's.

    A rotation goes round by itself; in dealer's choice the command must name the game.
    """
    game, played = command.game, config.game
    if game is not None and game.max_seats < config.seats:
        raise BadSpec(f"{game} seats 2 to {game.max_seats}: the table has {config.seats}")
    if game is None and isinstance(played, Rotation):
        if played.choice:
            raise BadSpec("the dealer names the game: deal(game=...)")
        game = played.at(state.number, config.seats)
    if game is None:
        assert isinstance(played, Game)
        return played, command.stakes
    return game, command.stakes or game.stakes_like(config.stakes)


def _positions(config: TableConfig, state: Seating) -> Positions:
    size = len(state.seats)
    if state.positions is None or not config.button_moves:
        return first_positions(state.ready, size, config.button)
    return next_positions(state.positions, entrants(state) if state.owed else state.ready, size)


def _check_positions(state: Seating, positions: Positions) -> None:
    """Raise `BadSpec` if the positions include a seat without a player or chips."""
    for number in positions.dealt:
        seat = state.seats[number] if 0 <= number < len(state.seats) else None
        if seat is None or not seat.stack:
            raise BadSpec(f"seat {number} cannot be dealt in: nobody with chips sits there")


def _options(config: TableConfig, state: Seating, positions: Positions, *, bomb: bool) -> HandOptions | None:
    """Return the options of the next hand; raises `BadSpec` for a bomb pot at a table without them."""
    options = config.options or CashOptions()
    once = [number for number in positions.dealt if state.seat_at(number).player in state.once]
    return options.of_hand(state.number, bomb=bomb, declined=once)


def _deck(
    game: Game,
    deck: Deck | None,
    positions: Positions,
    hand_id: str,
    options: HandOptions | None,
    *,
    journaled: bool,
) -> tuple[Deck, tuple[Card, ...], SealedDeal | None]:
    """Return the deck of a hand, the cards it will deal and the commitment to them.

    A deck passed in is dealt as it is; its cards are drawn beforehand only for a journal.
    """
    runs, boards = (1, 1) if options is None else (options.boards, options.bomb_boards)
    there = len(game.pack if deck is None else deck)
    needed = game.cards_needed(len(positions.dealt), there, boards=boards, runs=runs)
    if needed > there:
        raise BadSpec(f"{there} cards are left in the deck: this hand needs {needed}")
    if deck is not None and not journaled:
        return deck, (), None
    # a copy: if the journal refuses the hand, the caller's deck is as it was
    fresh = Deck.secure(game.pack) if deck is None else deck.copy()
    cards = fresh.draw(needed)
    key = fresh.reshuffle_key() if game.draws else b""
    mixed = reshuffles(game, len(positions.dealt), key) if deck is None else []
    sealed = SealedDeal(hand_id, cards, mixed=mixed) if deck is None else None
    return Deck(cards, entropy=-1, key=key), cards, sealed


def plan_of(
    config: TableConfig,
    seating: Seating,
    banks: Mapping[str, float],
    hand_id: str,
    dealt: NextHand | Hand,
    table: Address,
    late: frozenset[int] = frozenset(),
) -> HandPlan:
    """Plan the hand that a table plays, to be dealt or continued."""
    positions = seating.positions
    assert positions is not None
    of_seats: list[tuple[Address | None, str | None, int]] = [
        (seat.address, seat.player, seat.stack) if seat and number in positions.dealt else (None, None, 0)
        for number, seat in enumerate(seating.seats)
    ]
    players, names, stacks = zip(*of_seats, strict=True)
    new = dealt if isinstance(dealt, NextHand) else None
    bank = config.time_bank
    left = (
        () if bank is None else [banks.get(name, bank.seconds) if name is not None else 0.0 for name in names]
    )
    return HandPlan(
        hand_id,
        seating.number - 1,
        table,
        config.name,
        players,
        names,
        stacks,
        config.stakes if new is None or new.stakes is None else new.stakes,
        dealt.game,
        positions,
        None if new is None else new.deck,
        config.turn_seconds,
        None if isinstance(dealt, NextHand) else dealt,
        None if new is None else new.options,
        tuple(left),
        None if new is None else new.posts,
        late=late,
    )
