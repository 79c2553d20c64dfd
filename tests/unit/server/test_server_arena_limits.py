"""The served arena with processes that only say their lines: whose names, uploads, logs and pages are for whom."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import httpx2
import pytest

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.jsontext import parse_json
from poker_actors.server import AsyncClient
from poker_actors.server.http import Limits
from poker_actors.server.http.arena_routes import ArenaRoutes
from poker_actors.server.live import arena as live
from poker_actors.server.live.arena import LiveArena, Upload, own_part
from tests.unit.arena.places import CALLS, RAISES, TOML, laid
from tests.unit.server.test_server_arena import come, program, refused, served, until_checked

PASSED = {"refused": "", "refused_code": "", "remark": "", "seconds": 0.5, "output": "built"}
ROW = {"best_place": 1, "worst_place": 2, "bb_per_100": 1.5, "remark": "", "version": "1"}
BOARD = {
    "title": "2 entrants",
    "standings": [{"name": "ann", **ROW}, {"name": "bob", **ROW, "version": "2"}],
    "refused": [{"name": "cat", "reason": "it smells"}],
    "matches": [
        {"key": "aa11", "players": ["ann", "bob"], "hands": 32},
        {"key": "bb22", "players": ["bob", "bob"], "hands": 32},
        {"key": "cc33", "players": ["ann", "cat"], "hands": 32},
    ],
}
LOG = "title\ndigest 1\nann: +1\n  | of ann\nbob: -1\n  | of bob\nbob (copy): 0\n  | of the copy\n"


OWN_GAME = (
    "from poker_actors.rules.games import Betting, Street, row\n"
    "MINE = row('five-down', 'Five down', (Street('only', hole=5),), Betting.POT_LIMIT, 'high')\n"
)


class Process:
    """A process that says these lines, and ends with a status."""

    def __init__(self, *said: Any, status: int = 0) -> None:
        self.stdout = asyncio.StreamReader()
        for line in said:
            self.stdout.feed_data((line if isinstance(line, str) else json.dumps(line)).encode() + b"\n")
        self.stdout.feed_eof()
        self.stdin = SimpleNamespace(close=lambda: None, wait_closed=self.wait)
        self._status = status

    def kill(self) -> None:
        raise ProcessLookupError

    async def wait(self) -> int:
        return self._status


@attrs.define
class Checks:
    """What the processes say: of each check what `said` has next, and of each run nothing."""

    said: list[Any] = attrs.field(factory=list)
    runs: int = 0

    async def __call__(self, kind: str, *words: str, log: Path) -> Any:
        if kind == "run":
            self.runs += 1
            return Process({"done": 1, "of": 1})
        files = Path(words[2]).parent / "files"
        files.mkdir()
        (files / "bot").write_text("as handed in")
        return Process(*(self.said.pop(0) if self.said else ({"version": "1"}, PASSED)))


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    found = Checks()

    async def process(_: object, *words: str, log: Path) -> Any:
        return await found(*words, log=log)

    monkeypatch.setattr(LiveArena, "_process", process)
    return found


def night(place: Path, toml: str = TOML, **limits: int) -> LiveArena:
    """Return the arena of two entrants, whose board is there, and which does not run."""
    folder = laid(place / "night", toml, ann=CALLS, bob=RAISES)
    found = LiveArena(folder, 1, Limits(**limits))
    found.arena.site.mkdir(parents=True)
    (found.arena.site / "board.json").write_text(json.dumps(BOARD))
    for match in BOARD["matches"]:
        kept = found.arena.files_of(match["key"])  # type: ignore[index]
        kept.mkdir(parents=True)
        (kept / "log.txt").write_text(LOG)
    (found.arena.files_of("aa11") / "errors-1.txt").write_text("a fault of ann")
    (found.arena.files_of("aa11") / "errors-2.txt").write_text("a fault of bob")
    return found


def code(call: Callable[[], object]) -> str:
    """Return the code of what a call raises."""
    with pytest.raises((BadSpec, TableRefusal)) as caught:
        call()
    return str(caught.value.code)


# -- names -------------------------------------------------------------------------------------------


def test_a_name_is_given_once_and_to_nobody_that_it_is_taken_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = night(tmp_path, f"house = ['caller']\n{TOML}")

    def check(name: str, *, owned: bool = False, others: tuple[str, ...] = ("of-lee",)) -> None:
        arena.check_name(name, owned=owned, others=[*others])

    for name in ("no/name", "", "x" * 41, "__pycache__"):
        for owned in (False, True):
            with pytest.raises(BadSpec, match="is not an entrant's name") as caught:
                check(name, owned=owned)
            assert caught.value.code == "upload_name"
    assert {
        name: code(lambda name=name: check(name))  # type: ignore[misc]
        for name in ("house", "caller", "ann", "cat", "arena.toml", "of-lee", "0f-lee")
    } == dict.fromkeys(("house", "caller", "ann", "cat", "arena.toml", "of-lee", "0f-lee"), "name_taken")
    check("ann", owned=True)
    check("dan")
    # three files and folders, one of the house, and one of lee's; cat is on the board only
    monkeypatch.setattr(live, "_MOST_ENTRANTS", 6)
    check("dan")
    monkeypatch.setattr(live, "_MOST_ENTRANTS", 3)
    assert code(lambda: check("dan")) == "too_many"


# -- uploads -----------------------------------------------------------------------------------------


def test_so_many_are_checked_at_a_time_and_one_of_a_user(tmp_path: Path) -> None:
    arena = night(tmp_path, uploads=2)
    arena._uploads = {"ann": Upload("ann"), "bob": Upload("bob", "taken"), "cat": Upload("cat", "refused")}
    arena.check_idle(["bob", "cat"])
    assert code(lambda: arena.check_idle(["bob", "ann"])) == "upload_running"
    arena.check_room(["bob"])
    arena._uploads["dan"] = Upload("dan")
    assert code(lambda: arena.check_room(["bob"])) == "too_many"


def test_what_became_of_an_upload_is_known_while_the_server_runs(tmp_path: Path) -> None:
    arena = night(tmp_path)
    assert arena.upload_of("ann") is None, "it lay there before"
    lost = arena.upload_of("dan")
    assert lost is not None
    assert (lost.stage, lost.over.is_set()) == ("failed", True)
    for name in ("ann", "dan"):
        kept = arena._uploads[name] = Upload(name, "refused")
        assert arena.upload_of(name) is kept


def run(arena: LiveArena, name: str = "dan") -> Upload:
    """Hand in, and wait for the end of the check."""

    async def handed_in() -> Upload:
        upload = await arena.hand_in(name, b"body")
        await asyncio.wait_for(upload.over.wait(), 60)
        return upload

    return asyncio.run(handed_in())


def test_a_check_says_what_it_came_to(tmp_path: Path, checks: Checks) -> None:
    arena = night(tmp_path)
    version = {"version": "1"}
    checks.said = [
        (version, PASSED | {"remark": "slow"}),
        (version, PASSED | {"refused": "it smells", "refused_code": "check_failed", "remark": "slow"}),
        (version, {"code": "missing_feature", "text": "no bwrap"}),
        (version,),
        (version, "no JSON"),
    ]
    found = []
    for _ in range(len(checks.said)):
        upload = run(arena)
        found.append((upload.stage, upload.code, upload.text))
        assert (arena.arena.folder / "dan/bot").read_text() == "as handed in"
        assert [*arena.arena.kept.glob("uploads/*")] == []
    assert found[:4] == [
        ("taken", "", "slow"),
        ("refused", "check_failed", "it smells"),
        ("failed", "missing_feature", "no bwrap"),
        ("failed", "", "the process that read the upload has ended"),
    ]
    assert found[4][0] == "failed"
    old = (arena.arena.folder / "ann/bot").read_text()
    assert run(arena, "ann").stage == "taken"
    assert (arena.arena.folder / "ann/bot").read_text() != old, "the last version is replaced"


def test_nobody_reads_that_an_upload_was_refused_while_it_is_put_in_its_place(
    tmp_path: Path, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = night(tmp_path)
    seen = []
    put = LiveArena._put

    def watched(self: LiveArena, name: str, files: Path) -> None:
        seen.append(arena._uploads[name].stage)
        put(self, name, files)

    monkeypatch.setattr(LiveArena, "_put", watched)
    assert run(arena).stage == "taken"
    assert seen == ["checking"]


def test_an_upload_that_cannot_be_read_leaves_an_entrant_its_word_and_nobody_a_name(
    tmp_path: Path, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = night(tmp_path)
    link = {"code": "upload_link", "text": "a link"}
    for said, expected in (((link,), "upload_link"), ((), "upload_unreadable"), (({},), "upload_unreadable")):
        checks.said = [said]
        assert code(lambda: run(arena)) == expected
        assert "dan" not in arena._uploads
    checks.said = [(link,)]
    assert code(lambda: run(arena, "ann")) == "upload_link"
    assert arena._uploads["ann"].code == "upload_link", "it is there since before the server was started"
    # refused by its check, and then unreadable
    checks.said = [({"version": "1"}, PASSED | {"refused": "it smells"}), (link,)]
    assert run(arena).stage == "refused"
    assert code(lambda: run(arena)) == "upload_link"
    assert arena._uploads["dan"].code == "upload_link"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(live, "_store", full)
    with pytest.raises(OSError, match="No space left"):
        run(arena)


def test_what_an_end_in_the_middle_left_is_put_right(tmp_path: Path) -> None:
    arena = night(tmp_path)
    arena._clear_up()  # nothing to do
    for name in ("ann", "dan"):
        (arena._replaced / name).mkdir(parents=True)
        (arena._replaced / name / "bot").write_text("old")
    arena._clear_up()
    assert (arena.arena.folder / "ann/bot").read_text() != "old"
    assert (arena.arena.folder / "dan/bot").read_text() == "old"
    assert not arena._replaced.exists()


# -- runs --------------------------------------------------------------------------------------------


def test_a_run_that_fails_is_started_again_and_one_that_ends_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = night(tmp_path)
    processes: list[Callable[[], Process]] = [
        lambda: Process({"done": 2, "of": 6}, {"code": "storage_failed", "text": "full"}, status=2),
        lambda: Process({"done": 2, "of": 6}, status=-9),
        lambda: Process("no JSON"),
        lambda: Process({"done": 6, "of": 6}),
    ]
    problems: list[str] = []

    async def process(self: LiveArena, *words: str, log: Path) -> Any:
        problems.append(self.problem)
        return processes.pop(0)()

    monkeypatch.setattr(LiveArena, "_process", process)
    monkeypatch.setattr(live, "_AGAIN_SECONDS", (0.0,))

    async def play() -> None:
        await arena.start()
        while processes or arena.running:  # noqa: ASYNC110  it says nothing when it is done
            await asyncio.sleep(0)
        for _ in range(20):  # would start a fifth, which there is not
            await asyncio.sleep(0)
        assert (arena.problem, arena.done, arena.steps) == ("", 6, 6)
        assert not arena._wanted.is_set()
        assert len(arena._tasks) == 1, "it waits for the next change"
        await arena.close()

    asyncio.run(play())
    assert problems[:2] == ["", "full"]
    assert problems[2].startswith("its process ended with status -9: see ")
    assert problems[3].startswith("its process sent an invalid report: ")


# -- what is read ------------------------------------------------------------------------------------


def test_the_board_is_read_once_for_each_that_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena, read = night(tmp_path), []
    whole = parse_json

    def parsed(text: bytes) -> Any:
        read.append(text)
        return whole(text)

    monkeypatch.setattr(live, "parse_json", parsed)
    assert arena.board == arena.board == BOARD
    assert len(read) == 1
    (arena.arena.site / "board.json").write_text("{}")
    assert arena.board == {}
    assert len(read) == 2


def test_a_game_of_ones_own_has_no_name_for_others(tmp_path: Path) -> None:
    arena = night(tmp_path)
    assert arena.state()["game"] == "holdem"
    (tmp_path / "mine.py").write_text(OWN_GAME)
    arena.arena.settings = attrs.evolve(arena.arena.settings, game=f"{tmp_path}/mine.py:MINE")
    assert arena.state()["game"] == ""


def test_a_rating_is_said_by_what_it_is_in() -> None:
    assert LiveArena.result_of({"bb_per_100": 1.5}) == {"bb_per_100": 1.5}
    assert LiveArena.result_of({"percent_of_buy_in": 2.5}) == {"percent_of_buy_in": 2.5}


def test_pages_are_those_of_the_site(tmp_path: Path) -> None:
    arena = night(tmp_path)
    for name in ("index.html", "other.html"):
        (arena.arena.site / name).write_text("page")
    assert arena.page("index.html") == arena.arena.site / "index.html"
    assert [arena.page(name) for name in ("match-aa11.html", "other.html", "board.json")] == [None] * 3


def test_a_log_is_of_ones_own_match_and_has_ones_own_part(tmp_path: Path) -> None:
    arena = night(tmp_path)
    assert [match["key"] for match in arena.matches_of("bob")] == ["aa11", "bb22"]
    assert arena.log_of("ann", "aa11") == "title\ndigest 1\nann: +1\n  | of ann\n\nerrors\na fault of ann"
    bob = "title\ndigest 1\nbob: -1\n  | of bob\n"
    assert arena.log_of("bob", "aa11") == f"{bob}\nerrors\na fault of bob"
    assert arena.log_of("bob", "bb22") == f"{bob}bob (copy): 0\n  | of the copy\n"
    assert arena.log_of("ann", "cc33") == "title\ndigest 1\nann: +1\n  | of ann\n", "there was no fault"
    for name, key in (("ann", "bb22"), ("ann", "dd44"), ("eve", "aa11")):
        with pytest.raises(TableRefusal, match=f"{name} has no match '{key}' on the board"):
            arena.log_of(name, key)


def test_nobody_writes_a_part_of_a_log_for_somebody_else() -> None:
    log = "title\ndigest\nann: +1\n  | bob: x\n\nbob: -1\n  | of bob\n\nann: a second\n  | forged\ncat: 0\n  | of cat\n"
    assert own_part(log, ["ann"]) == "title\ndigest\nann: +1\n  | bob: x\n"
    assert own_part(log, ["bob"]) == "title\ndigest\nbob: -1\n  | of bob\n"


# -- over HTTP ---------------------------------------------------------------------------------------


@asynccontextmanager
async def room(place: Path, **limits: int) -> AsyncIterator[tuple[Any, AsyncClient, AsyncClient, str]]:
    """Serve the arena; yield the server, two users, and the address."""
    folder = night(place).arena.folder
    async with (
        served(folder, **limits) as server,
        await come(server, "kim") as kim,
        await come(server, "lee") as lee,
    ):
        yield server, kim, lee, "http://{}:{}".format(*server.address)


def test_a_user_has_so_many_entrants_and_hands_in_so_often_in_an_hour(tmp_path: Path, checks: Checks) -> None:
    async def run() -> None:
        async with room(tmp_path, entrants_per_user=2, uploads_per_hour=4) as (server, kim, lee, _):
            for name in ("one", "two"):
                await kim.hand_in(name, program(CALLS))
                await until_checked(kim, name)
            assert await refused(kim.hand_in("three", program(CALLS))) == (503, "too_many")
            written: list[str] = []
            put = server.lobby.notes.put

            def noted(name: str, value: str | None) -> None:
                written.append(name)
                put(name, value)

            server.lobby.notes.put = noted
            for _ in range(2):
                await kim.hand_in("two", program(CALLS))
                await until_checked(kim, "two")
            assert not [name for name in written if name.startswith("entrant/")], "it is kim's already"
            assert await refused(kim.hand_in("two", program(CALLS))) == (429, "too_often")
            await lee.hand_in("of-lee", program(CALLS))  # whose hour is another
            assert [one["name"] for one in await kim.entrants()] == ["one", "two"]
            assert [one["name"] for one in await lee.entrants()] == ["of-lee"]
            assert await refused(lee.entrant("one")) == (404, "no_entrant")
            # what cannot be read costs nobody an entrant
            await until_checked(lee, "of-lee")
            for name in ("of-lee", "new"):
                checks.said = [({"code": "upload_link", "text": "a link"},)]
                assert await refused(lee.hand_in(name, program(CALLS))) == (400, "upload_link")
            assert [one["name"] for one in await lee.entrants()] == ["of-lee"]

    asyncio.run(run())


def test_an_entrant_is_shown_with_its_own_row_and_without_an_upload_if_there_was_none(
    tmp_path: Path, checks: Checks
) -> None:
    async def run() -> None:
        async with room(tmp_path) as (server, kim, _, url), httpx2.AsyncClient() as http:
            for name in ("bob", "cat"):
                server.lobby.notes.put(f"entrant/{name}", server.lobby.users.find("kim").id)
            bob, cat = await kim.entrant("bob"), await kim.entrant("cat")
            assert (bob["upload"], bob["standing"]["version"], bob["refused"]) == (None, "2", None)
            assert (cat["standing"], cat["refused"]) == (None, "it smells")
            assert cat["upload"]["stage"] == "failed"
            for name in ("bob", "cat"):
                answer = await http.get(f"{url}/arena/entrants/{name}?wait=30", auth=("kim", "secret12"))
                assert answer.status_code == 200
            plain = await http.get(f"{url}/arena/entrants/cat", auth=("kim", "secret12"))
            assert plain.json() == cat
            for wait in ("x", "-1", "nan"):
                answer = await http.get(f"{url}/arena/entrants/cat?wait={wait}", auth=("kim", "secret12"))
                assert (answer.status_code, answer.json()["code"]) == (400, "bad_spec")

    asyncio.run(run())


def test_pages_and_the_board_are_sent_to_those_who_do_not_have_them(tmp_path: Path, checks: Checks) -> None:
    async def run() -> None:
        async with room(tmp_path) as (server, _, _, url), httpx2.AsyncClient() as http:
            site = server.arena.arena.site
            first = await http.get(f"{url}/arena/")
            assert (first.status_code, first.headers["location"]) == (302, "/#/arena")
            assert (await http.get(f"{url}/arena/match-aa11.html")).status_code == 404
            for name in ("index.html", "match-aa11.html"):
                (site / name).write_text("<main>page</main>")
            assert "Hand in" in (await http.get(f"{url}/arena/")).text
            assert (await http.get(f"{url}/arena/match-aa11.html")).text == "<main>page</main>"
            for path in ("/arena/", "/arena/match-aa11.html", "/arena/board"):
                tag = (await http.get(url + path)).headers["etag"]
                again = await http.get(url + path, headers={"If-None-Match": tag})
                assert (again.status_code, again.content) == (304, b"")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("game", "blinds"), [("holdem", (1, 2)), ("stud", (1, 4)), ("double-board-holdem", (2, 2))]
)
def test_a_table_has_the_stakes_of_the_arena(tmp_path: Path, game: str, blinds: tuple[int, int]) -> None:
    arena = night(tmp_path, f"game = '{game}'\n{TOML}")
    setting = ArenaRoutes._setting(SimpleNamespace(_arena=arena), SimpleNamespace(id="1"), "ann")  # type: ignore[arg-type]
    assert (setting.small_blind, setting.big_blind) == blinds
