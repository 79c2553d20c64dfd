"""What a match loads: a run that plays directly is not to wait for the actors."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from poker_actors.sim import simulate
simulate(["caller", "caller"], hands=2, seed=1, driver={driver!r})
print(*sys.modules.keys() & {{"asyncio", "email", "numpy"}})
print(*sorted({{name.split(".")[1] for name in sys.modules if name.startswith("poker_actors.")}}))
"""


@pytest.mark.parametrize(("driver", "there"), [("direct", False), ("stepper", True)])
def test_the_actors_are_loaded_by_the_drivers_that_play_through_them(driver: str, there: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(driver=driver)], capture_output=True, text=True, check=True
    )
    heavy, *loaded = done.stdout.splitlines()
    loaded = " ".join(loaded).split()
    assert there or heavy == "", "what this takes to load, every command and worker would wait for"
    assert "sim" in loaded
    assert ("actors" in loaded) is there
    assert "history" not in loaded or there
