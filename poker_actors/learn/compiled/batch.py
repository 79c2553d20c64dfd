"""Thousands of tables: one call takes a turn at each, deals, shows down and pays."""

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
"""Of a table: compact observations are int32."""


class TableBatch:
    """Tables that play a hand each, for self-play; make one with `poker_actors.learn.table_batch`.

    Table i deals the hands of its own seed, the same as the environment of that seed, whatever the number of
    tables and threads. `step` takes the turn of every `current_player`; then the arrays say what came of it, the
    same arrays every time, written in place:

    ======================  =================  ==============================================================
    `current_player`        (tables,) int32    the seat to act; -1 where a hand is over and none is dealt yet
    `observation`           (tables, size)     what that seat sees: `layout`; float32, or int32 if compact
    `legal_action_mask`     (tables, actions)  bool
    `rewards`               (tables, seats)    float64, big blinds: 0 but for a hand that has just ended
    `terminated`            (tables,) bool     where a hand has just ended
    `illegal_actions`       (tables, seats)    int32: actions of the hand that has ended that were not legal
    ======================  =================  ==============================================================

    An action is a number as in `env`; without sizes a pair, the kind and the total in big blinds. An illegal
    action becomes a check, or else a fold. With `autoreset="same_step"` the next hand is dealt at once, so that
    all but `rewards`, `terminated` and
    `illegal_actions` are about the new one; with `"next_step"` the next `step` deals it and looks at no
    action; with `"disabled"` `reset` does.

    With a `learner`, a seat, `policies` by seat play all others, and `final_observation` is what the learner sees at the end of a hand.
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
            rows = max(rows, log_size(setting))  # experts look at all actions of a hand
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
        self._desks = desk.parts(threads)  # after all else: it copies addresses

    @property
    def hands(self) -> NDArray[np.int64]:
        """The number of each table's hand, from 0 since its seed; a view, not to be written to."""
        return self._desk.rows[:, row.HAND]

    def reset(
        self, seed: int | Sequence[int] | None = None, *, mask: NDArray[np.bool_] | None = None
    ) -> None:
        """Deal the next hand at every table, or at those that `mask` marks.

        With a seed, table i starts the series of seed + i, or of the i-th of a sequence; with None, it
        continues, or draws a seed before the first hand.
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
        """Take the turn of every table's `current_player`; raises `BadSpec` for actions of another shape."""
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
        """Call compiled code for each thread's tables."""
        if self._pool is None:
            call(self._desks[0].numbers)
            return
        # all are handed in before this thread plays its own, and all are waited for: the arrays are then whole
        others = [self._pool.submit(call, desk.numbers) for desk in self._desks[1:]]
        call(self._desks[0].numbers)
        for done in others:
            done.result()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


def _layout(setting: Setting, observation: str) -> Layout:
    if observation == "compact":
        return CompactLayout.of(setting.game, setting.players, 0)
    return setting.layout


def _see(desk: Desk, setting: Setting, tables: int, observation: str) -> NDArray[Any]:
    """Make the array of what is seen, and have it written."""
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
