"""The rules and the referee, which share no line, agree on random hands of every game; a night plays more."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from poker_actors.cards import Card, parse_cards
from poker_actors.evaluator import RANKINGS, five_card
from poker_actors.evaluator.openface import OpenFaceBoard, points
from poker_actors.referee import ORDERS
from poker_actors.referee.hands import best
from poker_actors.referee.rows import fouls, reaches_fantasy, royalties, score, stays_in_fantasy
from poker_actors.rules import GAMES
from tests.oracles.referee_hands import flaws

HANDS = 25
A_NIGHT = 20_000
PAIRS = 300


@pytest.mark.parametrize("name", GAMES)
def test_the_referee_finds_nothing_in_random_hands(name: str) -> None:
    assert list(flaws(name, range(HANDS))) == []


@pytest.mark.heavy
@pytest.mark.parametrize("name", GAMES)
def test_the_referee_finds_nothing_in_a_night_of_random_hands(name: str) -> None:
    assert list(flaws(name, range(HANDS, A_NIGHT))) == []


def dealt(name: str, rng: Random) -> list[tuple[list[Card], list[Card]]]:
    """Deal two hands of as many cards as the order of hands can take, and a board."""
    game = next(
        game
        for game in GAMES.values()
        if name in (game.name, *[share.ranking.name for share in game.shares])
        or (not game.shares and name in ("high", "short-deck") and game.name in ("holdem", "short-deck"))
    )
    if name == "short-deck":
        game = GAMES["short-deck"]
    cards = rng.sample(game.pack, 2 * game.hole_cards + game.board_cards)
    board = cards[2 * game.hole_cards :]
    return [(cards[: game.hole_cards], board), (cards[game.hole_cards : 2 * game.hole_cards], board)]


@pytest.mark.parametrize("name", [name for name in RANKINGS if name != "lazy-pineapple"])
def test_an_order_of_hands_by_definition_is_that_of_the_tables(name: str) -> None:
    rng, ranking = Random(name), RANKINGS[name]
    for _ in range(PAIRS):
        (one, board), (other, _) = dealt(name, rng)
        mine = [best(name, hole, board) for hole in (one, other)]
        theirs = [ranking.evaluate(hole, board) or None for hole in (one, other)]  # 0 is not a hand there
        assert [value is None for value in mine] == [value is None for value in theirs]
        if None not in mine:
            assert compared(*mine) == compared(*theirs), (name, one, other, board)


def test_lazy_pineapple_by_definition_is_that_of_the_tables() -> None:
    rng = Random(4)
    for _ in range(PAIRS):
        cards = rng.sample(GAMES["holdem"].pack, 11)
        holes, board = (cards[:3], cards[3:6]), cards[6:]
        mine = [best("lazy-pineapple", hole, board) for hole in holes]
        theirs = [RANKINGS["lazy-pineapple"].evaluate(hole, board) for hole in holes]
        assert compared(*mine) == compared(*theirs)


@pytest.mark.parametrize(
    ("name", "strengths"),
    [
        ("five-card", five_card.classes_by_counts),
        ("five-card-printed", five_card.classes_as_printed),
        ("five-card-kickers", five_card.strengths_with_kickers),
    ],
)
def test_the_orders_of_the_consoles_game_are_those_of_the_tables(name: str, strengths: Any) -> None:
    rng = Random(5)
    for _ in range(3 * PAIRS):
        cards = rng.sample(GAMES["five-card"].pack[: rng.choice((20, 52))], 10)
        holes = [tuple(cards[:5]), tuple(cards[5:])]
        mine = [best(name, hole, ()) for hole in holes]
        theirs = strengths(holes, ())
        assert compared(*mine) == compared(*theirs), holes


def compared(one: Any, other: Any) -> int:
    return int(one > other) - int(one < other)


def test_every_order_of_the_tables_has_a_definition() -> None:
    assert {*RANKINGS} <= {*ORDERS}


def test_rows_fouls_royalties_and_points_are_those_of_the_tables() -> None:
    rng = Random(6)
    pack = GAMES["holdem"].pack
    for few in product((26, 40, 52), range(PAIRS)):
        cards = rng.sample(pack[-few[0] :], 26)
        rows = []
        for start in (0, 13):
            row = sorted(cards[start : start + 13], key=lambda card: (card.rank, rng.random()))
            rows.append((row[:3], row[3:8], row[8:]))
        boards = [OpenFaceBoard.of(*mine) for mine in rows]
        for mine, board in zip(rows, boards, strict=True):
            assert bool(fouls(mine)) == board.fouled, mine
            assert royalties(mine) == ((0, 0, 0) if board.fouled else board.royalties)
            assert reaches_fantasy(mine) == board.reaches_fantasy_land
        scored = score({0: rows[0], 1: rows[1]}, (500, 500), 0, 1)
        assert scored[0].points == points(*boards)


@pytest.mark.parametrize(
    ("bottom", "stays"),
    [("KcKdKhQcQd", False), ("5c5d5h5s9d", True), ("5d6d7d8d9d", True), ("AsKsQsJsTs", True)],
)
def test_four_of_a_kind_or_better_at_the_bottom_stays_in_fantasy_land(bottom: str, stays: bool) -> None:
    rows = tuple(tuple(parse_cards(row)) for row in ("2c4h7s", "2d2h6c8hJc", bottom))
    assert stays_in_fantasy(rows) == OpenFaceBoard.of(*rows).stays_in_fantasy_land == stays
