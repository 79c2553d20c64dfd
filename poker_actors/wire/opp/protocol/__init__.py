"""The protocol without sockets: the table of messages, the codec and the order of messages."""

from poker_actors.wire.opp.protocol.codec import (
    FRAME_LIMIT,
    HEADER,
    Message,
    decode_data,
    encode,
    frame,
    message,
)
from poker_actors.wire.opp.protocol.connection import SESSION, Connection, Event, Phase, Signal
from poker_actors.wire.opp.protocol.opcodes import MESSAGES, ActionCode, Op, Side, byte_table

__all__ = [
    "FRAME_LIMIT",
    "HEADER",
    "MESSAGES",
    "SESSION",
    "ActionCode",
    "Connection",
    "Event",
    "Message",
    "Op",
    "Phase",
    "Side",
    "Signal",
    "byte_table",
    "decode_data",
    "encode",
    "frame",
    "message",
]
