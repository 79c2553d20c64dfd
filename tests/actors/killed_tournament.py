"""Kill a tournament in a process of its own again and again, and resume it until it is over.

    python tests/actors/killed_tournament.py --seeds 20 --driver stepper

plays each seed twice: without a break, and killed by SIGKILL at random moments. The results must be equal.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SMALL = "--format mtt --players 6 --seats 3 --late 1 --stacks 40bb"
LARGE = "--format mtt --players 24 --late 6 --fee 10 --rebuys 1 --rebuy-until 3 --add-on 5000"


def command(options: str, seed: int, *more: str) -> list[str]:
    """Return the command that plays the tournament of a seed."""
    start = "import sys; from poker_actors.cli import main; sys.exit(main(sys.argv[1:]))"
    return [
        sys.executable,
        "-c",
        start,
        "tournament",
        *options.split(),
        "--seed",
        str(seed),
        "--json",
        "-",
        *more,
    ]


def straight(options: str, seed: int) -> Any:
    """Return the result without a journal and without kills."""
    return json.loads(
        subprocess.run(command(options, seed), capture_output=True, check=True, timeout=120).stdout
    )


def killed(options: str, seed: int, data: Path, driver: str, longest: float, most: int) -> tuple[Any, int]:
    """Return the result with journal `data` and the number of kills: at most `most`, each within `longest` seconds."""
    luck = random.Random(seed)
    kills = 0
    while True:
        arguments = command(options, seed, "--data", str(data), "--resume", "--driver", driver)
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # more time after each kill, or a machine slow to start would be killed for ever before it plays a hand
        lives = luck.uniform(0.2, longest * (1 + kills / 10)) if kills < most else 120
        try:
            out, err = process.communicate(timeout=lives)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
            continue
        if process.returncode:
            raise RuntimeError(f"seed {seed} after {kills} kills: {err.decode()[-2000:]}")
        return json.loads(out), kills


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", type=int, default=10)
    options.add_argument("--driver", default="stepper")
    options.add_argument("--longest", type=float, default=1.5)
    given = options.parse_args()
    different, kills = [], 0
    for seed in range(given.seeds):
        with tempfile.TemporaryDirectory() as folder:
            result, times = killed(LARGE, seed, Path(folder) / "t.db", given.driver, given.longest, 1000)
        kills += times
        if result != straight(LARGE, seed):
            different.append(seed)
    print(json.dumps({"tournaments": given.seeds, "kills": kills, "different": different}))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
