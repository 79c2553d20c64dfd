"""One connection of the asynchronous client: requests and answers of HTTP/1.1 over a stream."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from poker_actors.errors import MissingExtra
from poker_actors.wire.framing import CHUNK, named
from poker_actors.wire.hspe.calls import Call

if TYPE_CHECKING:
    import h11

__all__ = ["Wire"]


class Wire:
    """An open connection; one request at a time. Raises `ConnectionError` when it breaks."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, protocol: h11.Connection
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._host = host
        self._protocol = protocol

    @classmethod
    async def to(cls, host: str, port: int, secure: ssl.SSLContext | None) -> Self:
        """Connect; raises `OSError`, and `MissingExtra` where there is no h11."""
        try:
            import h11
        except ModuleNotFoundError:
            raise MissingExtra("server", "h11") from None
        reader, writer = await asyncio.open_connection(host, port, ssl=secure)
        return cls(reader, writer, named(host, port), h11.Connection(h11.CLIENT))

    @property
    def ended(self) -> bool:
        """Whether the connection has ended on either side."""
        return self._reader.at_eof() or self._writer.is_closing()

    @property
    def reusable(self) -> bool:
        """Whether another request may follow; read it once per answer, since it starts the next cycle."""
        import h11

        with suppress(h11.LocalProtocolError):
            self._protocol.start_next_cycle()
            return True
        return False

    async def ask(self, call: Call[Any]) -> int:
        """Send a request; returns the status of its answer."""
        import h11

        body = call.body or b""
        headers = [("Host", self._host), *call.headers.items(), ("Content-Length", str(len(body)))]
        for event in (
            h11.Request(method=call.method, target=call.path, headers=headers),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self._writer.write(self._protocol.send(event) or b"")
        await self._writer.drain()
        while True:
            found = await self._next()
            if isinstance(found, h11.Response):
                return found.status_code

    async def some(self) -> bytes:
        """Return more of the answer's body; empty at its end."""
        import h11

        while True:
            found = await self._next()
            if isinstance(found, h11.Data):
                return bytes(found.data)
            if isinstance(found, h11.EndOfMessage):
                return b""

    async def rest(self, most: int) -> bytes:
        """Return all of the body; raises `ConnectionError` above `most` bytes."""
        pieces = []
        size = 0
        while piece := await self.some():
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise ConnectionError(f"the answer is longer than {most} bytes")
        return b"".join(pieces)

    async def _next(self) -> Any:
        import h11

        while True:
            try:
                found = self._protocol.next_event()
            except h11.RemoteProtocolError as error:
                raise ConnectionError(f"no answer: {error}") from None
            if found is h11.NEED_DATA:
                self._protocol.receive_data(await self._reader.read(CHUNK))
            elif isinstance(found, h11.ConnectionClosed) or found is h11.PAUSED:
                raise ConnectionError("no answer: the connection was closed")
            else:
                return found

    def close(self) -> None:
        """Hang up."""
        self._writer.close()

    async def closed(self) -> None:
        """Wait until the connection is closed."""
        with suppress(OSError, ssl.SSLError):
            await self._writer.wait_closed()
