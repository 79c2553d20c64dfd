"""Convert the values of a room's actors to facts of its journal, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import attrs

from poker_actors.actors.hand import KEPT_SECONDS, TURNS
from poker_actors.actors.runtime import Address
from poker_actors.actors.table.dealing import NextHand
from poker_actors.actors.table.seats import OwedBlinds, Seat, Seating, TableConfig, TimeBank, Waiting
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadJournal, BadSpec
from poker_actors.jsontext import parse_json
from poker_actors.rules import GAMES, Game, Hand, Positions, Stakes, event, game_named
from poker_actors.rules.cash import CashOptions, HandOptions, deal_hand
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

BANKS: Final = "time banks/"
"""Prefix of the notes that keep the seconds left in a table's time banks."""


def opened_fact(config: TableConfig) -> TableOpened:
    """Return a table's settings as a fact; raises `BadSpec` for a game that cannot be found by name."""
    game = config.game
    games = game.games if isinstance(game, Rotation) else (game,)
    if any(GAMES.get(one.name) is not one for one in games):
        raise BadSpec(f"game {game.name!r} is none of {', '.join(GAMES)}: a journal keeps games by name")
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


def dealt_fact(
    config: TableConfig,
    state: Seating,
    after: NextHand,
) -> HandDealt:
    """Return the fact that a hand is about to be dealt."""
    positions, sealed, options, stakes = after.positions, after.sealed, after.options, after.stakes
    dealt = [seat if number in positions.dealt else None for number, seat in enumerate(state.seats)]
    return HandDealt(
        config.name,
        after.hand_id,
        state.number,
        positions.button,
        positions.small_seat,
        positions.big_blind,
        tuple(seat.player if seat else None for seat in dealt),
        tuple(seat.stack if seat else 0 for seat in dealt),
        "".join(map(str, after.cards)),
        "" if sealed is None else sealed.secret.hex(),
        () if stakes is None else stakes.numbers(),
        () if options is None else options.packed(),
        after.deck.reshuffle_key().hex() if after.game.draws else "",
        "" if after.game is config.game else after.game.name,
        tuple((post.seat, post.kind.value, post.amount) for post in after.posts or ()),
    )


def positions_from(dealt: HandDealt) -> Positions:
    """Return the positions of a hand."""
    seats = tuple(number for number, player in enumerate(dealt.players) if player is not None)
    return Positions(dealt.button, dealt.small_seat, dealt.big_blind, seats)


def hand_from(dealt: HandDealt, config: TableConfig, log: list[int]) -> Hand:
    """Replay a hand to the end of `log`; raises `BadInput` or `IllegalAction` if that is impossible."""
    positions = positions_from(dealt)
    hand = deal_hand(
        dealt.stacks,
        stakes_of(dealt, config),
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


def stakes_of(dealt: HandDealt, config: TableConfig) -> Stakes:
    """Return the stakes of a hand."""
    return Stakes(*dealt.stakes) if dealt.stakes else config.stakes


def seating_from(table: TableImage, ledger: Ledger, addresses: Mapping[str, Address]) -> Seating:
    """Return who sits and waits at a table; during a hand, its players' stacks are those they began it with."""
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
