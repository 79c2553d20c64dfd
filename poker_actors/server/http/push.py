"""Push: send the listeners of a game its newest picture whenever it changes.

Nothing is queued. A listener is only woken; once it has taken the previous picture, it gets the newest one and skips
those in between, so that a slow client cannot fill the memory.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

import attrs
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from poker_actors.errors import BadSpec, PokerError, StorageFailed, TableRefusal
from poker_actors.server.contract import answers
from poker_actors.server.hspe import Game, Lobby, read_move
from poker_actors.server.http.exchange import COOKIE, Entry, Held, Route, Settle, page_of
from poker_actors.server.live import Metrics, Views
from poker_actors.server.shapes import object_of
from poker_actors.server.users import User

_BEAT_SECONDS: Final = 15.0
"""Seconds between signs of life on an idle stream: proxies cut streams that are silent for a minute."""
_SLOW_SECONDS: Final = 20.0
"""Seconds that sending one picture may take before the listener is dropped."""
_LOBBY_SECONDS: Final = 1.0
"""The least seconds between two lobbies sent: with a thousand tables the lobby changes all the time."""
_MOST_WAIT: Final = 30.0
"""The most seconds a request may wait for news."""
_MOST: Final = 5_000
"""The most listeners at once, each a connection and a task: without a limit they could starve everybody else."""
_MESSAGE: Final = 4_096
"""The longest message, in bytes; an action takes a hundred."""
GOING: Final = 1012
"""The close code when the server closes or reopens its room (registered: "service restart")."""
_OVER: Final = 4401
"""Private close codes begin at 4000; these two are 4000 plus the HTTP status of the same meaning."""
_NO_GAME: Final = 4404
_TOO_MANY: Final = 1013
"""The registered code for "try again later"."""
_UNKEPT: Final[answers.Refused] = {
    "type": "refused",
    "code": StorageFailed.default_code,
    "text": "the journal could not be written, so it has not happened",
}
_BYE: Final = "the server closes; tables are kept if it has a journal"


class Listener:
    """A listener, woken when there is something new."""

    def __init__(self, seen: Callable[[], object]) -> None:
        self._news = False
        self._woken: asyncio.Future[None] | None = None
        self._seen = seen
        self._last = seen()
        self.closing = False
        """whether the server is closing"""

    def wake(self, *_: object) -> None:
        """Wake the listener, for news or because its client has gone."""
        self._news = True
        self._ring()

    def look(self, seen: object = None) -> None:
        """Wake the listener only if its view has changed: other changes must stay hidden from it.

        `seen` is what it sees now, if that is known.
        """
        if seen is None:
            seen = self._seen()
        if seen != self._last:
            self._last = seen
            self.wake()

    async def news(self, seconds: float) -> bool:
        """Wait for news; return False after that many seconds without any."""
        if not self._news:  # news that came meanwhile need no timer
            loop = asyncio.get_running_loop()
            self._woken = loop.create_future()
            # a bare timer: `asyncio.timeout` takes a tenth of the time of a picture
            timer = loop.call_later(seconds, self._ring)
            try:
                await self._woken
            finally:
                timer.cancel()
        heard, self._news = self._news, False
        return heard

    def _ring(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)


class Feed:
    """The listeners of each game and of the lobby."""

    def __init__(self, lobby: Lobby, views: Views) -> None:
        self._common_mark: Final = views.common_mark
        self._games: dict[str, set[Listener]] = {}
        self._lobby: set[Listener] = set()
        self._count = 0
        self._users: Counter[str] = Counter()
        self._closed = False
        lobby.on_change = self._changed
        lobby.on_close = self.close

    def check_room(self) -> None:
        """Raise `TableRefusal` (`too_many`) if there is no room for more listeners."""
        if self._count >= _MOST:
            raise TableRefusal(f"{_MOST} listeners are connected, the most allowed", code="too_many")

    @contextmanager
    def listening(
        self, game: Game | None, seen: Callable[[], object], user_id: str | None = None
    ) -> Iterator[Listener]:
        """Listen to a game, or to the lobby for None, until the block is left; `seen` changes with the view.

        To a game, `seen` is its mark for the user.
        """
        place = self._lobby if game is None else self._games.setdefault(game.id, set())
        listener = Listener(seen)
        listener.closing = self._closed
        place.add(listener)
        self._count += 1
        self._users[user_id or ""] += 1
        try:
            yield listener
        finally:
            self._count -= 1
            self._users[user_id or ""] -= 1
            if not self._users[user_id or ""]:
                del self._users[user_id or ""]
            place.discard(listener)
            if game is not None and not place:
                self._games.pop(game.id, None)

    def hears(self, user_id: str) -> bool:
        """Return whether a user listens to a game."""
        return user_id in self._users

    def _changed(self, game: Game) -> None:
        if listeners := self._games.get(game.id):
            common = self._common_mark(game)
            for listener in listeners:
                listener.look(common)
        for listener in self._lobby:
            listener.look()

    def close(self) -> None:
        """Tell all listeners that the server is closing."""
        self._closed = True
        for place in (self._lobby, *self._games.values()):
            for listener in place:
                listener.closing = True
                listener.wake()


@attrs.frozen
class _Newest:
    """The newest view, with the name under which a stream sends it; each version is sent once."""

    name: str
    version: Callable[[], str]
    view: Callable[[], bytes]
    owner: str | None = None
    """who listens"""


class PushRoutes:
    """Streams of server-sent events, and sockets."""

    def __init__(
        self,
        lobby: Lobby,
        entry: Entry,
        views: Views,
        settle: Settle,
        metrics: Metrics,
        feed: Feed,
        held: Held,
    ) -> None:
        self._held = held
        self._lobby = lobby
        self._entry = entry
        self._views = views
        self._settle = settle
        self._metrics = metrics
        self._feed = feed

    # -- server-sent events ------------------------------------------------------------------

    async def stream(self, request: Request) -> Response:
        """Push pictures of one game."""
        self._feed.check_room()
        user = await self._entry.user_if_any(request)
        game = self._lobby.game(request.path_params["game_id"])
        owner = None if user is None else user.id

        newest = _Newest(
            "table",
            lambda: self._views.mark(game, owner),
            lambda: self._views.table(game, owner, self._lobby.now()),
            owner,
        )
        return _Stream(self._events(game, newest, 0.0, self._alive(request, user)), self._metrics)

    async def waited(self, route: Route, request: Request) -> Response:
        """Answer a request for a game; with `?wait=SECONDS`, wait for another version than `after`."""
        if request.query_params.keys() & {"wait", "after"}:
            user = await self._entry.user_if_any(request)
            game = self._lobby.game(request.path_params["game_id"])
            owner = None if user is None else user.id
            seconds, after = _read_wait(request.query_params, self._views.version(game, owner))
            self._feed.check_room()
            with self._feed.listening(game, partial(self._views.mark, game, owner), owner) as listener:
                if seconds and self._views.version(game, owner) == after and not listener.closing:
                    await listener.news(seconds)
        return await route(request)

    async def lobby_stream(self, request: Request) -> Response:
        """Push the lobby, or a page of it."""
        self._feed.check_room()
        page = page_of(request)

        newest = _Newest("lobby", lambda: str(self._lobby.version), lambda: self._views.lobby(page))
        return _Stream(self._events(None, newest, _LOBBY_SECONDS, lambda: True), self._metrics)

    async def _events(
        self,
        game: Game | None,
        newest: _Newest,
        least_seconds: float,
        alive: Callable[[], bool],
    ) -> AsyncGenerator[bytes, None]:
        yield b"retry: 1000\n\n"
        sent = None
        with self._feed.listening(game, newest.version, newest.owner) as listener:
            while alive() and not listener.closing:
                version = newest.version()
                if version != sent:
                    sent, view = version, newest.view()
                    if not await self._kept():
                        break
                    yield b"event: %s\nid: %s\ndata: %s\n\n" % (newest.name.encode(), version.encode(), view)
                    await asyncio.sleep(least_seconds)
                if not await listener.news(_BEAT_SECONDS):
                    yield b": still there\n\n"
        over = not alive() and await self._kept() and not listener.closing
        text = "the session is over" if over else _BYE
        yield b"event: bye\ndata: %s\n\n" % json.dumps(answers.Bye(text=text)).encode()

    async def _kept(self) -> bool:
        """Wait until the views made so far may be sent; return False if they never may be."""
        try:
            await self._held()
        except StorageFailed:
            return False
        return True

    def _alive(self, request: Request | WebSocket, user: User | None) -> Callable[[], bool]:
        """Return a function that tells whether the user is still logged in; a user with a password always is."""
        token = request.cookies.get(COOKIE)
        if user is None or token is None or "authorization" in request.headers:
            return lambda: True
        return lambda: self._entry.sessions.user(token) is not None

    # -- sockets -----------------------------------------------------------------------------

    async def socket(self, socket: WebSocket) -> None:
        """Push pictures of one game over a socket, and take actions from it."""
        user = None
        game = None
        code = _OVER
        text = ""
        try:
            user = await self._entry.user_if_any(socket)
            code = _TOO_MANY
            self._feed.check_room()
            code = _NO_GAME
            game = self._lobby.game(socket.path_params["game_id"])
        except PokerError as error:
            text = str(error)
        if not await self._kept():
            game, code, text = None, GOING, _BYE
        with suppress(WebSocketDisconnect):
            await socket.accept()
            if game is None:
                await socket.close(code, text[:100])
                return
            await self._serve(socket, game, user)

    async def _serve(self, socket: WebSocket, game: Game, user: User | None) -> None:
        owner = None if user is None else user.id
        with self._feed.listening(game, partial(self._views.mark, game, owner), owner) as listener:
            self._metrics.listening["websocket"] += 1
            reading = asyncio.create_task(self._read(socket, game, user))
            reading.add_done_callback(listener.wake)
            try:
                await self._push(socket, game, user, listener, reading)
            finally:
                self._metrics.listening["websocket"] -= 1
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def _push(
        self,
        socket: WebSocket,
        game: Game,
        user: User | None,
        listener: Listener,
        reading: asyncio.Task[None],
    ) -> None:
        owner = None if user is None else user.id
        alive = self._alive(socket, user)
        sent = ""
        while not reading.done():
            mark = self._views.mark(game, owner)
            over, news, sent = not alive(), mark != sent, mark
            if not (news or over or listener.closing):
                await listener.news(_BEAT_SECONDS)
                continue  # nothing is said, so nothing waits for the disk
            message = self._views.message(game, owner, self._lobby.now()) if news else ""
            if listener.closing or not await self._kept():
                await socket.close(GOING, _BYE[:100])
                return
            if over:
                await socket.close(_OVER, "session over")
                return
            if news and not await self._sent(socket, message):
                return
            await listener.news(_BEAT_SECONDS)

    async def _sent(self, socket: WebSocket, message: str) -> bool:
        """Send a picture; return False if the client does not read it."""
        try:
            async with asyncio.timeout(_SLOW_SECONDS):
                await socket.send_text(message)
        except TimeoutError:
            self._metrics.dropped["websocket"] += 1
            return False
        self._metrics.pictures["websocket"] += 1
        return True

    async def _read(self, socket: WebSocket, game: Game, user: User | None) -> None:
        """Answer messages one by one, until the client goes or the server closes the socket."""
        messages = self._entry.door.guard.allowance()
        with suppress(WebSocketDisconnect, RuntimeError):
            while socket.application_state is WebSocketState.CONNECTED:
                message = await socket.receive()
                if message["type"] != "websocket.receive":
                    return
                answer = self._answer(game, user, _text_of(message))
                if not await self._kept():
                    answer = _UNKEPT
                await socket.send_text(json.dumps(answer))
                # even of 0 seconds: a client that sends without pause must let the others run
                await asyncio.sleep(messages.take())

    def _answer(
        self, game: Game, user: User | None, text: str
    ) -> answers.Done | answers.Refused | answers.Pong:
        try:
            kind = _kind_of(text)
            if kind == "ping":
                return {"type": "pong"}
            if user is None:
                raise TableRefusal("log in to act", code="no_credentials")
            move, key = read_move(text)
            hand_id, seq = self._settle(lambda: game.take(user.id, move, key))
        except PokerError as error:
            self._metrics.actions[f"refused: {error.code}"] += 1
            return {"type": "refused", "code": error.code, "text": str(error)}
        self._metrics.acted(game, move.act)
        return {"type": "acted", "hand_id": hand_id, "seq": seq}


def _read_wait(query: Mapping[str, str], version: int) -> tuple[float, int]:
    """Read ``wait=SECONDS``, else 0, and ``after=VERSION``, else the game's own; raises `BadSpec`."""
    try:
        seconds, after = float(query.get("wait", "0")), int(query.get("after", version))
    except ValueError:
        seconds, after = -1.0, version
    if not 0 <= seconds <= _MOST_WAIT:
        raise BadSpec(f"wait must be 0 to {_MOST_WAIT:g} seconds, and after the version of a picture")
    return seconds, after


