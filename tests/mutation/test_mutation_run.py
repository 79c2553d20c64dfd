"""The mutation run: what is counted, what is left alone when it goes on, which tests are asked."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.mutation import run as mutation
from tests.mutation.equivalent import of_sql


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
    found = mutation.Outcome("rules", {str(number): word for number, word in enumerate(words)})
    assert found.killed == 0.7
    assert found.counts["timeout"] == 90
    assert mutation.Outcome("rules", {"one": "timeout"}).killed == 0


def test_a_run_that_goes_on_leaves_what_is_there_and_takes_what_has_changed(work: Path) -> None:
    folder = mutation.prepare("rules")
    (folder / "mutants").mkdir()
    (folder / "mutants" / "tried").write_text("19 of 78", encoding="utf-8")
    copied, other = folder / "poker_actors" / "one.py", folder / "tests" / "one.py"
    before = (copied.stat().st_mtime_ns, other.stat().st_mtime_ns)
    assert mutation.prepare("rules") == folder
    assert (copied.stat().st_mtime_ns, other.stat().st_mtime_ns) == before
    (work / "poker_actors" / "one.py").write_text("poker_actors = 2\n", encoding="utf-8")
    later = before[0] + 10**10
    os.utime(work / "poker_actors" / "one.py", ns=(later, later))
    mutation.prepare("rules")
    assert copied.read_text(encoding="utf-8") == "poker_actors = 2\n"
    assert other.stat().st_mtime_ns == before[1]
    assert (folder / "mutants" / "tried").read_text(encoding="utf-8") == "19 of 78"


def test_every_target_names_modules_and_tests_that_there_are() -> None:
    root = Path(mutation.__file__).parents[2]
    for name, target in mutation.TARGETS.items():
        assert list(root.glob(target.modules)), name
        assert all((root / test).exists() for test in target.tests), name
        assert all(one in mutation.settings(target) for one in (target.modules, target.but, *target.tests))


def test_the_report_has_a_line_a_module_with_its_share_and_names_those_that_live(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (mutation.folder("rules") / "mutants").mkdir(parents=True)
    names = [f"poker_actors.rules.settlement.x_split__mutmut_{number}" for number in range(3)]
    names.append("poker_actors.rules.bets.xǁBetsǁpay__mutmut_1")
    words = ("killed", "survived", "timeout", "not checked")
    write_mutants(
        mutation.folder("rules"),
        "poker_actors.rules.settlement",
        "x_split",
        ["return 0", "return 1", "return 2"],
    )
    said = "".join(f"    {name}: {word}\n" for name, word in zip(names, words, strict=True))
    monkeypatch.setattr("tests.mutation.run.subprocess.run", lambda *_, **__: SimpleNamespace(stdout=said))
    mutation.report(["rules", "actors/bank"], survivors=True)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["rules.bets", "1", "0", "0", "0", "0", "0", "1", "0.0%", "0.0%"]
    assert lines[2] == ["rules.settlement", "3", "1", "1", "0", "1", "0", "0", "50.0%", "50.0%"]
    assert lines[3] == ["rules", "4", "1", "1", "0", "1", "0", "1", "50.0%", "33.3%"]
    assert lines[4] == ["survived:", names[1]]
    assert lines[5] == ["actors/bank", "never", "run"]


def write_mutants(work: Path, module: str, function: str, bodies: list[str]) -> list[str]:
    """Write a module as mutmut does, the original first, and return the mutants' names."""
    path = (work / "mutants").joinpath(*module.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    names = [f"{function}__mutmut_{number or 'orig'}" for number in range(len(bodies))]
    lines = [f"def {name}(db):\n    {body}\n" for name, body in zip(names, bodies, strict=True)]
    path.write_text("".join(lines), encoding="utf-8")
    return [f"{module}.{name}" for name in names[1:]]


def test_a_statement_in_another_case_is_the_same_statement_and_counts_nowhere(tmp_path: Path) -> None:
    bodies = [
        'db.run("SELECT seq FROM record", "a", "locking_mode=EXCLUSIVE")',
        'db.run("select seq from record", "a", "locking_mode=EXCLUSIVE")',
        'db.run("SELECT SEQ FROM RECORD", "a", "locking_mode=EXCLUSIVE")',
        'db.run("SELECT seq FROM record", "a", "LOCKING_MODE=EXCLUSIVE")',
        'db.run("XXSELECT seq FROM recordXX", "a", "locking_mode=EXCLUSIVE")',
        'db.run("SELECT seq FROM record", "A", "locking_mode=EXCLUSIVE")',
        'db.run("SELECT seq FROM record", "locking_mode=EXCLUSIVE")',
        'db.go("SELECT seq FROM record", "a", "locking_mode=EXCLUSIVE")',
    ]
    names = write_mutants(tmp_path, "poker_actors.store.sqlite", "xǁStorageǁload", bodies)
    assert of_sql(tmp_path / "mutants", names) == set(names[:3])
    quoted = [f"db.run({text!r})" for text in ("SELECT f('a')", "SELECT F('a')", "SELECT f('A')")]
    texts = write_mutants(tmp_path, "poker_actors.store.texts", "x_ask", quoted)
    assert of_sql(tmp_path / "mutants", texts) == {texts[0]}
    words = dict.fromkeys(names[:3], "equivalent") | dict.fromkeys(names[3:], "survived") | {"one": "killed"}
    found = mutation.Outcome("journal", words)
    assert found.killed == found.killed_of_all == 0.2
