"""Who shows, in which order, who mucks, and what nobody ever sees."""

from __future__ import annotations

from poker_actors.cards import Card, Deck
from poker_actors.rules import GAMES, Hand, Stakes
from poker_actors.rules.event import Mucked, Shown, StreetDealt

BOARD = "2c3d5h8c9s"


def hand_of(holes: list[str], stacks: list[int] | None = None, button: int = 0) -> Hand:
    stacks = stacks or [500] * len(holes)
    return Hand(stacks, Stakes(5, 10), deck=Deck.stacked(holes, BOARD), button=button)


def check_to_the_river(hand: Hand) -> Hand:
    while hand.phase != "river":
        hand.check_or_call()
    return hand


def ending(hand: Hand) -> list[tuple[str, int]]:
    seen = [event for event in hand.events() if isinstance(event, Shown | Mucked)]
    return [(type(event).__name__, event.seat) for event in seen]


class TestRule17ShowdownOrder:
    def test_rule_17a_the_last_to_bet_on_the_river_shows_first(self) -> None:
        hand = check_to_the_river(hand_of(["AsAd", "KsKd", "QsQd"]))
        hand.check_or_call()
        hand.raise_to(20)
        hand.check_or_call()
        hand.check_or_call()
        assert ending(hand) == [("Shown", 2), ("Shown", 0), ("Mucked", 1)]

    def test_rule_17a_of_a_bet_and_a_raise_the_raiser_shows_first(self) -> None:
        hand = check_to_the_river(hand_of(["AsAd", "KsKd", "QsQd"]))
        hand.raise_to(20)
        hand.raise_to(40)
        hand.fold()
        hand.check_or_call()
        assert ending(hand) == [("Shown", 2), ("Shown", 1)]

    def test_rule_17a_without_a_bet_on_the_river_the_first_seat_left_of_the_button_shows_first(self) -> None:
        for button, order in ((0, [1, 2, 0]), (1, [2, 0, 1]), (2, [0, 1, 2])):
            hand = check_to_the_river(hand_of(["AsAd", "AcAh", "KsKd"], button=button))
            while not hand.over:
                hand.check_or_call()
            assert [seat for _, seat in ending(hand)] == order

    def test_rule_17a_a_bet_on_an_earlier_street_does_not_matter(self) -> None:
        hand = hand_of(["AsAd", "KsKd", "QsQd"])
        hand.raise_to(30)
        while not hand.over:
            hand.check_or_call()
        assert ending(hand) == [("Shown", 1), ("Mucked", 2), ("Shown", 0)]

    def test_a_seat_that_ties_with_what_it_sees_shows(self) -> None:
        hand = check_to_the_river(hand_of(["AsKd", "AdKs", "QsJd"], button=2))
        while not hand.over:
            hand.check_or_call()
        assert ending(hand) == [("Shown", 0), ("Shown", 1), ("Mucked", 2)]

    def test_a_beaten_hand_is_mucked_and_its_cards_are_in_no_event_and_no_view(self) -> None:
        hand = check_to_the_river(hand_of(["AsAd", "KsKd", "QsQd"], button=2))
        while not hand.over:
            hand.check_or_call()
        mucked = {Card("Ks"), Card("Kd"), Card("Qs"), Card("Qd")}
        assert [seat for seat, _ in hand.public().shown] == [0]
        assert not mucked & {
            card for event in hand.events() if isinstance(event, Shown) for card in event.cards
        }
        assert "Kd" not in repr(hand.view(0))

    def test_rule_17b_who_is_left_alone_wins_without_showing(self) -> None:
        hand = hand_of(["AsAd", "KsKd", "QsQd"])
        hand.raise_to(30)
        hand.fold()
        hand.fold()
        assert ending(hand) == []
        assert hand.public().shown == ()
        assert hand.board == ()
        assert (hand.claims, hand.shown_seats()) == ((), ()), "nobody has come to a showdown"


