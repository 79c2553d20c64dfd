"""A seat by a click, several tables in one window, time banks seen, sounds and animations that can be off."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.looks import SIZES, SMALL, Looks, findings, too_wide
from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]

SOUNDS = """() => {
  window.heard = [];
  window.OscillatorNode = class { constructor(_, { frequency }) { window.heard.push(frequency); }
    connect(to) { return to; } start() {} stop() {} };
  window.GainNode = class { constructor() { this.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; }
    connect(to) { return to; } };
  window.AudioContext = class { currentTime = 0; destination = null; };
}"""

FLIGHTS = """() => {
  window.flown = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) window.flown += Number(node.matches?.(".flying") ?? 0);
  }).observe(document.body, { childList: true, subtree: true });
}"""


def table_of(visitor: Visitor, name: str, **setting: object) -> str:
    return str(visitor.ask("POST", "/games/", {"name": name, "seats": 6, "pause": 0.2, **setting})["gameID"])


def test_a_free_seat_is_taken_by_a_click_and_nobody_who_sits_is_offered_one(visit: Visit) -> None:
    ann, bob = visit(), visit()
    for visitor in (ann, bob):
        visitor.enter()
    game = table_of(ann, "Choose")
    bob.come(f"/#/table/{game}")
    free = bob.page.get_by_role("button", name="Sit here")
    free.first.wait_for()
    assert free.count() == 5
    assert findings(bob.page) == []
    for width, height in (SIZES | SMALL).values():
        bob.page.set_viewport_size({"width": width, "height": height})
        assert too_wide(bob.page) <= 0
    bob.page.get_by_role("button", name="Sit here, seat 4").click()
    bob.until(lambda: (bob.frames[-1]["you"] or {}).get("seat") == 3, "the seat that was clicked")
    bob.page.locator(".seat.mine").wait_for()
    assert free.count() == 0


def test_two_tables_are_played_in_one_window_and_one_closes_when_it_is_left(
    visit: Visit, looks: Looks
) -> None:
    ann = visit()
    ann.enter()
    games = [table_of(ann, name) for name in ("North", "South")]
    for game in games:
        ann.ask("POST", f"/games/{game}/house", {"bots": ["caller"]})
    ann.come(f"/#/table/{games[0]}")
    ann.press("Another table")
    ann.press("Go on at South")
    frames = [ann.page.frame_locator(f".pane:nth-child({place}) iframe") for place in (1, 2)]
    for frame in frames:
        frame.locator(".act.call:enabled").wait_for()
        assert frame.locator(".bar").is_hidden()
    assert ann.page.locator(".pane-name").all_inner_texts() == ["North", "South"]
    ann.page.locator(".pane.to-act").nth(1).wait_for()
    assert ann.page.title().startswith("● 2 turns")
    for _, width, height, scheme in looks(SIZES | SMALL):
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert too_wide(ann.page) <= 0, (width, height)
        assert findings(ann.page) == [], (width, height, scheme)
    ann.page.set_viewport_size({"width": 1280, "height": 800})
    before = len(ann.frames)
    frames[1].locator(".act.call").click()
    ann.until(lambda: any(one["game"] == games[1] and one["seq"] for one in ann.frames[before:]), "the call")
    assert not any(one["game"] == games[0] and one["seq"] for one in ann.frames[before:])
    frames[0].get_by_role("button", name="Leave").click()
    ann.page.locator(".pane-name", has_text="North").wait_for(state="detached")
    assert ann.page.locator(".pane-name").all_inner_texts() == ["South"]


def test_a_second_table_against_bots_is_made_beside_the_first_one(visit: Visit) -> None:
    ann = visit()
    ann.enter()
    ann.come(f"/#/table/{table_of(ann, 'Only')}")
    ann.press("Another table")
    ann.press("Play against bots at a new one")
    ann.page.frame_locator(".pane:nth-child(2) iframe").locator(".seat.mine").wait_for()
    assert ann.page.locator(".pane-name").all_inner_texts() == ["Only", f"{ann.name} and bots"]


def test_the_page_shows_that_the_time_bank_runs_and_offers_a_top_up_as_the_server_says(visit: Visit) -> None:
    ann = visit()
    ann.enter()
    game = table_of(ann, "Slow", turn_seconds=10, time_bank=300, seats=2)
    ann.ask("POST", f"/games/{game}/house", {"bots": ["caller"]})
    ann.come(f"/#/table/{game}")
    ann.until(lambda: bool(ann.frames) and bool((ann.frames[-1]["turn"] or {}).get("bank")), "the bank")
    ann.page.locator(".seat.mine .clock", has_text="time bank 2").wait_for()
    ann.page.locator(".act.fold").click()
    ann.until(lambda: ann.frames[-1]["seats"][0]["bank"] < 300, "what is left of it")


def test_ones_turn_sounds_unless_it_is_switched_off_and_nothing_moves_where_nothing_may(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    ann.enter()
    ann.context.add_init_script(f"({SOUNDS})()")
    game = table_of(ann, "Loud", seats=2, turn_seconds=120)
    ann.come(f"/#/table/{game}")
    ann.press("Bots")
    ann.page.get_by_role("button", name="Seat it").click()
    ann.until(lambda: ann.may_act, "the first turn")
    ann.until(lambda: bool(ann.page.evaluate("heard.length")), "a sound")

    def moves() -> str:
        return str(
            ann.page.evaluate("() => getComputedStyle(document.querySelector('button')).transitionDuration")
        )

    assert moves() != "0s"
    ann.press("Keyboard and settings")
    ann.page.get_by_label("Sounds").select_option("off")
    ann.page.get_by_label("Animations").select_option("off")
    ann.page.keyboard.press("Escape")
    assert moves() == "0s"
    ann.page.evaluate("() => { heard.length = 0; }")
    before = len(ann.frames)
    ann.page.locator(".act.call").click()
    ann.until(lambda: len(ann.frames) > before and ann.may_act, "the next turn")
    assert ann.page.evaluate("heard.length") == 0


def test_bets_fly_to_the_pot_when_a_street_ends(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    ann.enter()
    game = table_of(ann, "Chips", seats=2, turn_seconds=120)
    ann.come(f"/#/table/{game}")
    ann.page.evaluate(f"({FLIGHTS})()")
    ann.press("Bots")
    ann.page.get_by_role("button", name="Seat it").click()
    ann.until(lambda: ann.may_act, "the first turn")
    ann.page.locator(".act.call").click()
    ann.until(lambda: bool(ann.page.evaluate("flown")), "chips on their way")
    ann.until(lambda: ann.page.locator(".chip.flying").count() == 0, "their end")
