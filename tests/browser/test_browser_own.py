"""What is one's own: hands over all tables, links to them, private tables, and a turn decided before it comes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.looks import findings, out_of_reach
from tests.browser.room_process import RoomProcess
from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]


def cards_of(visitor: Visitor) -> set[str]:
    found = visitor.page.frame_locator(".replayer").locator("[data-card]")
    return set(found.evaluate_all("all => all.map(one => one.dataset.card)"))


def test_a_hand_is_found_in_ones_own_and_shared_with_somebody_who_is_not_logged_in(visit: Visit) -> None:
    ann, eve = visit(), visit(viewport={"width": 390, "height": 844})
    ann.enter()
    game = ann.ask("POST", "/games/", {"pause": 60, "think": 0, "name": "To be shared"})["gameID"]
    ann.ask("POST", f"/games/{game}/house", {"bot": "caller", "count": 1})
    ann.come(f"/#/table/{game}")
    ann.until(lambda: ann.may_act, "the turn")
    [own] = ann.own_cards().values()
    ann.page.locator(".act.fold").click()
    ann.page.locator(".result").wait_for()
    ann.come("/")
    ann.page.get_by_role("link", name="Hands").click()
    ann.page.get_by_role("heading", name="Your results and hands").wait_for()
    ann.page.get_by_label("Search by table or player").fill("SHARED")
    ann.page.get_by_label("Search by table or player").press("Enter")
    ann.page.get_by_text(re.compile("^1 hand kept, ")).wait_for()
    ann.page.get_by_role("img", name=re.compile("^Chips won over the last 1 hand")).wait_for()
    assert ann.page.locator(".results .facts").inner_text().split()[:4] == [
        "Hands",
        "1",
        "Result",
        "\N{MINUS SIGN}20",
    ]
    ann.press("Share hand 1")
    link = ann.page.get_by_label("Link to this hand").input_value()
    eve.page.goto(link)
    replayer = eve.page.frame_locator(".replayer")
    replayer.locator("#table .seat").first.wait_for()
    assert eve.page.locator("#log-in").inner_text() == "Log in"
    play = replayer.get_by_role("button", name="play", exact=True)
    box = play.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 844, "on a phone without scrolling"
    play.click()
    replayer.locator("#said", has_text="result: ").wait_for()
    play.wait_for()  # it stops at the end
    assert re.search(r"result: .*\+\d", replayer.locator("#said").inner_text())
    assert cards_of(eve) == own
    eve.outages = True  # the browser writes the refusal to its console
    eve.come("/#/shared/nowhere")
    eve.page.reload()
    eve.page.get_by_text("there is no shared hand here").wait_for()


def test_a_search_before_the_first_answer_keeps_the_results_and_shows_what_was_searched_for(
    visit: Visit,
) -> None:
    ann = visit()
    ann.enter()
    game = ann.ask("POST", "/games/", {"pause": 60, "think": 0, "name": "To be found"})["gameID"]
    ann.ask("POST", f"/games/{game}/house", {"bot": "caller", "count": 1})
    ann.come(f"/#/table/{game}")
    ann.until(lambda: ann.may_act, "the turn")
    ann.page.locator(".act.fold").click()
    ann.page.locator(".result").wait_for()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ann.page.route(re.compile("/account/hands[?]name=$"), hold)
    ann.come("/#/hands")
    ann.until(lambda: bool(held), "the first question")
    ann.page.get_by_label("Search by table or player").fill("nobody")
    ann.page.get_by_label("Search by table or player").press("Enter")
    ann.page.get_by_text("No hand of yours is kept here.").wait_for()
    held[0].continue_()
    ann.page.get_by_role("img", name=re.compile("^Chips won over the last 1 hand")).wait_for()
    assert ann.page.get_by_text("No hand of yours is kept here.").is_visible()
    assert ann.page.locator(".hand-list li").count() == 0


def test_a_turn_is_decided_before_it_comes_and_for_one_hand_only(visit: Visit) -> None:
    ann, bob = visit(), visit()
    for visitor in (ann, bob):
        visitor.enter()
    game = ann.ask("POST", "/games/", {"pause": 0.2, "seats": 2, "turn_seconds": 120})["gameID"]
    for visitor in (ann, bob):
        visitor.come(f"/#/table/{game}")
    bob.press("Take a seat")
    ann.until(lambda: ann.may_act or bob.may_act, "a turn")
    first, second = (ann, bob) if ann.may_act else (bob, ann)
    call = second.page.get_by_role("button", name="Call any")
    call.click()
    assert call.get_attribute("aria-pressed") == "true"
    call.click()  # and taken back
    assert call.get_attribute("aria-pressed") == "false"
    second.page.get_by_role("button", name="Check or fold").click()
    first.page.locator(".act.raise").click()
    first.until(lambda: bool(first.hands_over), "the fold that was decided before")
    first.until(lambda: first.may_act or second.may_act, "the next hand")
    assert second.page.locator(".early[aria-pressed='true']").count() == 0


def test_cards_are_shown_after_a_hand_and_the_seat_is_left_after_the_next(visit: Visit) -> None:
    ann, bob = visit(), visit()
    for visitor in (ann, bob):
        visitor.enter()
    game = ann.ask("POST", "/games/", {"pause": 5, "seats": 2, "turn_seconds": 120})["gameID"]
    for visitor in (ann, bob):
        visitor.come(f"/#/table/{game}")
    bob.press("Take a seat")
    ann.until(lambda: ann.may_act or bob.may_act, "a turn")
    first, second = (ann, bob) if ann.may_act else (bob, ann)
    presets = " ".join(first.page.locator(".presets").inner_text().split())
    assert presets == "Min 40 ½ pot 40 Pot 60 All-in 10,000"
    assert first.page.locator(".holding").inner_text() != ""
    assert first.page.locator(".prompt").inner_text() == "Your turn: 10 to call"
    first.page.keyboard.press("o")
    assert first.page.locator(".prompt").inner_text() == "Your turn: 10 to call (25 %)"
    first.page.locator(".act.fold").click()
    first.page.get_by_role("button", name="Show my cards").wait_for()
    for width, height in ((1280, 720), (390, 844), (844, 390), (320, 568)):
        first.page.set_viewport_size({"width": width, "height": height})
        assert out_of_reach(first.page) == [], f"{width}x{height}"
        for name in ("Show my cards", "Top up", "Leave"):
            box = first.page.get_by_role("button", name=name).bounding_box()
            assert box is not None, f"{name} at {width}x{height}"
            assert box["x"] + box["width"] <= width, f"{name} at {width}x{height}"
            assert box["y"] + box["height"] <= height, f"{name} at {width}x{height}"
    assert second.page.locator(".seat:not(.mine) .card[data-card]:not([data-card=''])").count() == 0
    first.press("Show my cards")
    second.page.locator(".seat:not(.mine) .card[data-card]:not([data-card=''])").nth(1).wait_for()
    second.until(lambda: first.may_act or second.may_act, "the next hand")
    actor, goer = (first, second) if first.may_act else (second, first)
    leave = goer.page.get_by_role("button", name="Leave after hand")
    leave.click()
    goer.page.locator(".early[aria-pressed='true']").wait_for()
    actor.page.locator(".act.fold").click()
    actor.until(lambda: actor.page.locator(".seat").count() == 1, "the other's leave")


def test_friends_look_up_who_owes_whom_and_save_it(visit: Visit) -> None:
    ann, eve = visit(), visit(viewport={"width": 390, "height": 844})
    ann.enter()
    ann.come("/")
    ann.press("Make a table")
    dialog = ann.page.get_by_role("dialog")
    assert dialog.get_by_label("With a ledger of who owes whom").is_hidden(), "only for a private table"
    dialog.get_by_label("Private: only those with its link find it").check()
    dialog.get_by_label("With a ledger of who owes whom").check()
    dialog.get_by_role("button", name="Make it and sit down").click()
    ann.page.wait_for_url(re.compile("#/table/"))
    game = ann.page.url.rpartition("/")[2]
    eve.enter()
    eve.ask("POST", f"/games/{game}/players/", {"keeps_seat": True})
    eve.come(f"/#/table/{game}")
    for visitor in (ann, eve):
        visitor.until(lambda visitor=visitor: bool(visitor.own_cards()), "cards")  # type: ignore[misc]  # bound in the loop
        assert out_of_reach(visitor.page) == []
        visitor.press("Ledger")
        rows = visitor.page.locator(".accounts tbody tr")
        rows.first.wait_for()
        assert [row.split() for row in rows.all_inner_texts()] == [
            [*ann.name.split(), "0", "10,000", "0", "10,000"],
            [*eve.name.split(), "0", "10,000", "0", "10,000"],
        ]
        assert visitor.page.get_by_text("Nobody owes anybody.").is_visible()
        assert findings(visitor.page) == []
        box = visitor.page.locator(".accounts")
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), "all columns are in sight"
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("link", name="Save as CSV").click()
    assert saved.value.path().read_text().startswith("player,buy-ins,bought,cashed,stack,net")


def test_whoever_wants_to_be_on_the_board_of_players_says_so_in_the_lobby(visit: Visit) -> None:
    ann, eve = visit(), visit()
    eve.come()
    eve.page.get_by_label("Days that count").select_option("All days")
    eve.page.get_by_text(re.compile("^Nobody listed has 100 hands in these days")).wait_for()
    assert eve.page.get_by_label("List me here").count() == 1
    assert not eve.page.get_by_label("List me here").is_visible()
    ann.enter()
    ann.come()
    box = ann.page.get_by_label("List me here")
    box.check()
    ann.until(lambda: ann.ask("GET", "/account/board") == {"listed": True}, "her name on the board")
    box.uncheck()
    ann.until(lambda: ann.ask("GET", "/account/board") == {"listed": False}, "her name off it")
    assert findings(ann.page) == []


def test_a_private_table_is_made_by_its_form_and_tables_are_searched(visit: Visit) -> None:
    ann, eve = visit(), visit()
    ann.enter()
    ann.ask("POST", "/games/", {"name": "Needle in the hay", "seats": 2})
    ann.come()
    ann.press("Make a table")
    form = ann.page.get_by_role("dialog")
    form.get_by_role("textbox", name="Name").fill("Needle for friends")
    form.get_by_label("Private").check()
    ann.press("Make it and sit down")
    ann.page.locator(".seat.mine").wait_for()
    eve.come()
    search = eve.page.get_by_label("Tables or players called")
    search.fill("needle")
    search.press("Enter")
    eve.page.get_by_text("1 table open.").wait_for()
    assert eve.page.locator(".table-row").inner_text().startswith("Needle in the hay")
    eve.page.goto(ann.page.url)
    eve.page.locator("#where", has_text="Needle for friends").wait_for()


@pytest.mark.parametrize("pressed", ["Make a table", "Play against bots"])
def test_what_is_pressed_before_the_lobby_has_come_waits_for_it(visit: Visit, pressed: str) -> None:
    ann = visit()
    ann.enter()
    held: list[Route] = []
    ann.page.route("**/lobby/stream*", lambda route: held.append(route))  # noqa: PLW0108
    ann.come()
    ann.until(lambda: bool(held), "the lobby is asked for")
    ann.press(pressed)
    assert ann.page.get_by_role("button", name=pressed).is_disabled()
    held[0].continue_()
    if pressed == "Make a table":
        first = ann.page.get_by_role("dialog").locator("select option").first
        assert first.get_attribute("value") == "holdem"
    else:
        ann.until(lambda: ann.page.locator(".seat[data-seat] .name").count() >= 5, "four bots")


def test_a_password_is_changed_and_an_account_deleted_on_the_page(visit: Visit) -> None:
    ann = visit()
    ann.enter()
    ann.come()
    ann.page.get_by_role("link", name="Hands").click()
    ann.press("Change the password")
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Present password").fill("correct horse")
    dialog.get_by_label("New password").fill("battery staple")
    assert findings(ann.page) == []
    dialog.get_by_role("button", name="Save it").click()
    dialog.wait_for(state="detached")
    ann.press("Log out everywhere")
    dialog.get_by_role("button", name="Log out").click()
    ann.page.get_by_role("button", name="Log in").click()
    dialog.get_by_label("Name").fill(ann.name)
    dialog.get_by_label("Password").fill("battery staple")
    dialog.get_by_role("button", name="Log in").click()
    ann.press("Delete the account")
    dialog.get_by_label("Password").fill("battery staple")
    dialog.get_by_role("button", name="Delete it").click()
    ann.page.locator("#who", has_text=ann.name).wait_for(state="detached")


def test_a_guest_chooses_a_password(visit: Visit) -> None:
    ann = visit()
    ann.come()
    ann.press("Play against bots")
    ann.page.locator(".seat.mine").wait_for()
    ann.come("/#/hands")
    ann.press("Choose a password")
    ann.page.get_by_role("dialog").get_by_label("New password").fill("battery staple")
    ann.page.get_by_role("button", name="Save it").click()
    ann.page.get_by_role("button", name="Change the password").wait_for()


def test_a_webhook_is_set_and_ended_on_the_page(browser: Browser, tmp_path: Path) -> None:
    room = RoomProcess(tmp_path / "room.db", "--webhooks", "public")
    ann = Visitor(browser, room.url, viewport={"width": 390, "height": 844})
    try:
        ann.enter()
        ann.outages = True  # an address is refused
        ann.come("/#/hands")
        ann.press("Call me by a webhook")
        dialog = ann.page.get_by_role("dialog")
        for wrong, why in (("http://127.0.0.1/x", "open internet"), ("ftp://a.b/", "without a name")):
            dialog.get_by_label("Address").fill(wrong)
            dialog.get_by_role("button", name="Save it").click()
            dialog.locator(".wrong", has_text=why).wait_for()
        assert findings(ann.page) == []
        assert out_of_reach(ann.page) == []
        dialog.get_by_label("Address").fill("https://ann.example/turn?key=1")
        dialog.get_by_role("button", name="Save it").click()
        dialog.wait_for(state="detached")
        assert ann.ask("GET", "/account/hook")["webhook"] == "https://ann.example/turn?key=1"
        ann.press("Call me by a webhook")
        ann.until(
            lambda: dialog.get_by_label("Address").input_value() == "https://ann.example/turn?key=1", "it"
        )
        dialog.get_by_role("button", name="Stop calling me").click()
        dialog.wait_for(state="detached")
        assert ann.ask("GET", "/account/hook")["webhook"] is None
        assert ann.problems == []
    finally:
        ann.close()
        room.stop()


def test_a_server_without_webhooks_offers_none(visit: Visit) -> None:
    ann = visit()
    ann.enter()
    with ann.page.expect_response("**/account/hook"):
        ann.come("/#/hands")
    ann.page.get_by_role("button", name="Change the password").wait_for()
    assert ann.page.get_by_role("button", name="Call me by a webhook").is_hidden()


@pytest.mark.parametrize("size", [(1280, 720), (1280, 800), (390, 844), (844, 390), (320, 568)])
def test_a_player_sees_which_blinds_are_owed_and_posts_them_or_waits(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann, bob, cat = visit(), visit(), visit(viewport=dict(zip(("width", "height"), size, strict=True)))
    ann.enter()
    game = ann.ask("POST", "/games/", {"missed_blinds": True, "keeps_seat": True})["gameID"]
    for visitor in (bob, cat):
        visitor.enter()
        visitor.ask("POST", f"/games/{game}/players/", {"keeps_seat": True})
    cat.come(f"/#/table/{game}")
    words = cat.page.locator(".seat.mine .did")
    words.filter(has_text="you owe the big blind").wait_for()
    box = words.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
    assert words.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), "all of it"
    low = [box["x"] + box["width"] / 2, box["y"] + box["height"] - 3]
    assert words.evaluate("(one, at) => document.elementFromPoint(...at) === one", low), "nothing lies on it"
    post, wait = (
        cat.page.get_by_role("button", name=name)  # a tick stands before it while it is pressed
        for name in ("Post the big blind", "Wait for the big blind")
    )
    status = cat.page.locator(".status")
    assert (post.get_attribute("aria-pressed"), wait.get_attribute("aria-pressed")) == ("true", "false")
    for one in (post, wait):
        inside = one.bounding_box()
        assert inside is not None
        assert inside["x"] >= 0
        assert inside["x"] + inside["width"] <= size[0]
        assert inside["y"] + inside["height"] <= size[1]
    assert out_of_reach(cat.page) == []
    assert findings(cat.page) == []
    wait.click()
    words.filter(has_text="you wait for the big blind").wait_for()
    assert (post.get_attribute("aria-pressed"), wait.get_attribute("aria-pressed")) == ("false", "true")
    status.filter(has_text="with the next big blind").wait_for()
    cat.press("Sit out")
    cat.page.get_by_role("button", name="I am back").wait_for()
    assert (post.get_attribute("aria-pressed"), wait.get_attribute("aria-pressed")) == ("false", "false")
    assert out_of_reach(cat.page) == []
    post.click()  # comes back, too
    status.filter(has_text="with the next hand").wait_for()
    words.filter(has_text="you owe the big blind").wait_for()
    ann.come(f"/#/table/{game}")
    ann.page.locator(".seat.mine").wait_for()
    assert ann.page.get_by_text("you owe").count() == 0, "nobody else is shown it"
    assert ann.page.get_by_role("button", name="Wait for the big blind").count() == 0, "or asked"
    who = ann if ann.frames[-1]["turn"]["seat"] == 0 else bob
    seen = who.ask("GET", f"/games/{game}/table")
    who.ask("POST", f"/games/{game}/actions", {"act": "fold", "hand_id": seen["hand_id"], "seq": seen["seq"]})
    cat.until(lambda: bool(cat.frames[-1]["you"]["cards"]), "a hand with the blind posted")
    assert post.is_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_clock_of_a_turn_of_days_is_in_words_and_whole(
    visit: Visit, size: tuple[int, int], theme: str
) -> None:
    ann = visit(viewport=dict(zip(("width", "height"), size, strict=True)), color_scheme=theme)
    bob = visit()
    ann.enter()
    game = ann.ask("POST", "/games/", {"turn_seconds": 3 * 86_400, "keeps_seat": True})["gameID"]
    bob.enter()
    bob.ask("POST", f"/games/{game}/players/", {"keeps_seat": True})
    ann.come(f"/#/table/{game}")
    clock = ann.page.locator(".clock:visible")
    clock.filter(has_text=re.compile(r"^(3 d|2 d 23 h) left$")).wait_for()
    box = clock.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
    assert clock.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), "nothing is cut"
    assert "3 d a turn" in ann.page.locator("#where").inner_text()
    assert ann.page.locator("#where").evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    assert out_of_reach(ann.page) == []
    assert findings(ann.page) == []
