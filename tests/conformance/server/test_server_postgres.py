"""A PostgreSQL server that stops and starts again in the middle of a hand, under a server that plays on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.actors.postgres_server import PostgresServer
from tests.conformance.server.conftest import Site


@pytest.fixture
def database() -> Iterator[PostgresServer]:
    """A PostgreSQL server that the test may stop."""
    server = PostgresServer()
    yield server
    server.remove()


def bets(site: Site, game: str, names: dict[str, str], amount: int = 10) -> int:
    """Have whose turn it is put chips in; gives the status."""
    turn = site.turn(game)
    path = f"/games/{game}/players/{turn}/acts/"
    return site.ask("POST", path, names[turn], {"action": 1, "betAmount": amount}).status


def seen(site: Site, game: str) -> dict[str, Any]:
    """A game, but for the end of the turn's time, which a refused act may set anew."""
    shown: dict[str, Any] = site.ask("GET", f"/games/{game}/").json
    del shown["turn"]["expiry"]
    return shown


def chips(site: Site, game: str) -> int:
    shown = site.ask("GET", f"/games/{game}/").json
    in_pots = sum(pot["size"] for pot in shown["pots"] or [])
    return int(sum(player["wealth"] for player in shown["table"]) + in_pots)


# a database that crashes; one that is stopped says goodbye first
@pytest.mark.parametrize("mode", [pytest.param("fast", marks=pytest.mark.heavy), "immediate"])
def test_a_hand_outlives_the_database(database: PostgresServer, mode: str) -> None:
    url = database.url(f"room_{mode}")
    site = Site("--data", url, "--turn-seconds", "600")
    try:
        game, names = site.game()
        assert bets(site, game, names) == 201
        database.stop(mode)
        before = seen(site, game)
        refused = site.ask("POST", "/users/", "newcomer")
        assert (refused.status, refused.headers["retry-after"]) == (503, "1")
        assert bets(site, game, names, 0) == 503
        assert seen(site, game) == before, "what cannot be kept has not happened"
        assert site.ask("GET", "/healthz").status == 200
        database.start()
        assert bets(site, game, names, 0) == 201
        assert site.ask("POST", "/users/", "newcomer").status == 201
        assert chips(site, game) == 20_000
        database.stop(mode)
        database.start()
        assert bets(site, game, names, 100) == 201, "one that is back before anybody notices"
        street = site.ask("GET", f"/games/{game}/").json["cards"]
        site.kill()
        site = Site("--data", url, "--turn-seconds", "600")
        assert chips(site, game) == 20_000
        assert site.ask("GET", f"/games/{game}/").json["cards"] == street
        assert bets(site, game, names, 100) == 201
    finally:
        site.kill()
