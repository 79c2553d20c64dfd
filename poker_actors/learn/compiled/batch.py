"""Thousands of tables stepped at once: each call takes one turn per table, deals, shows down and pays."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.bots import SeedTree
from poker_actors.errors import BadSpec
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import act, begin, bounds, mask_of, seat_at, take
from poker_actors.learn.compiled.decks import deal
from poker_actors.learn.compiled.desk import Desk, log_size
from poker_actors.learn.compiled.expert import decide
from poker_actors.learn.compiled.paying import pay
from poker_actors.learn.compiled.row import (
    BUTTON,
    ENDED,
    HAND,
    PLACE,
    PLACES,
    SEATS,
    STACK,
    START,
    TURN,
    bytes_at,
    compiled,
    compiled_call,
    doubles_at,
    ints_at,
    signed_at,
)
from poker_actors.learn.compiled.seeing import see, see_compact, to_call_of
from poker_actors.learn.layout import CompactLayout, Layout
from poker_actors.learn.policies import Policy
from poker_actors.learn.table import Setting

if TYPE_CHECKING:
    from numpy.typing import NDArray


ILLEGAL_BIT: Final = 1 << 40
"""Above every answer of seat and mask: 4 bits and at most 22."""
SEAT_BITS: Final = 4
"""Enough for ten seats; the mask of actions stands above."""


@compiled
def _next_hand(d, t):
    """Deal the next hand that needs a decision, skipping hands that end without one."""
    while True:
        t[HAND] += 1
        t[BUTTON] = t[HAND] % d[SEATS]
        deal(d, t)
        begin(d, t)
        _others_act(d, t)
        if t[ENDED] == 0:
            return


@compiled
def _others_act(d, t):
    """Let the other seats' policies act until it is the learner's turn or the hand is over."""
    if d[row.LEARNER] < 0:
        return
    while t[ENDED] == 0 and seat_at(d, t, t[TURN]) != d[row.LEARNER]:
        action, total = decide(d, t)
        take(d, t, action, total)


@compiled
def _look(d, t, seat, address, to_call, least, most):
    if d[row.SEEN] == row.SEES_LAYOUT:
        see(d, t, seat, address, to_call, least, most)
    elif d[row.SEEN] == row.SEES_NUMBERS:
        see_compact(d, t, seat, address, to_call, least, most)


@compiled
def _tell(d, t, number):
    """Write the seat to act, its legal actions and its observation; after a hand, the observation is seat 0's."""
    seat = 0
    to_call = least = most = bits = 0
    if t[ENDED] == 0:
        seat = seat_at(d, t, t[TURN])
        to_call, least, most = bounds(d, t)
        bits = mask_of(d, t, to_call, least, most)
    signed_at(d[row.TURNS_AT])[number] = seat if t[ENDED] == 0 else -1
    actions = 2 + max(d[row.SIZES], 1)
    masks = bytes_at(d[row.MASKS_AT] + actions * number)
    for action in range(actions):
        masks[action] = bits >> action & 1
    _look(d, t, seat, d[row.SEEN_AT] + 4 * d[row.SEEN_SIZE] * number, to_call, least, most)


@compiled
def _settle(d, t, number):
    """Write each seat's result in big blinds and its number of illegal actions."""
    n = d[SEATS]
    rewards = doubles_at(d[row.REWARDS_AT] + 8 * n * number)
    wrong = signed_at(d[row.WRONG_AT] + 4 * n * number)
    unit = 1.0 / d[row.BIG]
    for place in range(n):
        seat, at = seat_at(d, t, place), PLACES + PLACE * place
        rewards[seat] = (t[at + STACK] - t[at + START]) * unit
        wrong[seat] = t[at + row.ILLEGAL]


@compiled_call
def deal_all(desk):
    """Deal the next hand at the marked tables and write their state."""
    d = ints_at(desk.ctypes.data)
    dealt, over = bytes_at(d[row.DEALT_AT]), bytes_at(d[row.OVER_AT])
    for number in range(d[row.FIRST], d[row.LAST]):
        if dealt[number]:
            t = ints_at(d[row.ROWS] + 8 * d[row.ROW_SIZE] * number)
            _next_hand(d, t)
            over[number] = 0
            _tell(d, t, number)


