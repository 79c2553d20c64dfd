"""Round the game: a table made by its form, waiting for a seat, leaving one, and hands looked at again."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.browser.visitor import CARD, Visitor

Visit = Callable[..., Visitor]

COVERED_BY_TOAST = """() => {
    const [toast, result] = ['.toast', '.result'].map((one) => document.querySelector(one));
    [toast.hidden, toast.textContent] = [false, 'it is not your turn'];
    const [here, there] = [toast, result].map((one) => one.getBoundingClientRect());
    toast.hidden = true;
    return Math.min(here.bottom, there.bottom) > Math.max(here.top, there.top)
        && Math.min(here.right, there.right) > Math.max(here.left, there.left);
}"""
"""Whether a line of news would lie over the result of the hand."""


def test_a_table_is_made_by_its_form(visit: Visit) -> None:
    ann = visit()
    ann.come()
    ann.register()
    ann.press("Make a table")
    form = ann.page.get_by_role("dialog")
    form.locator("select[name=game]").select_option("stud")
    assert form.get_by_label("Bring-in").is_visible()
    assert form.get_by_label("Small blind").count() == 0, "stud has none"
    form.locator("select[name=game]").select_option("holdem")
    form.get_by_role("textbox", name="Name").fill("Two only")
    form.get_by_label("Small blind").fill("50")
    form.get_by_label("Big blind").fill("20")
    form.get_by_label("Seats").fill("2")
    ann.outages = True  # the browser writes every refusal to its console
    ann.press("Make it and sit down")
    form.get_by_role("alert").wait_for()
    assert "blind" in form.get_by_role("alert").inner_text()
    form.get_by_label("Big blind").fill("100")
    ann.press("Make it and sit down")
    ann.page.locator(".seat.mine").wait_for()
    ann.outages = False
    assert ann.page.locator("#where").inner_text().split("\n") == ["Two only", "No-limit hold'em 50/100"]


def test_who_waits_gets_the_seat_of_who_leaves(visit: Visit) -> None:
    ann, bob, eve = visit(), visit(), visit()
    ann.enter()
    game = ann.ask("POST", "/games/", {"seats": 2, "pause": 0.3, "name": "for two"})["gameID"]
    ann.come(f"/#/table/{game}")
    ann.page.locator(".seat.mine").wait_for()
    for visitor, button in ((bob, "Join"), (eve, "Wait for a seat")):
        visitor.enter()
        visitor.come()
        row = visitor.page.locator(".table-row", has_text="for two")
        row.get_by_role("button", name=button).click()
    eve.page.get_by_text("You wait for a seat, and get the next one.").wait_for()
    assert eve.page.locator(".controls").is_hidden()
    bob.page.get_by_text(f"Waiting for a seat: {eve.name}.").wait_for()
    ann.press("Leave")
    ann.page.get_by_role("heading", name="Tables").wait_for()

    def seated() -> bool:
        if bob.may_act:  # Ann folds when it is her turn, so it has to come to her
            bob.page.locator(".act.call").click()
        return eve.page.locator(".seat.mine").count() == 1

    eve.until(seated, "the seat of who has left")
    bob.press("Leave")
    bob.page.get_by_role("heading", name="Tables").wait_for()


def test_a_finished_hand_is_replayed_with_the_cards_one_may_know(visit: Visit) -> None:
    ann, eve = visit(), visit()
    ann.enter()
    game = ann.ask("POST", "/games/", {"pause": 60, "think": 0})["gameID"]
    ann.ask("POST", f"/games/{game}/house", {"bot": "caller", "count": 1})
    ann.come(f"/#/table/{game}")
    ann.until(lambda: ann.may_act, "the turn")
    [own] = ann.own_cards().values()
    button = next(seat["name"] for seat in ann.frames[-1]["seats"] if seat["button"])
    ann.page.locator(".act.fold").click()
    ann.page.locator(".result").wait_for()
    ann.page.keyboard.press("h")
    ann.press("Replay hand 1")
    replayer = ann.page.frame_locator(".replayer")
    seen, words = set(), []
    last = replayer.locator("#said")
    last.wait_for()
    for _ in range(30):
        seen |= set(replayer.locator("[data-card]").evaluate_all("all => all.map(one => one.dataset.card)"))
        words.append(last.inner_text())
        ann.page.keyboard.press("ArrowRight")
    assert seen == own
    assert f"preflop: {ann.name} folds" in words
    assert f"preflop: {button} posts small blind 10" in words  # two play, so the button is the small blind
    assert re.fullmatch(r"preflop: result: .*caller 1 \+\d+.*", words[-1])
    ann.page.keyboard.press("Home")
    assert last.inner_text() == words[0]
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("link", name="Save hand 1 as PHH").click()
    phh = saved.value.path().read_text(encoding="utf-8")
    [actions] = [line for line in phh.splitlines() if line.startswith("actions")]
    assert "????" in actions
    assert set(CARD.findall(re.sub(r"(\S\S)(\S\S)\b", r"\1 \2", actions))) == own
    eve.enter()  # a stranger
    eve.come(f"/#/table/{game}")
    eve.page.locator(".seat").first.wait_for()
    eve.page.keyboard.press("h")
    eve.page.get_by_text("Hand 1", exact=True).wait_for()
    assert eve.page.get_by_role("button", name="Replay hand 1").count() == 0


def test_a_newcomer_who_presses_enter_twice_is_registered(visit: Visit) -> None:
    eve = visit()
    eve.outages = True  # the browser writes the first refusal to its console
    eve.come()
    eve.press("Log in")
    dialog = eve.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("quite new here")
    dialog.get_by_label("Password").fill("correct horse")
    dialog.get_by_label("Password").press("Enter")
    said = dialog.get_by_role("alert")
    said.get_by_text("Are you new?").wait_for()
    assert "Invalid" not in said.inner_text()
    eve.page.wait_for_function("() => document.activeElement.value === 'register'")
    eve.page.keyboard.press("Enter")
    eve.page.locator("#who", has_text="quite new here").wait_for()


def test_a_phone_has_the_log_and_says_with_what_one_wins_on_each_board(visit: Visit) -> None:
    ann = visit(viewport={"width": 390, "height": 844})
    ann.enter()
    setting = {"pause": 60, "think": 0, "game": "double-board-holdem", "seats": 2}
    made = ann.ask("POST", "/games/", setting)["gameID"]
    ann.ask("POST", f"/games/{made}/house", {"bots": ["caller"]})
    ann.come(f"/#/table/{made}")

    def over() -> bool:
        call = ann.page.locator(".controls:not(.idle) .act.call:enabled")
        if call.count():
            call.click()
        return bool(ann.frames) and ann.frames[-1]["over"]

    ann.until(over, "a showdown")
    result = ann.page.locator(".result").inner_text()
    assert "board 1" in result or "board 2" in result or " with " in result, result
    for width, height in ((390, 844), (320, 568), (1280, 720)):
        ann.page.set_viewport_size({"width": width, "height": height})
        assert not ann.page.evaluate(COVERED_BY_TOAST), f"{width}x{height}"
    ann.page.set_viewport_size({"width": 390, "height": 844})
    ann.press("Log")
    assert ann.page.get_by_role("dialog").locator(".log li").count() > 3


def test_tables_where_nobody_sits_stand_last_and_do_not_shine(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.enter()
    left = ann.ask("POST", "/games/", {"name": "A left table"})["gameID"]
    ann.ask("DELETE", f"/games/{left}/players/{ann.ask('GET', '/session')['player_id']}")
    bob.enter()
    bob.ask("POST", "/games/", {"name": "B with somebody"})
    ann.come("/#/")
    ann.page.locator(".table-row", has_text="B with somebody").wait_for()
    names = ann.page.locator(".table-row h3").all_inner_texts()
    assert names.index("B with somebody") < names.index("A left table")
    join = ann.page.locator(".table-row", has_text="A left table").get_by_role("button", name="Join")
    assert "primary" not in str(join.get_attribute("class"))


def test_a_table_with_a_delay_says_so_to_who_watches(visit: Visit) -> None:
    ann, eve = visit(), visit()
    ann.enter()
    ann.come()
    ann.press("Make a table")
    form = ann.page.get_by_role("dialog")
    form.get_by_label("Spectators see the table").select_option("30 seconds late")
    ann.press("Make it and sit down")
    ann.page.locator(".seat.mine").wait_for()
    eve.come()
    eve.page.goto(ann.page.url)
    eve.page.get_by_text("You are watching. This is the table 30 seconds ago.").wait_for()
    assert eve.page.locator(".table").get_by_text(ann.name).count() == 0
    assert ann.page.get_by_text("seconds ago").count() == 0


def test_players_talk_at_desk_and_phone_and_markup_is_text(visit: Visit) -> None:
    ann, bob, eve = visit(), visit(), visit()
    ann.enter()
    game = ann.ask("POST", "/games/", {"pause": 1, "name": "talk"})["gameID"]
    bob.enter()
    bob.ask("POST", f"/games/{game}/players/", {})
    eve.come()
    for visitor in (ann, bob, eve):
        visitor.come(f"/#/table/{game}")
    ann.page.set_viewport_size({"width": 1280, "height": 720})
    bob.page.set_viewport_size({"width": 390, "height": 844})
    ann.page.locator(".controls").wait_for()
    ann.page.get_by_role("textbox", name="Say something").fill("<i>fold</i> c f")
    ann.page.get_by_role("textbox", name="Say something").press("Enter")
    said = ann.page.locator(".said-chat", has_text=f"{ann.name}: <i>fold</i> c f")
    said.wait_for()
    assert said.locator("i").count() == 0
    bob.page.locator(".log-button.news").wait_for()
    assert not bob.page.locator("form.say").is_visible()
    bob.press("Log")
    dialog = bob.page.get_by_role("dialog")
    dialog.locator(".said-chat").wait_for()
    assert bob.page.locator(".log-button.news").count() == 0
    dialog.get_by_role("button", name="Nice hand!").click()
    dialog.locator(".said-chat", has_text="Nice hand!").wait_for()
    ann.page.locator(".said-chat", has_text=f"{bob.name}: Nice hand!").wait_for()
    assert eve.page.locator(".said-chat, .log-button.news").count() == 0
    assert not eve.page.locator("form.say").is_visible()
