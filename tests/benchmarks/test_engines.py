"""The race of the engines, short: every contestant that is installed plays, and its chips add up."""

from __future__ import annotations

import runpy
from pathlib import Path

ENGINES = runpy.run_path(str(Path(__file__).parent / "engines.py"))


def test_every_installed_engine_plays_the_same_24_turns() -> None:
    playing = ENGINES["present"](ENGINES["CONTESTANTS"])
    assert {"poker_actors: rules", "poker_actors: actors on the stepper", "pokerkit"} <= set(playing)
    speeds = ENGINES["race"](playing, rounds=2, share=0.1)
    assert set(speeds) == set(playing)
    table = ENGINES["report"](speeds)
    print(table)
    assert len(table.splitlines()) == len(playing) + 1
