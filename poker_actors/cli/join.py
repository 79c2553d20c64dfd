"""`poker-actors join` and `mcp`: a house bot, or an agent, at a server."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from poker_actors.cli.output import NO, console, many, note
from poker_actors.cli.reading import PASSWORD_VARIABLE, read_password
from poker_actors.cli.values import BOT, FILE, BotSeed, JsonOption, PasswordFile, Url, User, to_be_printed
from poker_actors.errors import BadSpec, printable
from poker_actors.guard import find_host, read_url

if TYPE_CHECKING:
    from poker_actors.server import Client


def join(  # noqa: PLR0913  every option of the command is one
    url: Url,
    *,
    user: User,
    bot: Annotated[str, BOT],
    password_file: PasswordFile = None,
    game_id: Annotated[str | None, Parameter(name=["--game-id", "--game"], metavar="ID")] = None,
    hands: int | None = None,
    poll: float = 0.05,
    bot_seed: BotSeed = None,
    json: JsonOption = None,
) -> int | None:
    """Play on an HSPE server with one of our bots: in the first game with a free seat, or a new one.

    Registers a user the server does not know. Waits up to a minute for a server that is gone. The exit status is
    1 for a wrong password.

    Args:
        bot: A bot, to play for you: NAME, NAME:key=value, FILE.py:FUNCTION or MODULE:FUNCTION.
        game_id: The game to join, instead of the first with a free seat.
        hands: How many hands to play; until out of chips if not given.
        poll: Seconds between two polls of the game.
    """
    from poker_actors.actors import Room, StepRuntime
    from poker_actors.bots import BotSpec
    from poker_actors.server import Client, Guest, ServerRefusal

    if hands is not None and hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    if not 0 <= poll <= 60:
        raise BadSpec(f"--poll {poll} must be 0 to 60 seconds")
    BotSpec.parse(bot)
    client = Client(url, user, read_password(password_file))
    with client, Room(StepRuntime(), seed=bot_seed) as room:
        if bot_seed is None:
            note(f"seed {room.seed}")
        try:
            joined = _enter(client, game_id)
        except ServerRefusal as refused:
            if refused.status != 401:
                raise
            note(f"wrong password for {user}")
            return NO
        guest = Guest(room.player("guest", bot), client, joined, poll=poll)
        note(f"{user} plays in game {joined}")
        try:
            guest.play(hands)
        finally:
            _report(guest.hands, guest.wealth, guest.player.faults.total, joined, user, json)
    return None


def _enter(client: Client, wanted: str | None) -> str:
    """Register if necessary, join `wanted`, or a game with a free seat, or a new one, and return the game's id."""
    from poker_actors.server import ServerRefusal

    try:
        client.register()
    except ServerRefusal as refused:
        if refused.status != 403:
            raise  # 403: the name is registered already; joining checks the password
    games = [wanted] if wanted is not None else _with_a_seat(client)
    for game_id in games:
        try:
            client.join(game_id)
        except ServerRefusal as refused:
            if refused.status != 409:
                raise  # 409: in this game already, with its seat or place in the queue
        return game_id
    return str(client.make()["gameID"])


def _with_a_seat(client: Client) -> list[str]:
    """Return the games with a free seat, from the lobby or, on HSPE's own servers, which have none, from their games."""
    from poker_actors.server import ServerRefusal

    try:
        games = client.lobby()["games"]
        return [one["game"] for one in games if len(one["players"]) + one["waiting"] < one["seats"]]
    except (ServerRefusal, KeyError, TypeError):
        return [one["gameID"] for one in client.games() if len(one["table"]) < 10]


def _report(hands: int, wealth: int, faults: int, game: str, user: str, json: JsonOption) -> None:
    if to_be_printed(json, {"user": user, "game": game, "hands": hands, "wealth": wealth, "faults": faults}):
        text = f"{user}: {many(hands, 'hand')}, {many(wealth, 'chip')}, {many(faults, 'fault')} of the bot"
        console().print(
            printable(text)
        )  # parts of it come from another server and may hold control characters


def mcp(
    url: Url | None = None, *, user: str = "agent", password_file: Annotated[str | None, FILE] = None
) -> None:
    """Let an agent play by the Model Context Protocol over stdio: on a server, or in a room of its own.

    The agent's program starts this command and talks to it on standard input and output; it finds tools to list tables,
    sit down, wait for its turn, act, and read its hands. Without a URL it opens its own room with house bots in this
    process, which ends with it. The password is never a tool's argument.

    Args:
        user: Name to play under; the agent can register it.
        password_file: File whose first line is the password. If not given, it is read from POKER_ACTORS_PASSWORD; a
            room of its own needs none.
    """
    import poker_actors.wire.mcp  # noqa: F401  a missing extra is said before anything is opened

    if url is not None:
        read_url(url)
    if not user or ":" in user:
        raise BadSpec(f"--user {user!r:.40}: a username must not be empty or have a colon")
    account = _password(url, password_file)
    if url is not None:
        find_host(url)  # otherwise every tool would fail, and only an agent would read why
    asyncio.run(_serve(url, user, account))


def _password(url: str | None, file: str | None) -> str:
    """Return the password from a file or the environment, or draw one for a room of its own. Raises `BadSpec`."""
    given = read_password(file, ask=False)  # standard input belongs to the protocol
    if not given and url is not None:
        place = PASSWORD_VARIABLE if file is None else f"the first line of {file[:80]!r}"
        raise BadSpec(
            f"{place} has no password: a server needs one, from --password-file or {PASSWORD_VARIABLE}"
        )
    return given or secrets.token_urlsafe()


async def _serve(url: str | None, user: str, password: str) -> None:
    from poker_actors.wire.mcp import serve_stdio

    async with AsyncExitStack() as own:
        if url is None:
            url = await _own_room(own)
        await serve_stdio(url, user, password)


_FINISH_SECONDS = 1.0
"""How long hands may take to end when the agent hangs up; its program waits two seconds before it kills us."""


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
    own.push_async_callback(room.close, finish_seconds=_FINISH_SECONDS)  # first: the server plays its bots
    host, port = server.address
    return f"http://{host}:{port}"
