"""The standard run: every rare situation is met a hundred times, and every promise holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.testing import SITUATIONS, run_chaos


def test_there_are_at_least_forty_situations() -> None:
    assert len(set(SITUATIONS)) == len(SITUATIONS) >= 40


@pytest.mark.heavy
def test_the_standard_run_meets_every_situation_a_hundred_times() -> None:
    report = run_chaos(1, 20_000)
    assert report.verdicts == ()
    assert report.promises_checked > 10_000_000
    assert (report.chips_lost, report.hands_unfinished) == (0, 0)
    rare = {name: seen for name, seen in report.situations.items() if seen < 100}
    assert not rare


def test_the_command_reports_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--seed", "1", "--hands", "100", "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["chips_lost"] == report["hands_unfinished"] == 0
    assert report["crashes"] > 0
    assert set(report["situations"]) == set(SITUATIONS)


def test_one_run_can_be_played_alone_by_its_older_name_too() -> None:
    assert run_chaos(1, 20, run=5).situations == run_chaos(2, 20, evening=5).situations


@pytest.mark.parametrize("option", ["--run", "--evening"])
def test_the_command_plays_one_run_alone(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", option, "5", "--hands", "20", "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["situations"] == run_chaos(1, 20, run=5).situations
    old = {"seed", "hands", "hands_voided", "hands_unfinished", "chips_lost", "messages", "crashes"}
    assert old | {"restarts", "harm", "situations", "violation", "evening"} <= {*report}
    assert report["violation"] is report["evening"] is report["run"] is None


def test_no_hands_are_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--hands", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_bot_of_ones_own_sits_at_every_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, noted = tmp_path / "mine.py", tmp_path / "asked"
    file.write_text(
        f"def caller(view):\n    with open({str(noted)!r}, 'a') as out:\n        out.write('.')\n    return view.legal.passive\n"
    )
    assert main(["chaos", "--seed", "1", "--hands", "20", "--bot", f"{file}:caller"]) == 0
    assert "spectators, " in capsys.readouterr().out
    assert len(noted.read_text()) > 20


def test_a_bot_that_is_not_there_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--hands", "5", "--bot", "nobody"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
