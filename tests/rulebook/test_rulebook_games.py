"""Rulings of stud, draw and split games, each by its source; docs/games.md says the same in sentences."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from poker_actors.cards import STANDARD_DECK, Card, Deck, parse_cards
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.history.refereed import verdicts
from poker_actors.rules import GAMES, BringIn, Call, Check, Discard, Fold, Hand, RaiseTo, Stakes
from poker_actors.rules.cash import HandOptions, Rake
from poker_actors.rules.event import Awarded, HoleDealt, Post, Posted, Reshuffled, RunDealt, StreetDealt
from poker_actors.rules.games import Betting, First, Street, flop_streets, row

STUD = Stakes(0, 0, ante=1, bring_in=2, min_bet=4)


def stacked(text: str) -> Deck:
    """Cards in the order dealt, then the rest of the pack."""
    top = parse_cards(text)
    return Deck([*top, *(card for card in STANDARD_DECK if card not in top)], entropy=-1)


def stud(doors: str, game: str = "stud", stakes: Stakes = STUD, stacks: list[int] | None = None) -> Hand:
    """A hand on third street with these cards open, the others of no interest."""
    opened = parse_cards(doors)
    rest = iter([card for card in STANDARD_DECK if card not in opened])
    cards = [card for door in opened for card in (next(rest), next(rest), door)]
    deck = Deck([*cards, *rest], entropy=-1)
    return Hand(stacks or [100] * len(opened), stakes, deck=deck, game=GAMES[game])


def awards(hand: Hand) -> list[tuple[int, int, str]]:
    return [(event.seat, event.amount, event.share) for event in hand.events() if isinstance(event, Awarded)]


class TestBringIn:
    @pytest.mark.parametrize(
        ("game", "doors", "seat"),
        [("stud", "9c3d3cKh", 2), ("stud", "Ah2s", 1), ("razz", "9cKdKsAh", 2), ("razz", "AhQs", 1)],
    )
    def test_the_lowest_card_brings_it_in_and_in_razz_the_highest_suits_breaking_ties(
        self, game: str, doors: str, seat: int
    ) -> None:
        assert stud(doors, game).to_act[0] == seat

    def test_it_is_paid_or_completed_and_neither_folded_nor_checked(self) -> None:
        hand = stud("9c3dKh")
        for action in (Fold(), Check()):
            with pytest.raises(IllegalAction, match="the bring-in of 2 must be paid, or completed"):
                hand.act(action)
        assert str(hand.legal) == "bring in 2, raise_to 4"
        hand.act(BringIn())
        assert [str(one.action) for one in hand.public().log] == ["bring in"]
        assert hand.stacks == (99, 97, 99)

    def test_a_completion_is_the_first_bet_and_three_raises_may_follow(self) -> None:
        hand = stud("9c3dKh")
        hand.act(RaiseTo(4))
        totals = []
        while hand.legal.can_raise:
            totals.append(hand.legal.min_raise_to)
            hand.act(RaiseTo(totals[-1]))
        assert totals == [8, 12, 16]

    def test_who_has_called_the_bring_in_may_raise_its_completion_even_if_it_adds_less_than_half_a_bet(
        self,
    ) -> None:
        hand = stud("9c3dKh", stakes=Stakes(0, 0, ante=1, bring_in=3, min_bet=4))
        hand.act(BringIn())
        hand.act(Call())
        hand.act(RaiseTo(4))
        assert hand.to_act[0] == 1
        assert hand.legal.can_raise
        hand.act(Call())
        assert hand.to_act[0] == 2
        assert hand.legal.can_raise

    def test_the_seat_that_brought_it_in_has_no_option_when_nobody_completes(self) -> None:
        hand = stud("9c3dKh")
        hand.act(BringIn())
        hand.act(Call())
        hand.act(Call())
        assert hand.phase == "fourth"

    def test_the_seat_after_an_all_in_low_card_may_fold_tda_2024_rp_10_e(self) -> None:
        hand = stud("9c3dKhJs", stacks=[100, 1, 100, 100])
        assert hand.to_act == (2, 3, 0)
        hand.act(Fold())
        assert str(hand.legal) == "fold, call 2, raise_to 4"
        hand.act(Call())
        hand.act(Call())
        assert hand.phase == "fourth"

    def test_a_bring_in_that_is_all_in_for_less_is_called_in_full(self) -> None:
        hand = stud("9c3dKh", stacks=[100, 2, 100])
        hand.act(BringIn())
        assert hand.stacks == (99, 0, 99)
        assert str(hand.legal) == "fold, call 2, raise_to 4"
        assert verdicts(hand) == ()

    def test_antes_that_take_every_chip_leave_nobody_to_bring_it_in(self) -> None:
        hand = stud("9c3dKh", stacks=[1, 1, 1])
        assert hand.over
        assert [len(hole) for hole in hand.holes] == [7, 7, 7]
        assert sum(hand.stacks) == 3

    def test_a_game_that_the_best_open_hand_opens_has_no_bring_in(self) -> None:
        streets = (Street("third", hole=2, up=1, first=First.HIGH_HAND), *GAMES["stud"].streets[1:])
        game = row("high-opens", "High opens", streets, Betting.FIXED_LIMIT, "high", max_seats=8)
        deck = stacked("2c2d9c3c3dKh4c4dAs")
        hand = Hand([100] * 3, Stakes(0, 0, ante=1, min_bet=4), deck=deck, game=game)
        assert hand.to_act == (2, 0, 1)
        assert str(hand.legal) == "fold, check, bet 4"


class TestOpenHands:
    def test_the_highest_open_hand_opens_and_the_high_card_by_suit_breaks_ties_tda_2024_rp_10_d(self) -> None:
        opened = parse_cards("KcAcKdAd")
        rest = iter([card for card in STANDARD_DECK if card not in opened])
        third = [card for door in opened[:2] for card in (next(rest), next(rest), door)]
        hand = Hand(
            [100] * 2, STUD, deck=Deck([*third, opened[3], opened[2], *rest], entropy=-1), game=GAMES["stud"]
        )
        hand.check_or_call()
        hand.check_or_call()
        assert hand.open == (parse_cards("KcAd"), parse_cards("AcKd"))
        assert hand.to_act[0] == 0  # the ace of diamonds is above the ace of clubs

    def test_a_tie_is_broken_among_those_who_tie_tda_2024_rp_10_d(self) -> None:
        deck = stacked("2c2d9c" + "3c3d9h" + "4c4dAs" + "9d9s7h")
        hand = Hand([100] * 3, STUD, deck=deck, game=GAMES["stud"])
        for _ in range(3):
            hand.check_or_call()
        assert hand.open == (parse_cards("9c9d"), parse_cards("9h9s"), parse_cards("As7h"))
        assert hand.to_act == (1, 2, 0)  # of the nines those with the spade, although the ace is higher

    def test_eight_seats_that_stay_share_the_last_card_tda_2024_rp_10_h(self) -> None:
        hand = Hand([400] * 8, STUD, deck=Deck.seeded(1), game=GAMES["stud"])
        while not hand.over:
            hand.check_or_call()
        assert len(hand.board) == 1
        assert all(len(hole) == 6 for hole in hand.holes)
        streets = [event for event in hand.events() if isinstance(event, StreetDealt)]
        assert streets[-1] == StreetDealt("seventh", hand.board)


class TestDraws:
    def test_nobody_bets_in_a_draw_and_the_log_says_how_many_and_never_which(self) -> None:
        hand = Hand([100] * 2, Stakes(1, 2), deck=Deck.seeded(3), game=GAMES["badugi"])
        hand.check_or_call()
        hand.check_or_call()
        seat = hand.to_act[0]
        for action in (Fold(), Call(), RaiseTo(4)):
            with pytest.raises(IllegalAction, match="this turn is for throwing cards away"):
                hand.act(action)
        before = hand.holes[seat]
        hand.act(Discard(before[1:3]))
        assert hand.holes[seat][:2] == (before[0], before[3])
        assert hand.holes[seat][2:] == hand.cards[8:10], (
            "the next of the deck: nothing is mixed before it is short"
        )
        assert hand.public().log.streets()[1][0].action == Discard(count=2)
        assert hand.log != hand.entries()
        assert hand.replay() == hand

    def test_a_seat_that_is_all_in_draws_too(self) -> None:
        hand = Hand([100, 2, 100], Stakes(1, 2), deck=Deck.seeded(3), game=GAMES["2-7-triple-draw"])
        while not hand.public().drawing:
            hand.check_or_call()
        assert hand.stacks[1] == 0
        assert hand.to_act == (1, 2, 0)

    def test_a_short_stub_is_mixed_with_what_is_out_of_play_and_gives_nobody_back_his_own(self) -> None:
        hand = Hand([100] * 6, Stakes(1, 2), deck=Deck.seeded(5), game=GAMES["a-5-triple-draw"])
        thrown: dict[int, set[Card]] = {seat: set() for seat in range(6)}
        while not hand.over:
            if not hand.legal.discards:
                hand.check_or_call()
                continue
            seat = hand.to_act[0]
            gone = hand.holes[seat]
            twin = hand.copy()
            for one in (hand, twin):
                one.act(Discard(gone))
            assert hand.holes == twin.holes
            thrown[seat] |= {*gone}
            assert not thrown[seat] & {*hand.holes[seat]}
            out = [card for hole in hand.holes for card in hole]
            assert len({*out}) == len(out) == 30
        assert sum(isinstance(event, Reshuffled) for event in hand.events()) >= 2
        assert hand.replay().holes == hand.holes

    @pytest.mark.parametrize("boards", [1, 2])
    def test_cards_of_a_board_are_not_mixed_in(self, boards: int) -> None:
        streets = (Street("predraw", hole=5), Street("flop", board=3), Street("draw", draw=5))
        game = row("own", "Own", streets, Betting.NO_LIMIT, "high", max_seats=6, boards=boards)
        hand = Hand([100] * 6, Stakes(1, 2), deck=Deck.seeded(5), game=game)
        while not hand.over:
            if hand.legal.discards:
                hand.act(Discard(hand.holes[hand.to_act[0]]))
            else:
                hand.check_or_call()
            lying = [card for cards in (*hand.holes, *hand.boards) for card in cards]
            assert len({*lying}) == len(lying)
        assert [event for event in hand.events() if isinstance(event, Reshuffled)]
        assert verdicts(hand) == ()

    def test_blinds_are_bets_where_the_best_open_hand_acts_first(self) -> None:
        streets = (Street("first", hole=1, up=1, first=First.HIGH_HAND), Street("second", up=3))
        game = row("own", "Own", streets, Betting.NO_LIMIT, "high", max_seats=6)
        hand = Hand([100] * 3, Stakes(1, 2), deck=stacked("2cAs3cKs4cQs"), game=game, button=2)
        assert (hand.to_act, hand.legal.to_call) == ((0, 1, 2), 1)
        while not hand.over:
            hand.check_or_call()
        assert verdicts(hand) == ()

    @pytest.mark.parametrize(("game", "kept"), [("pineapple", 2), ("crazy-pineapple", 2), ("irish", 2)])
    def test_cards_must_be_given_up_and_a_late_player_gives_up_the_last(self, game: str, kept: int) -> None:
        hand = Hand([100] * 3, Stakes(1, 2), deck=Deck.seeded(5), game=GAMES[game])
        while not hand.legal.must_discard:
            hand.check_or_call()
        seat = hand.to_act[0]
        hole = hand.holes[seat]
        with pytest.raises(IllegalAction, match="cards have to be thrown away"):
            hand.act(Check())
        dealt = sum(isinstance(news, HoleDealt) for news in hand.events())
        hand.act(hand.legal.passive)
        assert hand.holes[seat] == hole[:kept]
        assert sum(isinstance(news, HoleDealt) for news in hand.events()) == dealt


class TestShares:
    def test_a_low_shared_by_two_is_quartered(self) -> None:
        hand = Hand(
            [4] * 3,
            Stakes(1, 2),
            deck=Deck.stacked(["AsKs9h9d", "Ah2hJdTd", "Ac2cQdTh"], "3s4s8sKdKh"),
            game=GAMES["omaha8"],
        )
        while not hand.over:
            hand.check_or_call()
        won = {seat: hand.stacks[seat] - 4 for seat in range(3)}
        assert sum(won.values()) == 0
        assert sorted(share for _, _, share in awards(hand)) == ["high", "low", "low"]

    def test_without_a_qualifying_low_the_high_hand_takes_it_all(self) -> None:
        hand = Hand(
            [10] * 2,
            Stakes(1, 2),
            deck=Deck.stacked(["AsAh2d3d", "KcKd4h5h"], "QsQhJdTc9s"),
            game=GAMES["omaha8"],
        )
        while not hand.over:
            hand.check_or_call()
        assert awards(hand) == [(0, 4, "high")]

    def test_the_odd_chip_goes_to_the_high_half_tda_2024_rule_20(self) -> None:
        hand = Hand(
            [10] * 3,
            Stakes(1, 2),
            deck=Deck.stacked(["Kc7d7hQs", "AsAhKdKs", "Ad2d5h6h"], "3s4s8sKhQc"),
            game=GAMES["omaha8"],
        )
        hand.act(Fold())
        while not hand.over:
            hand.check_or_call()
        halves = {share: amount for _, amount, share in awards(hand)}
        assert halves["high"] - halves["low"] in (0, 1)

    def test_half_of_the_pot_goes_to_each_board_the_odd_chip_to_the_first(self) -> None:
        hand = Hand([3] * 3, Stakes(0, 0, ante=3), deck=Deck.seeded(2), game=GAMES["double-board-holdem"])
        assert hand.over
        assert len(hand.boards) == 2
        boards = [event for event in hand.events() if isinstance(event, Awarded)]
        assert sum(event.amount for event in boards if event.board == 0) == 5
        assert sum(event.amount for event in boards if event.board == 1) == 4

    @pytest.mark.parametrize("seed", range(30))
    def test_rake_boards_run_again_a_bomb_pot_posts_and_hi_lo_are_one_payment(self, seed: int) -> None:
        options = HandOptions(Rake(500, 3), bomb_pot=5, boards=2, bomb_boards=2)
        posts = [Posted(2, Post.DEAD_BLIND, 2)]
        hand = Hand(
            [20] * 4, Stakes(1, 2), deck=Deck.seeded(seed), game=GAMES["omaha8"], options=options, posts=posts
        )
        while not hand.over:
            if hand.legal.can_raise:
                hand.act(RaiseTo(hand.legal.max_raise_to))
            else:
                hand.check_or_call()
        assert sum(hand.stacks) + hand.rake == 80
        assert hand.rake == 3
        assert len(hand.boards) in (2, 4)

    def test_a_bomb_pot_on_two_boards_deals_two_flops(self) -> None:
        options = HandOptions(bomb_pot=2, bomb_boards=2)
        hand = Hand([20] * 3, Stakes(1, 2), deck=Deck.seeded(1), options=options)
        assert [len(board) for board in hand.boards] == [3, 3]
        flops = [event for event in hand.events() if isinstance(event, StreetDealt | RunDealt)]
        assert [type(event) for event in flops] == [StreetDealt, RunDealt]

    def test_a_board_card_on_the_first_street_is_announced(self) -> None:
        hand = Hand([20] * 2, Stakes(1, 2), deck=Deck.seeded(1), game=GAMES["courchevel"])
        assert [event for event in hand.events() if isinstance(event, StreetDealt)] == [
            StreetDealt("preflop", hand.board)
        ]


def test_kuhn_pays_what_kuhn_wrote_in_every_deal_and_every_line() -> None:
    lines = {"cc": 1, "bf": 1, "cbf": 1, "bc": 2, "cbc": 2}
    for cards in itertools.permutations(parse_cards("JsQsKs")):
        for line, stake in lines.items():
            hand = Hand(
                [100] * 2, Stakes(0, 0, ante=1), deck=Deck(cards, entropy=-1), game=GAMES["kuhn"], button=1
            )
            for word in line:
                if word == "b":
                    hand.act(RaiseTo(1))
                    assert hand.over or not hand.legal.can_raise
                elif word == "f":
                    hand.fold()
                else:
                    hand.check_or_call()
            assert hand.over
            folder = {"bf": 1, "cbf": 0}.get(line)
            winner = int(cards[1] > cards[0]) if folder is None else 1 - folder
            assert hand.payoffs[winner] == stake == -hand.payoffs[1 - winner]


class TestRows:
    def test_a_share_that_needs_a_board_is_refused_where_there_is_none(self) -> None:
        with pytest.raises(BadSpec, match="the share 'high' needs a board of 3 to 5 cards, not 0"):
            row("mine", "Mine", (Street("all", hole=4),), Betting.NO_LIMIT, "omaha/omaha-eight", max_seats=9)

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"streets": ()}, "it has no street"),
            ({"streets": flop_streets(6)}, "10 seats need 65 cards, but its pack has 52"),
            ({"streets": (Street("all", hole=2, throw=3),)}, "throws away more than the 2 cards of a hand"),
            ({"streets": (Street("all", hole=2),), "boards": 2}, "2 boards of 0 cards"),
            ({"max_seats": 11}, "max_seats is 11: a table has 2 to 10"),
            ({"streets": flop_streets(3)}, "its strengths are those of 2 hole cards, not 3"),
        ],
    )
    def test_a_row_that_cannot_be_played_is_refused_when_it_is_read(
        self, change: dict[str, object], words: str
    ) -> None:
        settings: dict[str, Any] = {"streets": flop_streets(2)} | change
        streets = settings.pop("streets")
        with pytest.raises(BadSpec, match=words):
            row(
                "mine",
                "Mine",
                streets,
                Betting.NO_LIMIT,
                "high",
                strengths=GAMES["holdem"].strengths,
                **settings,
            )
