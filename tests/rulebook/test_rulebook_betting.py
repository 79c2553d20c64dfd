"""Bets and raises: what TDA 2024 rules 42 to 54 and 58 come to at our table."""

from __future__ import annotations

import pytest

from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import IllegalAction
from poker_actors.rules import GAMES, Fold, Game, Hand, Positions, RaiseTo, Stakes, parse_action

HOLDEM, LIMIT, OMAHA, STUD = (GAMES[name] for name in ("holdem", "limit-holdem", "omaha", "stud"))


def hand_of(stacks: list[int], stakes: Stakes, game: Game = HOLDEM, button: int = 0) -> Hand:
    return Hand(stacks, stakes, deck=Deck.seeded(7), game=game, button=button)


def play(hand: Hand, *turns: str) -> Hand:
    """Take turns written `SEAT ACTION`, and see that each is that seat's."""
    for turn in turns:
        seat, _, action = turn.partition(" ")
        assert hand.to_act[0] == int(seat)
        hand.act(parse_action(action))
    return hand


def to_the_flop(stacks: list[int], stakes: Stakes, game: Game = HOLDEM) -> Hand:
    hand = hand_of(stacks, stakes, game)
    while hand.phase == "preflop":
        hand.check_or_call()
    return hand


class TestRule43RaiseAmounts:
    def test_rule_43a_a_raise_is_at_least_the_largest_raise_of_the_street_not_the_whole_bet(self) -> None:
        hand = play(
            to_the_flop([9000] * 5, Stakes(100, 200)), "1 bet 600", "2 raise_to 1600", "3 raise_to 3600"
        )
        assert hand.legal.min_raise_to == 5600

    def test_rule_43a_a_short_all_in_leaves_the_size_of_the_next_raise_as_it_was(self) -> None:
        hand = play(hand_of([5000, 5000, 5000, 150, 5000], Stakes(50, 100)), "3 raise_to 150")
        assert hand.legal.min_raise_to == 250

    def test_rule_43a_a_bet_on_a_later_street_sets_the_size_anew(self) -> None:
        hand = play(to_the_flop([5000] * 4, Stakes(100, 200)), "1 bet 300", "2 raise_to 1000")
        assert hand.legal.min_raise_to == 1700

    def test_rule_43a_the_blind_and_two_raises_of_75_ask_for_75_and_one_of_300_for_300(self) -> None:
        hand = play(hand_of([5000] * 6, Stakes(25, 50)), "3 raise_to 125", "4 raise_to 200")
        assert hand.legal.min_raise_to == 275
        assert play(hand, "5 raise_to 500").legal.min_raise_to == 800

    def test_rule_43a_calls_do_not_change_what_a_raise_must_be(self) -> None:
        hand = play(hand_of([5000] * 6, Stakes(25, 50)), "3 raise_to 500", "4 call", "5 call")
        assert hand.legal.min_raise_to == 950

    def test_rule_43a_a_raise_below_the_minimum_is_refused_and_not_rounded(self) -> None:
        hand = play(hand_of([5000] * 6, Stakes(25, 50)), "3 raise_to 500")
        with pytest.raises(IllegalAction, match="raise_to 949 is below the minimum of 950"):
            hand.raise_to(949)
        assert hand.to_act[0] == 4

    def test_rule_43b_an_amount_raised_is_the_total_and_not_what_is_added(self) -> None:
        hand = play(to_the_flop([9000] * 3, Stakes(100, 200)), "1 bet 2000", "2 raise_to 8000")
        assert hand.bets == (0, 2000, 8000)


