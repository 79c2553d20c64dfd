"""How the page looks: nothing serious for axe-core, nothing out of reach on a phone, and the pictures of the docs.

Run with POKER_SCREENS=write to store the pictures in docs/pictures, and look at them before committing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.browser.looks import SIZES, SMALL, Looks, findings, out_of_reach, product, too_wide
from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def look_at(visitor: Visitor, name: str, sizes: Mapping[str, tuple[int, int]], looks: Looks) -> None:
    """Look at what is shown in these sizes and both themes; nothing may be wrong in any of them."""
    page = visitor.page
    writes = os.environ.get("POKER_SCREENS") == "write"
    for size, width, height, scheme in (product if writes else looks)(sizes):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        # the seats take their new places in a frame or two
        page.evaluate("() => new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))")
        assert findings(page) == [], f"{name}, {size}, {scheme}"
        assert too_wide(page) <= 0, f"{name}, {size}"
        assert out_of_reach(page) == [], f"{name}, {size}, {scheme}"
        if writes and size in SIZES:
            shot = page.screenshot(type="jpeg", quality=88)
            (PICTURES / f"server-{name}-{size}-{scheme}.jpg").write_bytes(shot)


def sit_down(visitor: Visitor, *bots: str, **setting: object) -> None:
    visitor.enter("Ann" if setting["seats"] == 7 else "Zoë")
    asked = {"pause": 0, "think": 0, "name": "Friday night", **setting}
    game = visitor.ask("POST", "/games/", asked)["gameID"]
    visitor.ask("POST", f"/games/{game}/house", {"bots": bots})
    visitor.come(f"/#/table/{game}")


def test_lobby_and_table_pass_axe_in_both_themes_and_sizes(visit: Visit, looks: Looks) -> None:
    ann = visit()
    sit_down(ann, "tight", "caller", "loose", "pot-odds", "maniac", seats=7)

    def facing_a_bet() -> bool:
        if not ann.may_act:
            return False
        last = ann.frames[-1]
        to_call = last["you"]["legal"]["to_call"]
        all_in_it = all(seat["state"] != "waiting" for seat in last["seats"])
        if all_in_it and last["street"] in ("flop", "turn") and to_call and last["you"]["legal"]["raise_to"]:
            return True
        ann.page.locator(".act.call" if to_call < 1_000 else ".act.fold").click()
        return False

    ann.until(facing_a_bet, "a bet after the flop")
    look_at(ann, "hand", SIZES | SMALL, looks)
    ann.page.set_viewport_size({"width": 1280, "height": 800})
    ann.page.keyboard.press("?")
    assert findings(ann.page) == []
    ann.page.keyboard.press("Escape")
    ann.ask("POST", "/games/", {"small_blind": 50, "big_blind": 100, "seats": 2, "name": "Heads-up"})
    ann.come("/#/")
    ann.page.locator(".table-row", has_text="Heads-up").wait_for()
    look_at(ann, "lobby", SIZES, looks)
    ann.press("Make a table")
    assert findings(ann.page) == []


def test_ten_seats_fit_a_narrow_phone(visit: Visit) -> None:
    ann = visit()
    bots = ["caller", "tight", "loose"]
    sit_down(ann, *(bots[seat % 3] for seat in range(9)), seats=10)
    ann.page.set_viewport_size({"width": 360, "height": 740})
    ann.until(lambda: ann.may_act and ann.page.locator(".seat").count() == 10, "a turn with ten at the table")
    for wanted in (".seat .plate", ".acts button", ".presets button", ".amounts input"):
        for box in ann.page.locator(wanted).evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().toJSON())"
        ):
            assert box["left"] >= 0, wanted
            assert box["right"] <= 360, wanted
            assert box["bottom"] <= 740, wanted
    boxes = ann.page.locator(".seat .plate").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )
    for place, one in enumerate(boxes):
        for other in boxes[:place]:
            apart = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]


def test_the_theme_is_kept_and_stillness_is_respected(visit: Visit) -> None:
    eve = visit(color_scheme="dark", reduced_motion="reduce")
    eve.come()
    eve.page.get_by_role("heading", name="Tables").wait_for()

    def ground() -> str:
        return str(eve.page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor"))

    dark = ground()
    eve.press("Change between dark and light")
    light = ground()
    assert light != dark
    eve.page.reload()
    assert ground() == light
    still = eve.page.evaluate("() => getComputedStyle(document.querySelector('button')).transitionDuration")
    assert still == "0s"


@pytest.mark.parametrize(
    "kept", ["a name that is <script>alert(1)</script>", "ein ganz langer Name, 32 Zeichen"]
)
def test_a_name_is_text_wherever_it_is_shown(visit: Visit, kept: str) -> None:
    ann = visit()
    ann.enter(kept[-32:])
    ann.come()
    game = ann.ask("POST", "/games/", {"name": kept[-32:]})["gameID"]
    ann.page.locator(".table-row", has_text=kept[-32:]).wait_for()
    ann.page.set_viewport_size({"width": 360, "height": 740})
    assert too_wide(ann.page) <= 0
    ann.come(f"/#/table/{game}")
    assert ann.page.locator(".seat.mine .name").inner_text() == kept[-32:]
    assert ann.page.locator("#where b").inner_text() == kept[-32:]
    assert too_wide(ann.page) <= 0
