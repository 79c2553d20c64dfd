"""The room for asyncio programs: replies to await, news to iterate over.

The same actors run on their own threads, or on a stepper that the loop drains. Nothing here blocks
the loop. The awaitable bank, tables and players are generated from the typed faces, call by call.
"""

from poker_actors.actors.aio.bridge import NewsStream
from poker_actors.actors.aio.faces import AsyncBank, AsyncPlayer, AsyncTable
from poker_actors.actors.aio.hand import AsyncHand
from poker_actors.actors.aio.room import AsyncRoom

__all__ = ["AsyncBank", "AsyncHand", "AsyncPlayer", "AsyncRoom", "AsyncTable", "NewsStream"]
