"""A TCP listener with one task per connection; used by the proxy and the conformance kit."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress

__all__ = ["Listener"]


class Listener(ABC):
    """Listens, serves each connection until `talk` returns, and hangs up on all of them at `close`."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def listen(self, host: str, port: int) -> None:
        """Start listening; raises `OSError` when the port is taken."""
        self._server = await asyncio.start_server(self._serve, host, port)

    @property
    def address(self) -> tuple[str, int]:
        """The host and port it listens on."""
        assert self._server is not None, "it has not been started"
        host, port = self._server.sockets[0].getsockname()[:2]
        return host, port

    async def close(self) -> None:
        """Stop listening and hang up on every connection."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @abstractmethod
    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection; an `OSError` ends it quietly, like the other side hanging up."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)  # a strong reference: the loop keeps only a weak one
        try:
            with suppress(OSError):
                await self.talk(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()
