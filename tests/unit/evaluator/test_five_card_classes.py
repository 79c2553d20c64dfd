"""The classes of the five-card game: every multiset of ranks, and every smaller hand."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from poker_actors.cards import RANKS, Card, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.evaluator import five_card

STRAIGHTS = {
    *("".join(RANKS[low : low + 5]) for low in range(9)),
    "2345A",
}


def hands_of(size: int) -> list[tuple[Card, ...]]:
    """Every multiset of `size` ranks that a pack of 52 can deal, with suits given out in turn."""
    hands = []
    for ranks in combinations_with_replacement(range(13), size):
        if max(Counter(ranks).values()) > 4:
            continue
        hands.append(tuple(Card(4 * rank + ranks[:place].count(rank)) for place, rank in enumerate(ranks)))
    return hands


def class_by_reading(cards: tuple[Card, ...]) -> int:
    """The rules as a person reads them: look at the groups, then for five in a row."""
    text = "".join(RANKS[card.rank] for card in sorted(cards))
    groups = sorted(Counter(text).values(), reverse=True)
    match groups:
        case [4, *_]:
            return 6
        case [3, 2]:
            return 5
        case [3, *_]:
            return 3
        case [2, 2, *_]:
            return 2
        case [2, *_]:
            return 1
    return 4 if text in STRAIGHTS else 0


def class_by_the_printed_text(cards: tuple[Card, ...]) -> int:
    """The article's way, step by step: texts, counted occurrences, joined patterns."""
    names = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    hand = sorted((card.rank + 1) % 13 for card in cards)
    texts = [names[place] for place in hand]
    counter = sum(texts.count(text) for text in texts)
    patterns = ["A2345", "23456", "34567", "45678", "56789", "678910", "78910J", "8910JQ", "910JQK"]
    for wanted, found in ((7, 1), (9, 2), (11, 3)):
        if counter == wanted:
            return found
    if counter == 5 and "".join(texts[:5]) in patterns:
        return 4
    return {13: 5, 17: 6}.get(counter, 0)


def test_all_6175_multisets_of_five_ranks_have_the_class_that_one_reads() -> None:
    hands = hands_of(5)
    assert len(hands) == 6175
    assert [five_card.class_by_counts(hand) for hand in hands] == [class_by_reading(hand) for hand in hands]


def test_all_6175_multisets_have_the_class_the_printed_program_gives() -> None:
    hands = hands_of(5)
    printed = [five_card.class_as_printed(hand) for hand in hands]
    assert printed == [class_by_the_printed_text(hand) for hand in hands]


def test_only_ten_to_ace_is_classed_otherwise_than_printed() -> None:
    differing = [
        "".join(RANKS[card.rank] for card in hand)
        for hand in hands_of(5)
        if five_card.class_as_printed(hand) != five_card.class_by_counts(hand)
    ]
    assert differing == ["TJQKA"]


def test_the_classes_are_as_many_as_counting_says() -> None:
    counts = Counter(five_card.class_by_counts(hand) for hand in hands_of(5))
    assert counts == {0: 1277, 1: 2860, 2: 858, 3: 858, 4: 10, 5: 156, 6: 156}


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_fewer_cards_are_classed_by_counts_and_are_no_straight(size: int) -> None:
    hands = hands_of(size)
    assert [five_card.class_by_counts(hand) for hand in hands] == [class_by_reading(hand) for hand in hands]


@pytest.mark.parametrize(
    ("cards", "printed"),
    [
        ("AsAd", 0),
        ("AsAdAh", 2),
        ("AsAd2h", 0),
        ("AsAd2h3c", 0),
        ("AsAd2h2c", 0),
        ("AsAdAh2c", 0),
        ("AsAdAhAc", 0),
    ],
)
def test_fewer_cards_are_misjudged_as_printed_in_the_printed_way(cards: str, printed: int) -> None:
    assert five_card.class_as_printed(parse_cards(cards)) == printed


def test_with_kickers_a_better_class_still_beats_a_worse_one() -> None:
    hands = sorted(hands_of(5), key=five_card.strength_with_kickers)
    classes = [five_card.class_by_counts(hand) for hand in hands]
    assert classes == sorted(classes)
    assert len({five_card.strength_with_kickers(hand) for hand in hands}) == 6175


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("AsAd7s7hJs", "Two Pair, Aces and Sevens"),
        ("As2s3s4s5s", "Straight, Five high"),
        ("TsJsQsKsAs", "Straight, Ace high"),
        ("2s9sJsKs4s", "High Card, King"),
        ("KsKdKh", "Three of a Kind, Kings"),
    ],
)
def test_suits_make_no_flush_and_words_say_the_ranks(cards: str, said: str) -> None:
    assert five_card.words(parse_cards(cards)) == said


def test_ten_to_ace_is_no_straight_in_the_printed_words() -> None:
    assert five_card.words_as_printed(parse_cards("TsJdQsKsAs")) == "High Card, Ace"
    assert five_card.words_as_printed(parse_cards("9sTdJsQsKs")) == "Straight, King high"


@pytest.mark.parametrize(
    "judge", [five_card.class_by_counts, five_card.class_as_printed, five_card.strength_with_kickers]
)
def test_six_cards_are_no_hand_of_this_game(judge: object) -> None:
    assert callable(judge)
    with pytest.raises(BadSpec, match="6 cards"):
        judge(parse_cards("2s3s4s5s6s7s"))
