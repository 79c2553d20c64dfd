"""Laws that every evaluation obeys, whatever the cards."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.cards import CARDS, JOKERS, SHORT_DECK, STANDARD_DECK, Card
from poker_actors.evaluator import (
    RANKINGS,
    Ranking,
    category,
    describe,
    evaluate,
    evaluate_omaha,
    evaluate_short_deck,
    holdem_strengths,
    libpoker,
    low_ace_to_five,
    low_deuce_to_seven,
    made_hand,
)
from poker_actors.evaluator.equity import equity
from poker_actors.evaluator.fast import strengths
from poker_actors.evaluator.reference import reference_strength

decks = st.permutations(CARDS)
naturals = st.permutations(STANDARD_DECK)
sizes = st.integers(1, 9)
suits = st.permutations(range(4))


def renamed(cards: list[Card], suits: list[int]) -> list[Card]:
    return [card if card.is_joker else CARDS[4 * card.rank + suits[card.suit]] for card in cards]


@given(decks, sizes, st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(deck: list[Card], size: int, luck: object) -> None:
    hand = deck[:size]
    assert evaluate(hand) == evaluate(sorted(hand)) == evaluate(hand[::-1])


@given(decks, sizes, suits)
def test_renaming_suits_changes_nothing(deck: list[Card], size: int, suits: list[int]) -> None:
    assert evaluate(renamed(deck[:size], suits)) == evaluate(deck[:size])


@given(decks, st.integers(1, 8))
def test_one_more_card_never_hurts(deck: list[Card], size: int) -> None:
    assert evaluate(deck[: size + 1]) >= evaluate(deck[:size])


@given(naturals, st.integers(0, 8), st.integers(0, 1))
def test_a_joker_is_never_worse_than_any_card_and_as_good_as_one(
    deck: list[Card], size: int, others: int
) -> None:
    hand = [*deck[: max(0, size - others)], *JOKERS[:others]]
    free = deck[len(hand) - others :]
    with_joker = evaluate([*hand, JOKERS[1]])
    assert with_joker == max(evaluate([*hand, card]) for card in free)


@given(naturals, sizes)
def test_any_hand_is_as_strong_as_the_slow_obvious_way_says(deck: list[Card], size: int) -> None:
    assert evaluate(deck[:size]) == reference_strength(deck[:size])


@given(decks, sizes)
def test_the_cards_of_a_made_hand_alone_are_as_strong_and_have_words(deck: list[Card], size: int) -> None:
    made = made_hand(deck[:size])
    assert made.strength == evaluate(deck[:size])
    played = [*(card for card in made.cards if not card.is_joker), *made.stands_for]
    assert evaluate(played) == made.strength
    assert not set(made.stands_for) & set(deck[:size])
    assert describe(made.strength) == describe(evaluate(played))


@given(naturals)
def test_a_hand_of_seven_is_its_best_five(deck: list[Card]) -> None:
    from itertools import combinations

    assert evaluate(deck[:7]) == max(evaluate(five) for five in combinations(deck[:7], 5))


@given(naturals, st.integers(5, 9))
def test_libpoker_numbers_order_hands_as_strengths_do(deck: list[Card], size: int) -> None:
    first, second = deck[:size], deck[size : 2 * size]
    ours = evaluate(first) - evaluate(second)
    theirs = libpoker.evaluate(first) - libpoker.evaluate(second)
    assert (ours > 0, ours < 0) == (theirs > 0, theirs < 0)
    assert libpoker.evaluate(first) == libpoker.from_strength(evaluate(first))


@given(naturals, st.integers(4, 6))
def test_an_omaha_hand_is_never_stronger_than_its_cards_played_freely(deck: list[Card], size: int) -> None:
    hole, board = deck[:size], deck[size : size + 3]
    assert evaluate_omaha(hole, board) <= evaluate([*hole, *board])


@given(st.permutations(SHORT_DECK), suits)
def test_short_deck_hands_do_not_care_for_order_or_names_of_suits(deck: list[Card], suits: list[int]) -> None:
    hand = deck[:7]
    assert evaluate_short_deck(hand) == evaluate_short_deck(renamed(hand[::-1], suits))
    assert category(evaluate_short_deck(hand)) is not None


@given(naturals, st.integers(5, 8), suits)
def test_lows_do_not_care_for_order_and_one_more_card_never_hurts(
    deck: list[Card], size: int, suits: list[int]
) -> None:
    for function in (low_ace_to_five, low_deuce_to_seven):
        hand = deck[:size]
        assert function(hand) == function(renamed(hand[::-1], suits))
        assert function(deck[: size + 1]) >= function(hand)


@given(naturals, st.integers(1, 10))
def test_a_showdown_is_its_seats_one_by_one(deck: list[Card], seats: int) -> None:
    board = tuple(deck[:5])
    holes = [(deck[5 + 2 * seat], deck[6 + 2 * seat]) for seat in range(seats)]
    assert holdem_strengths(holes, board) == [evaluate((*hole, *board)) for hole in holes]


@given(st.lists(decks, min_size=1, max_size=5), sizes)
def test_an_array_is_its_hands_one_by_one(rows: list[list[Card]], size: int) -> None:
    hands = [deck[:size] for deck in rows]
    assert list(strengths(hands)) == [evaluate(hand) for hand in hands]


@given(naturals, st.integers(2, 4), st.integers(3, 5), suits)
@settings(max_examples=8, deadline=None)
def test_equities_add_up_and_do_not_care_for_names_of_suits(
    deck: list[Card], players: int, lying: int, suits: list[int]
) -> None:
    board = deck[:lying]
    hands = [deck[5 + 2 * seat : 7 + 2 * seat] for seat in range(players)]
    result = equity(hands, board)
    assert abs(sum(player.share for player in result.players) - 1) < 1e-12
    again = equity([renamed(hand, suits) for hand in hands], renamed(board, suits))
    assert [player.share for player in again.players] == [player.share for player in result.players]


rankings = st.sampled_from(list(RANKINGS.values()))


def dealt(ranking: Ranking, deck: list[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Give a hand and a board of the most cards that this ranking takes, of its pack."""
    pack = [card for card in deck if card.rank >= ranking.lowest_rank]
    hole = min(ranking.hole[1], ranking.total[1])
    board = min(ranking.board[1], ranking.total[1] - hole)
    return tuple(pack[:hole]), tuple(pack[hole : hole + board])


