"""Exports: the page is one file that scrubs offline, the diagrams hold every message."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import attrs
import pytest

from poker_actors.debug import Script, Stepper, mermaid, page, sequence_svg

DIVIDES = f"{Path(__file__).parents[3] / 'examples' / 'broken' / 'divides.py'}:bot"
DRIVER = Path(__file__).with_name("page_driver.js")


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
    data = json.loads(page(stepper).partition('type="application/json">')[2].partition("</script>")[0])
    assert len(data["positions"]) == len(stepper.steps) + 1
    assert {one["picture"] for one in data["positions"]} == set(range(len(data["pictures"])))
    for picture in data["pictures"]:
        ET.fromstring("".join(data["parts"][part] for part in picture))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_script_of_the_page_scrubs_by_slider_keys_buttons_and_list(
    stepper: Stepper, tmp_path: Path
) -> None:
    place = tmp_path / "hand.html"
    place.write_text(page(stepper), encoding="utf-8")
    done = subprocess.run(
        ["node", str(DRIVER), str(place)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    last = len(stepper.steps)
    assert json.loads(done.stdout) == {
        "start": f"0 of {last}",
        "next": f"1 of {last}",
        "right": f"2 of {last}",
        "left": f"1 of {last}",
        "slider": f"9 of {last}",
        "row": f"4 of {last}",
        "end": f"{last} of {last}",
        "beyond": f"{last} of {last}",
        "home": f"0 of {last}",
        "rows": last + 1,
        "drawn": True,
        "current": 1,
    }


def test_a_page_of_many_hands_is_small_and_holds_faults_states_and_reasons() -> None:
    with Stepper(bots=[DIVIDES, "tight", "loose", "caller", "maniac", "random"], seed=3, hands=25) as session:
        text = page(session)
    assert len(text) < 4_000_000 // 4
    data = json.loads(text.partition('type="application/json">')[2].partition("</script>")[0])
    wrong = [line for one in data["positions"] for lines in one.get("wrong", ()) for line in lines]
    assert any("ZeroDivisionError: division by zero" in line for line in wrong)
    assert any(path[0] == "player tight" for path in data["paths"])
    assert len(data["reasons"]) == 25
    assert all("pot" in one for one in data["reasons"])


DRIVE = """<script>
const said = {};
const see = (name) => { said[name] = document.getElementById("count").textContent; };
const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
see("start");
document.getElementById("next").click(); see("next");
key("ArrowRight"); see("right");
key("ArrowLeft"); see("left");
const at = document.getElementById("at");
at.value = "9"; at.dispatchEvent(new Event("input")); see("slider");
document.querySelectorAll("#messages button")[4].click(); see("row");
key("End"); see("end");
said.seats = document.querySelectorAll("#table svg rect[rx='8']").length;
const result = document.createElement("pre");
result.id = "result";
result.textContent = JSON.stringify(said);
document.body.append(result);
</script>"""


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium")
def test_the_page_scrubs_in_a_browser(stepper: Stepper, tmp_path: Path) -> None:
    place = tmp_path / "hand.html"
    place.write_text(page(stepper).replace("</body>", f"{DRIVE}</body>"), encoding="utf-8")
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--dump-dom",
    ]
    command = ["chromium", *options, place.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout)
    assert found is not None, done.stderr
    last = len(stepper.steps)
    places = {"start": 0, "next": 1, "right": 2, "left": 1, "slider": 9, "row": 4, "end": last}
    assert json.loads(found[1]) == {**{name: f"{at} of {last}" for name, at in places.items()}, "seats": 3}


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
