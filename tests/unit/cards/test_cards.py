"""54 cards: text, numbers, order, pickles, and what is not a card."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import CARDS, JOKERS, RANKS, SHORT_DECK, STANDARD_DECK, SUITS, Card, parse_cards
from poker_actors.errors import BadCard, BadInput, DuplicateCard

hands = st.lists(st.sampled_from(CARDS[:53]), unique=True)


def test_there_are_54_cards_of_which_two_are_jokers() -> None:
    assert len(CARDS) == 54
    assert len(STANDARD_DECK) == 52
    assert [str(card) for card in JOKERS] == ["Xn", "Yn"]
    assert [str(card) for card in STANDARD_DECK] == [rank + suit for rank in RANKS for suit in SUITS]
    assert (str(SHORT_DECK[0]), str(SHORT_DECK[-1]), len(SHORT_DECK)) == ("6c", "As", 36)


def test_a_card_is_one_object_however_it_is_named() -> None:
    for card in CARDS:
        assert Card(str(card)) is card
        assert Card(int(card)) is card
        assert Card(card) is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is copy.copy(card) is card
        assert eval(repr(card)) is card  # the printed form is Python
        assert f"{card}" == str(card)


def test_a_card_is_a_number_that_indexes_a_table() -> None:
    table = list(range(54))
    for card in CARDS:
        assert table[card] == card == 4 * card.rank + card.suit
        if not card.is_joker:
            assert RANKS[card.rank] + SUITS[card.suit] == str(card)
        assert card.is_joker == (card in JOKERS)


def test_cards_sort_by_rank_then_suit_and_jokers_last() -> None:
    assert " ".join(map(str, sorted(parse_cards("Xn As 2s Td 2c")))) == "2c 2s Td As Xn"


WRONG = ["10c", "1s", "as", "AS", "A", "", "Asd", "Zs", "Ax", "A s", "X", "xn", " As", "\u2660A"]


@pytest.mark.parametrize("text", WRONG)
def test_text_that_is_no_card_is_refused_and_repeated_in_the_error(text: str) -> None:
    with pytest.raises(BadCard, match="is not a card") as refusal:
        Card(text)
    assert repr(text) in str(refusal.value)
    assert refusal.value.code == "bad_card"
    assert isinstance(refusal.value, BadInput | ValueError)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("value", [-1, 54, 10**30, None, 2.5, [], {}, b"As"])
def test_what_is_not_a_card_number_is_refused(value: object) -> None:
    with pytest.raises(BadCard, match="a card number is 0 to 53"):
        Card(value)  # type: ignore[arg-type]  # nonsense on purpose


def test_a_long_wrong_text_is_cut_in_the_error() -> None:
    with pytest.raises(BadCard) as refusal:
        Card("x" * 10_000)
    assert len(str(refusal.value)) < 200


@given(hands, st.sampled_from(["", " ", ",", ", ", "\n", " , "]))
def test_cards_parse_back_from_what_they_print(hand: list[Card], separator: str) -> None:
    assert parse_cards(separator.join(map(str, hand))) == tuple(hand)
    assert parse_cards(hand) == tuple(hand)
    assert parse_cards(map(str, hand)) == tuple(hand)
    assert parse_cards(map(int, hand)) == tuple(hand)


@given(hands.filter(bool), st.data())
def test_a_card_given_twice_is_refused_and_named(hand: list[Card], data: st.DataObject) -> None:
    again = data.draw(st.sampled_from(hand))
    if again == 52:
        return  # the second Xn is the second joker
    place = data.draw(st.integers(0, len(hand)))
    with pytest.raises(DuplicateCard, match=f"{again} is given twice"):
        parse_cards([*hand[:place], again, *hand[place:]])


def test_a_second_joker_is_the_other_one_and_a_third_is_refused() -> None:
    assert parse_cards("Xn Xn") == JOKERS
    assert parse_cards("XnYn") == JOKERS
    with pytest.raises(DuplicateCard, match="a third joker"):
        parse_cards("Xn Xn Xn")


@pytest.mark.parametrize("text", ["10c", "1s", "As Kd 10c", "AsK", "A s"])
def test_a_list_with_a_wrong_card_is_refused(text: str) -> None:
    with pytest.raises(BadCard):
        parse_cards(text)


def test_no_text_is_no_cards() -> None:
    assert parse_cards("") == parse_cards("  ") == parse_cards([]) == ()


@given(st.text(max_size=8))
def test_any_text_is_cards_or_is_refused(text: str) -> None:
    try:
        cards = parse_cards(text)
    except (BadCard, DuplicateCard):
        return
    assert parse_cards(" ".join(map(str, cards))) == cards
