"""A journey by REST: hand in, stand on the board, read one's own log, and be met at a table. And what others cannot read."""

from __future__ import annotations

import base64
import json
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.browser.room_process import PATIENCE, RoomProcess
from tests.unit.arena.places import CALLS, PROGRAM, laid

TOML = "hands = 32\ncheck_hands = 16\ncage = false\nadjust = false\n[limits]\ndecision_seconds = 5\n"
OWN = "    print('mine alone', file=sys.stderr)\n    answer = {'act': call}"


def asked(url: str, user: str, method: str = "GET", body: bytes | None = None) -> tuple[int, Any]:
    request = urllib.request.Request(url, data=body, method=method)
    if user:
        request.add_header("Authorization", "Basic " + base64.b64encode(f"{user}:secret12".encode()).decode())
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            status, text = answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            status, text = error.code, error.read().decode()
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text


def until(url: str, user: str, holds: Any) -> Any:
    late, told = time.monotonic() + PATIENCE, None
    while time.monotonic() < late:
        told = asked(url, user)[1]
        if holds(told):
            return told
    raise AssertionError(f"it does not come to this: {told}")


def test_an_upload_is_checked_rated_private_and_sits_down(tmp_path: Path) -> None:
    folder = laid(tmp_path / "night", TOML, ann=CALLS)
    limits = (
        "--limit",
        "entrants_per_user=1",
        "--limit",
        "uploads_per_hour=2",
        "--limit",
        "upload_bytes=9000",
    )
    room = RoomProcess(tmp_path / "room.db", "--arena", str(folder), "--workers", "1", *limits)
    url = room.url
    mine = f"{url}/arena/entrants/kim"
    try:
        for user in ("kim", "lee"):
            assert asked(f"{url}/users/", user, "POST", b"")[0] == 201
        program = (PROGRAM % OWN).encode()
        assert asked(mine, "", "POST", program)[0] == 401
        status, refused = asked(f"{url}/arena/entrants/ann", "kim", "POST", program)
        assert (status, refused["code"]) == (403, "name_taken"), "a folder of the operator's is nobody's"
        assert asked(f"{url}/arena/entrants/lee", "lee", "POST", bytes(9001))[1]["code"] == "too_large"
        assert asked(mine, "kim", "POST", program)[0] == 202
        assert (
            until(f"{mine}?wait=20", "kim", lambda told: told["upload"]["stage"] != "checking")["upload"][
                "stage"
            ]
            == "taken"
        )
        assert asked(mine, "lee", "POST", program)[1]["code"] == "name_taken"
        assert asked(f"{url}/arena/entrants/two", "kim", "POST", program)[1]["code"] == "too_many"
        [match] = until(mine, "kim", lambda told: told["matches"])["matches"]
        log = f"{mine}/matches/{match['match']}"
        assert "  | mine alone" in asked(log, "kim")[1]
        for path in (mine, log, f"{mine}/build"):
            assert asked(path, "")[0] == 401
            assert asked(path, "lee") == (404, {"code": "no_entrant", "text": "you have no entrant 'kim'"})
        assert asked(mine, "lee", "DELETE")[0] == 404
        for page in ("arena.db", "..%2Farena.db", ".arena%2Farena.db", "log.txt", "board.json"):
            assert asked(f"{url}/arena/{page}", "")[0] == 404
        assert "mine alone" not in str(asked(f"{url}/arena/", "")) + str(asked(f"{url}/arena/board", ""))
        assert asked(f"{url}/arena/entrants/none/table", "lee", "POST", b"")[1]["code"] == "unknown_bot"
        game = asked(f"{mine}/table", "lee", "POST", b"")[1]["game"]
        table = f"{url}/games/{game}/table"
        seen = until(table, "lee", lambda told: told["you"]["legal"])
        turn = {
            "act": "call" if seen["you"]["legal"]["call"] else "check",
            "hand_id": seen["hand_id"],
            "seq": seen["seq"],
        }
        assert asked(f"{url}/games/{game}/actions", "lee", "POST", json.dumps(turn).encode())[0] == 200
        until(table, "lee", lambda told: told["seq"] > seen["seq"] + 1 or told["hand_id"] != seen["hand_id"])
        assert asked(mine, "kim", "DELETE")[0] == 204
        assert not (folder / "kim").exists()
    finally:
        room.stop()
