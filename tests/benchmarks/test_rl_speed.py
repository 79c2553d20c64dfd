"""The promise of speed for learners' environments, against rlcard in the same run."""

from __future__ import annotations

import runpy
from pathlib import Path

RL = runpy.run_path(str(Path(__file__).parent / "rl.py"))


def test_a_step_is_five_times_as_fast_as_rlcards() -> None:
    for name, (ours, rlcards) in RL["measured"]().items():
        print(f"{name}: {ours:,.0f} steps/s, rlcard {rlcards:,.0f}")
        assert ours >= 5 * rlcards
