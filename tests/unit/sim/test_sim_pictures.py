"""Pictures are read in grey, at the width of a column, and with nothing cut; tables for papers say what the JSON says."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cli import main
from poker_actors.sim import SimulationResult, simulate
from poker_actors.sim.exports import StartingHands
from poker_actors.sim.pictures import drawings, save_overview

BOTS = ["tight", "loose", "caller", "maniac", "pot-odds", "random"]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def played() -> SimulationResult:
    """Six bots, of which some lie close together."""
    return simulate(BOTS, hands=400, seed=7)


def drawn(draw: Any, result: SimulationResult) -> tuple[Any, Any]:
    """A picture of half a page, laid out, with its axes."""
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = drawings.figure(3.5, 3.5)
    axes = figure.subplots()
    draw(axes, result)
    canvas_of: Any = FigureCanvasAgg(figure)
    canvas_of.draw()
    return figure, axes


def test_lines_differ_without_colour_and_are_named_at_their_ends(played: SimulationResult) -> None:
    _, axes = drawn(drawings.draw_winnings, played)
    curves = [line for line in axes.get_lines() if len(line.get_xdata()) > 2]
    strokes = {str(line._unscaled_dash_pattern) for line in curves}  # get_linestyle says "--" for all
    assert len(strokes) == len(curves) == len(BOTS)
    assert [text.get_text() for text in sorted(axes.texts, key=lambda one: str(one.get_text()))] == sorted(
        BOTS
    )
    assert axes.get_legend() is None


def test_names_of_lines_do_not_touch_and_are_not_cut(played: SimulationResult) -> None:
    figure, axes = drawn(drawings.draw_winnings, played)
    from matplotlib.text import Text

    # the text alone: an annotation's own box has its line, too
    boxes = sorted((Text.get_window_extent(text) for text in axes.texts), key=lambda box: float(box.y0))
    assert all(below.y1 <= above.y0 for below, above in pairwise(boxes))
    assert all(box.x1 <= figure.bbox.x1 for box in boxes)
    assert all(box.y1 <= figure.bbox.y1 for box in boxes)


def test_points_of_positions_differ_without_colour(played: SimulationResult) -> None:
    _, axes = drawn(drawings.draw_positions, played)
    points = {line.get_marker() for line in axes.get_lines()} - {"None", "_", "|", 2, 3}
    assert points >= set(drawings.MARKERS[: len(BOTS)])


def test_pairs_have_their_margins(played: SimulationResult) -> None:
    _, axes = drawn(drawings.draw_pairs, played)
    cells = [text.get_text() for text in axes.texts if text.get_text()]
    assert len(cells) == len(BOTS) * (len(BOTS) - 1)
    assert all("\n± " in cell for cell in cells)


@pytest.mark.parametrize("kind", ["pdf", "svg", "png"])
def test_a_picture_is_two_columns_wide_and_says_how_it_was_made(
    played: SimulationResult, tmp_path: Path, kind: str
) -> None:
    pytest.importorskip("matplotlib", reason="the extra [plot] is not installed")
    path = tmp_path / f"out.{kind}"
    save_overview(played, StartingHands(6), path)
    written = path.read_bytes()
    if kind == "png":
        assert int.from_bytes(written[16:20]) == 7 * 300
    elif kind == "svg":
        assert b'width="504pt"' in written
        assert played.digest.encode() in written.replace(b"\n", b"")
    else:
        assert b"/MediaBox [ 0 0 504 " in written


@given(
    st.lists(
        st.text(st.characters(codec="ascii", exclude_categories=["C"]), min_size=1), min_size=1, max_size=10
    )
)
def test_short_names_are_short_and_all_different(bots: list[str]) -> None:
    names = drawings.short_names(bots)
    assert len(names) == len(bots)
    assert all(0 < len(name) <= drawings.LONGEST_NAME for name in names)
    assert len(set(names)) == len(names)


def test_names_that_differ_at_their_ends_are_told_apart_by_those() -> None:
    bots = [f"bots/a.py:a_function_with_a_long_name_{last}" for last in ("alpha", "beta", "gamma")]
    assert drawings.short_names(bots) == ["…ng_name_alpha", "…ong_name_beta", "…ng_name_gamma"]
    assert drawings.short_names(["the_same_long_name"] * 2) == ["the_same_lo… 1", "the_same_lo… 2"]


def test_tables_for_a_paper_say_what_the_json_says(tmp_path: Path, capsys: Capture) -> None:
    line = [
        "simulate",
        "--bot",
        "tight",
        "--bot",
        "caller",
        "--bot",
        "loose",
        "--hands",
        "200",
        "--seed",
        "3",
    ]
    assert main([*line, "--paper", str(tmp_path / "t.csv"), "--json", "-"]) == 0
    said = json.loads(capsys.readouterr().out)
    with (tmp_path / "t.csv").open(encoding="utf-8") as stream:
        ranks = list(csv.DictReader(stream))
    assert {row["bot"]: float(row["bb/100"]) for row in ranks} == {
        player["bot"]: pytest.approx(player["bb_per_100"]) for player in said["players"]
    }
    assert (tmp_path / "t.pairs.csv").read_text(encoding="utf-8").count("\n") == 1 + 3
    assert main([*line, "--paper", str(tmp_path / "t.tex")]) == 0
    text = (tmp_path / "t.tex").read_text(encoding="utf-8")
    assert said["digest"] in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 2


def test_names_cannot_break_a_table_of_latex(tmp_path: Path) -> None:
    from poker_actors.sim.pictures import PaperTables

    played = simulate(["tight", "caller"], hands=100, seed=1)
    assert played.best is not None
    name = r"a_b&c%d#e$f{g}\h~i^j"
    tables = PaperTables(ranks=[(1, 2, name, played.best.of(0), 100)], pairs=[], method=name)
    row = next(line for line in io.StringIO(tables.as_latex()) if line.startswith("1--2"))
    assert row.count(" & ") == 3
    assert r"a\_b\&c\%d\#e\$f\{g\}\textbackslash{}h\textasciitilde{}i\textasciicircum{}j" in row


def test_a_ranking_writes_its_tables(tmp_path: Path) -> None:
    line = ["rank", "--bot", "tight", "--bot", "caller", "--bot", "loose", "--hands", "600", "--seed", "3"]
    assert main([*line, "--paper", str(tmp_path / "t.csv")]) == 0
    with (tmp_path / "t.pairs.csv").open(encoding="utf-8") as stream:
        pairs = list(csv.DictReader(stream))
    assert {frozenset((row["ahead"], row["behind"])) for row in pairs} == {
        frozenset(pair) for pair in (("tight", "caller"), ("tight", "loose"), ("caller", "loose"))
    }
    assert all(float(row["bb/100"]) >= 0 for row in pairs)


@pytest.mark.parametrize("arguments", ["--paper t.txt", "--paper no/such/t.tex"])
def test_tables_that_cannot_be_written_are_refused_before_play(arguments: str, capsys: Capture) -> None:
    assert main(["simulate", "--hands", "10", *arguments.split()]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
