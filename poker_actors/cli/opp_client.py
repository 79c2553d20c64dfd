"""`poker-actors opp client`: play on a server of the Online Poker Protocol, at the terminal or with a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from poker_actors.cli.exits import NO
from poker_actors.cli.output import console, note, printable
from poker_actors.cli.reading import endpoint, read_password
from poker_actors.cli.values import BOT, BotSeed, JsonOption, PasswordFile, User, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.wire.opp import Guest, OppClient

__all__ = ["opp_client"]


def opp_client(
    server: str,
    *,
    user: User,
    password_file: PasswordFile = None,
    bot: Annotated[str | None, BOT] = None,
    hands: int | None = None,
    bot_seed: BotSeed = None,
    reconnect: float = 30.0,
    json: JsonOption = None,
) -> int | None:
    """Play limit hold'em on an OPP server: yourself at the terminal, or one of our bots.

    A user the server does not know gets an account. What a server says beyond the protocol is passed over. The
    exit status is 1 for a wrong password, 3 for a server that does not answer.

    Args:
        server: HOST:PORT.
        bot: A bot, to play instead of you: NAME, NAME:key=value, FILE.py:FUNCTION or MODULE:FUNCTION.
        hands: How many hands to play, then leave, with a --bot; until the server closes if not given.
        reconnect: Seconds to retry a lost connection and take the seat again; 0 for never.
    """
    from poker_actors.bots import BotSpec
    from poker_actors.wire.opp import OppClient

    host, port = endpoint(server, "SERVER")
    if bot is None and (hands is not None or bot_seed is not None or json is not None):
        raise BadSpec("--hands, --bot-seed and --json are for a --bot")
    if hands is not None and hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    if bot is not None:
        BotSpec.parse(bot)
    if not 0 <= reconnect <= 86_400:
        raise BadSpec(f"--reconnect {reconnect}: seconds are 0 to 86400")
    with OppClient(host, port, user, read_password(password_file), reconnect=reconnect) as client:
        if not client.joingame():
            note(f"the password of {user} is another one")
            return NO
        if bot is None:
            _play_oneself(client)
        else:
            _play_bot(client, bot, hands, bot_seed, json)
    return None


def _play_oneself(client: OppClient) -> None:
    from poker_actors.wire.opp import TerminalSeat

    TerminalSeat(_read_line, _write_line).play(client)
    _write_line("the session is over")


def _read_line(prompt: str) -> str | None:
    """Prompt for a line; return None at the end of input."""
    try:
        return input(prompt)
    except EOFError:
        return None


def _write_line(text: str) -> None:
    print(text, flush=True)


def _play_bot(client: OppClient, bot: str, hands: int | None, seed: int | None, json: JsonOption) -> None:
    from poker_actors.actors import Room, StepRuntime
    from poker_actors.wire.opp import Guest

    with Room(StepRuntime(), seed=seed) as room:
        if seed is None:
            note(f"seed {room.seed}")
        guest = Guest(room.player(client.user, bot), client)
        try:
            guest.play(hands)
        finally:
            _report(guest, json)


def _report(guest: Guest, json: JsonOption) -> None:
    state = guest.client.state
    name = guest.player.name
    there = state is not None and name in state.players
    result = {
        "user": name,
        "hands": guest.hands,
        "bankroll": state.bankroll(name) if state is not None and there else None,
        "bankrolls": {} if state is None else {player: state.bankroll(player) for player in state.players},
        "misunderstood": guest.misunderstood,
        "passed_over": guest.client.oddities,
        "reconnected": guest.client.returns,
        "faults": guest.player.faults.total,
    }
    if to_be_printed(json, result):
        out = console()
        if state is not None:
            out.print(printable(state.status()), end="")
        out.print(
            f"{name}: {guest.hands} hands, bankroll {result['bankroll']}, {result['faults']} faults of the "
            f"bot, {guest.misunderstood} turns misunderstood"
        )
        for reason, count in guest.client.oddities.items():
            out.print(f"passed over {count} times: {printable(reason)}")