class TestRule16FaceUpForAllIns:
    def test_rule_16_everybody_shows_when_somebody_is_all_in_the_beaten_too(self) -> None:
        hand = hand_of(["QsQd", "KsKd", "AsAd"], [500, 40, 500])
        hand.raise_to(60)
        hand.check_or_call()
        hand.check_or_call()
        while not hand.over:
            hand.check_or_call()
        assert sorted(ending(hand)) == [("Shown", 0), ("Shown", 1), ("Shown", 2)]
        assert sorted(seat for seat, _ in hand.public().shown) == [0, 1, 2]

    def test_rule_16_cards_are_turned_up_before_the_rest_of_the_board_when_betting_is_over(self) -> None:
        hand = hand_of(["QsQd", "KsKd"])
        hand.check_or_call()
        hand.check_or_call()
        hand.raise_to(490)
        hand.check_or_call()
        kinds = [type(event) for event in hand.events() if isinstance(event, Shown | StreetDealt)]
        assert kinds == [StreetDealt, Shown, Shown, StreetDealt, StreetDealt]

    def test_rule_16_who_is_all_in_on_the_river_is_turned_up_at_the_showdown(self) -> None:
        hand = check_to_the_river(hand_of(["AsAd", "KsKd", "QsQd"]))
        hand.raise_to(490)
        hand.check_or_call()
        hand.fold()
        assert ending(hand) == [("Shown", 1), ("Shown", 2)], "kings show, and the queens that they beat"

    def test_rule_16_they_stay_down_while_two_others_can_still_bet(self) -> None:
        # Example 3 of the addendum: the short stack is all-in before the flop, the others bet on.
        hand = hand_of(["QsQd", "KsKd", "AsAd"], [70, 500, 500])
        hand.raise_to(70)
        hand.check_or_call()
        hand.check_or_call()
        for _ in range(3):
            assert hand.public().shown == ()
            hand.check_or_call()
            hand.check_or_call()
        kinds = [type(event) for event in hand.events() if isinstance(event, Shown | StreetDealt)]
        assert kinds == [StreetDealt] * 3 + [Shown] * 3

    def test_rule_16_two_stacks_all_in_by_the_blinds_are_turned_up_before_the_flop(self) -> None:
        hand = hand_of(["QsQd", "KsKd"], [3, 8])
        kinds = [type(event) for event in hand.events() if isinstance(event, Shown | StreetDealt)]
        assert kinds == [Shown, Shown, StreetDealt, StreetDealt, StreetDealt]

    def test_rule_16_each_hand_is_turned_up_once(self) -> None:
        for total in range(20, 501, 60):
            hand = hand_of(["QsQd", "KsKd", "AsAd"], [500, 200, 500])
            hand.raise_to(total)
            while not hand.over:
                hand.check_or_call()
            assert len(ending(hand)) == 3


class TestRule12CardsSpeak:
    def test_rule_12_the_best_five_of_seven_win(self) -> None:
        hand = Hand([100] * 2, Stakes(1, 2), deck=Deck.stacked(["2s7d", "AsKd"], "AcKcQcJcTc"))
        while not hand.over:
            hand.check_or_call()
        assert hand.payoffs == (0, 0), "rule 19: both play the board"

    def test_in_omaha_exactly_two_hole_cards_play_with_exactly_three_of_the_board(self) -> None:
        # Four spades on the board and one in the hand make no flush; two fours make no quads.
        holes = ["As4c4d9h", "KhKdQc3d"]
        hand = Hand(
            [100] * 2, Stakes(1, 2), deck=Deck.stacked(holes, "2s5s8sJs4h"), game=GAMES["omaha"], button=0
        )
        while not hand.over:
            hand.check_or_call()
        assert hand.payoffs == (2, -2), "three fours beat kings"
        assert hand.strengths is not None
        flush = Hand(
            [100] * 2,
            Stakes(1, 2),
            deck=Deck.stacked(["As4c4d9h", "KsQsQc3d"], "2s5s8sJs4h"),
            game=GAMES["omaha"],
        )
        while not flush.over:
            flush.check_or_call()
        assert flush.payoffs == (-2, 2), (
            "two spades with three of the board are a flush, the lone ace is none"
        )

    def short_deck(self, first: str, second: str, board: str) -> tuple[int, ...]:
        game = GAMES["short-deck"]
        deck = Deck.stacked([first, second], board, cards=game.pack)
        hand = Hand([100] * 2, Stakes(1, 2), deck=deck, game=game)
        while not hand.over:
            hand.check_or_call()
        return hand.payoffs

    def test_in_short_deck_a_flush_beats_a_full_house(self) -> None:
        assert self.short_deck("AsKs", "9d9h", "9s8s7sKhKc") == (2, -2)

    def test_in_short_deck_a_straight_beats_three_of_a_kind(self) -> None:
        assert self.short_deck("JdTh", "9d9h", "9s8c7sKhAc") == (2, -2)

    def test_in_short_deck_ace_to_nine_is_the_lowest_straight(self) -> None:
        assert self.short_deck("As6h", "KdKh", "9s8c7sQhJc") == (2, -2)
        assert self.short_deck("As6h", "Td6d", "9s8c7sQhKc") == (-2, 2)


class TestShowingByChoice:
    def test_who_wins_alone_has_folded_or_mucked_may_turn_up_the_cards_once_the_hand_is_over(self) -> None:
        hand = hand_of(["AsAd", "KsKd", "QsQd"])
        hand.fold()
        hand.fold()
        assert hand.public().shown == ()
        hand.show(2)
        hand.show(0)
        assert hand.public().shown == ((2, hand.holes[2]), (0, hand.holes[0]))
        assert ending(hand) == [("Shown", 2), ("Shown", 0)]
        hand = check_to_the_river(hand_of(["AsAd", "KsKd", "QsQd"], button=2))
        while not hand.over:
            hand.check_or_call()
        hand.show(2)
        assert ending(hand) == [("Shown", 0), ("Mucked", 1), ("Mucked", 2), ("Shown", 2)]

    def test_nothing_is_won_by_it(self) -> None:
        hand = hand_of(["AsAd", "KsKd"])
        hand.fold()
        before = hand.stacks
        hand.show(hand.live[0] ^ 1)
        assert (hand.stacks, hand.over) == (before, True)
