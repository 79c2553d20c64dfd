"""Kill a server under load by SIGKILL at random moments, and check it against its earlier answers.

    python -m tests.conformance.server.killed_server --kills 50 --tables 100 --seed 1

plays at all tables at once over HTTP, kills the server, starts it again on the same journal, and so on.
Whatever it has acknowledged, or merely shown, must be there afterwards. With `--people` a third player at each table
sits out and in again, turns are short, and slow players draw on their time banks. Every second table is private and has
a ledger, and its second player now and then takes its chips away and buys in again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from typing import Any

from tests.benchmarks.server_load import Line, basic, request
from tests.conformance.server.conftest import Site

OPTIONS = ("--limit", "connections_per_address=2000")
BANK = 600
SHORT = 0.3
"""Seconds of a turn with --people; slow players take longer."""
Place = tuple[str, int]
"""The progress of a game: its hand, and the number of actions in it."""


class Killer:
    """Plays, kills the server and compares; `lost` must stay empty."""

    def __init__(self, kept: str, tables: int, seed: int, *, people: bool = False) -> None:
        self._people = people
        self._away: dict[tuple[str, str], bool] = {}
        """game and player -> whether the player sits out, if the server has acknowledged it"""
        self._banks: dict[tuple[str, str], float] = {}
        """game and player -> seconds left in the time bank, as last shown"""
        self.sat = 0
        """how often a player sat out or in again"""
        self._users: dict[str, bytes] = {}
        """user id -> what the account was said to be"""
        self._told: dict[str, dict[str, bytes]] = {}
        """game -> hand id -> a hand that is over, as its first player was last told of it"""
        self._ledgers: set[str] = set()
        """games that have one"""
        self._brought: dict[tuple[str, str], tuple[int, int, int]] = {}
        """game and player -> how often chips were brought, how many, and how many were taken back, by the ledger"""
        self.compared: Counter[str] = Counter()
        """what was compared after the starts"""
        self._kept = kept
        self._tables = tables
        self._luck = random.Random(seed)
        self._games: dict[str, dict[str, bytes]] = {}
        """game -> player id -> the session cookie's header"""
        self._known: dict[str, Place] = {}
        """game -> its progress, by the server's answers"""
        self.kills = 0
        self.acknowledged = 0
        self.shown = 0
        self.ready: list[float] = []
        self.lost: list[str] = []

    def run(self, kills: int) -> None:
        """Kill the server `kills` times, then start it once more for a last check."""
        for _ in range(kills):
            self._live(self._luck.uniform(0.05, 1.0))
            self.kills += 1
            if sys.stderr.isatty():
                print(f"\r{self.kills} of {kills} kills, {self.acknowledged} acts", end="", file=sys.stderr)
        self._live(0.0)

    def _live(self, seconds: float) -> None:
        began = time.perf_counter()
        turn = str(SHORT if self._people else 600)
        site = Site("--data", self._kept, "--turn-seconds", turn, *OPTIONS)
        try:
            asyncio.run(self._load(site, seconds, began))
        finally:
            site.kill()

    async def _load(self, site: Site, seconds: float, began: float) -> None:
        line = await Line.to(site.port)
        for game in self._games:
            await self._compare(line, game)
            await self._compare_money(line, game)
            await self._compare_hands(line, game)
        self.ready.append(time.perf_counter() - began)
        while len(self._games) < self._tables:
            await self._make(line, site.port, len(self._games))
        line.close()
        players = [asyncio.create_task(self._play(site.port, game)) for game in self._games]
        await asyncio.sleep(seconds)
        site.process.kill()
        await asyncio.gather(*players)

    async def _make(self, line: Line, port: int, number: int) -> None:
        names = [f"{name} {number}" for name in ("ann", "bob", "cat")[: 3 if self._people else 2]]
        ids = [await line.json("POST", "/users/", basic(name)) for name in names]
        asked: dict[str, Any] = {"time_bank": BANK, "keeps_seat": True} if self._people else {}
        if number % 2:
            asked |= {"private": True, "ledger": True}
        setting = json.dumps(asked).encode()
        game = (await line.json("POST", "/games/", basic(names[0]), setting))["gameID"]
        place = b'{"keeps_seat": true}' if self._people else b""
        for name in names[1:]:
            await line.json("POST", f"/games/{game}/players/", basic(name), place)
        self._games[game] = {one: await _cookie(port, name) for one, name in zip(ids, names, strict=True)}
        if number % 2:
            self._ledgers.add(game)
            await self._see_ledger(line, game)

    async def _play(self, port: int, game: str) -> None:
        """Poll and act until the server is gone."""
        try:
            line = await Line.to(port)
        except OSError:
            return
        while True:
            place, turn = await self._look(line, game)
            if place is None:
                break
            self._know(game, place)
            self.shown += 1
            if self._people and self._luck.random() < 0.05 and not await self._sit(line, game):
                break
            if self._luck.random() < 0.05 and not await self._look_back(line, game):
                break
            if (
                game in self._ledgers
                and self._luck.random() < 0.02
                and not await self._buy_in_again(line, game)
            ):
                break
            if turn is None:
                continue
            if self._people and self._luck.random() < 0.1:
                await asyncio.sleep(SHORT * 1.5)
                if _gone(line):
                    break
            owed = turn["bet_to_player"] - turn["bet_so_far"]
            body = {"action": 1, "betAmount": owed, "hand_id": place[0], "seq": place[1]}
            path = f"/games/{game}/players/{turn['playerID']}/acts/"
            key = self._games[game][turn["playerID"]]
            status, _ = await line.get(request("POST", path, key, json.dumps(body).encode()))
            if status == 201:
                self._know(game, (place[0], place[1] + 1))
                self.acknowledged += 1
            elif status not in (0, 503) and not (status == 403 and (self._people or game in self._ledgers)):
                # 403: the turn of a player who sits out, or leaves, ended before the act arrived
                self.lost.append(f"{game} #{place[1]} was answered {status}")
        line.close()

    async def _sit(self, line: Line, game: str) -> bool:
        """Let the third player sit out, or in again; return whether the server acknowledged it."""
        player = list(self._games[game])[2]
        # forgotten until it is acknowledged: after a kill in between, either state is right
        away = not self._away.pop((game, player), False)
        if _gone(line):
            return False
        body = b'{"do": "sit_out"}' if away else b'{"do": "sit_in"}'
        status, _ = await line.get(request("POST", f"/games/{game}/seat", self._games[game][player], body))
        if status == 200:
            self._away[game, player] = away
            self.sat += 1
        elif status not in (0, 503):
            self.lost.append(f"{game}: sitting {'out' if away else 'in'} was answered {status}")
        return status == 200

    def _see_people(self, game: str, picture: dict[str, Any], *, back: bool) -> None:
        """Check the time banks, and after a restart (`back`) who sits out, against what was known."""
        for seat in picture["seats"]:
            who = (game, seat["player_id"])
            if seat["player_id"] is None:
                continue
            if back and who in self._away and seat["away"] is not self._away[who]:
                self.lost.append(f"{who} sits out: {seat['away']} after kill {self.kills}")
            if seat["bank"] > self._banks.get(who, BANK):
                self.lost.append(f"{who} has a bank of {seat['bank']} after kill {self.kills}")
            self._banks[who] = seat["bank"]

    async def _look(self, line: Line, game: str) -> tuple[Place | None, Any]:
        """Return the progress of a game and its turn; (None, None) once the server is gone."""
        if _gone(line):
            return None, None
        status, text = await line.get(request("GET", f"/games/{game}/table"))
        if status != 200:
            return None, None
        picture = json.loads(text)
        if self._people:
            self._see_people(game, picture, back=False)
        place = (picture["hand_id"] or "", picture["seq"])
        if _gone(line) or picture["turn"] is None:
            return place, None
        status, text = await line.get(request("GET", f"/games/{game}"))
        turn = json.loads(text)["turn"] if status == 200 else None
        return place, turn if turn is not None and turn["playerID"] else None

    def _know(self, game: str, place: Place) -> None:
        self._known[game] = max(place, self._known.get(game, place))

    async def _compare(self, line: Line, game: str) -> None:
        """Compare a game after a restart with what was known of it."""
        status, text = await line.get(request("GET", f"/games/{game}/table"))
        if status != 200:
            self.lost.append(f"{game} is gone: {status}")
            return
        picture = json.loads(text)
        place = (picture["hand_id"] or "", picture["seq"])
        if self._people:
            self._see_people(game, picture, back=True)
        known = self._known.get(game, place)
        # between two hands no hand is shown, which is not a loss
        if picture["hand_id"] is not None and place < known:
            self.lost.append(f"{game} is at {place} after kill {self.kills}, and was at {known}")
        shown = await line.json("GET", f"/games/{game}")
        chips = sum(one["wealth"] for one in shown["table"]) + sum(pot["size"] for pot in shown["pots"] or [])
        if game not in self._ledgers and chips != 10_000 * len(self._games[game]):
            self.lost.append(f"{game} has {chips} chips after kill {self.kills}")

    # -- who owes whom, results, and hands that are over ---------------------------------------

    async def _buy_in_again(self, line: Line, game: str) -> bool:
        """Have the second player leave with all chips and join anew; return whether the server still answers."""
        player = list(self._games[game])[1]
        key = self._games[game][player]
        for method, path, good in (
            ("DELETE", f"/games/{game}/players/{player}", (200, 204)),
            ("POST", f"/games/{game}/players/", (200, 201, 202)),
        ):
            # a place that is given up, or waited for, is refused until then
            while not _gone(line):
                status, _ = await line.get(request(method, path, key))
                if status in good or (method == "DELETE" and status == 404):
                    break
                await asyncio.sleep(0.005)
        return not _gone(line) and await self._see_ledger(line, game)

    async def _see_ledger(self, line: Line, game: str) -> bool:
        """Know what was brought and taken, which never becomes less; the nets of all come to nothing."""
        if _gone(line):
            return False
        status, text = await line.get(
            request("GET", f"/games/{game}/ledger", next(iter(self._games[game].values())))
        )
        if status != 200:
            return False
        now = {
            (game, one["player_id"]): (one["times"], one["bought"], one["cashed"])
            for one in json.loads(text)["players"]
        }
        for who, before in self._brought.items():
            after = now.get(who, (0, 0, 0))
            if who[0] == game and any(less < known for less, known in zip(after, before, strict=True)):
                self.lost.append(
                    f"{who} brought and took {after} after kill {self.kills}, and before {before}"
                )
        self._brought |= now
        return True

    async def _look_back(self, line: Line, game: str) -> bool:
        """Know the account of the first player and its hands that are over."""
        player, key = next(iter(self._games[game].items()))
        for path in ("/account", f"/games/{game}/hands"):
            if _gone(line):
                return False
            status, text = await line.get(request("GET", path, key))
            if status != 200:
                return False
            if path == "/account":
                self._users[player] = _user_of(text)
            else:
                self._told.setdefault(game, {}).update(_hands_of(text))
        return game not in self._ledgers or await self._see_ledger(line, game)

    async def _compare_money(self, line: Line, game: str) -> None:
        """Compare results, ledger and chips with each other and with what was known."""
        keys = self._games[game]
        results = {one: await line.json("GET", "/account/results", keys[one]) for one in keys}
        first = next(iter(keys))
        over = await line.json("GET", f"/games/{game}/hands", keys[first])
        self.compared["results"] += len(results)
        if sum(one["net"] for one in results.values()):
            self.lost.append(f"{game} has results of {results} after kill {self.kills}")
        if over:
            hands = int(max(one["hand_id"] for one in over).rpartition("-")[2]) + 1
            if not self._people and results[first]["hands"] != hands:
                told = results[first]["hands"]
                self.lost.append(f"{game} has results of {told} hands of {hands} after kill {self.kills}")
        if game in self._ledgers:
            await self._see_ledger(line, game)
            told = await line.json("GET", f"/games/{game}/ledger", keys[first])
            self.compared["ledgers"] += 1
            for one in told["players"]:
                who = one["player_id"]
                if (
                    one["net"] != one["cashed"] + one["stack"] - one["bought"]
                    or one["net"] != results[who]["net"]
                ):
                    self.lost.append(f"{game} has {one} and {results[who]} after kill {self.kills}")
            nets = {one["player_id"]: one["net"] for one in told["players"]}
            for owed in told["payments"]:
                nets[owed["payer"]] += owed["chips"]
                nets[owed["payee"]] -= owed["chips"]
            if any(nets.values()):
                self.lost.append(f"{game} is not settled by its payments after kill {self.kills}: {told}")

    async def _compare_hands(self, line: Line, game: str) -> None:
        """Compare the first player's account and hands that are over with what was told of them."""
        player, key = next(iter(self._games[game].items()))
        _, text = await line.get(request("GET", "/account", key))
        if _user_of(text) != self._users.get(player, _user_of(text)):
            self.lost.append(f"{player} is {text!r} after kill {self.kills}")
        _, text = await line.get(request("GET", f"/games/{game}/hands", key))
        now, known = _hands_of(text), self._told.get(game, {})
        oldest = min(now, default="")
        for hand_id, hand in known.items():
            self.compared["hands"] += 1
            if hand_id >= oldest and now.get(hand_id) != hand:
                self.lost.append(f"{hand_id} is {now.get(hand_id)!r} after kill {self.kills}, was {hand!r}")

    def report(self) -> dict[str, object]:
        return {
            "kills": self.kills,
            "tables": len(self._games),
            "acknowledged": self.acknowledged,
            "shown": self.shown,
            "slowest_ready_seconds": round(max(self.ready), 2),
            "sat_out_or_in": self.sat,
            "banks_drawn_on": sum(left < BANK for left in self._banks.values()),
            "compared": dict(self.compared),
            "bought_in_again": sum(times - 1 for times, _, _ in self._brought.values()),
            "lost": self.lost,
        }


