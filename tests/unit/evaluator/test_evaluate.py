"""One hand in, one strength out."""

import random

import pytest

from poker_actors.cards import CARDS, SHORT_DECK, STANDARD_DECK
from poker_actors.errors import BadCard, BadSpec, DuplicateCard
from poker_actors.evaluator import (
    Category,
    category,
    describe,
    evaluate,
    holdem_strengths,
    omaha_strengths,
    short_deck_strengths,
)
from poker_actors.evaluator.order.classes import SHORT_DECK as SHORT_DECK_SCALE
from poker_actors.evaluator.reference import reference_omaha, reference_strength


@pytest.mark.parametrize("size", range(1, 10))
def test_any_number_of_cards_is_as_strong_as_the_reference_says(size: int) -> None:
    luck = random.Random(size)
    for _ in range(100):
        hand = luck.sample(STANDARD_DECK, size)
        assert evaluate(hand) == reference_strength(hand), hand


@pytest.mark.parametrize(
    ("size", "jokers"), [*((size, 1) for size in range(9)), *((size, 2) for size in range(6))]
)
def test_a_hand_with_jokers_is_as_strong_as_the_reference_says(size: int, jokers: int) -> None:
    luck = random.Random(size)
    for _ in range(20 if jokers == 1 else 2):
        hand = [*luck.sample(STANDARD_DECK, size), *CARDS[52 : 52 + jokers]]
        assert evaluate(hand) == reference_strength(hand), hand


@pytest.mark.parametrize("text", ["3c5c3dXnAc3s2c", "9h9d7d8hTh7hXn"])
def test_a_straight_flush_with_the_joker_is_found_before_quads_and_full_houses(text: str) -> None:
    assert category(evaluate(text)) == Category.STRAIGHT_FLUSH


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("10cAs", BadCard, "is not a card"),
        ("asKd", BadCard, "is not a card"),
        ("AsAs", DuplicateCard, "As is given twice"),
        ("XnYnXn", DuplicateCard, "third joker"),
        ("2c3c4c5c6c7c8c9cTcJc", BadSpec, "10 cards is too long: at most 9"),
    ],
)
def test_a_wrong_hand_is_refused_with_its_reason(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        evaluate(text)


def test_a_showdown_gives_each_seat_the_strength_of_its_seven_cards() -> None:
    luck = random.Random(6)
    for _ in range(500):
        deal = luck.sample(STANDARD_DECK, 17)
        board, holes = tuple(deal[:5]), [(deal[i], deal[i + 1]) for i in range(5, 17, 2)]
        assert holdem_strengths(holes, board) == [evaluate(board + hole) for hole in holes]


def test_a_short_deck_showdown_follows_its_own_order() -> None:
    luck = random.Random(6)
    for _ in range(100):
        deal = luck.sample(SHORT_DECK, 17)
        board, holes = tuple(deal[:5]), [(deal[i], deal[i + 1]) for i in range(5, 17, 2)]
        expected = [reference_strength(board + hole, SHORT_DECK_SCALE) for hole in holes]
        assert short_deck_strengths(holes, board) == expected


def test_in_short_deck_a_flush_beats_a_full_house_and_the_ace_is_low_below_the_six() -> None:
    board = tuple(CARDS[c] for c in (16, 20, 24, 51, 50))  # 6c 7c 8c As Ah
    flush, full, straight = short_deck_strengths(
        [(CARDS[32], CARDS[36]), (CARDS[49], CARDS[26]), (CARDS[29], CARDS[45])], board
    )
    assert [category(strength) for strength in (flush, full, straight)] == [
        Category.FLUSH,
        Category.FULL_HOUSE,
        Category.STRAIGHT,
    ]
    assert flush > full > straight
    assert describe(straight) == "Straight, Nine high"


@pytest.mark.parametrize("size", [4, 5, 6])
def test_an_omaha_showdown_takes_two_hole_cards_and_three_of_the_board(size: int) -> None:
    luck = random.Random(size)
    for _ in range(40):
        deal = luck.sample(STANDARD_DECK, 5 + 2 * size)
        board, holes = tuple(deal[:5]), [tuple(deal[5 : 5 + size]), tuple(deal[5 + size :])]
        assert omaha_strengths(holes, board) == [reference_omaha(hole, board) for hole in holes]
