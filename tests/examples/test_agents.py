"""An agent that learns in front of the reader learns."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

AGENTS = Path(__file__).parents[2] / "examples" / "agents"


def test_ppo_beats_tight_heads_up_after_a_minute_of_learning() -> None:
    pytest.importorskip("numba", reason="the extra [fast] is not installed")
    command = [sys.executable, "-W", "error", str(AGENTS / "ppo.py"), "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    last = re.search(r"against tight, .*: ([+-][\d.]+) bb/100, give or take ([\d.]+)", done.stdout)
    assert last is not None, done.stdout
    # some 45 give or take 3: rounding differs between processors, so no two learn quite the same
    assert float(last[1]) > float(last[2])
