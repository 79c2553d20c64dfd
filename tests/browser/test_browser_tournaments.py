"""A tournament is announced, filled with bots and played on the page, to its results."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.browser.looks import SIZES, SMALL, findings, out_of_reach, too_wide
from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]

FOLD = """() => { document.querySelector(".controls:not(.idle) .act.fold:enabled")?.click(); }"""
ALL_IN = """() => {
  const controls = document.querySelector(".controls:not(.idle)");
  [...controls?.querySelectorAll(".preset:enabled") ?? []].at(-1)?.click();
  (controls?.querySelector(".act.raise:enabled") ?? controls?.querySelector(".act.call:enabled"))?.click();
}"""
"""At once: a turn that ends meanwhile, as the server's clock says, leaves nobody waiting for its buttons."""


def test_a_tournament_is_made_filled_entered_late_and_played_to_its_results_on_the_page(visit: Visit) -> None:
    ann = visit()
    ann.enter()
    ann.come()
    ann.press("Make a tournament")
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Sunday")
    dialog.get_by_label("Players").fill("3")
    dialog.get_by_label("Late entry, levels").fill("16")
    dialog.get_by_label("Rebuys each").fill("1")
    assert findings(ann.page) == []
    dialog.get_by_role("button", name="Make it and enter").click()
    ann.page.get_by_text("1 of 3 are in").wait_for()
    ann.press("Fill with bots and begin")
    ann.page.locator(".act.call:enabled, .act.fold:enabled").first.wait_for()
    level = ann.page.locator(".level")
    ann.until(
        lambda: re.search(r"15/30 in \d:\d\d\.", level.inner_text()) is not None, "the clock of the level"
    )
    words = r"Level 1: 10/20. [123](st|nd|rd) of 3, \d+\.\d big blinds. Prizes: .*"
    assert re.match(words, level.inner_text()) is not None, level.inner_text()
    assert ann.page.get_by_role("button", name="Take a seat").count() == 0
    for width, height in (SIZES | SMALL).values():
        ann.page.set_viewport_size({"width": width, "height": height})
        assert too_wide(ann.page) <= 0
        assert out_of_reach(ann.page) == []
    ann.page.set_viewport_size({"width": 1280, "height": 800})
    bob = visit()
    bob.enter()
    bob.come(ann.page.url.removeprefix(ann.url))
    bob.page.get_by_text("Late entry and 1 rebuy each until the end of level 16.").wait_for()
    bob.press("Enter")
    ann.until(lambda: ann.page.evaluate(FOLD) or bob.may_act, "a hand with bob in it")

    def over() -> bool:
        for one in (ann, bob):
            one.page.evaluate(ALL_IN)
        return ann.page.get_by_text("has won.").is_visible()

    ann.until(over, "the end of the tournament")
    assert ann.page.locator(".standings tbody tr").count() == 4
    assert findings(ann.page) == []
    ann.come("/")
    ann.page.get_by_role("link", name="Sunday, is over").wait_for()
    for width, height in (SIZES | SMALL).values():
        ann.page.set_viewport_size({"width": width, "height": height})
        assert too_wide(ann.page) <= 0, (width, height)
