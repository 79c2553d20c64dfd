"""The server as a process: the window for a turn, a clean end, and what a killed one brings back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from poker_actors.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.conformance.server.conftest import Site


def test_who_is_out_of_time_is_removed(sites: Callable[..., Site]) -> None:
    site = sites("--turn-seconds", "0.3")
    game, _ = site.game(3)
    site.until(lambda: len(site.ask("GET", f"/games/{game}/").json["table"]) < 3)


def test_a_clean_end_and_a_start_bring_everything_back(sites: Callable[..., Site]) -> None:
    first = sites()
    game, players = first.game(3)
    turn = first.turn(game)
    path = f"/games/{game}/players/{turn}/acts/"
    assert first.ask("POST", path, players[turn], {"action": 1, "betAmount": 100}).status == 201
    before = [first.ask("GET", f"/games/{game}/", name).json for name in players.values()]
    status, output, errors = first.stop()
    assert (status, errors) == (0, "")
    assert "30,000 chips on the tables" in output
    second = sites()
    second.until(lambda: second.turn(game) != "")
    after = [second.ask("GET", f"/games/{game}/", name).json for name in players.values()]
    for old, new in zip(before, after, strict=True):
        assert new["turn"].pop("expiry") > old["turn"].pop("expiry"), "the window begins anew"
        assert new == old
    assert second.ask("POST", "/users/", players[turn]).status == 403


def test_a_port_that_is_taken_is_one_line_and_status_3(
    readme: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--http", f"127.0.0.1:{readme.port}"]) == 3
    assert "another port" in capsys.readouterr().err


def test_a_foreign_file_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "letter.txt"
    place.write_text("Dear Bob, " * 1000)
    assert main(["serve", "--http", "127.0.0.1:0", "--data", str(place)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
