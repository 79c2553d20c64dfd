"""The promise of speed for hand histories, against pokerkit in the same run."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

HISTORIES = runpy.run_path(str(Path(__file__).parent / "histories.py"))


@pytest.mark.filterwarnings("ignore:There is no reason for this player to fold")
def test_replay_is_20_times_pokerkits_and_printing_4_times(tmp_path: Path) -> None:
    speeds = HISTORIES["race"](tmp_path)
    print(speeds)
    assert speeds["read and replay, poker_actors"] >= 20 * speeds["read and replay, pokerkit"]
    # 20,000 hands a second where pokerkit prints 5,000
    assert speeds["print histories as PHH, poker_actors"] >= 4 * speeds["print histories as PHH, pokerkit"]
