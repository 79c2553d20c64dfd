"""The kit as an HTTP/1.1 server, for one client in any language."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from poker_actors.errors import MissingExtra
from poker_actors.testing.hspe_check.examiner import Answer, Asked, Examiner
from poker_actors.wire.framing import CHUNK, Listener

__all__ = ["CheckServer"]

_MOST_BODY: Final = 2**16
_LAST_SECONDS: Final = 1.0
"""How long a client may go on asking after the script's end, so that it can learn of it."""
_SILENT_SECONDS: Final = 60.0
"""Without a request for so long, a client that was there has gone."""


class CheckServer(Listener):
    """Examines whoever connects; `await start()`, `await finished()`, `await close()`. Needs the extra [server]."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, *, silence: float = _SILENT_SECONDS) -> None:
        super().__init__()
        self._place = (host, port)
        self._silence = silence
        self._heard_at: float | None = None

    async def start(self) -> None:
        """Listen. Raises `OSError` when the port is taken."""
        try:
            import h11  # noqa: F401  fail at the start if it is missing, not at the first request
        except ModuleNotFoundError:
            raise MissingExtra("server", "h11") from None
        self._loop = asyncio.get_running_loop()
        self.examiner = Examiner(self._loop.time)
        await self.listen(*self._place)

    async def finished(self) -> None:
        """Wait until the client has heard that the script is over, or has gone."""
        ended_at: float | None = None
        while True:
            await asyncio.sleep(0.05)
            now = self._loop.time()
            self.examiner.expire()
            if self._heard_at is not None and now - self._heard_at > self._silence:
                return
            if self.examiner.over:
                ended_at = now if ended_at is None else ended_at
                if (self.examiner.said_goodbye and not self._tasks) or now - ended_at > _LAST_SECONDS:
                    return

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests, one after the other."""
        import h11

        protocol = h11.Connection(h11.SERVER)
        request: h11.Request | None = None
        body = b""
        while True:
            try:
                event = protocol.next_event()
            except h11.RemoteProtocolError:
                return
            if event is h11.NEED_DATA:
                protocol.receive_data(await reader.read(CHUNK))
            elif isinstance(event, h11.Request):
                request, body = event, b""
            elif isinstance(event, h11.Data):
                body = (body + bytes(event.data))[:_MOST_BODY]
            elif isinstance(event, h11.EndOfMessage) and request is not None:
                writer.write(self._answered(protocol, request, body))
                await writer.drain()
                if protocol.our_state is h11.MUST_CLOSE:
                    return
                protocol.start_next_cycle()
            else:
                return

    def _answered(self, protocol: Any, request: Any, body: bytes) -> bytes:
        """Return the bytes that answer a request."""
        import h11

        self._heard_at = self._loop.time()
        headers = {name.decode().lower(): value.decode("latin-1") for name, value in request.headers}
        asked = Asked(request.method.decode(), request.target.decode(), headers.get("authorization"), body)
        answer = self.examiner.answer(asked)
        text, kind = _text(answer)
        fields = [("Content-Type", kind), ("Content-Length", str(len(text)))]
        events = (
            h11.Response(status_code=answer.status, headers=fields),
            h11.Data(data=text),
            h11.EndOfMessage(),
        )
        return b"".join([protocol.send(event) or b"" for event in events])


def _text(answer: Answer) -> tuple[bytes, str]:
    if answer.error or answer.value is None:
        return f"{answer.error}\n".encode() if answer.error else b"", "text/plain; charset=utf-8"
    return json.dumps(answer.value).encode() + b"\n", "application/json"
