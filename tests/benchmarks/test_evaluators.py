"""The race of the evaluators, short: every contestant that is installed agrees with us and is timed."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EVALUATORS = runpy.run_path(str(Path(__file__).parent / "evaluators.py"))


@pytest.mark.parametrize("line", EVALUATORS["LINES"])
def test_every_line_of_the_table_is_measured(line: object) -> None:
    pytest.importorskip("numba")
    assert callable(line)
    work = line()
    best = EVALUATORS["race"](work, rounds=1)
    assert set(best) == set(work.runs)
    print(EVALUATORS["report"](work, best))
