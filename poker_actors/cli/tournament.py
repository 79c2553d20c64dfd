"""`poker-actors tournament`: play sit-and-gos, multi-table tournaments and round robins of bots."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import attrs
from cyclopts import Parameter

from poker_actors.cli.output import NO, console, note, progress, say
from poker_actors.cli.rank import note_ejected, play_round_robin
from poker_actors.cli.simulate import Engine, Played, refuse_ray
from poker_actors.cli.simulation_files import print_table, print_tournament
from poker_actors.cli.values import FILE, WRITTEN, JsonOption, JsonTarget, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from poker_actors.sim import RoundRobinResult
    from poker_actors.sim.tournaments import Director, Structure, TournamentPlan, TournamentResult
    from poker_actors.store import Journal


_SHARES: Final = re.compile(r"[0-9]{1,9}(,[0-9]{1,9})*")
_DEFAULT_PLAYERS: Final = 18


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Field:
    """Options of --format sng and mtt."""

    players: int | None = None
    """Number of players; if not given, the seats in a sng, 18 in an mtt."""
    seats: int = 6
    """Seats of a table."""
    final_seats: int = 0
    """Seats of the final table; as many as the others if not given."""
    level_hands: int | None = None
    """Levels last this many hands; 10 in a sng."""
    level_minutes: int | None = None
    """Levels last this many minutes of the tournament's own clock; 10 in an mtt."""
    late: int = 0
    """How many of the players enter late, while registration is open."""
    late_until: int | None = None
    """The level at whose end registration closes; 4 in an mtt, 0 (at the start) in a sng."""
    rebuys: int = 0
    """Rebuys each player takes when out of chips."""
    rebuy_until: int = 4
    """The level at whose end rebuys stop and the add-on is sold."""
    add_on: int = 0
    """With --rebuys: chips of an add-on, which everybody buys for another buy-in."""
    ante_from: int | None = None
    """The level at which antes begin; never if not given."""
    big_blind_ante_from: int | None = None
    """The level at which a big blind ante begins; 5 in an mtt, never in a sng."""
    buy_in: int = 100
    """The buy-in of a player: chips into the prize pool."""
    fee: int = 0
    """The fee of each player to the house."""
    payouts: str | None = None
    """Shares of the prize pool by place, such as 50,30,20; by the number of entries if not given."""


def refuse_the_others(format: str, played: Played, engine: Engine, field: Field) -> None:  # noqa: A002  the option's name
    """Raise `BadSpec` for options that have no meaning in this format."""
    if format == "round-robin":
        for option in attrs.fields(Field):
            if getattr(field, option.name) != option.default:
                raise BadSpec(f"--{option.name.replace('_', '-')} needs --format sng or mtt")
        return
    for given, allowed in ((played, _PLAYED_TOO), (engine, _ENGINE_TOO)):
        for option in attrs.fields(type(given)):
            if option.name not in allowed and getattr(given, option.name) != option.default:
                raise BadSpec(f"--{option.name.replace('_', '-')} does not apply to --format {format}")


_PLAYED_TOO: Final = ("bot", "seed", "stacks", "blinds", "game")
_ENGINE_TOO: Final = ("driver",)
"""Options of `Played` and `Engine` that a tournament takes, too."""


def plan_of(format: str, played: Played, field: Field, seed: int | None) -> TournamentPlan:  # noqa: A002  the option's name
    """Return the plan that the options describe; raise `BadSpec` or `UnknownBot` if they cannot be read."""
    from poker_actors.sim.tournaments import DEFAULT_BOTS, TournamentPlan

    structure = _structure(format, played, field)
    players = field.players
    if players is None:
        players = structure.seats if format == "sng" else _DEFAULT_PLAYERS
    if format == "sng" and players > structure.seats:
        raise BadSpec(f"--players {players}: a sng has one table, of {structure.seats} seats (see --seats)")
    return TournamentPlan.of(
        structure,
        players,
        played.bots or DEFAULT_BOTS,
        seed=seed,
        late=field.late,
        rebuys=field.rebuys,
        add_on=bool(field.add_on),
    )


def _structure(format: str, played: Played, field: Field) -> Structure:  # noqa: A002  the option's name
    from poker_actors.sim.tournaments import multi_table, sit_and_go

    changed: dict[str, Any] = {
        "final_seats": field.final_seats,
        "buy_in": field.buy_in,
        "fee": field.fee,
        "game": played.game,
        **_length(field),
        **_chips(format, played, field),
    }
    if field.late_until is not None:
        changed["late_until"] = field.late_until
    if field.rebuys:
        changed |= {"rebuys": field.rebuys, "rebuy_until": field.rebuy_until}
        if field.add_on:
            changed |= {"add_on_stack": field.add_on, "add_on_cost": field.buy_in}
    elif field.add_on:
        raise BadSpec("--add-on is sold at the end of the rebuys: give --rebuys as well")
    if field.payouts is not None:
        if not _SHARES.fullmatch(field.payouts):
            raise BadSpec(f"--payouts {field.payouts[:40]!r} are not parts by place, such as 50,30,20")
        changed["shares"] = tuple(int(part) for part in field.payouts.split(","))
    return (sit_and_go if format == "sng" else multi_table)(field.seats, **changed)


