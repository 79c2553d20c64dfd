"""The clients of an HSPE server, blocking and asyncio: the same calls, and pictures as the server pushes them.

Each has the library that its kind of waiting takes: Python's own blocks and needs no extra, httpx2 awaits.
"""

from __future__ import annotations

import asyncio
import http.client
import ssl
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from poker_actors.closing import AsyncClosing, Closing
from poker_actors.errors import MissingExtra
from poker_actors.wire.framing import at_once, named
from poker_actors.wire.hspe.calls import MOST_BYTES, Call, ServerRefusal
from poker_actors.wire.hspe.routes import AwaitedRoutes, Routes

if TYPE_CHECKING:
    import httpx2

__all__ = ["AsyncClient", "Client"]

T = TypeVar("T")

_SILENT_SECONDS: Final = 45.0
"""The server sends something every 15 s; a stream silent for three times as long is lost."""


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

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return at_once(work)

    async def _ask(self, call: Call[T]) -> T:
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


class AsyncClient(AwaitedRoutes, AsyncClosing):
    """Plays for one user of the server at `url`, in one event loop, with the methods of `Client` as coroutines.

    Calls go over one connection, one at a time; `pictures` opens its own. Needs the extra [server].
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        super().__init__(url, user, password)
        self._timeout = timeout
        self._http: httpx2.AsyncClient | None = None
        self._turn = asyncio.Lock()

    def _run(self, work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
        return work

    async def _chunks(self, game_id: str) -> AsyncGenerator[bytes, None]:
        call, http = self._stream(game_id), self._opened()
        with _as_os_errors():
            async with http, AsyncExitStack() as sent:
                async with asyncio.timeout(self._timeout):
                    answer = await sent.enter_async_context(self._sent(http, call))
                    if answer.status_code != 200:
                        call.answered(answer.status_code, await _rest(answer))
                async for chunk in answer.aiter_raw():
                    yield chunk

    async def _ask(self, call: Call[T]) -> T:
        async with self._turn, asyncio.timeout(self._timeout + call.seconds):
            self._http = self._http or self._opened()
            with _as_os_errors():
                async with self._sent(self._http, call) as answer:
                    return call.answered(answer.status_code, await _rest(answer))

    @staticmethod
    def _sent(http: httpx2.AsyncClient, call: Call[Any]) -> AbstractAsyncContextManager[httpx2.Response]:
        return http.stream(call.method, call.path, content=call.body, headers=call.headers)

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
