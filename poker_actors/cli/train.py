"""`poker-actors train`: train the table of the bot expert from scratch, or resume a training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final, Literal

import attrs

from poker_actors.cli.output import note, on_terminal, progress
from poker_actors.cli.values import FILE, WRITTEN, JsonOption, SetSeed, to_be_printed
from poker_actors.errors import BadSpec, from_extra

if TYPE_CHECKING:
    from poker_actors.learn.training import Trainer

_STEPS: Final = 1000
"""Steps of the progress bar, which counts in whole numbers and not in shares."""
_CHECK_SEED: Final = 0x5EED
"""The same decks at each point, so that the curve shows progress and not luck; training does not use them."""
_CHECKED: Final = ((2, 3000), (6, 3000))
"""Seats and hands of the matches that make a point of the curve."""


@attrs.frozen
class Progress:
    """The progress of a training: a point of its curve."""

    round: int
    rows: int
    turns: int
    heads_up: tuple[float, float]
    """winnings against `tight` with 100 big blinds, and their 95 % margin, in big blinds per 100 hands, by duplicate"""
    six_seats: tuple[float, float]
    """the same against five of them"""


def train(  # noqa: PLR0913  every option of the command is one
    bot: Literal["expert"],
    /,
    *,
    minutes: float = 10.0,
    rounds: int | None = None,
    resume: bool = False,
    checkpoint: Annotated[Path, FILE, WRITTEN] = Path("expert.training"),
    out: Annotated[Path, FILE, WRITTEN] = Path("expert.strategy"),
    seed: SetSeed = 0,
    cores: int = 2,
    json: JsonOption = None,
) -> None:
    """Train the table of the bot expert, which learns by playing against itself and house bots.

    The table goes to a file that `--bot expert:table=FILE` plays by. The same seed and the same rounds give the same
    table, on any number of cores. A training is kept in its own file and can be resumed.

    Args:
        bot: What to train: expert.
        minutes: How long to train.
        rounds: Train this many rounds instead, however long they take.
        resume: Resume what is kept: the training in --checkpoint.
        checkpoint: The file that keeps the training.
        out: The file to write the table to.
        cores: How many cores to use: 1, or 2, one for heads-up and one for more seats.
    """
    with from_extra("fast", "numba", "llvmlite", "numpy"):
        from poker_actors.learn.training import Budget, Checkpoint, Trainer
        from poker_actors.learn.training import train as run
    _check(minutes, rounds, cores)
    if checkpoint.exists() and not resume:
        raise BadSpec(f"{checkpoint} already exists: continue it with --resume, or name another file")
    with Checkpoint(checkpoint) as file:
        trainer = Trainer.of(file.read(), str(checkpoint)) if resume else Trainer(seed)
        curve: list[Progress] = []

        def measure() -> None:
            curve.append(_progress(trainer))
            if on_terminal("stderr"):
                note(_said(curve[-1]))

        with _bar() as advance:
            run(trainer, file, Budget(minutes, rounds), cores=cores, advance=advance, point=measure)
    _write_table(trainer, out)
    if to_be_printed(
        json, {"seed": trainer.seed, "rounds": trainer.round, "curve": [attrs.asdict(one) for one in curve]}
    ):
        print(_said(curve[-1]))


def _check(minutes: float, rounds: int | None, cores: int) -> None:
    if not 0 < minutes < 10_000:
        raise BadSpec(f"--minutes {minutes:g} is not above 0 and below 10000")
    if rounds is not None and rounds < 1:
        raise BadSpec(f"--rounds {rounds} is below the minimum of 1")
    if cores not in (1, 2):
        raise BadSpec(f"--cores {cores} must be 1 or 2: one for heads-up and one for more seats")


@contextmanager
def _bar() -> Iterator[Callable[[float], None]]:
    """Show a progress bar; yield a function that takes the share of the budget spent, 0 to 1."""
    done = 0
    with progress("training", _STEPS) as advance:

        def show(share: float) -> None:
            nonlocal done
            now = int(share * _STEPS)
            advance(now - done)
            done = now

        yield show


def _progress(trainer: Trainer) -> Progress:
    """Measure the current table: let the bot play it against `tight`."""
    from poker_actors.bots import BotSpec
    from poker_actors.sim import Duplicate, simulate

    found = []
    with TemporaryDirectory() as folder:
        table = Path(folder) / "now.strategy"
        table.write_bytes(trainer.table().to_bytes())
        # keep the path out of the text that is parsed: it may contain commas
        trained = attrs.evolve(BotSpec.parse("expert"), values={"table": str(table)})
        for seats, hands in _CHECKED:
            bots: list[str | BotSpec] = [trained, *["tight"] * (seats - 1)]
            result = simulate(bots, hands=hands, seed=_CHECK_SEED, stacks="100bb", form=Duplicate())
            won = result.players[0].bb_per_100
            found.append((won.mean, won.margin or 0.0))
    return Progress(trainer.round, trainer.rows, trainer.turns, found[0], found[1])


def _said(point: Progress) -> str:
    two, six = point.heads_up, point.six_seats
    return (
        f"round {point.round:,}: {point.rows:,} rows; bb/100 at 100 big blinds against tight heads-up "
        f"{two[0]:+.0f} ± {two[1]:.0f}, against five of them {six[0]:+.0f} ± {six[1]:.0f}"
    )


def _write_table(trainer: Trainer, out: Path) -> None:
    from poker_actors.atomic import replacing

    data = trainer.table().to_bytes()
    try:
        with replacing(out, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise BadSpec(f"{out} cannot be written: {error.strerror}") from error
    note(f"wrote {out}, {len(data):,} bytes")
