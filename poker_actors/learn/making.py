"""Functions that make environments; their libraries come with the extra `rl`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec, MissingExtra, from_extra
from poker_actors.learn.table import DEFAULT_SIZES, LearningTable, RaiseSizes, Setting
from poker_actors.rules import Game, Stakes

if TYPE_CHECKING:
    from poker_actors.learn.compiled import CompiledTable, TableBatch
    from poker_actors.learn.envs import PokerEnv, SeatEnv
    from poker_actors.learn.envs.vector import SeatVectorEnv

_NUMBA = ("numba", "llvmlite")


@contextmanager
def _extra() -> Iterator[None]:
    with from_extra("fast", *_NUMBA), from_extra("rl", "pettingzoo", "gymnasium", "numpy"):
        yield


def env(
    players: int = 2,
    *,
    game: str | Game = "holdem",
    stakes: str | Stakes | None = None,
    stacks: int | Sequence[int] | None = None,
    raise_sizes: Sequence[str | float] | RaiseSizes | None = None,
    history: int = 64,
    compiled: bool | None = None,
    render_mode: str | None = None,
) -> PokerEnv:
    """Make a PettingZoo environment with one agent for each of `players` seats.

    `stakes` is a text such as `"1/2"`; `stacks` are chips, one number for all seats or one for each, by default 100
    big blinds; an observation keeps the last `history` actions. An action is a pair: the kind (0 fold, 1 check or
    call, 2 bet or raise; fractions are cut off) and the total to raise to in big blinds, moved to the nearest legal
    total; a kind alone raises the minimum. With `raise_sizes`, such as `("min", 0.5, 1.0, "all-in")`, an action is a
    number instead: 0 fold, 1 check or call, 2 and up a raise of each size.

    `compiled` chooses between compiled code, which takes a few seconds to compile when first used on a machine, and
    the rules themselves; the hands are the same. `None` compiles where numba (extra `fast`) is installed and
    `Setting.compiles` is true.

    Raises `BadSpec` for settings that cannot be played, `MissingExtra` without the libraries.
    """
    with _extra():
        from poker_actors.learn.envs import PokerEnv

        setting = Setting(players, game, stakes, stacks, raise_sizes, history)
        return PokerEnv(setting, _table(setting, compiled), render_mode)


def _table(setting: Setting, compiled: bool | None) -> LearningTable | CompiledTable:
    """Return a table for `setting`, compiled if asked for, or by default if possible."""
    if compiled is False or (compiled is None and not setting.compiles):
        return LearningTable(setting)
    if not setting.compiles:
        raise BadSpec(f"compiled=True: {setting.why_not_compiled}")
    try:
        with from_extra("fast", *_NUMBA):
            from poker_actors.learn.compiled import CompiledTable
    except MissingExtra:
        if compiled:
            raise
        return LearningTable(setting)
    return CompiledTable(setting)


def seat_env(
    opponents: Sequence[str | BotSpec | Callable[..., Any]] = ("caller",),
    *,
    game: str | Game = "holdem",
    stakes: str | Stakes | None = None,
    stacks: int | Sequence[int] | None = None,
    raise_sizes: Sequence[str | float] | RaiseSizes | None = None,
    history: int = 64,
    render_mode: str | None = None,
) -> SeatEnv:
    """Make a Gymnasium environment: one seat against `opponents`, given as bot specs.

    The other settings are those of `env`. Raises `UnknownBot` too.
    """
    with _extra():
        from poker_actors.learn.envs import SeatEnv

        setting = Setting(1 + len(opponents), game, stakes, stacks, raise_sizes, history)
        return SeatEnv(setting, opponents, render_mode)


def table_batch(  # noqa: PLR0913  one per setting of a table, all but two keyword-only
    tables: int,
    players: int = 2,
    *,
    game: str | Game = "holdem",
    stakes: str | Stakes | None = None,
    stacks: int | Sequence[int] | None = None,
    raise_sizes: Sequence[str | float] | RaiseSizes | None = DEFAULT_SIZES,
    history: int = 64,
    observation: str = "layout",
    autoreset: str = "same_step",
    threads: int = 1,
) -> TableBatch:
    """Make a batch of `tables` tables for self-play: every `step` takes a turn at each (extras `rl` and `fast`).

    The settings are those of `env`, and table i deals the same hands as an `env` with its seed. `observation` is
    `"layout"` (float32 rows, see `Layout`), `"compact"` (int32, see `CompactLayout`) or `"none"`; `autoreset` is
    `"same_step"`, `"next_step"` or `"disabled"`; `threads` share the tables, which pays from some ten
    thousand tables on.

    Raises `BadSpec` for settings that do not compile, see `Setting.compiles`, and `MissingExtra`.
    """
    with _extra():
        from poker_actors.learn.compiled import TableBatch

        setting = Setting(players, game, stakes, stacks, raise_sizes, history)
        return TableBatch(setting, tables, observation=observation, autoreset=autoreset, threads=threads)


def seat_vector_env(  # noqa: PLR0913  as above
    num_envs: int = 1,
    opponents: Sequence[str | BotSpec] = ("caller",),
    *,
    game: str | Game = "holdem",
    stakes: str | Stakes | None = None,
    stacks: int | Sequence[int] | None = None,
    raise_sizes: Sequence[str | float] | RaiseSizes | None = DEFAULT_SIZES,
    history: int = 64,
    observation: str = "layout",
    autoreset_mode: str = "same_step",
    threads: int = 1,
    copy: bool = True,
) -> SeatVectorEnv:
    """Make a Gymnasium vector environment: a seat at each of `num_envs` tables, against house bots.

    The bots are caller, folder, random, maniac, tight, loose, pot-odds and expert, with any parameters; compiled, they
    act exactly as elsewhere. With `copy=False` the returned arrays are overwritten by the next step. The other
    settings and errors are those of `table_batch`.
    """
    with _extra():
        from poker_actors.learn.envs.vector import SeatVectorEnv

        setting = Setting(1 + len(opponents), game, stakes, stacks, raise_sizes, history)
        return SeatVectorEnv(
            setting,
            num_envs,
            opponents,
            observation=observation,
            autoreset_mode=autoreset_mode,
            threads=threads,
            copy=copy,
        )
