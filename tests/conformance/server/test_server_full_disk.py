"""A server whose disk is full shows what is durable, refuses the rest without a trace, and goes on when there is space."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.server.conftest import Site


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB, of which the test fills what it likes."""
    if os.getuid():
        pytest.skip("only root can mount a small file system")
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Take all the space there is."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return ballast


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


def test_a_full_disk_refuses_without_a_trace_until_there_is_space(small_disk: Path) -> None:
    data = str(small_disk / "room.db")
    site = Site("--data", data, "--turn-seconds", "600")
    try:
        game, names = site.game()
        for _ in range(3):
            assert calls(site, game, names) == 201
        ballast = fill(small_disk)
        for _ in range(30):  # some fit into the block that was begun
            before = picture(site, game)
            if calls(site, game, names) == 503:
                break
        else:
            pytest.fail("thirty acts fitted on a full disk")
        for _ in range(3):
            assert picture(site, game) == before
            assert calls(site, game, names) == 503
        assert site.ask("POST", "/users/", "newcomer").status == 503
        ballast.unlink()
        assert calls(site, game, names) == 201
        after = picture(site, game)
        assert (after["hand_id"], after["seq"]) > (before["hand_id"], before["seq"])
        assert site.ask("POST", "/users/", "newcomer").status == 201
        site.kill()
        site = Site("--data", data, "--turn-seconds", "600")
        again = picture(site, game)
        assert (again["hand_id"], again["seq"]) >= (after["hand_id"], after["seq"])
        assert site.ask("POST", "/users/", "newcomer").status == 403
        shown = site.ask("GET", f"/games/{game}/").json
        pots = sum(pot["size"] for pot in shown["pots"] or [])
        assert sum(player["wealth"] for player in shown["table"]) + pots == 20_000
    finally:
        site.kill()
