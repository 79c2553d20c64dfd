"""`poker-actors serve`: open a room to clients on the network, or examine a client."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import attrs
from cyclopts import Parameter

from poker_actors.cli.arena import processors
from poker_actors.cli.output import NO, console, many, note
from poker_actors.cli.reading import endpoint
from poker_actors.cli.serving import HttpPlan, OppPlan, fastest_loop, serve_until_stopped
from poker_actors.cli.values import ADDRESS, BOT, FILE, JsonOption, to_be_printed
from poker_actors.errors import BadSpec, printable

if TYPE_CHECKING:
    from poker_actors.testing.hspe_check import Examiner


USUAL_PLACE: Final = "127.0.0.1:8080"
"""Reachable from this machine only, on a port that needs no privileges."""


def serve(  # noqa: PLR0913  every option of the command is one
    *,
    http: Annotated[str | None, ADDRESS] = None,
    data: Annotated[str | None, FILE] = None,
    profile: Literal["readme", "go"] = "readme",
    opp: Annotated[str | None, ADDRESS] = None,
    tables: int = 1,
    seats: int = 10,
    bet: int = 10,
    buy_in: int = 1_000,
    welcome: int = 10_000,
    credit: bool = False,
    turn_seconds: float | None = None,
    pause: float = 0.0,
    missed_blinds: bool = False,
    bot: Annotated[list[str] | None, BOT] = None,
    house_alone: bool = False,
    opp_perl: Annotated[list[str] | None, Parameter(metavar="NAME")] = None,
    proxy: list[str] | None = None,
    limit: Annotated[list[str] | None, Parameter(metavar="NAME=VALUE")] = None,
    operator: Annotated[str | None, ADDRESS] = None,
    public_metrics: bool | None = None,
    mcp: bool = False,
    webhooks: Literal["off", "public", "anywhere"] = "off",
    public_url: Annotated[str | None, Parameter(metavar="URL")] = None,
    arena: Annotated[Path | None, Parameter(metavar="FOLDER")] = None,
    workers: int | None = None,
    check_client: bool = False,
    json: JsonOption = None,
) -> int | None:
    """Serve poker until stopped: no-limit hold'em by HSPE's REST API, fixed-limit hold'em for OPP clients.

    One room holds all of it; a user registered over REST may log in over OPP with the same password. With --data,
    users, games, tables, chips, queues and open hands come back after a restart. With --check-client, it instead plays
    a script with the first client of the REST API and prints that client's mistakes; the exit status is 1 if there are
    any.

    Args:
        http: Address for the REST API of the Hacker School Poker Engine, and the page; port 0 is a free one.
            127.0.0.1:8080 if neither --http nor --opp is given.
        data: Where everything is kept: an SQLite file, or the database of a postgresql:// URL.
        profile: Answer like HSPE's README or like its Go server.
        opp: Address to speak the Online Poker Protocol on; port 0 is a free one.
        tables: How many OPP tables; a user takes the first free seat.
        seats: Seats of a table: 2 to 10 at OPP tables; a player without a seat watches until one is free.
        bet: The small bet of OPP tables, in chips; bets on turn and river are double, the small blind is half.
        buy_in: The buy-in of a player: chips brought to an OPP table, and again when they are lost.
        welcome: Play-money chips a new OPP user gets.
        credit: Lend play money at OPP tables, so that everybody can pay; bankrolls may go negative.
        turn_seconds: Seconds for a decision: then OPP checks or folds (30 if not given), REST folds and removes the
            player (15 if not given, 100 with --profile go).
        pause: Seconds between two hands.
        missed_blinds: Let players who sit out owe missed blinds, at REST API tables whose makers do not choose.
        bot: A bot, seated at the OPP tables from the start: NAME, NAME:key=value, FILE.py:FUNCTION.
        house_alone: Let house bots play even when nobody is connected; otherwise they wait.
        opp_perl: Prefix of the program name of clients derived from Games::Poker::OPP, which expect hands in its format.
        proxy: Address or network of a proxy in front of the REST API, trusted to name its clients.
        check_client: Check a client of the REST API, in any language, at the address of --http.
        operator: The operator's port: metrics, and accounts (see `account`). Its secret
            is in a file beside --data, or in POKER_ACTORS_OPERATOR_SECRET.
        public_metrics: Answer /metrics on the REST API's port, too; the default without --operator, for one more
            release.
        json: Write the report of --check-client as JSON.
        mcp: Let agents play by the Model Context Protocol over HTTP, at /mcp of --http. They send a name
            and a password as basic authentication.
        webhooks: Call users' own addresses when it is their turn at a slow table: on the open internet only, or
            anywhere, including this machine and its network.
        public_url: Public URL of the page, for the links that --webhooks sends; the address of --http if not given.
        arena: Play the arena of this folder beside the room: its board at /arena, uploads by account, its entrants at
            tables.
        workers: Processes to play on: for --arena; all processors but one if not given.
        limit: One of the limits that docs/serving.md lists, such as connections_per_address=50; they hold for all
            servers.
    """
    if check_client or json is not None:
        return _check_client(http, json, asked=check_client, alone=opp is None and data is None)
    http = USUAL_PLACE if http is None and opp is None else http
    played: dict[str, Any] = {"bet": bet, "seats": seats, "buy_in": buy_in, "credit": credit, "pause": pause}
    played |= {"house_alone": house_alone, "perl": tuple(opp_perl or ()), "turn_seconds": turn_seconds}
    http_plan = _http_plan(http, profile, played, limit or (), proxy or (), mcp=mcp, owed=missed_blinds)
    opp_plan = _opp_plan(opp, played, tables, welcome, bot or (), limits=http_plan or limit or ())
    http_plan = _with_operator(_with_hooks(http_plan, webhooks, public_url), operator, public_metrics, data)
    _serve(opp_plan, _with_arena(http_plan, arena, workers), data)
    return None


def _check_numbers(tables: int, welcome: int, turn_seconds: float | None, pause: float) -> None:
    for option, number, least in (("--tables", tables, 1), ("--welcome", welcome, 0)):
        if number < least:
            raise BadSpec(f"{option} {number} is below the minimum of {least}")
    if turn_seconds is not None:
        # only here: it costs the start of other commands
        from poker_actors.server.hspe import MOST_TURN_SECONDS

        # as for a table with a time of its own, for every way in
        if not 0 < turn_seconds <= MOST_TURN_SECONDS:
            raise BadSpec(f"--turn-seconds {turn_seconds} must be above 0 and at most {MOST_TURN_SECONDS}")
    if not 0 <= pause < 86_400:
        raise BadSpec(f"--pause {pause} must be 0 or more, and below 86400")


def _serve(opp: OppPlan | None, http: HttpPlan | None, data: str | None) -> None:
    # A shell starts what runs in the background with SIGINT ignored; a server must be stoppable by it all the same.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(serve_until_stopped(opp, http, data))


def _check_client(http: str | None, json: JsonOption, *, asked: bool, alone: bool) -> int | None:
    """Examine a client instead of serving; return the exit status. Raise `BadSpec` for options that do not fit."""
    if not asked:
        raise BadSpec("--json needs --check-client; programs read a server over REST")
    if not alone:
        raise BadSpec("--check-client plays a script at --http: it takes no --opp and no --data")

    place = endpoint(http or USUAL_PLACE, "--http")
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        return runner.run(check_client(place, json))


def _with_operator(
    plan: HttpPlan | None, operator: str | None, public_metrics: bool | None, data: str | None
) -> HttpPlan | None:
    if operator is None and public_metrics is None:
        return plan
    if plan is None:
        raise BadSpec("--operator and --public-metrics need --http")
    place = None
    if operator is not None:
        from poker_actors.server.operator import operator_secret

        place = endpoint(operator, "--operator")
        operator_secret(
            data, make=True
        )  # now: a secret that cannot be written must stop the start, not a request
    public = operator is None if public_metrics is None else public_metrics
    return attrs.evolve(plan, operator=place, public_metrics=public)


def _with_hooks(
    plan: HttpPlan | None, webhooks: Literal["off", "public", "anywhere"], link: str | None
) -> HttpPlan | None:
    if webhooks == "off":
        if link is not None:
            raise BadSpec("--public-url needs --webhooks")
        return plan
    if plan is None:
        raise BadSpec("--webhooks needs --http")
    from poker_actors.server.live import HookPlan

    host, port = plan.place
    here = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    if link is not None and not link.startswith(("http://", "https://")):
        raise BadSpec(f"--public-url {link[:40]!r} is not http://... or https://...")
    return attrs.evolve(plan, hooks=HookPlan(link or here, anywhere=webhooks == "anywhere"))


def _with_arena(plan: HttpPlan | None, folder: Path | None, workers: int | None) -> HttpPlan | None:
    if folder is None:
        if workers is not None:
            raise BadSpec("--workers needs --arena")
        return plan
    if plan is None:
        raise BadSpec("--arena needs --http")
    from poker_actors.arena import Arena

    chosen = max(1, processors() - 1) if workers is None else workers
    Arena(folder, chosen)  # raises for what is not an arena before any port is opened
    return attrs.evolve(plan, arena=(folder, chosen))


def _opp_plan(
    opp: str | None,
    played: dict[str, Any],
    tables: int,
    welcome: int,
    bots: Sequence[str],
    *,
    limits: HttpPlan | Sequence[str],
) -> OppPlan | None:
    _check_numbers(tables, welcome, played["turn_seconds"], played["pause"])
    if opp is None:
        if bots or played["credit"] or played["house_alone"] or played["perl"]:
            raise BadSpec(
                "--bot, --house-alone, --credit and --opp-perl need --opp; at other tables players ask for bots"
            )
        return None
    from poker_actors.guard import limits_from
    from poker_actors.wire.opp import ConnectionLimits, TableOptions

    options = TableOptions(**played | {"turn_seconds": played["turn_seconds"] or 30.0})
    if isinstance(limits, HttpPlan):
        of_opp = limits.limits.shared_with(ConnectionLimits)
    else:
        of_opp = limits_from(ConnectionLimits, limits)
    return OppPlan(endpoint(opp, "--opp"), tables, options, welcome, tuple(bots), of_opp)


def _http_plan(
    http: str | None,
    profile: str,
    played: dict[str, Any],
    limits: Sequence[str],
    proxies: Sequence[str],
    *,
    mcp: bool,
    owed: bool,
) -> HttpPlan | None:
    if http is None:
        if proxies or mcp or owed:
            raise BadSpec("--proxy, --mcp and --missed-blinds need --http")
        return None
    from poker_actors.server import PROFILES, Rules
    from poker_actors.server.http import read_limits, read_proxies

    place = endpoint(http, "--http")
    dialect = PROFILES[profile]
    read_proxies(proxies)  # raises for a bad address before any port is opened; the server reads them again
    if mcp:
        import poker_actors.wire.mcp  # noqa: F401  a missing extra is reported before any port is opened
    seconds = dialect.turn_seconds if played["turn_seconds"] is None else played["turn_seconds"]
    rules = Rules(turn_seconds=seconds, pause=played["pause"], missed_blinds=owed)
    return HttpPlan(place, dialect, rules, read_limits(limits), tuple(proxies), agents=mcp)


async def check_client(place: tuple[str, int], json: JsonOption = None) -> int | None:
    """Examine the first client that connects at `place` (host, port) and print the report.

    Return the exit status: 1 if the client made a mistake, None if not. An interrupt prints the report so far.
    """
    from poker_actors.testing.hspe_check import CheckServer

    server = CheckServer(*place)
    await server.start()
    try:
        host, port = server.address
        name = f"[{host}]" if ":" in host else host
        note(f"HTTP on http://{name}:{port}: the script is played with the first client")
        await server.finished()
    except asyncio.CancelledError:
        _report(server.examiner, json)
        raise
    finally:
        await server.close()
    _report(server.examiner, json)
    return None if server.examiner.faultless else NO


def _report(examiner: Examiner, json: JsonOption) -> None:
    """Report the client's mistakes, route by route."""
    if to_be_printed(json, _figures(examiner)):
        _print(examiner)


