"""The page against the real server: people and bots play, and nobody sees what is not theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.browser.room_process import RoomProcess
from tests.browser.visitor import CARD, Visitor

Visit = Callable[..., Visitor]

SWIFT = {"pause": 0.3, "think": 0.02, "seats": 6}
"""A table where a hand takes a moment."""


def sit_down(visitor: Visitor, **setting: object) -> str:
    """Register, make a table that is fast, and go there; gives its address on the page."""
    visitor.enter()
    game = visitor.ask("POST", "/games/", {**SWIFT, **setting})["gameID"]
    visitor.come(f"/#/table/{game}")
    visitor.page.locator(".seat.mine").wait_for()
    return f"/#/table/{game}"


def add_bots(visitor: Visitor, *bots: str) -> None:
    for bot in bots:
        visitor.press("Bots")
        visitor.page.get_by_role("dialog").get_by_label("Which one").select_option(bot)
        visitor.press("Seat it")
        visitor.page.get_by_role("dialog").wait_for(state="detached")


def shown_at_the_end(visitor: Visitor) -> dict[str, set[str]]:
    """What was put on the table at showdowns, by hand: anybody may know that."""
    shown: dict[str, set[str]] = {}
    for picture in visitor.frames:
        if picture["over"] and picture["hand_id"]:
            mine = None if picture["you"] is None else picture["you"]["seat"]
            for seat in picture["seats"]:
                if seat["cards"] and seat["seat"] != mine:
                    shown.setdefault(picture["hand_id"], set()).update(seat["cards"])
    return shown


def assert_sees_only_own(visitor: Visitor) -> None:
    """Whatever cards came over the wire are one's own, on the board, or shown at a showdown."""
    own = visitor.own_cards()
    told = 0
    for text in visitor.raw:
        picture = json.loads(text)
        if picture["type"] != "table":
            assert not CARD.search(text)
            continue
        told += 1
        allowed = set(picture["board"]) | own.get(picture["hand_id"], set())
        for seat in picture["seats"]:
            # with everybody all-in, hands are shown before the board is complete
            mine = picture["you"] is not None and picture["you"]["seat"] == seat["seat"]
            live = [one for one in picture["seats"] if one["state"] in ("active", "all_in")]
            betting = sum(one["state"] == "active" for one in live) > 1 and not picture["over"]
            if seat["cards"] and not mine:
                assert not betting, picture
                allowed |= set(seat["cards"])
        assert set(CARD.findall(text)) <= allowed, picture
    assert told


def play_on(visitors: list[Visitor], hands: int) -> None:
    """Everybody checks or calls whenever it is their turn, by mouse, until so many hands are over."""
    first = visitors[0]
    begun = len(first.hands_over)

    def enough() -> bool:
        for visitor in visitors:
            if visitor.may_act:
                own = list(visitor.own_cards().values())[-1]
                assert visitor.cards_seen() >= own
                visitor.page.locator(".act.call").click()
        return len(first.hands_over) >= begun + hands

    first.until(enough, f"{hands} hands")


def test_two_people_and_two_bots_play_hands_to_the_end_and_see_only_their_own_cards(visit: Visit) -> None:
    ann, bob = visit(), visit()
    table = sit_down(ann, name="<b>Ann's</b> & friends")
    bob.enter()
    bob.come()
    row = bob.page.locator(".table-row", has_text="<b>Ann's</b> & friends")  # as text, not as markup
    row.get_by_role("button", name="Join").click()
    bob.page.locator(".seat.mine").wait_for()
    assert bob.page.url.endswith(table)
    add_bots(ann, "tight", "caller")
    ann.until(lambda: ann.page.locator(".seat").count() == 4, "four at the table")
    assert ann.page.locator(".seat.house").count() == 2
    play_on([ann, bob], hands=3)
    for visitor in (ann, bob):
        assert_sees_only_own(visitor)
        assert len(visitor.own_cards()) >= 2
    shared = ann.own_cards().keys() & bob.own_cards().keys()
    assert shared
    for hand in shared:
        assert ann.own_cards()[hand].isdisjoint(bob.own_cards()[hand])
    said = ann.page.get_by_label("What happened").inner_text()
    assert "wins" in said or "You win" in said
    assert "A new hand. You have" in said


def test_a_spectator_sees_no_hole_cards_but_those_that_are_shown(visit: Visit) -> None:
    ann, eve = visit(), visit()
    table = sit_down(ann, name="watched")
    eve.come()
    eve.page.get_by_role("link", name="Watch watched").click()
    eve.page.locator(".seat:not(.free)").wait_for()
    assert eve.page.url.endswith(table)
    add_bots(ann, "caller")
    play_on([ann], hands=2)
    eve.until(lambda: eve.hands_over >= ann.hands_over, "the spectator hears of it")
    assert eve.page.locator(".controls").is_hidden()
    assert all(picture["you"] is None for picture in eve.frames)
    assert_sees_only_own(eve)
    assert eve.page.get_by_text("You are watching.").is_visible()
    known = shown_at_the_end(eve)
    secret = [hand for hand in ann.own_cards() if hand not in known]
    for hand in secret:
        seen = " ".join(json.dumps(one) for one in eve.frames if one["hand_id"] == hand)
        assert set(CARD.findall(seen)).isdisjoint(ann.own_cards()[hand])


