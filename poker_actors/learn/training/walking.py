"""External-sampling MCCFR on the rows of `learn.compiled`: one seat tries everything, the others draw what they do.

Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization in extensive games (2009). The tree is
walked with a stack: numba's cache cannot hold a function that calls itself.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.bots.expert import ACTIONS, CHART
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import bounds, take
from poker_actors.learn.compiled.expert import charted, raises_at, situation_at
from poker_actors.learn.compiled.judging import starting_rank
from poker_actors.learn.compiled.luck import fraction, number_below
from poker_actors.learn.compiled.paying import pay
from poker_actors.learn.compiled.policies import before_the_flop, decide
from poker_actors.learn.compiled.row import (
    BIG,
    ENDED,
    LIVE,
    PLACE,
    PLACES,
    SEATS,
    STACK,
    START,
    STREET,
    TURN,
)
from poker_actors.learn.compiled.words import compiled, count, doubles_at

__all__ = [
    "BUCKET_BITS",
    "DEPTH",
    "EMPTY",
    "FRAME",
    "by_chart",
    "draw",
    "find",
    "offer",
    "play",
    "seek",
    "walk",
]

FOLD, CALL, RAISE = range(3)
TREMBLING: Final = 0.02
"""How often an opponent does anything at all: rows it would never come to are learnt as well. The more of it, the more a
large bet looks like chance, and is called too lightly: at 6 % five `tight` with 200 big blinds could not be beaten."""
PRUNED, HOPELESS = 0.9, -300.0
"""How often actions are left out that have lost so many big blinds by the weight of today: that halves the work."""
INFINITE: Final = 1e30
RIVER: Final = 3
DEPTH: Final = 64
"""Turns of one seat in a hand, at most."""
HEAD: Final = row.CARDS
"""What a turn changes in a row stands before its cards. The log need not be kept: going back shortens it, and what is
written next goes behind what is left."""
FRAME: Final = HEAD + row.PLACE * row.MOST_SEATS
SLOT, ACTION, MASK = range(3)
BUCKET_BITS: Final = 8
_MIXED: Final = np.uint64(0x9E3779B97F4A7C15)
_HASHED: Final = np.uint64(20)
"""The lowest bits of a product depend on those of the key alone, which are its class of cards: they are left out."""
EMPTY: Final = -1


@compiled
def seek(keys, key):
    """Give the slot of a key, or the empty one where it belongs."""
    last = len(keys) - 1
    slot = np.int64((np.uint64(key) * _MIXED) >> _HASHED) & last
    while keys[slot] != key and keys[slot] != EMPTY:
        slot = (slot + 1) & last
    return slot


@compiled
def find(memory, key):
    """Give the slot of a key, a new one if there is room for it, else -1."""
    keys, numbers = memory[0], memory[3]
    slot = seek(keys, key)
    if keys[slot] == EMPTY:
        # a quarter stays empty: `seek` ends at an empty slot, and gets slow long before there is none
        if 4 * numbers[0] > 3 * len(keys):
            return -1
        numbers[0] += 1
        keys[slot] = key
    return slot


@compiled
def match(regrets, slot, mask, sigma, at):
    """Write the chance of each action in the mask: by its regret where that is positive, else all alike."""
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
    """Write the totals of the raises that are offered to the place to act; give the mask of its actions."""
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
    """Draw an action by its chance."""
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
    """Take the turn of the place to act by one of the six actions."""
    take(d, t, min(action, RAISE), totals[at, max(action, RAISE)])


@compiled
def by_chart(d, t, share):
    """Decide before the flop for a place that enters with this share of hands."""
    return before_the_flop(d, t, share, starting_rank(d, t, t[TURN]), bounds(d, t))


@compiled
def _trembles(d):
    return fraction(d) < TREMBLING


@compiled
def _answer(d, t, buckets, memory, room, weight):
    """Have a seat act: a bot of the house, one that goes by the chart, or one that learns, to whose average this adds."""
    action = total = 0
    if doubles_at(d[row.POLICIES_AT] + 8 * row.POLICY * t[TURN])[0] >= 0.0:
        action, total = decide(d, t)
    else:
        share = charted(d, t, CHART)
        if share == 0.0:
            action, total = _learner_answers(d, t, buckets, memory, room, weight)
        elif _trembles(d):
            action, total = _anything(d, offer(d, t, room[3], DEPTH), room[3])
        else:
            action, total = by_chart(d, t, share)
    # one call: compiling the rules in once is enough
    take(d, t, action, total)


@compiled
def _anything(d, mask, totals):
    """Draw any action of a mask; give action and total."""
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
    """Draw what a seat that learns does, and add to its average; give action and total."""
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
    """Take actions out of a mask that are not played and have lost more than `limit` so far."""
    for action in range(1, ACTIONS):
        if sigma[at, action] == 0.0 and regrets[slot, action] < limit:
            mask &= ~(1 << action)
    return mask


@compiled
def _learn(memory, room, at, weight, counted):
    """Add what each action was better than all together; give what these are worth."""
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
    """Begin a turn: keep the table as it is, and write the chances; give the actions to try."""
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
    """Walk what `me` can do from here on; give what that is worth in big blinds.

    `counted` adds to the average of `me` too: where no seat that learns does so in its turn.
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
