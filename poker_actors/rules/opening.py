"""The start of a hand as pure functions: seating, forced bets, and the order of play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from poker_actors.cards import Card
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.rules.event import Listener, Post, Posted
from poker_actors.rules.game import Betting, Game
from poker_actors.rules.options import HandOptions
from poker_actors.rules.positions import Positions
from poker_actors.rules.stakes import Stakes, whole_chips

_Seats: TypeAlias = tuple[int, ...]
Forced: TypeAlias = tuple[_Seats, _Seats, list[int], _Seats, tuple[tuple[int, int], ...], int]
"""Stacks and bets by seat, seats that can bet, order of play, (seat, dead chips) pairs, chips missing from blinds."""

_DEAD = (Post.BIG_BLIND_ANTE, Post.DEAD_BLIND)
_BLINDS = (Post.SMALL_BLIND, Post.BIG_BLIND, Post.STRADDLE)

_FULL_TABLES: dict[tuple[int, int], tuple[tuple[int, ...], int, int]] = {}
"""(seats, button) -> the result of `seating` when every seat is dealt in."""


def check_stacks(starting: Sequence[object], button: object, game: Game) -> None:
    """Raise `BadSpec` unless the stacks and the button can start a hand."""
    size = len(starting)
    if not 2 <= size <= game.max_seats:
        raise BadSpec(f"{size} seats: {game.name} seats 2 to {game.max_seats}")
    for stack in starting:
        if type(stack) is not int or stack < 0:
            seats = [seat for seat, other in enumerate(starting) if other is stack]
            whole_chips(f"the stack of seat {seats[0]}", stack)
    if size - starting.count(0) < 2:
        raise BadSpec(f"stacks {starting}: a hand needs at least 2 seats with chips")
    if type(button) is not int or not 0 <= button < size:
        raise BadSpec(f"button {button!r:.20} is not a seat: seats are 0 to {size - 1}")


def check_stakes(stakes: Stakes, game: Game, options: HandOptions | None = None) -> None:
    """Raise `BadSpec` for forced bets or options the game does not support."""
    straddle = stakes.straddle
    if game.open_face and (stakes != Stakes(0, 0, min_bet=stakes.min_bet) or options is not None):
        raise BadSpec(f"{game.name} is played for points, without blinds, antes, rake or further boards")
    if straddle and game.betting is Betting.FIXED_LIMIT and straddle != 2 * stakes.min_bet:
        raise BadSpec(f"straddle {straddle}: in {game.name} it is the second bet, {2 * stakes.min_bet}")
    if game.brings_in:
        if not stakes.bring_in:
            raise BadSpec(f"{game.name} begins with a bring-in, but the stakes {stakes} have none")
        if stakes.big_blind or straddle or stakes.big_blind_ante:
            raise BadSpec(f"{game.name} has antes and a bring-in, and no blinds: the stakes are {stakes}")
    elif stakes.bring_in:
        raise BadSpec(f"bring-in {stakes.bring_in}: {game.name} has none, because no card is face up")
    if options is not None and (options.bomb_pot or options.boards > 1 or options.bomb_boards > 1):
        if not game.board_cards:
            raise BadSpec(f"{game.name} has no board: it has no bomb pots and cannot be run twice")
        if options.bomb_pot and game.brings_in:
            raise BadSpec(f"{game.name} has no bomb pots: it already has antes")


def check_cards(game: Game, cards: tuple[Card, ...]) -> None:
    """Raise `BadSpec` unless all `cards` are in the game's pack, `DuplicateCard` if one comes twice."""
    if len(set(cards)) == len(cards) and set(cards) <= set(game.pack):
        return
    for place, card in enumerate(cards):
        if card not in game.pack:
            raise BadSpec(f"the deck deals {card}, which is not in the pack of {game.name}")
        if card in cards[:place]:
            raise DuplicateCard(f"the deck deals {card} twice")


