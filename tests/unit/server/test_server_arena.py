"""The served arena in this process: what is refused and when, what goes with an account, what is read and what is not."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.arena import Arena
from poker_actors.arena.state import State
from poker_actors.errors import BadSpec
from poker_actors.server import README, AsyncClient, Notes, Passwords, ServerRefusal, Users
from poker_actors.server.http import HspeServer, Limits, arena_routes
from poker_actors.server.http.exchange import body_of
from poker_actors.server.live import arena as live_arena
from tests.unit.arena.places import CALLS, FOLDS, PROGRAM, RAISES, TOML, copied, laid, run_here

PATIENCE = 180.0
PATIENT = TOML.replace("decision_seconds = 5", "decision_seconds = 600\nmatch_seconds = 600")


def program(play: str) -> bytes:
    return (PROGRAM % play).replace("import json", "import os, json").encode()


@pytest.fixture(scope="module")
def of_two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An arena of two entrants that has been played, to copy."""
    folder = laid(tmp_path_factory.mktemp("arenas") / "night", ann=CALLS, bob=RAISES)
    run_here(folder)
    return folder


def waiting(gate: Path) -> str:
    """Play once there is a file at `gate`."""
    return f"    while not os.path.exists({str(gate)!r}): time.sleep(0.01)\n{CALLS}"


@asynccontextmanager
async def served(folder: Path, **limits: int) -> AsyncIterator[HspeServer]:
    async with AsyncRoom(Room(StepRuntime())) as room:
        notes = Notes()
        users = Users(notes, Passwords(argon2=False, scrypt_cost=2))
        server = HspeServer(room, notes, users, profile=README, limits=Limits(**limits), arena=folder)
        await server.start()
        try:
            yield server
        finally:
            await server.close()


async def come(server: HspeServer, name: str) -> AsyncClient:
    host, port = server.address
    client = AsyncClient(f"http://{host}:{port}", name, "secret12", timeout=PATIENCE)
    await client.register()
    return client


async def until(ask: Callable[[], Awaitable[Any]], holds: Callable[[Any], bool]) -> Any:
    async with asyncio.timeout(PATIENCE):
        while not holds(told := await ask()):  # noqa: ASYNC110  it asks a server
            await asyncio.sleep(0.1)
        return told


async def played(client: AsyncClient, *names: str) -> dict[str, Any]:
    """Wait until the arena is at rest with exactly these on the board; return the board."""
    await until(
        client.arena,
        lambda told: not told["running"] and sorted(one["name"] for one in told["entrants"]) == sorted(names),
    )
    return await client.board()


async def refused(call: Awaitable[object]) -> tuple[int, str]:
    with pytest.raises(ServerRefusal) as caught:
        await call
    return caught.value.status, caught.value.code


def test_while_an_upload_is_checked_another_and_a_withdrawal_are_refused_and_an_account_stays_whole(
    tmp_path: Path,
) -> None:
    folder, gate = laid(tmp_path / "night", PATIENT, ann=CALLS), tmp_path / "gate"

    async def run() -> None:
        async with (
            served(folder) as server,
            await come(server, "kim") as kim,
            await come(server, "lee") as lee,
        ):
            await kim.hand_in("kim", program(CALLS))
            assert (await until_checked(kim, "kim"))["upload"]["stage"] == "taken"
            told = await kim.hand_in("two", program(waiting(gate)))
            assert told["stage"] == "checking"
            # one of its user at a time, whatever its name; somebody else's goes beside it
            for name in ("two", "kim", "three"):
                assert await refused(kim.hand_in(name, program(CALLS))) == (409, "upload_running")
            assert await refused(kim.withdraw("two")) == (409, "upload_running")
            assert await refused(delete_account(kim)) == (409, "upload_running")
            assert [one["name"] for one in await kim.entrants()] == ["kim", "two"], "nothing is half deleted"
            assert (folder / "kim").is_dir()
            await lee.hand_in("lee", program(CALLS))
            gate.touch()
            assert (await until_checked(kim, "two"))["upload"]["stage"] == "taken"

    asyncio.run(run())


