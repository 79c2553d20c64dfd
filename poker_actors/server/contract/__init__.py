"""Every body that is taken, and every answer and message that is given, as types.

The type checker holds what the server sends to them, `shapes.read` holds what it is sent, and the OpenAPI and
AsyncAPI documents and the TypeScript client are made of them, by their names.
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
"""What Go's client can send."""
Secret = Annotated[str, Limit(secret=True)]
Bot = Annotated[str, Limit(choices=HOUSE_BOTS)]
Rows = Annotated[list[list[Card]], Limit(3, 3)]
"""The cards laid in open-face: top, middle and bottom row."""
Plan = Literal["call_any", "check_fold"]
"""What to do at the next turn of a hand, decided in advance."""
Talk = Literal["everyone", "off", "seated"]
"""Who hears what players of a table say: everyone who watches it, too, or only who sits."""
Emote = Literal["good_game", "hello", "nice_hand", "ouch", "thanks", "wow"]
ActName = Literal["all_in", "bet", "bring_in", "call", "check", "discard", "fold", "lay", "raise_to"]
