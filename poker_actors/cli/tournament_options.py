"""The options of sit-and-gos and multi-table tournaments, and the plan they make."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import attrs
from cyclopts import Parameter

from poker_actors.cli.simulate import Engine, Played
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.sim.tournaments import Structure, TournamentPlan

__all__ = ["Field", "plan_of", "refuse_the_others"]

_SHARES: Final = re.compile(r"[0-9]{1,9}(,[0-9]{1,9})*")
_DEFAULT_PLAYERS: Final = 18


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Field:
    """Options of --format sng and mtt."""

    players: int | None = None
    """How many play: in a sng as many as there are seats, in an mtt 18 if not given."""
    seats: int = 6
    """Seats of a table."""
    final_seats: int = 0
    """Seats of the final table; as many as the others if not given."""
    level_hands: int | None = None
    """Levels last so many hands; 10 in a sng."""
    level_minutes: int | None = None
    """Levels last so many minutes of the tournament's own clock; 10 in an mtt."""
    late: int = 0
    """How many of the players enter late, while registration is open."""
    late_until: int | None = None
    """The level at whose end registration closes; 4 in an mtt, 0 (at the start) in a sng."""
    rebuys: int = 0
    """Rebuys each player takes when out of chips."""
    rebuy_until: int = 4
    """The level at whose end rebuys stop and the add-on is sold."""
    add_on: int = 0
    """Chips of an add-on, which everybody buys for another buy-in; with --rebuys."""
    ante_from: int | None = None
    """The level at which antes begin; never if not given."""
    big_blind_ante_from: int | None = None
    """The level at which a big blind ante begins; 5 in an mtt, never in a sng."""
    buy_in: int = 100
    """The buy-in of a player: chips into the prize pool."""
    fee: int = 0
    """What each player pays to the house."""
    payouts: str | None = None
    """Shares of the prize pool by place, such as 50,30,20; by the number of entries if not given."""


def refuse_the_others(format: str, played: Played, engine: Engine, field: Field) -> None:  # noqa: A002  the option's name
    """Raise `BadSpec` for options that have no meaning in this format."""
    if format == "round-robin":
        for option in attrs.fields(Field):
            if getattr(field, option.name) != option.default:
                raise BadSpec(f"--{option.name.replace('_', '-')} goes with --format sng or mtt")
        return
    for given, allowed in ((played, _PLAYED_TOO), (engine, _ENGINE_TOO)):
        for option in attrs.fields(type(given)):
            if option.name not in allowed and getattr(given, option.name) != option.default:
                raise BadSpec(f"--{option.name.replace('_', '-')} does not go with --format {format}")


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
        raise BadSpec("--level-hands and --level-minutes: levels go by one of them")
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
        raise BadSpec(f"--stacks {played.stacks[:40]!r}: everybody starts with as much, such as 1500 or 75bb")
    return {"levels": levels, "stack": stack}
