"""A row that cannot be played is refused in these words, and one at the bound is played; rotations stay what they were."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from poker_actors.cards import JOKERS, STANDARD_DECK
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, Game, game_named
from poker_actors.rules.games import Betting, First, Rotation, Street, row

LAID = (Street("first", hole=5), Street("second", hole=8))


def problem(game: str, **changes: object) -> str:
    """Why that game with these changes is refused."""
    with pytest.raises(BadSpec) as refusal:
        attrs.evolve(GAMES[game], **changes)  # type: ignore[arg-type]
    words, _, found = str(refusal.value).partition(" cannot be played: ")
    assert words == f"the game {game!r}"
    return found


@pytest.mark.parametrize(
    ("game", "changes", "words"),
    [
        ("holdem", {"streets": ()}, "it has no street"),
        ("holdem", {"max_seats": 1}, "max_seats is 1: a table has 2 to 10"),
        ("holdem", {"max_seats": 11}, "max_seats is 11: a table has 2 to 10"),
        ("holdem", {"boards": 0}, "0 boards of 5 cards"),
        (
            "holdem",
            {"pack": STANDARD_DECK + JOKERS},
            "its pack has jokers, and no ranking at the table knows them",
        ),
        ("holdem", {"pack": STANDARD_DECK * 2}, "a card is twice in its pack"),
        ("holdem", {"pack": STANDARD_DECK[:24]}, "10 seats need 25 cards, and its pack has 24"),
        (
            "omaha8",
            {"strengths": GAMES["stud"].strengths},
            "strengths is not the ranking of its first share",
        ),
        (
            "holdem",
            {"streets": (Street("a", hole=2, throw=3),)},
            "a throws away more than the 2 cards of a hand",
        ),
        ("holdem", {"streets": (Street("a", hole=2, throw=2),)}, "nobody holds a card at the end"),
        (
            "holdem",
            {"streets": (Street("a", hole=3, throw=2), Street("b", throw=2))},
            "b throws away more than the 1 cards of a hand",
        ),
        (
            "holdem",
            {"streets": (Street("a", hole=2), Street("b", board=5, first=First.LOW_CARD))},
            "b begins with a bring-in, which only the first street can",
        ),
        (
            "open-face-pineapple",
            {"streets": LAID},
            "13 cards are laid in rows, on at least two streets and one without cards, fantasy land",
        ),
        (
            "open-face-pineapple",
            {"streets": (*LAID, Street("land", board=1))},
            "in an open-face game cards are dealt to seats, face down, and laid",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_row_that_cannot_be_played_is_refused_in_words(
    game: str, changes: dict[str, object], words: str
) -> None:
    assert problem(game, **changes) == words


def limit_stud(pack: int, *streets: Street) -> Game:
    """A game of eight seats with so many cards in the pack."""
    return row("s", "S", streets, Betting.NO_LIMIT, "high", max_seats=8, pack=STANDARD_DECK[:pack])


def test_a_last_card_of_stud_may_be_dealt_to_the_board_and_no_other() -> None:
    stud = Street("first", hole=4), Street("last", hole=1)
    limit_stud(33, *stud)
    with pytest.raises(BadSpec, match="8 seats need 33 cards, and its pack has 32"):
        limit_stud(32, *stud)
    with pytest.raises(BadSpec, match="8 seats need 40 cards, and its pack has 39"):
        limit_stud(39, Street("only", hole=5))
    limit_stud(40, Street("only", hole=5))


def test_a_dealers_choice_is_drawn_as_ever() -> None:
    choice = Rotation.named("dealers-choice")
    assert isinstance(choice, Rotation)
    assert [choice.at(number, 2, 7).name for number in range(0, 16, 2)] == DRAWN.split()
    assert choice.at(1, 2, 7) == choice.at(0, 2, 7)


DRAWN = "limit-omaha8 omaha stud limit-holdem razz limit-holdem stud limit-holdem"


def test_a_file_without_the_game_says_which_it_has(tmp_path: Path) -> None:
    file = tmp_path / "games.py"
    file.write_text("from poker_actors.rules import GAMES\nONE, TWO = GAMES['holdem'], GAMES['omaha']\n")
    with pytest.raises(BadSpec) as refusal:
        game_named(f"{file}:THREE")
    assert str(refusal.value) == f"{file} has no 'THREE'; the games in it are ONE, TWO"
    with pytest.raises(BadSpec, match=r"games\.py:ONE: a game is called 'holdem' already"):
        game_named(f"{file}:ONE")
    file.write_text("NONE = 1\n")
    with pytest.raises(BadSpec, match=r"the games in it are none$"):
        game_named(f"{file}:ONE")
