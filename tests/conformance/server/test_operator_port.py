"""The operator's port and `poker-actors account`: nobody without the secret, everybody's accounts with it."""

from __future__ import annotations

import io
import json
import re
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.cli.account import Attachment
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
    assert "in 1 game and must leave first" in capsys.readouterr().err
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


def attach(operated: Operated, *words: str, data: bool = True) -> int:
    options = ["--data", str(operated.data)] if data else []
    return main(["debug", "--attach", operated.operator, "--plain", *options, *words])


def test_an_operators_debugger_is_over_what_a_table_has_handled_and_two_may_attach(
    operated: Operated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game, names = operated.game()
    turn = operated.turn(game)
    with Attachment(operated.operator, game, str(operated.data)).open() as one:
        with Attachment(operated.operator, game, str(operated.data)).open() as other:
            assert one.hash() == other.hash()
        assert set(one.players) >= set(names)
        hands = one.room.tables[game].state().number
        answer = operated.ask("POST", f"/games/{game}/players/{turn}/acts/", names[turn], {"action": 0})
        assert answer.status < 300, "the table goes on"
        one.more()
        assert one.room.tables[game].state().number >= hands
    monkeypatch.setattr("sys.stdin", io.StringIO("back 3\nwhy pot\nq\n"))
    assert attach(operated, "--table", game) == 0
    assert f"table {game}: No-limit hold'em" in capsys.readouterr().out
    place = tmp_path / "live.jsonl"
    assert attach(operated, "--table", game, "--trace", str(place)) == 0
    assert main(["debug", "--trace", str(place), "--verify"]) == 0
    assert capsys.readouterr().out.startswith("the same: ")


def test_who_may_not_attach_and_what_is_not_there_is_said_in_a_line(
    operated: Operated, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POKER_ACTORS_OPERATOR_SECRET", "x" * 43)
    for words, text in (
        (("--table", "x"), "answers 401"),
        ((), "answers 401"),
    ):
        assert attach(operated, *words, data=False) == 2
        assert text in capsys.readouterr().err
    monkeypatch.delenv("POKER_ACTORS_OPERATOR_SECRET")
    assert attach(operated, data=False) == 2
    assert "needs a secret" in capsys.readouterr().err
    assert attach(operated, "--table", "nowhere") == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "there is no table 'nowhere'" in shown.err
    assert shown.err.count("\n") == 1


def test_a_server_that_goes_is_said_and_what_was_heard_is_still_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = Operated(tmp_path / "room.db")
    game, _ = site.game()

    def typed() -> Iterator[str]:
        assert site.stop()[0] == 0
        yield "more"
        yield "p len(stacks)"

    monkeypatch.setattr("poker_actors.cli.debug._lines", typed)
    assert attach(site, "--table", game) == 3
    shown = capsys.readouterr()
    assert "*** " in shown.out
    assert "len(stacks)" in shown.out
    assert shown.err.count("\n") == 1
    assert "connection refused" in shown.err
    assert attach(site) == 3
