"""The bot `expert` as an array policy, on the row of a table.

`bots.expert` is the original; a test plays both and compares every action. The trainer uses the same functions.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np
from numba import carray

from poker_actors.bots.expert import (
    ACTIONS,
    CHART,
    entering,
    largest,
    pressure,
    raise_totals,
    situation,
    texture,
)
from poker_actors.bots.expert.compiled import class_at, count_hands, starting_class, twice_beaten
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import bounds, seat_at
from poker_actors.learn.compiled.luck import random, skip
from poker_actors.learn.compiled.policies import (
    CALL,
    FOLD,
    RAISE,
    before_the_flop,
    bot_at,
    by_house,
    by_pot_odds,
    policy_at,
    starting_rank,
)
from poker_actors.learn.compiled.row import (
    BET,
    BIG,
    CAN_BET,
    FRONT,
    LIVE,
    LOGGED,
    MARKS,
    PLACE,
    PLACES,
    POT,
    SEATS,
    STACK,
    STREET,
    TURN,
    as_bytes,
    bytes_at,
    compiled,
    count,
    doubles_at,
    halves_at,
    ints_at,
    quarters_at,
    signed_at,
    words_at,
)

_entering = compiled(entering)
_pressure, _situation, _raise_totals = compiled(pressure), compiled(situation), compiled(raise_totals)
_texture, _largest = compiled(texture), compiled(largest)
FOLDS, CALLS = -1, 0
"""Codes of the actions to draw from; a positive code is the total of a raise."""
CAUTIOUS, CURIOUS = 0.05, -0.2
"""The same margins as in `bots.expert`; a test compares the two."""
SHOWN: Final = 5
_PAIRS: Final = 1326
_CHOICES: Final = ACTIONS + 2

BOARD_KEY, ENTRIES, BOARD = range(3)
"""Scratch words: a key of the board that was counted last, its number of entries, and its cards."""
CHOSEN: Final = BOARD + SHOWN + 1
CHANCES: Final = CHOSEN + _CHOICES
STRENGTHS: Final = CHANCES + _CHOICES
COUNTS: Final = STRENGTHS + _PAIRS
EXPERT_WORDS: Final = COUNTS + _PAIRS
"""Words of scratch space; the actions to draw from, their chances, and the counted hands follow the board."""
KNOWN: Final = 2
"""Numbers per strategy table: the address of its situations' starts and that of its weights."""


@compiled
def numbers_at(d, t):
    """Return the arguments of `situation` for the place to act, as `numbers_of` does for a view."""
    me = t[TURN]
    at = PLACES + PLACE * me
    others = t[LIVE] & ~(1 << me)
    depth = min(t[at + FRONT] + t[at + STACK], _deepest(d, t))
    seat = me + t[row.BUTTON] + 1
    seat = seat if seat < d[SEATS] else seat - d[SEATS]
    street = t[STREET]
    opened = t[MARKS + street] if street else 0
    before = t[MARKS + street - 1] if street > 1 else 0
    raises, callers, mine, who, quiet = _pressure(t, d[row.LOG_AT], before, opened, t[LOGGED], seat)
    board = 0
    if street and d[SEATS] == 2:
        board = _texture(as_bytes(t), 8 * row.CARDS + 2 * d[SEATS], street + 2)
    return (
        street,
        d[SEATS],
        me,
        count(others),
        0 if t[LIVE] & t[CAN_BET] & -(2 << me) else 1,
        t[POT],
        min(t[BET] - t[at + FRONT], t[at + STACK]),
        max(depth - t[BET], 0),
        depth,
        max(d[BIG], 1),
        raises,
        callers,
        mine,
        who,
        quiet,
        board,
    )


@compiled
def situation_at(d, t):
    """Return the situation of the place to act."""
    return _situation(numbers_at(d, t))


@compiled
def charted(d, t, chart):
    """Return the share of hands with which, by a chart, the place to act enters the pot; 0 where the table decides."""
    return _entering(numbers_at(d, t), chart) if t[STREET] == 0 else 0.0


@compiled
def raises_at(d, t, legal):
    """Return the totals of the four raises of the place to act; 0 for one that is not offered."""
    limited = d[row.BETTING] != row.NO_LIMIT
    to_call, least, most = legal
    return _raise_totals(t[BET], t[POT], to_call, least, most, _deepest(d, t), limited)


@compiled
def _deepest(d, t):
    """Return the most chips, in front and behind, that any live place other than the one to act has."""
    most = 0
    others = t[LIVE] & ~(1 << t[TURN])
    for place in range(d[SEATS]):
        if others >> place & 1:
            at = PLACES + PLACE * place
            most = max(most, t[at + FRONT] + t[at + STACK])
    return most


@compiled
def decide(d, t):
    """Decide for the place to act; return FOLD, CALL or RAISE, and the total to raise to."""
    bot = bot_at(d, t)
    policy = policy_at(d, bot)
    if np.int64(policy[0]) != row.EXPERT:
        return by_house(d, t, bot, policy)
    number = _weighed(d, t, policy[1], np.int64(policy[2]))
    chosen = ints_at(d[row.EXPERT_AT] + 8 * CHOSEN)[0]
    if number > 1:
        chosen = _drawn(d, number, random(d, t, bot))
    else:
        # `bots.expert` draws even when there is nothing to choose; without this its later draws would differ
        skip(d, t)
    if chosen == FOLDS:
        return FOLD, 0
    return (RAISE, chosen) if chosen else (CALL, 0)


