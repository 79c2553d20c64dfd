"""Actions, stakes and games as people type them, and what is refused."""

from __future__ import annotations

import pickle

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, DuplicateCard, IllegalAction
from poker_actors.native import is_compiled
from poker_actors.rules import (
    GAMES,
    HOLDEM,
    Action,
    Bet,
    Call,
    Check,
    Fold,
    Hand,
    RaiseTo,
    Stakes,
    game_named,
    parse_action,
    stacks_by_seat,
)

actions = st.one_of(
    st.sampled_from([Fold(), Check(), Call()]),
    st.builds(Bet, st.integers(0, 10**18 - 1)),
    st.builds(RaiseTo, st.integers(0, 10**18 - 1)),
)


@given(actions)
def test_an_action_parses_back_from_what_it_prints(action: Action) -> None:
    assert parse_action(str(action)) == action
    assert parse_action(f"  {str(action).upper()} ") == action
    assert pickle.loads(pickle.dumps(action)) == action
    assert hash(parse_action(str(action))) == hash(action)


def test_raise_to_may_be_typed_as_two_words() -> None:
    assert parse_action("raise to 60") == RaiseTo(60)


@pytest.mark.parametrize(
    "text",
    ["", "raise", "bet", "bet -1", "bet 1.5", "raise_to x", "fold 3", "check!", "bet 1" + "0" * 18],
)
def test_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(
        IllegalAction, match="is not an action: use fold, check, call, bet N or raise_to N"
    ) as refusal:
        parse_action(text)
    assert refusal.value.code == "illegal_action"


def test_an_action_does_not_change() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        RaiseTo(60).total = 70  # type: ignore[misc]  # frozen on purpose


@pytest.mark.parametrize(
    ("text", "blinds"), [("1/2", (1, 2)), (" 50/100 ", (50, 100)), ("0/1", (0, 1)), ("5/5", (5, 5))]
)
def test_stakes_are_typed_as_blinds(text: str, blinds: tuple[int, int]) -> None:
    stakes = Stakes.parse(text)
    assert (stakes.small_blind, stakes.big_blind) == blinds
    assert stakes.min_bet == blinds[1]
    assert Stakes.parse(str(stakes)) == stakes


@pytest.mark.parametrize("text", ["2", "", "1/2/3", "a/b", "1.5/3", "-1/2", "2/", "9" * 16 + "/1"])
def test_text_that_is_no_blinds_is_refused(text: str) -> None:
    with pytest.raises(BadSpec, match="are not SMALL/BIG, such as 1/2"):
        Stakes.parse(text)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"small_blind": 3}, "small blind 3 is above the big blind 2"),
        ({"ante": -1}, "ante is -1: the minimum is 0"),
        ({"big_blind": 2.0}, "big_blind is 2.0: chips must be whole numbers"),
        ({"big_blind": True}, "big_blind is True: chips must be whole numbers"),
        ({"straddle": 3}, "straddle 3 is below twice the big blind 2"),
    ],
)
def test_stakes_that_cannot_be_are_refused(fields: dict[str, int], text: str) -> None:
    with pytest.raises(BadSpec) as refusal:
        Stakes(**fields)
    assert str(refusal.value) == text


def test_blinds_of_nothing_are_refused_as_text_and_allowed_as_values() -> None:
    with pytest.raises(BadSpec, match="the big blind is 0: the minimum is 1"):
        Stakes.parse("0/0")
    assert Stakes(0, 0).min_bet == 1


@pytest.mark.parametrize(
    ("text", "chips"),
    [("200", 200), (" 100bb ", 1000), ("0", 0), ("9" * 15, 10**15 - 1)]
    + [(text, None) for text in ("", "bb", "-5", "1.5", "5 bb", "x", "9" * 16)],
)
def test_an_amount_is_typed_in_chips_or_big_blinds(text: str, chips: int | None) -> None:
    assert Stakes(5, 10).chips(text) == chips


def test_an_amount_has_no_more_digits_than_asked_for() -> None:
    assert Stakes(5, 10).chips("999bb", digits=3) == 9990
    assert Stakes(5, 10).chips("1000", digits=3) is None


