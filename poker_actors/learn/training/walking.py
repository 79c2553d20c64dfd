"""External-sampling MCCFR on the rows of `learn.compiled`: one seat tries every action, the others draw theirs.

Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization in extensive games (2009). The tree
is walked with an explicit stack: numba's cache cannot hold a recursive function.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.bots.expert import ACTIONS, CHART, RAISES
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import bounds, take
from poker_actors.learn.compiled.expert import charted, numbers_at, raises_at, situation_at
from poker_actors.learn.compiled.luck import fraction, number_below
from poker_actors.learn.compiled.paying import pay
from poker_actors.learn.compiled.policies import (
    CALL,
    FOLD,
    RAISE,
    before_the_flop,
    decide,
    made_hand,
    pot_raise,
    starting_rank,
)
from poker_actors.learn.compiled.row import (
    BIG,
    ENDED,
    LIVE,
    PLACE,
    PLACES,
    POT,
    SEATS,
    STACK,
    START,
    STREET,
    TURN,
    compiled,
    count,
    doubles_at,
)

TREMBLING: Final = 0.02
"""How often an opponent acts at random, so that rows it would never reach are learnt too. The larger it is, the more a
large bet looks random and is called too lightly: at 6 % five `tight` with 200 big blinds could not be beaten."""
PRUNED, HOPELESS = 0.9, -300.0
"""How often to skip actions with a regret below so many big blinds times the round's weight: it halves the work."""
INFINITE: Final = 1e30
RIVER: Final = 3
DEPTH: Final = 64
"""Most turns of one seat in a hand that are walked."""
HEAD: Final = row.CARDS
"""Numbers to save of a row: all that a turn changes stands before the cards. The log itself need not be saved:
restoring its length truncates it, and the next entries overwrite the rest."""
FRAME: Final = HEAD + row.PLACE * row.MOST_SEATS
SLOT, ACTION, MASK = range(3)
PRESSING: Final = 100.0
"""The policy kind of a seat that presses; what exceeds it is how many raises of others it raises again."""
BUCKET_BITS: Final = 8
"""Bits of a class of cards in a key: there are at most 169 classes."""
_MIXED: Final = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio: Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4)."""
_HASHED: Final = np.uint64(20)
"""Low bits of the product to drop: they depend only on those of the key, the class of cards, and would collide."""
EMPTY: Final = -1
"""The key of an empty slot; real keys are not negative."""


@compiled
def seek(keys, key):
    """Return the slot of a key, or the empty slot where it belongs; the size must be a power of two."""
    last = len(keys) - 1
    slot = np.int64((np.uint64(key) * _MIXED) >> _HASHED) & last
    while keys[slot] != key and keys[slot] != EMPTY:
        slot = (slot + 1) & last
    return slot


@compiled
def find(memory, key):
    """Return the slot of a key, a new one if there is room, else -1."""
    keys, numbers = memory[0], memory[3]
    slot = seek(keys, key)
    if keys[slot] == EMPTY:
        # keep a quarter empty: `seek` stops only at an empty slot, and slows down long before there is none
        if 4 * numbers[0] > 3 * len(keys):
            return -1
        numbers[0] += 1
        keys[slot] = key
    return slot


@compiled
def match(regrets, slot, mask, sigma, at):
    """Write the chance of each action in the mask: in proportion to positive regret, else uniform (regret matching)."""
    total = 0.0
    for action in range(ACTIONS):
        share = 0.0
        if slot >= 0 and mask >> action & 1:
            share = max(0.0, np.float64(regrets[slot, action]))
        sigma[at, action] = share
        total += share
    for action in range(ACTIONS):
        if total > 0.0:
            sigma[at, action] /= total
        elif mask >> action & 1:
            sigma[at, action] = 1.0 / count(mask)


@compiled
def offer(d, t, totals, at):
    """Write the totals of the raises offered to the place to act; return the mask of its actions."""
    legal = bounds(d, t)
    half, one, two, all_in = raises_at(d, t, legal)
    totals[at, 2], totals[at, 3], totals[at, 4], totals[at, 5] = half, one, two, all_in
    mask = 3 if legal[0] else 2
    for action in range(2, ACTIONS):
        if totals[at, action]:
            mask |= 1 << action
    return mask


@compiled
def _key_at(d, t, buckets):
    return situation_at(d, t) << BUCKET_BITS | buckets[t[TURN], t[STREET]]


@compiled
def draw(d, sigma, at):
    """Draw an action by its chance; rounding errors go to the last possible one."""
    luck = fraction(d)
    last = CALL
    for action in range(ACTIONS):
        if sigma[at, action] > 0.0:
            last = action
            luck -= sigma[at, action]
            if luck < 0.0:
                return action
    return last


@compiled
def play(d, t, action, totals, at):
    """Take the turn of the place to act with one of the six actions."""
    take(d, t, min(action, RAISE), totals[at, max(action, RAISE)])


@compiled
def by_chart(d, t, share):
    """Decide before the flop for a place that enters with the best `share` of hands."""
    return before_the_flop(d, t, share, starting_rank(d, t, t[TURN]), bounds(d, t))


@compiled
def _trembles(d):
    return fraction(d) < TREMBLING


@compiled
def _answer(d, t, buckets, memory, room, weight):
    """Let another seat act: a house bot, one that follows the chart, or a learner, whose average this updates."""
    action = total = 0
    policy = doubles_at(d[row.POLICIES_AT] + 8 * row.POLICY * t[TURN])
    if policy[0] >= PRESSING:
        action, total = presses(d, t, policy[0] - PRESSING, policy[1], policy[2], policy[3])
    elif policy[0] >= 0.0:
        action, total = decide(d, t)
    else:
        share = charted(d, t, CHART)
        if share == 0.0:
            action, total = _learner_answers(d, t, buckets, memory, room, weight)
        elif _trembles(d):
            action, total = _anything(d, offer(d, t, room[3], DEPTH), room[3])
        else:
            action, total = by_chart(d, t, share)
    # one call for all branches: a call in each would compile the rules in three times
    take(d, t, action, total)


@compiled
def presses(d, t, over, size, margin, share):
    """Bet `size` pots with any cards where no other has raised on this street; else call if good enough for the price.

    It raises again over as many as `over` raises of others, unless they are above the pot. A `size` of 0 is the minimum.
    Before the flop it raises only the best `share` of hands. It gives up hands whose chance to win exceeds the price by
    less than half of `margin`. Many who play badly play like this, and self-play meets none of them.
    """
    legal = bounds(d, t)
    place, street = t[TURN], t[STREET]
    rank = 0.0 if street else starting_rank(d, t, place)
    # two players raise in turns
    others = (numbers_at(d, t)[RAISES] + 1) // 2
    again = others <= over and 2 * legal[0] <= t[POT]
    if (others == 0 or again) and (street or rank >= 1.0 - share):
        return pot_raise(t, size, legal)
    chance = made_hand(d, t, place) if street else 0.35 + 0.3 * rank
    stays = legal[0] == 0 or chance >= legal[0] / (t[POT] + legal[0]) + margin / 2
    return CALL if stays else FOLD, 0


@compiled
def _anything(d, mask, totals):
    """Draw an action of the mask with equal chances; return action and total."""
    chosen = number_below(d, count(mask))
    while chosen:
        mask &= mask - 1
        chosen -= 1
    action = 0
    while not mask >> action & 1:
        action += 1
    return min(action, RAISE), totals[DEPTH, max(action, RAISE)]


@compiled
def _learner_answers(d, t, buckets, memory, room, weight):
    """Draw the action of a learning seat and update its average; return action and total."""
    sigma, totals = room[1], room[3]
    mask = offer(d, t, totals, DEPTH)
    slot = find(memory, _key_at(d, t, buckets))
    match(memory[1], slot, mask, sigma, DEPTH)
    if slot >= 0:
        for action in range(ACTIONS):
            memory[2][slot, action] += weight * sigma[DEPTH, action]
    if _trembles(d):
        return _anything(d, mask, totals)
    action = draw(d, sigma, DEPTH)
    return min(action, RAISE), totals[DEPTH, max(action, RAISE)]


@compiled
def _save(d, t, frames, at):
    for number in range(HEAD):
        frames[at, number] = t[number]
    for number in range(PLACE * d[SEATS]):
        frames[at, HEAD + number] = t[PLACES + number]


@compiled
def _restore(d, t, frames, at):
    for number in range(HEAD):
        t[number] = frames[at, number]
    for number in range(PLACE * d[SEATS]):
        t[PLACES + number] = frames[at, HEAD + number]


@compiled
def _next_action(mask, action):
    action += 1
    while action < ACTIONS and not mask >> action & 1:
        action += 1
    return action


@compiled
def _without_hopeless(regrets, slot, mask, sigma, at, limit):
    """Remove from a mask actions with no chance and a regret below `limit`, but never a fold, which is free to try."""
    for action in range(1, ACTIONS):
        if sigma[at, action] == 0.0 and regrets[slot, action] < limit:
            mask &= ~(1 << action)
    return mask


@compiled
def _learn(memory, room, at, weight, counted):
    """Add each action's advantage over the mean to its regret; return the mean value."""
    sigma, values, turns, reach = room[1], room[2], room[4], room[5]
    slot, mask = turns[at, SLOT], turns[at, MASK]
    worth = 0.0
    for action in range(ACTIONS):
        if mask >> action & 1:
            worth += sigma[at, action] * values[at, action]
    if slot >= 0:
        for action in range(ACTIONS):
            if mask >> action & 1:
                memory[1][slot, action] += weight * (values[at, action] - worth)
                if counted:
                    memory[2][slot, action] += weight * reach[at] * sigma[at, action]
    return worth


