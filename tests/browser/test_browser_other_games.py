"""Stud and draw on a phone's page: open and face-down cards, the bring-in, cards to throw away."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.browser.looks import findings, out_of_reach, too_wide
from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
PHONE = {"viewport": {"width": 390, "height": 844}}


def sit_down(visitor: Visitor, game: str) -> None:
    visitor.enter("Bea" if game == "stud" else "Max")
    setting = {"pause": 0, "think": 0, "name": "Friday night", "game": game, "seats": 6}
    made = visitor.ask("POST", "/games/", setting)["gameID"]
    visitor.ask("POST", f"/games/{made}/house", {"bots": ["caller"] * 5})
    visitor.come(f"/#/table/{made}")


def asked(visitor: Visitor) -> bool:
    """Whether it is this player's turn; nobody folds in a draw or instead of a bring-in."""
    return visitor.page.locator(".controls:not(.idle) .act.call:enabled").count() > 0


def look_at(visitor: Visitor, name: str) -> None:
    """Nothing may be wrong or out of reach; with POKER_SCREENS=write there is a picture."""
    visitor.page.evaluate(
        "() => new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))"
    )
    if os.environ.get("POKER_SCREENS") == "write":
        (PICTURES / f"server-{name}-phone.jpg").write_bytes(visitor.page.screenshot(type="jpeg", quality=88))
    assert findings(visitor.page) == []
    assert out_of_reach(visitor.page) == []
    assert too_wide(visitor.page) <= 0


def test_seven_streets_of_stud_fit_on_a_phone(visit: Visit) -> None:
    ann = visit(**PHONE)
    sit_down(ann, "stud")

    def on_seventh_street() -> bool:
        if not asked(ann):
            return False
        last = ann.frames[-1]
        if last["street"] == "seventh":
            return True
        ann.page.locator(".act.call").click()
        return False

    ann.until(on_seventh_street, "the last card")
    assert ann.page.locator(".seat.mine .card").count() == 7
    assert ann.page.locator(".seat.mine .card.lies-open").count() == 4
    others = [seat for seat in ann.frames[-1]["seats"] if seat["state"] == "active" and seat["cards"] is None]
    for seat in others:
        assert (seat["hidden"], len(seat["up"])) == (3, 4)
        drawn = ann.page.locator(f'.seat[data-seat="{seat["seat"]}"]')
        assert drawn.locator(".card.back").count() == 3
        assert drawn.locator(".card:not(.back)").count() == 4
    look_at(ann, "stud")
    said = ann.page.get_by_label("What happened").text_content() or ""
    assert "Sixth street: " in said
    assert "Seventh street." in said
    replay_the_hand(ann)
    assert ann.problems == []


def replay_the_hand(ann: Visitor) -> None:
    """Play the hand out, and look at its end in the replayer: open cards, backs, no board."""
    hand = ann.frames[-1]["hand_id"]

    def over() -> bool:
        if asked(ann) and ann.frames[-1]["hand_id"] == hand:
            ann.page.locator(".act.call").click()
        return bool(ann.frames[-1]["hand_id"] != hand)

    ann.until(over, "the next hand")
    ann.page.keyboard.press("h")
    ann.press("Replay hand 1")
    replayer = ann.page.frame_locator(".replayer")
    replayer.locator("#table .seat").first.wait_for()
    for _ in range(80):
        ann.page.keyboard.press("ArrowRight")
    assert replayer.locator(".board .card").count() == 0
    assert replayer.locator(".card:not(.back)").count() > 7
    assert too_wide(ann.page) <= 0


def test_cards_are_thrown_away_by_touching_them(visit: Visit) -> None:
    zoe = visit(**PHONE)
    sit_down(zoe, "2-7-triple-draw")

    def at_a_draw() -> bool:
        if not asked(zoe):
            return False
        if zoe.frames[-1]["you"]["legal"]["discards"]:
            return True
        zoe.page.locator(".act.call").click()
        return False

    zoe.until(at_a_draw, "a draw")
    held = zoe.frames[-1]["you"]["cards"]
    buttons = zoe.page.locator(".throws .throw")
    assert buttons.count() == 5
    assert zoe.page.locator(".act.call").inner_text().startswith("Stand pat")
    assert zoe.page.locator(".act.fold").is_disabled()
    buttons.nth(0).click()
    buttons.nth(3).click()
    look_at(zoe, "draw")
    assert zoe.page.locator(".act.call").inner_text().startswith("Discard 2 cards")
    zoe.page.locator(".act.call").click()

    def drawn() -> bool:
        cards = zoe.frames[-1]["you"]["cards"]
        return cards is not None and cards != held

    zoe.until(drawn, "two new cards")
    assert zoe.frames[-1]["you"]["cards"][:3] == [held[1], held[2], held[4]]
    assert zoe.problems == []
