"""Two boards, rows of open-face and dealer's choice on a phone's page: drawn, played, told and replayed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.looks import SMALL, Scheme, findings, out_of_reach, too_wide
from tests.browser.test_browser_other_games import PHONE, asked
from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]


def sit_down(visitor: Visitor, game: str, bots: int, **more: Any) -> str:
    visitor.enter()
    setting = {"pause": 0, "think": 0, "name": "Friday night", "game": game, "seats": bots + 1, **more}
    made = str(visitor.ask("POST", "/games/", setting)["gameID"])
    visitor.ask("POST", f"/games/{made}/house", {"bots": ["caller"] * bots})
    visitor.come(f"/#/table/{made}")
    return made


def look_at(visitor: Visitor, name: str, folder: Path) -> None:
    """Nothing may be wrong, wider than the screen or out of reach; a picture is kept beside the test's files."""
    visitor.page.evaluate(
        "() => new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))"
    )
    (folder / f"{name}.png").write_bytes(visitor.page.screenshot())
    assert findings(visitor.page) == []
    assert too_wide(visitor.page) <= 0


def replayed(visitor: Visitor) -> list[str]:
    """Replay the first hand to its end; gives the words of every step."""
    visitor.page.keyboard.press("h")
    visitor.press("Replay hand 1")
    replayer = visitor.page.frame_locator(".replayer")
    said = []
    for _ in range(int(replayer.get_by_label("messages delivered").get_attribute("max") or 0)):
        visitor.page.keyboard.press("ArrowRight")
        said.append(replayer.locator("#said").inner_text())
    return said


@pytest.mark.parametrize("size", [(390, 844), SMALL["small phone"]])
def test_both_boards_are_drawn_told_and_replayed(visit: Visit, size: tuple[int, int], tmp_path: Path) -> None:
    width, height = size
    ann = visit(viewport={"width": width, "height": height})
    sit_down(ann, "double-board-holdem", 5, pause=60)

    def over() -> bool:
        if asked(ann):
            ann.page.locator(".act.call").click()
        return bool(ann.frames and ann.frames[-1]["over"] and ann.frames[-1]["winners"])

    ann.until(over, "the end of a hand on two boards")
    last = ann.frames[-1]
    for number in (1, 2):
        drawn = ann.page.get_by_role("group", name=f"Board {number}", exact=True).locator("[data-card]")
        assert drawn.evaluate_all("all => all.map(one => one.dataset.card)") == last["boards"][number - 1]
    look_at(ann, f"two-boards-{width}", tmp_path)
    assert out_of_reach(ann.page) == []
    said = ann.page.locator(".log").text_content() or ""
    assert "Board 1. Turn: " in said
    assert "Board 2. River: " in said
    # half the pot, or a part of it where hands are equal: the cards are drawn anew each time
    assert re.search(r"wins? \d+[^.]* on board 2 with ", said)
    words = replayed(ann)
    look_at(ann, f"replayed-{width}", tmp_path)
    assert any("board 2, the flop: " in one for one in words)
    assert ann.page.frame_locator(".replayer").locator(".boards .board").count() == 2


