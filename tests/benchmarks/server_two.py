"""Two servers on one PostgreSQL: the speed of each compared with one alone, and whether kills lose anything.

    python tests/benchmarks/server_two.py --seconds 8

plays tables of two at full speed at one server, then at two side by side, each with a schema of its own in one
PostgreSQL, and prints acts per CPU second of the servers (all their threads, without PostgreSQL's own time). Rounds
alternate, so that other load on the machine affects both. Then both servers are killed at random moments under load.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.actors.postgres_server import PostgresServer
from tests.benchmarks.server import playing, tables_at
from tests.benchmarks.server_load import Server
from tests.conformance.server.killed_server import Killer


def rates(urls: list[str], tables: int, seconds: float) -> list[float]:
    """Return the acts per CPU second of each of the servers on these stores, all playing at the same time."""
    servers = [Server("--data", url, data=False) for url in urls]
    try:
        return asyncio.run(_played(servers, tables, seconds))
    finally:
        for server in servers:
            server.__exit__(None, None, None)


async def _played(servers: list[Server], tables: int, seconds: float) -> list[float]:
    seated = [await tables_at(server, tables, 2) for server in servers]
    played = await asyncio.gather(
        *(playing(server, own, seconds) for server, own in zip(servers, seated, strict=True))
    )
    return [one.acts.core for one in played]


def killed(urls: list[str], kills: int) -> dict[str, object]:
    """Kill each server while the other plays on; return the counts and what was lost, which must be nothing."""
    killers = [Killer(url, 8, seed) for seed, url in enumerate(urls)]

    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda killer: killer.run(kills), killers))
    return {
        "kills": sum(killer.kills for killer in killers),
        "acknowledged": sum(killer.acknowledged for killer in killers),
        "lost": [text for killer in killers for text in killer.lost],
    }


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=8.0)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--tables", type=int, default=50)
    options.add_argument("--kills", type=int, default=5)
    given = options.parse_args()
    store = PostgresServer()
    alone, beside = [], []
    try:
        for number in range(given.rounds):
            alone += rates([store.url(f"alone{number}")], given.tables, given.seconds)
            urls = [store.url(f"{name}{number}") for name in ("one", "two")]
            beside += rates(urls, given.tables, given.seconds)
            print(
                json.dumps({"alone": round(alone[-1]), "beside": [round(one) for one in beside[-2:]]}),
                flush=True,
            )
        print(
            json.dumps({"each_of_two_to_one": round(statistics.median(beside) / statistics.median(alone), 2)})
        )
        print(json.dumps(killed([store.url("killed1"), store.url("killed2")], given.kills)))
    finally:
        store.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
