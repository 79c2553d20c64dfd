"""What cash tables add: rake, run it twice, bomb pots. The TDA rules say nothing of them: house rules."""

from __future__ import annotations

from typing import Any

import pytest

from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, Hand, Positions, Stakes
from poker_actors.rules.cash import CashHand, CashOptions, HandOptions, Rake
from poker_actors.rules.event import Acted, Awarded, Post, Posted, Raked, RunDealt, Shown, StreetDealt

ROYAL = "AcKcQcJcTc"
"""On the board: every live seat ties."""
HOLES = ["2d2h", "3d3h", "4d4h", "5d5h"]


def dealt(stacks: list[int], board: str, options: HandOptions, **settings: Any) -> CashHand:
    holes = settings.pop("holes", HOLES)[: len(stacks)]
    stakes = settings.pop("stakes", Stakes(5, 10))
    return CashHand(stacks, stakes, deck=Deck.stacked(holes, board), options=options, **settings)


def called_down(hand: Hand) -> Hand:
    while not hand.over:
        hand.check_or_call()
    return hand


def of(hand: Hand, kind: type) -> list[Any]:
    return [event for event in hand.events() if isinstance(event, kind)]


class TestRake:
    def test_the_house_takes_its_part_of_the_pot_rounded_down_before_it_is_shared(self) -> None:
        hand = called_down(dealt([500] * 3, ROYAL, HandOptions(Rake(500)), stakes=Stakes(5, 13)))
        assert hand.rake == 39 * 5 // 100 == 1
        assert sum(hand.payoffs) == -1
        assert [(award.seat, award.amount) for award in of(hand, Awarded)] == [(1, 13), (2, 13), (0, 12)]
        assert of(hand, Raked) == [Raked(0, 1)]

    def test_it_takes_no_more_than_the_cap_in_a_hand(self) -> None:
        hand = dealt([500] * 2, ROYAL, HandOptions(Rake(500, 3)))
        hand.raise_to(500)
        hand.check_or_call()
        assert (hand.over, hand.rake, hand.payoffs) == (True, 3, (-2, -1))

    def test_no_flop_no_drop(self) -> None:
        hand = dealt([500] * 2, ROYAL, HandOptions(Rake(500)))
        hand.raise_to(200)
        hand.fold()
        assert (hand.rake, hand.payoffs) == (0, (10, -10))
        hand = dealt([500] * 2, ROYAL, HandOptions(Rake(500, no_flop_no_drop=False)))
        hand.raise_to(200)
        hand.fold()
        assert (hand.rake, hand.payoffs) == (1, (9, -10))

    def test_a_pot_won_by_a_bet_after_the_flop_is_raked_without_the_bet(self) -> None:
        hand = dealt([500] * 2, ROYAL, HandOptions(Rake(1000)))
        hand.check_or_call()
        hand.check_or_call()
        hand.raise_to(100)
        hand.fold()
        assert (hand.rake, hand.payoffs) == (2, (-10, 8))

    def test_each_pot_is_raked_on_its_own_the_main_pot_first_until_the_cap_is_reached(self) -> None:
        stacks = [30, 70, 200, 200]
        for cap, expected in ((0, [6, 6, 13]), (10, [6, 4, 0]), (5, [5, 0, 0])):
            hand = dealt(stacks, "2c3c4c9hTh", HandOptions(Rake(500, cap)))
            for _ in range(4):
                action = hand.legal.all_in
                assert action is not None
                hand.act(action)
                if hand.over:
                    break
            assert hand.over
            assert [raked.amount for raked in of(hand, Raked)] == [chips for chips in expected if chips]
            assert hand.rake == sum(expected)
            assert sum(hand.payoffs) == -hand.rake

    def test_what_only_one_seat_can_win_is_not_raked(self) -> None:
        hand = called_down(dealt([3, 500], ROYAL, HandOptions(Rake(1000)), stakes=Stakes(0, 0, ante=20)))
        assert of(hand, Raked) == []
        assert hand.payoffs == (0, 0)

    def test_everybody_sees_the_rake_once_the_hand_is_over_and_the_pot_is_paid_out(self) -> None:
        hand = dealt([500] * 2, ROYAL, HandOptions(Rake(500)))
        assert (hand.public().rake, hand.public().pot) == (0, 15)
        called_down(hand)
        assert (hand.public().rake, hand.public().pot, hand.pot) == (1, 0, 0)

    @pytest.mark.parametrize("text", ["", "5", "5%/", "-1%", "5%/-3", "5.123%", "100%", "5%/x", "5 %"])
    def test_what_is_no_rake_is_refused(self, text: str) -> None:
        with pytest.raises(BadSpec):
            Rake.parse(text)

    @pytest.mark.parametrize("text", ["5%", "2.5%", "5%/3", "0.25%/100", "10%"])
    def test_a_rake_prints_as_it_is_read(self, text: str) -> None:
        assert str(Rake.parse(text)) == text
        assert Rake.parse(str(Rake.parse(text))) == Rake.parse(text)


