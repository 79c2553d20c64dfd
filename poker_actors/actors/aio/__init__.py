"""The room for programs with a running event loop: replies to await, news to iterate over.

The same actors on either runtime: threads of their own, or a stepper that the loop drains. Nothing
here blocks the loop.
"""

from poker_actors.actors.aio.bridge import NewsStream
from poker_actors.actors.aio.room import AsyncBank, AsyncHand, AsyncPlayer, AsyncRoom, AsyncTable

__all__ = ["AsyncBank", "AsyncHand", "AsyncPlayer", "AsyncRoom", "AsyncTable", "NewsStream"]
