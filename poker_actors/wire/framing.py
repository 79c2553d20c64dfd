"""Shared by all protocols: connecting, listening, and buffering bytes that arrive in pieces."""

from __future__ import annotations

import asyncio
import errno
import socket
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Final

__all__ = [
    "CHUNK",
    "Incoming",
    "Listener",
    "connected",
    "named",
    "silent",
]


CHUNK: Final = 64 * 1024
"""Bytes per read; also how many consumed bytes pile up before the buffer is trimmed, since trimming moves the rest."""


class Incoming:
    """A buffer for bytes that arrive in pieces of any size; `_at` is the first unread byte."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._at = 0
        self._offset = 0
        """position in the stream of the buffer's first byte, so that errors can name the byte"""
        self._ended = False

    def receive_data(self, data: bytes | bytearray) -> None:
        """Buffer bytes from the other side; ``b""`` means that it has closed."""
        if not data:
            self._ended = True
        if self._at > CHUNK:
            del self._buffer[: self._at]
            self._offset += self._at
            self._at = 0
        self._buffer += data


def named(host: str, port: int) -> str:
    """Return ``HOST:PORT``, with an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def silent(host: str, port: int) -> TimeoutError:
    """Return the error to raise for a server that does not answer."""
    return TimeoutError(errno.ETIMEDOUT, "does not answer", named(host, port))


def connected(host: str, port: int, timeout: float) -> socket.socket:
    """Connect within `timeout` seconds; raises `OSError`, or the `TimeoutError` of `silent` when nobody answers."""
    try:
        opened = socket.create_connection((host, port), timeout)
    except TimeoutError:
        raise silent(host, port) from None
    # With Nagle's algorithm a small message would wait for the other side's acknowledgement of the one before.
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return opened


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
