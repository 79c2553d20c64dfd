"""The served arena as a process: a journey by REST, what others cannot read, hands with an entrant, and SIGKILL."""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from poker_actors.arena import Arena
from poker_actors.server import Client, ServerRefusal
from tests.attacks.arena import lacking
from tests.browser.room_process import PATIENCE, RoomProcess
from tests.conformance.server.conftest import PAUSE, Site, polls
from tests.unit.arena.places import CALLS, FOLDS, PROGRAM, RAISES, laid, made

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
    told = None
    for _ in polls(PATIENCE):
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
        for _ in range(
            2
        ):  # whoever checks the big blind is first on the flop: one turn need not be followed by kim's
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


# -- hands at a table --------------------------------------------------------------------------------

LOOKS = """    import os, socket
    seen = [one for one in os.listdir('/proc') if one.isdigit() and int(one) > 60]
    seen += [one for place in ('..', '../..', '../../..') for one in os.listdir(place) if one in ('bob', 'arena.db')]
    try: socket.create_connection(('127.0.0.1', %d), 5); seen.append('network')
    except OSError: pass
    try: open('note', 'w'); seen.append('disk')
    except OSError: pass
    answer = {'act': 'fold' if seen else call}"""
"""Calls in a cage, and folds where it sees anything of the machine, or can write."""


def chips_on(picture: Any) -> int:
    """All chips of a table: after the end of a hand, what was put in is paid out."""
    return sum(seat["stack"] + (0 if picture["over"] else seat["put_in"]) for seat in picture["seats"])


def by_call(client: Client, game: str, act: str) -> None:
    """Take a turn, and wait until it is over."""
    seen = client.table(game)
    amount = seen["you"]["legal"]["raise_to"]["min"] if act == "raise_to" else None
    client.act(game, act, amount, key=(seen["hand_id"], seen["seq"]))


def at_turn(client: Client, game: str, hands: int) -> Any:
    """Wait for the client's turn, or for the end of so many hands; return the picture."""
    seen = None
    for _ in polls(PATIENCE):
        seen = client.table(game)
        if seen["you"]["legal"] and not seen["over"]:
            return seen
        if seen["over"] and len(client.hands(game)) >= hands:
            return seen
    raise AssertionError(f"nobody acts: {seen}")


@pytest.mark.parametrize(
    "cage",
    [False, pytest.param(True, marks=pytest.mark.skipif(bool(lacking()), reason=lacking()))],
)
def test_a_hand_with_an_entrant_is_played_to_its_end_and_no_chip_is_lost(tmp_path: Path, cage: bool) -> None:
    toml = TOML.replace("cage = false", f"cage = {str(cage).lower()}")
    site = Site("--arena", str(laid(tmp_path / "night", toml, bob=CALLS)), "--workers", "1")
    try:
        with Client(site.url, "kim", "secret12", timeout=PATIENCE) as kim:
            kim.register()
            spy = PROGRAM % (LOOKS % site.port if cage else CALLS)
            kim.hand_in("spy", spy.encode())
            site.until(lambda: "spy" in [one["name"] for one in kim.arena()["entrants"]], PATIENCE)
            assert kim.entrant("spy")["upload"]["stage"] == "taken"
            game = kim.sit_down_with("spy")
            streets: list[str] = []
            buy_in = kim.table(game)["buy_in"]
            while not (seen := at_turn(kim, game, 1))["over"]:
                assert chips_on(seen) == 2 * buy_in
                act = "check" if seen["you"]["legal"]["check"] else "call"
                by_call(kim, game, act if seen["street"] in streets else "raise_to")
                if streets and cage:
                    assert any(b"bwrap" in one for one in running(tmp_path / "night"))
                streets.append(seen["street"])
            assert len({*streets}) == 4, "it calls to the end"
            hand = kim.hand(game, kim.hands(game)[0]["hand_id"])
            assert sorted(hand["players"]) == ["arena/spy 1", "kim"]
            assert chips_on(seen) == chips_on(kim.table(game)) == 2 * buy_in
    finally:
        status, said, errors = site.stop()
    assert status == 0, errors
    assert f"; {2 * buy_in:,} chips on the tables" in said
    assert running(tmp_path / "night") == []


