"""The clients of an HSPE server, blocking and asyncio: the same calls, and pictures as the server pushes them.

The routes define the requests and their timeouts. A client sends a request and returns its answer: the blocking one
with Python's own library, without an extra, the awaitable one with httpx2.
"""

from __future__ import annotations

import asyncio
import http.client
import ssl
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from poker_actors.closing import AsyncClosing, Closing
from poker_actors.errors import from_extra
from poker_actors.guard import naming
from poker_actors.jsontext import parse_json
from poker_actors.wire.framing import at_once
from poker_actors.wire.hspe.routes import MOST_BYTES, Call, Routes, ServerRefusal, nothing

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")

_SILENT_SECONDS: Final = 45.0
"""The server sends something every 15 s; a stream silent for three times as long is lost."""
_EVENT_BYTES: Final = 2**20
"""A picture has a few thousand bytes; the limit bounds memory when an event never ends."""
_AGAIN_SECONDS: Final = 1.0
"""Wait between two attempts to reopen a lost stream."""
_RESTARTING: Final = 503


class Client(Routes, Closing):
    """The blocking client, for one thread."""

    _connection: http.client.HTTPConnection | None = None

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return at_once(work)

    async def _ask(self, call: Call[T]) -> T:
        if self._connection is None:
            secure = self._origin.startswith("https")
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            self._connection = kind(self._host, self._port)
        self._connection.timeout = call.seconds  # of the next socket
        if self._connection.sock is not None:
            self._connection.sock.settimeout(call.seconds)
        try:
            if self._connection.sock is None:
                with naming(self._host):
                    self._connection.connect()
            self._connection.request(call.method, call.path, call.body, call.headers)
            response = self._connection.getresponse()
            read = response.read(MOST_BYTES + 1)
            # the server died as it wrote: `read` with a length does not say so
            if response.length and len(read) <= MOST_BYTES:
                raise http.client.IncompleteRead(read, response.length)
        except http.client.HTTPException as error:
            self.close()
            raise ConnectionError(f"no answer: {type(error).__name__}") from error
        except OSError:
            self.close()
            raise
        if len(read) > MOST_BYTES:  # the unread rest would be taken for the next answer
            self.close()
        return call.answered(response.status, read)

    def close(self) -> None:
        """Hang up; the next call connects again."""
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()


class AsyncClient(Routes, AsyncClosing):
    """The methods of `Client` as coroutines, for one event loop; needs the extra [server].

    Calls go over one connection, one at a time; `pictures` opens its own.
    """

    _http: httpx2.AsyncClient | None = None

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        super().__init__(url, user, password, timeout=timeout)
        self._turn = asyncio.Lock()

    def _run(self, work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
        return work

    async def _ask(self, call: Call[T]) -> T:
        async with self._turn, asyncio.timeout(call.seconds):
            self._http = self._http or _opened(self._origin)
            with _as_os_errors():
                async with _sent(self._http, call) as answer:
                    return call.answered(answer.status_code, await _rest(answer))

    async def pictures(
        self, game_id: str, *, lost_seconds: float = 60.0
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Iterate over the pictures of a game as the server pushes them, the current one first.

        Each picture is complete; a slow reader skips to the newest. A lost connection is restored; after
        `lost_seconds` without the server, long enough for a restart, `ConnectionError` is raised.
        Raises `ServerRefusal` for an unknown game.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + lost_seconds
        stream = self._request("GET", ("games", game_id, "stream"), nothing)
        while True:
            lost: OSError | ServerRefusal = ConnectionError("the stream has ended")
            try:
                async with aclosing(self._events(stream)) as events:
                    async for event in events:
                        if event.event == "table":
                            yield _read_object(event.data)
                            until = clock() + lost_seconds
            except (OSError, ServerRefusal) as error:
                if isinstance(error, ServerRefusal) and error.status != _RESTARTING:
                    raise
                lost = error
            if clock() >= until:
                raise ConnectionError(f"{self!r} has lost its game: {lost}") from lost
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _events(self, call: Call[None]) -> AsyncGenerator[httpx2.ServerSentEvent, None]:
        opened = _opened(self._origin)
        import httpx2

        with _as_os_errors():
            async with opened as http, AsyncExitStack() as sent:
                async with asyncio.timeout(call.seconds):
                    answer = await sent.enter_async_context(_sent(http, call))
                    if answer.status_code != 200:
                        call.answered(answer.status_code, await _rest(answer))
                async for event in httpx2.EventSource(answer, _EVENT_BYTES):
                    yield event

    async def close(self) -> None:
        """Hang up; the next call connects again."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()


def _read_object(text: str) -> dict[str, Any]:
    with suppress(ValueError):
        data = parse_json(text)
        if isinstance(data, dict):
            return data
    return {}


def _opened(origin: str) -> httpx2.AsyncClient:
    """Return a client of the library with one connection, which opens when it is used."""
    with from_extra("server", "httpx2"):
        import httpx2
    return httpx2.AsyncClient(
        base_url=origin,
        verify=ssl.create_default_context() if origin.startswith("https") else False,
        timeout=httpx2.Timeout(None, read=_SILENT_SECONDS),
        limits=httpx2.Limits(max_connections=1),
        trust_env=False,
    )


def _sent(http: httpx2.AsyncClient, call: Call[Any]) -> AbstractAsyncContextManager[httpx2.Response]:
    return http.stream(call.method, call.path, content=call.body, headers=call.headers)


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
    """Raise the library's network errors as `TimeoutError` or `ConnectionError`, as the blocking client does."""
    import httpx2

    try:
        yield
    except httpx2.TimeoutException as error:
        raise TimeoutError(f"no answer: {type(error).__name__}") from error
    except httpx2.TransportError as error:
        raise ConnectionError(f"no answer: {error}") from error
