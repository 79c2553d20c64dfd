"""Exports: the page is one file that scrubs offline, the diagrams hold every message."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import attrs
import pytest

from poker_actors.browser import drawing_files
from poker_actors.debug import Script, Stepper, Viewpoint, mermaid, page, sequence_svg
from poker_actors.server.page import assets

DIVIDES = f"{Path(__file__).parents[3] / 'examples' / 'broken' / 'divides.py'}:bot"


@pytest.fixture(scope="module")
def stepper() -> Stepper:
    with Stepper(bots=["caller", "random", "tight"], seed=7) as session:
        session.run()
    return session


def test_the_page_asks_nobody_for_anything(stepper: Stepper) -> None:
    text = page(stepper)
    assert re.findall(r"""(?:src|href|action)\s*=|url\(|@import|fetch\(|XMLHttp""", text) == []
    hosts = set(re.findall(r"https?://([^/\"\\]+)", text))
    assert hosts <= {"www.w3.org"}, "the name of the SVG format, which nobody opens"
    assert "default-src 'none'" in text


def test_the_page_holds_every_position_and_nothing_ends_its_script_early(stepper: Stepper) -> None:
    (data,) = json.loads(page(stepper).partition('type="application/json">')[2].partition("</script>")[0])
    assert len(data["positions"]) == len(stepper.steps) + 1
    assert {one["picture"] for one in data["positions"]} == set(range(len(data["pictures"])))
    assert {seat for picture in data["pictures"] for seat in picture["seats"]} == set(
        range(len(data["seats"]))
    )


def test_a_table_is_drawn_by_the_scripts_and_in_the_colours_of_the_servers_page(stepper: Stepper) -> None:
    text = page(stepper)
    for name in ("cards", "felt", "seats"):
        script = (drawing_files() / "js" / f"{name}.js").read_text(encoding="utf-8")
        assert assets()[f"js/{name}.js"].body.decode() == script
        assert re.sub(r"^import .*\n|^export ", "", script, flags=re.MULTILINE) in text
    for name in ("shared", "felt", "seats"):
        assert assets()[f"css/{name}.css"].body.decode() in text
    assert not re.findall(r"^\s*(?:import|export)\b", text, re.MULTILINE), (
        "a script within a page cannot import"
    )


def test_the_scripts_that_draw_a_table_have_no_name_in_common() -> None:
    scripts = [one for one in (drawing_files() / "js").iterdir() if one.name.endswith(".js")]
    named = [
        name
        for script in scripts
        for name in re.findall(
            r"^(?:export )?(?:const|function|class|let) (\w+)",
            script.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    ]
    assert len(named) > 20
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("game", ["holdem", "omaha8", "stud", "badugi"])
def test_a_picture_holds_cards_chips_and_what_was_won(game: str) -> None:
    with Stepper(bots=["caller"] * 3, seed=4, game=game) as stepper:
        assert stepper.picture().to_dict()["hand_id"] is None
        stepper.step_action()
        seats = stepper.picture().to_dict()["seats"]
        assert all(len(seat["cards"]) == seat["hidden"] > 0 for seat in seats)
        stepper.viewpoint = Viewpoint.parse("seat 1")
        seen = stepper.picture().to_dict()
        assert seen["you"] == {"seat": 1}
        assert [seat["cards"] is not None for seat in seen["seats"]] == [False, True, False]
        pot, drawn = 0, seen
        assert isinstance(stepper.script, Script)
        while stepper.step() is not None:
            drawn = stepper.picture().to_dict()
            assert sum(seat["stack"] for seat in drawn["seats"]) + sum(
                one["size"] for one in drawn["pots"]
            ) == sum(stepper.script.stacks)
            pot = sum(one["size"] for one in drawn["pots"]) or pot
        assert drawn["over"]
        assert (
            sum(seat["won"] for seat in drawn["seats"])
            == sum(one["amount"] for one in drawn["winners"])
            == pot
        )


def test_a_page_of_many_hands_is_small_and_holds_faults_states_and_reasons() -> None:
    with Stepper(bots=[DIVIDES, "tight", "loose", "caller", "maniac", "random"], seed=3, hands=25) as session:
        text = page(session)
    assert len(text) < 4_000_000 // 4
    (data,) = json.loads(text.partition('type="application/json">')[2].partition("</script>")[0])
    wrong = [line for one in data["positions"] for lines in one.get("wrong", ()) for line in lines]
    assert any("ZeroDivisionError: division by zero" in line for line in wrong)
    assert any(path[0] == "player tight" for path in data["paths"])
    assert len(data["reasons"]) == 25
    assert all("pot" in one for one in data["reasons"])


def test_the_diagrams_hold_every_delivery(stepper: Stepper) -> None:
    deliveries = sum(len(step.handled) for step in stepper.steps)
    text = mermaid(stepper)
    assert len(re.findall(r"^    a\d+(?:-\)|->>)a\d+: .", text, re.MULTILINE)) == deliveries
    tree = ET.fromstring(sequence_svg(stepper))
    arrows = len(tree.findall("{*}path"))
    words = [one.text or "" for one in tree.findall("{*}text")]
    folded = [int(found[1]) for one in words if (found := re.search(r"HandState .* and to (\d+) more$", one))]
    assert folded, "what several are told alike is one arrow"
    assert arrows + sum(folded) == deliveries
    assert not any("and to" in one and "to act" in one for one in words), (
        "whose turn it is has an arrow of its own"
    )


def test_what_went_wrong_stands_in_the_diagrams() -> None:
    divides = f"{Path(__file__).parents[3] / 'examples' / 'broken' / 'divides.py'}:bot"
    with Stepper(bots=[divides, "tight", "loose"], seed=3) as stepper:
        stepper.run()
        tree = ET.fromstring(sequence_svg(stepper))
        wrong = [one.text for one in tree.findall("{*}text") if (one.text or "").startswith("!!")]
        assert len(wrong) == len(tree.findall("{*}circle")) == len(stepper.incidents) > 0
        assert "ZeroDivisionError" in str(wrong[0])
        assert mermaid(stepper).count("Note over") == len(stepper.incidents)


def test_names_mean_nothing_to_the_formats() -> None:

    script = attrs.evolve(Script.of(["caller", "caller"], seed=1), names=('<script><b>"&;#', "a%%{x}: <i>"))
    with Stepper(script) as stepper:
        text = page(stepper)
        assert text.count("</script>") == 2
        assert "<b>" not in text.partition("<script")[0] + text.partition('json">')[2]
        ET.fromstring(sequence_svg(stepper))
        ET.fromstring(stepper._repr_svg_())
        assert "%%" not in mermaid(stepper)
