"""The server as a process: the window for a turn, a clean end, and what a killed one brings back."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poker_actors.cli import main
from poker_actors.wire.opp import OppClient
from tests.conformance.server.conftest import Site

if TYPE_CHECKING:
    from pathlib import Path


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


def test_who_registers_over_rest_logs_in_over_opp_with_that_password() -> None:
    site = Site("--opp", "127.0.0.1:0")
    try:
        assert site.process.stderr is not None
        place = re.search(r"OPP on 127\.0\.0\.1:(\d+)", site.process.stderr.readline())
        assert place is not None
        assert site.ask("POST", "/users/", "ann").status == 201
        for password, welcome in (("wrong", False), ("secret", True)):
            with OppClient("127.0.0.1", int(place[1]), "ann", password) as client:
                assert client.joingame() is welcome
        with OppClient("127.0.0.1", int(place[1]), "bob", "secret") as client:
            assert client.joingame(), "a new name is registered, as OPP has it"
        assert site.ask("POST", "/games/", "bob").status == 201
    finally:
        status, output, _ = site.stop()
    assert status == 0
    assert "0 hands in 1 game of 2 users; 10,000 chips" in output


def test_a_start_counts_people_and_bots_at_tables_apart(tmp_path: Path) -> None:
    data = str(tmp_path / "room.db")
    first = Site("--data", data)
    name, _ = first.user()
    game = first.ask("POST", "/games/", name).json["gameID"]
    for bots, joined in ({"bot": "caller", "count": 2}, 201), ({"bot": "tight"}, 201):
        assert first.ask("POST", f"/games/{game}/house", name, bots).status == joined
    assert first.stop()[0] == 0
    again = Site("--data", data)
    assert again.stop()[0] == 0
    assert " records: 1 user, 1 person at tables, 3 bots at tables" in again.said


@pytest.mark.parametrize(
    "options",
    [["--bot", "tight"], ["--http", "x"], ["--http", "127.0.0.1:0", "--pause", "-1"],
     ["--http", "127.0.0.1:0", "--turn-seconds", "nan"], ["--http", "127.0.0.1:0", "--profile", "java"]],
)  # fmt: skip
def test_what_cannot_be_served_is_one_line_and_status_2(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_its_extra_the_server_says_how_to_get_it() -> None:
    hidden = "import sys; sys.modules['uvicorn'] = None\n"
    run = "from poker_actors.cli import main; sys.exit(main(['serve', '--http', '127.0.0.1:0']))"
    done = subprocess.run([sys.executable, "-c", hidden + run], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "pip install '.[server]'" in done.stderr
    assert done.stderr.count("\n") == 1
