"""The dealer: plan, match without a socket, files, server."""

from poker_actors.wire.acpc.dealer.dealer import Dealer, DealerEvent, Event
from poker_actors.wire.acpc.dealer.dealing import MOST_SEED, CompetitionDecks
from poker_actors.wire.acpc.dealer.files import MatchFiles, read_turns
from poker_actors.wire.acpc.dealer.plan import MatchLimits, MatchPlan, Outcome, SeatRecord
from poker_actors.wire.acpc.dealer.tcp import DealerServer

__all__ = [
    "MOST_SEED",
    "CompetitionDecks",
    "Dealer",
    "DealerEvent",
    "DealerServer",
    "Event",
    "MatchFiles",
    "MatchLimits",
    "MatchPlan",
    "Outcome",
    "SeatRecord",
    "read_turns",
]
