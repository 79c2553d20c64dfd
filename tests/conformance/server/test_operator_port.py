"""The operator's port and `poker-actors account`: nobody without the secret, everybody's accounts with it."""

from __future__ import annotations

import json
import re
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from poker_actors.cli import main
from tests.conformance.server.conftest import Site, basic


class Operated(Site):
    """A server with an operator's port, and its data."""

    def __init__(self, data: Path) -> None:
        super().__init__("--data", str(data), "--operator", "127.0.0.1:0")
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        place = re.search(r"operator on http://(127\.0\.0\.1:\d+), its secret in (.*)$", line.strip())
        assert place is not None, line
        self.operator = place[1]
        self.secret = Path(place[2])
        self.data = data

    def get(self, path: str, secret: str | None) -> tuple[int, str]:
        request = urllib.request.Request(f"http://{self.operator}{path}")
        if secret is not None:
            request.add_header("Authorization", f"Bearer {secret}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def account(self, *words: str) -> int:
        return main(["account", *words, "--data", str(self.data), "--operator", self.operator])


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operated]:
    site = Operated(tmp_path_factory.mktemp("operated") / "room.db")
    yield site
    assert site.stop()[0] == 0


def test_the_secret_is_its_owners_alone_and_nothing_is_answered_without_it(operated: Operated) -> None:
    assert stat.S_IMODE(operated.secret.stat().st_mode) == 0o600
    secret = operated.secret.read_text().strip()
    assert len(secret) >= 32
    for path in ("/metrics", "/accounts", "/nowhere"):
        for wrong in (None, "", "x" * len(secret), secret[:-1]):
            assert operated.get(path, wrong)[0] == 401
    assert operated.get("/nowhere", secret)[0] == 404
    status, text = operated.get("/metrics", secret)
    assert status == 200
    assert re.search(r"^poker_users \d", text, re.M)
    assert operated.ask("GET", "/metrics").status == 404, "with an operator's port the public one is shut"


def test_a_password_is_reset_and_log_ins_end_while_the_server_runs(
    operated: Operated, capsys: pytest.CaptureFixture[str]
) -> None:
    name, _ = operated.user()
    cookie = operated.ask("POST", "/session", name).headers["set-cookie"].partition(";")[0]
    assert operated.ask("GET", "/session", headers={"Cookie": cookie}).status == 200
    assert operated.account("reset", name, "--json", "-") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ended"] == 1
    assert operated.ask("GET", "/session", headers={"Cookie": cookie}).status == 401
    assert operated.ask("GET", "/session", name).status == 401
    assert operated.ask("GET", "/session", auth=basic(name, told["password"])).status == 200
    assert operated.account("show", name) == 0
    assert name in capsys.readouterr().out


def test_an_account_in_a_game_stays_and_one_in_none_is_deleted(
    operated: Operated, capsys: pytest.CaptureFixture[str]
) -> None:
    (name, player), (other, _) = operated.user(), operated.user()
    game = operated.ask("POST", "/games/", name).json["gameID"]
    assert operated.account("delete", name) == 2
    assert "has to leave them first" in capsys.readouterr().err
    operated.ask("DELETE", f"/games/{game}/players/{player}", name)
    operated.until(lambda: operated.account("delete", name) == 0)
    assert operated.ask("GET", "/session", name).status == 401
    assert operated.account("list") == 0
    listed = capsys.readouterr().out
    assert other in listed
    assert player not in listed


def test_nobody_a_wrong_place_and_a_missing_name_are_status_2(
    operated: Operated, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert operated.account("show", "nobody at all") == 2
    assert operated.account("show") == 2
    assert operated.account("list", "ann") == 2
    assert main(["account", "list"]) == 2
    assert main(["account", "list", "--data", str(tmp_path / "none.db")]) == 2
    assert main(["account", "list", "--operator", operated.operator]) == 2
    assert capsys.readouterr().err.count("\n") == 6


def test_data_that_no_server_has_open_is_looked_after_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "room.db"
    site = Site("--data", str(data))
    name, _ = site.user()
    game = site.ask("POST", "/games/", name).json["gameID"]
    other, _ = site.user()
    assert main(["account", "list", "--data", str(data)]) == 3, "the server has it open"
    assert site.stop()[0] == 0
    capsys.readouterr()
    assert main(["account", "show", name, "--data", str(data), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == [game]
    assert main(["account", "delete", name, "--data", str(data)]) == 2
    assert main(["account", "delete", other, "--data", str(data)]) == 0
    assert main(["account", "reset", name, "--data", str(data), "--json", "-"]) == 0
    password = json.loads(capsys.readouterr().out.partition("deleted\n")[2])["password"]
    assert main(["account", "collisions", "--data", str(data)]) == 0
    again = Site("--data", str(data))
    assert again.ask("GET", "/session", auth=basic(name, password)).status == 200
    assert again.ask("GET", "/session", other).status == 401
    again.stop()


def test_a_secret_that_others_can_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "room.db.operator").write_text("x" * 40)
    (tmp_path / "room.db.operator").chmod(0o644)
    options = ["--data", str(tmp_path / "room.db"), "--operator", "127.0.0.1:0"]
    assert main(["serve", "--http", "127.0.0.1:0", *options]) == 2
    assert "others can read" in capsys.readouterr().err
    assert main(["serve", "--http", "127.0.0.1:0", "--operator", "127.0.0.1:0"]) == 2
    assert "needs a secret" in capsys.readouterr().err
