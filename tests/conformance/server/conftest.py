"""The real server process on a free port of the loopback, and plain requests to it."""

from __future__ import annotations

import base64
import http.client
import itertools
import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.warm import CommandLine

PATIENT = ("--turn-seconds", "600")
"""For tests that do not wait for a turn's end: on a busy machine, 15 seconds can pass before a player acts."""
PAUSE, LONGEST = 0.02, 0.2
"""Between two polls: without it, poller and server would take the processor from what is waited for."""
_NAMES = itertools.count()


@attrs.frozen
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def polls(patience: float) -> Iterator[None]:
    """Go on for so many seconds, with a pause between two polls that grows: each of them costs both sides."""
    late, seconds = time.monotonic() + patience, PAUSE
    while time.monotonic() < late:
        yield
        time.sleep(seconds)
        seconds = min(1.2 * seconds, LONGEST)


def basic(user: str, password: str = "secret") -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


class Site:
    """A server process, and requests to it."""

    def __init__(self, *options: str, port: int = 0) -> None:
        where = ("--http", f"127.0.0.1:{port}", "--limit", "users_per_hour=100000")
        self.process = CommandLine("serve", *where, *options)
        assert self.process.stderr is not None
        place, said = None, ""
        while place is None and (line := self.process.stderr.readline()):
            said += line  # a first line may report a record that a kill has left half written in the journal
            place = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if place is None:
            self.stop()
        assert place is not None, said
        self.said = said
        self.port = int(place[1])
        self.url = place[0]

    def ask(
        self,
        method: str,
        path: str,
        user: str | None = None,
        body: object = None,
        auth: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        header = auth if user is None else basic(user)
        raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        given = dict(headers or {}) | ({} if header is None else {"Authorization": header})
        connection.request(method, path, raw, given)
        response = connection.getresponse()
        answer = Answer(
            response.status, {key.lower(): value for key, value in response.getheaders()}, response.read()
        )
        connection.close()
        return answer

    def user(self) -> tuple[str, str]:
        """Register a new user and return name and id."""
        name = f"user {next(_NAMES)}"
        answer = self.ask("POST", "/users/", name).json
        return name, answer["PlayerID"] if isinstance(answer, dict) else answer

    def game(self, players: int = 2) -> tuple[str, dict[str, str]]:
        """Make a game with so many players and a hand dealt; return its id, and names by player id."""
        users = [self.user() for _ in range(players)]
        game = self.ask("POST", "/games/", users[0][0]).json["gameID"]
        for name, _ in users[1:]:
            assert self.ask("POST", f"/games/{game}/players/", name).status in (201, 202)
        if players > 1:
            self.until(lambda: self.turn(game) != "")
        names = {player: name for name, player in users}
        if players == 3:  # the first two were dealt a hand before the third joined: fold it
            first = self.turn(game)
            self.ask("POST", f"/games/{game}/players/{first}/acts/", names[first], {"action": 0})
            self.until(lambda: self.active(game) == 3)
        return game, names

    def active(self, game: str) -> int:
        """Return how many players are active."""
        return [player["state"] for player in self.ask("GET", f"/games/{game}/").json["table"]].count(
            "active"
        )

    def turn(self, game: str) -> str:
        player = self.ask("GET", f"/games/{game}/").json["turn"]["playerID"]
        assert isinstance(player, str)
        return player

    def until(self, holds: Callable[[], bool], seconds: float = 120.0) -> None:
        """Poll, as clients of HSPE do, until `holds` is true; fail after so many seconds."""
        for _ in polls(seconds):
            if holds():
                return
        raise AssertionError("it does not come to that")

    def stop(self) -> tuple[int, str, str]:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        output, errors = self.process.communicate(timeout=120)
        return self.process.returncode, output, errors

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="session", params=["memory", "postgresql"])
def readme(request: pytest.FixtureRequest) -> Iterator[Site]:
    """A server for all tests, which must pass both without data and with a journal in PostgreSQL."""
    kept = () if request.param == "memory" else ("--data", place(request, "postgresql", Path()))
    site = Site(*kept, *PATIENT)
    yield site
    assert site.stop()[0] == 0


@pytest.fixture(scope="session")
def go() -> Iterator[Site]:
    site = Site("--profile", "go", *PATIENT)
    yield site
    assert site.stop()[0] == 0


def place(request: pytest.FixtureRequest, kind: str, folder: Path) -> str:
    """Return the --data of a server: a file, or the URL of a new schema in PostgreSQL."""
    if kind == "sqlite":
        return str(folder / "room.db")
    url: str = request.getfixturevalue("postgres_server").url(f"server_{next(_NAMES)}")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def sites(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """A function that starts servers on one journal; all are killed at the end."""
    started: list[Site] = []
    kept = place(request, request.param, tmp_path)

    def start(*options: str, port: int = 0) -> Site:
        started.append(Site("--data", kept, *options, port=port))
        return started[-1]

    yield start
    for site in started:
        if site.process.poll() is None:
            site.kill()


def picture(site: Site, game: str, name: str | None = None) -> Any:
    answer = site.ask("GET", f"/games/{game}/table", name)
    assert answer.status == 200
    return answer.json


def refused(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.json["code"]) == (status, code)
    assert answer.json["text"]
