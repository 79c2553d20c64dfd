"""A report without luck: its figures, drawings and verdicts worked out again from the hands by other code."""

import json
import math
import re
import statistics
from collections import Counter
from html import unescape
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from poker_actors.cli import main
from tests.unit.sim.recount import Line, position
from tests.unit.sim.test_sim_report import cells, number, table_after

np = pytest.importorskip("numpy", reason="the extra [fast] is not installed")
recount_cards = pytest.importorskip("tests.unit.sim.recount_cards")
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


def check_luck(line: Line, kinds: Counter[str], apart: list[float]) -> None:
    """Hold what a line says of luck to its cards; `apart` gets how far shares are off that boards were drawn for."""
    luck = recount_cards.LuckOf(line)
    worth = [1000 * chips for chips in line["payoffs"]]
    if luck.all_in:
        paid, dealt = luck.count.put_in(), (0, 3, 4)[luck.last]
        owed, spread = luck.owed(luck.pots(4), dealt, draws=0 if dealt else 1_000)
        worth = [1000 * (share - each) for share, each in zip(owed, paid, strict=True)]
        kinds[f"all-in, {dealt} cards"] += 1
        kinds["all-in, side pots"] += len(luck.pots(4)) > 1
        if not dealt:
            drawn_apart(line["worth"], worth, 1000 * spread, apart)
            worth = line["worth"]
    assert line["worth"] == pytest.approx(worth, abs=1)
    terms = np.array(line["luck"], dtype=float)
    assert [tuple(each) for each in terms[:, :2]] == luck.first_cards()
    by_pot, by_share = np.zeros(len(terms)), np.zeros(len(terms))
    slack = 4.0
    for street in range(1, 4):
        if luck.last < street or not (pots := luck.pots(street)):
            assert not terms[:, 1 + street].any()
            continue
        root = luck.root(street)
        if street == 1:
            changes = terms[:, 2] * root
            before, spread = luck.owed(pots, 0, draws=1_000)
            drawn_apart(1000 * luck.owed(pots, 3)[0] - changes, 1000 * before, 1000 * spread, apart)
            slack += root
        else:
            changes = 1000 * luck.changes(street)
            assert terms[:, 1 + street] == pytest.approx(changes / root, abs=1)
        kinds[f"street {street}"] += 1
        kinds["side pots"] += len(pots) > 1
        by_pot += changes
        by_share += 1000 * changes / root**2
    assert terms[:, 5] == pytest.approx(by_pot, abs=slack)
    assert terms[:, 6] == pytest.approx(by_share, abs=1000 * slack)


def drawn_apart(found: Any, mine: Any, spread: Any, apart: list[float]) -> None:
    """How far off shares of 500 boards are from those of 1,000 others, in standard errors."""
    for one, other, wide in zip(found, mine, spread, strict=True):
        if wide:
            apart.append((one - other) / wide / (1 / 500 + 1 / 1_000) ** 0.5)


def test_the_luck_of_each_hand_is_that_of_its_cards(written: Written) -> None:
    kinds: Counter[str] = Counter()
    apart: list[float] = []
    for line in written[1][:450]:
        check_luck(line, kinds, apart)
    assert min(kinds[f"street {street}"] for street in (1, 2, 3)) > 50
    assert min(kinds[f"all-in, {cards} cards"] for cards in (0, 3, 4)) > 2
    assert max(map(abs, apart)) < 4.5
    assert abs(statistics.mean(apart)) < 0.1
    assert statistics.pstdev(apart) < 1.1


def test_luck_is_that_of_the_cards_where_there_are_side_pots(tmp_path: Path) -> None:
    players = [word for bot in ("caller", "maniac", "caller") for word in ("--bot", bot)]
    file = tmp_path / "lines.jsonl"
    setting = ["--stacks", "10,200,140", "--hands", "100", "--seed", "5", "--adjust", "--jsonl", str(file)]
    assert main(["simulate", *players, *setting]) == 0
    kinds: Counter[str] = Counter()
    for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        check_luck(line, kinds, [])
    assert kinds["side pots"] > 50
    assert kinds["all-in, side pots"] > 5


def test_an_all_in_before_the_flop_is_worth_what_every_board_says(written: Written) -> None:
    lucks = [recount_cards.LuckOf(line) for line in written[1]]
    luck = next(each for each in lucks if each.all_in and not each.last)
    owed, spread = luck.owed(luck.pots(4), 0)
    for seat, paid in enumerate(luck.count.put_in()):
        worth = 1000 * (owed[seat] - paid)
        assert abs(luck.line["worth"][seat] - worth) <= 1000 * 4 * spread[seat] / 500**0.5 + 1


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
        assert matrix[BOTS[one]][other] == f"{apart:+.0f} ± {STUDENT * error:.0f}"
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
    style = r'd="(M [^"z]*?)"[^>]*style="fill: none;[^"]*? stroke: var\(--c(\d)\); stroke-width: 1\.4'
    drawn = re.findall(style, chart)[:3]
    points = [
        [tuple(map(float, pair.split())) for pair in re.split(" ?[ML] ", path)[1:]] for path, _ in drawn
    ]
    ends = [line[-1] for line in points]
    scale = (ends[0][1] - ends[1][1]) / (known[-1, 0] - known[-1, 1])
    left, right = points[0][0][0], ends[0][0]
    for bot, line in enumerate(points):
        # a point for each block, but where several lie on one line
        assert len(known) / 4 < len(line) <= len(known)
        for x, y in line:
            block = (x - left) / (right - left) * (len(known) - 1)
            so_far = np.interp(block, range(len(known)), known[:, bot])
            assert y - ends[0][1] == pytest.approx(scale * (so_far - known[-1, 0]), abs=0.4)


def margin_of(found: list[float]) -> float:
    """By Student's t, 199 degrees of freedom."""
    return 1.9720 * statistics.stdev(found) / math.sqrt(len(found))


def test_points_by_position_are_as_high_as_the_results(written: Written) -> None:
    page, hands = written
    by_place: dict[tuple[int, str], list[float]] = {}
    for line in hands:
        for seat, bot in enumerate(line["bot_numbers"]):
            by_place.setdefault((bot, position(line, seat)), []).append(50 * line["payoffs"][seat])
    body = page[page.index('aria-label="bb/100 by position"') :]
    chart = body[: body.index("</svg>")]
    stems = re.findall(r'd="M (\S+) (\S+) L \S+ (\S+) " clip-path[^>]*stroke: var\(--c(\d)\)', chart)
    points = {
        tuple(map(float, at)) for at in re.findall(r'<use [^>]*x="(\S+)" y="(\S+)" style="fill: var', chart)
    }
    assert len(stems) == len(by_place) == 9
    ((zero,),) = [set(re.findall(r'd="M \S+ (\S+) L [^"]*"[^>]*stroke-width: 0.6', chart))]
    middles = [(float(low) + float(high)) / 2 for _, low, high, _ in stems]
    scale = (float(zero) - middles[0]) / statistics.mean(by_place[0, "BTN"])
    for number_, (left, low, high, colour) in enumerate(stems):
        found = by_place[int(colour), ("BTN", "BB", "SB")[number_ % 3]]
        assert float(zero) - middles[number_] == pytest.approx(scale * statistics.mean(found), abs=0.3)
        assert float(low) - float(high) == pytest.approx(2 * scale * margin_of(found), abs=0.5)
        assert any(x == float(left) and abs(y - middles[number_]) < 0.2 for x, y in points)
