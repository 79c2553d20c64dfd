"""The types of every body that the server takes, and of every answer and message that it sends.

The type checker checks what the server sends, `shapes.read` what it receives; the OpenAPI and AsyncAPI documents and
the TypeScript client are made from these types, by their names.
"""

from __future__ import annotations

from typing import Annotated, Literal

from poker_actors.server.shapes import Limit
from poker_actors.server.users import HOUSE_BOTS

__all__ = [
    "ActName",
    "Amount",
    "Bot",
    "Card",
    "Chips",
    "Count",
    "Emote",
    "HandId",
    "Hex",
    "Id",
    "OldCard",
    "Plan",
    "Positive",
    "Rows",
    "Secret",
    "Table",
    "Talk",
    "Turn",
    "Wide",
]

Count = Annotated[int, Limit(0)]
Positive = Annotated[int, Limit(1)]
Hex = Annotated[str, Limit(pattern="^[0-9a-f]+$")]
Amount = Annotated[float, Limit(0)]
"""A number that is not a count: seconds, big blinds, a margin."""
Id = Annotated[str, Limit(format="uuid")]
Table = str
"""A game's id, or a tournament's id with the number of a table."""
Card = Annotated[str, Limit(pattern="^[2-9TJQKA][cdhs]$")]
OldCard = Annotated[str, Limit(pattern="^[2-9TJQKA][CDHS]$")]
HandId = Annotated[str, Limit(1, 128)]
"""A table's name and a number."""
Turn = Annotated[int, Limit(0, 2**31 - 1)]
"""The number of actions before a turn."""
Chips = Annotated[int, Limit(0, 2**63 - 1)]
Wide = Annotated[int, Limit(-(2**63), 2**64 - 1)]
"""Amounts that Go's client can send."""
Secret = Annotated[str, Limit(secret=True)]
Bot = Annotated[str, Limit(choices=HOUSE_BOTS)]
Rows = Annotated[list[list[Card]], Limit(3, 3)]
"""The cards laid in open-face: top, middle and bottom row."""
Plan = Literal["call_any", "check_fold"]
"""A decision in advance for the next turn of a hand."""
Talk = Literal["everyone", "off", "seated"]
"""Who hears the chat of a table: also those who watch, or only those who sit."""
Emote = Literal["good_game", "hello", "nice_hand", "ouch", "thanks", "wow"]
ActName = Literal["all_in", "bet", "bring_in", "call", "check", "discard", "fold", "lay", "raise_to"]
