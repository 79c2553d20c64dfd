"""Antes, blinds and straddles: who owes what, and what a short stack posts."""

from __future__ import annotations

import pytest

from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.rules import Event, Hand, Stakes
from poker_actors.rules.event import Post, Posted

BOARD = "2c3d5h8c9s"
"""Pairs in the hole decide on it."""


def hand_of(stacks: list[int], stakes: Stakes, button: int = 0) -> Hand:
    return Hand(stacks, stakes, deck=Deck.seeded(3), button=button)


def ranked(stacks: list[int], stakes: Stakes, button: int = 0) -> Hand:
    """A hand in which seat 0 has aces, seat 1 kings, and so on down."""
    holes = ["AsAd", "KsKd", "QsQd", "JsJd", "TsTd"][: len(stacks)]
    return Hand(stacks, stakes, deck=Deck.stacked(holes, BOARD), button=button)


def posts(hand: Hand) -> list[tuple[int, Post, int]]:
    return [(event.seat, event.kind, event.amount) for event in hand.events() if isinstance(event, Posted)]


def called_down(hand: Hand) -> Hand:
    while not hand.over:
        hand.check_or_call()
    return hand


class TestHeadsUp:
    def test_rule_34b_the_button_posts_small_acts_first_before_the_flop_and_last_after(self) -> None:
        hand = hand_of([100, 100], Stakes(1, 2), button=1)
        assert posts(hand) == [(1, Post.SMALL_BLIND, 1), (0, Post.BIG_BLIND, 2)]
        assert hand.to_act == (1, 0)
        hand.check_or_call()
        hand.check_or_call()
        assert hand.phase == "flop"
        assert hand.to_act == (0, 1)

    def test_rule_34b_a_table_with_two_players_left_is_heads_up_wherever_they_sit(self) -> None:
        hand = hand_of([0, 100, 0, 0, 100], Stakes(1, 2), button=4)
        assert posts(hand) == [(4, Post.SMALL_BLIND, 1), (1, Post.BIG_BLIND, 2)]
        assert hand.to_act == (4, 1)


class TestBlinds:
    def test_blinds_fall_left_of_the_button_and_the_seat_after_them_opens(self) -> None:
        hand = hand_of([100] * 5, Stakes(1, 2), button=3)
        assert posts(hand) == [(4, Post.SMALL_BLIND, 1), (0, Post.BIG_BLIND, 2)]
        assert hand.to_act == (1, 2, 3, 4, 0)

    def test_after_the_flop_the_first_live_seat_left_of_the_button_opens(self) -> None:
        hand = hand_of([100] * 4, Stakes(1, 2), button=0)
        hand.check_or_call()
        hand.check_or_call()
        hand.fold()
        hand.check_or_call()
        assert hand.to_act == (2, 3, 0)

    @pytest.mark.parametrize(("stack", "posted"), [(1, 1), (6, 6), (10, 10)])
    def test_a_big_blind_that_a_stack_cannot_cover_is_posted_all_in(self, stack: int, posted: int) -> None:
        hand = hand_of([500, 500, stack], Stakes(5, 10))
        assert posts(hand)[1] == (2, Post.BIG_BLIND, posted)
        assert 2 not in hand.to_act
        assert hand.bet == 10

    def test_a_small_blind_that_a_stack_cannot_cover_is_posted_all_in_and_plays_for_the_main_pot(
        self,
    ) -> None:
        hand = called_down(ranked([500, 500, 500, 3], Stakes(5, 10), button=2))
        assert hand.payoffs == (23, -10, -10, -3)
        hand = called_down(Hand([3, 500, 500], Stakes(5, 10), deck=ranked_deck(3), button=2))
        assert hand.payoffs == (6, 4, -10), "the short stack wins three chips of each, the rest is a side pot"

    def test_two_stacks_that_the_blinds_put_all_in_play_without_a_decision(self) -> None:
        hand = ranked([4, 7], Stakes(5, 10), button=0)
        assert hand.over
        assert hand.payoffs == (4, -4)

    def test_the_part_of_a_small_blind_above_a_short_big_blind_goes_back_when_all_others_fold(self) -> None:
        hand = ranked([500, 500, 4], Stakes(5, 10))
        hand.fold()
        assert hand.over, "nobody can answer the small blind"
        assert hand.payoffs == (0, 4, -4)

    def test_a_small_blind_below_a_short_big_blind_calls_what_is_missing(self) -> None:
        hand = ranked([500, 500, 6], Stakes(5, 10))
        hand.fold()
        assert str(hand.legal) == "fold, call 1"


def ranked_deck(seats: int) -> Deck:
    return Deck.stacked(["AsAd", "KsKd", "QsQd", "JsJd"][:seats], BOARD)


