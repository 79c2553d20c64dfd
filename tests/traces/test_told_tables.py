"""Tables, with every message that is said at them: not a word has changed, nor who hears it, nor in which order."""

from __future__ import annotations

import pytest

from tests.traces.told_tables import BOOK, BOOKS, told

PAGES = {
    name: lines.splitlines()
    for page in BOOK.read_text(encoding="utf-8").split("== ")[1:]
    for name, _, lines in [page.partition("\n")]
}


@pytest.mark.parametrize("name", BOOKS)
def test_all_that_is_said_at_a_table_is_as_it_was(name: str) -> None:
    assert told(name) == PAGES[name]


def test_no_story_is_left_out() -> None:
    assert list(PAGES) == list(BOOKS)
