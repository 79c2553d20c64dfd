"""A report: every figure worked out again from the hands, by code that knows nothing of ours."""

import json
import math
import re
import shlex
import statistics
from collections import Counter
from html import unescape
from itertools import combinations, permutations
from operator import add
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.sim import simulate
from tests.unit.sim.recount import STREETS, HandCount, Line, position, recount

BOTS = ["tight", "maniac", "caller"]
Written = tuple[str, list[Line]]
"""The page, and the lines of its hands."""
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
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    folder = tmp_path_factory.mktemp("report")
    files = ["--report", str(folder / "r.html"), "--jsonl", str(folder / "r.jsonl")]
    assert main(["simulate", *SIX_PLAYERS, "--hands", "900", "--seed", "3", *files]) == 0
    page = (folder / "r.html").read_text(encoding="utf-8")
    return page, [json.loads(line) for line in (folder / "r.jsonl").read_text().splitlines()]


def gains(hands: list[Line]) -> list[list[float]]:
    """bb/100 of each hand, by bot."""
    rows = []
    for hand in hands:
        row = [0.0] * len(BOTS)
        for bot, chips in zip(hand["bot_numbers"], hand["payoffs"], strict=True):
            row[bot] = chips * 100 / 2
        rows.append(row)
    return rows


def number(text: str) -> float:
    return float(text.replace(",", "").split()[0])


def test_places_and_results_are_those_of_the_hands(written: Written) -> None:
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


def test_pairs_are_those_of_the_hands(written: Written) -> None:
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


def test_habits_and_positions_are_those_of_the_hands(written: Written) -> None:
    page, hands = written
    vpip, raised = [0] * 3, [0] * 3
    by_place: dict[tuple[int, str], list[float]] = {}
    for hand, row in zip(hands, gains(hands), strict=True):
        who = hand["bot_numbers"]
        before = [each for each in hand["actions"] if each["street"] == "preflop"]
        for seat, bot in enumerate(who):
            words = {each["action"].split()[0] for each in before if each["seat"] == seat}
            vpip[bot] += bool(words & {"call", "raise_to", "bet"})
            raised[bot] += bool(words & {"raise_to", "bet"})
            name = ("BTN", "SB", "BB")[(seat - hand["button"]) % 3]
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


def table_after(page: str, heading: str) -> dict[str, list[str]]:
    """The first table after some words of the page, by the first cell of each row."""
    return {row[0]: row[1:] for row in cells(page, heading)}


