"""Statistics cost little beside playing."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SIMULATION = runpy.run_path(str(Path(__file__).parent / "simulation.py"))


@pytest.mark.parametrize("bots", [SIMULATION["CALLERS"], SIMULATION["DEFAULT_BOTS"]])
def test_statistics_and_digest_add_at_most_a_quarter(bots: tuple[str, ...]) -> None:
    assert SIMULATION["statistics_cost"](bots) <= 0.25
