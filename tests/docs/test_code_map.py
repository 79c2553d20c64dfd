"""The code map names files and tests that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:poker_actors|tests|docs)/[\w./-]+(?:::\w+)?)`", MAP)))


def is_there(named: str) -> bool:
    path, _, test = named.partition("::")
    place = ROOT / path
    return place.exists() and (not test or f"def {test}(" in place.read_text(encoding="utf-8"))


def test_what_the_code_map_names_is_there() -> None:
    assert [named for named in NAMED if not is_there(named)] == []
    assert len(NAMED) > 40