def _text_of(message: Message) -> str:
    text = message.get("text")
    if text is None:
        return ""
    return str(text)


def _kind_of(text: str) -> str:
    """Return the type of a message, `act` or `ping`; raises `TableRefusal` (`bad_message`)."""
    plain = object_of(text) if len(text) <= _MESSAGE else None
    kind = None if plain is None else plain.get("type")
    if kind not in ("act", "ping"):
        raise TableRefusal('a message must be JSON with the "type" act or ping', code="bad_message")
    return str(kind)


class _Stream(Response):
    """A response that lasts until its events end, or its client stops taking them."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[bytes, None], metrics: Metrics) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._events = events
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until they end, or the client has gone or does not read them."""
        gone = asyncio.create_task(_gone(receive))
        self._metrics.listening["sse"] += 1
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._send_events(send, gone)
        except TimeoutError:
            self._metrics.dropped["sse"] += 1
        finally:
            self._metrics.listening["sse"] -= 1
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
            await self._events.aclose()

    async def _send_events(self, send: Send, gone: asyncio.Task[None]) -> None:
        while not gone.done():
            event = asyncio.ensure_future(anext(self._events, None))
            await asyncio.wait((event, gone), return_when=asyncio.FIRST_COMPLETED)
            if not event.done():
                event.cancel()
                await asyncio.gather(event, return_exceptions=True)
                return
            chunk = event.result()
            async with asyncio.timeout(_SLOW_SECONDS):
                await send(
                    {"type": "http.response.body", "body": chunk or b"", "more_body": chunk is not None}
                )
            if chunk is None:
                return
            self._metrics.pictures["sse"] += chunk.startswith(b"event: table")


async def _gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