class TestAntes:
    def test_every_player_antes_before_the_blinds(self) -> None:
        hand = hand_of([100] * 3, Stakes(5, 10, ante=1))
        kinds = [kind for _, kind, _ in posts(hand)]
        assert kinds == [Post.ANTE] * 3 + [Post.SMALL_BLIND, Post.BIG_BLIND]
        assert hand.pot == 18

    def test_an_ante_is_no_part_of_the_bet(self) -> None:
        hand = hand_of([100] * 3, Stakes(5, 10, ante=1))
        assert hand.bets == (0, 5, 10)
        assert hand.legal.to_call == 10

    def test_a_stack_that_only_covers_the_ante_plays_for_the_antes(self) -> None:
        hand = called_down(ranked([4, 100, 100], Stakes(5, 10, ante=4), button=2))
        assert hand.payoffs == (8, 10 - 4, -14)

    def test_an_ante_that_a_stack_cannot_cover_is_posted_all_in_and_wins_as_much_of_each(self) -> None:
        hand = called_down(ranked([3, 100, 100], Stakes(5, 10, ante=4), button=2))
        assert hand.payoffs == (6, 2 + 10 - 4, -14)

    def test_rp_11_the_big_blind_antes_for_the_table_after_its_blind(self) -> None:
        hand = hand_of([100] * 4, Stakes(5, 10, big_blind_ante=10))
        assert posts(hand)[1:] == [(2, Post.BIG_BLIND, 10), (2, Post.BIG_BLIND_ANTE, 10)]
        assert hand.bets == (0, 5, 10, 0)
        assert hand.pot == 25

    @pytest.mark.parametrize(("stack", "blind", "ante"), [(8, 8, 0), (10, 10, 0), (14, 10, 4), (20, 10, 10)])
    def test_rp_11_of_a_short_stack_the_blind_comes_first(self, stack: int, blind: int, ante: int) -> None:
        hand = hand_of([100, 100, stack, 100], Stakes(5, 10, big_blind_ante=10))
        assert hand.bets[2] == blind
        assert hand.dead == ((2, ante),) if ante else hand.pot == 5 + blind

    def test_the_big_blinds_ante_belongs_to_the_main_pot_whoever_wins_it(self) -> None:
        hand = called_down(ranked([6, 100, 100, 100], Stakes(5, 10, big_blind_ante=10), button=1))
        # seats 2 and 3 post; seat 0 is all-in for 6 and wins 4 x 6 and the ante of 10
        assert hand.payoffs[0] == 3 * 6 + 10
        assert hand.payoffs[3] == -20


class TestStraddle:
    def test_the_straddle_is_posted_left_of_the_big_blind_and_acts_last(self) -> None:
        hand = hand_of([500] * 5, Stakes(5, 10, straddle=20))
        assert posts(hand)[-1] == (3, Post.STRADDLE, 20)
        assert hand.to_act == (4, 0, 1, 2, 3)
        assert hand.legal.to_call == 20

    def test_the_straddle_is_the_size_of_the_first_raise(self) -> None:
        assert hand_of([500] * 5, Stakes(5, 10, straddle=20)).legal.min_raise_to == 40

    def test_who_has_straddled_may_raise_when_all_have_only_called(self) -> None:
        hand = hand_of([500] * 4, Stakes(5, 10, straddle=20))
        for _ in range(3):
            hand.check_or_call()
        assert hand.to_act == (3,)
        assert hand.legal.can_check
        assert hand.legal.can_raise

    def test_heads_up_the_button_straddles_on_top_of_its_small_blind(self) -> None:
        hand = hand_of([500, 500], Stakes(5, 10, straddle=20), button=0)
        assert posts(hand)[-1] == (0, Post.STRADDLE, 15)
        assert hand.bets == (20, 10)
        assert hand.to_act == (1, 0)

    def test_three_handed_the_button_straddles(self) -> None:
        hand = hand_of([500] * 3, Stakes(5, 10, straddle=20))
        assert hand.bets == (20, 5, 10)
        assert hand.to_act == (1, 2, 0)

    def test_a_straddle_that_a_stack_cannot_cover_is_posted_all_in_and_the_bet_stays_whole(self) -> None:
        hand = hand_of([500, 500, 500, 13], Stakes(5, 10, straddle=20))
        assert hand.bets[3] == 13
        assert hand.bet == 20

    def test_a_straddle_below_twice_the_big_blind_is_refused(self) -> None:
        with pytest.raises(BadSpec, match="straddle 19 is below twice the big blind 10"):
            Stakes(5, 10, straddle=19)


def test_every_post_is_heard_before_the_first_card() -> None:
    heard: list[Event] = []
    Hand([100] * 3, Stakes(5, 10, ante=1), deck=Deck.seeded(3), listener=heard.append)
    names = [type(event).__name__ for event in heard]
    assert names == ["HandStarted"] + ["Posted"] * 5 + ["HoleDealt"] * 3
