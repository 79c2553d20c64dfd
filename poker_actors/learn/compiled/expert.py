"""The bot `expert` as an array policy: what `bots.expert` does, action by action, on the row of a table.

`bots.expert` is the original, and a test plays both. The trainer counts by the same functions.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np
from numba import carray

from poker_actors.bots.expert import ACTIONS, CHART, entering, pressure, raise_totals, situation
from poker_actors.bots.expert.compiled import class_at, count_hands, starting_class, twice_beaten
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import bounds, seat_at
from poker_actors.learn.compiled.judging import starting_rank
from poker_actors.learn.compiled.luck import random, skip
from poker_actors.learn.compiled.policies import before_the_flop, by_house, by_pot_odds, policy_at
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
)
from poker_actors.learn.compiled.words import (
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

__all__ = [
    "EXPERT_WORDS",
    "KNOWN",
    "SITUATIONS",
    "charted",
    "decide",
    "numbers_at",
    "raises_at",
    "situation_at",
]

_entering = compiled(entering)
_pressure, _situation, _raise_totals = compiled(pressure), compiled(situation), compiled(raise_totals)
FOLD, CALL, RAISE = range(3)
FOLDS, CALLS = -1, 0
"""What is drawn among; above 0 it is the total of a raise."""
CAUTIOUS, CURIOUS = 0.05, -0.2
"""As in `bots.expert`."""
SITUATIONS: Final = 1 << 16
"""Above every number of a situation."""
SHOWN: Final = 5
_PAIRS: Final = 1326
_CHOICES: Final = ACTIONS + 2

BOARD_KEY, ENTRIES, BOARD = range(3)
"""Of the room to work in: the board whose hands are counted and how many entries that made; its cards."""
CHOSEN: Final = BOARD + SHOWN + 1
CHANCES: Final = CHOSEN + _CHOICES
STRENGTHS: Final = CHANCES + _CHOICES
COUNTS: Final = STRENGTHS + _PAIRS
EXPERT_WORDS: Final = COUNTS + _PAIRS
"""The actions to draw among, their chances, and the hands that are counted follow."""
KNOWN: Final = 2
"""Numbers of a table of weights: where the starts of its situations are, and where the weights."""


@compiled
def numbers_at(d, t):
    """Give what `situation` is told of the place to act, as `numbers_of` does for a view."""
    me = t[TURN]
    at = PLACES + PLACE * me
    others = t[LIVE] & ~(1 << me)
    top = 0
    for place in range(d[SEATS]):
        if others >> place & 1:
            other = PLACES + PLACE * place
            top = max(top, t[other + FRONT] + t[other + STACK])
    depth = min(t[at + FRONT] + t[at + STACK], top)
    seat = me + t[row.BUTTON] + 1
    seat = seat if seat < d[SEATS] else seat - d[SEATS]
    opened = t[MARKS + t[STREET]] if t[STREET] else 0
    raises, callers, mine, who = _pressure(t, d[row.LOG_AT], opened, t[LOGGED], seat)
    return (
        t[STREET],
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
    )


@compiled
def situation_at(d, t):
    """Give the situation of the place to act."""
    return _situation(numbers_at(d, t))


@compiled
def charted(d, t, chart):
    """Give the share of hands that the place to act enters with by a chart, 0 where a table says what to do."""
    return _entering(numbers_at(d, t), chart) if t[STREET] == 0 else 0.0


@compiled
def raises_at(d, t, legal):
    """Give the totals of the four raises offered to the place to act, 0 for those that are not."""
    limited = d[row.BETTING] != row.NO_LIMIT
    to_call, least, most = legal
    cap = 0
    others = t[LIVE] & ~(1 << t[TURN])
    for place in range(d[SEATS]):
        if others >> place & 1:
            other = PLACES + PLACE * place
            cap = max(cap, t[other + FRONT] + t[other + STACK])
    return _raise_totals(t[BET], t[POT], to_call, least, most, cap, limited)


@compiled
def decide(d, t):
    """Decide for the place to act: fold, check or call, or raise, and the total to raise to."""
    bot = seat_at(d, t, t[TURN]) + t[row.MOVED]
    bot = bot if bot < d[SEATS] else bot - d[SEATS]
    policy = policy_at(d, bot)
    if np.int64(policy[0]) != row.EXPERT:
        return by_house(d, t, bot, policy)
    number = _weighed(d, t, policy[1], np.int64(policy[2]))
    chosen = ints_at(d[row.EXPERT_AT] + 8 * CHOSEN)[0]
    if number > 1:
        chosen = _drawn(d, number, random(d, t, bot))
    else:
        skip(d, t)  # the bot draws here, too, and its later draws are to be the same
    if chosen == FOLDS:
        return FOLD, 0
    return (RAISE, chosen) if chosen else (CALL, 0)


@compiled
def _drawn(d, number, luck):
    """Draw among so many actions by their chances."""
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
    """Add to the chance of an action, a new one behind `number`; give how many there are."""
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
    """Write what the place to act may do, with its chances; give how many actions there are."""
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
    """Give the address of the weights of a situation with a class of cards, 0 where there are none."""
    known = ints_at(d[row.KNOWN_AT] + 8 * KNOWN * table)
    start = np.int64(signed_at(known[0])[number])
    return known[1] + ACTIONS * (start + kind) if start >= 0 else 0


@compiled
def _by_table(d, t, legal, share, address):
    """Write the actions that have a weight, with their part of `share`; give how many there are."""
    if address == 0:
        return 0
    weights = bytes_at(address)
    half, one, two, most = raises_at(d, t, legal)
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
    """Give the class of the cards of the place to act, and the share of hands that they beat now."""
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
    """Count the hands on the board, once for all who ask; give the number of entries."""
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
    """Give the arrays that classes are counted by, as `class_tables` does."""
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
