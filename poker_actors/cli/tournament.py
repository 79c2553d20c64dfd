"""`poker-actors tournament`: play sit-and-gos, multi-table tournaments and round robins of bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from poker_actors.cli.exits import NO
from poker_actors.cli.output import console, note, progress
from poker_actors.cli.rank import note_ejected
from poker_actors.cli.simulate import Engine, Played, note_by_hand, refuse_ray
from poker_actors.cli.tables import print_table, print_tournament
from poker_actors.cli.tournament_options import Field, plan_of, refuse_the_others
from poker_actors.cli.values import FILE, WRITTEN, JsonOption, JsonTarget, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from poker_actors.sim import RoundRobinResult
    from poker_actors.sim.tournaments import Director, TournamentPlan, TournamentResult
    from poker_actors.store import Journal

__all__ = ["tournament"]

_PLAYED: Final = Played()
_ENGINE: Final = Engine()
_FIELD: Final = Field()


def tournament(
    *,
    played: Played = _PLAYED,
    engine: Engine = _ENGINE,
    field: Field = _FIELD,
    format: Literal["round-robin", "sng", "mtt"] = "round-robin",  # noqa: A002  the name of the option
    data: Annotated[str | None, FILE] = None,
    resume: bool = False,
    plot: Annotated[str | None, FILE, WRITTEN] = None,
    json: JsonOption = None,
) -> int | None:
    """Play a sit-and-go, a multi-table tournament, or a match between every two bots.

    In a round robin `--hands` is what each pair plays, on the same decks. In the others the bots take
    turns in the seats, and the same seed is the same tournament with every driver, also when it is
    killed and resumed. The exit status is 1 if a bot was ejected for its faults.

    Args:
        format: A match between every two bots, one table (sng), or many (mtt).
        data: Where everything is kept: the journal of a room, at whose tables it is then played; --resume continues it.
        resume: Resume what is kept: the tournament in --data; begin it if there is none and options describe one.
        plot: Draw a picture (.png, .svg or .pdf): stacks and field of a sng or mtt.
    """
    if format == "round-robin" and not (resume and data):
        refuse_the_others(format, played, engine, field)
        if data is not None or resume or plot is not None:
            raise BadSpec("--data, --resume and --plot go with --format sng or mtt")
        return _round_robin(played, engine, json)
    if resume and data is None:
        raise BadSpec("--resume goes with --data FILE")
    if format != "round-robin":
        refuse_the_others(format, played, engine, field)
    _check_picture(plot)
    if data is None:
        plan = plan_of(format, played, field, played.root)
        if played.root is None:
            note(f"seed {plan.seed}")
        result = _play(plan, engine.driver, None)
    else:
        result = _play_stored(format, played, field, engine.driver, data, resume=resume)
    _show(result, json, plot)
    gone = [row for row in result.standings if row.ejected]
    for row in gone:
        note(f"{row.name} ({row.bot}) was ejected after {row.faults} faults")
    return NO if gone else None


def _play_stored(
    format: str,  # noqa: A002  the name of the option
    played: Played,
    field: Field,
    driver: str,
    data: str,
    *,
    resume: bool,
) -> TournamentResult:
    """Start a tournament in a journal, or resume the one there.

    Raise `BadSpec` if the journal has a tournament and `resume` is false, if it has another one than the options
    describe, or if neither it nor the options describe one.
    """
    from poker_actors.sim.tournaments import stored_plan
    from poker_actors.store import open_journal

    if format == "round-robin" and "://" not in data and not Path(data).exists():
        raise BadSpec(f"there is no file {data[:100]} to go on with")
    journal = open_journal(data)
    try:
        plan = there = stored_plan(journal)
        if there is not None and not resume:
            raise BadSpec(f"{data[:100]} has a tournament already: --resume goes on with it")
        if format != "round-robin":
            seed = there.seed if there is not None and played.root is None else played.root
            plan = plan_of(format, played, field, seed)
            if there is not None and there.to_dict() != plan.to_dict():
                raise BadSpec(
                    f"{data[:100]} has another tournament (seed {there.seed}, {len(there.bots)} players)"
                )
        if plan is None:
            raise BadSpec(f"{data[:100]} has no tournament to go on with")
        if played.root is None:
            note(f"seed {plan.seed}")
    except BaseException:
        journal.close()
        raise
    try:
        return _play(plan, driver, journal)
    except KeyboardInterrupt:
        note(f"--resume --data {data} goes on with it")
        raise


def _play(plan: TournamentPlan, driver: str, journal: Journal | None) -> TournamentResult:
    from poker_actors.actors import StepRuntime, ThreadRuntime
    from poker_actors.sim.tournaments import play_direct, play_in_room

    with progress("players out", len(plan.entrants) - 1) as advance:
        watch = _watching(advance)
        if driver == "direct" and journal is None:
            return play_direct(plan, watch)
        runtime = ThreadRuntime() if driver == "threads" else StepRuntime()
        return play_in_room(plan, runtime=runtime, store=journal, progress=watch)


def _watching(advance: Callable[[int], None]) -> Callable[[Director], None]:
    """Return a function that advances the bar by the players eliminated since its last call."""
    shown = 0

    def watch(director: Director) -> None:
        nonlocal shown
        out = len(director.players) - director.left
        if out != shown:
            advance(out - shown)
            shown = out

    return watch


def _check_picture(plot: str | None) -> None:
    if plot is not None:
        from poker_actors.sim import pictures

        pictures.check_picture_path(Path(plot))
        pictures.check_pictures()


def _show(result: TournamentResult, json: JsonTarget | None, plot: str | None) -> None:
    if to_be_printed(json, result.to_dict()):
        print_tournament(result)
    if plot is not None:
        from poker_actors.sim import pictures

        pictures.save_tournament(result, Path(plot))
        note(f"wrote {plot}")


def _round_robin(played: Played, engine: Engine, json: JsonTarget | None) -> int | None:
    from poker_actors.sim import DEFAULT_BOTS, RoundRobin

    refuse_ray("tournament", engine)
    robin = RoundRobin(
        played.bots or DEFAULT_BOTS,
        played.count,
        engine.driver,
        engine.workers,
        engine=engine.engine,
        adjust=engine.adjust or False,
        **played.settings,
    )
    if played.root is None:
        note(f"seed {robin.seed}")
    note_by_hand(robin.not_compiled)
    with progress("hands", robin.hands * len(robin.pairs)) as advance:
        result = robin.run(advance)
    if to_be_printed(json, result.to_dict()):
        _print(result)
    return note_ejected(result)


def _print(result: RoundRobinResult) -> None:
    out = console()
    numbers = range(len(result.names))
    out.print(
        f"round robin of {len(result.names)} bots, {result.hands:,} hands a pair, seed {result.seed}; "
        f"the row's winnings from the column, bb/100{' with the luck of the cards taken out' if result.corrected else ''}"
    )
    rows = [
        (
            str(bot),
            name,
            *(
                "" if cell is None else f"{cell.mean:+.1f}"
                for cell in (result.estimate(bot, other) for other in numbers)
            ),
        )
        for bot, name in enumerate(result.names)
    ]
    print_table(("#", "bot", *map(str, numbers)), rows, left=("bot",))
    out.print()
    standings = [
        (
            str(row.place), row.name, str(row.won), str(row.lost), f"{row.net_chips:+,}",
            f"{row.bb_per_100.mean:+.1f} ± {row.bb_per_100.margin or 0.0:>5.1f}",
        )
        for row in result.standings
    ]  # fmt: skip
    print_table(("place", "bot", "won", "lost", "net chips", "bb/100 ± 95 %"), standings, left=("bot",))
    out.print("won and lost: matches whose result stands out at 95 %")
    out.print(f"chips in {result.chips_in:,}, out {result.chips_out:,}")