@compiled_call
def step_all(desk):
    """Take a turn at every table."""
    d = ints_at(desk.ctypes.data)
    n = d[SEATS]
    over = bytes_at(d[row.OVER_AT])
    actions, asked = ints_at(d[row.ACTIONS_AT]), doubles_at(d[row.ASKED_AT])
    for number in range(d[row.FIRST], d[row.LAST]):
        t = ints_at(d[row.ROWS] + 8 * d[row.ROW_SIZE] * number)
        # clear rewards only now, even where no hand follows: the caller reads them between steps
        if over[number]:
            rewards = doubles_at(d[row.REWARDS_AT] + 8 * n * number)
            for seat in range(n):
                rewards[seat] = 0.0
        if t[ENDED]:
            if d[row.AUTORESET] == row.NO_RESET:
                continue
            over[number] = 0
            _next_hand(d, t)
        else:
            over[number] = 0
            act(d, t, actions[number], 0.0 if d[row.SIZES] else asked[number])
            _others_act(d, t)
            if t[ENDED]:
                # order matters: the next hand is dealt into the same row, so report this one first
                pay(d, t)
                _settle(d, t, number)
                over[number] = 1
                if d[row.FINAL_AT]:
                    _look(d, t, d[row.LEARNER], d[row.FINAL_AT] + 4 * d[row.SEEN_SIZE] * number, 0, 0, 0)
                if d[row.AUTORESET] == row.SAME_STEP:
                    _next_hand(d, t)
        _tell(d, t, number)


@compiled
def _answer(d, t, illegal):
    """Return the seat to act | its mask << SEAT_BITS, negative when the hand is over; write its observation."""
    if t[ENDED]:
        return -1 - illegal
    seat = seat_at(d, t, t[TURN])
    to_call, least, most = bounds(d, t)
    _look(d, t, seat, d[row.SEEN_AT], to_call, least, most)
    return seat | mask_of(d, t, to_call, least, most) << SEAT_BITS | illegal


@compiled_call
def begin_one(desk, number, given):
    """Begin hand `number` at the only table; if `given`, with the cards already in its row."""
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[row.ROWS])
    t[HAND] = number
    t[BUTTON] = number % d[SEATS]
    if not given:
        deal(d, t)
    begin(d, t)
    return _answer(d, t, 0)


@compiled_call
def act_one(desk, action, asked):
    """Take the turn of the seat to act at the only table; an illegal action sets `ILLEGAL_BIT` in the answer."""
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[row.ROWS])
    illegal = act(d, t, action, asked)
    if t[ENDED]:
        pay(d, t)
    return _answer(d, t, ILLEGAL_BIT if illegal else 0)


@compiled_call
def see_one(desk, seat):
    """Write the observation of a seat of the only table."""
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[row.ROWS])
    to_call, least, most = to_call_of(d, t, seat), 0, 0
    if t[ENDED] == 0 and seat == seat_at(d, t, t[TURN]):
        to_call, least, most = bounds(d, t)
    _look(d, t, seat, d[row.SEEN_AT], to_call, least, most)


AUTORESETS: Final = {"disabled": row.NO_RESET, "next_step": row.NEXT_STEP, "same_step": row.SAME_STEP}
OBSERVATIONS: Final = ("compact", "layout", "none")
MOST_TABLES: Final = 1 << 20
_MOST_THREADS: Final = 64
_MOST_CHIPS: Final = (1 << 31) - 1
"""Most chips at one table: compact observations are int32 and would overflow above this."""


