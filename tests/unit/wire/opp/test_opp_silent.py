"""Players who never answer: every turn is taken when its time is up, on every event loop."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "opp.py"
# some hundred turns of 0.05 s at each of ten tables
SECONDS = "6"


def start(loop: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(BENCHMARK), "--silent", SECONDS, "--loop", loop]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_turn_clock_never_stops_on_asyncio_and_uvloop() -> None:
    """Both at once, since they mostly wait."""
    loops = ["asyncio", *(["uvloop"] if find_spec("uvloop") else [])]
    for process in [start(loop) for loop in loops]:
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        counted = {
            name: int(count.replace(",", "")) for name, count in re.findall(r"([a-z -]+) ([\d,]+)", output)
        }
        assert counted["tracebacks"] == 0
        assert counted["log bytes"] < 100_000
        # a clock that stops leaves ten tables with a turn each, and no more
        assert counted["time-outs"] > 10
        assert counted["turns"] >= counted["time-outs"]