class TestRule47ReopeningTheBet:
    def test_rule_47a_a_short_all_in_does_not_reopen_the_betting(self) -> None:
        # Example 3-A of the addendum: A calls 4000, C is all-in for 7500, the big blind calls.
        hand = hand_of([90_000, 90_000, 90_000, 90_000, 90_000, 7500], Stakes(2000, 4000))
        play(hand, "3 call", "4 fold", "5 raise_to 7500", "0 fold", "1 fold")
        assert hand.legal.min_raise_to == 11_500, "the big blind has not acted yet"
        play(hand, "2 call")
        assert str(hand.legal) == "fold, call 3500"
        with pytest.raises(IllegalAction, match="no bet or raise is allowed here"):
            hand.raise_to(90_000)

    def test_rule_47a_a_full_raise_over_the_short_all_in_reopens_it(self) -> None:
        hand = hand_of([90_000, 90_000, 90_000, 90_000, 90_000, 7500], Stakes(2000, 4000))
        play(hand, "3 call", "4 fold", "5 raise_to 7500", "0 fold", "1 fold", "2 raise_to 11500")
        assert hand.legal.to_call == 7500
        assert hand.legal.can_raise

    def cumulative(self) -> Hand:
        """Example 1: A bets 100, B all-in 125, C calls, D all-in 200, E calls."""
        hand = to_the_flop([5000, 5000, 225, 5000, 300], Stakes(50, 100))
        return play(hand, "1 bet 100", "2 raise_to 125", "3 call", "4 raise_to 200", "0 call")

    def test_rule_47a_short_all_ins_that_add_up_to_a_full_raise_reopen_the_betting(self) -> None:
        assert self.cumulative().legal.min_raise_to == 300

    def test_rule_47a_they_reopen_it_only_to_those_who_face_a_full_raise(self) -> None:
        hand = play(self.cumulative(), "1 call")
        assert hand.to_act[0] == 3
        assert str(hand.legal) == "fold, call 75"

    def test_rule_47a_who_then_faces_more_than_a_full_raise_may_raise_again(self) -> None:
        hand = play(self.cumulative(), "1 raise_to 300")
        assert hand.to_act[0] == 3
        assert hand.legal.to_call == 175
        assert hand.legal.min_raise_to == 400

    def test_rule_47a_after_several_short_all_ins_the_last_full_bet_is_the_size_to_raise_by(self) -> None:
        # Example 2: 300, all-in 500, 650 and 800, a call: the next raise is to 1100.
        hand = to_the_flop([5000, 5000, 600, 750, 900, 5000], Stakes(50, 100))
        play(hand, "1 bet 300", "2 raise_to 500", "3 raise_to 650", "4 raise_to 800", "5 call")
        assert hand.legal.min_raise_to == 1100

    def test_rule_47a_a_short_all_in_bet_does_not_reopen_the_betting_to_who_checked(self) -> None:
        hand = play(
            to_the_flop([500, 500, 130, 500], Stakes(50, 100)), "1 check", "2 bet 30", "3 call", "0 call"
        )
        assert hand.to_act[0] == 1
        assert str(hand.legal) == "fold, call 30"

    def test_an_all_in_below_the_call_is_a_call(self) -> None:
        hand = play(hand_of([60, 500, 500], Stakes(50, 100)), "0 call")
        assert hand.bets[0] == 60
        assert hand.bet == 100
        assert hand.legal.to_call == 50

    def test_an_all_in_below_the_call_cannot_be_put_as_a_raise(self) -> None:
        hand = hand_of([60, 500, 500], Stakes(50, 100))
        with pytest.raises(IllegalAction):
            hand.raise_to(60)
        assert str(hand.legal.all_in) == "call"


class TestRule48NumberOfRaises:
    def test_rule_48_no_limit_and_pot_limit_have_no_cap(self) -> None:
        for game in (HOLDEM, OMAHA):
            hand = hand_of([10**9] * 2, Stakes(1, 2), game)
            for _ in range(20):
                hand.raise_to(hand.legal.min_raise_to)
            assert hand.legal.can_raise

    @pytest.mark.parametrize("seats", [2, 6])
    def test_rule_48_fixed_limit_is_capped_at_a_bet_and_three_raises_heads_up_too(self, seats: int) -> None:
        hand = hand_of([900] * seats, Stakes(5, 10), LIMIT)
        for total in (20, 30, 40):
            assert hand.legal.min_raise_to == hand.legal.max_raise_to == total
            hand.raise_to(total)
        assert not hand.legal.can_raise

    def test_rule_48_after_the_flop_the_cap_is_four_bets_of_the_street_too(self) -> None:
        hand = to_the_flop([900] * 2, Stakes(5, 10), LIMIT)
        for total in (10, 20, 30, 40):
            hand.raise_to(total)
        assert not hand.legal.can_raise


