"""The protocol of the Annual Computer Poker Competition (ACPC): game definitions, match states, dealer, client."""

from poker_actors.bots import drawn_seed
from poker_actors.history.acpc import betting_text
from poker_actors.wire.acpc.client import AcpcClient, ClientSession, Guest
from poker_actors.wire.acpc.dealer import CompetitionDecks, Dealer
from poker_actors.wire.acpc.match import (
    DEFINITIONS,
    DealerEvent,
    Event,
    GameDefinition,
    MatchFiles,
    MatchLimits,
    MatchPlan,
    Outcome,
    SeatRecord,
    definition_named,
    parse_definition,
    read_turns,
)
from poker_actors.wire.acpc.protocol import MatchState, amounts_text, hand_values, match_state, read_answer
from poker_actors.wire.acpc.tcp import DealerServer

__all__ = [
    "DEFINITIONS",
    "AcpcClient",
    "ClientSession",
    "CompetitionDecks",
    "Dealer",
    "DealerEvent",
    "DealerServer",
    "Event",
    "GameDefinition",
    "Guest",
    "MatchFiles",
    "MatchLimits",
    "MatchPlan",
    "MatchState",
    "Outcome",
    "SeatRecord",
    "amounts_text",
    "betting_text",
    "definition_named",
    "drawn_seed",
    "hand_values",
    "match_state",
    "parse_definition",
    "read_answer",
    "read_turns",
]