def _hands(examiner: Examiner) -> int:
    """Return how many hands of the script were played to the end."""
    return max(int(examiner.game.number), 0)


def _figures(examiner: Examiner) -> dict[str, Any]:
    routes = [attrs.asdict(report) for report in examiner.routes.values()]
    return {
        "faultless": examiner.faultless, "complete": examiner.over, "hands": _hands(examiner), "routes": routes,
        "beyond": dict(examiner.beyond),
    }  # fmt: skip


def _print(examiner: Examiner) -> None:
    out = console()
    for report in examiner.routes.values():
        found = "not asked" if not report.asked else f"{report.asked:,} asked, {report.wrong_count:,} wrong"
        if report.wrong_count and not report.asked:
            found = f"not asked, {report.wrong_count:,} wrong"
        out.print(f"{report.route:<33} {found}")
        for text in report.wrong:
            out.print(f"  wrong: {printable(text)}", soft_wrap=True)
        for text in report.advice:
            out.print(f"  better not: {printable(text)}", soft_wrap=True)
    for text, count in examiner.beyond.items():
        out.print(f"beyond the contract, {many(count, 'time')}: {printable(text)}", soft_wrap=True)
    away = "" if examiner.over else "; the client went away before its end"
    out.print(
        f"{many(_hands(examiner), 'hand')} of the script {'was' if _hands(examiner) == 1 else 'were'} played{away}"
    )
