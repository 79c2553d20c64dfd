"""`poker-actors mcp`: tables for an agent that speaks the Model Context Protocol on its standard streams."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack
from typing import Annotated
from urllib.parse import urlsplit

from poker_actors.cli.reading import PASSWORD_VARIABLE, read_password
from poker_actors.cli.values import FILE, Url
from poker_actors.errors import BadSpec

__all__ = ["mcp"]


def mcp(
    url: Url | None = None, *, user: str = "agent", password_file: Annotated[str | None, FILE] = None
) -> None:
    """Let an agent play by the Model Context Protocol over stdio: on a server, or in a room of its own.

    The agent's program starts this command and talks to it on standard input and output; it finds tools to list
    tables, sit down, wait for its turn, act, and read its hands. Without a URL there is a room of its own in this
    process, with bots of the house, which ends with it. The password is never a tool's argument.

    Args:
        user: Name to play under; the agent can register it.
        password_file: File whose first line is the password. Without it, it is in POKER_ACTORS_PASSWORD; a room of its
            own needs none.
    """
    import poker_actors.wire.mcp  # noqa: F401  a missing extra is said before anything is opened

    if url is not None and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname):
        raise BadSpec(f"{url[:80]!r} is not the URL of a server, such as http://127.0.0.1:8080")
    if not user or ":" in user:
        raise BadSpec(f"--user {user!r:.40}: a username is not empty and has no colon")
    asyncio.run(_serve(url, user, _password(url, password_file)))


def _password(url: str | None, file: str | None) -> str:
    """Return the password of a file, or of the environment; a drawn one for a room of its own. Raises `BadSpec`."""
    given = read_password(file, ask=False)  # standard input belongs to the protocol
    if not given and url is not None:
        place = PASSWORD_VARIABLE if file is None else f"the first line of {file[:80]!r}"
        raise BadSpec(
            f"{place} has no password: a server needs one, by --password-file or {PASSWORD_VARIABLE}"
        )
    return given or secrets.token_urlsafe()


async def _serve(url: str | None, user: str, password: str) -> None:
    from poker_actors.wire.mcp import serve_stdio

    async with AsyncExitStack() as own:
        if url is None:
            url = await _own_room(own)
        await serve_stdio(url, user, password)


async def _own_room(own: AsyncExitStack) -> str:
    """Open a room in this process, serve it on a local port, and return its URL."""
    from poker_actors.actors import Room, StepRuntime
    from poker_actors.actors.aio import AsyncRoom
    from poker_actors.server import README, Notes, Passwords, Users
    from poker_actors.server.http import HspeServer

    room = await own.enter_async_context(AsyncRoom(Room(StepRuntime())))
    notes = Notes()
    server = HspeServer(room, notes, Users(notes, Passwords()), profile=README)
    await server.start()
    own.push_async_callback(server.close)
    host, port = server.address
    return f"http://{host}:{port}"
