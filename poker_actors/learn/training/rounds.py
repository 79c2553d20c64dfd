"""Training rounds and matches against house bots, compiled: the hands to train on, and their memory."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.bots.expert import ACTIONS
from poker_actors.bots.expert.compiled import class_of, class_tables, count_hands, starting_class
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import begin
from poker_actors.learn.compiled.desk import Desk, Table
from poker_actors.learn.compiled.luck import fraction, number_below
from poker_actors.learn.compiled.row import (
    BIG,
    BUTTON,
    CARDS,
    POLICY,
    SEATS,
    STACKS,
    as_bytes,
    bytes_at,
    compiled,
    compiled_call,
    doubles_at,
    ints_at,
)
from poker_actors.learn.policies import CALLER, Policy
from poker_actors.learn.training.walking import (
    DEPTH,
    EMPTY,
    FRAME,
    PRESSING,
    find,
    walk,
)
from poker_actors.rules import GAMES, Stakes

if TYPE_CHECKING:
    from numpy.typing import NDArray


LEARNS: Final = -1.0
"""The policy kind of a seat that learns."""
LEAST_BLINDS, RANGE = 8.0, 27.5
"""Stacks range from 8 to 8 * 27.5 = 220 big blinds; every doubling is equally likely."""
USUAL, DEEP, SHORT = 0.3, 0.2, 0.15
"""How often stacks are 75 to 135 big blinds, as at a cash table, how often 140 to 220, and how often 16 to 26."""
EQUAL: Final = 0.6
"""How often all stacks are equal, as when a game begins; else each is drawn."""
PACK: Final = 52
_SEATS_OFTEN: Final = np.array([3, 4, 5, 6, 6, 6, 6, 7, 8, 9])
"""Numbers of seats to draw from; six is the size of table at which progress is measured."""
_KINDS: Final = np.array([row.TIGHT, row.LOOSE, row.POT_ODDS], np.int64)
"""Kinds of guests. Bots that give chips away are left out: winnings from them would drown what the others teach."""
_PRESSING: Final = 0.7
"""How often all guests of a hand press: they bet any cards on every street (see `walking.presses`)."""
_SHOVING: Final = 0.1
"""How often a guest that presses goes all-in instead of betting."""
_SMALL: Final = 0.12
"""How often another bets less than half the pot, mostly the minimum: sizes that learners never bet."""
_BETWEEN: Final = 0.4
"""How often yet another bets from about half a pot to nearly a pot: these alone teach what to answer (see `situation`)."""


@compiled
def _stack(d):
    luck = fraction(d)
    if luck < USUAL:
        return np.int64(d[BIG] * (75.0 + 60.0 * fraction(d)))
    if luck < USUAL + DEEP:
        return np.int64(d[BIG] * (140.0 + 80.0 * fraction(d)))
    if luck < USUAL + DEEP + SHORT:
        return np.int64(d[BIG] * (16.0 + 10.0 * fraction(d)))
    return np.int64(d[BIG] * LEAST_BLINDS * RANGE ** fraction(d))


@compiled
def deal_cards(d, t):
    """Deal two cards per seat and five for the board with the desk's own generator."""
    pack = bytes_at(d[row.SCRATCH])
    for card in range(PACK):
        pack[card] = card
    cards = as_bytes(t)
    for place in range(2 * d[SEATS] + 5):
        other = place + number_below(d, PACK - place)
        card = pack[other]
        pack[other] = pack[place]
        pack[place] = card
        cards[8 * CARDS + place] = card


