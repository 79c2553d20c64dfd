"""`poker-actors acpc client`: play one of our bots at a dealer of the Annual Computer Poker Competition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from poker_actors.cli.exits import NO
from poker_actors.cli.output import console, note
from poker_actors.cli.reading import endpoint
from poker_actors.cli.values import BOT, BotSeed, JsonOption, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.wire.acpc import Guest

__all__ = ["acpc_client"]


def acpc_client(
    dealer: str,
    *,
    bot: Annotated[str, BOT],
    definition: Annotated[str, Parameter(name=["--definition", "--game"])] = "holdem.nolimit.2p",
    bot_seed: BotSeed = None,
    connect_seconds: float = 10,
    silent_seconds: float = 1_800,
    json: JsonOption = None,
) -> int | None:
    """Play a match at a dealer that speaks the competition's protocol, until it closes.

    The exit status is 1 when the dealer went away in the middle of a hand.

    Args:
        dealer: HOST:PORT of the seat.
        bot: A bot, which decides: NAME, NAME:key=value, FILE.py:FUNCTION, MODULE:FUNCTION or cmd:COMMAND.
        definition: The game definition: holdem.limit.2p, holdem.limit.3p, holdem.nolimit.2p, holdem.nolimit.3p, or FILE.game.
        connect_seconds: How long to try to connect.
        silent_seconds: How long to wait for a silent dealer (exit status 3).
    """
    from poker_actors.wire.acpc import AcpcClient, Guest, definition_named

    host, port = endpoint(dealer, "DEALER")
    if not 0 < connect_seconds <= 86_400:
        raise BadSpec(f"--connect-seconds {connect_seconds}: more than 0, at most 86400")
    if not 0 < silent_seconds <= 86_400:
        raise BadSpec(f"--silent-seconds {silent_seconds}: more than 0, at most 86400")
    game = definition_named(definition)
    if bot_seed is None:
        from poker_actors.bots import drawn_seed

        bot_seed = drawn_seed()
        note(f"seed {bot_seed}")
    guest = Guest(bot, game, bot_seed)
    with AcpcClient(host, port, timeout=connect_seconds, silence=silent_seconds) as client:
        try:
            client.play(guest)
        finally:
            _report(guest, json)
    return NO if guest.playing else None


def _report(guest: Guest, json: JsonOption) -> None:
    value = guest.value
    chips = int(value) if value.denominator == 1 else round(float(value), 6)
    faults = guest.faults
    result = {
        "bot": str(guest.spec),
        "game": guest.definition.name,
        "hands": guest.hands,
        "chips": chips,
        "faults": faults.total,
        "first_fault": faults.first or None,
        "complete": not guest.playing,
    }
    if to_be_printed(json, result):
        console().print(
            f"{guest.spec}: {guest.hands:,} hands, {chips:+,} chips, {faults.total} faults of the bot"
        )
