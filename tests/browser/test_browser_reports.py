"""The pages that commands write: nothing for axe-core, nothing too wide, dark where the screen is, no other file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from poker_actors.cli import main
from tests.browser.looks import SCHEMES, SIZES, Looks, findings, too_wide

BOTS = ("tight", "loose", "caller", "maniac", "pot-odds", "random")
SIX = [word for bot in BOTS for word in ("--bot", bot)]
ALL = ("minor", "moderate", "serious", "critical")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three pages, written by their commands."""
    made = tmp_path_factory.mktemp("pages")
    hands, report = made / "hands.phhs", made / "report.html"
    played = ["--hands", "60", "--seed", "1", "--phh", str(hands), "--report", str(report)]
    for arguments in (
        ["simulate", *SIX, *played],
        ["debug", "--seed", "7", "--export", str(made / "debug.html")],
        ["replay", str(hands), "--html", str(made / "replay.html")],
    ):
        assert main(arguments) == 0
    return made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails the test by an exception, a console error, or a request for anything but a file."""
    context = browser.new_context()
    problems: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    opened.on("request", lambda asked: problems.append(asked.url) if asked.url[:5] != "file:" else None)
    yield opened
    context.close()
    assert problems == []


@pytest.mark.parametrize(
    ("name", "keys"),
    [("report", ()), ("debug", ("ArrowRight",) * 30), ("replay", ("ArrowRight",) * 14), ("replay", ("End",))],
    ids=["report", "debug", "replay in the hand", "replay at the end"],
)
def test_pages_of_commands_pass_axe_in_both_themes_and_sizes(
    folder: Path, page: Page, name: str, keys: tuple[str, ...], looks: Looks
) -> None:
    page.goto((folder / f"{name}.html").as_uri())
    for key in keys:
        page.keyboard.press(key)
    # the cells of a report's grids are thousands, and no rule is about what is in a picture; its size stays
    page.evaluate("() => document.querySelectorAll('.grid g').forEach(one => one.remove())")
    grounds = set()
    for size, width, height, scheme in looks(SIZES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        assert findings(page, ALL) == [], f"{size}, {scheme}"
        assert too_wide(page) <= 0, size
        grounds.add(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == len(SCHEMES)


def test_nothing_in_a_report_is_cut_on_a_phone(folder: Path, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto((folder / "report.html").as_uri())
    boxes = page.locator("[role=region]")
    assert boxes.count() > 5
    assert boxes.evaluate_all("all => all.filter(box => box.scrollWidth > box.clientWidth).length") == 0
    page.get_by_role("link", name="Starting hands").click()
    page.wait_for_function("() => scrollY > 0")


def test_a_replayed_hand_is_drawn_as_at_the_table_and_can_be_searched(folder: Path, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((folder / "replay.html").as_uri())
    assert page.locator("#table .seat").count() == 6
    assert not page.locator("#actors").is_visible()
    folded = 0
    for _ in range(60):
        assert page.locator("#table .dealer:visible").count() == 1
        folds = page.locator("#table .seat[data-state=folded]").count()
        assert folds >= folded, "who has folded stays so"
        folded = folds
        if page.locator("#said").inner_text().split(": ")[1].startswith("result"):
            break
        page.keyboard.press("ArrowRight")
    assert folded
    page.locator("#search").fill("wins")
    assert "wins" in page.locator("#said").inner_text()
    assert page.locator("#found").inner_text().startswith(str(page.locator("#messages button").count()))