class TestRunItTwice:
    def test_the_rest_of_the_board_comes_twice_from_one_deck_and_each_board_wins_half(self) -> None:
        # aces win the first board, and a deuce on the second one makes three of a kind
        hand = dealt([100] * 2, "9c8h4sKdJh" + "9d8d4h2c3s", HandOptions(boards=2), holes=["2d2h", "AsAh"])
        hand.raise_to(100)
        hand.check_or_call()
        first, second = parse_cards("9c8h4sKdJh"), parse_cards("9d8d4h2c3s")
        assert hand.boards == hand.public().boards == (first, second)
        assert hand.board == hand.public().board == first
        assert hand.payoffs == (0, 0)
        assert of(hand, Awarded) == [Awarded(0, 1, 100, 0), Awarded(0, 0, 100, 1)]
        assert [(run.board, run.street) for run in of(hand, RunDealt)] == [
            (1, "flop"),
            (1, "turn"),
            (1, "river"),
        ]
        assert len(of(hand, StreetDealt)) == 3
        assert len(of(hand, Shown)) == 2

    def test_what_lay_when_the_betting_ended_belongs_to_every_board(self) -> None:
        hand = dealt([100] * 2, "9c8h4sKdJh" + "Qd3s" + "Tc6h", HandOptions(boards=3))
        hand.check_or_call()
        hand.check_or_call()
        hand.raise_to(90)
        hand.check_or_call()
        assert [board[:3] for board in hand.boards] == [parse_cards("9c8h4s")] * 3
        assert [board[3:] for board in hand.boards] == [parse_cards(two) for two in ("KdJh", "Qd3s", "Tc6h")]
        again = [(news.board, news.street, news.cards) for news in of(hand, RunDealt)]
        assert again == [
            (number, street, parse_cards(card))
            for number, cards in ((1, ("Qd", "3s")), (2, ("Tc", "6h")))
            for street, card in zip(("turn", "river"), cards, strict=True)
        ]

    def test_odd_chips_go_to_the_first_boards_and_there_to_the_first_seats_left_of_the_button(self) -> None:
        hand = dealt([33, 33, 33], ROYAL, HandOptions(boards=2), stakes=Stakes(1, 2))
        hand.raise_to(33)
        hand.check_or_call()
        hand.check_or_call()
        boards = hand.boards
        assert len(boards) == 2
        first = [award.amount for award in of(hand, Awarded) if award.board == 0]
        second = [award.amount for award in of(hand, Awarded) if award.board == 1]
        assert (first, sum(second)) == ([17, 17, 16], 49)

    def test_side_pots_are_split_over_the_boards_each_on_its_own(self) -> None:
        hand = dealt([41, 90, 200], "9c8h7sKdJh" + "Tc6hAhAd2s", HandOptions(boards=2))
        hand.raise_to(41)
        hand.raise_to(90)
        hand.check_or_call()
        awards = of(hand, Awarded)
        assert sorted({(award.pot, award.board) for award in awards}) == [(0, 0), (0, 1), (1, 0), (1, 1)]
        main = [sum(a.amount for a in awards if (a.pot, a.board) == (0, board)) for board in (0, 1)]
        assert main == [62, 61]

    def test_one_player_who_declined_and_is_in_the_hand_is_enough_to_run_it_once(self) -> None:
        for declined, boards in (((), 2), ((0,), 1), ((1,), 1), ((2,), 2)):
            hand = dealt([100] * 3, ROYAL, HandOptions(boards=2, declined=declined), button=1)
            hand.check_or_call()
            hand.check_or_call()
            hand.check_or_call()
            hand.fold()  # seat 2
            hand.raise_to(90)
            hand.check_or_call()
            assert len(hand.boards) == boards

    def test_a_board_that_is_complete_or_a_hand_that_is_bet_out_runs_once(self) -> None:
        hand = dealt([100] * 2, ROYAL, HandOptions(boards=2))
        for _ in range(6):
            hand.check_or_call()
        hand.raise_to(90)
        hand.check_or_call()
        assert len(hand.boards) == len(hand.public().boards) == 1
        assert len(called_down(dealt([100] * 2, ROYAL, HandOptions(boards=2))).boards) == 1

    def test_as_often_as_the_deck_has_cards_for(self) -> None:
        omaha = GAMES["omaha"]
        deck = Deck.seeded(1, omaha.pack)
        hand = CashHand([100] * 10, Stakes(50, 100), deck=deck, options=HandOptions(boards=3), game=omaha)
        called_down(hand)
        # 40 cards in hands and 5 on the board leave 7: enough for one more board
        assert (len(hand.boards), len(hand.cards)) == (2, 52)
        assert len({card for board in hand.boards for card in board}) == 10

    def test_the_rake_is_taken_once_before_the_pot_is_split_over_the_boards(self) -> None:
        hand = dealt([100] * 2, ROYAL, HandOptions(Rake(500), boards=2))
        hand.raise_to(100)
        hand.check_or_call()
        assert hand.rake == 10
        assert sum(award.amount for award in of(hand, Awarded)) == 190