def percent(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %" if of else "-"


def said(count: int, of: int) -> str:
    """A share as a cell of the report has it, with what was counted."""
    return f"{percent(count, of)} {count:,} of {of:,}"


def shares(counts: Counter[str]) -> dict[str, str]:
    """The tracker's figures, by the names of the report."""
    found = {
        "vpip": ("vpip", "hands"),
        "pfr": ("pfr", "hands"),
        "three bet": ("three_bets", "three_bet_chances"),
        "fold to three bet": ("three_bets_folded_to", "three_bets_faced"),
        "steal": ("steals", "steal_chances"),
        "fold to steal": ("steals_folded_to", "steals_faced"),
        "wtsd": ("showdowns", "flops"),
        "wsd": ("showdowns_won", "showdowns"),
        "wwsf": ("flops_won", "flops"),
        "all in": ("all_ins", "hands"),
    }
    for street in STREETS[1:]:
        found[f"{street} cbet"] = (f"{street}_cbets", f"{street}_cbet_chances")
        found[f"fold to {street} cbet"] = (f"{street}_cbets_folded_to", f"{street}_cbets_faced")
    texts = {name: said(counts[count], counts[of]) for name, (count, of) in found.items()}
    for street in STREETS:
        actions = sum(counts[f"{street}_{what}"] for what in ("raises", "calls", "folds"))
        texts[f"{street} aggression"] = said(counts[f"{street}_raises"], actions)
    return texts


def test_every_habit_in_all_and_by_position_is_that_of_the_hands(
    written: Written,
) -> None:
    page, hands = written
    by_bot, by_place = recount(hands)
    shown = table_after(page, "id='habits'")
    mine = [shares(by_bot[bot]) for bot in range(3)]
    assert {name: [" ".join(cell.split()) for cell in row] for name, row in shown.items()} == {
        name: [each[name] for each in mine] for name in mine[0]
    }
    for bot, name in enumerate(BOTS):
        rows = table_after(page, f"<summary>Habits of {name} by position")
        heads = re.findall(
            r"<th[^>]*columnheader[^>]*>([A-Z]+), ([-+\d]+) bb/100",
            page[page.index(f"<summary>Habits of {name}") :],
        )[:3]
        for place, (where, mean) in enumerate(heads):
            counts = by_place[bot, where]
            assert mean == f"{100 * counts['net'] / counts['hands'] / 2:+.0f}"
            assert {key: " ".join(row[place].split()) for key, row in rows.items()} == shares(counts)


def test_results_and_streets_are_those_of_the_hands(written: Written) -> None:
    page, hands = written
    by_bot, _ = recount(hands)
    for bot, row in enumerate(cells(page, "id='results'")):
        counts = by_bot[bot]
        ratios = (("vpip", "hands"), ("pfr", "hands"), ("showdowns", "flops"), ("showdowns_won", "showdowns"))
        assert row[:3] == [str(bot), BOTS[bot], f"{counts['net']:+,}"]
        assert row[4:10] == [
            *(f"{100 * counts[one] / counts[of]:.1f}" for one, of in ratios),
            f"{counts['all_ins']:,}",
            "0",
        ]
    rows = cells(page, "id='by-street'")
    for number, row in enumerate(rows):
        street, counts = STREETS[number // 3], by_bot[number % 3]
        raises, calls, folds, checks = (
            counts[f"{street}_{what}"] for what in ("raises", "calls", "folds", "checks")
        )
        assert row[:6] == [street, BOTS[number % 3], f"{raises:,}", f"{calls:,}", f"{folds:,}", f"{checks:,}"]
        assert row[6] == (f"{raises / calls:.2f}" if calls else "-")
        habits = shares(counts)
        names = [f"{street} aggression", f"{street} cbet", f"fold to {street} cbet"]
        assert [" ".join(cell.split()) for cell in row[7:]] == [habits.get(name, "") for name in names]
    assert len(rows) == 12


def curves(hands: list[Line], blocks: int) -> list[list[int]]:
    """Chips won so far by bot, at the end of each block of hands."""
    size = len(hands) // blocks
    assert size * blocks == len(hands)
    sums = [0] * 3
    found: list[list[int]] = [[], [], []]
    for number, hand in enumerate(hands):
        for bot, chips in zip(hand["bot_numbers"], hand["payoffs"], strict=True):
            sums[bot] += chips
        if (number + 1) % size == 0:
            for bot in range(3):
                found[bot].append(sums[bot])
    return found


def test_winnings_over_the_hands_are_those_of_the_hands(written: Written) -> None:
    page, hands = written
    ((blocks,),) = [re.findall(r"bootstrap over (\d+) blocks", page)[:1]]
    known = curves(hands, int(blocks))
    low, high = min(map(min, known)), max(map(max, known))
    for curve, row in zip(known, cells(page, "id='results'"), strict=True):
        ends = [curve[(bar + 1) * len(curve) // 24 - 1] for bar in range(24)]
        assert row[10] == "".join("▁▂▃▄▅▆▇█"[min((each - low) * 8 // (high - low), 7)] for each in ends)
    # the drawing: a line for each bot, whose heights go with its winnings
    chart = page[page.index('aria-label="Winnings over the hands') :]
    drawn = re.findall(
        r'd="(M [^"z]*?)"[^>]*style="fill: none;[^"]*? stroke: var\(--c(\d)\); stroke-width: 1\.4', chart
    )[:3]
    assert [int(colour) for _, colour in drawn] == [0, 1, 2]
    lines = [[float(pair.split()[1]) for pair in re.split(" ?[ML] ", path)[1:]] for path, _ in drawn]
    scale = (lines[0][-1] - lines[1][-1]) / (known[0][-1] - known[1][-1])
    for line, curve in zip(lines, known, strict=True):
        assert line[-1] - lines[0][-1] == pytest.approx(scale * (curve[-1] - known[0][-1]), abs=0.3)


def hand_class(hole: str) -> str:
    order = "23456789TJQKA"
    low, high = sorted((hole[:2], hole[2:]), key=lambda card: order.index(card[0]))
    kind = "" if high[0] == low[0] else "s" if high[1] == low[1] else "o"
    return high[0] + low[0] + kind


def test_starting_hands_are_those_of_the_hands(written: Written) -> None:
    page, hands = written
    found: dict[tuple[int, str], list[int]] = {}
    for line in hands:
        count = HandCount(line)
        for seat, hole in enumerate(line["holes"]):
            cell = found.setdefault((line["bot_numbers"][seat], hand_class(hole)), [0] * 4)
            news = (1, count.counts[seat]["vpip"], count.counts[seat]["pfr"], line["payoffs"][seat])
            cell[:] = map(add, cell, news)
    for bot, name in enumerate(BOTS):
        for place, show in enumerate(("played", "raised", "won, in big blinds a hand")):
            grid = page[page.index(f"aria-label='Starting hands of {name}: {show}'") :]
            titles = dict(re.findall(r"<title>(\w+): (.*?)</title>", grid[: grid.index("</svg>")]))
            assert len(titles) == 169
            for hand, text in titles.items():
                dealt, played, raised, net = found.get((bot, hand), [0] * 4)
                if not dealt:
                    assert text == "never dealt"
                elif place == 2:
                    assert text == f"{net / dealt / 2:+.2f} bb"
                else:
                    assert text == f"{100 * (played, raised)[place] / dealt:.0f} %"


def test_the_matrix_and_what_is_said_beside_are_those_of_the_hands(
    written: Written,
) -> None:
    page, hands = written
    rows = gains(hands)
    shown = table_after(page, "id='who-is-ahead-of-whom'")
    told = {frozenset((row[0], row[1])): row[4] for row in cells(page, "Pairs with margins")}
    bold = page[page.index("id='who-is-ahead-of-whom'") : page.index("Pairs with margins")].count(" sure'")
    assert bold == 2 * list(told.values()).count("yes")
    errors = {}
    means = [statistics.mean(column) for column in zip(*rows, strict=True)]
    for one, other in permutations(range(3), 2):
        assert shown[BOTS[one]][other].split(" ± ")[0] == f"{means[one] - means[other]:+.0f}"
        errors[one, other] = statistics.stdev(row[one] - row[other] for row in rows) / 30
    above = {
        bot: {
            other
            for other in range(3)
            if means[other] > means[bot] and told[frozenset((BOTS[bot], BOTS[other]))] == "yes"
        }
        for bot in range(3)
    }
    for row in cells(page, "<h1>"):
        place, name = row[0], row[1]
        bot = BOTS.index(name)
        worst = 3 - sum(bot in above[other] for other in range(3))
        best = 1 + len(above[bot])
        assert place == (str(best) if best == worst else f"{best} to {worst}")
    text = unescape(page)
    assert f"chips in {600 * 900:,}, out {600 * 900:,}" in text
    seen = re.search(
        r"power: ([\d.]+) \(.*?\) to ([\d.]+) \(.*?\) bb/100; 5 bb/100 takes ([\d,]+) to ([\d,]+) hands", text
    )
    assert seen is not None
    for smallest, hands_needed, error in (
        (seen[1], seen[3], min(errors.values())),
        (seen[2], seen[4], max(errors.values())),
    ):
        # three pairs: between no correction and Bonferroni's
        assert (1.96 + 0.8416) * error <= float(smallest) <= (2.41 + 0.8416) * error
        assert number(hands_needed) == pytest.approx(900 * (float(smallest) / 5) ** 2, rel=0.01)
    digest = sum(int(hand["digest"], 16) for hand in hands) % 2**128
    assert f"The digest must be <code>{digest:032x}</code>" in page
    for bot, name in enumerate(BOTS):
        column = [row[bot] for row in rows]
        kurtosis = 900 * sum(each**4 for each in column) / sum(each**2 for each in column) ** 2 - 3
        assert (f"{name} ({kurtosis:,.0f})" in text) == (10 * kurtosis > 900)


def test_hands_behind_a_figure_are_the_first_that_count_in_it(
    written: Written,
) -> None:
    page, hands = written
    seen: dict[tuple[int, str], list[int]] = {}
    for number, line in enumerate(hands):
        count = HandCount(line)
        for seat, counts in enumerate(count.counts):
            bot = line["bot_numbers"][seat]
            for name in [key for key, value in counts.items() if value] + [position(line, seat)]:
                seen.setdefault((bot, name), []).append(number)
    listed = re.findall(r"<li id='of-(\d)-([^']*)'>([^:]*): (.*?)</li>", page)
    assert len(listed) > 40
    for bot, anchor, words, links in listed:
        key = words if anchor.startswith("position") else anchor
        named = [int(each) for each in re.findall(r">(\d+)<", links)]
        assert named == seen[int(bot), key][: len(named)], (bot, anchor)


def test_figures_lead_to_hands_and_hands_to_the_debugger(
    written: Written,
) -> None:
    page, hands = written
    anchors = set(re.findall(r"id='([^']+)'", page))
    links = re.findall(r"href='#([^']+)'", page)
    assert set(links) <= anchors
    assert "of-1-pfr" in anchors
    ((_, named),) = re.findall(r"<li id='of-1-(pfr)'>pfr: (.*?)</li>", page)
    for text in re.findall(r">(\d+)<", named):
        hand = hands[int(text)]
        acts = [each for each in hand["actions"] if each["seat"] == hand["bot_numbers"].index(1)]
        assert any(each["action"].startswith("raise_to") for each in acts if each["street"] == "preflop")
    command = unescape(re.findall(r"<li id='hand-\d+'>hand \d+: <code>(.*?)</code>", page)[0])
    assert command.startswith("poker-actors debug --bot tight")
    assert " --hand " in command


@pytest.mark.parametrize(
    "options",
    [
        [
            "--straddle",
            "--ante",
            "1",
            "--rake",
            "2.5%/3",
            "--run-it-twice",
            "--bomb-pot",
            "4/6",
            "--stacks",
            "60,40,200",
            "--carry-over",
            "--session",
            "10",
        ],
        ["--game", "stud", "--rake", "5%"],
        ["--duplicate", "--blinds", "2/5", "--adjust"],
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


def test_the_report_plans_for_the_difference_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "r.html"
    played = ["--bot", "tight", "--bot", "loose", "--hands", "300", "--seed", "3"]
    assert main(["simulate", *played, "--difference", "20", "--report", str(page)]) == 0
    assert "20 bb/100 takes" in page.read_text(encoding="utf-8")
    assert "20 bb/100 takes" in capsys.readouterr().out
