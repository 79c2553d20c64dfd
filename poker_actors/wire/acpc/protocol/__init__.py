"""The protocol without a socket: game definitions, match states, answers, lines."""

from poker_actors.wire.acpc.protocol.betting import amounts_text, hand_values, play_betting
from poker_actors.wire.acpc.protocol.definition import (
    DEFINITIONS,
    GameDefinition,
    definition_named,
    parse_definition,
)
from poker_actors.wire.acpc.protocol.lines import (
    END,
    LONGEST_LINE,
    VERSION,
    Answer,
    Lines,
    is_comment,
    read_answer,
)
from poker_actors.wire.acpc.protocol.matchstate import MatchState, match_state, match_states, state_text

__all__ = [
    "DEFINITIONS",
    "END",
    "LONGEST_LINE",
    "VERSION",
    "Answer",
    "GameDefinition",
    "Lines",
    "MatchState",
    "amounts_text",
    "definition_named",
    "hand_values",
    "is_comment",
    "match_state",
    "match_states",
    "parse_definition",
    "play_betting",
    "read_answer",
    "state_text",
]