@compiled
def seat_bot(d, seat, kind, vary):
    """Seat a house bot with its first parameter times `vary`; `kind` is `LEARNS` for a seat that learns."""
    policy = doubles_at(d[row.POLICIES_AT] + 8 * POLICY * seat)
    policy[0] = kind
    # the defaults of `learn.policies`
    if kind == row.TIGHT:
        policy[1], policy[2], policy[3] = 0.18 * vary, 0.25, 0.60
    elif kind == row.LOOSE:
        policy[1], policy[2], policy[3] = 0.42 * vary, 0.45, 0.52
    elif kind == row.POT_ODDS:
        policy[1] = 0.05
    elif kind == PRESSING:
        # some go all-in, some bet little and raise again, most bet up to two pots; most give up to raises, and a quarter choose
        # their starting hands
        policy[1] = 100.0 if fraction(d) < _SHOVING else 0.4 + 1.6 * fraction(d) ** 2
        if policy[1] < 100.0 and fraction(d) < _SMALL:
            policy[1] = max(0.8 * fraction(d) - 0.4, 0.0)
        elif policy[1] < 100.0 and fraction(d) < _BETWEEN:
            policy[1] = 0.45 + 0.4 * fraction(d) ** 2
        if fraction(d) < (0.7 if policy[1] < 0.4 else 0.25):
            policy[0] += 1.0
        policy[2] = 1.0 - fraction(d) ** 2
        policy[3] = 1.0 if fraction(d) < 0.75 else 0.3 + 0.7 * fraction(d)


@compiled
def _seat_all(d, guests):
    """Seat house bots around one learner in a fraction `guests` of hands; return the learner, or -1 if all seats learn."""
    n = d[SEATS]
    if fraction(d) >= guests:
        for seat in range(n):
            seat_bot(d, seat, LEARNS, 1.0)
        return -1
    me = number_below(d, n)
    # mostly guests of one kind, so that its habits can be learnt, and sometimes a mixed table
    alike = fraction(d) < 0.7
    kind = _KINDS[number_below(d, len(_KINDS))]
    pressing = fraction(d) < _PRESSING
    for seat in range(n):
        if not alike:
            kind = _KINDS[number_below(d, len(_KINDS))]
        # half of the guests as they are, half up to 30 % tighter or looser: no single guest is learnt by heart
        vary = 1.0 if fraction(d) < 0.5 else 0.7 + 0.6 * fraction(d)
        seat_bot(d, seat, LEARNS if seat == me else PRESSING if pressing else np.float64(kind), vary)
    return me


@compiled
def deal_hand(d, t, many, guests):
    """Deal a hand of two seats, or of three to nine if `many`; return the learning seat, -1 if all learn."""
    n = _SEATS_OFTEN[number_below(d, len(_SEATS_OFTEN))] if many else 2
    d[SEATS] = n
    t[BUTTON] = n - 1
    equal = fraction(d) < EQUAL
    stack = _stack(d)
    for seat in range(n):
        d[STACKS + seat] = stack if equal else _stack(d)
    deal_cards(d, t)
    return _seat_all(d, guests)


@compiled
def classify(d, t, me, buckets, tables, counted):
    """Write the card classes of `me`, or of all seats if -1, to `buckets[place, street]`."""
    board, strengths, counts = counted
    cards = as_bytes(t)
    n = d[SEATS]
    for card in range(5):
        board[card] = cards[8 * CARDS + 2 * n + card]
    for street in range(row.STREETS):
        size = count_hands(board, street + 2, tables, strengths, counts) if street else 0
        for seat in range(n):
            if me >= 0 and seat != me:
                continue
            one, other = np.int64(cards[8 * CARDS + 2 * seat]), np.int64(cards[8 * CARDS + 2 * seat + 1])
            # the button is the last seat, so seats are places
            if street:
                found = class_of(one, other, board, street + 2, size, tables, strengths, counts)
            else:
                found = starting_class(one, other)
            buckets[seat, street] = found


MOST_WALKERS: Final = 3
"""How many seats of a hand learn from it where all could."""
_BLINDS: Final = Stakes(10, 20)
_LOG: Final = 256
"""Actions the log holds: if it wrapped, a walk that goes back would read the actions of another branch."""
_MOST: Final = 9
"""Most seats of a hand."""
_PAIRS: Final = 1326
"""52 * 51 / 2 hole cards."""


@compiled_call
def train_hands(desk, hands, weight, many, guests, memory, place):
    """Deal `hands` hands and let their seats learn from them."""
    tables, room, buckets, counted = place
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[row.ROWS])
    for _ in range(hands):
        me = deal_hand(d, t, many, guests)
        classify(d, t, me, buckets, tables, counted)
        n = d[SEATS]
        first = me if me >= 0 else number_below(d, n)
        for turn in range(1 if me >= 0 else min(n, MOST_WALKERS)):
            begin(d, t)
            walk(d, t, (first + turn) % n, buckets, memory, room, weight, me >= 0)