@given(rankings, naturals, suits)
def test_no_ranking_looks_at_the_order_of_cards_or_the_names_of_suits(
    ranking: Ranking, deck: list[Card], suits: list[int]
) -> None:
    hole, board = dealt(ranking, deck)
    strength = ranking.evaluate(hole, board)
    assert ranking.evaluate(hole[::-1], board[::-1]) == strength
    assert ranking.evaluate(renamed([*hole], suits), renamed([*board], suits)) == strength


@given(rankings, naturals)
def test_the_cards_shown_for_a_hand_are_among_its_cards_and_its_words_are_said(
    ranking: Ranking, deck: list[Card]
) -> None:
    hole, board = dealt(ranking, deck)
    strength, shown = ranking.evaluate(hole, board), ranking.cards(hole, board)
    assert {*shown} <= {*hole, *board}
    assert bool(shown) == bool(strength), "0 is not a hand, such as no low"
    assert ranking.words(strength)


@given(st.sampled_from(["high", "ace-to-five", "deuce-to-seven", "badugi", "badugi-ace-high"]), naturals)
def test_one_more_card_never_hurts_a_low(name: str, deck: list[Card]) -> None:
    ranking = RANKINGS[name]
    most = min(ranking.hole[1], ranking.total[1])
    more, fewer = ranking.evaluate(deck[:most]), ranking.evaluate(deck[: most - 1])
    assert more is not None
    assert fewer is not None
    assert more >= fewer
