"""Hands of every game, with all that is told of them: not a word has changed."""

from __future__ import annotations

import pytest

from poker_actors.rules import GAMES
from tests.traces import told_fantasy
from tests.traces.told_hands import BOOK, NUMBERS, told

PAGES = {page.partition(":")[0]: f"== {page}" for page in BOOK.read_text(encoding="utf-8").split("== ")[1:]}

FANTASY = told_fantasy.BOOK.read_text(encoding="utf-8").split("== ")[1:]


def test_every_game_is_told() -> None:
    assert set(PAGES) == {f"{GAMES[name].name} {number}" for name, number in NUMBERS}


@pytest.mark.parametrize(("name", "number"), NUMBERS)
def test_a_hand_is_told_as_it_was(name: str, number: int) -> None:
    page = PAGES[f"{GAMES[name].name} {number}"]
    assert list(told(GAMES[name], number)) == page.splitlines()


@pytest.mark.parametrize(("place", "hand"), list(enumerate(told_fantasy.HANDS)))
def test_a_hand_in_fantasy_land_is_told_as_it_was(place: int, hand: tuple[str, tuple[int, ...], int]) -> None:
    assert list(told_fantasy.told(*hand)) == f"== {FANTASY[place]}".splitlines()
