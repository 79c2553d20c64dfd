"""Lows, Omaha, and open-face boards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise

import pytest

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.errors import BadInput
from poker_actors.evaluator import (
    describe_briefly,
    evaluate,
    evaluate_omaha,
    evaluate_omaha_low,
    evaluate_short_deck,
    low_ace_to_five,
    low_deuce_to_seven,
)
from poker_actors.evaluator.openface import OpenFaceBoard, bottom_royalty, middle_royalty, points, top_royalty


def ace_low(cards: tuple[Card, ...]) -> tuple[list[int], list[int]]:
    """Give what a player compares, the lower the better: pairs first, then cards from the top."""
    counted = Counter((card.rank + 1) % 13 for card in cards)
    ranks = sorted(counted, key=lambda rank: (counted[rank], rank), reverse=True)
    return sorted(counted.values(), reverse=True), ranks


def deuce_low(cards: tuple[Card, ...]) -> tuple[list[int], list[int]]:
    counted = Counter(card.rank for card in cards)
    ranks = sorted(counted, key=lambda rank: (counted[rank], rank), reverse=True)
    shape = sorted(counted.values(), reverse=True)
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    flush = len({card.suit for card in cards}) == 1
    if straight or flush:  # above trips (3, 1, 1), below a full house (3, 2); both above quads
        shape = [4, 2] if straight and flush else [3, 1, 2] if flush else [3, 1, 1, 1]
    return shape, ranks


@pytest.mark.parametrize("size", [5, 6, 7, 9])
def test_lows_order_hands_as_comparing_every_five_cards_does(size: int) -> None:
    luck = random.Random(size)
    hands = [tuple(luck.sample(STANDARD_DECK, size)) for _ in range(60)]
    for first, second in pairwise(hands):
        for function, key in ((low_ace_to_five, ace_low), (low_deuce_to_seven, deuce_low)):
            one, two = (min(key(five) for five in combinations(hand, 5)) for hand in (first, second))
            assert (function(first) > function(second)) == (one < two)
            assert (function(first) == function(second)) == (one == two)


@pytest.mark.parametrize("size", [6, 7, 8, 9])
def test_of_cards_of_few_ranks_the_five_that_make_the_best_low_are_kept(size: int) -> None:
    for ranks in combinations_with_replacement((0, 1, 5, 6, 11, 12), size):
        counted = Counter(ranks)
        if len(counted) < 5 and max(counted.values()) <= 4:
            hand = [STANDARD_DECK[4 * rank + suit] for rank in counted for suit in range(counted[rank])]
            fives = {tuple(card.rank for card in five): five for five in combinations(hand, 5)}
            assert low_ace_to_five(hand) == max(map(low_ace_to_five, fives.values()))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("5c4d3s2hAc", "6c4d3s2hAc"),
        ("5c4c3c2cAc", "6c4d3s2hAc"),
        ("8c7d3s2hAc", "8c7d4s2hAc"),
        ("KcQdJsTh9c", "AcAd2s3h4c"),
    ],
)
def test_ace_to_five_counts_neither_straights_nor_flushes(better: str, worse: str) -> None:
    assert low_ace_to_five(better) > low_ace_to_five(worse)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("7c5d4s3h2c", "7c6d4s3h2c"),
        ("KcQdJs9h8c", "Ac5d4s3h2c"),
        ("Ac5d4s3h2c", "Ac6d4s3h2c"),
        ("2c2d3s4h5c", "6c5d4s3h2c"),
        ("6c5d4s3h2c", "7c5c4c3c2c"),
    ],
)
def test_deuce_to_seven_counts_straights_flushes_and_aces_high(better: str, worse: str) -> None:
    assert low_deuce_to_seven(better) > low_deuce_to_seven(worse)


def test_an_eight_or_better_low_needs_five_ranks_up_to_eight() -> None:
    assert low_ace_to_five("9c5d4s3h2c", eight_or_better=True) == 0
    assert low_ace_to_five("8c8d5d4s3hKc", eight_or_better=True) == 0
    assert low_ace_to_five("8c5d4s3h2cKd", eight_or_better=True) == low_ace_to_five("8c5d4s3h2c")


def test_an_omaha_low_takes_two_hole_cards_and_three_of_the_board() -> None:
    luck = random.Random(4)
    for _ in range(200):
        deal = luck.sample(STANDARD_DECK, 9)
        hole, board = tuple(deal[:4]), tuple(deal[4:])
        best = 0
        for two in combinations(hole, 2):
            for three in combinations(board, 3):
                best = max(best, low_ace_to_five((*two, *three), eight_or_better=True))
        assert evaluate_omaha_low(hole, board) == best


def test_omaha_words_name_the_low() -> None:
    assert describe_briefly(evaluate_omaha_low("Ah2d7c7h", "Jd7s3c8c4c")) == "low 7432A"
    assert evaluate_omaha_low("AhKdQcQh", "JdTs3c8c4c") == 0


@pytest.mark.parametrize(
    ("function", "hands", "message"),
    [
        (low_ace_to_five, ("AsKs",), "a low of 2 cards is too short"),
        (low_deuce_to_seven, ("XnKsQsJs9s",), "Xn cannot be in a low"),
        (low_ace_to_five, ("AsAsQsJs9s",), "As is given twice"),
        (evaluate_omaha, ("AsKs", "2c3c4c"), "2 hole cards are not an Omaha hand"),
        (evaluate_omaha, ("AsKsQsJs", "2c3c"), "a board of 2 cards cannot be evaluated"),
        (evaluate_omaha, ("AsKsQsJs", "2c3cAs"), "As is both in the hand and on the board"),
        (evaluate_omaha_low, ("AsKsQsXn", "2c3c4c"), "Xn cannot be in an Omaha hand"),
        (evaluate_short_deck, ("AsKsQs5s",), "5s is not in the short deck of 36 cards"),
        (evaluate_short_deck, ("AsKsQsXn",), "Xn is not in the short deck"),
    ],
)
def test_hands_that_cannot_be_are_refused(function: object, hands: tuple[str, ...], message: str) -> None:
    assert callable(function)
    with pytest.raises(BadInput, match=message):
        function(*hands)


def test_royalties_follow_the_open_face_scale() -> None:
    tops = ["5s5d2c", "6s6d2c", "AsAdKc", "2s2d2c", "AsAdAc", "AsKdQc"]
    assert [top_royalty(evaluate(top)) for top in tops] == [0, 1, 9, 10, 22, 0]
    rows = [
        "AsKsQsJsTs",
        "KsQsJsTs9s",
        "2s2d2h2cAs",
        "2s2d2h3cAs3s",
        "AsJs9s7s2s",
        "AsKdQsJsTs",
        "AsAdAh2c3c",
        "AsAdKhKcQs",
    ]
    assert [middle_royalty(evaluate(row)) for row in rows] == [50, 30, 20, 12, 8, 4, 2, 0]
    assert [bottom_royalty(evaluate(row)) for row in rows] == [25, 15, 10, 6, 4, 2, 0, 0]


def test_a_joker_is_capped_by_the_row_below() -> None:
    board = OpenFaceBoard.of("AsKsQs", "5h5s6h6sXn", "2c2d2h3c3d")
    assert describe_briefly(board.middle.strength) == "two pair 65A"
    assert not board.fouled


def test_a_joker_that_cannot_stay_below_fouls_the_board() -> None:
    assert OpenFaceBoard.of("AsAdXn", "3h5s7h9sJc", "2c2d4h8c9d").fouled


def test_two_jokers_of_a_board_are_two_cards() -> None:
    board = OpenFaceBoard.of("KsQdXn", "2h2c3h3cXn", "Ad6d9dTdJd")
    assert board.top.stands_for != board.middle.stands_for
    with pytest.raises(BadInput, match="a third joker"):
        OpenFaceBoard.of("KsQdXn", "2h2c3h3cXn", "Ad6d9dTdXn")


def test_points_are_a_row_each_three_for_all_and_royalties() -> None:
    strong = OpenFaceBoard.of("QhQs6h", "2h2c3h3c5h", "Ad6d9dTdJd")
    weak = OpenFaceBoard.of("KhJs3d", "4d4s8hKdAs", "5d5s8c8dQd")
    fouled = OpenFaceBoard.of("JhJs3h", "2d2sThKdAs", "3d4s5c6d7c")
    assert points(strong, weak) == 3 + 3 + 11 == -points(weak, strong)
    assert points(strong, fouled) == 6 + 11 == -points(fouled, strong)
    assert points(fouled, fouled) == 0
    assert points(strong, strong) == 0


def test_fantasy_land_is_reached_by_queens_and_kept_by_trips_or_quads() -> None:
    queens = OpenFaceBoard.of("QhQs6h", "AhAc3h3c5h", "Ad6d9dTdJd")
    assert (queens.reaches_fantasy_land, queens.stays_in_fantasy_land) == (True, False)
    quads = OpenFaceBoard.of("JhJs6h", "AhAc3h3c5h", "2c2d2h2sJd")
    assert (quads.reaches_fantasy_land, quads.stays_in_fantasy_land) == (False, True)
    trips = OpenFaceBoard.of("2c2d2h", "AhAc3h3cAd", "9c9d9h9sJd")
    assert (trips.reaches_fantasy_land, trips.stays_in_fantasy_land) == (True, True)


def test_an_unfinished_or_impossible_board_is_refused() -> None:
    with pytest.raises(BadInput, match="a middle row of 4 cards is not finished: it needs 5"):
        OpenFaceBoard.of("QhQs6h", "2h2c3h3c", "Ad6d9dTdJd")
    with pytest.raises(BadInput, match="Ad is given twice"):
        OpenFaceBoard.of("QhQsAd", "2h2c3h3c5h", "Ad6d9dTdJd")
