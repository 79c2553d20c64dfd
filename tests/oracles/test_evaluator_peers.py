"""Our order and ties against phevaluator, eval7, treys and pokerkit; and against brute force.

Two evaluators agree on a set of hands when each of our strengths goes with one of their values and
the other way round, and both rise together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations_with_replacement, pairwise, permutations
from typing import Any

import pytest

from poker_actors.cards import CARDS, STANDARD_DECK, Card
from poker_actors.evaluator import RANKINGS, evaluate, evaluate_omaha, low_deuce_to_seven
from poker_actors.evaluator.fast import omaha_strengths, strengths
from poker_actors.evaluator.reference import reference_omaha, reference_strength

Hand = Sequence[int]
MANY = 1_000_000


def deals(count: int, size: int, seed: int = 1) -> list[list[int]]:
    luck = random.Random(1000 * seed + size)
    return [luck.sample(range(52), size) for _ in range(count)]


def disagreement(ours: Iterable[int], theirs: Iterable[object]) -> str:
    """Say where two evaluations differ as orders, or nothing; values of `theirs` compare with `<`."""
    theirs_by_ours: dict[int, object] = {}
    for one, other in zip(ours, theirs, strict=True):
        if theirs_by_ours.setdefault(one, other) != other:
            return f"a tie at {one} is none for them: {other} and {theirs_by_ours[one]}"
    values = [theirs_by_ours[one] for one in sorted(theirs_by_ours)]
    for low, high in pairwise(values):
        if not low < high:  # type: ignore[operator]
            return f"they do not put {low} below {high}"
    return ""


def by_phevaluator() -> Callable[[Hand], object]:
    evaluate_cards = pytest.importorskip("phevaluator").evaluate_cards
    return lambda hand: -evaluate_cards(*hand)


def by_eval7() -> Callable[[Hand], object]:
    eval7 = pytest.importorskip("eval7")
    cards = [eval7.Card(str(card)) for card in STANDARD_DECK]
    return lambda hand: eval7.evaluate([cards[card] for card in hand])


def by_treys() -> Callable[[Hand], object]:
    treys = pytest.importorskip("treys")
    cards = [treys.Card.new(str(card)) for card in STANDARD_DECK]
    evaluator = treys.Evaluator()
    return lambda hand: (
        -evaluator.evaluate([cards[card] for card in hand[2:]], [cards[card] for card in hand[:2]])
    )


def by_pokerkit() -> Callable[[Hand], object]:
    pokerkit = pytest.importorskip("pokerkit")
    return lambda hand: pokerkit.StandardHighHand.from_game("".join(str(CARDS[card]) for card in hand))


PEERS = {"phevaluator": by_phevaluator, "eval7": by_eval7, "treys": by_treys, "pokerkit": by_pokerkit}
SIZES = {"phevaluator": (5, 6, 7), "eval7": (5, 6, 7), "treys": (5, 6, 7), "pokerkit": (5, 6, 7)}


@pytest.mark.parametrize(("peer", "size"), [(peer, size) for peer in PEERS for size in SIZES[peer]])
def test_order_and_ties_are_those_of_our_peers(peer: str, size: int) -> None:
    hands = deals(200 if peer == "pokerkit" else 4_000, size)
    theirs = PEERS[peer]()
    assert disagreement(map(evaluate, hands), map(theirs, hands)) == ""


@pytest.mark.heavy
@pytest.mark.parametrize(("peer", "size"), [(peer, size) for peer in PEERS for size in SIZES[peer]])
def test_order_and_ties_are_those_of_our_peers_on_a_million_hands(peer: str, size: int) -> None:
    pytest.importorskip("numpy")
    theirs = PEERS[peer]()
    hands = deals(MANY, size)
    assert disagreement(strengths(hands).tolist(), map(theirs, hands)) == ""


def test_omaha_and_deuce_to_seven_agree_with_pokerkit() -> None:
    pokerkit = pytest.importorskip("pokerkit")

    def text(cards: Hand) -> str:
        return "".join(str(CARDS[card]) for card in cards)

    rows = deals(60, 9)
    theirs = [pokerkit.OmahaHoldemHand.from_game(text(row[:4]), text(row[4:])) for row in rows]
    assert disagreement([evaluate_omaha(row[:4], row[4:]) for row in rows], theirs) == ""
    rows = deals(200, 5)
    lows = [pokerkit.StandardLowHand.from_game(text(row)) for row in rows]
    assert disagreement([low_deuce_to_seven(row) for row in rows], lows) == ""


@pytest.mark.heavy
def test_a_million_omaha_hands_agree_with_phevaluator() -> None:
    pytest.importorskip("numpy")
    evaluate_omaha_cards = pytest.importorskip("phevaluator").evaluate_omaha_cards
    rows = deals(MANY, 9)
    ours = omaha_strengths([row[5:] for row in rows], [row[:5] for row in rows]).tolist()
    assert disagreement(ours, (-evaluate_omaha_cards(*row) for row in rows)) == ""


def rank_multisets(size: int) -> Iterable[tuple[int, ...]]:
    return (
        ranks
        for ranks in combinations_with_replacement(range(13), size)
        if all(ranks.count(rank) <= 4 for rank in set(ranks))
    )


def with_suits(ranks: Sequence[int], luck: random.Random) -> list[Card]:
    """Give cards of these ranks, of suits by chance but all different."""
    return [
        CARDS[4 * rank + suit]
        for rank in sorted(set(ranks))
        for suit in luck.sample(range(4), ranks.count(rank))
    ]


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_every_multiset_of_three_ranks_with_jokers_agrees_with_brute_force(jokers: int) -> None:
    luck = random.Random(jokers)
    for ranks in rank_multisets(3):
        hand = [*with_suits(ranks, luck), *CARDS[52 : 52 + jokers]]
        if jokers < 2 or luck.random() < 0.1:
            assert evaluate(hand) == reference_strength(hand), hand


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("size", "jokers"),
    [(s, 0) for s in range(1, 8)] + [(s, 1) for s in range(1, 7)] + [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2)],
)
def test_every_multiset_of_ranks_with_jokers_agrees_with_brute_force(size: int, jokers: int) -> None:
    pytest.importorskip("numpy")
    luck = random.Random(10 * size + jokers)
    hands = [
        [*map(int, with_suits(ranks, luck)), *range(52, 52 + jokers)]
        for ranks in rank_multisets(size)
        if jokers < 2 or size < 4 or luck.random() < 0.05
    ]
    ours = strengths(hands).tolist()
    for hand, strength in zip(hands, ours, strict=True):
        assert strength == reference_strength(hand) == evaluate(hand), hand


@pytest.mark.heavy
def test_all_2598960_five_card_hands_agree_with_the_reference() -> None:
    np = pytest.importorskip("numpy")
    from itertools import combinations, islice

    every = combinations(range(52), 5)
    while chunk := list(islice(every, 100_000)):
        ours = strengths(np.array(chunk, dtype=np.uint8)).tolist()
        assert ours == [reference_strength(hand) for hand in chunk]


@pytest.mark.heavy
def test_ten_thousand_omaha_hands_of_each_size_agree_with_brute_force() -> None:
    pytest.importorskip("numpy")
    for size in (4, 5, 6):
        rows = deals(10_000 if size == 4 else 3_000, 5 + size)
        ours = omaha_strengths([row[5:] for row in rows], [row[:5] for row in rows]).tolist()
        assert ours == [reference_omaha(row[5:], row[:5]) for row in rows]


def text_of(cards: Hand) -> str:
    return "".join(str(CARDS[card]) for card in cards)


def by_pokerkit_class(name: str) -> Callable[[Hand, Hand], object]:
    """Give pokerkit's hand of a class that takes hole cards and a board."""
    made = getattr(pytest.importorskip("pokerkit"), name)

    def value(hole: Hand, board: Hand) -> object:
        return made.from_game_or_none(text_of(hole), text_of(board))

    return value