def seating(
    starting: Sequence[int], button: int, positions: Positions | None
) -> tuple[tuple[int, ...], int | None, int]:
    """Return the seats dealt in (from the left of the button), the small blind (None if dead) and the big blind.

    Raise `BadSpec` if `positions` does not fit the button and the stacks.
    """
    size = len(starting)
    if 0 not in starting:
        known = _FULL_TABLES.get((size, button)) or _full_table(size, button)
        if positions is None:
            return known
        usual = (button, known[1], known[2], size)
        if usual == (positions.button, positions.small_seat, positions.big_blind, len(positions.dealt)):
            return known
    order = tuple([seat % size for seat in range(button + 1, button + 1 + size) if starting[seat % size]])
    if positions is None:
        return _with_blinds(order)
    order = tuple([seat for seat in order if seat in positions.dealt])
    if positions.button != button or positions.big_blind not in order or len(order) < 2:
        raise BadSpec(f"{positions} does not fit button {button} and stacks {starting}")
    return order, positions.small_blind, positions.big_blind


def _full_table(size: int, button: int) -> tuple[tuple[int, ...], int, int]:
    order = tuple([seat % size for seat in range(button + 1, button + 1 + size)])
    known = _FULL_TABLES[size, button] = _with_blinds(order)
    return known


def _with_blinds(order: tuple[int, ...]) -> tuple[tuple[int, ...], int, int]:
    """Add the blinds: heads-up the button, last in `order`, posts the small blind; else the first two seats post."""
    return (order, order[1], order[0]) if len(order) == 2 else (order, order[0], order[1])


def post_blinds(
    order: tuple[int, ...],
    starting: Sequence[int],
    stakes: Stakes,
    blinds: tuple[int | None, int],
    tell: Listener | None,
) -> Forced:
    """Post the forced bets of `stakes`; `order` lists seats from the left of the button, `blinds` is (small, big).

    Antes come first, then blinds, the straddle, and the big-blind ante. The seat left of the last blind
    opens, or without blinds the seat left of the button.
    """
    small, big = blinds
    stacks, bets, can_bet = list(starting), [0] * len(starting), list(order)
    missing = 0
    ante = stakes.ante
    if ante:
        for seat in order:
            if tell is None and stacks[seat] > ante:  # the common case, without a call per seat
                stacks[seat] -= ante
            else:
                _post(stacks, can_bet, seat, Post.ANTE, ante, tell)
    blind = stakes.small_blind
    if small is None:
        missing = blind
    else:
        bets[small] = _post(stacks, can_bet, small, Post.SMALL_BLIND, blind, tell)
        missing = blind - bets[small]
    blind = stakes.big_blind
    bets[big] = _post(stacks, can_bet, big, Post.BIG_BLIND, blind, tell)
    missing += blind - bets[big]
    last = order.index(big)
    if stakes.straddle:
        last = (last + 1) % len(order)
        seat = order[last]
        owed = stakes.straddle - bets[seat]
        paid = _post(stacks, can_bet, seat, Post.STRADDLE, owed, tell)
        bets[seat] += paid
        missing += owed - paid
    dead: tuple[tuple[int, int], ...] = ()
    if stakes.big_blind_ante:
        dead = ((big, _post(stacks, can_bet, big, Post.BIG_BLIND_ANTE, stakes.big_blind_ante, tell)),)
    to_act = _order_after(order, last, can_bet) if blind or stakes.straddle else tuple(can_bet)
    return tuple(stacks), tuple(bets), can_bet, to_act, dead, missing


