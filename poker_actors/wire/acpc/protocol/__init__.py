"""The protocol without a socket: game definitions, match states, answers, lines."""

from poker_actors.wire.acpc.protocol.betting import (
    action_text,
    amounts_text,
    betting_text,
    hand_values,
    play_betting,
)
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
from poker_actors.wire.acpc.protocol.matchstate import (
    MatchState,
    board_text,
    match_state,
    shown_holes,
    state_text,
)

__all__ = [
    "DEFINITIONS",
    "END",
    "LONGEST_LINE",
    "VERSION",
    "Answer",
    "GameDefinition",
    "Lines",
    "MatchState",
    "action_text",
    "amounts_text",
    "betting_text",
    "board_text",
    "definition_named",
    "hand_values",
    "is_comment",
    "match_state",
    "parse_definition",
    "play_betting",
    "read_answer",
    "shown_holes",
    "state_text",
]