def test_an_upload_that_is_refused_says_by_which_code(tmp_path: Path) -> None:
    folder = laid(tmp_path / "night", TOML, ann=CALLS)

    async def run() -> None:
        async with served(folder) as server, await come(server, "kim") as kim:
            await kim.hand_in("kim", program("    answer = [][hand]"))
            told = (await until_checked(kim, "kim"))["upload"]
            assert (told["stage"], told["code"]) == ("refused", "check_failed")
            await kim.hand_in("kim", program(CALLS))
            told = (await until_checked(kim, "kim"))["upload"]
            assert (told["stage"], told["code"]) == ("taken", "")

    asyncio.run(run())


def test_uploads_on_their_way_are_one_of_a_user_and_so_many_and_none_of_who_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = laid(tmp_path / "night", ann=CALLS)
    monkeypatch.setattr(arena_routes, "_MOST_ARRIVING", 1)

    async def run() -> None:
        read, come_on = asyncio.Event(), asyncio.Event()

        async def slowly(*given: Any) -> bytes:
            read.set()
            await come_on.wait()
            return await body_of(*given)

        async with (
            served(folder) as server,
            await come(server, "kim") as kim,
            await come(server, "lee") as lee,
        ):
            monkeypatch.setattr(arena_routes, "body_of", slowly)
            first = asyncio.create_task(kim.hand_in("kim", program(CALLS)))
            await read.wait()
            assert await refused(lee.hand_in("lee", program(CALLS))) == (503, "too_many")
            url = "http://{}:{}".format(*server.address)
            async with AsyncClient(url, "kim", "secret12", timeout=PATIENCE) as again:
                assert await refused(again.hand_in("kim", program(CALLS))) == (409, "upload_running")
                await delete_account(again)
            come_on.set()
            assert await refused(first) == (401, "bad_credentials")
            assert not (folder / "kim").exists()
            assert (await lee.hand_in("lee", program(CALLS)))["stage"] == "checking"

    asyncio.run(run())


async def delete_account(client: AsyncClient) -> None:
    await client._call("DELETE", ("account",), lambda answer: None, {"password": "secret12"})


def test_an_upload_that_is_read_too_slowly_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = laid(tmp_path / "night", ann=CALLS)
    # no process has started by then
    monkeypatch.setattr(live_arena, "_UNPACKING_SECONDS", 0.001)

    async def run() -> None:
        async with served(folder) as server, await come(server, "kim") as kim:
            assert await refused(kim.hand_in("kim", program(CALLS))) == (400, "upload_too_slow")
            assert await kim.entrants() == []
            assert server.arena is not None
            assert [*server.arena.arena.kept.glob("uploads/*")] == []
            monkeypatch.undo()
            assert (await kim.hand_in("kim", program(CALLS)))["stage"] == "checking", "the name is free"

    asyncio.run(run())


def test_a_deleted_account_takes_its_entrants_along_from_tables_board_and_disk(
    of_two: Path, tmp_path: Path
) -> None:
    folder = copied(of_two, tmp_path / "night")

    async def run() -> None:
        async with (
            served(folder) as server,
            await come(server, "kim") as kim,
            await come(server, "lee") as lee,
        ):
            await kim.hand_in("bot", program("    print('of kim', file=sys.stderr)\n" + CALLS))
            board = await played(kim, "ann", "bob", "bot")
            [match, _] = (await kim.entrant("bot"))["matches"]
            assert "of kim" in await kim.match_log("bot", match["match"])
            game = await lee.sit_down_with("bot")
            await until(lambda: lee.table(game), lambda told: told["you"]["legal"])
            with State(folder / ".arena/arena.db"):  # so that no run gets on
                await delete_account(kim)
                # until the board is without it nobody else gets the name, and with it the logs
                assert await lee.board() == board
                assert await refused(lee.hand_in("bot", program(CALLS))) == (403, "name_taken")
                assert await refused(lee.sit_down_with("bot")) == (400, "unknown_bot")
                assert await refused(lee.match_log("bot", match["match"])) == (404, "no_entrant")
            await lee.act(game, "fold")
            await until(
                lambda: lee.table(game), lambda told: "arena/bot 1" not in [s["name"] for s in told["seats"]]
            )
            await played(lee, "ann", "bob")
            assert not (folder / "bot").exists()
            assert [*folder.glob(".arena/built/*/bot"), *folder.glob(".arena/entrants/bot")] == []
            assert [*folder.glob(".arena/built/*/ann")] != []
            await lee.hand_in("bot", program(CALLS))
            assert (await until_checked(lee, "bot"))["upload"]["stage"] == "taken"

    asyncio.run(run())


