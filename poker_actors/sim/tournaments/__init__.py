"""Tournaments: sit-and-go and multi-table, in the simulator and in rooms of actors."""

from poker_actors.sim.tournaments.director import Director
from poker_actors.sim.tournaments.field import Deal, Entrant, Moment, tournament_positions
from poker_actors.sim.tournaments.icm import IcmEstimate, icm, icm_sampled
from poker_actors.sim.tournaments.plan import (
    DEFAULT_BOTS,
    TournamentPlan,
    play_direct,
    play_hand,
    play_series,
)
from poker_actors.sim.tournaments.result import Placed, TournamentResult
from poker_actors.sim.tournaments.room import Tournament, play_in_room, stored_plan
from poker_actors.sim.tournaments.structure import (
    Pace,
    Structure,
    blinds,
    multi_table,
    prizes,
    shared,
    shares_for,
    sit_and_go,
)

__all__ = [
    "DEFAULT_BOTS",
    "Deal",
    "Director",
    "Entrant",
    "IcmEstimate",
    "Moment",
    "Pace",
    "Placed",
    "Structure",
    "Tournament",
    "TournamentPlan",
    "TournamentResult",
    "blinds",
    "icm",
    "icm_sampled",
    "multi_table",
    "play_direct",
    "play_hand",
    "play_in_room",
    "play_series",
    "prizes",
    "shared",
    "shares_for",
    "sit_and_go",
    "stored_plan",
    "tournament_positions",
]
