"""How often each low and each badugi comes up among all hands, against tables and formulas from elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice
from math import comb

import pytest

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.evaluator import RANKINGS, Category
from poker_actors.evaluator.order import class_of, strengths
from poker_actors.evaluator.reference import class_in

PAIRED = {
    Category.PAIR: 1_098_240,
    Category.TWO_PAIR: 123_552,
    Category.THREE_OF_A_KIND: 54_912,
    Category.FULL_HOUSE: 3_744,
    Category.FOUR_OF_A_KIND: 624,
}


def in_chunks(hands: Iterator[tuple[Card, ...]]) -> Iterator[list[tuple[Card, ...]]]:
    while chunk := list(islice(hands, 100_000)):
        yield chunk


def counted(ranking: str, size: int) -> Counter[int]:
    """Count the strengths of all hands of `size` cards."""
    counts: Counter[int] = Counter()
    for chunk in in_chunks(combinations(STANDARD_DECK, size)):
        counts.update(RANKINGS[ranking].strengths(chunk, ()))
    return counts


def by_top(counts: Counter[int]) -> Counter[tuple[int, int]]:
    """Sum by kind and highest card."""
    table: Counter[tuple[int, int]] = Counter()
    for strength, count in counts.items():
        made = class_of(strength)
        table[made[0], made[1] if made[0] == 0 else -1] += count
    return table


@pytest.mark.heavy
def test_all_2598960_ace_to_five_lows_come_up_as_often_as_they_should() -> None:
    counts = counted("ace-to-five", 5)
    assert len(counts) == 6_175  # multisets of five ranks
    for strength, count in counts.items():
        made = class_of(strength)
        assert made[0] != 0 or count == 4**5
    table = by_top(counts)
    for top in range(3, 12):  # a five-high low takes four of the four ranks below, a king-high four of twelve
        assert table[0, top] == 1024 * comb(top + 1, 4)
    assert {kind: table[kind, -1] for kind in PAIRED} == PAIRED
    assert table.total() == 2_598_960


@pytest.mark.heavy
def test_all_eights_or_better_are_57344() -> None:
    counts = counted("eight-or-better", 5)
    assert counts.pop(0) == 2_598_960 - 57_344
    assert list(counts.values()) == [1024] * 56


@pytest.mark.heavy
def test_all_2598960_deuce_to_seven_lows_come_up_as_often_as_they_should() -> None:
    counts = counted("deuce-to-seven", 5)
    assert len(counts) == 7_462
    table = by_top(counts)
    seven_high_up = [4_080, 14_280, 34_680, 70_380, 127_500, 213_180, 335_580, 503_880]
    assert [table[0, top] for top in range(5, 13)] == seven_high_up
    others = PAIRED | {Category.STRAIGHT: 9_180, Category.FLUSH: 5_112, Category.STRAIGHT_FLUSH: 36}
    assert {kind: table[kind, -1] for kind in others} == others


@pytest.mark.heavy
@pytest.mark.parametrize("ranking", ["ace-to-five", "deuce-to-seven"])
def test_all_2598960_lows_are_those_of_the_reference(ranking: str) -> None:
    those = RANKINGS[ranking]
    table = strengths(those.scale)
    for chunk in in_chunks(combinations(STANDARD_DECK, 5)):
        assert those.strengths(chunk, ()) == [table[class_in(those.scale, hand)] for hand in chunk]


@pytest.mark.parametrize("ranking", ["badugi", "badugi-ace-high"])
def test_all_270725_badugis_of_four_cards_come_up_as_often_as_they_should(ranking: str) -> None:
    counts = counted(ranking, 4)
    assert counts.total() == 270_725
    by_size: Counter[int] = Counter()
    for strength, count in counts.items():
        made = class_of(strength)
        by_size[made[0]] += count
        if made[0] == 4:
            assert count == 24  # each order of suits once
    assert by_size[4] == 13 * 12 * 11 * 10
    assert by_size[1] == 4 * comb(13, 4) + 13  # all of one suit, or all of one rank
    assert by_size == sizes_by_matching()


@cache
def sizes_by_matching() -> Counter[int]:
    return Counter(size_by_matching(hand) for hand in combinations(range(52), 4))


def size_by_matching(cards: tuple[int, ...]) -> int:
    """Give how many cards can be matched, ranks with suits: the size of a badugi, found without trying sets.

    Augmenting paths, one from each rank.
    """
    suits_of: dict[int, list[int]] = {}
    for card in cards:
        suits_of.setdefault(card >> 2, []).append(card & 3)
    taken: dict[int, int] = {}

    def place(rank: int, seen: set[int]) -> bool:
        for suit in suits_of[rank]:
            if suit not in seen:
                seen.add(suit)
                if suit not in taken or place(taken[suit], seen):
                    taken[suit] = rank
                    return True
        return False

    return sum(place(rank, set()) for rank in suits_of)


@pytest.mark.heavy
@pytest.mark.parametrize("ranking", ["badugi", "badugi-ace-high"])
@pytest.mark.parametrize("size", [4, 5])
def test_all_badugis_are_those_of_the_reference(ranking: str, size: int) -> None:
    those = RANKINGS[ranking]
    table = strengths(those.scale)
    for chunk in in_chunks(combinations(STANDARD_DECK, size)):
        best = [max(table[class_in(those.scale, some)] for some in those.choices(hand, ())) for hand in chunk]
        assert those.strengths(chunk, ()) == best


def test_all_three_card_hands_fall_into_the_known_kinds() -> None:
    counts: Counter[int] = Counter()
    for hand in combinations(STANDARD_DECK, 3):
        (strength,) = RANKINGS["rhode-island"].strengths([hand[:1]], hand[1:])
        counts[class_of(strength)[0]] += 1
    assert counts == {8: 48, 3: 52, 4: 720, 5: 1_096, 1: 3_744, 0: 16_440}
