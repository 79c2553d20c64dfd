"""The promise of speed for hand histories, against pokerkit in the same run."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

HISTORIES = runpy.run_path(str(Path(__file__).parent / "histories.py"))


@pytest.mark.filterwarnings("ignore:There is no reason for this player to fold")
def test_replay_is_20_times_pokerkits_and_writing_20_000_hands_a_second(tmp_path: Path) -> None:
    speeds = HISTORIES["race"](tmp_path)
    print(speeds)
    assert speeds["read and replay, poker_actors"] >= 20 * speeds["read and replay, pokerkit"]
    assert speeds["write a file from finished hands, poker_actors"] >= 20_000
