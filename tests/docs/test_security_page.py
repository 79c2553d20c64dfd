"""Every promise of the security page names a test that is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under these column names."""
    table = PAGE[PAGE.index(heading) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]


def test_every_promise_of_the_server_and_of_cards_names_what_holds_it() -> None:
    threats = rows("| threat | answer | held by |")
    assert len(threats) >= 17
    for row in threats:
        assert re.findall(r"`test_\w+\.py`", row[-1]), row
    assert all(re.search(r"`tests/", row[-1]) for row in rows("| promise | held by |"))


def test_every_test_that_the_page_names_is_there() -> None:
    there = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(re.findall(r"\btest_\w+\.py", PAGE)) <= there
