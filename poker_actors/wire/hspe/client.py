"""The clients of an HSPE server, blocking and asyncio: the same calls, and pictures as the server pushes them.

Each has the library that its kind of waiting takes: Python's own blocks and needs no extra, httpx2 awaits.
"""

from __future__ import annotations

import asyncio
import http.client
import ssl
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from poker_actors.closing import AsyncClosing, Closing
from poker_actors.errors import MissingExtra
from poker_actors.jsontext import parse_json
from poker_actors.wire.framing import named
from poker_actors.wire.hspe.calls import MOST_BYTES, Call, ServerRefusal
from poker_actors.wire.hspe.routes import Routes

if TYPE_CHECKING:
    import httpx2

__all__ = ["AsyncClient", "Client"]

T = TypeVar("T")

_SILENT_SECONDS: Final = 45.0
"""The server sends something every 15 s; a stream silent for three times as long is lost."""
_AGAIN_SECONDS: Final = 1.0
"""Wait between two attempts to reopen a lost stream."""
_EVENT_BYTES: Final = 2**20
"""A picture has a few thousand bytes; the limit bounds memory when an event never ends."""


class Client(Routes, Closing):
    """Plays for one user of the server at `url`, such as ``http://127.0.0.1:8080``; for one thread.

    Each call is one request. Raises `ServerRefusal` for an error answer, `OSError` (`ConnectionError`,
    `TimeoutError`) when there is no answer within `timeout` seconds.
    The methods from `lobby` on need a server of ours, and those from `arena` on one that serves an arena.
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        super().__init__(url, user, password)
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        self._timeout = timeout
        self._connection = kind(self._host, self._port, timeout=timeout)

    def _ask(self, call: Call[T]) -> T:
        self._connection.timeout = self._timeout + call.seconds  # of the next socket
        if self._connection.sock is not None:
            self._connection.sock.settimeout(self._connection.timeout)
        try:
            self._connection.request(call.method, call.path, call.body, call.headers)
            response = self._connection.getresponse()
            read = response.read(MOST_BYTES + 1)
        except http.client.HTTPException as error:
            self.close()
            raise ConnectionError(f"no answer: {type(error).__name__}") from error
        except OSError:
            self.close()
            raise
        try:
            return call.answered(response.status, read)
        except ServerRefusal as refused:
            if refused.status < 300:  # the unread rest would be taken for the next answer
                self.close()
            raise

    def close(self) -> None:
        """Hang up; the next call connects again."""
        with suppress(OSError):
            self._connection.close()


class AsyncClient(Routes, AsyncClosing):
    """Plays for one user of the server at `url`, in one event loop, with the methods of `Client` as coroutines.

    Calls go over one connection, one at a time; `pictures` opens its own. Needs the extra [server].
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        super().__init__(url, user, password)
        self._timeout = timeout
        self._http: httpx2.AsyncClient | None = None
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
        call = self._stream(game_id)
        with _as_os_errors():
            async with self._opened() as http:
                async with asyncio.timeout(self._timeout):
                    answer = await self._sent(http, call)
                    if answer.status_code != 200:
                        call.answered(answer.status_code, await _rest(answer))
                text = b""
                async for chunk in answer.aiter_raw():
                    text += chunk
                    if len(text) > _EVENT_BYTES:
                        raise ConnectionError(f"an event is longer than {_EVENT_BYTES} bytes")
                    *events, text = text.split(b"\n\n")
                    for event in events:
                        name, data = _read_event(event)
                        if name == "table":
                            yield data

    async def _ask(self, call: Call[T]) -> T:
        async with self._turn, asyncio.timeout(self._timeout + call.seconds):
            if self._http is None:
                self._http = self._opened()
            with _as_os_errors():
                answer = await self._sent(self._http, call)
                try:
                    body = await _rest(answer)
                finally:
                    await answer.aclose()
        return call.answered(answer.status_code, body)

    async def _sent(self, http: httpx2.AsyncClient, call: Call[Any]) -> httpx2.Response:
        request = http.build_request(call.method, call.path, content=call.body, headers=call.headers)
        return await http.send(request, stream=True)

    def _opened(self) -> httpx2.AsyncClient:
        """Return a client with one connection, which opens when it is used."""
        try:
            import httpx2
        except ModuleNotFoundError:
            raise MissingExtra("server", "httpx2") from None
        return httpx2.AsyncClient(
            headers={"Accept-Encoding": "identity"},  # bodies are counted and read as they come
            base_url=f"{'https' if self._secure else 'http'}://{named(self._host, self._port)}",
            verify=ssl.create_default_context() if self._secure else False,
            timeout=httpx2.Timeout(None, read=_SILENT_SECONDS),
            limits=httpx2.Limits(max_connections=1),
            trust_env=False,
        )

    async def close(self) -> None:
        """Hang up; the next call connects again."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()


async def _rest(answer: httpx2.Response) -> bytes:
    """Read an answer's body; raises `ConnectionError` above `MOST_BYTES`."""
    body = bytearray()
    async for piece in answer.aiter_raw():
        body += piece
        if len(body) > MOST_BYTES:
            raise ConnectionError(f"the answer is longer than {MOST_BYTES} bytes")
    return bytes(body)


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Raise what the library says of the network as `TimeoutError` or `ConnectionError`, as the blocking client does."""
    import httpx2

    try:
        yield
    except httpx2.TimeoutException as error:
        raise TimeoutError(f"no answer: {type(error).__name__}") from error
    except httpx2.TransportError as error:
        raise ConnectionError(f"no answer: {error}") from error


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
