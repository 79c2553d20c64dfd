"""Main pot, side pots, odd chips, and bets that nobody called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cards import Deck
from poker_actors.rules import Hand, Pot, Stakes
from poker_actors.rules.event import Awarded, Post, Posted, UncalledReturned
from poker_actors.rules.settlement import Claim, award_pots, layer_pots, seats_that_show, split_pot

LIBPOKER = json.loads((Path(__file__).parent / "libpoker_pots.json").read_text(encoding="utf-8"))
BOARD = "AcKcQcJcTc"
"""A royal flush on the board: every live seat ties."""


def tied(stacks: list[int], stakes: Stakes, button: int) -> Hand:
    holes = ["2d2h", "3d3h", "4d4h", "5d5h", "6d6h"][: len(stacks)]
    return Hand(stacks, stakes, deck=Deck.stacked(holes, BOARD), button=button)


def awards(hand: Hand) -> list[tuple[int, int, int]]:
    return [(event.pot, event.seat, event.amount) for event in hand.events() if isinstance(event, Awarded)]


class TestRule20OddChips:
    def test_rule_20a_of_two_winners_the_one_nearer_the_left_of_the_button_gets_the_odd_chip(self) -> None:
        for button in range(4):
            hand = tied([100] * 4, Stakes(1, 2), button)
            folding = (button + 1) % 4  # the small blind gives up one chip
            while not hand.over:
                if hand.to_act[0] == folding or (hand.phase == "preflop" and hand.to_act[0] == button):
                    hand.fold()
                else:
                    hand.check_or_call()
            first = (button + 2) % 4
            assert hand.payoffs[first] == 1
            assert sorted(hand.payoffs) == [-1, 0, 0, 1]

    def test_rule_20a_two_odd_chips_go_one_each_to_the_first_two_seats(self) -> None:
        assert split_pot(11, [4, 0, 2]) == [(4, 4), (0, 4), (2, 3)]

    def test_rule_21_each_side_pot_is_split_separately_with_odd_chips_of_its_own(self) -> None:
        # The small blind folds 1 chip: the main pot is 3 x 3 + 1 and the side pot 2 x 4.
        hand = tied([7, 3, 9, 100], Stakes(1, 2), button=2)
        hand.raise_to(3)
        hand.raise_to(7)
        hand.fold()
        hand.check_or_call()
        assert awards(hand) == [(0, 0, 4), (0, 1, 3), (0, 2, 3), (1, 0, 4), (1, 2, 4)]

    def test_where_there_are_fewer_chips_than_winners_the_others_are_awarded_none(self) -> None:
        tie = [[Claim("", {0: 7, 1: 7, 2: 7})]]
        (awarded,) = award_pots([Pot(2, (2, 0, 1))], [0], tie, lambda winners, board, claim: winners)
        assert [(one.seat, one.amount) for one in awarded] == [(2, 1), (0, 1)]

    def test_the_suits_of_stud_are_asked_for_odd_chips_alone(self) -> None:
        tie = [[Claim("", {0: 7, 1: 7})]]
        awarded = award_pots(
            [Pot(4, (0, 1)), Pot(5, (0, 1))], [0, 0], tie, lambda winners, board, claim: winners[::-1]
        )
        assert [[(one.seat, one.amount) for one in pot] for pot in awarded] == [
            [(0, 2), (1, 2)],
            [(1, 3), (0, 2)],
        ]

    def test_the_worst_hand_of_a_game_wins_and_shows_unless_the_share_asks_for_more(self) -> None:
        for qualifier, seats in ((False, (0, 1)), (True, ())):
            claim = Claim("", {0: 0, 1: 0}, qualifier)
            assert tuple(claim.winners([0, 1])) == seats_that_show([0, 1], [[claim]]) == seats

    def test_a_split_shares_all_of_it_and_differs_by_one_chip_at_most(self) -> None:
        for amount in range(60):
            for winners in range(1, 8):
                shares = [share for _, share in split_pot(amount, list(range(winners)))]
                assert sum(shares) == amount
                assert max(shares) - min(shares) <= 1
                assert shares == sorted(shares, reverse=True)


class TestRule21SidePots:
    def test_rule_21_a_side_pot_begins_where_a_live_seat_is_all_in(self) -> None:
        assert layer_pots([10, 30, 30, 20], [0, 1, 2, 3], all_in=[0, 3]) == [
            Pot(40, (0, 1, 2, 3)),
            Pot(30, (1, 2, 3)),
            Pot(20, (1, 2)),
        ]

    def test_folded_chips_make_no_pot_of_their_own(self) -> None:
        assert layer_pots([10, 30, 30, 17], [0, 1, 2], all_in=[0]) == [Pot(40, (0, 1, 2)), Pot(47, (1, 2))]

    def test_folded_chips_above_every_live_seat_belong_to_the_last_pot(self) -> None:
        assert layer_pots([10, 25, 40], [0, 1], all_in=[0, 1]) == [Pot(30, (0, 1)), Pot(45, (1,))]
        assert layer_pots([10, 20, 30, 45], [0, 1, 2], all_in=[0, 1, 2]) == [
            Pot(40, (0, 1, 2)),
            Pot(30, (1, 2)),
            Pot(35, (2,)),
        ]

    def test_dead_chips_belong_to_the_main_pot(self) -> None:
        assert layer_pots([10, 30, 30], [0, 1, 2], all_in=[0], dead=9) == [
            Pot(39, (0, 1, 2)),
            Pot(40, (1, 2)),
        ]

    def test_where_nothing_is_put_in_there_is_no_pot(self) -> None:
        assert layer_pots([0, 0], [0, 1], all_in=[]) == []

    def test_dead_chips_are_the_main_pot_where_there_is_nothing_else(self) -> None:
        assert layer_pots([0, 0, 0], [2, 0], all_in=[], dead=9) == [Pot(9, (2, 0))]

    def test_who_is_all_in_with_dead_chips_alone_competes_for_the_dead_chips_alone(self) -> None:
        """As for the big blind's ante posted first (Card Player, 9 October 2019): "he can only win" the antes."""
        assert layer_pots([0, 30, 30], [0, 1, 2], all_in=[0], dead=9) == [Pot(9, (0, 1, 2)), Pot(60, (1, 2))]
        assert layer_pots([0, 10, 30], [0, 1, 2], all_in=[0, 1], dead=9) == [
            Pot(9, (0, 1, 2)),
            Pot(20, (1, 2)),
            Pot(20, (2,)),
        ]
        assert layer_pots([0, 0], [0, 1], all_in=[0, 1], dead=9) == [Pot(9, (0, 1))]
        assert layer_pots([0, 30, 30], [0, 1, 2], all_in=[0]) == [Pot(60, (1, 2))]

    def test_who_got_chips_back_is_not_all_in_and_loses_no_ante_that_was_larger(self) -> None:
        posts = [Posted(0, Post.ANTE, 4), Posted(1, Post.SMALL_BLIND, 1), Posted(0, Post.BIG_BLIND, 2)]
        deck = Deck.stacked(["KsKd", "AsAd"], "2c3d5h8c9s")
        hand = Hand([100, 100], Stakes(1, 2), deck=deck, posts=posts)
        hand.raise_to(100)
        hand.check_or_call()
        assert awards(hand) == [(0, 1, 196)]
        assert hand.stacks == (0, 200)

    def test_the_best_hand_all_in_for_less_wins_the_main_pot_and_the_next_the_side_pot(self) -> None:
        deck = Deck.stacked(["AsAd", "KsKd", "QsQd"], "2c3d5h8c9s")
        hand = Hand([50, 200, 200], Stakes(5, 10), deck=deck, button=0)
        hand.raise_to(50)
        hand.raise_to(200)
        hand.check_or_call()
        assert awards(hand) == [(0, 0, 150), (1, 1, 300)]
        assert hand.payoffs == (100, 100, -200)

    def test_once_they_are_paid_pots_are_as_traces_have_them(self) -> None:
        """What is left to divide by what each is down: nobody looks at it, but the hash of a room's state."""
        hand = Hand([50, 200, 200], Stakes(5, 10), deck=Deck.stacked(["AsAd", "KsKd", "QsQd"], "2c3d5h8c9s"))
        hand.raise_to(50)
        hand.check_or_call()
        hand.check_or_call()
        hand.raise_to(50)
        while not hand.over:
            hand.check_or_call()
        assert hand.payoffs == (100, 0, -100)
        assert hand.pots == [Pot(-200, (1, 2, 0)), Pot(300, (1, 2))]

    @pytest.mark.parametrize("row", LIBPOKER, ids=range(len(LIBPOKER)))
    def test_the_side_pots_of_libpoker_come_out_the_same_after_every_bet(self, row: dict[str, Any]) -> None:
        """A bet is the seat's total on the street, capped at its stack; pots hold what lies in front too."""
        stacks = {int(seat): stack for seat, stack in row["stacks"].items()}
        put_in = dict.fromkeys([0, *stacks], 0)
        for betting in row["rounds"]:
            before = dict(put_in)
            for (seat, total), pots in zip(betting["bets"], betting["pots_after"], strict=True):
                put_in[seat] = min(stacks[seat], before[seat] + total)
                all_in = [seat for seat in stacks if put_in[seat] == stacks[seat]]
                laid = layer_pots(list(put_in.values()), list(stacks), all_in)
                assert pots is None or [pot.amount for pot in laid] == pots

    def test_blinds_and_bets_still_to_be_called_are_one_pot(self) -> None:
        hand = Hand([100] * 4, Stakes(1, 2), deck=Deck.seeded(1))
        hand.raise_to(20)
        assert hand.pots == [Pot(23, (1, 2, 3, 0))]


