"""The protocol of the Annual Computer Poker Competition (ACPC): game definitions, match states, dealer, client."""

from poker_actors.bots import drawn_seed
from poker_actors.history.acpc import betting_text
from poker_actors.wire.acpc.client import AcpcClient, ClientSession, Guest
from poker_actors.wire.acpc.dealer import (
    CompetitionDecks,
    Dealer,
    DealerEvent,
    DealerServer,
    Event,
    MatchFiles,
    MatchLimits,
    MatchPlan,
    Outcome,
    SeatRecord,
    read_turns,
)
from poker_actors.wire.acpc.protocol import (
    DEFINITIONS,
    GameDefinition,
    MatchState,
    amounts_text,
    definition_named,
    hand_values,
    match_state,
    parse_definition,
    read_answer,
)

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
