"""A report: every figure worked out again from the hands, by code that knows nothing of ours."""

import json
import math
import re
import shlex
import statistics
from html import unescape
from itertools import combinations
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.sim import simulate

BOTS = ["tight", "maniac", "caller"]
SIX_PLAYERS = [word for bot in BOTS for word in ("--bot", bot)]


def cells(page: str, section: str) -> list[list[str]]:
    """The texts of the first table after a heading, or of the first of the page."""
    body = page[page.index(section) :]
    table = body[body.index("<tbody") : body.index("</tbody>")]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table)
    return [
        [
            unescape(re.sub(r"<[^>]+>", " ", cell)).strip()
            for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)
        ]
        for row in rows
    ]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[dict[str, object]]]:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    folder = tmp_path_factory.mktemp("report")
    files = ["--report", str(folder / "r.html"), "--jsonl", str(folder / "r.jsonl")]
    assert main(["simulate", *SIX_PLAYERS, "--hands", "900", "--seed", "3", *files]) == 0
    page = (folder / "r.html").read_text(encoding="utf-8")
    return page, [json.loads(line) for line in (folder / "r.jsonl").read_text().splitlines()]


def gains(hands: list[dict[str, object]]) -> list[list[float]]:
    """bb/100 of each hand, by bot."""
    rows = []
    for hand in hands:
        row = [0.0] * len(BOTS)
        for bot, chips in zip(hand["bot_numbers"], hand["payoffs"], strict=True):  # type: ignore[call-overload]
            row[bot] = chips * 100 / 2
        rows.append(row)
    return rows


def number(text: str) -> float:
    return float(text.replace(",", "").split()[0])


def test_places_and_results_are_those_of_the_hands(written: tuple[str, list[dict[str, object]]]) -> None:
    page, hands = written
    rows = gains(hands)
    shown = {row[1]: row for row in cells(page, "<h1>")}
    # Student's t, 899 degrees of freedom
    for bot, name in enumerate(BOTS):
        column = [row[bot] for row in rows]
        mean, margin = statistics.mean(column), 1.9626 * statistics.stdev(column) / 30
        place, _, result, net, played = shown[name]
        assert re.findall(r"[-+.\d]+", result) == [f"{mean:+.1f}", f"{margin:.1f}"]
        assert number(net) == sum(column) / 50
        assert number(played) == len(hands)
        low, _, high = place.partition(" to ")
        assert 1 <= int(low) <= int(high or low) <= 3


def test_pairs_are_those_of_the_hands(written: tuple[str, list[dict[str, object]]]) -> None:
    page, hands = written
    rows = gains(hands)
    listed = {frozenset((row[0], row[1])): row for row in cells(page, "Pairs with margins")}
    for one, other in combinations(range(3), 2):
        column = [row[one] - row[other] for row in rows]
        mean, error = abs(statistics.mean(column)), statistics.stdev(column) / 30
        _, _, difference, p, told, needed = listed[frozenset((BOTS[one], BOTS[other]))]
        assert re.findall(r"[.\d]+", difference) == [f"{mean:.1f}", f"{1.9626 * error:.1f}"]
        alone = math.erfc(mean / error / math.sqrt(2))
        # corrected for three pairs: never less than alone, never more than three times that, and what draws are off by
        assert 0.8 * alone - 0.002 <= float(p) <= 3.2 * alone + 0.002
        assert told == ("yes" if float(p) <= 0.05 else "no")
        least, most = ((wide + 0.8416) ** 2 * error**2 * 900 / mean**2 for wide in (1.96, 2.4))
        assert least <= number(needed) <= most


