"""The page of rules names tests that exist, and leaves out no rule that has one."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
TESTS = {
    name
    for path in HERE.glob("test_*.py")
    for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
}
RULES = re.compile(r"test_(?:rule|rp)_(\d+)([a-z]?)_")


def test_every_test_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 40
    assert named - TESTS == set()


def test_every_rule_that_has_a_test_has_a_line_on_the_page() -> None:
    for name in TESTS:
        found = RULES.match(name)
        if found:
            number, letter = found.groups()
            rule = f"{number}-{letter.upper()}" if letter else number
            lines = [line for line in PAGE.splitlines() if "| " in line and rule in line.split("|")[2]]
            assert lines, f"no line cites rule {rule}, proved by {name}"


def test_a_line_that_names_a_rules_test_cites_that_rule() -> None:
    for line in PAGE.splitlines():
        for name in re.findall(r"`(test_r\w+)`", line):
            found = RULES.match(name)
            assert found
            cited = line.split("|")[2]
            assert found[1] in cited or "house" in cited or "28" in cited