class TestFixedLimit:
    def test_bets_are_one_big_blind_before_and_on_the_flop_and_two_after(self) -> None:
        hand = hand_of([900] * 3, Stakes(5, 10), LIMIT)
        seen: dict[str, int] = {}
        while not hand.over:
            seen.setdefault(hand.phase, hand.legal.min_raise_to)
            hand.check_or_call()
        assert seen == {"preflop": 20, "flop": 10, "turn": 20, "river": 20}

    def test_rule_47b_an_all_in_of_less_than_half_a_bet_does_not_reopen_the_betting(self) -> None:
        hand = play(to_the_flop([900, 900, 24], Stakes(5, 10), LIMIT), "1 bet 10", "2 raise_to 14", "0 call")
        assert hand.to_act[0] == 1
        assert str(hand.legal) == "fold, call 4"

    def test_rule_47b_an_all_in_of_half_a_bet_reopens_it(self) -> None:
        hand = play(to_the_flop([900, 900, 25], Stakes(5, 10), LIMIT), "1 bet 10", "2 raise_to 15", "0 call")
        assert hand.to_act[0] == 1
        assert hand.legal.can_raise

    def test_less_than_half_a_bet_is_completed_and_half_a_bet_counts_as_one(self) -> None:
        short = play(to_the_flop([900, 900, 24], Stakes(5, 10), LIMIT), "1 bet 10", "2 raise_to 14")
        assert short.legal.min_raise_to == 20
        half = play(to_the_flop([900, 900, 25], Stakes(5, 10), LIMIT), "1 bet 10", "2 raise_to 15")
        assert half.legal.min_raise_to == 25

    def test_rule_47b_who_called_a_short_all_in_bet_must_face_half_a_bet_to_raise(self) -> None:
        hand = to_the_flop([900, 12, 900, 16], Stakes(5, 10), LIMIT)
        play(hand, "1 bet 2", "2 call", "3 raise_to 6", "0 call")
        assert str(hand.legal) == "fold, call 4"
        completed = to_the_flop([900, 12, 900, 900], Stakes(5, 10), LIMIT)
        play(completed, "1 bet 2", "2 call", "3 raise_to 10", "0 call")
        assert str(completed.legal) == "fold, call 8, raise_to 20"

    def test_rule_47b_it_is_the_same_one_bet_higher(self) -> None:
        hand = to_the_flop([900, 900, 24, 26, 900], Stakes(5, 10), LIMIT)
        play(hand, "1 bet 10", "2 raise_to 14", "3 raise_to 16", "4 call", "0 call")
        assert hand.legal.can_raise
        hand = to_the_flop([900, 900, 24, 900, 26], Stakes(5, 10), LIMIT)
        play(hand, "1 bet 10", "2 raise_to 14", "3 call", "4 raise_to 16", "0 call", "1 call")
        assert str(hand.legal) == "fold, call 2"

    def test_rule_47b_it_is_the_same_on_a_first_street_without_blinds(self) -> None:
        hand = hand_of([900, 3, 901, 7], Stakes(0, 0, ante=1, min_bet=10), LIMIT)
        play(hand, "1 bet 2", "2 call", "3 raise_to 6", "0 call")
        assert str(hand.legal) == "fold, call 4"

    @staticmethod
    def stud(*stacks: int) -> Hand:
        """Seat 0 opens both streets: with the deuce of clubs, then with a pair of them."""
        up = parse_cards("2c5s7s9d2dJhTh3h")
        down = parse_cards("KcQcKdQdKhQhKsQs")
        third = [card for seat in range(4) for card in (*down[2 * seat : 2 * seat + 2], up[seat])]
        dealt = [*third, *up[4:]]
        deck = Deck([*dealt, *[card for card in STUD.pack if card not in dealt]])
        return Hand(stacks, Stakes(0, 0, ante=1, bring_in=2, min_bet=10), deck=deck, game=STUD)

    def test_rule_47b_it_is_the_same_in_stud_once_the_bring_in_is_completed(self) -> None:
        hand = play(self.stud(17, 900, 15, 900), "0 bring in", "1 raise_to 10", "2 raise_to 14", "3 call")
        play(hand, "0 raise_to 16", "1 call")
        assert str(hand.legal) == "fold, call 2"

    def test_rule_47b_it_is_the_same_in_stud_on_fourth_street(self) -> None:
        hand = play(self.stud(5, 900, 9, 900), "0 bring in", "1 call", "2 call", "3 call")
        play(hand, "0 bet 2", "1 call", "2 raise_to 6", "3 call")
        assert str(hand.legal) == "fold, call 4"

    def test_completing_uses_up_one_bet_of_the_cap_and_the_short_all_in_none(self) -> None:
        hand = to_the_flop([900, 900, 14, 900], Stakes(5, 10), LIMIT)
        play(hand, "1 check", "2 bet 4", "3 raise_to 10", "0 raise_to 20", "1 raise_to 30")
        assert hand.legal.min_raise_to == 40

    def test_a_straddle_is_the_second_bet_and_raises_stay_one_bet(self) -> None:
        hand = hand_of([900] * 4, Stakes(5, 10, straddle=20), LIMIT)
        play(hand, "0 raise_to 30", "1 raise_to 40")
        assert not hand.legal.can_raise

    def test_a_straddle_of_any_other_size_is_refused(self) -> None:
        with pytest.raises(ValueError, match="straddle 25: in limit-holdem it is the second bet, 20"):
            hand_of([900] * 4, Stakes(5, 10, straddle=25), LIMIT)


