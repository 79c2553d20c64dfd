"""Run the examination of `poker-actors serve --check-client` and print its report."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import attrs

from poker_actors.cli.exits import NO
from poker_actors.cli.output import console, note, printable
from poker_actors.cli.values import JsonOption, to_be_printed

if TYPE_CHECKING:
    from poker_actors.testing.hspe_check import Examiner

__all__ = ["check_client"]


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
        note(f"HTTP on http://{name}:{port}: the script is played with whoever connects")
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
        out.print(f"beyond the contract, {count:,} times: {printable(text)}", soft_wrap=True)
    away = "" if examiner.over else "; the client went away before its end"
    out.print(f"{_hands(examiner)} hands of the script were played{away}")