@compiled
def _drawn(d, number, luck):
    """Draw one of `number` actions by their chances; `luck` is uniform in [0, 1)."""
    at = d[row.EXPERT_AT]
    actions, chances = ints_at(at + 8 * CHOSEN), doubles_at(at + 8 * CHANCES)
    last = np.int64(FOLDS)
    for place in range(number):
        last = actions[place]
        luck -= chances[place]
        if luck < 0.0:
            break
    return last


@compiled
def _add(d, number, action, chance):
    """Add to the chance of an action, appending it if it is new; return the number of actions."""
    at = d[row.EXPERT_AT]
    actions, chances = ints_at(at + 8 * CHOSEN), doubles_at(at + 8 * CHANCES)
    for place in range(number):
        if actions[place] == action:
            chances[place] += chance
            return number
    actions[number] = action
    chances[number] = chance
    return number + 1


@compiled
def _weighed(d, t, careless, table):
    """Write the actions of the place to act and their chances; return the number of actions."""
    legal = bounds(d, t)
    numbers = numbers_at(d, t)
    entered = _entering(numbers, CHART)
    kind, share = _judged(d, t)
    size = 0
    if entered == 0.0:
        size = _by_table(d, t, legal, 1.0 - careless, _row_at(d, table, _situation(numbers), kind))
    if size == 0:
        if entered > 0.0:
            action, total = before_the_flop(d, t, entered, starting_rank(d, t, t[TURN]), legal)
        else:
            action, total = by_pot_odds(t, CAUTIOUS, share, legal)
        size = _add(d, 0, _code(action, total), 1.0 - careless)
    if careless > 0.0:
        action, total = by_pot_odds(t, CURIOUS, share, legal)
        size = _add(d, size, _code(action, total), careless)
    return size


@compiled
def _code(action, total):
    return np.int64(FOLDS) if action == FOLD else np.int64(total if action == RAISE else CALLS)


@compiled
def _row_at(d, table, number, kind):
    """Return the address of the weights for a situation and a class of cards; 0 where there are none."""
    known = ints_at(d[row.KNOWN_AT] + 8 * KNOWN * table)
    start = np.int64(signed_at(known[0])[number])
    return known[1] + ACTIONS * (start + kind) if start >= 0 else 0


@compiled
def _by_table(d, t, legal, share, address):
    """Write the actions that have a weight, with their part of `share`; return how many there are."""
    if address == 0:
        return 0
    weights = bytes_at(address)
    half, one, two, most = raises_at(d, t, legal)
    at = PLACES + PLACE * t[TURN]
    blinds = min(t[at + FRONT] + t[at + STACK], _deepest(d, t)) // max(d[BIG], 1)
    most = _largest(two, most, t[BET], t[POT] + legal[0], blinds)
    totals = (np.int64(FOLDS), np.int64(CALLS), half, one, two, most)
    whole = size = 0
    for choice in range(ACTIONS):
        if _offered(choice, totals[choice], legal):
            whole += weights[choice]
    for choice in range(ACTIONS):
        weight = weights[choice]
        if weight and _offered(choice, totals[choice], legal):
            size = _add(d, size, totals[choice], share * weight / whole)
    return size


@compiled
def _offered(choice, total, legal):
    return legal[0] > 0 if choice == FOLD else choice == CALL or total > 0


@compiled
def _judged(d, t):
    """Return the class of the cards of the place to act, and the share of hands that they currently beat."""
    cards = as_bytes(t)
    hole = 8 * row.CARDS + 2 * seat_at(d, t, t[TURN])
    one, other = np.int64(cards[hole]), np.int64(cards[hole + 1])
    if t[STREET] == 0:
        return starting_class(one, other), starting_rank(d, t, t[TURN])
    shown = t[STREET] + 2
    tables = _tables(d)
    at = d[row.EXPERT_AT]
    board = carray(ints_at(at + 8 * BOARD), (SHOWN + 1,))
    strengths = carray(ints_at(at + 8 * STRENGTHS), (_PAIRS,))
    counts = carray(ints_at(at + 8 * COUNTS), (_PAIRS,))
    size = _counted(d, t, shown, board, tables, strengths, counts)
    twice, hands = twice_beaten(one, other, board, shown, size, tables, strengths, counts)
    return class_at(one, other, board, shown, twice, hands, tables), twice / (2 * hands)


@compiled
def _counted(d, t, shown, board, tables, strengths, counts):
    """Count the possible hands on the board, once for all places that need it; return the number of entries."""
    room = ints_at(d[row.EXPERT_AT])
    cards = as_bytes(t)
    key = shown
    for card in range(shown):
        board[card] = cards[8 * row.CARDS + 2 * d[SEATS] + card]
        key = key << 6 | board[card]
    if room[BOARD_KEY] != key:
        room[BOARD_KEY] = key
        room[ENTRIES] = count_hands(board, shown, tables, strengths, counts)
    return room[ENTRIES]


@compiled
def _tables(d):
    """Return the arrays that classes are counted by, nested as in `class_tables`."""
    at = row.CLASSES_AT
    return (
        (
            carray(words_at(d[at]), (52,)),
            carray(words_at(d[at + 1]), (13,)),
            carray(quarters_at(d[at + 2]), (1,)),
            carray(halves_at(d[at + 3]), (1,)),
            carray(halves_at(d[at + 4]), (1,)),
        ),
        (
            carray(quarters_at(d[at + 5]), (1,)),
            carray(quarters_at(d[at + 6]), (1,)),
            carray(quarters_at(d[at + 7]), (1,)),
        ),
        (
            carray(halves_at(d[at + 8]), (1,)),
            carray(halves_at(d[at + 9]), (1,)),
            carray(halves_at(d[at + 10]), (1,)),
        ),
    )
