"""The arena in the browser: the board, served and written, handing in, one's own logs, and sitting down with an entrant."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from poker_actors.arena import Arena, write_site
from tests.browser.looks import SCHEMES, SIZES, Looks, findings, product, too_wide
from tests.browser.room_process import RoomProcess
from tests.browser.visitor import Visitor
from tests.unit.arena.places import CALLS, CRASHES, PROGRAM, RAISES, laid

PICTURES = os.environ.get("POKER_SCREENS") == "write"
TOML = """
hands = 32
check_hands = 16
cage = false
[limits]
decision_seconds = 5
"""


@pytest.fixture(scope="module")
def arena_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoomProcess]:
    place = tmp_path_factory.mktemp("arena")
    folder = laid(place / "night", TOML, ann=CALLS, bob=RAISES, cat=CRASHES)
    room = RoomProcess(place / "room.db", "--arena", str(folder), "--workers", "1")
    yield room
    room.stop()


@pytest.fixture
def come(browser: Browser, arena_room: RoomProcess) -> Iterator[Callable[..., Visitor]]:
    arena_room.ensure()
    visitors: list[Visitor] = []

    def come(**options: object) -> Visitor:
        visitors.append(Visitor(browser, arena_room.url, **options))  # type: ignore[arg-type]  # options of the browser
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.close()
    print(arena_room.said())  # shown by pytest if the test fails
    assert [problem for visitor in visitors for problem in visitor.problems] == []


def until_played(visitor: Visitor, entrants: int) -> None:
    def played() -> bool:
        told = visitor.ask("GET", "/arena/state")
        return not told["running"] and len(told["entrants"]) >= entrants

    visitor.until(played, f"{entrants} entrants on the board")


def test_somebody_hands_in_reads_the_log_and_sits_down(
    come: Callable[..., Visitor], tmp_path: Path, looks: Looks
) -> None:
    kim = come()
    kim.enter("kim k")
    until_played(kim, 3)
    kim.come("/")
    kim.page.get_by_role("link", name="The arena").click()
    kim.page.get_by_role("heading", name="The arena").wait_for()
    bot = tmp_path / "mine.py"
    bot.write_text(
        PROGRAM % "    print('mine alone', file=sys.stderr)\n    answer = {'act': call}", encoding="utf-8"
    )
    kim.page.get_by_label("Name of the entrant").fill("kim's?")
    kim.page.get_by_label("Archive or file").set_input_files(bot)
    kim.outages = True  # the browser writes the refusal to its console
    kim.press("Hand in")
    kim.page.get_by_text("is not an entrant's name").wait_for()
    kim.outages = False
    kim.page.get_by_label("Name of the entrant").fill("kim")
    kim.press("Hand in")
    kim.page.get_by_text("Last upload: taken").wait_for()
    until_played(kim, 4)
    kim.page.get_by_text("Logs of its matches").click()
    kim.press("Log of kim against ann")
    kim.page.locator(".entrant-log", has_text="mine alone").wait_for()
    assert "  | mine alone" in kim.page.locator(".entrant-log").inner_text()
    look_at_own(kim, looks)
    kim.press("Sit down with kim")
    kim.until(lambda: kim.may_act, "a hand with the entrant, and the turn")
    kim.page.locator(".act.call, .act.check").first.click()
    kim.until(
        lambda: len({(one["hand_id"], one["seq"]) for one in kim.frames}) > 2, "the entrant takes its turn"
    )


def look_at_own(visitor: Visitor, looks: Looks) -> None:
    """Look at one's own entrant with its log, on a desk and a phone, in both themes."""
    for _, width, height, scheme in (product if PICTURES else looks)(SIZES):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.emulate_media(color_scheme=scheme)
        own = visitor.page.get_by_role("heading", name="Yours")
        own.evaluate("one => one.scrollIntoView({block: 'start'})")
        assert too_wide(visitor.page) <= 0
        assert findings(visitor.page) == []
        picture(visitor, f"own-{width}-{scheme}")
    visitor.page.set_viewport_size({"width": 1280, "height": 800})


def picture(visitor: Visitor, name: str) -> None:
    if PICTURES:
        place = Path(__file__).parents[2] / f"docs/pictures/arena-served-{name}.jpg"
        place.write_bytes(visitor.page.screenshot(type="jpeg", quality=70))  # else playwright leaves a thread


def test_the_board_and_the_page_of_uploads_look_right(come: Callable[..., Visitor], looks: Looks) -> None:
    for _, width, height, scheme in (product if PICTURES else looks)(SIZES):
        visitor = come(viewport={"width": width, "height": height}, color_scheme=scheme)
        visitor.enter()
        until_played(visitor, 3)
        visitor.come("/arena/")
        screens = {"board": "h1", "mine": ".entrants h3"}
        for screen, there in screens.items():
            if screen == "mine":
                visitor.page.get_by_role("link", name="Hand in").click()
            visitor.page.locator(there).first.wait_for()
            assert too_wide(visitor.page) <= 0
            assert findings(visitor.page) == []
            if screen == "board":
                picture(visitor, f"board-{width}-{scheme}")