async def until_checked(client: AsyncClient, name: str) -> dict[str, Any]:
    told: dict[str, Any] = await until(
        lambda: client.entrant(name, wait=30), lambda told: told["upload"]["stage"] != "checking"
    )
    return told


def test_a_table_that_no_entrant_may_join_is_not_made(of_two: Path, tmp_path: Path) -> None:
    folder = copied(of_two, tmp_path / "night")

    async def run() -> None:
        async with served(folder, entrants_seated=1) as server, await come(server, "lee") as lee:
            await played(lee, "ann", "bob")
            await lee.sit_down_with("ann")
            assert await refused(lee.sit_down_with("bob")) == (503, "too_many")
            assert len((await lee.lobby())["games"]) == 1

    asyncio.run(run())


def test_one_user_does_not_take_the_places_of_all_at_tables(of_two: Path, tmp_path: Path) -> None:
    folder = copied(of_two, tmp_path / "night")

    async def run() -> None:
        async with (
            served(folder, entrants_seated=4, entrants_seated_per_user=2) as server,
            await come(server, "kim") as kim,
            await come(server, "lee") as lee,
        ):
            await played(lee, "ann", "bob")
            game = await lee.sit_down_with("ann")
            assert await refused(lee.seat_house(game, "arena/bob", "arena/bob")) == (409, "too_many_seated")
            assert [seat.entrant for _, seat in server.lobby.entrants_seated] == ["ann"], "all or none"
            await lee.seat_house(game, "arena/bob")
            # neither at the same table nor at a new one
            assert await refused(lee.seat_house(game, "arena/bob")) == (409, "too_many_seated")
            assert await refused(lee.sit_down_with("bob")) == (409, "too_many_seated")
            assert len((await lee.lobby())["games"]) == 1
            # who asks counts, and not whose table it is
            theirs = await kim.sit_down_with("ann")
            await lee.join(theirs)
            assert await refused(lee.seat_house(theirs, "arena/bob")) == (409, "too_many_seated")
            await kim.seat_house(theirs, "arena/bob")

    asyncio.run(run())


def test_a_new_version_plays_at_the_table_from_the_next_hand_on(tmp_path: Path) -> None:
    folder = laid(tmp_path / "night", ann=CALLS)

    async def run() -> None:
        async with served(folder) as server, await come(server, "kim") as kim:
            await kim.hand_in("kim", program(FOLDS))
            await played(kim, "ann", "kim")
            game = await kim.sit_down_with("kim")

            async def raised() -> str:
                """Raise at one's turn; return the street after it, when the entrant has answered."""
                seen = await until(lambda: kim.table(game), lambda told: told["you"]["legal"])
                if seen["street"] != "preflop" or not seen["you"]["legal"]["raise_to"]:
                    await kim.act(game, "check" if seen["you"]["legal"]["check"] else "call")
                else:
                    await kim.act(game, "raise_to", seen["you"]["legal"]["raise_to"]["min"])
                after = await until(
                    lambda: kim.table(game), lambda told: told["over"] or told["you"]["legal"]
                )
                return "" if after["over"] else str(after["street"])

            assert await raised() == "", "the first version folds"
            await kim.hand_in("kim", program(CALLS))
            version = (await until_checked(kim, "kim"))["upload"]["version"]
            await until(
                lambda: kim.entrant("kim"), lambda told: (told["standing"] or {}).get("version") == version
            )
            async with asyncio.timeout(PATIENCE):
                while await raised() != "flop":
                    pass

    asyncio.run(run())


