"""A server whose disk is full shows what is durable, refuses the rest without a trace, and goes on when there is space."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.actors.small_disk import fill
from tests.conformance.server.conftest import Site


def picture(site: Site, game: str) -> dict[str, Any]:
    """A game, without what a new start of the room changes."""
    site.until(lambda: site.ask("GET", f"/games/{game}/table").status == 200)
    plain: dict[str, Any] = site.ask("GET", f"/games/{game}/table").json
    return {key: one for key, one in plain.items() if key not in ("now", "version", "turn")}


def calls(site: Site, game: str, names: dict[str, str]) -> int:
    """Have whose turn it is check or call; gives the status."""
    site.until(lambda: site.turn(game) != "")
    shown = site.ask("GET", f"/games/{game}/").json["turn"]
    path = f"/games/{game}/players/{shown['playerID']}/acts/"
    order = {"action": 1, "betAmount": shown["bet_to_player"] - shown["bet_so_far"]}
    return site.ask("POST", path, names[shown["playerID"]], order).status


@pytest.mark.parametrize("seconds", ["59", "600"])
def test_a_full_disk_refuses_without_a_trace_until_there_is_space(small_disk: Path, seconds: str) -> None:
    data = str(small_disk / "room.db")
    site = Site("--data", data, "--turn-seconds", seconds)
    try:
        game, names = site.game()
        for _ in range(3):
            assert calls(site, game, names) == 201
        ballast = fill(small_disk)
        refused = 0
        # Some fit into the block that was begun. One may fit after one that did not: with the note of when a long turn
        # ends, which is written with it, it was longer than by itself, as it is written after a failure.
        for _ in range(60):
            before = picture(site, game)
            if calls(site, game, names) == 201:
                refused = 0
                assert picture(site, game) != before
            else:
                refused += 1
                assert picture(site, game) == before
            if refused == 4:
                break
        else:
            pytest.fail("sixty acts fitted on a full disk")
        assert site.ask("POST", "/users/", "newcomer").status == 503
        ballast.unlink()
        assert calls(site, game, names) == 201
        after = picture(site, game)
        assert (after["hand_id"], after["seq"]) > (before["hand_id"], before["seq"])
        assert site.ask("POST", "/users/", "newcomer").status == 201
        site.kill()
        site = Site("--data", data, "--turn-seconds", seconds)
        again = picture(site, game)
        assert (again["hand_id"], again["seq"]) >= (after["hand_id"], after["seq"])
        assert site.ask("POST", "/users/", "newcomer").status == 403
        shown = site.ask("GET", f"/games/{game}/").json
        pots = sum(pot["size"] for pot in shown["pots"] or [])
        assert sum(player["wealth"] for player in shown["table"]) + pots == 20_000
    finally:
        site.kill()