def test_hands_of_the_board_replay_in_a_sandbox_that_has_no_session(come: Callable[..., Visitor]) -> None:
    visitor = come()
    visitor.enter()
    until_played(visitor, 3)
    visitor.come("/arena/")
    visitor.page.locator(".cross td a").first.click()
    visitor.page.get_by_role("heading", name="The largest hands").wait_for()
    visitor.page.locator("a[href^='hands-']:not([download])").first.click()
    visitor.page.get_by_role("button").first.wait_for()
    assert visitor.page.evaluate("() => { try { return document.cookie } catch { return 'none' } }") == "none"
    assert visitor.page.evaluate("() => origin") == "null"
    # the visitor's own script looks for settings, which a sandbox has none of
    visitor.problems = [one for one in visitor.problems if "The document is sandboxed" not in one]


LONG = "an entrant whose name has forty letters."
SITE_TOML = TOML.replace("cage = false", "cage = false\ncontrol = true\nhouse = ['tight', 'loose']")

CUT_OFF = """() => [...document.querySelectorAll('.board tbody :is(th, td), svg.lines text')].filter((one) => {
  const box = one.getBoundingClientRect(), all = one.closest('svg, .board').getBoundingClientRect();
  return box.width && (box.left < all.left - 1 || box.right > all.right + 1);
}).map((one) => one.textContent)"""
"""What of the board, or of a picture, is not wholly in its frame."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The written site of an arena with a long name, faults, and somebody who is refused."""
    folder = laid(
        tmp_path_factory.mktemp("site") / "night", SITE_TOML, ann=RAISES, cat=CRASHES, **{LONG: CALLS}
    )
    (folder / "empty").mkdir()
    arena = Arena(folder)
    write_site(arena, arena.run(), folder / "site")
    return folder / "site"


@pytest.fixture
def phone(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme=request.param, has_touch=True, is_mobile=True
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("phone", SCHEMES, indirect=True)
def test_the_written_site_is_walked_on_a_phone_from_the_crosstable_to_a_hand(
    phone: Page, written: Path, request: pytest.FixtureRequest
) -> None:
    asked: list[str] = []
    phone.on("request", lambda one: asked.append(one.url))
    phone.goto((written / "index.html").as_uri())
    looked_at(phone, "board", request)
    phone.locator(".cross td a").first.tap()
    phone.get_by_role("heading", name="The largest hands").wait_for()
    looked_at(phone, "match", request)
    phone.locator("a[href^='hands-']:not([download])").nth(1).tap()
    phone.wait_for_url("**/hands-*.html#2")
    before = phone.locator("main, body").first.inner_text()
    phone.keyboard.press("ArrowRight")
    phone.wait_for_function("before => document.querySelector('main, body').innerText !== before", arg=before)
    looked_at(phone, "hand", request)
    phone.get_by_role("link", name="The match").tap()
    phone.get_by_role("link", name="Standings").tap()
    phone.get_by_role("link", name=LONG).first.tap()
    phone.get_by_role("heading", name="Style by position").wait_for()
    looked_at(phone, "entrant", request)
    for page in sorted(written.glob("*.html")):
        phone.goto(page.as_uri())
        assert too_wide(phone) <= 0, page.name
    assert {url for url in asked if not url.startswith((written.as_uri(), "data:"))} == set()


COVERED = """() => {
  const box = document.querySelector('#street').getBoundingClientRect();
  return [...document.querySelectorAll('.bet, .did')].map((one) => one.getBoundingClientRect()).filter((one) =>
    one.width && one.bottom > box.top && one.top < box.bottom && one.right > box.left && one.left < box.right).length;
}"""
"""How many bets, and words of what somebody did, lie over the name of the street."""


@pytest.mark.parametrize("size", SIZES.values())
def test_no_bet_covers_the_name_of_the_street_and_a_copy_of_oneself_is_written_out(
    browser: Browser, written: Path, size: tuple[int, int]
) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(sorted(written.glob("hands-*.html"))[0].as_uri())
    bets = 0
    for _ in range(8):
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.getAnimations().every((one) => one.playState === 'finished')")
        bets += page.locator(".bet").count()
        assert page.locator("#street").inner_text()
        assert page.evaluate(COVERED) == 0
    assert bets
    page.goto((written / "entrant-ann.html").as_uri())
    copy = page.get_by_role("rowheader", name="a copy of itself")
    assert copy.evaluate("one => one.scrollWidth - one.clientWidth") == 0
    page.close()


def looked_at(page: Page, name: str, request: pytest.FixtureRequest) -> None:
    """Hold a page to its looks; draw it if asked."""
    assert too_wide(page) <= 0
    assert page.evaluate(CUT_OFF) == []
    assert findings(page) == []
    if PICTURES:
        scheme = request.node.callspec.params["phone"]
        place = Path(os.environ.get("POKER_SCREENS_INTO", "docs/pictures"))
        (place / f"arena-{name}-{scheme}.png").write_bytes(page.screenshot(full_page=True))


def test_the_command_on_a_page_opens_the_debugger_at_the_hand(browser: Browser, written: Path) -> None:
    page = browser.new_page()
    page.goto((written / "index.html").as_uri())
    page.get_by_role("link", name=LONG).first.click()
    page.get_by_role("row", name="a copy of itself").get_by_role("link").first.click()
    command = page.locator("pre").inner_text()
    page.close()
    words = shlex.split(command)
    assert words[0] == "poker-actors"
    said = subprocess.run(
        [sys.executable, "-m", "poker_actors", *words[1:]],
        cwd=written,
        input="quit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.startswith("a recorded hand: No-limit hold'em 1/2, 2 players")
    assert "  an entrant..letters. " in said.stdout
    assert "  an entrant..tters.-2 " in said.stdout
    assert said.stderr == ""