def test_the_board_is_read_for_those_who_do_not_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = laid(tmp_path / "night", ann=CALLS, bob=RAISES)
    read: Counter[str] = Counter()
    bytes_of = Path.read_bytes

    def counted(path: Path) -> bytes:
        read[path.name] += 1
        return bytes_of(path)

    monkeypatch.setattr(Path, "read_bytes", counted)

    async def run() -> None:
        async with served(folder) as server, await come(server, "lee") as lee, httpx2.AsyncClient() as http:
            board = await played(lee, "ann", "bob")
            url = "http://{}:{}/arena/board".format(*server.address)
            first = await http.get(url)
            assert first.json() == board
            tag, before = first.headers["etag"], read["board.json"]
            monkeypatch.setattr(live_arena, "parse_json", None)  # nobody makes values of it, either
            for _ in range(5):
                same = await http.get(url, headers={"If-None-Match": tag})
                assert (same.status_code, same.headers["etag"], same.content) == (304, tag, b"")
            assert read["board.json"] == before
            assert (await http.get(url)).json() == board
            assert read["board.json"] == before + 1
            (folder / "bob/bot").write_bytes(program(CALLS))
            monkeypatch.undo()
            server.arena._wanted.set()  # type: ignore[union-attr]
            await until(lee.board, lambda told: told != board)
            changed = await http.get(url, headers={"If-None-Match": tag})
            assert (changed.status_code, changed.headers["etag"] != tag) == (200, True)

    asyncio.run(run())


def test_an_arena_of_sit_and_gos_says_its_ratings_by_their_name(tmp_path: Path) -> None:
    toml = "seats = 'sit-and-go'\ntournaments = 8\ncage = false\nhouse = ['caller']\nstacks = '10bb'\n"
    (tmp_path / "arena.toml").write_text(toml, encoding="utf-8")

    async def run() -> None:
        async with served(tmp_path) as server, await come(server, "kim") as kim:
            await kim.hand_in("kim", program(CALLS))
            board = await played(kim, "caller", "kim")
            rows = {one["name"]: one for one in (await kim.arena())["entrants"]}
            for row in [*board["standings"], (await kim.entrant("kim"))["standing"] | {"name": "kim"}]:
                assert rows[row["name"]]["percent_of_buy_in"] == row["percent_of_buy_in"]
                assert "bb_per_100" not in row.keys() | rows[row["name"]].keys()
            game = await kim.sit_down_with("kim")
            await until(lambda: kim.table(game), lambda told: told["you"]["legal"])

    asyncio.run(run())


@pytest.mark.parametrize(
    ("line", "work"),
    [
        ("game = 'mine.py:MINE'", "run"),
        ("game = '../night/mine.py:MINE'", "check"),
        ("house = ['FOLDER/mine.py:MINE']", "run"),
    ],
)
def test_code_of_the_organiser_among_the_uploads_is_refused_by_name_before_it_runs(
    tmp_path: Path, line: str, work: str
) -> None:
    folder = laid(tmp_path / "night", ann=CALLS)
    (folder / "mine.py").write_text("raise SystemExit('it has run')\n", encoding="utf-8")
    (folder / "arena.toml").write_text(line.replace("FOLDER", str(folder)) + "\n", encoding="utf-8")
    with pytest.raises(
        BadSpec, match=r"mine\.py lies in the folder that entrants are uploaded into"
    ) as caught:
        live_arena.LiveArena(folder, 1, Limits())
    assert caught.value.code == "code_among_uploads"
    given = ("1",) if work == "run" else ("kim", str(folder / "ann/bot"))
    status, said = worked(work, str(folder), *given)
    assert (status, json.loads(said)["code"]) == (2, "code_among_uploads")


def worked(*work: str, cwd: Path | None = None) -> tuple[int, bytes]:
    """Have a process do something for a server that lives; return its status and what it says."""
    theirs, held = os.pipe()
    try:
        ran = subprocess.run(
            Arena.work(*work), cwd=cwd, stdin=theirs, capture_output=True, check=False, timeout=PATIENCE
        )
    finally:
        os.close(theirs)
        os.close(held)
    return ran.returncode, ran.stdout


def test_a_game_of_the_organiser_outside_the_folder_is_played(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games/mine.py").write_text(
        "from poker_actors.rules.games import Betting, Street, row\n"
        "MINE = row('five-down', 'Five down', (Street('only', hole=5),), Betting.POT_LIMIT, 'high')\n",
        encoding="utf-8",
    )
    folder = laid(tmp_path / "night", f"game = '../games/mine.py:MINE'\n{TOML}", ann=CALLS, bob=CALLS)

    async def run() -> None:
        async with served(folder) as server, await come(server, "lee") as lee:
            await played(lee, "ann", "bob")
            assert await refused(lee.sit_down_with("ann")) == (409, "other_game")
            assert (await lee.lobby())["games"] == []

    asyncio.run(run())


