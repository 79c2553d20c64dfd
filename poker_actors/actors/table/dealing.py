"""Prepare the next hand of a table: who is dealt in and owes what, where the button is, which deck is dealt.

Robert's Rules of Poker, "Button and blind use": a player who has missed blinds posts them all or waits for the
big blind; a new player posts the amount of the big blind or waits for it, and nobody comes in between the big
blind and the button. The big blind is live. The small one is dead: it belongs to the pot and to no bet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from poker_actors.actors.hand import HandPlan
from poker_actors.actors.runtime import Address
from poker_actors.actors.table.facts import TableConfig
from poker_actors.actors.table.messages import Deal
from poker_actors.actors.table.seats import OwedBlinds, Seating
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec
from poker_actors.frozen import value
from poker_actors.rules import Game, Hand, Positions, Stakes, event, first_positions, next_positions
from poker_actors.rules.cash import CashOptions, HandOptions, check_stakes, posts_with_owed
from poker_actors.rules.games import Rotation
from poker_actors.store import HandDealt
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

    A rotation advances by itself; in dealer's choice the command must name the game.
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


def dealt_fact(config: TableConfig, state: Seating, after: NextHand) -> HandDealt:
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
        players=tuple(seat.player if seat else None for seat in dealt),
        stacks=tuple(seat.stack if seat else 0 for seat in dealt),
        cards="".join(map(str, after.cards)),
        secret="" if sealed is None else sealed.secret.hex(),
        stakes=() if stakes is None else stakes.numbers(),
        options=() if options is None else options.packed(),
        reshuffle=after.deck.reshuffle_key().hex() if after.game.draws else "",
        game="" if after.game is config.game else after.game.name,
        posts=tuple((post.seat, post.kind.value, post.amount) for post in after.posts or ()),
    )


# -- missed blinds ---------------------------------------------------------------------------


def has_blinds(config: TableConfig, stakes: Stakes, *, bomb: bool) -> bool:
    """Whether players owe missed blinds here, and this hand has blinds to miss."""
    return config.missed_blinds and stakes.big_blind > 0 and not bomb


def entrants(seating: Seating) -> tuple[int, ...]:
    """Return the ready seats, except those that still wait for the big blind.

    If that left fewer than two, nobody waits: no hand would bring the blind to them.
    """
    ready, before = seating.ready, seating.positions
    waiting = {one.player for one in seating.owed if one.waits}
    assert before is not None, "nobody has missed a blind before the first hand"
    if len(ready) < 2:
        return ready
    size = len(seating.seats)
    big = min(ready, key=lambda seat: (seat - before.big_blind - 1) % size)
    found = tuple([seat for seat in ready if seat == big or seating.seat_at(seat).player not in waiting])
    return found if len(found) > 1 else ready


def owing_posts(seating: Seating, positions: Positions, stakes: Stakes) -> tuple[event.Posted, ...] | None:
    """Return every forced bet of a hand in which somebody posts missed blinds, else None.

    A player who has a blind in this hand posts no missed one.
    """
    owed = {
        number: (one.small, one.big)
        for one in seating.owed
        if (number := seating.number_of(one.player)) in positions.dealt
        and number not in (positions.small_blind, positions.big_blind)
    }
    stacks = [0 if seat is None else seat.stack for seat in seating.seats]
    return posts_with_owed(positions, stacks, stakes, owed) if owed else None


def owed_after(seating: Seating, positions: Positions) -> tuple[OwedBlinds, ...]:
    """Return the blinds owed once a hand with these positions is dealt; its players then owe nothing."""
    return tuple(_owed_after(seating, positions))


def _owed_after(seating: Seating, positions: Positions) -> Iterator[OwedBlinds]:
    before, size = seating.positions, len(seating.seats)
    for number, seat in enumerate(seating.seats):
        if seat is None or number in positions.dealt:
            continue
        one = seating.owed_by(seat.player)
        if before is not None and not one.new:
            small = one.small or _passes(number, before.small_seat, positions.small_seat, size)
            big = one.big or _passes(number, before.big_blind, positions.big_blind, size)
            one = attrs.evolve(one, small=small, big=big)
        if one.small or one.big:
            yield one


def _passes(seat: int, start: int, end: int, size: int) -> bool:
    """Whether a blind that moves from `start` to `end` passes a seat or stops at it."""
    return 0 < (seat - start) % size <= (end - start) % size


def newcomer(config: TableConfig, seating: Seating, player: str) -> Seating:
    """Return the state in which a new player owes the big blind, unless no hand has been dealt yet."""
    if not config.missed_blinds or seating.positions is None:
        return seating
    return seating.owing(OwedBlinds(player, big=True, new=True))


def moved(config: TableConfig, seating: Seating, player: str, old: int, seat: int) -> Seating:
    """Return the state after a change of seats; the player owes the big blind if it reaches the new seat later."""
    before, size = seating.positions, len(seating.seats)
    if not config.missed_blinds or before is None:
        return seating
    due = [(number - before.big_blind - 1) % size for number in (old, seat)]
    return seating.owing(attrs.evolve(seating.owed_by(player), big=True)) if due[1] > due[0] else seating
