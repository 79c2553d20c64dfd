"""`poker-actors tournament`: many bots against each other, and who is best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from poker_actors.cli.json_target import JsonOption
from poker_actors.cli.output import console, note, progress
from poker_actors.cli.simulate import Engine, Played
from poker_actors.cli.simulation_tables import plain_table
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.sim import RoundRobinResult

__all__ = ["tournament"]

FORMATS: Final = ("round-robin",)

_PLAYED: Final = Played()
_ENGINE: Final = Engine()


def tournament(
    *,
    played: Played = _PLAYED,
    engine: Engine = _ENGINE,
    format: str = "round-robin",  # noqa: A002  the name of the option
    json: JsonOption = None,
) -> None:
    """Let every two bots play a match on the same decks, and show pairwise results and standings.

    `--hands` is what each pair plays.

    Args:
        format: round-robin.
        json: Write the result as JSON.
    """
    from poker_actors.sim import DEFAULT_BOTS, RoundRobin

    if format not in FORMATS:
        raise BadSpec(f"--format {format[:40]!r} is none of {', '.join(FORMATS)}")
    robin = RoundRobin(
        played.bot or DEFAULT_BOTS,
        played.hands,
        engine.driver,
        engine.workers,
        seed=played.seed,
        stacks=played.stacks,
        stakes=played.stakes,
        game=played.game,
        form=played.form,
    )
    if played.seed is None:
        note(f"seed {robin.seed}")
    with progress("hands", robin.hands * len(robin.pairs)) as advance:
        result = robin.run(advance)
    if json is not None:
        json.write(result.to_dict())
    if json is None or not json.is_stdout:
        _print(result)


def _print(result: RoundRobinResult) -> None:
    out = console()
    numbers = range(len(result.names))
    out.print(
        f"round robin of {len(result.names)} bots, {result.hands:,} hands a pair, seed {result.seed}; "
        "the row's winnings from the column, bb/100"
    )
    table = plain_table(("#", "bot", *map(str, numbers)), left=("bot",))
    for bot, name in enumerate(result.names):
        cells = [result.estimate(bot, other) for other in numbers]
        table.add_row(str(bot), name, *("" if cell is None else f"{cell.mean:+.1f}" for cell in cells))
    out.print(table)
    out.print()
    standings = plain_table(("place", "bot", "won", "lost", "net chips", "bb/100 ± 95 %"), left=("bot",))
    for row in result.standings:
        margin = row.bb_per_100.margin or 0.0
        standings.add_row(
            str(row.place),
            row.name,
            str(row.won),
            str(row.lost),
            f"{row.net_chips:+,}",
            f"{row.bb_per_100.mean:+.1f} ± {margin:>5.1f}",
        )
    out.print(standings)
    out.print("won and lost: matches whose result stands out at 95 %")
    out.print(f"chips in {result.chips_in:,}, out {result.chips_out:,}")
