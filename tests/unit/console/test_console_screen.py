"""The full screen at 80 by 24: what it shows is stored as text, key by key.

Run with POKER_SCREENS=write to store what is shown now, and read the difference before committing it.
"""

import asyncio
import html
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from poker_actors.console import Session, Setup, five_card_setup, holdem_setup, run_full_screen
from poker_actors.console.tui import TableApp
from poker_actors.errors import MissingExtra

SCREENS = Path(__file__).parent / "screens"
CELL = re.compile(r'<text [^>]*\bx="([0-9.]+)"[^>]*clip-path="url\(#[^"]*-line-(\d+)\)"[^>]*>(.*?)</text>')
CELL_WIDTH = 12.2


def five_card(**settings: str) -> Setup:
    return five_card_setup(seed=11, **settings)


def holdem(players: int = 5, stacks: str = "200") -> Setup:
    return holdem_setup(
        seed=5,
        players=players,
        bots=["caller", "scripted:actions=raise_to 6/check/bet 20/call", "folder", "caller"][: players - 1],
        stacks=stacks,
    )


def game(name: str, players: int, seed: int = 3) -> Setup:
    return holdem_setup(seed=seed, players=players, bots=["caller"], game=name)


def text_of(svg: str, width: int = 80, height: int = 24) -> str:
    """Read the characters back out of a picture of the screen."""
    rows = [[" "] * width for _ in range(height)]
    for x, row, content in CELL.findall(svg):
        column = round(float(x) / CELL_WIDTH)
        for place, mark in enumerate(html.unescape(content).replace("\xa0", " ")):
            if int(row) < height and column + place < width:
                rows[int(row)][column + place] = mark
    return "".join("".join(row).rstrip() + "\n" for row in rows)