def test_two_clicks_and_a_visitor_plays_and_a_reload_in_the_hand_changes_nothing(visit: Visit) -> None:
    guest = visit()
    guest.come()
    guest.press("Play against bots")  # the first click
    guest.until(lambda: guest.may_act, "the guest's turn")
    first = next(one for one in guest.frames if one["hand_id"])
    assert first["hand_id"].endswith("/hand-000000000")
    assert [seat["state"] for seat in first["seats"]].count("empty") == 1, "the first hand is for all five"
    assert first["turn"]["seconds"] == 30
    hand, cards = list(guest.own_cards().items())[-1]
    assert len(cards) == 2
    guest.page.reload()
    guest.until(lambda: guest.may_act, "the turn again, after the reload")
    assert list(guest.own_cards().items())[-1] == (hand, cards)
    assert guest.cards_seen() >= cards
    before = guest.frames[-1]["seq"]
    guest.page.locator(".act.call").click()  # the second
    guest.until(lambda: guest.frames[-1]["seq"] > before, "the action is heard of")
    mine = guest.frames[-1]["you"]["seat"]
    assert_sees_only_own(guest)
    assert guest.page.locator(f"[data-seat='{mine}']").count() == 1


def test_a_visitor_says_how_good_the_bots_are_and_plays_four_of_that_level(visit: Visit) -> None:
    guest = visit()
    guest.come()
    guest.page.get_by_label("How good are they?").select_option("Casual players")
    guest.press("Play against bots")
    guest.until(lambda: guest.may_act, "the guest's turn")
    seats = [seat for seat in guest.frames[-1]["seats"] if seat["state"] != "empty"]
    mine = guest.frames[-1]["you"]["seat"]
    assert [seat["name"].split()[0] for seat in seats if seat["seat"] != mine] == ["casual"] * 4


def test_a_hand_is_played_by_keyboard_alone(visit: Visit) -> None:
    ann = visit()
    sit_down(ann)
    add_bots(ann, "caller")
    keys = ann.page.keyboard

    def my_turn() -> None:
        ann.until(lambda: ann.may_act, "the turn")

    my_turn()
    keys.press("r")
    assert ann.page.get_by_label("Bet or raise to, in chips").evaluate(
        "one => one === document.activeElement"
    )
    least = ann.frames[-1]["you"]["legal"]["raise_to"]["min"]
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    keys.press("ArrowLeft")
    keys.press("Enter")
    mine = ann.frames[-1]["you"]["seat"]
    ann.until(
        lambda: any(
            one["seats"][mine]["last_action"] in (f"raise_to {least + 20}", f"bet {least + 20}")
            for one in ann.frames
        ),
        "the raise",
    )
    my_turn()
    all_in = ann.page.locator(".preset", has_text="All-in")
    all_in.click()
    typed = ann.page.get_by_label("Bet or raise to, in chips").input_value()
    assert re.fullmatch(r"\d,\d{3}", typed)
    assert typed in all_in.inner_text()
    keys.press("c")
    my_turn()
    keys.press("f")
    ann.until(lambda: ann.frames[-1]["over"], "the hand is over")
    ann.until(lambda: "wins" in ann.page.locator(".result").inner_text(), "who has won")
    keys.press("?")
    assert ann.page.get_by_role("dialog", name="Keyboard and settings").is_visible()
    keys.press("Escape")
    assert ann.page.get_by_role("dialog").count() == 0


@pytest.mark.parametrize("kept", [True, False], ids=["the session lives on", "the cookie is gone"])
def test_a_server_killed_in_a_hand_and_started_again_finds_the_page_back(
    visit: Visit, room: RoomProcess, kept: bool
) -> None:
    guest = visit()
    guest.come()
    guest.press("Play against bots")
    guest.page.locator(".seat.mine").wait_for()
    game = guest.ask("POST", "/games/", SWIFT)["gameID"]
    guest.come(f"/#/table/{game}")
    guest.page.get_by_text("Nobody else is here yet.").wait_for()
    add_bots(guest, "caller")
    guest.until(lambda: guest.may_act, "the guest's turn")
    hand, cards = list(guest.own_cards().items())[-1]
    guest.outages = True
    room.kill()
    guest.page.get_by_role("alert").filter(has_text="The connection is lost").wait_for()
    assert not guest.may_act
    if not kept:
        guest.context.clear_cookies()
    room.start()
    guest.until(lambda: guest.may_act, "the turn, after the restart")
    assert list(guest.own_cards().items())[-1] == (hand, cards)
    assert guest.page.locator("#banner").is_hidden()
    before = guest.frames[-1]["seq"]
    guest.page.locator(".act.fold").click()
    guest.until(lambda: guest.frames[-1]["seq"] > before, "the fold")


def test_a_person_sits_out_and_is_back(visit: Visit) -> None:
    ann = visit()
    ann.enter()
    game = ann.ask("POST", "/games/", {"pause": 0, "think": 0})["gameID"]
    ann.ask("POST", f"/games/{game}/house", {"bots": ["caller"]})
    ann.come(f"/#/table/{game}")
    ann.until(lambda: ann.may_act, "the first turn")
    ann.press("Sit out")
    ann.page.get_by_text("You sit out: no cards for you until you are back.").wait_for()
    ann.until(
        lambda: bool(ann.frames[-1]["over"]) and ann.frames[-1]["you"]["away"], "the hand ends without her"
    )
    ann.press("I am back")
    hands = len(ann.hands_over)
    ann.until(lambda: ann.may_act and len(ann.hands_over) >= hands, "a turn in the next hand")
    assert not ann.frames[-1]["you"]["away"]