class TestBombPot:
    def test_everybody_antes_and_the_hand_begins_on_the_flop_left_of_the_button(self) -> None:
        hand = dealt([500] * 4, ROYAL, HandOptions(bomb_pot=50), button=1)
        assert of(hand, Posted) == [Posted(seat, Post.ANTE, 50) for seat in (2, 3, 0, 1)]
        assert (hand.phase, hand.pot, hand.to_act, hand.bet) == ("flop", 200, (2, 3, 0, 1), 0)
        assert hand.legal.min_raise_to == 10
        assert of(hand, Acted) == []

    def test_an_ante_above_the_stack_is_posted_all_in(self) -> None:
        hand = called_down(dealt([30, 500, 500], ROYAL, HandOptions(bomb_pot=50)))
        assert [pot for pot in (0, 1) if any(award.pot == pot for award in of(hand, Awarded))] == [0, 1]
        assert hand.payoffs == (0, 0, 0)

    def test_with_all_stacks_in_the_ante_the_board_is_run_out(self) -> None:
        hand = dealt([30, 30], "9c8h4sKdJh" + "9d8d4h2c3s", HandOptions(bomb_pot=50, boards=2))
        assert hand.over
        assert len(hand.boards) == 2

    def test_a_game_that_begins_on_the_flop_has_its_bets_there_and_its_rake(self) -> None:
        game = GAMES["double-board-holdem"]
        options = HandOptions(Rake(1000), bomb_pot=50)
        hand = Hand([500] * 3, game.stakes, deck=Deck.seeded(1), game=game, options=options)
        assert (hand.phase, list(hand.to_act)) == ("flop", [1, 2, 0])
        hand.raise_to(100)
        hand.fold()
        hand.fold()
        assert hand.rake == 15

    def test_it_is_raked_as_a_hand_with_a_flop(self) -> None:
        hand = dealt([500] * 2, ROYAL, HandOptions(Rake(500), bomb_pot=50))
        hand.fold()
        assert hand.rake == 5

    def test_only_those_dealt_in_ante(self) -> None:
        hand = CashHand(
            [500] * 4,
            Stakes(5, 10),
            deck=Deck.seeded(1),
            options=HandOptions(bomb_pot=50),
            positions=Positions(0, 1, 3, (0, 1, 3)),
        )
        assert [post.seat for post in of(hand, Posted)] == [1, 3, 0]

    def test_every_so_many_hands_counted_from_the_first(self) -> None:
        options = CashOptions(bomb_pot=20, bomb_every=3)
        assert [options.of_hand(number) is not None for number in range(7)] == [False, False, True] * 2 + [
            False
        ]
        assert options.of_hand(0, bomb=True) == HandOptions(bomb_pot=20)

    def test_games_without_a_board_have_none(self) -> None:
        game = GAMES["five-card"]
        for options in (HandOptions(bomb_pot=5), HandOptions(boards=2)):
            with pytest.raises(BadSpec, match="five-card has no board"):
                CashHand([100] * 2, Stakes(0, 0), deck=Deck.seeded(1), options=options, game=game)
        with pytest.raises(BadSpec, match="needs an ante"):
            CashOptions(bomb_every=3)
        with pytest.raises(BadSpec, match="an ante, but none is set"):
            CashOptions(boards=2).of_hand(0, bomb=True)


def test_options_are_numbers_in_a_journal_and_come_back() -> None:
    for options in (
        CashOptions(Rake(250, 3, no_flop_no_drop=False), 20, 7, 2),
        CashOptions(boards=3),
        CashOptions(bomb_pot=5),
    ):
        assert CashOptions.unpacked(options.packed()) == options
        one = options.of_hand(6, bomb=options.bomb_pot > 0, declined={4, 1})
        assert one is not None
        assert HandOptions.unpacked(one.packed()) == one
    assert HandOptions.unpacked(()) is None
    assert CashOptions.unpacked(()) is None
    assert CashOptions().of_hand(3) is None
    assert (
        str(CashOptions(Rake(500, 3), 20, 10, 2)) == "rake 5%/3, bomb pot 20 every 10 hands, run it 2 times"
    )