def _length(field: Field) -> dict[str, Any]:
    if field.level_hands is not None and field.level_minutes is not None:
        raise BadSpec("--level-hands and --level-minutes: give only one")
    if field.level_hands is not None:
        return {"by": "hands", "length": field.level_hands}
    if field.level_minutes is not None:
        return {"by": "minutes", "length": 60 * field.level_minutes}
    return {}


def _chips(format: str, played: Played, field: Field) -> dict[str, Any]:  # noqa: A002  the option's name
    """Return levels and starting stack; those of the format's preset where no option changes them."""
    from poker_actors.rules import Stakes
    from poker_actors.sim.tournaments import blinds, multi_table, sit_and_go

    preset = (sit_and_go if format == "sng" else multi_table)()
    first = preset.levels[0] if played.blinds is None else Stakes.parse(played.blinds)
    if first.big_blind != 2 * first.small_blind:
        raise BadSpec(f"--blinds {first}: in a tournament the big blind is twice the small one")
    whole = field.big_blind_ante_from
    levels = blinds(
        first.small_blind,
        len(preset.levels),
        ante_from=field.ante_from or 0,
        big_blind_ante_from=(5 if format == "mtt" and not field.ante_from else 0) if whole is None else whole,
    )
    if played.stacks is None:
        # other blinds keep the depth of the preset's stack in big blinds
        bigs = preset.stack // preset.levels[0].big_blind
        return {"levels": levels, "stack": bigs * first.big_blind}
    stack = first.chips(played.stacks, digits=12)
    if stack is None:
        raise BadSpec(
            f"--stacks {played.stacks[:40]!r}: everybody starts with the same, such as 1500 or 75bb"
        )
    return {"levels": levels, "stack": stack}


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
    """Play a sit-and-go, a multi-table tournament, or matches between all pairs of bots.

    In a round robin, each pair plays `--hands` hands on the same decks. In the others the bots take turns in
    the seats, and the same seed gives the same tournament with every driver, even if it is killed and resumed.
    The exit status is 1 if a bot was ejected for its faults.

    Args:
        format: Matches between all pairs of bots, one table (sng), or many (mtt).
        data: Where everything is kept: the journal of the room in which it is played; --resume continues it.
        resume: Resume what is kept: the tournament in --data; begin it if there is none and options describe one.
        plot: Draw a picture (.png, .svg or .pdf): stacks and field of a sng or mtt.
    """
    if format == "round-robin" and not (resume and data):
        refuse_the_others(format, played, engine, field)
        if data is not None or resume or plot is not None:
            raise BadSpec("--data, --resume and --plot need --format sng or mtt")
        return _round_robin(played, engine, json)
    if resume and data is None:
        raise BadSpec("--resume needs --data FILE")
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

    Raise `BadSpec` if the journal has a tournament and `resume` is false, if its tournament is not the one the options
    describe, or if neither it nor the options describe one.
    """
    from poker_actors.sim.tournaments import stored_plan
    from poker_actors.store import open_journal

    if format == "round-robin" and "://" not in data and not Path(data).exists():
        raise BadSpec(f"there is no file {data[:100]} to resume")
    journal = open_journal(data)
    try:
        plan = there = stored_plan(journal)
        if there is not None and not resume:
            raise BadSpec(f"{data[:100]} already has a tournament: --resume continues it")
        if format != "round-robin":
            seed = there.seed if there is not None and played.root is None else played.root
            plan = plan_of(format, played, field, seed)
            if there is not None and there.to_dict() != plan.to_dict():
                raise BadSpec(
                    f"{data[:100]} has another tournament (seed {there.seed}, {len(there.bots)} players)"
                )
        if plan is None:
            raise BadSpec(f"{data[:100]} has no tournament to resume")
        if played.root is None:
            note(f"seed {plan.seed}")
    except BaseException:
        journal.close()
        raise
    try:
        return _play(plan, driver, journal)
    except KeyboardInterrupt:
        note(f"--resume --data {data} continues it")
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
    result = play_round_robin(robin, played)
    if to_be_printed(json, result.to_dict()):
        _print(result)
        say(f"played {result.engine}")
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