class TableBatch:
    """Many one-hand tables for self-play; make one with `poker_actors.learn.table_batch`.

    Table i deals the hands of its own seed, exactly as the environment with that seed does, whatever the number of
    tables and threads. `step` takes the turn of every `current_player` and writes the outcome in place into these
    arrays, which stay the same objects:

    ======================  =================  ==============================================================
    `current_player`        (tables,) int32    the seat to act; -1 where a hand is over and none is dealt yet
    `observation`           (tables, size)     that seat's view, see `layout`; float32, or int32 if compact
    `legal_action_mask`     (tables, actions)  bool
    `rewards`               (tables, seats)    float64, big blinds; 0 unless a hand has just ended
    `terminated`            (tables,) bool     True where a hand has just ended
    `illegal_actions`       (tables, seats)    int32: illegal actions in the hand that has just ended
    ======================  =================  ==============================================================

    An action is a number as in `env`; without raise sizes it is a pair of kind and total in big blinds. An illegal
    action becomes a check if possible, else a fold. With `autoreset="same_step"` the next hand is dealt at once, and
    only `rewards`, `terminated` and `illegal_actions` still describe the old one; with `"next_step"` the next `step`
    deals it and ignores the action; with `"disabled"` only `reset` deals.

    With a `learner` (a seat number), `policies`, one per seat, play the other seats, and `final_observation` holds
    the learner's view at the end of each hand.

    Raises `BadSpec` for settings that do not compile and for options out of range.
    """

    def __init__(
        self,
        setting: Setting,
        tables: int,
        *,
        observation: str = "layout",
        autoreset: str = "same_step",
        threads: int = 1,
        policies: Sequence[Policy] = (),
        learner: int = -1,
    ) -> None:
        _check(setting, tables, observation, autoreset, threads)
        self.setting: Final = setting
        self.tables: Final = tables
        self.autoreset: Final = autoreset
        rows = setting.layout.rows if observation == "layout" else 0
        if any(policy.kind == row.EXPERT for policy in policies):
            rows = max(rows, log_size(setting))  # an expert reads every action: the log must not wrap
        desk = self._desk = Desk(setting, tables, max(rows, 1), policies)
        self.layout: Final[Layout] = _layout(setting, observation)
        self.observation: Final[NDArray[Any]] = _see(desk, setting, tables, observation)
        self.current_player: Final = desk.give(row.TURNS_AT, (tables,), np.int32)
        self.legal_action_mask: Final = desk.give(row.MASKS_AT, (tables, setting.actions), np.bool_)
        self.rewards: Final = desk.give(row.REWARDS_AT, (tables, setting.players), np.float64)
        self.terminated: Final = desk.give(row.OVER_AT, (tables,), np.bool_)
        self.illegal_actions: Final = desk.give(row.WRONG_AT, (tables, setting.players), np.int32)
        self._actions = desk.give(row.ACTIONS_AT, (tables,), np.int64)
        self._asked = desk.give(row.ASKED_AT, (tables,), np.float64)
        self._dealt = desk.give(row.DEALT_AT, (tables,), np.bool_)
        if learner >= 0:
            seen = self.observation
            self.final_observation: Final = desk.give(row.FINAL_AT, seen.shape, seen.dtype)
            desk.numbers[row.LEARNER] = learner
        desk.numbers[row.AUTORESET] = AUTORESETS[autoreset]
        self._seeded = False
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._desks = desk.parts(threads)  # last: an address set later is 0 in the copies

    @property
    def hands(self) -> NDArray[np.int64]:
        """Each table's hand number, int64 of shape (tables,), 0 being the first of its seed; a read-only view."""
        return self._desk.rows[:, row.HAND]

    def reset(
        self, seed: int | Sequence[int] | None = None, *, mask: NDArray[np.bool_] | None = None
    ) -> None:
        """Deal the next hand at every table, or only where `mask`, bool of shape (tables,), is True.

        With an int seed, table i starts the series of seed + i; with a sequence, that of its i-th seed. With None the
        series continue; before the first hand a random seed is drawn. Raises `BadSpec` for a mask or seeds of the
        wrong shape.
        """
        dealt = self._dealt
        dealt[:] = True
        if mask is not None:
            if mask.shape != dealt.shape or mask.dtype != np.bool_:
                raise BadSpec(
                    f"mask of {mask.dtype}, shape {mask.shape}: it must be bool, one per table ({self.tables})"
                )
            dealt[:] = mask
        if seed is None and not self._seeded:
            seed = secrets.randbits(62)
        if seed is not None:
            self._seed(seed)
        self.rewards[dealt] = 0.0
        self._each(deal_all)

    def _seed(self, seed: int | Sequence[int]) -> None:
        seeds = range(seed, seed + self.tables) if isinstance(seed, int) else seed
        if len(seeds) != self.tables:
            raise BadSpec(f"{len(seeds)} seeds for {self.tables} tables: give one for all or one for each")
        if not self._seeded and not self._dealt.all():
            raise BadSpec("the first reset must include all tables")
        for table in np.flatnonzero(self._dealt).tolist():
            self._desk.seed(table, SeedTree(seeds[table]).key)
        self._seeded = True

    def step(self, actions: Any) -> None:
        """Take the turn of every table's `current_player`.

        `actions` has shape (tables,), or (tables, 2) without raise sizes. Raises `BadSpec` for any other shape and
        before the first `reset`.
        """
        if not self._seeded:
            raise BadSpec("call reset first: it deals the first hands")
        given = np.asarray(actions)
        if self.setting.sizes is None and given.ndim == 2 and given.shape == (self.tables, 2):
            self._actions[:] = given[:, 0]
            self._asked[:] = given[:, 1] * float(self.setting.stakes.big_blind)
        elif given.shape == (self.tables,):
            self._actions[:] = given
            self._asked[:] = 0.0
        else:
            raise BadSpec(f"actions have shape {given.shape}: give one for each of {self.tables} tables")
        self._each(step_all)

    def _each(self, call: Any) -> None:
        """Run compiled code on each thread's share of the tables."""
        if self._pool is None:
            call(self._desks[0].numbers)
            return
        # submit the others before playing our own share, else the threads would run one after the other; wait for
        # all of them, else the caller reads half-written arrays
        others = [self._pool.submit(call, desk.numbers) for desk in self._desks[1:]]
        call(self._desks[0].numbers)
        for done in others:
            done.result()

    def close(self) -> None:
        """Stop the worker threads."""
        if self._pool is not None:
            self._pool.shutdown()


