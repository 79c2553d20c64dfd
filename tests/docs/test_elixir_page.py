"""The page for those who come from Elixir names tests and codes that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
SERIES = (ROOT / "tests" / "actors" / "test_elixir_series.py").read_text(encoding="utf-8")
CODES = {
    "not_active", "not_enough", "not_enough_players", "seat_taken", "seat_unavailable", "not_at_table",
    "insufficient_funds", "player_has_balance", "hand_in_progress",
}  # fmt: skip


def test_every_test_named_on_the_page_is_in_the_series() -> None:
    named = re.findall(r"`(test_\w+)`", PAGE)
    assert len(named) >= 10
    assert [name for name in named if f"def {name}(" not in SERIES] == []


def test_the_codes_on_the_page_are_those_of_the_series_and_of_the_errors() -> None:
    listed = re.search(r"The codes: `([^`]*)`", PAGE)
    assert listed is not None
    assert set(listed[1].split()) == CODES
    errors = (ROOT / "poker_actors" / "errors.py").read_text(encoding="utf-8")
    assert [code for code in CODES if code not in errors] == []
