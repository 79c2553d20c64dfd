"""`simulate --compare`: a result beside one that was written before."""

import json
from pathlib import Path

import pytest

from poker_actors.cli import main

ARGUMENTS = ["simulate", "--hands", "200", "--seed", "3", "--bot", "tight"]


def run(*more: str) -> int:
    return main([*ARGUMENTS, *more])


def test_a_result_is_shown_beside_one_of_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = str(tmp_path / "before.json")
    assert run("--bot", "caller", "--json", before) == 0
    capsys.readouterr()
    assert run("--bot", "pot-odds", "--compare", before) == 0
    assert "paired: the same 200 decks of seed 3" in capsys.readouterr().out
    assert run("--bot", "pot-odds", "--compare", before, "--json", "-") == 0
    value = json.loads(capsys.readouterr().out)
    assert value["comparison"]["paired"] is True
    assert [each["before"] for each in value["comparison"]["bots"]] == ["tight", "caller"]
    assert value["players"][0]["bb_per_100_bootstrap95"][0] < value["players"][0]["bb_per_100"]
    assert value["separations"][0]["hands_needed"] > 0


def test_what_cannot_be_compared_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = str(tmp_path / "before.json")
    assert run("--bot", "caller", "--json", before) == 0
    capsys.readouterr()
    assert run("--bot", "caller", "--bot", "caller", "--compare", before) == 2
    assert "has 2 players, not 3" in capsys.readouterr().err
    assert run("--bot", "caller", "--compare", str(tmp_path / "none.json")) == 2
