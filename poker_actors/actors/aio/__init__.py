"""The room for programs with a running event loop: replies to await, news to iterate over.

The same actors on either runtime: threads of their own, or a stepper that the loop drains. Nothing
here blocks the loop. Bank, tables and players are drawn from the typed faces, call by call.
"""

from poker_actors.actors.aio.bridge import NewsStream
from poker_actors.actors.aio.faces import AsyncBank, AsyncPlayer, AsyncTable
from poker_actors.actors.aio.hand import AsyncHand
from poker_actors.actors.aio.room import AsyncRoom

__all__ = ["AsyncBank", "AsyncHand", "AsyncPlayer", "AsyncRoom", "AsyncTable", "NewsStream"]
