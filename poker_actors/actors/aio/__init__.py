"""The room for asyncio programs: replies to await, news to iterate over.

The same actors run on their own threads, or on a stepper that the loop drains. Nothing here blocks
the loop. The calls of the awaitable bank, tables and players are those of the typed faces.
"""

from poker_actors.actors.aio.bridge import NewsStream
from poker_actors.actors.aio.room import AsyncBank, AsyncHand, AsyncPlayer, AsyncRoom, AsyncTable

__all__ = ["AsyncBank", "AsyncHand", "AsyncPlayer", "AsyncRoom", "AsyncTable", "NewsStream"]
