"""The room as plain values: messages, actors, the whole state, and differences between states."""

from poker_actors.debug.state.plain import HIDDEN, card_text, kept_message, plain, plain_hand, plain_message
from poker_actors.debug.state.room import (
    Difference,
    actor_kind,
    actor_state,
    delivery_words,
    differences,
    fingerprint,
    message_words,
    room_state,
    searched_text,
    state_hash,
    told_apart,
)

__all__ = [
    "HIDDEN",
    "Difference",
    "actor_kind",
    "actor_state",
    "card_text",
    "delivery_words",
    "differences",
    "fingerprint",
    "kept_message",
    "message_words",
    "plain",
    "plain_hand",
    "plain_message",
    "room_state",
    "searched_text",
    "state_hash",
    "told_apart",
]
