"""The result of a tournament: places, prizes, chips and money in and out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from poker_actors.bots import BotSpec, Faults
from poker_actors.sim.tournaments.director import Director
from poker_actors.sim.tournaments.field import Contestant, Moment
from poker_actors.sim.tournaments.structure import Structure


@attrs.frozen
class Placed:
    """One player's finish. Money is in whole units, times are of the tournament's clock."""

    place: int
    tied: bool
    """whether others share the place"""
    name: str
    bot: str
    prize: int
    paid: int
    """the player's costs: buy-in, fee, rebuys, add-on"""
    rebuys: int
    add_on: bool
    hands: int
    moves: int
    """moves to other tables, not counting the final one"""
    level: int
    """the level of elimination, from 1; for the winner the last one"""
    out_at: int | None
    faults: int
    """the number of its bot's faults"""
    ejected: bool = False
    """whether its bot had so many that it was no longer asked"""


_KEPT: Final = attrs.filters.exclude("structure", "rounds", "moments", "curve")
"""Fields written to a file under their own names; moments and curves are left out."""


@attrs.frozen
class TournamentResult:
    """The result of a tournament, or its state so far, in which `winner` is None.

    The same plan gives the same `digest` however it is played: it covers every hand, in the order of the
    tournament's clock.
    """

    structure: Structure
    seed: int
    winner: str | None
    standings: tuple[Placed, ...]
    """by place, the winner first; before them players still in, by chips, then those out whose place is not known yet"""
    payouts: tuple[int, ...]
    """the prizes by place"""
    chips_in: int
    chips_out: int
    prize_in: int
    prize_out: int
    fees: int
    hands: int
    rounds: int
    """rounds dealt hand for hand, at all tables at once"""
    level: int
    """the last level, from 1"""
    time: int
    tables: int
    """tables opened in all, including the final one"""
    broken: tuple[int, ...]
    """the tables that were broken, in order"""
    moves: int
    final_table: int | None
    digest: str
    moments: tuple[Moment, ...] = attrs.field(repr=False)
    curve: tuple[Mapping[str, int], ...] = attrs.field(repr=False)
    """stacks at the start of each level: player -> chips"""

    @property
    def conserved(self) -> bool:
        """Whether no chips have appeared or vanished, and no more prize money was paid than came in."""
        return self.chips_in == self.chips_out and self.prize_in >= self.prize_out

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        structure = self.structure
        return {
            "format": structure.name,
            "players": len(self.standings),
            "seats": structure.seats,
            **attrs.asdict(self, filter=_KEPT),
            "hand_for_hand": self.rounds,
            "structure": structure.to_dict(),
        }


def result_of(
    director: Director, bots: Mapping[str, BotSpec | str | None], faults: Mapping[str, Faults]
) -> TournamentResult:
    """Return the result of a director's tournament, final or so far."""
    rows = [
        _placed(director.structure, player, str(bots.get(player.name) or ""), faults.get(player.name))
        for player in director.players.values()
    ]
    stacks = {player.name: player.stack for player in director.players.values()}
    rows.sort(
        key=lambda row: (
            row.place,  # 0 until it is known
            row.out_at is not None,
            -(row.out_at or 0) if row.place == 0 else 0,
            -stacks[row.name],
        )
    )
    broken = tuple(moment.table for moment in director.moments if moment.what == "broken")
    return TournamentResult(
        structure=director.structure,
        seed=director.seed,
        winner=director.winner,
        standings=tuple(rows),
        payouts=director.prizes,
        chips_in=director.chips_in,
        chips_out=director.chips_out,
        prize_in=director.money.prize_in,
        prize_out=director.money.prize_out,
        fees=director.money.fees,
        hands=director.hands,
        rounds=director.rounds,
        level=director.level + 1,
        time=director.time,
        tables=len(director.floor.tables),
        broken=broken,
        moves=sum(player.moves for player in director.players.values()),
        final_table=director.floor.final,
        digest=director.digest,
        moments=tuple(director.moments),
        curve=tuple(director.curve),
    )


def _placed(structure: Structure, player: Contestant, bot: str, faults: Faults | None) -> Placed:
    paid = structure.entry + player.rebuys * structure.rebuy_price
    return Placed(
        place=player.place,
        tied=player.tied,
        name=player.name,
        bot=bot,
        prize=player.prize,
        paid=paid + (structure.add_on_cost if player.added_on else 0),
        rebuys=player.rebuys,
        add_on=player.added_on,
        hands=player.hands,
        moves=player.moves,
        level=player.out_level + 1,
        out_at=player.out_at,
        faults=0 if faults is None else faults.total,
        # of one that was resumed only the counts are known
        ejected=faults is not None and (faults.ejected is not None or faults.beyond_limits),
    )