def test_habits_and_positions_are_those_of_the_hands(written: tuple[str, list[dict[str, object]]]) -> None:
    page, hands = written
    vpip, raised = [0] * 3, [0] * 3
    by_place: dict[tuple[int, str], list[float]] = {}
    for hand, row in zip(hands, gains(hands), strict=True):
        who = hand["bot_numbers"]
        before = [each for each in hand["actions"] if each["street"] == "preflop"]  # type: ignore[attr-defined]
        for seat, bot in enumerate(who):  # type: ignore[var-annotated, arg-type]
            words = {each["action"].split()[0] for each in before if each["seat"] == seat}
            vpip[bot] += bool(words & {"call", "raise_to", "bet"})
            raised[bot] += bool(words & {"raise_to", "bet"})
            name = ("BTN", "SB", "BB")[(seat - hand["button"]) % 3]  # type: ignore[operator]
            by_place.setdefault((bot, name), []).append(row[bot])
    shown = {row[0]: row[1:] for row in cells(page, "id='habits'")}
    for name, counts in (("vpip", vpip), ("pfr", raised)):
        assert [cell.split("%")[1].strip() for cell in shown[name]] == [f"{count} of 900" for count in counts]
    heads = ("BTN", "BB", "SB")
    for line in cells(page, "id='by-position'"):
        bot = BOTS.index(line[0])
        for name, cell in zip(heads, line[1:], strict=True):
            column = by_place[bot, name]
            margin = 1.9679 * statistics.stdev(column) / math.sqrt(len(column))
            mean = f"{statistics.mean(column):+.0f}"
            assert re.findall(r"[-+\d]+", cell) == [mean, f"{margin:.0f}", f"{len(column)}"]


def test_figures_lead_to_hands_and_hands_to_the_debugger(
    written: tuple[str, list[dict[str, object]]],
) -> None:
    page, hands = written
    anchors = set(re.findall(r"id='([^']+)'", page))
    links = re.findall(r"href='#([^']+)'", page)
    assert set(links) <= anchors
    assert "of-1-pfr" in anchors
    ((_, named),) = re.findall(r"<li id='of-1-(pfr)'>pfr: (.*?)</li>", page)
    for text in re.findall(r">(\d+)<", named):
        hand = hands[int(text)]
        acts = [each for each in hand["actions"] if each["seat"] == hand["bot_numbers"].index(1)]  # type: ignore[attr-defined]
        assert any(each["action"].startswith("raise_to") for each in acts if each["street"] == "preflop")
    command = unescape(re.findall(r"<li id='hand-\d+'>hand \d+: <code>(.*?)</code>", page)[0])
    assert command.startswith("poker-actors debug --bot tight")
    assert " --hand " in command


@pytest.mark.parametrize(
    "options",
    [
        ["--straddle", "--ante", "1", "--rake", "2.5%/3"],
        ["--run-it-twice", "--bomb-pot", "4/6", "--stacks", "60,40,200"],
        ["--game", "stud", "--rake", "5%"],
        ["--duplicate", "--blinds", "2/5", "--adjust"],
        ["--carry-over", "--session", "10", "--game", "omaha"],
    ],
    ids=" ".join,
)
def test_the_command_on_a_report_plays_the_same_hands_again(options: list[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    report, result = tmp_path / "r.html", tmp_path / "r.json"
    played = [*SIX_PLAYERS, "--hands", "30", "--seed", "-3", *options]
    assert main(["simulate", *played, "--report", str(report)]) == 0
    page = unescape(report.read_text(encoding="utf-8"))
    (command,) = re.findall(r"<pre[^>]*>poker-actors (.*?)</pre>", page)
    assert main([*shlex.split(command), "--json", str(result)]) == 0
    again = json.loads(result.read_text(encoding="utf-8"))
    assert f"<code>{again['digest']}</code>" in page
    assert (again["corrected"] is not None) == ("--adjust" in options)
    assert unescape(re.findall(r"<p>(.*?)</p>", page)[0]).startswith(
        f"30 hands of {again['game']} {again['stakes']}, "
    )


def test_a_comparison_is_a_part_of_the_page(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    before, report = str(tmp_path / "before.json"), tmp_path / "r.html"
    assert main(["simulate", *SIX_PLAYERS, "--hands", "100", "--seed", "3", "--json", before]) == 0
    again = ["--bot", "loose", "--bot", "maniac", "--bot", "caller", "--hands", "100", "--seed", "3"]
    assert main(["simulate", *again, "--compare", before, "--report", str(report)]) == 0
    page = report.read_text(encoding="utf-8")
    assert "Compared with before" in page
    assert cells(page, "id='compared-with-before'")[0][2] == "tight"


def test_a_result_is_a_table_of_polars() -> None:
    pytest.importorskip("polars", reason="the extra [stats] is not installed")
    result = simulate(BOTS, hands=200, seed=3)
    frame = result.frame()
    assert frame["bot"].to_list() == BOTS
    assert frame["bb_per_100"].to_list() == [player.bb_per_100.mean for player in result.players]
    assert frame["bb_per_100_adjusted"].to_list() == [None] * 3
    assert frame["vpip"].to_list() == [player.vpip.value for player in result.players]