class Memory:
    """The learnt values: a hash table with a row per situation and class of cards.

    `regrets` and `averages` are float32 of shape (size, ACTIONS); `size` must be a power of two, for `seek` masks.
    """

    def __init__(self, size: int) -> None:
        self.keys: NDArray[np.int64] = np.full(size, EMPTY, np.int64)
        self.regrets: NDArray[np.float32] = np.zeros((size, ACTIONS), np.float32)
        self.averages: NDArray[np.float32] = np.zeros((size, ACTIONS), np.float32)
        self.numbers: NDArray[np.int64] = np.zeros(2, np.int64)
        """rows in use, turns walked"""

    @classmethod
    def of(cls, size: int, turns: int, keys: Any, regrets: Any, averages: Any) -> Memory:
        """Rebuild a memory of `size` slots from its used rows."""
        memory = cls(size)
        _move((keys, regrets, averages), memory.arrays)
        memory.numbers[1] = turns
        return memory

    @property
    def arrays(self) -> tuple[Any, ...]:
        """Return the arrays, in the order in which compiled code takes them."""
        return (self.keys, self.regrets, self.averages, self.numbers)

    @property
    def rows(self) -> int:
        """Return the number of rows in use."""
        return int(self.numbers[0])

    @property
    def turns(self) -> int:
        """Return the number of turns walked."""
        return int(self.numbers[1])

    def grow(self) -> None:
        """Double the size once half of the slots are used.

        Call it between rounds only: compiled code holds the arrays during one. Until then another quarter can
        fill up; rows that no longer fit are not learnt (see `find`).
        """
        if 2 * self.rows < len(self.keys):
            return
        larger = Memory(2 * len(self.keys))
        _move(self.arrays[:3], larger.arrays)
        larger.numbers[1] = self.turns
        self.keys, self.regrets, self.averages, self.numbers = larger.arrays


@compiled_call
def _move(old, new):
    """Copy all used rows into another memory."""
    for slot in range(len(old[0])):
        if old[0][slot] != EMPTY:
            found = find(new, old[0][slot])
            for action in range(ACTIONS):
                new[1][found, action] = old[1][slot, action]
                new[2][found, action] = old[2][slot, action]


class Workplace:
    """A table and the scratch space of one thread; `seed` seeds its luck."""

    def __init__(self, *, many: bool, seed: int) -> None:
        self.many = many
        players = _MOST if many else 2
        # as many seats as there can be, and the deepest stacks; each hand draws its own
        table = Table(GAMES["holdem"], _BLINDS, (220 * _BLINDS.big_blind,) * players)
        desk = self._desk = Desk(table, 1, _LOG, [Policy(CALLER)] * players)
        self._state = desk.luck
        self._state[0] = seed
        room = (
            np.zeros((DEPTH + 1, FRAME), np.int64),
            np.zeros((DEPTH + 1, ACTIONS)),
            np.zeros((DEPTH + 1, ACTIONS)),
            np.zeros((DEPTH + 1, ACTIONS), np.int64),
            np.zeros((DEPTH + 1, 3), np.int64),
            np.zeros(DEPTH + 2),
        )
        counted = (np.zeros(5, np.int64), np.zeros(_PAIRS, np.int64), np.zeros(_PAIRS, np.int64))
        buckets = np.zeros((row.MOST_SEATS, row.STREETS), np.int64)
        self._place = (class_tables(), room, buckets, counted)

    @property
    def luck(self) -> int:
        """The state of its random generator, for resuming."""
        return int(self._state[0])

    @luck.setter
    def luck(self, state: int) -> None:
        self._state[0] = state

    def train(self, memory: Memory, hands: int, weight: float, guests: float) -> None:
        """Learn from `hands` hands; house bots play in a fraction `guests` of them."""
        train_hands(self._desk.numbers, hands, weight, self.many, guests, memory.arrays, self._place)
