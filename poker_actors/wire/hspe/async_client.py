"""The asyncio client: the same calls as coroutines, and pictures as the server pushes them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any, Final, TypeVar

from poker_actors.closing import AsyncClosing
from poker_actors.jsontext import parse_json
from poker_actors.wire.hspe.calls import MOST_BYTES, Call, ServerRefusal
from poker_actors.wire.hspe.routes import Routes
from poker_actors.wire.hspe.wire import Wire

__all__ = ["AsyncClient"]

T = TypeVar("T")

_SILENT_SECONDS: Final = 45.0
"""The server sends something every 15 s; a stream silent for three times as long is lost."""
_AGAIN_SECONDS: Final = 1.0
"""Wait between two attempts to reopen a lost stream."""
_EVENT_BYTES: Final = 2**20
"""A picture has a few thousand bytes; the limit bounds memory when an event never ends."""


class AsyncClient(Routes, AsyncClosing):
    """Plays for one user of the server at `url`, in one event loop, with the methods of `Client` as coroutines.

    Calls go over one connection, one at a time; `pictures` opens its own. Needs the extra [server].
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        super().__init__(url, user, password)
        self._timeout = timeout
        self._wire: Wire | None = None
        self._turn = asyncio.Lock()

    async def pictures(
        self, game_id: str, *, lost_seconds: float = 60.0
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Iterate over the pictures of a game as the server pushes them, the current one first.

        Each picture is complete; a slow reader skips to the newest. A lost connection is restored; after
        `lost_seconds` without the server, long enough for a restart, `ConnectionError` is raised.
        Raises `ServerRefusal` for an unknown game.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + lost_seconds
        while True:
            try:
                async with aclosing(self._pushed(game_id)) as pushed:
                    async for picture in pushed:
                        yield picture
                        until = loop.time() + lost_seconds
            except OSError as error:
                lost: OSError = error
            except ServerRefusal as refused:
                if refused.status != 503:
                    raise
                lost = ConnectionError(str(refused))
            else:
                lost = ConnectionError("the stream has ended")
            if loop.time() >= until:
                raise ConnectionError(f"{self!r} has lost its game: {lost}") from lost
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _pushed(self, game_id: str) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the pictures of one connection, until the server ends the stream."""
        wire = await self._connect()
        try:
            call = self._stream(game_id)
            async with asyncio.timeout(self._timeout):
                status = await wire.ask(call)
                if status != 200:
                    call.answered(status, await wire.rest(MOST_BYTES))
            text = b""
            while True:
                async with asyncio.timeout(_SILENT_SECONDS):
                    chunk = await wire.some()
                if not chunk:
                    return
                text += chunk
                if len(text) > _EVENT_BYTES:
                    raise ConnectionError(f"an event is longer than {_EVENT_BYTES} bytes")
                *events, text = text.split(b"\n\n")
                for event in events:
                    name, data = _read_event(event)
                    if name == "table":
                        yield data
        finally:
            wire.close()

    async def _ask(self, call: Call[T]) -> T:
        async with self._turn, asyncio.timeout(self._timeout):
            if self._wire is None or self._wire.ended:
                self._wire = await self._connect()
            try:
                status = await self._wire.ask(call)
                body = await self._wire.rest(MOST_BYTES)
            except BaseException:
                # half an answer may be on its way, and would be read as the answer to the next call
                self._hang_up()
                raise
            if not self._wire.reusable:
                self._hang_up()
        return call.answered(status, body)

    async def _connect(self) -> Wire:
        secure = ssl.create_default_context() if self._secure else None
        async with asyncio.timeout(self._timeout):
            return await Wire.to(self._host, self._port, secure)

    def _hang_up(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    async def close(self) -> None:
        """Hang up; the next call connects again."""
        if self._wire is not None:
            wire, self._wire = self._wire, None
            wire.close()
            await wire.closed()


def _read_event(event: bytes) -> tuple[str, dict[str, Any]]:
    """Read one server-sent event: its name, and its data if that is an object."""
    name = ""
    data: Any = {}
    for line in event.decode("utf-8", "replace").split("\n"):
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            with suppress(ValueError):
                data = parse_json(value)
    return name, data if isinstance(data, dict) else {}
