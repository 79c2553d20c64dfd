"""A report without luck: its figures, drawings and verdicts worked out again from the hands by other code."""

import json
import math
import re
import statistics
from html import unescape
from itertools import combinations
from random import Random
from typing import Any

import pytest

from poker_actors.cli import main
from tests.unit.sim.recount import Line, position
from tests.unit.sim.test_sim_report import cells, number, table_after

np = pytest.importorskip("numpy", reason="the extra [fast] is not installed")
recount_luck = pytest.importorskip("tests.unit.sim.recount_luck")

BOTS = ["tight", "maniac", "caller"]
PAIRS = list(combinations(range(3), 2))
HANDS = 600
STUDENT = 1.9640
"""Two-sided 95 %, 592 degrees of freedom."""
Written = tuple[str, list[Line]]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    folder = tmp_path_factory.mktemp("report")
    files = ["--report", str(folder / "r.html"), "--jsonl", str(folder / "r.jsonl")]
    players = [word for bot in BOTS for word in ("--bot", bot)]
    assert main(["simulate", *players, "--hands", str(HANDS), "--seed", "3", "--adjust", *files]) == 0
    page = (folder / "r.html").read_text(encoding="utf-8")
    return page, [json.loads(line) for line in (folder / "r.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def rows(written: Written) -> Any:
    """By hand and bot, chips won without luck."""
    return recount_luck.without_luck(written[1], 3)


def test_results_without_luck_are_those_of_the_hands(written: Written, rows: Any) -> None:
    means, covariance, _ = recount_luck.moments(rows)
    shown = {row[1]: row for row in cells(written[0], "<h1>")}
    for bot, name in enumerate(BOTS):
        margin = STUDENT * covariance[bot, bot] ** 0.5
        assert re.findall(r"[-+.\d]+", shown[name][2]) == [f"{means[bot]:+.1f}", f"{margin:.1f}"]
    for bot, row in enumerate(cells(written[0], "id='results'")):
        assert re.findall(r"[-+.\d]+", row[3])[0] == f"{means[bot]:+.1f}"


def test_places_pairs_and_plans_without_luck_are_those_of_the_hands(written: Written, rows: Any) -> None:
    page = written[0]
    means, covariance, freedom = recount_luck.moments(rows)
    values, critical = recount_luck.simultaneous(means, covariance, freedom, PAIRS)
    matrix = table_after(page, "id='who-is-ahead-of-whom'")
    listed = {frozenset((row[0], row[1])): row for row in cells(page, "Pairs with margins")}
    above: dict[int, set[int]] = {bot: set() for bot in range(3)}
    errors = []
    for (one, other), value in zip(PAIRS, values, strict=True):
        apart = means[one] - means[other]
        error = (covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]) ** 0.5
        errors.append(error)
        assert matrix[BOTS[one]][other] == f"{apart:+.0f}"
        _, _, difference, p, told, needed = listed[frozenset((BOTS[one], BOTS[other]))]
        assert re.findall(r"[.\d]+", difference) == [f"{abs(apart):.1f}", f"{STUDENT * error:.1f}"]
        # 9,999 draws there, 100,000 here
        assert float(p) == pytest.approx(value, abs=4.2 * (value * (1 - value) / 9_999) ** 0.5 + 2e-4)
        assert told == ("yes" if value <= 0.05 else "no")
        assert number(needed) == pytest.approx(((critical + 0.8416) * error / apart) ** 2 * HANDS, rel=0.04)
        if value <= 0.05:
            above[min(one, other, key=means.__getitem__)].add(max(one, other, key=means.__getitem__))
    for row in cells(page, "<h1>"):
        bot = BOTS.index(row[1])
        best, worst = 1 + len(above[bot]), 3 - sum(bot in those for those in above.values())
        assert row[0] == (str(best) if best == worst else f"{best} to {worst}")
    seen = re.search(r"power: ([\d.]+) \(.*?\) to ([\d.]+) \(", unescape(page))
    assert seen is not None
    for smallest, error in ((seen[1], min(errors)), (seen[2], max(errors))):
        assert float(smallest) == pytest.approx((critical + 0.8416) * error, rel=0.02)


def blocks_of(rows: Any, page: str) -> Any:
    """Sums by block of hands, as many as the page names."""
    count = int(re.findall(r"bootstrap over (\d+) blocks", page)[0])
    return rows.reshape(count, HANDS // count, 3).sum(axis=1)


def test_the_bootstrap_finds_what_drawing_the_blocks_again_finds(written: Written, rows: Any) -> None:
    page = unescape(written[0])
    blocks = blocks_of(rows, page)
    means, covariance, _ = recount_luck.moments(rows)
    # the draw is told in the docs: 999 times as many blocks as there are, by the seed of the match
    rng = Random("bootstrap 3")
    drawn = [50 * sum(rng.choices(list(blocks), k=len(blocks))) / HANDS for _ in range(999)]
    (verdict,) = re.findall(r"bootstrap over \d+ blocks[^<]*", page)
    for bot, name in enumerate(BOTS):
        ends = sorted(mean[bot] for mean in drawn)
        margin = STUDENT * covariance[bot, bot] ** 0.5
        off = max(abs(ends[24] - means[bot] + margin), abs(ends[974] - means[bot] - margin))
        assert (name in verdict) == (off > 0.25 * margin)
    assert verdict.endswith("agrees with Student's t") or any(name in verdict for name in BOTS)


def test_the_curve_without_luck_is_that_of_the_hands(written: Written, rows: Any) -> None:
    page = written[0]
    known = blocks_of(rows, page).cumsum(axis=0)
    chart = page[page.index('aria-label="Winnings over the hands') :]
    style = r'd="(M [^"z]*?)"[^>]*style="fill: none; stroke: var\(--c(\d)\); stroke-width: 1\.6'
    drawn = re.findall(style, chart)[:3]
    lines = [[float(pair.split()[1]) for pair in re.split(" ?[ML] ", path)[1:]] for path, _ in drawn]
    ends = [line[-1] for line in lines]
    scale = (ends[0] - ends[1]) / (known[-1, 0] - known[-1, 1])
    for bot, line in enumerate(lines):
        assert line[-1] - ends[0] == pytest.approx(scale * (known[-1, bot] - known[-1, 0]), abs=0.3)
        assert len(line) <= len(known)


def margin_of(found: list[float]) -> float:
    """By Student's t, 199 degrees of freedom."""
    return 1.9720 * statistics.stdev(found) / math.sqrt(len(found))


def test_bars_by_position_are_as_high_as_the_results(written: Written) -> None:
    page, hands = written
    by_place: dict[tuple[int, str], list[float]] = {}
    for line in hands:
        for seat, bot in enumerate(line["bot_numbers"]):
            by_place.setdefault((bot, position(line, seat)), []).append(50 * line["payoffs"][seat])
    body = page[page.index('aria-label="bb/100 by position"') :]
    chart = body[: body.index("</svg>")]
    bars = re.findall(
        r'd="M ([\d.]+) ([\d.]+) L \S+ \S+ L \S+ ([\d.]+)[^"]*" clip-path[^>]*fill: var\(--c(\d)\)', chart
    )
    stems = re.findall(r'd="M (\S+) (\S+) L (\S+) (\S+) " clip-path[^>]*stroke-width: 0.8"', chart)
    assert len(bars) == len(stems) == len(by_place) == 9
    zero = float(bars[0][1])
    first = statistics.mean(by_place[0, "BTN"])
    scale = (zero - float(bars[0][2])) / first
    for number_, (_, bottom, top, colour) in enumerate(bars):
        found = by_place[int(colour), ("BTN", "BB", "SB")[number_ % 3]]
        assert float(bottom) == zero
        assert zero - float(top) == pytest.approx(scale * statistics.mean(found), abs=0.3)
        _, low, _, high = map(float, stems[number_])
        assert low - high == pytest.approx(2 * scale * margin_of(found), abs=0.5)
        assert (low + high) / 2 == pytest.approx(float(top), abs=0.2)
