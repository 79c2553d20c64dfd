"""The director costs little beside the hands."""

from __future__ import annotations

import runpy
from pathlib import Path

TOURNAMENTS = runpy.run_path(str(Path(__file__).parent / "tournaments.py"))


def test_the_director_takes_at_most_a_third_of_a_tournament() -> None:
    assert min(TOURNAMENTS["director_alone"](TOURNAMENTS["plan_of"]()) for _ in range(3)) <= 1 / 3