@pytest.mark.parametrize(
    ("size", "scheme"), [((390, 844), "dark"), (SMALL["small phone"], "light"), ((844, 390), "dark")]
)
def test_cards_are_laid_in_rows_by_touch_and_by_keys(
    visit: Visit, size: tuple[int, int], scheme: Scheme, tmp_path: Path
) -> None:
    width, height = size
    zoe = visit(viewport={"width": width, "height": height}, color_scheme=scheme)
    sit_down(zoe, "open-face-pineapple", 2, pause=60)
    zoe.until(lambda: asked_to_lay(zoe), "cards to lay")
    first = zoe.frames[-1]["you"]["cards"]
    assert zoe.page.locator(".lay-card").count() == 5
    for key in "bbmmt":
        zoe.page.keyboard.press(key)
    assert zoe.page.locator(".rows .card.pending").count() == 5
    look_at(zoe, f"rows-{width}-{scheme}", tmp_path)
    zoe.page.locator(".act.call").click()
    zoe.until(lambda: asked_to_lay(zoe) and zoe.frames[-1]["you"]["cards"] != first, "three cards more")
    rows = zoe.frames[-1]["open_face"]["rows"][zoe.frames[-1]["you"]["seat"]]
    assert rows == [[first[4]], first[2:4], first[:2]]
    zoe.page.get_by_role("button", name="Bottom").click()
    zoe.page.get_by_role("button", name="Middle").click()
    look_at(zoe, f"rows-later-{width}-{scheme}", tmp_path)
    assert zoe.page.locator(".act.call").inner_text().startswith("Lay 2 cards, throw 1 away")
    play_out(zoe)
    look_at(zoe, f"rows-over-{width}-{scheme}", tmp_path)
    said = zoe.page.locator(".log").text_content() or ""
    assert "in the bottom row" in said
    assert "The rows are scored: " in said
    words = replayed(zoe)
    look_at(zoe, f"replayed-{width}-{scheme}", tmp_path)
    assert any(" lays " in one for one in words)
    assert any("point" in one for one in words)
    stage = zoe.page.frame_locator(".replayer").locator("#table .stage").bounding_box()
    messages = zoe.page.frame_locator(".replayer").locator("#said").bounding_box()
    assert stage is not None
    assert messages is not None
    assert stage["height"] > 300
    assert messages["y"] >= stage["y"] + stage["height"]


def asked_to_lay(visitor: Visitor) -> bool:
    return asked_shown(visitor) and visitor.frames[-1]["you"]["legal"]["lay"] is not None


def asked_shown(visitor: Visitor) -> bool:
    """Whether the page offers cards to lay, those of the newest picture."""
    offered = visitor.page.locator(".lays:not([hidden]) .lay-card").evaluate_all(
        "all => all.map(one => one.dataset.card)"
    )
    you = visitor.frames[-1]["you"] if visitor.frames else None
    return bool(offered) and you is not None and you["legal"] is not None and offered == you["cards"]


def play_out(visitor: Visitor) -> None:
    def over() -> bool:
        if visitor.frames[-1]["over"]:
            return True
        if asked_to_lay(visitor):
            for _ in range(20):
                if visitor.page.locator(".act.call").is_enabled():
                    break
                visitor.page.locator(".lay-row:enabled").last.click()
            seq = visitor.frames[-1]["seq"]
            visitor.page.locator(".act.call").click()
            visitor.until(lambda: bool(visitor.frames[-1]["seq"] != seq), "the cards lie")
        return False

    visitor.until(over, "the end of the hand")


def test_the_dealer_names_the_game_in_a_dialog(visit: Visit, tmp_path: Path) -> None:
    ann = visit(**PHONE)
    sit_down(ann, "dealers-choice", 1)
    ann.until(lambda: bool(ann.frames and ann.frames[-1]["choice"]), "a game to be named")
    dialog = ann.page.get_by_role("dialog", name="Name the game")
    dialog.wait_for()
    look_at(ann, "naming", tmp_path)
    dialog.get_by_role("button", name="Fixed-limit razz").click()
    ann.until(
        lambda: ann.frames[-1]["plays"] == "Fixed-limit razz" and bool(ann.frames[-1]["hand_id"]), "razz"
    )
    assert ann.page.get_by_role("dialog").count() == 0


def test_a_table_of_several_games_is_made_in_the_dialog(visit: Visit, tmp_path: Path) -> None:
    ann = visit(**PHONE)
    ann.enter()
    ann.come("/")
    ann.press("Make a table")
    dialog = ann.page.get_by_role("dialog")
    dialog.locator("select[name=game]").select_option(label="Several games in turn…")
    for game in ("No-limit hold'em", "Fixed-limit razz"):
        dialog.get_by_label(game, exact=True).check()
    look_at(ann, "several", tmp_path)
    dialog.get_by_role("button", name="Make it and sit down").click()
    ann.page.locator(".table").wait_for()
    assert "holdem+razz" in [one["plays"] for one in ann.ask("GET", "/lobby")["games"]]
