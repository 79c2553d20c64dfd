"""Draw a picture of a tournament (extra `plot`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from poker_actors.errors import BadSpec, MissingExtra
from poker_actors.sim.tournaments.result import TournamentResult

__all__ = [
    "check_picture",
    "save_picture",
]


_SHOWN: Final = 9
"""Players whose stacks are drawn: more curves cannot be told apart."""
_KINDS: Final = (".pdf", ".png", ".svg")


def check_picture(path: Path) -> None:
    """Raise `BadSpec` unless a picture can be written to `path`, and `MissingExtra` without matplotlib."""
    if path.suffix.lower() not in _KINDS:
        raise BadSpec(f"{path.name[:60]!r} is no picture: a name ends with {', '.join(_KINDS)}")
    if not path.absolute().parent.is_dir():
        raise BadSpec(f"there is no directory {path.parent} to write {path.name} in")
    _figure(1, 1)


def save_picture(result: TournamentResult, path: Path) -> None:
    """Draw both charts into one file, in the format of its suffix."""
    check_picture(path)
    drawn = _figure(9, 7)
    stacks, field = drawn.subplots(2, 1, sharex=False, height_ratios=(2, 1))
    _draw_stacks(stacks, result)
    _draw_field(field, result)
    drawn.suptitle(
        f"{result.structure.name}, {len(result.standings)} players, seed {result.seed}: {result.winner or 'unfinished'}"
    )
    drawn.savefig(path)


def _figure(width: float, height: float) -> Any:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingExtra("plot", "matplotlib") from None
    return Figure(figsize=(width, height), layout="constrained")


def _draw_stacks(axes: Any, result: TournamentResult) -> None:
    for placed in result.standings[:_SHOWN]:
        there = [
            (level + 1, row[placed.name]) for level, row in enumerate(result.curve) if placed.name in row
        ]
        axes.plot(
            *zip(*there, strict=True), label=f"{placed.place}. {placed.name} {placed.bot}", linewidth=1.6
        )
    axes.set(title="Stacks as each level began", xlabel="level", ylabel="chips")
    axes.legend(fontsize="small", loc="upper left")


def _draw_field(axes: Any, result: TournamentResult) -> None:
    left, times, counts = 0, [0], [0]
    for moment in result.moments:
        change = {"entered": 1, "out": -1}.get(moment.what, 0)
        if change:
            left += change
            times.append(moment.time)
            counts.append(left)
    unit = 60 if result.structure.by == "minutes" else 1
    axes.step([time / unit for time in times], counts, where="post", color="#0072b2")
    axes.set(xlabel="minutes" if unit == 60 else "hands", ylabel="players", ylim=(0, None))