class TestUncalledBets:
    def test_rule_15b_a_bet_that_nobody_calls_goes_back_before_the_pot_is_pushed(self) -> None:
        hand = Hand([500] * 3, Stakes(5, 10), deck=Deck.seeded(1))
        hand.raise_to(60)
        hand.fold()
        hand.fold()
        tail = hand.events()[-3:]
        assert tail[0] == UncalledReturned(0, 50)
        assert tail[1] == Awarded(0, 0, 25)
        assert hand.payoffs == (15, -5, -10)

    def test_the_part_of_a_bet_above_every_call_goes_back_before_the_showdown(self) -> None:
        deck = Deck.stacked(["2s3d", "KsKd"], "4c5d7h8c9s")
        hand = Hand([500, 120], Stakes(5, 10), deck=deck, button=0)
        hand.raise_to(500)
        hand.check_or_call()
        names = [type(event).__name__ for event in hand.events()]
        assert UncalledReturned(0, 380) in hand.events()
        assert names.index("UncalledReturned") < names.index("Shown")
        assert hand.payoffs == (-120, 120)

    def test_the_big_blind_that_everybody_folds_to_keeps_what_nobody_matched(self) -> None:
        hand = Hand([500] * 3, Stakes(5, 10), deck=Deck.seeded(1))
        hand.fold()
        hand.fold()
        assert hand.payoffs == (0, -5, 5)
        assert UncalledReturned(2, 5) in hand.events()

    def test_a_bet_into_no_blinds_comes_back_whole_and_no_pot_is_awarded(self) -> None:
        hand = Hand([500] * 2, Stakes(0, 0), deck=Deck.seeded(1))
        hand.raise_to(10)
        hand.fold()
        assert hand.payoffs == (0, 0)
        assert awards(hand) == []

    def test_a_called_bet_is_not_returned(self) -> None:
        hand = Hand([500] * 2, Stakes(5, 10), deck=Deck.seeded(1))
        while not hand.over:
            hand.check_or_call()
        assert not [event for event in hand.events() if isinstance(event, UncalledReturned)]