def test_an_upload_is_not_imported_where_the_server_was_started(tmp_path: Path) -> None:
    folder = laid(tmp_path / "night", ann=CALLS, tomllib=CALLS)
    (folder / "tomllib/__init__.py").write_text("open('../ran', 'w').close()\n", encoding="utf-8")
    status, said = worked("run", str(folder), "1", cwd=folder)
    assert not (tmp_path / "ran").exists()
    assert status == 0
    assert b'"done": 3' in said


def test_every_route_of_the_arena_answers_as_the_document_says(of_two: Path, tmp_path: Path) -> None:
    folder = copied(of_two, tmp_path / "night")

    async def run() -> None:
        async with served(folder) as server, await come(server, "kim") as kim, httpx2.AsyncClient() as http:
            url = "http://{}:{}".format(*server.address)
            told = (await http.get(f"{url}/openapi.json")).json()
            described = {
                (method.upper(), path)
                for path, methods in told["paths"].items()
                for method in methods
                if path.startswith("/arena")
            }
            asked: set[tuple[str, str]] = set()

            async def ask(method: str, path: str, status: int, content: bytes | None = None) -> None:
                answer = await http.request(
                    method, url + path, content=content, auth=("kim", "secret12"), timeout=PATIENCE
                )
                assert answer.status_code == status, (path, answer.text)
                form = re.sub(r"/entrants/\w+", "/entrants/{entrant}", path)
                form = re.sub(r"/matches/\w+", "/matches/{match}", form)
                asked.add((method, form))
                described = told["paths"][form][method.lower()]["responses"][str(status)]
                [kind] = described.get("content", {"": None})
                assert answer.headers.get("content-type", "").startswith(kind), path
                if kind == "application/json":
                    schema = described["content"][kind]["schema"]
                    assert schema.keys() & {"$ref", "anyOf"}, "every answer has a shape of its own"
                    Draft202012Validator(schema | {"components": told["components"]}).validate(answer.json())

            await ask("GET", "/arena/state", 200)
            await ask("GET", "/arena/board", 200)
            await ask("GET", "/arena/entrants", 200)
            await ask("POST", "/arena/entrants/kim", 202, program(CALLS))
            await ask("GET", "/arena/entrants/kim", 200)
            await played(kim, "ann", "bob", "kim")
            for path in ("state", "board", "entrants", "entrants/kim", "entrants/kim/build"):
                await ask("GET", f"/arena/{path}", 200)
            [match, _] = (await kim.entrant("kim"))["matches"]
            await ask("GET", f"/arena/entrants/kim/matches/{match['match']}", 200)
            await ask("POST", "/arena/entrants/kim/table", 201)
            await ask("DELETE", "/arena/entrants/kim", 204)
            assert asked == described
            # the errors, by one request each
            for name, method, path, status in (
                ("", "GET", "/arena/entrants", 401),
                ("kim", "GET", "/arena/entrants/kim", 404),
                ("kim", "GET", "/arena/entrants/kim?wait=x", 404),
                ("kim", "POST", "/arena/entrants/ann", 403),
                ("kim", "POST", "/arena/entrants/ann.+", 400),
                ("kim", "DELETE", "/arena/entrants/kim", 404),
                ("kim", "POST", "/arena/entrants/kim/table", 400),
            ):
                answer = await http.request(
                    method, url + path, auth=(name, "secret12") if name else None, timeout=PATIENCE
                )
                assert answer.status_code == status, (method, path, answer.text)
                form = re.sub(r"/entrants/[\w.+]+", "/entrants/{entrant}", path.partition("?")[0])
                shape = told["paths"][form][method.lower()]["responses"][str(status)]
                assert "application/json" in shape["content"]
                Draft202012Validator(
                    {"$ref": "#/components/schemas/Refusal", "components": told["components"]}
                ).validate(answer.json())

    asyncio.run(run())
