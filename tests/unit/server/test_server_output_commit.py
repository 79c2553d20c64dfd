"""Nothing leaves a server that writes behind before it is durable, and what could not be written never was."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.errors import StorageFailed
from poker_actors.server import README, Notes, Passwords, Users
from poker_actors.server.hspe import Rules
from poker_actors.server.http import HspeServer, Limits
from poker_actors.store import MemoryStorage, RoomImage, open_journal
from poker_actors.store.journal import Row

SECONDS = 10


class GatedStorage(MemoryStorage):
    """Writes wait while the gate is shut, and fail from record `fails_at` on while it is set."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()
        self.writes: list[int] = []
        """how many records each one had"""
        self.fails_at: int | None = None
        self.failed = 0

    def write(self, rows: Sequence[Row], after: int) -> None:
        self.writes.append(len(rows))
        assert self.gate.wait(SECONDS)
        if self.fails_at is not None and rows[-1].seq >= self.fails_at:
            self.failed += 1
            raise StorageFailed("memory: no space is left")
        super().write(rows, after)

    def durable(self) -> RoomImage:
        """What a process that is killed now leaves."""
        left = MemoryStorage()
        left.rows, left.snapshot = list(self.rows), self.snapshot
        return open_journal(left).look(lambda image: image)


class Site:
    """A server in this loop over a gated storage, and requests to it by raw connections."""

    def __init__(self, server: HspeServer, storage: GatedStorage) -> None:
        self.server = server
        self.storage = storage
        self.port = server.address[1]

    async def send(
        self, method: str, path: str, user: str | None = None, body: object = None, head: str = ""
    ) -> asyncio.StreamReader:
        """Send a request on a connection of its own; gives where the answer comes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        text = b"" if body is None else json.dumps(body).encode()
        if user is not None:
            head += f"Authorization: Basic {base64.b64encode(f'{user}:secret'.encode()).decode()}\r\n"
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{head}"
            f"Content-Length: {len(text)}\r\n\r\n".encode()
            + text
        )
        reader.writer = writer  # type: ignore[attr-defined]  # closed with it
        return reader

    async def ask(self, *given: Any, **named: Any) -> tuple[int, bytes, bytes]:
        """Send a request and await status, head and body."""
        reader = await self.send(*given, **named)
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        reader.writer.close()  # type: ignore[attr-defined]
        return int(head[9:12]), head, body

    async def json(self, *given: Any, **named: Any) -> Any:
        status, _, body = await self.ask(*given, **named)
        assert status < 300, (status, body)
        return json.loads(body)

    async def game(self, *users: str) -> str:
        """A game of these new users, dealt."""
        for user in users:
            await self.json("POST", "/users/", user)
        game: str = (await self.json("POST", "/games/", users[0]))["gameID"]
        for user in users[1:]:
            await self.json("POST", f"/games/{game}/players/", user)
        await until(lambda: self.server.lobby.games[game].turn is not None)
        return game

    def turn(self, game: str) -> str:
        """The name of who is to act."""
        one = self.server.lobby.games[game]
        assert one.turn is not None
        return one.roster.name_of(one.turn.user)

    @property
    def held(self) -> int:
        """How many answers wait for the journal."""
        return len(self.server._app_state._now.held.__self__._waiting)  # type: ignore[attr-defined]


async def until(holds: Callable[[], bool]) -> None:
    """Let the loop go on until something holds."""
    async with asyncio.timeout(SECONDS):
        while not holds():  # noqa: ASYNC110  what is waited for is in other code, and tells nobody
            await asyncio.sleep(0.001)


@asynccontextmanager
async def serving() -> AsyncIterator[Site]:
    storage = GatedStorage()
    journal = open_journal(storage, behind=True)
    async with AsyncRoom(Room(StepRuntime(), store=journal)) as room:
        notes = Notes(journal)
        users = Users(notes, Passwords(argon2=False, scrypt_cost=2))
        rules = Rules(
            turn_seconds=3600
        )  # on a busy machine, setting a hundred games up may take a turn's 15 s
        limits = Limits(users_per_hour=1000)
        server = HspeServer(room, notes, users, profile=README, rules=rules, limits=limits)
        await server.start()
        try:
            yield Site(server, storage)
        finally:
            storage.gate.set()
            storage.fails_at = None
            await server.close()
            if server.room is not room:
                await server.room.close()


def test_nobody_is_sent_a_byte_of_what_is_not_durable() -> None:
    async def play() -> None:
        async with serving() as site:
            game = await site.game("ann", "bob")
            _, head, _ = await site.ask("GET", f"/games/{game}")
            tag = next(line for line in head.decode().split("\r\n") if line.startswith("etag")).split(" ")[1]
            stream = await site.send("GET", f"/games/{game}/stream")
            await stream.readuntil(b"event: table\n")
            await stream.readuntil(b"\n\n\r\n")
            actor = site.turn(game)
            other = {"ann": "bob", "bob": "ann"}[actor]
            async with connect(f"ws://127.0.0.1:{site.port}/games/{game}/socket", proxy=None) as socket:
                await socket.recv()
                await until(lambda: not site.held)
                site.storage.gate.clear()
                act = await site.send("POST", f"/games/{game}/actions", actor, {"act": "call"})
                await until(lambda: site.turn(game) == other)
                asked = [
                    act,
                    await site.send("GET", f"/games/{game}"),
                    await site.send("GET", f"/games/{game}", head=f"If-None-Match: {tag}\r\n"),
                    await site.send("GET", f"/games/{game}/table", other),
                    await site.send("GET", "/lobby"),
                    await site.send("GET", "/metrics"),
                    await site.send("GET", "/healthz"),
                    await site.send("POST", f"/games/{game}/actions", actor, {"act": "call"}),
                    await site.send("POST", "/users/", "ann"),
                    await site.send("GET", f"/games/{game}/stream"),
                ]
                await until(lambda: site.held == len(asked) + 2)  # and the listeners' pictures
                picture = asyncio.ensure_future(socket.recv())
                for _ in range(200):
                    await asyncio.sleep(0)
                buffers = [bytes(reader._buffer) for reader in (*asked, stream)]  # type: ignore[attr-defined]
                assert buffers == [b""] * len(buffers)
                assert not picture.done()
                site.storage.gate.set()
                heads = [await reader.readline() for reader in asked]
                statuses = [int(line[9:12]) for line in heads]
                assert statuses == [200, 200, 200, 200, 200, 200, 200, 409, 403, 200]
                assert json.loads(await picture)["seq"] == 1
                await stream.readuntil(b"event: table\n")
                for reader in (*asked, stream):
                    reader.writer.close()  # type: ignore[attr-defined]

    asyncio.run(play())


def test_a_poll_of_what_is_not_durable_waits_on_a_connection_whose_polls_are_answered_at_once() -> None:
    async def play() -> None:
        async with serving() as site:
            game = await site.game("ann", "bob")
            await until(lambda: not site.held)
            polls = site.server._app_state.polls
            assert polls is not None
            reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
            heads: list[bytes] = []

            async def poll() -> None:
                tag = polls._views.game_tag("g", site.server.lobby.games[game], None)
                writer.write(f"GET /games/{game} HTTP/1.1\r\nIf-None-Match: {tag}\r\n\r\n".encode())
                heads.append(await reader.readuntil(b"\r\n\r\n"))

            await poll()
            own = writer.get_extra_info("sockname")
            lines: list[Any] = [one.line for one in site.server.connections._open]
            (guard,) = [line for line in lines if line._peer == own]
            passed = guard._passed
            await poll()
            assert guard._passed == passed, "the second is answered by the guard"
            assert heads[0] == heads[1], "and by the same bytes"
            site.storage.gate.clear()
            act = await site.send("POST", f"/games/{game}/actions", site.turn(game), {"act": "call"})
            await until(lambda: site.held == 1)
            asked = asyncio.ensure_future(poll())
            await until(lambda: site.held == 2)
            assert len(heads) == 2
            site.storage.gate.set()
            await asked
            assert heads[2].startswith(b"HTTP/1.1 304 ")
            assert heads[2] != heads[1]
            writer.close()
            act.writer.close()  # type: ignore[attr-defined]

    asyncio.run(play())


def test_a_hundred_acts_at_once_share_a_few_writes() -> None:
    async def play() -> None:
        async with serving() as site:
            games = [await site.game(f"a{number}", f"b{number}") for number in range(100)]
            await until(lambda: not site.held)
            site.storage.gate.clear()
            before = len(site.storage.writes)
            acts = [
                asyncio.ensure_future(
                    site.json("POST", f"/games/{game}/actions", site.turn(game), {"act": "call"})
                )
                for game in games
            ]
            await until(lambda: site.held == 100)
            assert not any(act.done() for act in acts)
            site.storage.gate.set()
            await asyncio.gather(*acts)
            assert len(site.storage.writes) - before <= 3, "one that was under way, one for the rest"

    asyncio.run(play())


SCRIPT = ["call", "check", "check", "check", "check", "raise_to", "call", "check", "check"]


async def again(request: Callable[[], Awaitable[tuple[int, bytes, bytes]]]) -> tuple[int, bytes, bytes]:
    """Ask until the answer is not that the journal cannot be written."""
    async with asyncio.timeout(SECONDS):
        while (answer := await request())[0] == 503:
            assert b"retry-after" in answer[1].lower()
        return answer


async def picture(site: Site, game: str) -> dict[str, Any]:
    """A game as a spectator sees it, without what a new start of the room changes."""
    _, _, body = await again(lambda: site.ask("GET", f"/games/{game}/table"))
    plain = json.loads(body)
    for key in ("now", "version", "turn"):
        del plain[key]
    return dict(plain)


async def next_turn(site: Site, game: str) -> tuple[str, dict[str, Any]]:
    """Who is to act and what is shown; where a write has failed that no request waited for, there is space again first."""
    server = site.server
    async with asyncio.timeout(SECONDS):
        while True:
            await until(lambda: server.lobby.games[game].turn is not None or site.storage.failed > 0)
            shown = await picture(site, game)
            if server.lobby.games[game].turn is not None and shown["hand_id"] is not None:
                return site.turn(game), shown
            site.storage.fails_at = None


@pytest.mark.parametrize("at", range(18))
def test_a_write_that_fails_anywhere_in_a_hand_leaves_no_trace_of_what_was_refused(at: int) -> None:
    async def play() -> None:
        async with serving() as site:
            game = await site.game("ann", "bob")
            await until(lambda: site.server.lobby.games[game].turn is not None and not site.held)
            site.storage.fails_at = site.storage.rows[-1].seq + 1 + at
            refused = 0
            for act in SCRIPT:
                name, before = await next_turn(site, game)
                key = {"hand_id": before["hand_id"], "seq": before["seq"]}
                body = {"act": act, **({"amount": 40} if act == "raise_to" else {}), **key}
                status, _, text = await site.ask("POST", f"/games/{game}/actions", name, body)
                if status == 503:
                    refused += 1
                    assert await picture(site, game) == before
                    site.storage.fails_at = None
                    await until(lambda: site.server.lobby.games[game].turn is not None)
                    status, _, text = await site.ask("POST", f"/games/{game}/actions", site.turn(game), body)
                assert status == 200, text
                log = site.storage.durable().tables[game]
                assert log.dealt is not None
                assert log.dealt.hand_id != before["hand_id"] or len(log.log) > before["seq"]
            await until(lambda: site.server.lobby.games[game].hands > 0 or site.storage.failed > 0)
            site.storage.fails_at = None
            shown = await again(lambda: site.ask("GET", f"/games/{game}"))
            assert shown[0] == 200
            audit = site.server.room.room.audit()
            assert audit.conserved
            assert audit.tables + audit.hands == 20_000
            assert refused <= 1

    asyncio.run(play())


def test_listeners_are_told_to_come_again_when_the_room_is_thrown_away() -> None:
    async def play() -> None:
        async with serving() as site:
            game = await site.game("ann", "bob")
            stream = await site.send("GET", f"/games/{game}/stream")
            await stream.readuntil(b"event: table\n")
            async with connect(f"ws://127.0.0.1:{site.port}/games/{game}/socket", proxy=None) as socket:
                shown = json.loads(await socket.recv())
                await until(lambda: not site.held)
                old = site.server.room
                site.storage.fails_at = 0
                act = await site.ask("POST", f"/games/{game}/actions", site.turn(game), {"act": "call"})
                assert act[0] == 503
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1012
            assert b"event: bye" in await stream.read()
            stream.writer.close()  # type: ignore[attr-defined]
            await until(lambda: site.server.room is not old)
            # as long as nothing can be written all is shown, and what is asked for is refused
            for _ in range(3):
                assert (await picture(site, game))["seq"] == shown["seq"]
                turn = site.turn(game)
                asked = await site.ask("POST", f"/games/{game}/actions", turn, {"act": "call"})
                assert asked[0] == 503
            site.storage.fails_at = None
            turn = site.turn(game)
            assert (await site.ask("POST", f"/games/{game}/actions", turn, {"act": "call"}))[0] == 200
            assert (await picture(site, game))["seq"] == shown["seq"] + 1

    asyncio.run(play())


def test_nothing_is_recorded_but_in_the_loop_so_that_no_record_fails_between_a_command_and_its_answer() -> (
    None
):
    async def play() -> None:
        async with serving() as site:
            await site.game("ann", "bob")
            journal = site.server._app_state._now.notes.journal
            assert journal is not None
            threads: list[threading.Thread] = []
            append = journal.append

            def watched(*facts: Any) -> None:
                threads.append(threading.current_thread())
                append(*facts)

            journal.append = watched  # type: ignore[method-assign]
            await site.json("POST", "/users/", "cyd")
            status, _, _ = await site.ask(
                "POST", "/account/password", "cyd", {"old": "secret", "new": "other"}
            )
            assert status == 204
            assert threads
            assert set(threads) == {threading.current_thread()}

    asyncio.run(play())
