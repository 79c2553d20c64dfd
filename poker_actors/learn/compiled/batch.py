"""Thousands of tables stepped at once: each call takes one turn per table, deals, shows down and pays."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.bots import SeedTree
from poker_actors.errors import BadSpec
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.desk import Desk, log_size
from poker_actors.learn.compiled.stepping import deal_all, step_all
from poker_actors.learn.layout import CompactLayout, Layout
from poker_actors.learn.policies import Policy
from poker_actors.learn.table import Setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["AUTORESETS", "MOST_TABLES", "TableBatch"]

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
                    f"mask of {mask.dtype}, shape {mask.shape}: it is bool, one a table ({self.tables})"
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
            raise BadSpec("the first reset is of all tables")
        for table in np.flatnonzero(self._dealt).tolist():
            self._desk.seed(table, SeedTree(seeds[table]).key)
        self._seeded = True

    def step(self, actions: Any) -> None:
        """Take the turn of every table's `current_player`.

        `actions` has shape (tables,), or (tables, 2) without raise sizes. Raises `BadSpec` for any other shape and
        before the first `reset`.
        """
        if not self._seeded:
            raise BadSpec("reset deals the first hands")
        given = np.asarray(actions)
        if self.setting.sizes is None and given.ndim == 2 and given.shape == (self.tables, 2):
            self._actions[:] = given[:, 0]
            self._asked[:] = given[:, 1] * float(self.setting.stakes.big_blind)
        elif given.shape == (self.tables,):
            self._actions[:] = given
            self._asked[:] = 0.0
        else:
            raise BadSpec(f"actions of shape {given.shape}: one for each of {self.tables} tables")
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
            "tables by the thousand play hold'em, short deck and Omaha with at most 32 cards, stacks up to 1000 big blinds and "
            f"20 sizes: these settings of {setting.game.name} do not fit"
        )
    if type(tables) is not int or not 1 <= tables <= MOST_TABLES:
        raise BadSpec(f"tables is {tables!r:.20}: it can be 1 to {MOST_TABLES}")
    if type(threads) is not int or not 1 <= threads <= _MOST_THREADS:
        raise BadSpec(f"threads is {threads!r:.20}: it can be 1 to {_MOST_THREADS}")
    if observation not in OBSERVATIONS:
        raise BadSpec(f"observation {observation!r:.20}: {', '.join(OBSERVATIONS)}")
    if autoreset not in AUTORESETS:
        raise BadSpec(f"autoreset {autoreset!r:.20}: {', '.join(AUTORESETS)}")
    if observation == "compact" and sum(setting.stacks) > _MOST_CHIPS:
        raise BadSpec(f"{sum(setting.stacks)} chips at a table: compact observations hold {_MOST_CHIPS}")
