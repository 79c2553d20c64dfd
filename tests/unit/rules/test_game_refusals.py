"""A row that cannot be played is refused in these words, and one at the bound is played; rotations stay what they were."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import attrs
import pytest

from poker_actors.cards import JOKERS, STANDARD_DECK, Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, Game, Hand, Stakes, game_named
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
            "its pack has jokers, but its ranking does not know them",
        ),
        ("holdem", {"pack": STANDARD_DECK * 2}, "its pack has a card twice"),
        ("short-deck", {"pack": STANDARD_DECK[12:]}, "its pack has 5c, but its ranking does not know it"),
        ("short-deck-old", {"pack": STANDARD_DECK[12:]}, "its pack has 5c, but its ranking does not know it"),
        ("holdem", {"pack": STANDARD_DECK[:24]}, "10 seats need 25 cards, but its pack has 24"),
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
        ("holdem", {"streets": (Street("a", hole=2), Street("b", board=-1))}, "board of b is -1"),
        ("holdem", {"streets": (Street("a", hole=2), Street("b", up=1.5))}, "up of b is 1.5"),  # type: ignore[arg-type]
        ("five-card-draw", {"streets": (Street("a", hole=9, draw=8),)}, "a throws more than 7 cards away"),
        ("holdem", {"streets": (Street("a", hole=10, throw=8),)}, "a throws more than 7 cards away"),
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
        (
            "open-face-pineapple",
            {"streets": (*LAID, Street("land", up=1))},
            "13 cards are laid in rows, on at least two streets and one without cards, fantasy land",
        ),
        (
            "open-face-pineapple",
            {"streets": (Street("all", hole=13), Street("land"))},
            "13 cards are laid in rows, on at least two streets and one without cards, fantasy land",
        ),
        (
            "open-face-pineapple",
            {"streets": (Street("first", hole=5), Street("second", hole=7), Street("land"))},
            "13 cards are laid in rows, on at least two streets and one without cards, fantasy land",
        ),
        (
            "open-face-pineapple",
            {"streets": (Street("first", hole=5), Street("second", hole=7), Street("land", hole=1))},
            "13 cards are laid in rows, on at least two streets and one without cards, fantasy land",
        ),
        (
            "open-face-pineapple",
            {"streets": (Street("first", hole=5), Street("second", hole=7, up=1), Street("land"))},
            "in an open-face game cards are dealt to seats, face down, and laid",
        ),
        (
            "open-face-pineapple",
            {"streets": (*LAID, Street("none", draw=1), Street("land"))},
            "in an open-face game cards are dealt to seats, face down, and laid",
        ),
        (
            "limit-holdem",
            {"streets": (Street("a", hole=2), Street("b", board=5, bet_units=0))},
            "a street has bets of 0",
        ),
        (
            "limit-five-card-draw",
            {"streets": (Street("a", hole=4, up=1), Street("b", draw=2))},
            "open cards cannot be exchanged",
        ),
        (
            "stud",
            {"streets": (Street("a", hole=3, first=First.LOW_CARD), Street("b", up=3), Street("c", hole=1))},
            "no card is face up to say who brings it in",
        ),
        (
            "stud",
            {"streets": (Street("a", hole=3), Street("b", hole=1, first=First.HIGH_HAND), Street("c", up=1))},
            "no card is face up to say who acts first on b",
        ),
        (
            "omaha8",
            {
                "shares": GAMES["omaha8"].shares[::-1],
                "strengths": GAMES["omaha8"].shares[1].ranking.strengths,
            },
            "it can happen that nobody qualifies for its first share 'low'",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_row_that_cannot_be_played_is_refused_in_words(
    game: str, changes: dict[str, object], words: str
) -> None:
    assert problem(game, **changes) == words


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_a_row_made_again_is_played_as_it_was(game: Game) -> None:
    again = attrs.evolve(game)
    for name in ("plain", "draws", "brings_in", "hole_cards", "board_cards"):
        assert getattr(again, name) == getattr(game, name)


@pytest.mark.parametrize(
    ("first", "more"),
    [
        (Street("first", hole=2), {"boards": 2}),
        (Street("first", hole=2, board=1), {}),
        (Street("first", hole=1, up=1), {}),
        (Street("first", hole=3, throw=1), {}),
        (Street("first", hole=2, bet_units=0), None),
    ],
)
def test_boards_and_open_cards_and_cards_thrown_away_are_dealt(
    first: Street, more: dict[str, object] | None
) -> None:
    game = row("own", "Own", (first, Street("last", board=4)), Betting.NO_LIMIT, "high", **(more or {}))
    hand = Hand([9, 9], Stakes(1, 2), deck=Deck.seeded(1), game=game)
    assert game.plain == (hand.extra is None) == (more is None)


def limit_stud(pack: int, *streets: Street) -> Game:
    """A game of eight seats with so many cards in the pack."""
    return row("s", "S", streets, Betting.NO_LIMIT, "high", max_seats=8, pack=STANDARD_DECK[:pack])


def test_a_last_card_of_stud_may_be_dealt_to_the_board_and_no_other() -> None:
    stud = Street("first", hole=4), Street("last", hole=1)
    limit_stud(33, *stud)
    with pytest.raises(BadSpec, match="8 seats need 33 cards, but its pack has 32"):
        limit_stud(32, *stud)
    with pytest.raises(BadSpec, match="8 seats need 40 cards, but its pack has 39"):
        limit_stud(39, Street("only", hole=5))
    limit_stud(40, Street("only", hole=5))
    draw = Street("first", hole=4, draw=2), Street("last", hole=1)
    with pytest.raises(BadSpec, match="8 seats need 42 cards, but its pack has 41"):
        limit_stud(41, *draw)


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
    with pytest.raises(BadSpec, match=r"games\.py:ONE: there is already a game called 'holdem'"):
        game_named(f"{file}:ONE")
    file.write_text("NONE = 1\n")
    with pytest.raises(BadSpec, match=r"the games in it are none$"):
        game_named(f"{file}:ONE")


def test_a_game_without_a_name_is_refused() -> None:
    with pytest.raises(BadSpec, match=r"^the game '' cannot be played: it has no name$"):
        attrs.evolve(GAMES["holdem"], name="")


def shown(game: str, holes: list[str], board: str) -> Hand:
    """A hand that is checked down, with those cards."""
    hand = Hand([100, 100], Stakes(1, 2), deck=Deck.stacked(holes, board), game=GAMES[game])
    while not hand.over:
        hand.check_or_call()
    return hand


def words(hand: Hand, seat: int, share: str = "") -> str:
    return hand.game.words_of(hand.claims[0], seat, hand.holes[seat], share)


def test_a_hand_of_halves_is_named_half_by_half_and_only_where_it_qualifies() -> None:
    plain = shown("holdem", ["AsAh", "KsKh"], "2c7d9hJs3c")
    assert [words(plain, seat) for seat in (0, 1)] == ["Pair of Aces", "Pair of Kings"]
    hand = shown("omaha8", ["As2s9h9d", "KhKd7c7d"], "3s4s8sKcQh")
    assert [words(hand, 0, share) for share in ("", "high", "low")] == [
        "Flush, Ace high; 8-4-3-2-A low",
        "Flush, Ace high",
        "8-4-3-2-A low",
    ]
    assert [words(hand, 1, share) for share in ("", "high", "low")] == [
        *("Three of a Kind, Kings", "Three of a Kind, Kings", ""),
    ]


@pytest.mark.parametrize(
    ("game", "hole", "said"),
    [
        ("razz", "As2d3c4h6sKdKc", "6-4-3-2-A low"),
        ("2-7-triple-draw", "2s3d4c5h7s", "7-5-4-3-2 low"),
        ("badugi", "As2d3c4h", "4-card 4-low"),
        ("kuhn", "Ks", "High Card, King"),
        ("stud", "AsAdKcKh2s3d9h", "Two Pair, Aces and Kings"),
        ("five-card", "AsAdKcKh2s", "Two Pair, Aces and Kings"),
        ("five-card-printed", "AsKdQcJhTs", "High Card, Ace"),
    ],
)
def test_a_strength_is_named_as_in_its_game(game: str, hole: str, said: str) -> None:
    cards = parse_cards(hole)
    played = GAMES[game]
    assert played.words(played.strengths([cards], ())[0], cards) == said


def test_so_many_cards_are_needed_as_are_there_for_boards_run_again() -> None:
    holdem = GAMES["holdem"]
    assert holdem.cards_needed(6, 52) == holdem.cards_needed(6, 52, boards=1, runs=1) == 17
    assert [holdem.cards_needed(6, there, runs=3) for there in (52, 20, 10)] == [27, 20, 17]
    assert holdem.cards_needed(6, 52, boards=2) == 22
    assert GAMES["stud"].cards_needed(8, 52) == 52
    assert GAMES["stud"].cards_needed(2, 52) == 14
    assert GAMES["badugi"].cards_needed(2, 52) == 52


def test_the_second_half_of_the_draws_has_the_larger_bets() -> None:
    assert [street.bet_units for street in GAMES["2-7-triple-draw"].streets] == [1, 1, 2, 2]
    assert [street.bet_units for street in GAMES["limit-five-card-draw"].streets] == [1, 2]


def test_thirteen_cards_are_laid_one_by_one_or_in_threes_and_then_comes_fantasy_land() -> None:
    dealt = {
        name: [(one.hole, one.throw) for one in GAMES[name].streets] for name in GAMES if "open-face" in name
    }
    assert dealt["open-face"] == [(5, 0), *[(1, 0)] * 8, (0, 0)]
    assert dealt["open-face-pineapple"] == [(5, 0), *[(3, 1)] * 4, (0, 0)]


def test_an_open_face_hand_has_no_one_strength() -> None:
    with pytest.raises(BadSpec) as refusal:
        GAMES["open-face"].strengths([parse_cards("As")], ())
    assert str(refusal.value) == (
        "open-face hands are compared row by row, for points: they have no single strength"
    )


def test_a_game_is_found_by_its_other_names_in_any_case() -> None:
    for name in ("NLHE", "nlhe", "NT", "nt", "OFC"):
        assert game_named(name).name in ("holdem", "open-face")


def test_a_game_that_is_not_found_is_named_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def points(**named: object) -> list[object]:
        asked.append(named)
        return []

    monkeypatch.setattr(metadata, "entry_points", points)
    for name, said in (("holdm", "'holdm', did you mean holdem?"), ("x" * 50, f"{'x' * 40!r}")):
        with pytest.raises(BadSpec) as refusal:
            game_named(name)
        assert str(refusal.value) == f"no game is called {said} (choose from {', '.join(GAMES)})"
    assert asked == [
        *(
            {"group": "poker_actors.games", "name": "holdm"},
            {"group": "poker_actors.games", "name": "x" * 50},
        ),
    ]
    rotation = "holdem+" * 10
    with pytest.raises(BadSpec) as refusal:
        game_named(rotation)
    assert str(refusal.value) == f"{rotation[:40]!r} is a rotation, but only one game is played here"


def test_a_rotation_of_one_game_is_none() -> None:
    with pytest.raises(BadSpec) as refusal:
        Rotation("x" * 50, (GAMES["holdem"],))
    assert str(refusal.value) == f"the rotation {'x' * 40!r} has 1 games: the minimum is 2"
