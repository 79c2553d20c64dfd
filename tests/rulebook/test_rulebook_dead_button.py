"""The dead button: who posts when players come and go (TDA 2024, rules 32 and 34)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.rules import Hand, Positions, Stakes, first_positions, next_positions

SIZE = 6
SIX = first_positions(range(6), SIZE)
"""Button 5, small blind 0, big blind 1."""


def after(positions: Positions, *tables: str) -> list[Positions]:
    """The positions of the following hands; each table is the seats that are ready."""
    seen = []
    for table in tables:
        positions = next_positions(positions, [int(seat) for seat in table], SIZE)
        seen.append(positions)
    return seen


def blinds(positions: Positions) -> tuple[int, int | None, int]:
    return positions.button, positions.small_blind, positions.big_blind


def test_the_first_hand_has_the_button_on_the_last_seat_and_the_blinds_left_of_it() -> None:
    assert blinds(SIX) == (5, 0, 1)
    assert blinds(first_positions([1, 2, 4], SIZE)) == (4, 1, 2)
    assert blinds(first_positions([1, 2, 4], SIZE, button=1)) == (1, 2, 4)
    assert blinds(first_positions([1, 4], SIZE)) == (4, 4, 1)


def test_with_everybody_there_button_and_blinds_move_one_seat_a_hand() -> None:
    seen = [blinds(hand) for hand in after(SIX, *["012345"] * 5)]
    assert seen == [(0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 0)]


def test_rule_32_when_the_big_blind_leaves_the_small_blind_is_dead_and_then_the_button() -> None:
    without = "02345"
    first, second, third = after(SIX, without, without, without)
    assert blinds(first) == (0, None, 2), "nobody owes the small blind that seat 1 would have owed"
    assert blinds(second) == (1, 2, 3), "the button is on the empty seat 1"
    assert blinds(third) == (2, 3, 4)


def test_rule_32_when_the_small_blind_leaves_the_button_is_dead() -> None:
    first, second = after(SIX, "12345", "12345")
    assert blinds(first) == (0, 1, 2)
    assert blinds(second) == (1, 2, 3)


def test_rule_32_when_the_button_leaves_nothing_is_dead() -> None:
    assert blinds(after(SIX, "01234")[0]) == (0, 1, 2)


def test_rule_32_when_the_next_big_blind_leaves_the_one_after_pays_it() -> None:
    assert [blinds(hand) for hand in after(SIX, "01345", "01345")] == [(0, 1, 3), (1, 3, 4)]


def test_rule_32_when_both_blinds_leave_the_small_blind_is_dead_and_the_button_too() -> None:
    assert [blinds(hand) for hand in after(SIX, "2345", "2345", "2345")] == [
        (0, None, 2),
        (1, 2, 3),
        (2, 3, 4),
    ]


def test_rule_34b_going_heads_up_nobody_pays_the_big_blind_twice_running() -> None:
    three = first_positions([0, 2, 4], SIZE)
    assert blinds(three) == (4, 0, 2)
    assert blinds(after(three, "02")[0]) == (2, 2, 0)
    assert blinds(after(three, "04")[0]) == (0, 0, 4)
    assert blinds(after(three, "24")[0]) == (2, 2, 4)


def test_heads_up_the_button_changes_every_hand() -> None:
    two = first_positions([1, 4], SIZE)
    assert [blinds(hand) for hand in after(two, "14", "14")] == [(1, 1, 4), (4, 4, 1)]


def test_a_third_player_left_of_the_big_blind_comes_in_on_it() -> None:
    two = first_positions([1, 4], SIZE)  # button 4, big blind 1
    (hand,) = after(two, "124")
    assert blinds(hand) == (4, 1, 2)
    assert hand.dealt == (1, 2, 4)


def test_a_third_player_between_big_blind_and_button_waits_a_hand_and_pays_the_big_blind() -> None:
    two = first_positions([1, 4], SIZE)
    first, second = after(two, "145", "145")
    assert blinds(first) == (1, 1, 4)
    assert first.dealt == (1, 4)
    assert blinds(second) == (1, 4, 5)
    assert second.dealt == (1, 4, 5)


def test_a_newcomer_between_the_button_and_the_big_blind_waits_until_the_button_has_passed() -> None:
    five = first_positions([0, 2, 3, 4, 5], SIZE)  # button 5, small blind 0, big blind 2
    first, second = after(five, "012345", "012345")
    assert 1 not in first.dealt, "seat 1 is between the button on 0 and the small blind on 2"
    assert blinds(first) == (0, 2, 3)
    assert 1 in second.dealt
    assert blinds(second) == (2, 3, 4)


def test_a_newcomer_beyond_the_big_blind_is_dealt_in_at_once() -> None:
    five = first_positions([0, 1, 2, 3, 5], SIZE)
    assert 4 in after(five, "012345")[0].dealt


def test_with_fewer_than_two_ready_there_is_no_hand() -> None:
    for ready in ([], [3]):
        with pytest.raises(TableRefusal, match="a hand needs at least 2") as refusal:
            next_positions(SIX, ready, SIZE)
        assert refusal.value.code == "not_enough_players"
        with pytest.raises(TableRefusal, match="a hand needs at least 2"):
            first_positions(ready, SIZE)


class TestHandsOfThesePositions:
    def hand(self, positions: Positions, seats: str) -> Hand:
        stacks = [100 if str(seat) in seats else 0 for seat in range(SIZE)]
        deck = Deck.seeded(5)
        return Hand(stacks, Stakes(1, 2), deck=deck, button=positions.button, positions=positions)

    def test_a_dead_small_blind_is_posted_by_nobody(self) -> None:
        (positions,) = after(SIX, "02345")
        hand = self.hand(positions, "02345")
        assert hand.bets == (0, 0, 2, 0, 0, 0)
        assert hand.to_act == (3, 4, 5, 0, 2)

    def test_with_a_dead_button_the_first_seat_left_of_it_still_opens_after_the_flop(self) -> None:
        _, positions = after(SIX, "02345", "02345")
        hand = self.hand(positions, "02345")
        assert positions.button == 1
        while hand.phase == "preflop":
            hand.check_or_call()
        assert hand.to_act == (2, 3, 4, 5, 0)

    def test_a_seat_that_waits_gets_no_cards(self) -> None:
        five = first_positions([0, 2, 3, 4, 5], SIZE)
        (positions,) = after(five, "012345")
        hand = self.hand(positions, "012345")
        assert hand.holes[1] == ()
        assert 1 not in hand.live

    def test_positions_of_another_button_are_refused(self) -> None:
        with pytest.raises(BadSpec, match="does not fit button 3"):
            Hand([100] * 6, Stakes(1, 2), deck=Deck.seeded(5), button=3, positions=SIX)

    def test_positions_whose_big_blind_has_no_chips_are_refused(self) -> None:
        with pytest.raises(BadSpec, match="does not fit"):
            Hand([100, 0, 100, 100, 100, 100], Stakes(1, 2), deck=Deck.seeded(5), button=5, positions=SIX)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, list[set[int]]]:
    size = draw(st.integers(2, 10))
    seats = st.sets(st.integers(0, size - 1), min_size=2)
    return size, draw(st.lists(seats, min_size=2, max_size=12))


@given(tables())
def test_whoever_comes_and_goes_the_positions_make_a_hand(table: tuple[int, list[set[int]]]) -> None:
    size, hands = table
    positions = first_positions(hands[0], size)
    for ready in hands[1:]:
        before = positions
        positions = next_positions(before, ready, size)
        assert set(positions.dealt) <= ready
        assert positions.dealt == tuple(sorted(positions.dealt))
        assert positions.big_blind in positions.dealt
        assert positions.big_blind != before.big_blind
        assert positions.button != positions.big_blind
        stayed = ready & set(before.dealt)
        assert stayed <= set(positions.dealt)
        if len(positions.dealt) == 2:
            assert positions.small_blind == positions.button
        else:
            assert positions.small_seat == before.big_blind, "who paid the big blind owes the small one"
            assert positions.small_seat != positions.button
        stacks = [9 if seat in ready else 0 for seat in range(size)]
        hand = Hand(stacks, Stakes(1, 2), deck=Deck.seeded(1), button=positions.button, positions=positions)
        assert sorted(hand.live) == list(positions.dealt)


@given(st.integers(2, 10), st.integers(0, 30))
def test_a_table_where_nobody_leaves_pays_every_blind_once_an_orbit(seats: int, extra: int) -> None:
    positions = first_positions(range(seats), seats)
    for _ in range(extra):
        positions = next_positions(positions, range(seats), seats)
    paid = []
    for _ in range(seats):
        paid.append((positions.button, positions.small_blind, positions.big_blind))
        positions = next_positions(positions, range(seats), seats)
    for column in zip(*paid, strict=True):
        assert sorted(seat for seat in column if seat is not None) == list(range(seats))


@given(st.sets(st.integers(0, 9), min_size=3), st.data())
def test_a_player_who_stays_never_waits_longer_for_the_big_blind_than_there_are_players(
    ready: set[int], data: st.DataObject
) -> None:
    """Whoever leaves, the big blind goes round: nobody is skipped and nobody pays twice an orbit."""
    positions = first_positions(ready, 10)
    staying = data.draw(st.sampled_from(sorted(ready)))
    paid = 0
    hands = 3 * len(ready)
    for _ in range(hands):
        others = sorted(ready - {staying})
        if len(others) > 1 and data.draw(st.booleans()):
            ready = ready - {data.draw(st.sampled_from(others))}
        positions = next_positions(positions, ready, 10)
        paid += positions.big_blind == staying
    assert paid >= 2


def test_newcomers_after_heads_up_are_both_dealt_in_when_the_button_has_left() -> None:
    heads_up = Positions(3, 3, 0, (0, 3))
    assert next_positions(heads_up, (0, 1, 2), 4) == Positions(3, 0, 1, (0, 1, 2))
