"""A cage costs less than a twentieth of a decision."""

from __future__ import annotations

import runpy
from pathlib import Path

CAGING = runpy.run_path(str(Path(__file__).parent / "caging.py"))


def test_a_cage_adds_less_than_five_percent_to_a_decision() -> None:
    assert CAGING["cage_cost"]() < 0.05
