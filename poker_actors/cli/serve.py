"""`poker-actors serve`: a room that others can come to."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import attrs

from poker_actors.cli.endpoint import endpoint
from poker_actors.cli.output import console, note
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.opp import OppServer, TableOptions

__all__ = ["serve"]


def serve(  # noqa: PLR0913  every option of the command is one
    *,
    opp: str | None = None,
    tables: int = 1,
    seats: int = 10,
    bet: int = 10,
    buy_in: int = 1_000,
    welcome: int = 10_000,
    credit: bool = False,
    turn_seconds: float = 30.0,
    pause: float = 0.0,
    bot: list[str] | None = None,
) -> None:
    """Serve poker tables until stopped: fixed-limit hold'em for OPP clients.

    Hands are dealt whenever two players are there; stopping gives the chips of an unfinished hand back.

    Args:
        opp: HOST:PORT to speak the Online Poker Protocol on; port 0 is a free one.
        tables: How many tables; a user takes the first free seat.
        seats: Seats a table, 2 to 10; who comes later watches until one is free.
        bet: The small bet, in chips; bets on turn and river are double, the small blind is half.
        buy_in: Chips somebody brings to the table, and again when they are lost.
        welcome: Play-money chips a new user gets.
        credit: Everybody can always pay, on lent play money; bankrolls may go negative.
        turn_seconds: Seconds for a decision; then a check, or else a fold.
        pause: Seconds between two hands.
        bot: A bot of the house, seated from the start: NAME, NAME:key=value, FILE.py:FUNCTION.
    """
    from poker_actors.opp import TableOptions

    if opp is None:
        raise BadSpec("nothing to serve: say where, such as --opp 127.0.0.1:55006")
    for option, number, least in (("--tables", tables, 1), ("--welcome", welcome, 0)):
        if number < least:
            raise BadSpec(f"{option} {number} is below the minimum of {least}")
    options = TableOptions(
        bet=bet, seats=seats, buy_in=buy_in, credit=credit, turn_seconds=turn_seconds, pause=pause
    )
    place = endpoint(opp, "--opp")
    asyncio.run(_serve(Plan(place, tables, options, welcome, tuple(bot or ()))))


@attrs.frozen
class Plan:
    """What to serve, read and checked."""

    opp: tuple[str, int]
    tables: int
    options: TableOptions
    welcome: int
    bots: tuple[str, ...]


async def _serve(plan: Plan) -> None:
    """Open a room in this loop, serve it until told to stop, and close it."""
    from poker_actors.actors import Room, StepRuntime
    from poker_actors.opp import OppServer

    stop = asyncio.Event()
    # as an interrupt, but the end of a service that has done its work
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    with Room(StepRuntime()) as room:
        host, port = plan.opp
        server = OppServer(room, host, port, tables=plan.tables, options=plan.options, welcome=plan.welcome)
        await server.start()
        try:
            for number, bot in enumerate(plan.bots, 1):
                server.seat_bot(f"house-{number}", bot)
            note(f"OPP on {server.address[0]}:{server.address[1]}")
            await stop.wait()
        finally:
            await server.close()
            _summarise(server)


def _summarise(server: OppServer) -> None:
    """Say what has been played and where the chips are."""
    audit = server.room.audit()
    hands = sum(table.hands for table in server.tables)
    held = f"{audit.bank:,} in the bank, {audit.tables + audit.hands:,} on the tables"
    console().print(f"{hands:,} hands; of {audit.minted:,} chips {held}")