def _layout(setting: Setting, observation: str) -> Layout:
    if observation == "compact":
        return CompactLayout.of(setting.game, setting.players, 0)
    return setting.layout


def _see(desk: Desk, setting: Setting, tables: int, observation: str) -> NDArray[Any]:
    """Make the observation array and register it with the desk."""
    if observation == "none":
        return np.zeros((tables, 0), np.float32)
    compact = observation == "compact"
    seen = np.zeros((tables, _layout(setting, observation).size), np.int32 if compact else np.float32)
    desk.show(setting, row.SEES_NUMBERS if compact else row.SEES_LAYOUT, seen)
    return seen


def _check(setting: Setting, tables: int, observation: str, autoreset: str, threads: int) -> None:
    if not setting.compiles:
        raise BadSpec(
            "batches of tables play hold'em, short deck and Omaha with at most 32 cards, stacks up to 1000 big blinds and "
            f"20 sizes: these settings of {setting.game.name} do not fit"
        )
    if type(tables) is not int or not 1 <= tables <= MOST_TABLES:
        raise BadSpec(f"tables is {tables!r:.20}: it must be 1 to {MOST_TABLES}")
    if type(threads) is not int or not 1 <= threads <= _MOST_THREADS:
        raise BadSpec(f"threads is {threads!r:.20}: it must be 1 to {_MOST_THREADS}")
    if observation not in OBSERVATIONS:
        raise BadSpec(f"observation {observation!r:.20} must be one of {', '.join(OBSERVATIONS)}")
    if autoreset not in AUTORESETS:
        raise BadSpec(f"autoreset {autoreset!r:.20} must be one of {', '.join(AUTORESETS)}")
    if observation == "compact" and sum(setting.stacks) > _MOST_CHIPS:
        raise BadSpec(
            f"{sum(setting.stacks)} chips at a table: compact observations hold at most {_MOST_CHIPS}"
        )
