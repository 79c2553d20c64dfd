"""A soak test: thousands of games are made, played and left, and nothing of them may remain.

    python tests/benchmarks/server_soak.py --games 100000

prints a line of JSON every so many games, with the memory of the server's process and the size of its files, which
must not grow, and a last one with the contents of the journal: only the users. The server closes empty games after a
second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from poker_actors.store import open_journal
from tests.benchmarks.server_load import OPEN, Line, Server, basic, request

USERS = 40
KEPT = 2 * USERS
"""Notes left at the end: the account of each user, and the user's results of the day."""
QUICK = (*OPEN, "empty_seconds=1", "games_per_hour=1000000", "games=100000")


async def one_game(line: Line, names: tuple[str, str]) -> None:
    """Make a game, join it with a house bot, fold once, and leave it."""
    ann, bob = basic(names[0]), basic(names[1])
    game = (await line.json("POST", "/games/", ann))["gameID"]
    await line.json("POST", f"/games/{game}/house", ann)
    other = await line.json("POST", f"/games/{game}/players/", bob)
    shown = await line.json("GET", f"/games/{game}", ann)
    mine = next(one["playerID"] for one in shown["table"] if one["playerID"] != other and one["wealth"])
    keys = {other: bob, mine: ann}
    turn = shown["turn"]["playerID"]
    if turn in keys:
        await line.get(request("POST", f"/games/{game}/players/{turn}/acts/", keys[turn], b'{"action":0}'))
    for player, key in keys.items():
        await line.get(request("DELETE", f"/games/{game}/players/{player}/", key))


async def some_games(port: int, number: int, count: int) -> None:
    """Play so many games, one after another, on one connection."""
    line = await Line.to(port)
    names = (f"soak {number} a", f"soak {number} b")
    for name in names:
        await line.get(request("POST", "/users/", basic(name)))
    for _ in range(count):
        await one_game(line, names)
    line.close()


async def until_closed(port: int) -> None:
    """Wait until the lobby is empty."""
    line = await Line.to(port)
    games = True
    while games:
        await asyncio.sleep(1.0)
        games = bool((await line.json("GET", "/lobby"))["games"])
    await asyncio.sleep(5.0)  # the room dismisses players some time after their games
    line.close()


async def play(port: int, games: int) -> None:
    """Play so many games, then wait until they are closed."""
    each = games // (USERS // 2)
    await asyncio.gather(*[some_games(port, number, each) for number in range(USERS // 2)])
    await until_closed(port)


def soak(games: int, every: int) -> tuple[list[dict[str, float]], dict[str, int]]:
    """Play, measuring after every `every` games; return the figures and the final contents of the journal."""
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "room.db"
        with Server("--data", str(place), limits=QUICK, data=False) as server:
            for begun in range(0, games, every):
                began = time.perf_counter()
                asyncio.run(play(server.port, every))
                files = sum(one.stat().st_size for one in place.parent.iterdir())
                figures = {"games": begun + every, "seconds": round(time.perf_counter() - began, 1)}
                seen.append(figures | {"memory_mib": round(server.memory(), 1), "file_bytes": files})
                print(json.dumps(seen[-1]), flush=True)
        left = held(place)
    print(json.dumps(left), flush=True)
    return seen, left


def held(place: Path) -> dict[str, int]:
    """Return the counts of a closed journal's contents."""
    journal = open_journal(place)
    counts = journal.look(
        lambda image: {
            "notes": len(image.notes),
            "players": len(image.players),
            "tables": len(image.tables),
            "keys": len(image.ledger.keys),
            "image_bytes": len(image.to_json()),
        }
    )
    journal.close()
    return counts


def test_a_thousand_games_leave_nothing_but_their_users() -> None:
    _, left = soak(1_000, 500)
    assert [left[name] for name in ("notes", "players", "tables", "keys")] == [KEPT, 0, 0, 0]


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, default=100_000)
    options.add_argument("--every", type=int, default=5_000)
    given = options.parse_args()
    _, left = soak(given.games, given.every)
    return 0 if (left["notes"], left["players"]) == (KEPT, 0) else 1


if __name__ == "__main__":
    sys.exit(main())
