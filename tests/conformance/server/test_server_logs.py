"""Whatever is logged, however much of it: no password, no cookie, no card."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.server.conftest import Site, basic

LOGGING = (
    "import logging, sys; logging.basicConfig(filename={file!r}, level=logging.DEBUG);"
    "from poker_actors.cli import main; sys.exit(main())"
)
CARD = re.compile(r"(?<![\w-])(?:[2-9TJQKA]|10)[cdhsCDHS](?![\w-])")


def test_no_secret_and_no_card_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "log"
    command = [sys.executable, "-X", "dev", "-W", "ignore", "-c", LOGGING.format(file=str(file))]
    pipe = subprocess.PIPE

    def logged_command(*words: str) -> subprocess.Popen[str]:
        return subprocess.Popen([*command, *words], stdout=pipe, stderr=pipe, text=True)

    monkeypatch.setitem(Site.__init__.__globals__, "CommandLine", logged_command)
    site = Site("--data", str(tmp_path / "room.db"))
    try:
        game, names = site.game()
        for _ in range(6):
            turn = site.turn(game)
            owed = site.ask("GET", f"/games/{game}", names[turn]).json["turn"]
            act = {"action": 1, "betAmount": owed["bet_to_player"] - owed["bet_so_far"]}
            assert site.ask("POST", f"/games/{game}/players/{turn}/acts", names[turn], act).status == 201
        player, name = next(iter(names.items()))
        session = site.ask("POST", "/session", body={"name": name, "password": "secret"})
        assert session.status == 204
        for auth in (basic(name, "swordfish"), "Basic nonsense", "Basic " + basic(name)):
            assert site.ask("POST", "/games/", auth=auth).status == 401
        assert site.ask("POST", f"/games/{game}/players/{player}/acts", name, b"\xff swordfish").status == 400
    finally:
        _, output, errors = site.stop()
    logged = file.read_text() + output + errors
    assert "Started server process" in logged, "the log is read"
    cookie = session.headers["set-cookie"].partition("=")[2].partition(";")[0]
    encoded = base64.b64encode(f"{name}:".encode()).decode().rstrip("=")[:-2]
    for secret in ("secret", "swordfish", cookie, encoded, "argon2"):
        assert secret not in logged
    assert CARD.findall(logged) == []


def test_a_card_in_a_log_would_be_noticed() -> None:
    assert CARD.findall("deals As, 10h and [Td] to 1fcd-7c4d-9h") == ["As", "10h", "Td"]