@compiled
def _open(d, t, buckets, memory, room, at, limit):
    """Begin a turn: save the table and write the chances of the actions; return the mask of actions to try."""
    frames, sigma, _, totals, turns, _ = room
    mask = offer(d, t, totals, at)
    slot = find(memory, _key_at(d, t, buckets))
    match(memory[1], slot, mask, sigma, at)
    if slot >= 0 and t[STREET] < RIVER:
        mask = _without_hopeless(memory[1], slot, mask, sigma, at, limit)
    _save(d, t, frames, at)
    turns[at, SLOT], turns[at, MASK] = slot, mask
    memory[3][1] += 1
    return mask


@compiled
def walk(d, t, me, buckets, memory, room, weight, counted):
    """Walk every action of `me` from here on; return their value in big blinds.

    `counted` adds to the average of `me` here: where it is the only learner, no other seat's walk does so.
    """
    frames, sigma, values, totals, turns, reach = room
    depth = action = 0
    value = 0.0
    reach[0] = 1.0
    pruning = fraction(d) < PRUNED
    while True:
        while t[ENDED] == 0 and t[LIVE] >> me & 1 and (t[TURN] != me or charted(d, t, CHART) > 0.0):
            _answer(d, t, buckets, memory, room, weight)
        if t[ENDED] == 0 and t[LIVE] >> me & 1 and depth < DEPTH:
            mask = _open(d, t, buckets, memory, room, depth, HOPELESS * weight if pruning else -INFINITE)
            action = _next_action(mask, -1)
            going = True
        else:
            if t[ENDED]:
                pay(d, t)
            at = PLACES + PLACE * me
            value = (t[at + STACK] - t[at + START]) / d[BIG]
            going = False
        while depth and not going:
            depth -= 1
            action = turns[depth, ACTION]
            values[depth, action] = value
            action = _next_action(turns[depth, MASK], action)
            if action < ACTIONS:
                _restore(d, t, frames, depth)
                going = True
            else:
                value = _learn(memory, room, depth, weight, counted)
        if not going:
            return value
        turns[depth, ACTION] = action
        reach[depth + 1] = reach[depth] * sigma[depth, action]
        play(d, t, action, totals, depth)
        depth += 1
