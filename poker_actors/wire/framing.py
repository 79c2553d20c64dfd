"""Shared by all protocols: connect, listen, buffer bytes, and write methods once for two kinds of clients."""

from __future__ import annotations

import asyncio
import errno
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Concatenate, Final, Generic, ParamSpec, Protocol, TypeVar, overload

from poker_actors.errors import BadSpec
from poker_actors.guard import naming

P = ParamSpec("P")
T = TypeVar("T")

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
    """Connect within `timeout` seconds; raises an `OSError` naming the place, a `TimeoutError` if nobody answers."""
    try:
        with naming(host):
            opened = socket.create_connection((host, port), timeout)
    except TimeoutError:
        raise silent(host, port) from None
    except OSError as error:
        raise type(error)(error.errno, error.strerror, named(host, port)) from None
    # With Nagle's algorithm a small message would wait for the other side's acknowledgement of the one before.
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return opened


class _Blocks(Protocol):
    def _run(self, work: Coroutine[Any, Any, T]) -> T: ...


class _Awaits(Protocol):
    def _run(self, work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]: ...


class steps(Generic[P, T]):  # noqa: N801 - a decorator, as property is
    """Turn a coroutine method into one that a blocking client calls and an asyncio client awaits."""

    def __init__(self, written: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]) -> None:
        self.written = written
        self.__doc__ = written.__doc__

    @overload
    def __get__(self, client: None, kind: type) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, client: _Blocks, kind: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: _Awaits, kind: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Any, kind: type) -> Callable[..., Any]:
        if client is None:
            return self.written
        return lambda *args, **named: client._run(self.written(client, *args, **named))


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine of a blocking client to its end; raises `BadSpec` if a callback waits for an event loop."""
    try:
        work.send(None)
    except StopIteration as end:
        done: T = end.value
        return done
    work.close()
    raise BadSpec(
        "a blocking client's callbacks cannot wait for an event loop: see poker_actors.wire.opp.aio"
    )


class Listener(ABC):
    """Listens, serves each connection until `talk` returns, and hangs up on all of them at `close`."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def listen(self, host: str, port: int) -> None:
        """Start listening; raises `OSError` when the port is taken."""
        with naming(host):
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
