"""The debugger's page in a browser: it scrubs, is searched, looks as the server's does, and works in a notebook's frame."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from poker_actors.debug import Stepper, page
from tests.browser.looks import SIZES, Looks, findings, too_wide
from tests.browser.visitor import PATIENCE

DIVIDES = f"{Path(__file__).parents[2] / 'examples' / 'broken' / 'divides.py'}:bot"


@pytest.fixture
def opened(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1_000)
    problems: list[str] = []
    shown = context.new_page()
    shown.on("console", lambda one: problems.append(one.text) if one.type in ("error", "warning") else None)
    shown.on("pageerror", lambda error: problems.append(str(error)))
    yield shown
    context.close()
    assert problems == []


def exported(place: Path, **settings: object) -> tuple[str, int]:
    """Write a page; gives its address and the number of its last position."""
    with Stepper(**settings) as stepper:  # type: ignore[arg-type]
        stepper.run()
        place.write_text(page(stepper), encoding="utf-8")
        return place.as_uri(), stepper.position


def count(opened: Page) -> str:
    return opened.locator("#count").inner_text()


def test_the_page_scrubs_by_slider_keys_buttons_and_list(opened: Page, tmp_path: Path) -> None:
    address, last = exported(tmp_path / "hand.html", bots=["caller", "random", "tight"], seed=7)
    opened.goto(address)
    assert count(opened) == f"0 of {last}"
    assert opened.locator("#messages button").count() == last + 1
    opened.get_by_role("button", name="next").click()
    assert count(opened) == f"1 of {last}"
    opened.locator("h1").click()  # keys are the page's wherever no text is typed
    opened.keyboard.press("ArrowRight")
    assert count(opened) == f"2 of {last}"
    opened.keyboard.press("ArrowLeft")
    assert count(opened) == f"1 of {last}"
    opened.locator("#at").fill("9")
    assert count(opened) == f"9 of {last}"
    opened.locator("#messages button").nth(4).click()
    assert count(opened) == f"4 of {last}"
    opened.keyboard.press("End")
    opened.keyboard.press("ArrowRight")
    assert count(opened) == f"{last} of {last}"
    assert opened.locator("#messages [aria-current]").count() == 1
    assert opened.locator("#table .seat").count() == 3
    assert opened.locator("#table .board [data-card]").count() == 5
    assert "wins" in opened.locator("#table .result").inner_text()
    opened.keyboard.press("Home")
    assert count(opened) == f"0 of {last}"


def test_on_a_phone_keys_move_the_list_and_never_the_page(opened: Page, tmp_path: Path) -> None:
    address, last = exported(tmp_path / "hand.html", bots=["caller", "random", "tight"], seed=7)
    opened.set_viewport_size({"width": 390, "height": 844})
    opened.goto(address)
    for key, at in (("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1)):
        opened.keyboard.press(key)
        assert count(opened) == f"{at} of {last}"
        assert opened.evaluate("window.scrollY") == 0, f"{key} scrolls the table away"
        inside = opened.evaluate(
            "() => { const box = document.getElementById('messages').getBoundingClientRect();"
            " const one = document.querySelector('#messages [aria-current]').getBoundingClientRect();"
            " return one.top >= box.top - 1 && one.bottom <= box.bottom + 1; }"
        )
        assert inside, f"{key} leaves the list where it was"


def test_faults_states_and_reasons_are_found_and_the_page_passes_axe_in_both_themes_and_sizes(
    opened: Page, tmp_path: Path, looks: Looks
) -> None:
    address, _ = exported(tmp_path / "night.html", bots=[DIVIDES, "tight", "loose"], seed=3, hands=5)
    opened.goto(address)
    for words, where in (("fault", "#wrong"), ("stack", "#changed"), ("posts small blind", "#why")):
        opened.locator("#search").fill(words)
        assert words in opened.locator(where).inner_text()
        assert "of" in opened.locator("#found").inner_text()
    opened.locator("#actors summary").first.click()
    for _, width, height, scheme in looks(SIZES):
        opened.set_viewport_size({"width": width, "height": height})
        opened.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert findings(opened) == [], f"{width}, {scheme}"
        assert too_wide(opened) <= 0, f"{width}, {scheme}"


def test_a_notebooks_frame_has_the_page_and_its_slider_steps(opened: Page) -> None:
    with Stepper(seed=7) as stepper:
        shown = page(stepper)._repr_html_()  # type: ignore[attr-defined]
    opened.set_content(f"<!doctype html><body>{shown}</body>")
    frame = opened.frame_locator("iframe")
    frame.locator("#at").fill("12")
    assert frame.locator("#count").inner_text().startswith("12 of ")
    assert frame.locator("#table .seat").count() == 6
