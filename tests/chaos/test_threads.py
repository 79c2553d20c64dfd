"""The bench on real threads: the same harm, and every promise holds."""

from __future__ import annotations

import json
import sys

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.testing import run_chaos


def test_threads_keep_what_they_tell(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.getswitchinterval()
    assert main(["chaos", "--runtime", "threads", "--seed", "1", "--hands", "60", "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["runtime"] == "threads"
    assert (report["chips_lost"], report["hands_unfinished"], report["promises_broken"]) == (0, 0, 0)
    assert report["hands"] == 60
    assert report["crashes"] > 0
    assert report["promises_checked"] == sum(report["promises"].values()) > 10_000
    assert sys.getswitchinterval() == before


def test_there_are_two_runtimes() -> None:
    with pytest.raises(BadSpec, match=r"runtime 'fibres' is none of stepper, threads"):
        run_chaos(1, 1, runtime="fibres")  # type: ignore[arg-type]  # what a program may pass
    assert main(["chaos", "--runtime", "fibres"]) == 2


@pytest.mark.heavy
def test_the_standard_run_on_threads() -> None:
    report = run_chaos(1, 2_000, runtime="threads")
    assert report.verdicts == ()
    assert (report.chips_lost, report.hands_unfinished) == (0, 0)