def show(setup: Setup, keys: Sequence[str], size: tuple[int, int] = (80, 24)) -> tuple[str, TableApp]:
    """Press these keys and give the screen as text, and the app."""

    async def run() -> tuple[str, TableApp]:
        app = TableApp(Session(setup))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
            shown = text_of(app.export_screenshot(), *size) if app.is_running else ""
            app.session.leave()
        return shown, app

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("name", "setup", "keys"),
    [
        ("five_card_first_bet", five_card(), []),
        ("five_card_last_card", five_card(), ["c", "c"]),
        ("five_card_showdown", five_card(), ["c", "c", "c"]),
        ("five_card_amount", five_card(), ["r", "5", "0"]),
        ("five_card_amount_refused", five_card(), ["r", "2", "enter"]),
        ("five_card_all_in_asked", five_card(), ["a"]),
        ("five_card_leaving_asked", five_card(), ["q"]),
        ("five_card_fair", five_card(cpu="fair"), ["c"]),
        ("five_card_help", five_card(), ["?"]),
        ("holdem_before_the_flop", holdem(), []),
        ("holdem_flop", holdem(), ["c"]),
        ("holdem_showdown", holdem(), ["c", "c", "c", "c", "c"]),
        ("holdem_shown_by_choice", holdem(), ["c", "c", "c", "c", "c", "s"]),
        ("holdem_last_hand", holdem(), ["l", "c", "c", "c", "c", "c"]),
        ("holdem_ten_seats", holdem_setup(seed=9, players=10, bots=["caller"]), ["c", "c"]),
        ("holdem_out", holdem(players=2, stacks="3,40"), ["a", "y"]),
        ("omaha", holdem_setup(seed=9, players=3, bots=["caller"], game="omaha"), ["c", "c"]),
        ("omaha_six_cards", game("omaha6", 6), ["c"]),
        ("stud_brings_in", game("stud", 3, seed=5), []),
        ("stud_eight_seats_one_card_for_all", game("stud", 8, seed=3), ["c", "c", "c", "c"]),
        ("stud_showdown", game("stud8", 3), ["c"] * 6),
        ("draw_two_chosen", game("2-7-triple-draw", 6), ["c", "1", "3"]),
        ("draw_new_cards", game("badugi", 8), ["c", "1", "2", "enter"]),
        ("pineapple_one_goes", game("crazy-pineapple", 4), ["c", "c", "2"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_screen_shows_what_is_stored(name: str, setup: Setup, keys: list[str]) -> None:
    shown, _ = show(setup, keys)
    path = SCREENS / f"{name}.txt"
    if os.environ.get("POKER_SCREENS") == "write":
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


def test_the_cpus_cards_are_face_down_until_the_showdown() -> None:
    before, _ = show(five_card(), ["c", "c"])
    after, _ = show(five_card(), ["c", "c", "c"])
    assert "Enter deals" in after
    assert before.count("░░░░░") == 3 * 5
    assert "░" not in after


TURN = "Call 2, raise to 4-200, fold?"
"""What `holdem()` asks first: nobody there decides by luck."""


def test_an_all_in_takes_two_keys_and_any_other_key_does_nothing() -> None:
    shown, _ = show(holdem(), ["a", "x", "c", "f"])
    assert "All-in with 200 chips? It cannot be taken back." in shown
    shown, _ = show(holdem(), ["a", "n"])
    assert TURN in shown
    _, app = show(holdem(), ["a", "y"])
    assert app.session.money[0] == 0


def test_where_no_raise_is_allowed_there_is_no_key_for_one() -> None:
    raised = holdem_setup(seed=5, players=2, bots=["scripted:actions=raise_to 40"], stacks="30,40")
    shown, _ = show(raised, ["c"])
    assert "c  call 28" in shown
    assert "r  raise" not in shown


@pytest.mark.parametrize("name", ["2-7-triple-draw", "crazy-pineapple"])
def test_where_cards_are_thrown_away_the_help_says_how(name: str) -> None:
    shown, _ = show(game(name, 3), ["?"], size=(120, 40))
    assert "The number of a card chooses it" in shown


def test_an_amount_typed_is_bet() -> None:
    shown, _ = show(holdem(), ["r", "2", "0", "enter"])
    assert "You raise to 20." in shown


def test_an_amount_that_is_not_possible_is_refused_with_the_limit() -> None:
    shown, _ = show(holdem(), ["r", "3", "enter"])
    assert "Not possible: raise to 3 is below the minimum of 4." in shown


def test_an_amount_of_everything_is_asked_for_twice() -> None:
    shown, _ = show(holdem(), ["r", "2", "0", "0", "enter"])
    assert "It cannot be taken back." in shown


def test_cards_are_chosen_kept_and_thrown_away_by_their_numbers() -> None:
    setup = game("2-7-triple-draw", 3)
    shown, _ = show(setup, ["c", "1", "3", "1"])
    assert " Enter  throw 1 away " in shown
    shown, app = show(setup, ["c", "1", "3", "1", "enter"])
    assert "You draw " in shown
    (thrown,) = [line for line in shown.splitlines() if line.startswith("D You") and "discard 1 card" in line]
    assert "7d" not in thrown
    shown, _ = show(setup, ["c", "enter"])
    assert "stand pat" in shown
    assert app.session.sitting.state is not None


def test_no_more_cards_are_chosen_than_may_be_thrown_away() -> None:
    shown, _ = show(game("crazy-pineapple", 4), ["c", "c", "enter"])
    assert "Throw 1 away? Numbers choose, 0 chosen." in shown
    shown, _ = show(game("crazy-pineapple", 4), ["c", "c", "1", "2"])
    assert shown.count("away") == 3  # the question, the mark of the first card, and Enter
    shown, _ = show(game("crazy-pineapple", 4), ["c", "c", "2", "enter"])
    assert "You hold 2d 7d." in shown


def test_who_brings_it_in_pays_with_b_or_completes_with_r_and_cannot_fold() -> None:
    setup = game("stud", 3, seed=5)
    shown, _ = show(setup, ["f"])
    assert "Bring in 2, raise to 4?" in shown
    assert " fold" not in shown
    shown, _ = show(setup, ["b"])
    assert "You bring in for 2." in shown
    shown, _ = show(setup, ["r"])
    assert "You raise to 4." in shown


def test_letters_are_no_amount_and_escape_goes_back() -> None:
    shown, _ = show(holdem(), ["r", "c", "x", "4"])
    assert "\n4" in shown
    shown, _ = show(holdem(), ["r", "4", "escape"])
    assert TURN in shown
    shown, _ = show(holdem(), ["r", "enter"])
    assert TURN in shown


@pytest.mark.parametrize(
    ("keys", "interrupted"), [(["q", "y"], False), (["ctrl+q"], False), (["c", "ctrl+c"], True)]
)
def test_leaving_settles_and_says_whether_it_was_by_ctrl_c(keys: list[str], interrupted: bool) -> None:
    _, app = show(five_card(), keys)
    assert app.return_value is interrupted
    assert sum(app.session.sitting.balances) == 400
    assert app.session.take_lines()[-1].startswith("You leave with")


def test_after_a_game_another_one_begins_with_n() -> None:
    shown, app = show(holdem(players=2, stacks="3,40"), ["a", "y", "n"])
    assert app.session.games == 2
    assert "game 2, deal 1" in shown


def test_a_larger_terminal_shows_more_of_the_story() -> None:
    shown, _ = show(five_card(), ["c", "c", "c"], size=(100, 40))
    assert "You are dealt 10 4, and then 9." in shown


def test_a_small_terminal_still_shows_the_question_and_the_keys() -> None:
    shown, _ = show(five_card(), [], size=(80, 22))
    assert "fold?" in shown
    assert "q  leave" in shown


@pytest.mark.parametrize("size", [(59, 24), (80, 19), (50, 12), (30, 9)])
@pytest.mark.parametrize(
    ("setup", "own"),
    [
        (five_card(), "Your cards: 10 4"),
        (holdem(), "Your cards: 2h 3d"),
        (game("stud", 6), "Your cards: 2d 6c 7d"),
    ],
    ids=["five-card", "holdem", "stud"],
)
def test_a_small_terminal_says_so_and_shows_ones_cards_the_question_and_the_keys(
    setup: Setup, own: str, size: tuple[int, int]
) -> None:
    shown, _ = show(setup, [], size=size)
    assert f"too small: {size[0]}x{size[1]}" in shown
    assert own in shown
    assert "c  c" in shown, "the keys"


@pytest.mark.parametrize(
    "setup", [five_card(), holdem(), game("stud", 6)], ids=["five-card", "holdem", "stud"]
)
def test_from_60_by_20_on_nothing_is_too_small_and_no_card_is_cut(setup: Setup) -> None:
    shown, _ = show(setup, [], size=(60, 20))
    assert "too small" not in shown
    assert "Your cards: " in shown or shown.count("╭─────╮") == shown.count("╰─────╯") > 0


@pytest.mark.parametrize(
    ("setup", "size"),
    [(holdem(), (79, 24)), (game("double-board-holdem", 9), (80, 20))],
    ids=["too wide", "too high"],
)
def test_a_drawing_that_does_not_fit_is_written_in_words(setup: Setup, size: tuple[int, int]) -> None:
    shown, _ = show(setup, [], size=size)
    assert "too small" not in shown
    assert "Your cards: " in shown
    larger, _ = show(setup, [], size=(80, 26))
    assert "Your cards: " not in larger


def test_the_table_is_drawn_anew_when_the_terminal_grows() -> None:
    async def run() -> list[bool]:
        app = TableApp(Session(holdem()))
        found = []
        async with app.run_test(size=(50, 12)) as pilot:
            for size in ((50, 12), (80, 24), (50, 12)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                found.append("too small" in text_of(app.export_screenshot(), *size))
            app.session.leave()
        return found

    assert asyncio.run(run()) == [True, False, True]


@pytest.mark.parametrize(("ended", "by_ctrl_c"), [(None, True), (True, True), (False, False)])
def test_a_screen_that_ends_without_a_result_was_ended_from_outside(
    ended: bool | None, by_ctrl_c: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TableApp, "run", lambda app: ended)
    assert run_full_screen(Session(five_card())) is by_ctrl_c


@pytest.mark.parametrize(
    ("name", "raised"),
    [
        ("textual", MissingExtra),
        ("rich.text", MissingExtra),
        ("textually", ModuleNotFoundError),
        (None, ModuleNotFoundError),
    ],
)
def test_only_the_library_of_the_screen_is_a_missing_extra(
    name: str | None, raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Missing:
        def find_spec(self, asked: str, *_: object) -> None:
            if asked == "poker_actors.console.tui":
                raise ModuleNotFoundError("no such module", name=name)

    monkeypatch.delitem(sys.modules, "poker_actors.console.tui")
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(raised) as caught:
        run_full_screen(Session(five_card()))
    assert type(caught.value) is raised
