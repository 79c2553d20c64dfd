"""The client for programs with an event loop: the same calls to await, and pictures as they are pushed."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from poker_actors.wire.hspe.calls import MOST_BYTES, Call, Calls, ServerRefusal
from poker_actors.wire.hspe.wire import Wire

__all__ = ["AsyncClient"]

T = TypeVar("T")

_SILENT_SECONDS: Final = 45.0
"""A stream says something every 15 s; one that is silent for three times as long is lost."""
_AGAIN_SECONDS: Final = 1.0
_EVENT_BYTES: Final = 2**20


class AsyncClient:
    """Plays for one user of the server at `url`, in one event loop; see `Client`. Needs the extra [server].

    Calls go over one connection, one after another. `pictures` has a connection of its own.
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        self._calls = Calls(url, user, password)
        self._timeout = timeout
        self._wire: Wire | None = None
        self._turn = asyncio.Lock()

    @property
    def user(self) -> str:
        """The user's name."""
        return self._calls.user

    @property
    def player_id(self) -> str:
        """The user's id, once registered or joined."""
        return self._calls.player_id

    async def register(self) -> str:
        """Register the user; gives its id."""
        return await self._ask(self._calls.register())

    async def games(self) -> list[dict[str, Any]]:
        """Give all games."""
        return await self._ask(self._calls.games())

    async def game(self, game_id: str) -> dict[str, Any]:
        """Give one game, with the own hole cards."""
        return await self._ask(self._calls.game(game_id))

    async def make(self, **setting: Any) -> dict[str, Any]:
        """Make a game, and join it; a server of ours takes a `setting`."""
        return await self._ask(self._calls.make(setting or None))

    async def join(self, game_id: str) -> str | None:
        """Join a game; gives the player's id where the server says it, and None from a Go server."""
        return await self._ask(self._calls.join(game_id))

    async def fold(self, game_id: str) -> None:
        """Take the turn and fold."""
        await self._ask(self._calls.put(game_id, None))

    async def bet(self, game_id: str, amount: int) -> None:
        """Take the turn and put `amount` chips in now; 0 checks. An invalid bet folds."""
        await self._ask(self._calls.put(game_id, amount))

    async def leave(self, game_id: str) -> None:
        """Leave a game, and forfeit what is left."""
        await self._ask(self._calls.leave(game_id))

    async def lobby(self) -> dict[str, Any]:
        """Give all games as a lobby shows them, and the bots a house seat may have."""
        return await self._ask(self._calls.lobby())

    async def table(self, game_id: str) -> dict[str, Any]:
        """Give the picture of a game."""
        return await self._ask(self._calls.table(game_id))

    async def act(
        self, game_id: str, act: str, amount: int | None = None, *, key: tuple[str, int] | None = None
    ) -> tuple[str, int]:
        """Take the turn by the rules' own actions; see `Client.act`."""
        return await self._ask(self._calls.act(game_id, act, amount, key))

    async def seat_house(self, game_id: str, *bots: str) -> list[str]:
        """Fill free seats with players of the house, such as `"tight", "loose"`; gives their names."""
        return await self._ask(self._calls.seat_house(game_id, bots))

    async def send_house_away(self, game_id: str) -> None:
        """Have the players of the house leave, after the hand."""
        await self._ask(self._calls.send_house_away(game_id))

    async def hands(self, game_id: str) -> list[dict[str, Any]]:
        """Give what everybody may know of the hands played last, the newest first."""
        return await self._ask(self._calls.hands(game_id))

    async def hand(self, game_id: str, hand_id: str) -> dict[str, Any]:
        """Give the history of a hand the user was dealt into."""
        return await self._ask(self._calls.hand(game_id, hand_id))

    async def plan(self, game_id: str, plan: str | None, *, hand_id: str | None = None) -> None:
        """Decide the next turn before it comes: `check_fold` or `call_any`, and None to take it back; with `hand_id` for that hand alone."""
        await self._ask(self._calls.plan(game_id, plan, hand_id))

    async def planned(self, game_id: str) -> str | None:
        """Give what is decided for the next turn."""
        return await self._ask(self._calls.planned(game_id))

    async def tournaments(self) -> list[dict[str, Any]]:
        """Give all tournaments, those one can enter first."""
        return await self._ask(self._calls.tournaments())

    async def tournament(self, tournament_id: str) -> dict[str, Any]:
        """Give how a tournament stands, and at which `table` the user plays, as a game is played."""
        return await self._ask(self._calls.tournament(tournament_id))

    async def make_tournament(self, **announced: Any) -> str:
        """Announce a tournament and be in it: `name`, `players`, `seats`, `minutes`, `turn_seconds`; gives its id."""
        return await self._ask(self._calls.make_tournament(announced))

    async def enter_tournament(self, tournament_id: str) -> None:
        """Be in a tournament; it begins with the last who comes."""
        await self._ask(self._calls.enter_tournament(tournament_id))

    async def leave_tournament(self, tournament_id: str) -> None:
        """Be in it no more, before it begins."""
        await self._ask(self._calls.leave_tournament(tournament_id))

    async def fill_tournament(self, tournament_id: str) -> None:
        """Have bots of the house take the places that are left, which begins it."""
        await self._ask(self._calls.fill_tournament(tournament_id))

    async def pictures(
        self, game_id: str, *, lost_seconds: float = 60.0
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Iterate over the pictures of a game as the server pushes them, the present one first.

        Each is whole, and who takes its time gets the newest and not each. A lost connection is made
        again; the server may be away for `lost_seconds`, as when it is started again, before
        `ConnectionError` is raised. Raises `ServerRefusal` for a game that is not there.
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
        """Give the pictures of one connection; ends when the server says bye."""
        wire = await self._connect()
        try:
            call = self._calls.stream(game_id)
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
                # half an answer may be on its way: it must not be taken for the next one's
                self._hang_up()
                raise
            if not self._wire.reusable:
                self._hang_up()
        return call.answered(status, body)

    async def _connect(self) -> Wire:
        calls = self._calls
        secure = ssl.create_default_context() if calls.secure else None
        async with asyncio.timeout(self._timeout):
            return await Wire.to(calls.host, calls.port, secure)

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

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncClient: {self.user} at {self._calls.host}:{self._calls.port}>"


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
                data = json.loads(value)
    return name, data if isinstance(data, dict) else {}
