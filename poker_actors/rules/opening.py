"""The start of a hand: who sits where, what is posted, who opens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from poker_actors.cards import Card
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.rules.event import HandStarted, Post, Posted
from poker_actors.rules.game import Betting, Game
from poker_actors.rules.stakes import whole_chips

if TYPE_CHECKING:
    from poker_actors.rules.hand import Hand

__all__ = ["check_cards", "check_stacks", "opening_bet", "post_blinds", "seating"]

_DEAD = (Post.BIG_BLIND_ANTE, Post.DEAD_BLIND)
_BLINDS = (Post.SMALL_BLIND, Post.BIG_BLIND, Post.STRADDLE)

_FULL_TABLES: dict[tuple[int, int], tuple[list[int], int, int]] = {}
"""(seats, button) -> what `seating` gives when every seat is dealt in."""


def check_stacks(hand: Hand) -> None:
    """Raise `BadSpec` unless stacks and button can make a hand."""
    starting: Sequence[object] = hand.starting
    size = len(starting)
    game = hand.game
    if not 2 <= size <= game.max_seats:
        raise BadSpec(f"{size} seats: {game.name} seats 2 to {game.max_seats}")
    dealt_in = 0
    for seat, stack in enumerate(starting):
        if type(stack) is not int or stack < 0:
            whole_chips(f"the stack of seat {seat}", stack)
        if stack:
            dealt_in += 1
    if dealt_in < 2:
        raise BadSpec(f"stacks {hand.starting}: a hand needs at least 2 seats with chips")
    if type(hand.button) is not int or not 0 <= hand.button < size:
        raise BadSpec(f"button {hand.button!r:.20} is not a seat: seats are 0 to {size - 1}")
    straddle = hand.stakes.straddle
    if straddle and game.betting is Betting.FIXED_LIMIT and straddle != 2 * hand.stakes.min_bet:
        raise BadSpec(f"straddle {straddle}: in {game.name} it is the second bet, {2 * hand.stakes.min_bet}")


def check_cards(game: Game, cards: tuple[Card, ...]) -> None:
    """Raise `BadSpec` or `DuplicateCard` unless `cards` are different cards of the game's pack."""
    for place, card in enumerate(cards):
        if card not in game.pack:
            raise BadSpec(f"the deck deals {card}, which is not in the pack of {game.name}")
        if card in cards[:place]:
            raise DuplicateCard(f"the deck deals {card} twice")


def seating(hand: Hand) -> tuple[list[int], int | None, int]:
    """Give the seats dealt in, from the left of the button, the small blind and the big blind."""
    starting = hand.starting
    size = len(starting)
    button = hand.button
    positions = hand.positions
    if 0 not in starting:
        known = _FULL_TABLES.get((size, button)) or _full_table(size, button)
        if positions is None:
            return known
        usual = (button, known[1], known[2], size)
        if usual == (positions.button, positions.small_seat, positions.big_blind, len(positions.dealt)):
            return known
    order = [seat % size for seat in range(button + 1, button + 1 + size) if starting[seat % size]]
    if positions is None:
        return _with_blinds(order)
    order = [seat for seat in order if seat in positions.dealt]
    if positions.button != button or positions.big_blind not in order or len(order) < 2:
        raise BadSpec(f"{positions} does not fit button {button} and stacks {starting}")
    return order, positions.small_blind, positions.big_blind


def _full_table(size: int, button: int) -> tuple[list[int], int, int]:
    order = [seat % size for seat in range(button + 1, button + 1 + size)]
    known = _FULL_TABLES[size, button] = _with_blinds(order)
    return known


def _with_blinds(order: list[int]) -> tuple[list[int], int, int]:
    """Heads-up the button, which is last in order, posts small; else the first two post."""
    return (order, order[1], order[0]) if len(order) == 2 else (order, order[0], order[1])


def post_blinds(hand: Hand, small: int | None, big: int) -> list[int]:
    """Post what the stakes ask for and give the order in which the first street is played.

    Antes come first, then blinds, the straddle, and the big blind's ante for the table. Without
    a blind the seat left of the button opens, else the seat left of the last blind.
    """
    stakes = hand.stakes
    if hand.listener is not None:
        hand.listener(HandStarted(hand.button, hand.starting))
    if hand.posts is not None:
        return _post_listed(hand, hand.posts)
    if stakes.ante:
        for seat in hand.live:
            _post(hand, seat, Post.ANTE, stakes.ante)
    bets = hand.bets
    if small is None:
        hand.missing_blinds = stakes.small_blind
    elif stakes.small_blind:
        bets[small] = _post(hand, small, Post.SMALL_BLIND, stakes.small_blind)
    if stakes.big_blind:
        bets[big] = _post(hand, big, Post.BIG_BLIND, stakes.big_blind)
    order = hand.live
    last = order.index(big)
    if stakes.straddle:
        last = (last + 1) % len(order)
        seat = order[last]
        bets[seat] += _post(hand, seat, Post.STRADDLE, stakes.straddle - bets[seat])
    if stakes.big_blind_ante:
        hand.dead = ((big, _post(hand, big, Post.BIG_BLIND_ANTE, stakes.big_blind_ante)),)
    if not (stakes.big_blind or stakes.straddle):
        return hand.can_bet.copy()
    return _order_after(hand, last)


def _order_after(hand: Hand, last: int) -> list[int]:
    """Give the seats that can bet, beginning after the one at place `last`, which comes last."""
    order = hand.live
    seats = order[last + 1 :] + order[: last + 1]
    can_bet = hand.can_bet
    return seats if len(can_bet) == len(seats) else [seat for seat in seats if seat in can_bet]


def _post_listed(hand: Hand, posts: tuple[Posted, ...]) -> list[int]:
    """Post one by one; the seat left of the highest blind opens, else the one left of the button."""
    order = hand.live
    last = -1
    highest = 0
    for post in posts:
        seat, kind = post.seat, post.kind
        if seat not in order:
            raise BadSpec(f"seat {seat} posts {post.chips()} and is not dealt in")
        amount = post.chips()
        paid = _post(hand, seat, kind, amount)
        if kind in _DEAD:
            hand.dead += ((seat, paid),)
        elif kind is not Post.ANTE:
            hand.bets[seat] += paid
        place = order.index(seat)
        if kind in _BLINDS and (amount, place) > (highest, last):
            highest, last = amount, place
    return _order_after(hand, last) if highest else hand.can_bet.copy()


def opening_bet(hand: Hand) -> int:
    """Give what there is to call before the first action, whatever the stacks could cover."""
    if hand.posts is None:
        return hand.stakes.straddle or hand.stakes.big_blind
    bets = [0] * len(hand.starting)
    for post in hand.posts:
        if post.kind is not Post.ANTE and post.kind not in _DEAD:
            bets[post.seat] += post.amount
    return max(bets)


def _post(hand: Hand, seat: int, kind: Post, amount: int) -> int:
    """Take a forced bet, or what is left of the stack; gives the chips taken."""
    stack = hand.stacks[seat]
    if amount >= stack:
        if kind in _BLINDS:
            hand.missing_blinds += amount - stack
        amount = stack
        if seat in hand.can_bet:
            hand.can_bet.remove(seat)
    hand.stacks[seat] = stack - amount
    if amount and hand.listener is not None:
        hand.listener(Posted(seat, kind, amount))
    return amount
