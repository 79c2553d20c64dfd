"""The clients of an HSPE server, blocking and asyncio: the same calls, and pictures as the server pushes them.

Each has the library that its kind of waiting takes: Python's own blocks and needs no extra, httpx2 awaits.
"""

from __future__ import annotations

import asyncio
import http.client
import ssl
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from poker_actors.closing import AsyncClosing, Closing
from poker_actors.errors import MissingExtra
from poker_actors.wire.framing import at_once, named
from poker_actors.wire.hspe.calls import MOST_BYTES, Call, Pushed, ServerRefusal
from poker_actors.wire.hspe.routes import Routes

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
        pushed = Pushed(repr(self), lost_seconds, asyncio.get_running_loop().time)
        while True:
            lost: OSError | ServerRefusal = ConnectionError("the stream has ended")
            try:
                async with aclosing(self._chunks(game_id)) as chunks:
                    async for chunk in chunks:
                        for picture in pushed.receive(chunk):
                            yield picture
            except (OSError, ServerRefusal) as error:
                lost = error
            await asyncio.sleep(pushed.lost(lost))

    async def _chunks(self, game_id: str) -> AsyncGenerator[bytes, None]:
        """Yield what the server sends over one connection, until it ends the stream."""
        call = self._stream(game_id)
        with _as_os_errors():
            async with self._opened() as http:
                async with asyncio.timeout(self._timeout):
                    answer = await self._sent(http, call)
                    if answer.status_code != 200:
                        call.answered(answer.status_code, await _rest(answer))
                async for chunk in answer.aiter_raw():
                    yield chunk

    def _run(self, work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
        return work

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
