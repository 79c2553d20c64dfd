"""Every ranking by name: against every choice of cards, in words, and what it refuses."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from poker_actors.cards import STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadInput, BadSpec
from poker_actors.evaluator import (
    RANKINGS,
    Category,
    Ranking,
    category,
    describe,
    describe_briefly,
    evaluate,
    low_ace_to_five,
    open_strengths,
    ranking_named,
    suit_tie,
)
from poker_actors.evaluator.equity import parse_range
from poker_actors.evaluator.order import BADUGI, strengths
from poker_actors.evaluator.reference import class_in

SIZES = {
    "high": [(2, 0), (5, 0), (7, 0), (2, 5), (6, 1), (3, 2)],
    "omaha": [(4, 5), (5, 5), (6, 5), (4, 3), (5, 4)],
    "greek": [(2, 3), (2, 5)],
    "lazy-pineapple": [(3, 3), (3, 5)],
    "short-deck": [(2, 3), (2, 5)],
    "short-deck-old": [(2, 3), (2, 5)],
    "ace-to-five": [(5, 0), (7, 0), (6, 1), (2, 5)],
    "eight-or-better": [(5, 0), (7, 0), (6, 1), (2, 5)],
    "omaha-eight": [(4, 5), (5, 5), (6, 5), (4, 3)],
    "deuce-to-seven": [(5, 0), (6, 0), (7, 0)],
    "badugi": [(1, 0), (3, 0), (4, 0), (5, 0)],
    "badugi-ace-high": [(4, 0), (5, 0)],
    "rhode-island": [(1, 2)],
    "leduc": [(1, 1), (1, 0)],
    "kuhn": [(1, 0)],
}
"""Hole cards and board cards."""


def by_every_choice(ranking: Ranking, hole: tuple[Card, ...], board: tuple[Card, ...]) -> int:
    """Give the best strength of what the rules let a player choose, an eight or better where one is asked for."""
    table = strengths(ranking.scale)
    found = [table[class_in(ranking.scale, chosen)] for chosen in ranking.choices(hole, board)]
    if ranking.qualifier:
        eights = table[class_in(ranking.scale, parse_cards("8c7d6h5s4c"))]
        found = [strength for strength in found if strength >= eights]
    return max(found, default=0)


def dealt(luck: random.Random, ranking: Ranking, hole: int, board: int) -> list[tuple[Card, ...]]:
    """Give a hand and a board, half of them of few ranks or of one or two suits, so that rare hands come up."""
    pack = [card for card in STANDARD_DECK if card.rank >= ranking.lowest_rank]
    kind = luck.randrange(4)
    if kind == 1:
        ranks = luck.sample(sorted({card.rank for card in pack}), 5)
        pack = [card for card in pack if card.rank in ranks]
    elif kind == 2:
        suits = luck.sample(range(4), 2)
        pack = [card for card in pack if card.suit in suits]
    elif kind == 3 and ranking.low:
        pack = [card for card in pack if card.rank < 8 or card.rank == 12]
    cards = luck.sample(pack, hole + board)
    return [tuple(cards[:hole]), tuple(cards[hole:])]


@pytest.mark.parametrize(("name", "sizes"), SIZES.items())
def test_a_ranking_gives_the_best_of_every_choice_of_cards(name: str, sizes: list[tuple[int, int]]) -> None:
    ranking = RANKINGS[name]
    luck = random.Random(name)
    for hole, board in sizes:
        for _ in range(120):
            held, shared = dealt(luck, ranking, hole, board)
            best = by_every_choice(ranking, held, shared)
            assert ranking.evaluate(held, shared) == best, (held, shared)
            assert ranking.strengths([held, held], shared) == [best or 0] * 2
            shown = ranking.cards(held, shared)
            assert bool(shown) == bool(best)
            assert set(shown) <= {*held, *shared}
            if shown and name not in ("leduc", "kuhn"):
                assert strengths(ranking.scale)[class_in(ranking.scale, shown)] == best


def test_every_ranking_is_tested() -> None:
    assert set(SIZES) == set(RANKINGS)


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("badugi", "7c4d2hKs", "8c4d2hKs"),
        ("badugi", "8c7d6h5s", "3c2dAhAs"),
        ("badugi", "Ac2d3h4s", "Ac2d3h5s"),
        ("badugi", "7c4d2h2s", "7c5dAhAs"),
        ("badugi-ace-high", "5c4d3h2s", "Ac4d3h2s"),
        ("badugi-ace-high", "Kc4d3h2s", "Ac4d3h2s"),
        ("deuce-to-seven", "Ac5d4h3s2c", "Ac6d4h3s2c"),
        ("deuce-to-seven", "KcQdJh9s8c", "Ac5d4h3s2c"),
        ("deuce-to-seven", "Ac5d4h3s2c", "2c2d4h3s5c"),
        ("ace-to-five", "AcAd4h3s2c", "2c2d4h3sAc"),
        ("ace-to-five", "5c4c3c2cAc", "6c4d3s2hAc"),
    ],
)
def test_hands_are_ordered_as_players_order_them(name: str, better: str, worse: str) -> None:
    ranking = RANKINGS[name]
    first, second = ranking.evaluate(better), ranking.evaluate(worse)
    assert first
    assert second
    assert first > second


@pytest.mark.parametrize(
    ("name", "order"),
    [
        (
            "rhode-island",
            ["AsKsQs", "4s3s2s", "As3s2s", "AsAdAh", "2s2d2h", "AsKdQs", "As3d2s",
             "AsKsJs", "5s3s2s", "AsAdKs", "2s2d3s", "AsKdJs", "5s3d2s"],
        ),
        ("leduc", ["Kc/Kd", "Qc/Qd", "Jc/Jd", "Kc/Qd", "Qc/Kd", "Jc/Qd"]),
        ("kuhn", ["Kc", "Qc", "Jc"]),
        (
            "short-deck",
            ["AsKs/QsJsTs", "9s8s/7s6sAs", "AsAd/AhAc6d", "AsKs/QsJs8s", "AsAd/AhKcKd",
             "AsKd/QsJsTs", "9d8s/7s6sAs", "AsAd/Ah7c6d", "AsAd/7h7c6d"],
        ),
        (
            "short-deck-old",
            ["AsKs/QsJsTs", "AsAd/AhAc6d", "AsKs/QsJs8s", "AsAd/AhKcKd", "AsAd/Ah7c6d", "AsKd/QsJsTs",
             "9d8s/7s6sAs", "AsAd/7h7c6d"],
        ),
    ],
)  # fmt: skip
def test_hands_from_best_to_worst(name: str, order: list[str]) -> None:
    found = []
    for hand in order:
        hole, _, board = hand.partition("/")
        if name == "rhode-island":
            hole, board = hand[:2], hand[2:]
        found.append(RANKINGS[name].evaluate(hole, board))
    assert found == sorted(set(found), reverse=True)


def test_trips_that_are_also_a_straight_are_trips_in_the_old_short_deck_order() -> None:
    hand = ("AsAd", "AhKcQdJsTs")
    new, old = (RANKINGS[name].evaluate(*hand) for name in ("short-deck", "short-deck-old"))
    assert new
    assert old
    assert (category(new), category(old)) == (Category.STRAIGHT, Category.THREE_OF_A_KIND)


@pytest.mark.parametrize(
    ("name", "hole", "board", "words"),
    [
        ("high", "AsAdKc7h2s", "", "Pair of Aces"),
        ("badugi", "7c5d3hAs", "", "4-card 7-low"),
        ("badugi", "7c5d3hAh", "", "3-card 7-low"),
        ("badugi", "KcKd", "", "1-card K-low"),
        ("ace-to-five", "8c6d4h3sAcKdKh", "", "8-6-4-3-A low"),
        ("ace-to-five", "8c8d4h3sAc", "", "Pair of Eights, played low"),
        ("deuce-to-seven", "7c5d4h3s2c", "", "7-5-4-3-2 low"),
        ("deuce-to-seven", "7c6d5h4s3c", "", "Straight, Seven high, played low"),
        ("eight-or-better", "8c6d4h3sAc", "", "8-6-4-3-A low"),
        ("eight-or-better", "9c6d4h3sAc", "", "No low"),
        ("omaha-eight", "AsKd8c2h", "7h6d3sKcQc", "7-6-3-2-A low"),
        ("omaha-eight", "AsKdQc2h", "JhTd3sKcQd", "No low"),
        ("rhode-island", "As", "KsQs", "Straight Flush, Ace high"),
        ("rhode-island", "As", "2d3c", "Straight, Three high"),
        ("leduc", "Kc", "Kd", "Pair of Kings"),
        ("kuhn", "Qc", "", "High Card, Queen"),
    ],
)
def test_a_strength_is_said_as_players_say_it(name: str, hole: str, board: str, words: str) -> None:
    ranking = RANKINGS[name]
    assert ranking.words(ranking.evaluate(hole, board)) == words


def test_a_badugi_is_described_by_its_cards_and_has_no_category() -> None:
    strength = RANKINGS["badugi"].evaluate("7c5d3hAs")
    assert strength
    assert describe(strength) == "4-card 7-low"
    assert describe(strength, kickers=True) == "4-card 7-5-3-A low"
    assert describe_briefly(strength) == "4-card 753A"
    with pytest.raises(BadSpec, match="is a badugi: it has no category"):
        category(strength)


@pytest.mark.parametrize(
    ("name", "hole", "board", "cards"),
    [
        ("badugi", "7c7d4h2s5c", "", "7d5c4h2s"),
        ("badugi", "AcAdAhAs", "", "As"),
        ("ace-to-five", "8c6d4h3sAcKdAs", "", "As8c6d4h3s"),
        ("eight-or-better", "9c6d4h3sAc", "", ""),
        ("omaha-eight", "As2h3d4c", "7h6d3sKcQc", "As7h6d3s2h"),
        ("high", "AsAdKcKd7h7s2c", "", "AsAdKdKc7s"),
        ("greek", "2c3d", "AsKsQsJsTs", "AsKsQs3d2c"),
        ("leduc", "Kc", "Qd", "KcQd"),
    ],
)
def test_the_cards_that_make_a_hand_are_shown_highest_first(
    name: str, hole: str, board: str, cards: str
) -> None:
    assert RANKINGS[name].cards(hole, board) == parse_cards(cards)


@pytest.mark.parametrize(
    ("name", "hole", "board", "message"),
    [
        ("badugi", "7c5d3hAsKsQs", "", "6 hole cards cannot be ranked by 'badugi': it takes 1 to 5"),
        ("badugi", "7c5d3hAs", "Kc", "1 board cards cannot be ranked by 'badugi': it takes 0"),
        ("ace-to-five", "7c5d3hAs", "", "4 cards in all cannot be ranked by 'ace-to-five': it takes 5 to 9"),
        ("omaha-eight", "AsKs", "2c3c4c", "2 hole cards"),
        ("short-deck", "AsKs", "2c7c8c", "2c is not in the pack of 'short-deck'"),
        ("kuhn", "Xn", "", "Xn is not in the pack of 'kuhn'"),
        ("high", "AsKs", "As2c3d", "As is both in the hand and on the board"),
        ("high", "AsAs", "", "As is given twice"),
        ("high", "10s", "", "'10s' is not a card"),
    ],
)
def test_hands_that_cannot_be_are_refused(name: str, hole: str, board: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        RANKINGS[name].evaluate(hole, board)


def test_an_unknown_ranking_is_refused_with_the_nearest_name() -> None:
    assert ranking_named("badugi") is RANKINGS["badugi"]
    with pytest.raises(BadSpec, match="no ranking is called 'baduggi', did you mean badugi"):
        ranking_named("baduggi")


def test_all_1092_badugis_are_there_and_the_best_is_a_wheel_of_four() -> None:
    table = strengths(BADUGI)
    assert len(table) == 13 + 78 + 286 + 715
    assert max(table.values()) == RANKINGS["badugi"].evaluate("4s3h2dAc")


OPEN_HIGH = ["AsAdAhAc", "KsKdKhAc", "KsKdKhQc", "AsAdKsKd", "AsAdQsKd", "AsKdQhJc", "2s3d4h5c"]


def test_open_hands_are_ordered_by_pairs_and_ranks_alone() -> None:
    high = open_strengths(list(map(parse_cards, OPEN_HIGH)))
    assert high == sorted(set(high), reverse=True)
    suited, higher = open_strengths([parse_cards("2s3s4s5s"), parse_cards("7s3c4d5h")])
    assert suited < higher
    lows = ("As2d3h4c", "5s4d3h2c", "KsQdJhTc", "AsAd2h3c", "AsAd2h2c", "AsAdAh2c")
    low = open_strengths(list(map(parse_cards, lows)), low=True)
    assert low == sorted(set(low), reverse=True)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_open_hands_are_ordered_as_five_cards_with_the_same_low_kickers_are(count: int) -> None:
    luck = random.Random(count)
    for _ in range(300):
        first, second = (tuple(luck.sample(STANDARD_DECK, count)) for _ in range(2))
        one, two = (sorted((card.rank for card in hand), reverse=True) for hand in (first, second))
        by_rank = [sorted(((hand.count(r), r) for r in set(hand)), reverse=True) for hand in (one, two)]
        high, other = open_strengths([first, second])
        assert (high > other) == (by_rank[0] > by_rank[1])
        lows = [
            sorted(((hand.count(r), (r + 1) % 13) for r in set(hand)), reverse=True) for hand in (one, two)
        ]
        low, other = open_strengths([first, second], low=True)
        assert (low > other) == (lows[0] < lows[1])


def test_the_door_card_that_brings_it_in_is_the_lowest_by_suit_and_in_razz_the_highest() -> None:
    doors = [parse_cards(card) for card in ("2c", "2d", "2s", "Kc", "Ks", "As")]
    assert sorted(doors, key=suit_tie) == doors
    razz = [parse_cards(card) for card in ("Ac", "As", "2c", "Kc", "Ks")]
    assert sorted(razz, key=lambda cards: suit_tie(cards, low=True)) == razz


def test_a_tie_of_open_hands_is_broken_by_the_suit_of_the_highest_card() -> None:
    assert suit_tie(parse_cards("AsKc")) > suit_tie(parse_cards("AcKd"))
    assert suit_tie(parse_cards("As7c"), low=True) < suit_tie(parse_cards("Ac7d"), low=True)


def test_a_hand_of_every_five_cards_of_seven_is_the_one_evaluate_gives() -> None:
    luck = random.Random(5)
    for _ in range(50):
        hand = tuple(luck.sample(STANDARD_DECK, 7))
        assert RANKINGS["high"].evaluate(hand) == evaluate(hand) == max(map(evaluate, combinations(hand, 5)))


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_is_no_card(value: bool) -> None:
    with pytest.raises(BadInput, match=f"{value} is not a card"):
        evaluate([value, 9])


def test_the_top_of_all_hands_is_a_range() -> None:
    assert parse_range("top 10%, AKs").combos == parse_range("10%, AKs").combos
    assert len(parse_range("QQ, Top 5%")) > 6


def test_a_hand_that_does_not_qualify_has_strength_0_everywhere() -> None:
    assert RANKINGS["eight-or-better"].evaluate("As Kd", "9c 6d 4h 3s Kc") == 0
    assert low_ace_to_five("AsKd9c6d4h3sKc", eight_or_better=True) == 0