class TestRule54PotLimit:
    def test_rule_54_the_most_is_the_pot_after_calling(self) -> None:
        hand = hand_of([9000] * 6, Stakes(100, 200), OMAHA)
        assert hand.legal.max_raise_to == 700
        play(hand, "3 raise_to 700")
        assert hand.legal.max_raise_to == 700 + 1000 + 700

    def test_rule_54_after_the_flop_the_most_is_the_pot(self) -> None:
        hand = to_the_flop([9000] * 3, Stakes(100, 200), OMAHA)
        assert hand.legal.max_raise_to == 600
        with pytest.raises(IllegalAction, match="bet 601 is above the maximum of 600"):
            hand.act(parse_action("bet 601"))

    def test_rule_54b_a_short_all_in_blind_counts_in_full(self) -> None:
        hand = hand_of([9000, 9000, 100, 9000], Stakes(100, 200), OMAHA)
        assert hand.bets == (0, 100, 100, 0)
        assert hand.legal.max_raise_to == 700

    def test_rule_54b_a_dead_small_blind_counts_in_full(self) -> None:
        seats = Positions(button=0, small_seat=1, big_blind=2, dealt=(0, 2, 3))
        hand = Hand([9000, 0, 9000, 9000], Stakes(100, 200), deck=Deck.seeded(7), game=OMAHA, positions=seats)
        assert hand.pot == 200
        assert hand.legal.max_raise_to == 700

    def test_rule_54b_a_raise_over_a_pot_bet_assumes_full_blinds_too(self) -> None:
        hand = play(hand_of([9000, 9000, 100, 9000], Stakes(100, 200), OMAHA), "3 raise_to 700")
        assert hand.legal.max_raise_to == 700 + (100 + 200 + 700) + 700

    def test_rule_54c_after_the_flop_the_pot_is_what_it_holds(self) -> None:
        hand = to_the_flop([9000, 9000, 100], Stakes(100, 200), OMAHA)
        assert hand.pot == 500
        assert hand.legal.max_raise_to == 500

    def test_an_all_in_below_the_pot_is_the_most(self) -> None:
        assert hand_of([300, 9000, 9000], Stakes(100, 200), OMAHA).legal.max_raise_to == 300


class TestTurns:
    def test_rule_50_actions_out_of_turn_have_no_way_in(self) -> None:
        hand = hand_of([500] * 4, Stakes(5, 10))
        assert not hand.view(0).legal
        assert Fold() not in hand.view(0).legal
        assert hand.view(3).legal

    def test_rule_58_a_fold_with_nothing_to_call_is_binding(self) -> None:
        hand = play(to_the_flop([500] * 3, Stakes(5, 10)), "1 fold")
        assert hand.live == (2, 0)

    def test_who_is_covered_by_all_others_all_in_may_call_and_not_raise(self) -> None:
        hand = play(hand_of([900, 100, 100], Stakes(5, 10)), "0 call", "1 raise_to 100", "2 call")
        assert hand.to_act == (0,)
        assert str(hand.legal) == "fold, call 90"
        with pytest.raises(IllegalAction, match="no bet or raise is allowed here"):
            hand.raise_to(190)

    def test_who_cannot_be_answered_any_more_is_not_asked(self) -> None:
        hand = play(hand_of([900, 40, 900], Stakes(5, 10)), "0 raise_to 100", "1 call", "2 fold")
        assert hand.over

    def test_the_big_blind_is_not_asked_when_all_others_are_all_in_for_no_more(self) -> None:
        hand = play(hand_of([8, 10, 900], Stakes(5, 10)), "0 call", "1 call")
        assert hand.over

    def test_a_call_is_never_above_what_the_last_seats_all_in_can_win(self) -> None:
        hand = play(hand_of([900, 3, 6], Stakes(5, 10)))
        assert str(hand.legal) == "fold, call 6"

    def test_a_short_big_blind_is_still_a_full_bet_to_call(self) -> None:
        hand = hand_of([900, 900, 6, 900], Stakes(5, 10))
        assert hand.legal.to_call == 10
        assert hand.legal.min_raise_to == 20

    def test_the_big_blind_may_raise_when_all_have_only_called(self) -> None:
        hand = play(hand_of([900] * 3, Stakes(5, 10)), "0 call", "1 call")
        assert str(hand.legal) == "fold, check, raise_to 20 to 900"
        assert RaiseTo(20) in hand.legal
