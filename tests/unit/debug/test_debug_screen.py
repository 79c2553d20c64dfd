"""The full screen at 80x24: golden screens, keyboard and mouse."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual")

from textual.geometry import Region
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import OptionList, Static

from poker_actors.actors import Room, StepRuntime, Table
from poker_actors.debug import Stepper
from poker_actors.debug.tui import DebugApp
from poker_actors.debug.widgets import ActorList, StateTree, Timeline

SCREENS = Path(__file__).with_name("screens")
BOTS = ["caller", "random", "tight"]

Act = Callable[[DebugApp, Pilot[bool]], Awaitable[None]]


def lines_of(app: DebugApp) -> list[str]:
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def driven(
    act: Act, *, viewpoint: str = "god", size: tuple[int, int] = (80, 24), hands: int = 1
) -> list[str]:
    async def run() -> list[str]:
        with Stepper(bots=BOTS, seed=7, viewpoint=viewpoint, hands=hands) as stepper:
            app = DebugApp(stepper)
            async with app.run_test(size=size) as pilot:
                await pilot.pause()
                await act(app, pilot)
                await pilot.pause()
                return lines_of(app)

    return asyncio.run(run())


def pressed(*keys: str) -> Act:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        for key in keys:
            await pilot.press(key)
            await pilot.pause()

    return act


KEYS: dict[str, tuple[str, ...]] = {
    "beginning": (),
    "deal": ("n",),
    "action": ("a",),
    "flop": ("s", "left", "right"),
    "why": ("a", "a", "w"),
    "end": ("end",),
    "fork": ("a", "colon", *"fork", "space", *"fold", "enter"),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_screen_of_80_by_24_looks_as_it_always_did(name: str) -> None:
    shown = driven(pressed(*KEYS[name]))
    golden = (SCREENS / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    # the scroll bar's edge depends on the terminal library, what it stands beside does not
    plain = [line.translate(dict.fromkeys(map(ord, "▁▂▃▄▅▆▇█▉▊▋▌▍▎▏"), " ")).rstrip() for line in shown]
    assert plain == golden


def test_a_click_on_the_timeline_goes_there_and_a_click_on_a_message_too() -> None:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        await pilot.click("#timeline", offset=(67, 0))
        await pilot.pause()
        assert app.stepper.over
        await pilot.click("#timeline", offset=(0, 0))
        await pilot.pause()
        assert app.stepper.position == 0
        await pilot.click("#messages", offset=(4, 3))
        await pilot.pause()
        assert 0 < app.stepper.position < 5

    driven(act)


def test_keys_pressed_faster_than_the_screen_is_drawn_all_count() -> None:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        await pilot.press("a", *["left"] * 5, *["n"] * 3, "left")
        await pilot.pause()
        assert app.stepper.position == 8 - 5 + 3 - 1
        app.action_forward()
        app.action_forward()
        await pilot.pause()
        assert app.stepper.position == 7

    driven(act)


@pytest.fixture(params=["frozen", "nothing frozen"])
def frozen(request: pytest.FixtureRequest) -> Iterator[int]:
    """How many objects the program that opens the screen has frozen: many, or none."""
    (gc.freeze if request.param == "frozen" else gc.unfreeze)()
    yield gc.get_freeze_count()
    gc.freeze()  # as `conftest` leaves it


def test_a_screen_thaws_what_it_has_frozen_and_nothing_else(frozen: int) -> None:
    kept = []

    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        await pilot.press("end")
        kept.append(gc.get_freeze_count())

    driven(act)
    assert (kept[0] > frozen) == (not frozen)
    assert 0.9 * frozen <= gc.get_freeze_count() <= frozen, "some of what is frozen may be freed meanwhile"


def test_arrow_keys_scrub_the_list_of_messages() -> None:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        await pilot.press("down", "down", "down", "up")
        await pilot.pause()
        assert app.stepper.position == 2

    driven(act)


def test_the_actors_are_listed_with_who_is_next_and_how_many_messages_wait() -> None:
    shown = driven(pressed("n"))
    right = [line.partition("│")[2].strip() for line in shown]
    assert right[1:7] == [
        "bank",
        "table main",
        "> player caller  2",
        "player random  2",
        "player tight  2",
        "hand 0",
    ]


def test_an_actor_that_is_clicked_is_opened_in_the_tree_and_stays_open() -> None:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        await pilot.click("#actors", offset=(4, 2))
        await pilot.pause()
        assert app.stepper.position == 0
        tree = app.query_one(StateTree)
        opened = {str(node.label) for node in tree.root.children if node.is_expanded}
        assert opened == {"player caller"}
        (node,) = [one for one in tree.root.children if one.is_expanded]
        assert "name: caller" in [str(one.label) for one in node.children]
        await pilot.press("n")
        await pilot.pause()
        assert "player caller" in tree.pinned
        await pilot.click("#actors", offset=(4, 2))
        await pilot.pause()
        assert tree.pinned == set()
        assert app.stepper.position == 1

    driven(act)


def test_a_part_of_an_actor_is_filled_when_it_is_opened() -> None:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        tree = app.query_one(StateTree)
        app.query_one(ActorList).post_message(ActorList.Opened("table main"))
        await pilot.pause()
        (table,) = [one for one in tree.root.children if one.is_expanded]
        (seats,) = [one for one in table.children if str(one.label) == "seats"]
        seats.expand_all()
        await pilot.pause()
        first = seats.children[0]
        first.expand()
        await pilot.pause()
        assert [str(one.label) for one in first.children][:2] == ["player: caller", "stack: 200"]

    driven(act)


def test_the_list_follows_to_the_end_and_back_in_a_session_longer_than_it() -> None:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        messages = app.query_one("#messages", OptionList)
        for key, place in (("end", len(app.stepper.steps)), ("home", 0), ("end", len(app.stepper.steps))):
            await pilot.press(key)
            await pilot.pause()
            assert messages.highlighted is not None
            line = messages.get_option_at_index(messages.highlighted).prompt
            assert str(line).split()[0] == str(place)
        assert messages.option_count < len(app.stepper.steps)

    driven(act, hands=8)


def test_what_has_changed_stands_out_in_the_list_and_what_has_not_does_not() -> None:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        await pilot.press("a", "n")
        await pilot.pause()
        actors = app.query_one(ActorList)
        prompts = [actors.get_option_at_index(place).prompt for place in range(actors.option_count)]
        bold = {str(each)[2:].split("  ")[0]: "bold yellow" in str(each.spans) for each in prompts}  # type: ignore[union-attr]
        assert bold["player caller"]
        assert not bold["bank"]

    driven(act)


def test_a_breakpoint_stops_and_is_told() -> None:
    shown = driven(pressed("b", *"pot", "space", "5", "enter", "escape", "c"))
    assert any("breakpoint 1: pot 5" in line for line in shown)
    assert any("pot 5" in line for line in shown[1:2])


def test_a_seat_sees_no_other_cards_and_no_seed() -> None:
    shown = "\n".join(driven(pressed("a"), viewpoint="seat 1"))
    assert "seen as seat 1" in shown
    assert "seed" not in shown
    assert shown.count("?? ??") == 2


def test_a_key_hears_more_of_a_live_table() -> None:
    async def run(room: Room, table: Table) -> list[str]:
        with room.debug("green") as stepper:
            app = DebugApp(stepper)
            async with app.run_test(size=(80, 24)) as pilot:
                await pilot.pause()
                before = stepper.position
                table.deal().result()
                await pilot.press("m")
                await pilot.pause()
                assert stepper.position > before
                assert stepper.over
                await pilot.press("escape")
                await pilot.pause()
                return lines_of(app)

    with Room(StepRuntime(), seed=2, recent=100) as room:
        table = room.open_table("green", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        table.deal().result()
        shown = "\n".join(asyncio.run(run(room, table)))
    assert "hand 1" in shown
    assert "*** more: this session has no live table" in "\n".join(driven(pressed("m")))


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (140, 50)])
def test_any_size_can_be_drawn(size: tuple[int, int]) -> None:
    assert len(driven(pressed("a", "s"), size=size)) == size[1]


@pytest.mark.parametrize(
    ("length", "shown"), [(7, "    5 of 7"), (1234, " 1001 of 1234"), (54321, " 1001 of 54321")]
)
def test_the_timeline_fits_its_line_with_numbers_of_any_length(length: int, shown: str) -> None:
    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        app.query_one(Timeline).show(min(1001, length - 2), [], [], length)

    (line,) = [line for line in driven(act) if "#" in line and " of " in line]
    assert line.endswith(shown)
    assert len(line) <= 80


def test_a_key_draws_what_has_changed_and_lays_nothing_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str | None] = []
    laid_out: list[str | None] = []
    again: list[str | None] = []
    refresh, update = Widget.refresh, Static.update

    def refreshed(widget: Widget, *regions: Region, layout: bool = False, **how: bool) -> Widget:
        again.append(widget.id)
        laid_out.extend([widget.id] if layout else [])
        return refresh(widget, *regions, layout=layout, **how)

    def updated(shown: Static, content: Any, *, layout: bool = True) -> None:
        drawn.append(shown.id)
        update(shown, content, layout=layout)

    async def act(app: DebugApp, pilot: Pilot[bool]) -> None:
        await pilot.press("a", "right", "right")
        await pilot.pause()
        monkeypatch.setattr(Static, "update", updated)
        monkeypatch.setattr(Widget, "refresh", refreshed)
        await pilot.press("right", "left")
        await pilot.pause()

    driven(act)
    assert drawn == ["next", "next"]
    assert laid_out == []
    assert again.count("state") < 10, "not at each line of the tree"