def test_one_stack_is_everybodys_and_several_are_by_seat() -> None:
    assert stacks_by_seat([70], 3) == (70, 70, 70)
    assert stacks_by_seat([1, 2, 10**12], 3) == (1, 2, 10**12)


@pytest.mark.parametrize(
    ("stacks", "text"),
    [
        ([], "0 stacks for 3 seats: give one for all or one per seat"),
        ([1, 2], "2 stacks for 3 seats: give one for all or one per seat"),
        ([0], "a stack is 0: the minimum is 1"),
        ([1, 2, 10**12 + 1], "a stack is 1000000000001: the maximum is 1000000000000"),
    ],
)
def test_stacks_that_cannot_be_are_refused(stacks: list[int], text: str) -> None:
    with pytest.raises(BadSpec) as refusal:
        stacks_by_seat(stacks, 3)
    assert str(refusal.value) == text


def test_stakes_print_what_is_forced() -> None:
    assert (
        str(Stakes(5, 10, ante=1, big_blind_ante=10, straddle=20))
        == "5/10 ante 1 big blind ante 10 straddle 20"
    )


def test_a_game_is_found_by_name_and_a_wrong_name_shows_the_nearest() -> None:
    assert game_named("holdem") is HOLDEM
    with pytest.raises(BadSpec, match="did you mean omaha"):
        game_named("omahaa")
    assert [str(game) for game in GAMES.values()] == list(GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_a_game_travels_to_other_processes(game: object) -> None:
    assert pickle.loads(pickle.dumps(game)) == game


_CHECKED_HERE = pytest.mark.skipif(is_compiled(), reason="compiled code refuses the type itself: TypeError")


class TestHandsThatCannotBe:
    def refused(self, stacks: list[int], text: str, button: int = 0) -> None:
        with pytest.raises(BadSpec) as refusal:
            Hand(stacks, Stakes(1, 2), deck=Deck.seeded(1), button=button)
        assert str(refusal.value) == text

    def test_a_hand_has_2_to_10_seats(self) -> None:
        self.refused([100], "1 seats: holdem seats 2 to 10")
        self.refused([100] * 11, "11 seats: holdem seats 2 to 10")

    def test_a_hand_needs_two_stacks(self) -> None:
        self.refused([0, 100, 0], "stacks (0, 100, 0): a hand needs at least 2 seats with chips")

    def test_stacks_are_whole_and_not_negative(self) -> None:
        self.refused([100, -1], "the stack of seat 1 is -1: the minimum is 0")
        self.refused([100, 1.5], "the stack of seat 1 is 1.5: chips must be whole numbers")  # type: ignore[list-item]

    @pytest.mark.parametrize(
        "button", [-1, 2, pytest.param(None, marks=_CHECKED_HERE), pytest.param(0.0, marks=_CHECKED_HERE)]
    )
    def test_the_button_is_a_seat(self, button: int) -> None:
        self.refused([100, 100], f"button {button!r} is not a seat: seats are 0 to 1", button)

    def test_a_deck_with_too_few_cards_is_refused(self) -> None:
        deck = Deck.seeded(1)
        deck.draw(45)
        with pytest.raises(BadSpec, match="cannot draw 9 cards: 7 are left"):
            Hand([100] * 2, Stakes(1, 2), deck=deck)

    def test_a_deck_of_another_pack_is_refused_before_the_first_card(self) -> None:
        with pytest.raises(BadSpec, match="is not in the pack of short-deck"):
            Hand([100] * 6, Stakes(1, 2), deck=Deck.seeded(2), game=GAMES["short-deck"])
        Hand([100] * 6, Stakes(1, 2), deck=Deck.seeded(2, GAMES["short-deck"].pack), game=HOLDEM)

    def test_a_deck_that_deals_a_card_twice_is_refused(self) -> None:
        ace = HOLDEM.pack[-1]
        with pytest.raises(DuplicateCard, match="the deck deals As twice"):
            Hand([100] * 2, Stakes(1, 2), deck=Deck([ace] * 20))


@pytest.mark.parametrize("text", ["all in", "all-in", "ALL_IN"])
def test_all_in_is_answered_with_where_it_is(text: str) -> None:
    with pytest.raises(IllegalAction, match=r"not a separate action: use legal\.all_in"):
        parse_action(text)