def post_listed(
    order: tuple[int, ...], starting: Sequence[int], posts: Sequence[Posted], tell: Listener | None
) -> Forced:
    """Post the listed bets in order; the seat left of the highest blind opens, else the seat left of the button.

    Raise `BadSpec` for a seat that is not dealt in or an amount that is not a whole number of chips.
    """
    stacks, bets, can_bet = list(starting), [0] * len(starting), list(order)
    dead: tuple[tuple[int, int], ...] = ()
    missing = highest = 0
    last = -1
    for post in posts:
        seat, kind = post.seat, post.kind
        if seat not in order:
            raise BadSpec(f"seat {seat} posts {post.chips()} but is not dealt in")
        amount = post.chips()
        paid = _post(stacks, can_bet, seat, kind, amount, tell)
        if kind in _DEAD:
            dead += ((seat, paid),)
        elif kind.is_bet:
            bets[seat] += paid
        if kind in _BLINDS:
            missing += amount - paid
            highest, last = max((highest, last), (amount, order.index(seat)))
    to_act = _order_after(order, last, can_bet) if highest else tuple(can_bet)
    return tuple(stacks), tuple(bets), can_bet, to_act, dead, missing


def posts_with_owed(
    positions: Positions, stacks: Sequence[int], stakes: Stakes, owed: Mapping[int, tuple[bool, bool]]
) -> tuple[Posted, ...]:
    """Return the forced bets of a hand in order, then the missed blinds that seats post.

    `owed` is, by seat, whether it owes the small blind, which is dead, and the big one, which is live. A straddle is
    more than a big blind: its poster owes no other live bet. A stack that the small blind would use up posts it live:
    with dead chips only, it would compete for those alone.
    """
    order = sorted(positions.dealt, key=lambda seat: (seat - positions.button - 1) % len(stacks))
    small, big = positions.small_blind, positions.big_blind
    posts = [Posted(seat, Post.ANTE, stakes.ante) for seat in order]
    if small is not None:
        posts.append(Posted(small, Post.SMALL_BLIND, stakes.small_blind))
    posts.append(Posted(big, Post.BIG_BLIND, stakes.big_blind))
    straddles = -1
    if stakes.straddle:
        straddles = order[(order.index(big) + 1) % len(order)]
        there = stakes.small_blind if straddles == small else 0
        posts.append(Posted(straddles, Post.STRADDLE, stakes.straddle - there))
    posts.append(Posted(big, Post.BIG_BLIND_ANTE, stakes.big_blind_ante))
    for seat in order:
        owes_small, owes_big = owed.get(seat, (False, False))
        left = max(stacks[seat] - stakes.ante - (stakes.straddle if seat == straddles else 0), 0)
        live = min(stakes.big_blind, left) if owes_big and seat != straddles else 0
        dead = min(stakes.small_blind, left - live) if owes_small else 0
        if dead == left and seat != straddles:
            live, dead = live + dead, 0
        posts += [Posted(seat, Post.EXTRA_BLIND, live), Posted(seat, Post.DEAD_BLIND, dead)]
    return tuple([post for post in posts if post.amount])


def _post(
    stacks: list[int], can_bet: list[int], seat: int, kind: Post, amount: int, tell: Listener | None
) -> int:
    """Take a forced bet, or the whole stack if it is smaller; return the chips taken."""
    stack = stacks[seat]
    if amount >= stack:
        amount = stack
        if seat in can_bet:
            can_bet.remove(seat)
    stacks[seat] = stack - amount
    if amount and tell is not None:
        tell(Posted(seat, kind, amount))
    return amount


def _order_after(order: tuple[int, ...], last: int, can_bet: list[int]) -> tuple[int, ...]:
    """Return the seats that can bet, starting after index `last` of `order`; that seat comes last."""
    seats = order[last + 1 :] + order[: last + 1]
    return seats if len(can_bet) == len(seats) else tuple([seat for seat in seats if seat in can_bet])


def opening_bet(posts: Sequence[Posted], size: int) -> int:
    """Return the bet to match before the first action; a blind posted short still counts in full."""
    bets = [0] * size
    for post in posts:
        if post.kind.is_bet:
            bets[post.seat] += post.amount
    return max(bets)
