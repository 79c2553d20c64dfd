"""Strengths in words, as numbers of others, and back."""

from __future__ import annotations

import pytest

from poker_actors.errors import BadInput, BadSpec
from poker_actors.evaluator import (
    cactus_kev,
    category,
    describe,
    describe_briefly,
    evaluate,
    evaluate_short_deck,
    from_cactus_kev,
    from_score,
    libpoker,
    low_ace_to_five,
    low_deuce_to_seven,
    made_hand,
    score,
)


@pytest.mark.parametrize(
    ("hand", "words", "brief"),
    [
        ("AsKsQsJsTs", "Royal Flush", "straight flush A"),
        ("5s4s3s2sAs", "Straight Flush, Five high", "straight flush 5"),
        ("9s9h9d9cKd", "Four of a Kind, Nines, King kicker", "quads 9K"),
        ("6s6h6dKsKd", "Full House, Sixes full of Kings", "full house 6K"),
        ("AsJs9s7s2s", "Flush, Ace high, Jack Nine Seven Deuce", "flush AJ972"),
        ("AsKdQsJsTs", "Straight, Ace high", "straight A"),
        ("7s7h7dKsQd", "Three of a Kind, Sevens, King Queen kickers", "trips 7KQ"),
        ("AhAd7c7hJd", "Two Pair, Aces and Sevens, Jack kicker", "two pair A7J"),
        ("6h6dKcQhJd", "Pair of Sixes, King Queen Jack kickers", "pair 6KQJ"),
        ("AhKd7c5h3d", "High Card, Ace, King Seven Five Three kickers", "high card AK753"),
        ("2h", "High Card, Deuce", "high card 2"),
        ("", "No Cards", "high card"),
    ],
)
def test_a_strength_is_said_as_a_dealer_would(hand: str, words: str, brief: str) -> None:
    assert describe(evaluate(hand), kickers=True) == words
    assert words.startswith(describe(evaluate(hand)))
    assert describe_briefly(evaluate(hand)) == brief


def test_lows_and_short_deck_hands_say_what_they_are() -> None:
    assert describe(low_ace_to_five("Ac2d3s4h8cKcQc")) == "Eight-Four-Three-Deuce-Ace low"
    assert describe(low_deuce_to_seven("7c5d4s3h2c")) == "Seven-Five-Four-Three-Deuce low"
    assert describe_briefly(low_ace_to_five("8c8d3s4h2c")) == "low, pair 8432"
    assert describe(low_deuce_to_seven("KcKd4s3h2c")) == "Pair of Kings, played low"
    assert describe(evaluate_short_deck("AsKdQsJsTs")) == "Straight, Ace high"


@pytest.mark.parametrize("number", [-1, 9 << 12, 0xFFFF, 4 << 16, 1 << 40])
def test_a_number_that_is_no_strength_is_refused(number: int) -> None:
    for function in (describe, describe_briefly, category, score):
        with pytest.raises(BadSpec, match=f"{number} is not the strength of any hand"):
            function(number)


def test_scores_go_from_the_royal_flush_to_seven_high_and_back() -> None:
    assert score(evaluate("AsKsQsJsTs")) == 0
    assert cactus_kev(evaluate("7s5d4s3s2s")) == 7462
    strengths = [from_score(number) for number in range(7462)]
    assert strengths == sorted(set(strengths), reverse=True)
    assert [score(strength) for strength in strengths] == list(range(7462))
    assert [from_cactus_kev(number) for number in range(1, 7463)] == strengths


def test_scores_outside_the_7462_classes_are_refused() -> None:
    for number in (-1, 7462):
        with pytest.raises(BadSpec, match=f"score {number} is outside 0 to 7461"):
            from_score(number)
        with pytest.raises(BadSpec, match=f"rank {number + 1} is outside 1 to 7462"):
            from_cactus_kev(number + 1)
    for strength in (evaluate("AsAdKs"), evaluate_short_deck("AsKdQsJsTs"), low_ace_to_five("Ac2d3s4h5c")):
        with pytest.raises(BadSpec, match="has no rank among the 7462"):
            score(strength)


def test_every_class_of_hand_has_its_own_libpoker_number_in_the_same_order() -> None:
    values = [libpoker.from_strength(from_score(number)) for number in range(7462)]
    assert values == sorted(set(values), reverse=True)
    assert values[0] == 135004160
    assert values[-1] == 340496
    assert libpoker.handval(values[0]) == "StFlush (A)"


@pytest.mark.parametrize(
    ("hand", "value"),
    [
        ("", 0),
        ("2c", 0),
        ("Ah,Kd", 786432),
        ("aH kD", 831488),
        ("Ah Xn", 0),
        ("Ah Kd zz", 0),
        ("Ah A", 0),
        ("Ahxxx", 786432),
        ("As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s", 135004160),
    ],
)
def test_libpokers_odd_cases_are_kept(hand: str, value: int) -> None:
    assert libpoker.evaluate(hand) == value


@pytest.mark.parametrize("value", [-1, 9 << 24, 15 << 16, 1 << 20])
def test_a_number_that_libpoker_never_gives_is_refused(value: int) -> None:
    with pytest.raises(BadSpec, match="is not a libpoker hand value"):
        libpoker.handval(value)


def test_libpoker_has_no_number_for_other_orders() -> None:
    with pytest.raises(BadSpec, match="on a scale that libpoker does not have"):
        libpoker.from_strength(low_ace_to_five("Ac2d3s4h5c"))


@pytest.mark.parametrize(
    ("hand", "shown", "kickers", "stands_for"),
    [
        ("Ah 7c Jd As 7h 2c", "As Ah 7h 7c Jd", "Jd", ""),
        ("5h4h3h2hAhAcAd", "5h 4h 3h 2h Ah", "", ""),
        ("Xn9cKd3d2d9d9s", "9s Xn 9d 9c Kd", "Kd", "9h"),
        ("XnKdQd2d9d4d5d", "Xn Kd Qd 9d 5d", "", "Ad"),
        ("2c3c4c5dXnYn7s8s9s", "Yn Xn 9s 8s 7s", "", "Js Ts"),
        ("XnYnAs", "As Yn Xn", "", "Ah Ad"),
        ("AsKd", "As Kd", "Kd", ""),
        ("KdKhAs", "Kh Kd As", "As", ""),
        ("AcAdAhAsXn", "As Ah Ad Ac Xn", "Xn", "Ks"),
        ("", "", "", ""),
    ],
)
def test_a_made_hand_shows_the_cards_used_the_kickers_and_the_jokers(
    hand: str, shown: str, kickers: str, stands_for: str
) -> None:
    made = made_hand(hand)
    assert " ".join(map(str, made.cards)) == shown
    assert " ".join(map(str, made.kickers)) == kickers
    assert " ".join(map(str, made.stands_for)) == stands_for
    assert made.strength == evaluate(hand)
    assert made.category == category(evaluate(hand))


def test_a_made_hand_prints_its_words_and_cards() -> None:
    assert str(made_hand("Ah7cJdAs7h2c")) == "Two Pair, Aces and Sevens (As Ah 7h 7c Jd)"


def test_a_made_hand_refuses_what_evaluate_refuses() -> None:
    with pytest.raises(BadInput, match="As is given twice"):
        made_hand("AsAs")