async def _cookie(port: int, name: str) -> bytes:
    """Log in and return the cookie's header: a session survives the kill, and saves a password digest per request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request("POST", "/session", basic(name) + b"Connection: close\r\n"))
    head = (await reader.read()).partition(b"\r\n\r\n")[0]
    writer.close()
    given = next(text for text in head.split(b"\r\n") if text.startswith(b"set-cookie: "))
    return b"Cookie: " + given[12:].partition(b";")[0] + b"\r\n"


def _user_of(text: bytes) -> bytes:
    told = json.loads(text)
    return json.dumps([told["player_id"], told["name"]]).encode()


def _hands_of(text: bytes) -> dict[str, bytes]:
    return {one["hand_id"]: json.dumps(one).encode() for one in json.loads(text)}


def _gone(line: Line) -> bool:
    """Return whether the server has hung up."""
    return line.lost


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--tables", type=int, default=100)
    options.add_argument(
        "--people", action="store_true", help="people sit out and in, and draw on time banks"
    )
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--store", help="a file or a postgresql:// URL; a new file if not given")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        killer = Killer(given.store or f"{folder}/room.db", given.tables, given.seed, people=given.people)
        killer.run(given.kills)
    print(json.dumps(killer.report()))
    return 1 if killer.lost else 0


if __name__ == "__main__":
    sys.exit(main())
