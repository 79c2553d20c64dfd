"""`poker-actors join`: play one of our bots on any server with HSPE's REST API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from poker_actors.cli.exits import NO
from poker_actors.cli.output import console, note, printable
from poker_actors.cli.reading import read_password
from poker_actors.cli.values import BOT, BotSeed, JsonOption, PasswordFile, Url, User, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.server import Client

__all__ = ["join"]


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

    A user the server does not know is registered. A server that is gone for less than a minute is waited
    for. The exit status is 1 for a wrong password.

    Args:
        bot: A bot, which decides: NAME, NAME:key=value, FILE.py:FUNCTION or MODULE:FUNCTION.
        game_id: The game to join, instead of the first with a free seat.
        hands: How many hands to play, then leave; until without chips if not given.
        poll: Seconds between two polls of the game.
    """
    from poker_actors.actors import Room, StepRuntime
    from poker_actors.bots import BotSpec
    from poker_actors.server import Client, Guest, ServerRefusal

    if hands is not None and hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    if not 0 <= poll <= 60:
        raise BadSpec(f"--poll {poll}: seconds between two looks are 0 to 60")
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
            note(f"the password of {user} is another one")
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
    """Return the games with a free seat, from the lobby; on HSPE's own servers, which have none, from the games."""
    from poker_actors.server import ServerRefusal

    try:
        games = client.lobby()["games"]
        return [one["game"] for one in games if len(one["players"]) + one["waiting"] < one["seats"]]
    except (ServerRefusal, KeyError, TypeError):
        return [one["gameID"] for one in client.games() if len(one["table"]) < 10]


def _report(hands: int, wealth: int, faults: int, game: str, user: str, json: JsonOption) -> None:
    if to_be_printed(json, {"user": user, "game": game, "hands": hands, "wealth": wealth, "faults": faults}):
        text = f"{user}: {hands} hands, {wealth} chips, {faults} faults of the bot"
        console().print(
            printable(text)
        )  # parts of it come from another server and may hold control characters
