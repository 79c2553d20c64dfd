"""The mutation run: what is counted, what is left alone when it goes on, which tests are asked."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.mutation import run as mutation


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project, and a folder to work on it."""
    root = tmp_path / "project"
    for name in ("poker_actors", "tests", "docs", "examples"):
        (root / name).mkdir(parents=True)
        (root / name / "one.py").write_text(f"{name} = 1\n", encoding="utf-8")
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):
        (root / name).write_text("", encoding="utf-8")
    monkeypatch.setattr(mutation, "ROOT", root)
    monkeypatch.setattr(mutation, "WORK", tmp_path / "work")
    return root


def test_time_outs_are_in_neither_number_of_the_share_killed() -> None:
    words = (
        ["killed"] * 6 + ["segfault", "survived", "no tests", "survived"] + ["timeout"] * 90 + ["not checked"]
    )
    found = mutation.Outcome("rules/pots", {str(number): word for number, word in enumerate(words)})
    assert found.killed == 0.7
    assert found.counts["timeout"] == 90
    assert mutation.Outcome("rules/pots", {"one": "timeout"}).killed == 0


def test_a_run_that_goes_on_leaves_what_is_there_and_takes_what_has_changed(work: Path) -> None:
    folder = mutation.prepare("rules/pots")
    (folder / "mutants").mkdir()
    (folder / "mutants" / "tried").write_text("19 of 78", encoding="utf-8")
    copied, other = folder / "poker_actors" / "one.py", folder / "tests" / "one.py"
    before = (copied.stat().st_mtime_ns, other.stat().st_mtime_ns)
    assert mutation.prepare("rules/pots") == folder
    assert (copied.stat().st_mtime_ns, other.stat().st_mtime_ns) == before
    (work / "poker_actors" / "one.py").write_text("poker_actors = 2\n", encoding="utf-8")
    later = before[0] + 10**10
    os.utime(work / "poker_actors" / "one.py", ns=(later, later))
    mutation.prepare("rules/pots")
    assert copied.read_text(encoding="utf-8") == "poker_actors = 2\n"
    assert other.stat().st_mtime_ns == before[1]
    assert (folder / "mutants" / "tried").read_text(encoding="utf-8") == "19 of 78"


def test_every_target_names_modules_and_tests_that_there_are() -> None:
    root = Path(mutation.__file__).parents[2]
    for target, (pattern, tests) in mutation.TARGETS.items():
        assert list(root.glob(pattern)), target
        assert all((root / name).exists() for name in tests), target
        assert all(name in mutation.settings(pattern, tests) for name in (pattern, *tests))


def test_the_report_has_a_line_a_target_with_its_share_and_names_those_that_live(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (mutation.folder("rules/pots") / "mutants").mkdir(parents=True)
    said = "    a__mutmut_1: killed\n    a__mutmut_2: survived\n    a__mutmut_3: timeout\n    a__mutmut_4: not checked\n"
    monkeypatch.setattr("tests.mutation.run.subprocess.run", lambda *_, **__: SimpleNamespace(stdout=said))
    mutation.report(["rules/pots", "actors/bank"], survivors=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["rules/pots", "4", "1", "1", "0", "1", "1", "50.0%"]
    assert lines[2].split() == ["survived:", "a__mutmut_2"]
    assert lines[3].split() == ["actors/bank", "never", "run"]