BY_POKERKIT = [
    ("high", "StandardHighHand", 7, 0),
    ("omaha", "OmahaHoldemHand", 4, 5),
    ("greek", "GreekHoldemHand", 2, 5),
    ("short-deck", "ShortDeckHoldemHand", 2, 5),
    ("ace-to-five", "RegularLowHand", 7, 0),
    ("ace-to-five", "RegularLowHand", 5, 0),
    ("eight-or-better", "EightOrBetterLowHand", 7, 0),
    ("omaha-eight", "OmahaEightOrBetterLowHand", 4, 5),
    ("omaha-eight", "OmahaEightOrBetterLowHand", 6, 5),
    ("deuce-to-seven", "StandardLowHand", 5, 0),
    ("deuce-to-seven", "StandardLowHand", 7, 0),
    ("badugi", "BadugiHand", 4, 0),
    ("badugi", "BadugiHand", 5, 0),
    ("badugi-ace-high", "StandardBadugiHand", 5, 0),
    ("rhode-island", "RhodeIslandHoldemHand", 1, 2),
]
"""Ranking, pokerkit's class, hole cards, board cards. Its Leduc and Kuhn take three ranks: compared below."""


def rankings_disagree(ranking: str, peer: str, hole: int, board: int, count: int) -> str:
    ours, theirs = RANKINGS[ranking], by_pokerkit_class(peer)
    rows = deals(count, hole + board) if ours.lowest_rank == 0 else short_deals(count, hole + board)
    mine = [ours.strengths([tuple(row[:hole])], tuple(row[hole:]))[0] for row in rows]  # type: ignore[arg-type]
    other = [theirs(row[:hole], row[hole:]) for row in rows]
    assert [value == 0 for value in mine] == [value is None for value in other]
    kept = [pair for pair in zip(mine, other, strict=True) if pair[0]]
    return disagreement([one for one, _ in kept], [two for _, two in kept])


def short_deals(count: int, size: int) -> list[list[int]]:
    luck = random.Random(size)
    return [luck.sample(range(16, 52), size) for _ in range(count)]


@pytest.mark.parametrize(("ranking", "peer", "hole", "board"), BY_POKERKIT)
def test_every_ranking_has_the_order_and_ties_of_pokerkits(
    ranking: str, peer: str, hole: int, board: int
) -> None:
    assert rankings_disagree(ranking, peer, hole, board, 150) == ""


@pytest.mark.heavy
@pytest.mark.parametrize(("ranking", "peer", "hole", "board"), BY_POKERKIT)
def test_every_ranking_has_the_order_and_ties_of_pokerkits_on_a_hundred_thousand_hands(
    ranking: str, peer: str, hole: int, board: int
) -> None:
    assert rankings_disagree(ranking, peer, hole, board, 100_000) == ""


@pytest.mark.parametrize(
    ("ranking", "peer", "board"), [("leduc", "LeducHoldemHand", 1), ("kuhn", "KuhnPokerHand", 0)]
)
def test_leduc_and_kuhn_compare_two_seats_as_pokerkit_does(ranking: str, peer: str, board: int) -> None:
    ours, theirs = RANKINGS[ranking], by_pokerkit_class(peer)
    pack = [card for card in STANDARD_DECK if card.rank in (9, 10, 11) and card.suit < 2]
    for first, second, *shared in permutations(pack, 2 + board):
        one, two = ours.strengths([(first,), (second,)], tuple(shared))
        alike: Any = [theirs([card], shared) for card in (first, second)]
        assert (one > two, one == two) == (alike[0] > alike[1], alike[0] == alike[1])
