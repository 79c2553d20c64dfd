"""House bots as array policies, on the row of a table.

`bots.house` is the original, thresholds included; a test plays both and compares every action. Keep the arithmetic in
the same order: doubles must agree to the bit, or decisions at a threshold differ.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.bots.house.compiled import STRAIGHT, WHOLE, judged
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import bounds, seat_at
from poker_actors.learn.compiled.luck import choose, random, uniform
from poker_actors.learn.compiled.paying import board_key, board_strength, strength
from poker_actors.learn.compiled.row import (
    BET,
    FRONT,
    LIVE,
    PLACE,
    PLACES,
    POT,
    SEATS,
    STACK,
    STREET,
    TURN,
    as_bytes,
    compiled,
    count,
    doubles_at,
)

CATEGORY_BITS: Final = 12
"""Bits of a strength below its category."""


@compiled
def starting_rank(d, t, place):
    """Return the fraction of starting hands, 0 to 1, that the place's hole cards match or beat."""
    cards = as_bytes(t)
    first = 8 * row.CARDS + 2 * seat_at(d, t, place)
    return doubles_at(d[row.RANKS_AT])[np.int64(cards[first]) << 6 | np.int64(cards[first + 1])]


@compiled
def made_hand(d, t, place):
    """Estimate the share of random hands, 0 to 1, that the place's hand beats on this board, draws included."""
    seat = seat_at(d, t, place)
    shown = t[STREET] + 2
    hole, board = 8 * row.CARDS + 2 * seat, 8 * row.CARDS + 2 * d[SEATS]
    kind = strength(d, t, seat, board_key(d, t, shown), shown) >> CATEGORY_BITS
    of_the_board = (
        board_strength(d, t) >> CATEGORY_BITS if kind >= STRAIGHT and shown == WHOLE else np.int64(-1)
    )
    return judged(as_bytes(t), hole, board, shown, kind, of_the_board)


FOLD, CALL, RAISE = range(3)
HALF_POT, TWO_POTS = 0.5, 2.0
"""A maniac raises by a fraction of the pot between these."""
RIVER: Final = 3


@compiled
def decide(d, t):
    """Decide for the place to act, at a table without `expert`; return FOLD, CALL or RAISE, and a raise's total."""
    bot = bot_at(d, t)
    return by_house(d, t, bot, policy_at(d, bot))


@compiled
def bot_at(d, t):
    """Return the number of the bot to act."""
    bot = seat_at(d, t, t[TURN]) + t[row.MOVED]
    return bot if bot < d[SEATS] else bot - d[SEATS]


@compiled
def policy_at(d, bot):
    """Return the numbers of a bot's policy, `POLICY` of them."""
    return doubles_at(d[row.POLICIES_AT] + 8 * row.POLICY * bot)


@compiled
def by_house(d, t, bot, policy):
    """Decide for the place to act by a house policy."""
    kind = np.int64(policy[0])
    if kind == row.CALLER:
        return CALL, 0
    legal = bounds(d, t)
    if kind == row.FOLDER:
        return FOLD if legal[0] else CALL, 0
    if kind == row.RANDOM:
        return _random(d, t, bot, legal)
    if kind == row.MANIAC:
        return _maniac(d, t, bot, policy[1], legal)
    judged = made_hand(d, t, t[TURN]) if t[STREET] else starting_rank(d, t, t[TURN])
    if kind == row.POT_ODDS:
        return by_pot_odds(t, policy[1], judged, legal)
    if t[STREET] == 0:
        return before_the_flop(d, t, policy[1], judged, legal)
    return _after_the_flop(d, t, bot, policy, judged, legal)


@compiled
def _between(total, legal):
    """Raise to the legal total nearest to `total`; call if no raise is legal."""
    _, least, most = legal
    if most == 0:
        return CALL, 0
    return RAISE, max(least, min(total, most))


@compiled
def pot_raise(t, fraction, legal):
    """Raise by a fraction of the pot after a call."""
    return _between(t[BET] + np.int64(fraction * (t[POT] + legal[0])), legal)


@compiled
def _random(d, t, bot, legal):
    _, least, most = legal
    at = PLACES + PLACE * t[TURN]
    everything = t[at + FRONT] + t[at + STACK]
    raises = most > 0
    all_in_raise = raises and most == everything
    all_in_call = not all_in_raise and t[at + STACK] <= t[BET] - t[at + FRONT]
    number = 2 + (1 if raises else 0) + (1 if all_in_raise or all_in_call else 0)
    chosen = choose(d, t, bot, number)
    if chosen < 2:
        return chosen, 0
    if chosen == 2 and raises:
        return RAISE, least
    return (RAISE, everything) if all_in_raise else (CALL, 0)


@compiled
def _maniac(d, t, bot, nerve, legal):
    luck = random(d, t, bot)
    if luck < nerve:
        return pot_raise(t, uniform(d, t, bot, HALF_POT, TWO_POTS), legal)
    if legal[0] * 2 > t[PLACES + PLACE * t[TURN] + STACK] and luck > 0.9:
        return FOLD, 0
    return CALL, 0


@compiled
def before_the_flop(d, t, vpip, rank, legal):
    """Open or raise the best `vpip` of hands; the higher the price, the better they must be."""
    to_call, _, most = legal
    big = max(d[row.BIG], d[row.STRADDLE], 1)
    bets = t[BET] / big
    give_up = FOLD if to_call else CALL
    if bets <= 1:
        if rank < 1 - vpip:
            return give_up, 0
        limpers = -1
        for place in range(d[SEATS]):
            limpers += 1 if t[PLACES + PLACE * place + FRONT] == t[BET] else 0
        return _between((3 + limpers) * big, legal)
    wanted = vpip * (0.55 if bets <= 4 else 0.35 if bets <= 12 else 0.22)
    if rank >= 1 - wanted / 2 and most > 0:
        return _between(3 * t[BET], legal)
    if rank >= 1 - wanted or (to_call <= big and rank >= 1 - vpip * 1.3):
        return CALL, 0
    return give_up, 0


@compiled
def _after_the_flop(d, t, bot, policy, made, legal):
    to_call, bluff, value = legal[0], policy[2], policy[3]
    opponents = count(t[LIVE]) - 1
    needed = value + 0.06 * (opponents - 1)
    if to_call == 0:
        if made >= needed:
            return pot_raise(t, 0.7, legal)
        if opponents == 1 and t[STREET] < RIVER and random(d, t, bot) < bluff:
            return pot_raise(t, 0.5, legal)
        return CALL, 0
    price = to_call / (t[POT] + to_call)
    if made >= 0.87:
        return pot_raise(t, 0.8, legal)
    if made >= needed - 0.14 + 0.45 * price:
        return CALL, 0
    return FOLD, 0


@compiled
def by_pot_odds(t, margin, share, legal):
    """Call when the chance to beat all opponents exceeds the price by `margin`; `share` is the chance to beat one."""
    to_call = legal[0]
    opponents = count(t[LIVE]) - 1
    chance = share if opponents == 1 else share ** (1 + 0.6 * (opponents - 1))
    if chance >= 0.82 and t[STREET]:
        return pot_raise(t, 0.6, legal)
    if to_call == 0:
        return CALL, 0
    price = to_call / (t[POT] + to_call)
    return CALL if chance >= price + margin else FOLD, 0