def running(folder: Path) -> list[bytes]:
    """The command lines of processes that have to do with a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes()
        except OSError:
            continue
        if str(folder).encode() in words:
            found.append(words)
    return found


# -- SIGKILL -----------------------------------------------------------------------------------------

MARKED = """import os
with open({marks!r}, 'a') as file: file.write('{name}\\n')
starts = open({marks!r}).read().split().count('{name}')
for line in sys.stdin:"""
GATE = "    while starts == 4 and not os.path.exists({gate!r}): time.sleep(0.01)\n"


def entrants(arena: Path, marks: Path, gate: Path) -> Path:
    """Write an arena of four who note each start; `cat` stops in its second match until there is a file at `gate`."""
    toml = TOML.replace("decision_seconds = 5", "decision_seconds = 600\nmatch_seconds = 600")
    made(arena, toml, ann=CALLS, bob=RAISES, cat=GATE.format(gate=str(gate)) + CALLS, dan=FOLDS)
    for name in ("ann", "bob", "cat", "dan"):
        file = arena / name / "bot"
        start = MARKED.format(marks=str(marks), name=name)
        file.write_text(file.read_text().replace("for line in sys.stdin:", start))
    return arena


def without_times(board: Any) -> Any:
    for row in board["standings"]:
        del row["seconds"]
    return board


def test_a_server_killed_in_the_middle_of_matches_ends_with_the_same_board_and_plays_none_again(
    tmp_path: Path,
) -> None:
    marks, gate = tmp_path / "marks", tmp_path / "gate"
    folder = entrants(tmp_path / "night", marks, gate)
    room = RoomProcess(tmp_path / "room.db", "--arena", str(folder), "--workers", "1")
    try:
        state = f"{room.url}/arena/state"
        until(state, "", lambda told: told["done"] > 4 and marks.read_text().split().count("cat") == 4)
        room.kill()
        patience = time.monotonic() + PATIENCE
        while running(folder):
            assert time.monotonic() < patience, running(folder)
            time.sleep(PAUSE)
        kept = scores(folder)
        assert 0 < len(kept) < 6
        starts = marks.read_text().split()
        gate.touch()
        room.start()
        told = until(state, "", lambda told: not told["running"] and len(told["entrants"]) == 4)
        assert told["problem"] == ""
        board = asked(f"{room.url}/arena/board", "")[1]
    finally:
        room.stop()
    assert {key: scores(folder)[key] for key in kept} == kept, "their files are those of before"
    # two starts of each check, three of each one's matches; and the two of the match that was cut
    assert len(marks.read_text().split()) == 4 * 5 + 2
    assert len(starts) == 4 * 2 + 2 * (len(kept) + 1)
    marks.unlink()
    whole = Arena(entrants(tmp_path / "other", marks, gate)).run()
    assert without_times(board) == without_times(json.loads(json.dumps(whole.to_dict())))


def scores(folder: Path) -> dict[str, int]:
    """The matches that are kept, with when their logs were written."""
    with sqlite3.connect(folder / ".arena/arena.db") as db:
        keys = [key for (key,) in db.execute("SELECT key FROM score")]
    db.close()
    return {key: (Arena(folder).files_of(key) / "log.txt").stat().st_mtime_ns for key in keys}


def test_an_entrant_at_a_table_is_back_after_a_kill_and_leaves_a_server_without_its_arena(
    tmp_path: Path,
) -> None:
    folder = laid(tmp_path / "night", TOML, ann=CALLS, bob=CALLS)
    limited = ("--limit", "entrants_seated_per_user=1")
    room = RoomProcess(tmp_path / "room.db", "--arena", str(folder), "--workers", "1", *limited)
    try:
        with Client(room.url, "lee", "secret12", timeout=PATIENCE) as lee:
            lee.register()
            until(f"{room.url}/arena/state", "", lambda told: len(told["entrants"]) == 2)
            game = lee.sit_down_with("ann")
            at_turn(lee, game, 1)
            by_call(lee, game, "raise_to")
            before = at_turn(lee, game, 9)
            room.kill()
            lee.close()
            room.start()
            assert "entrants at tables again: ann (1)" in room.said().splitlines()
            with pytest.raises(ServerRefusal) as caught:
                lee.sit_down_with("bob")  # whose entrant it is at the table is known again
            assert caught.value.code == "too_many_seated"
            after = lee.table(game)
            for key in ("hand_id", "seq", "pots", "board"):
                assert after[key] == before[key], key
            assert [seat["stack"] for seat in after["seats"]] == [seat["stack"] for seat in before["seats"]]
            by_call(lee, game, "raise_to")  # the answer to which is its process's: it would fold without
            seen = at_turn(lee, game, 9)
            assert seen["hand_id"] == before["hand_id"]
            assert seen["seq"] == before["seq"] + 2 or seen["street"] != before["street"]
        room.kill()
        bare = room = RoomProcess(tmp_path / "room.db")
        gone = "entrants no longer in the arena, and leave: ann (1)"
        assert gone in bare.said().splitlines()
        with Client(bare.url, "lee", "secret12", timeout=PATIENCE) as lee:
            while named(left := lee.table(game), "arena/ann 1"):
                if left["you"]["legal"] and not left["over"]:
                    by_call(lee, game, "raise_to")
                time.sleep(PAUSE)
            assert named(left, "lee")["stack"] > left["buy_in"], "the pot is won"
            assert len(re.findall("entrants", bare.said())) == 1
    finally:
        room.stop()


def named(picture: Any, name: str) -> Any:
    return next((seat for seat in picture["seats"] if seat["name"] == name), None)
