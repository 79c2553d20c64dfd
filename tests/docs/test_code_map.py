"""The code map names files and tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:poker_actors|tests|docs)/[\w./-]+(?:::\w+)?)`", MAP)))


@pytest.mark.parametrize("named", NAMED)
def test_what_the_code_map_names_is_there(named: str) -> None:
    path, _, test = named.partition("::")
    assert (ROOT / path).exists()
    assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")


def test_the_code_map_names_files() -> None:
    assert len(NAMED) > 40
