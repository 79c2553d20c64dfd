"""The rulings of the two-player five-card game."""

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.rules import GAMES, Bet, Call, Check, Fold, Game, Hand, RaiseTo, Stakes

FIVE_CARD, PRINTED, KICKERS = GAMES["five-card"], GAMES["five-card-printed"], GAMES["five-card-kickers"]
CPU, PLAYER = 0, 1


def deal(
    cpu: str = "2c7d9hJsKc",
    player: str = "3c8dThQs4c",
    stacks: tuple[int, int] = (200, 200),
    game: Game = FIVE_CARD,
) -> Hand:
    """A hand in which each gets these cards, three and then one by one."""
    order = [cpu[:6], player[:6], cpu[6:8], player[6:8], cpu[8:], player[8:]]
    return Hand(stacks, Stakes(0, 0), deck=Deck.stacked(order), button=PLAYER, game=game)


def check_down(hand: Hand) -> Hand:
    while not hand.over:
        hand.check_or_call()
    return hand


def test_bets_are_made_with_three_four_and_five_cards_and_the_cpu_begins_each_time() -> None:
    hand = deal()
    seen = []
    while not hand.over:
        if hand.to_act[0] == CPU:
            seen.append((hand.phase, len(hand.holes[CPU]), len(hand.holes[PLAYER])))
            assert hand.to_act == (CPU, PLAYER)
        hand.check_or_call()
    assert seen == [("third", 3, 3), ("fourth", 4, 4), ("fifth", 5, 5)]


def test_nothing_is_posted_and_a_hand_checked_down_moves_no_credit() -> None:
    hand = deal()
    assert (hand.pot, hand.stacks) == (0, (200, 200))
    assert check_down(hand).payoffs == (0, 0)


def test_the_player_may_raise_by_a_single_credit_and_the_cpu_may_not_raise_again() -> None:
    hand = deal()
    hand.act(Bet(20))
    hand.act(RaiseTo(21))
    assert str(hand.legal) == "fold, call 1"
    with pytest.raises(IllegalAction, match="no bet or raise is allowed"):
        hand.act(RaiseTo(50))
    hand.act(Call())
    assert hand.phase == "fourth"


def test_after_a_check_the_player_may_bet_and_the_cpu_may_only_call_or_fold() -> None:
    hand = deal()
    hand.act(Check())
    hand.act(Bet(30))
    assert str(hand.legal) == "fold, call 30"
    hand.act(Fold())
    assert hand.payoffs == (0, 0)


def test_a_raise_goes_up_to_the_money_of_the_other_and_not_beyond() -> None:
    hand = deal(stacks=(150, 250))
    hand.act(Bet(10))
    assert str(hand.legal) == "fold, call 10, raise_to 11 to 150"
    with pytest.raises(IllegalAction, match="raise_to 151 is above the maximum of 150"):
        hand.act(RaiseTo(151))
    hand.act(RaiseTo(150))
    hand.act(Call())
    assert hand.over
    assert sum(hand.stacks) == 400
    assert min(hand.stacks) >= 0


def test_a_bet_is_capped_by_the_shorter_stack_too() -> None:
    assert str(deal(stacks=(250, 150)).legal) == "fold, check, bet 1 to 150"


def test_equal_classes_split_the_pot_whatever_the_ranks() -> None:
    hand = deal("AsAd9h7c2s", "3s3d4hTcJs")
    hand.act(Bet(20))
    check_down(hand)
    assert hand.strengths == [1, 1]
    assert hand.payoffs == (0, 0)


def test_with_kickers_the_higher_pair_wins() -> None:
    hand = deal("AsAd9h7c2s", "3s3d4hTcJs", game=KICKERS)
    hand.act(Bet(20))
    assert check_down(hand).payoffs == (20, -20)


def test_ten_to_ace_beats_a_pair_unless_the_classes_are_those_printed() -> None:
    for game, payoffs in ((FIVE_CARD, (-5, 5)), (PRINTED, (5, -5))):
        hand = deal("3s3d4h7c9s", "TsJdQhKcAs", game=game)
        hand.act(Bet(5))
        assert check_down(hand).payoffs == payoffs


def test_a_flush_is_nothing() -> None:
    hand = deal("2s9sJsKs4s", "3s3d4hTcQs")
    hand.act(Bet(5))
    assert check_down(hand).payoffs == (-5, 5)


def test_the_odd_credit_of_a_split_goes_to_the_player_out_of_position() -> None:
    """Bets match, so only an ante that one cannot pay makes a pot odd; the CPU acts first."""
    order = ["AsAd9h", "3s3d4h", "7c", "Tc", "2s", "Js"]
    hand = Hand((1, 200), Stakes(0, 0, ante=2), deck=Deck.stacked(order), button=PLAYER, game=FIVE_CARD)
    assert check_down(hand).stacks == (1, 200)
    hand = Hand(
        (9, 9), Stakes(0, 0, big_blind_ante=3), deck=Deck.stacked(order), button=PLAYER, game=FIVE_CARD
    )
    assert check_down(hand).stacks == (6 + 2, 9 + 1)


def test_the_game_is_for_two() -> None:
    with pytest.raises(BadSpec, match="five-card seats 2 to 2"):
        Hand((200, 200, 200), Stakes(0, 0), deck=Deck.seeded(1), game=FIVE_CARD)


def test_at_a_table_whose_button_stays_the_cpu_opens_every_hand() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table(seats=2, game=FIVE_CARD, button=PLAYER, button_moves=False)
        for seat, name in enumerate(("cpu", "player")):
            player = room.player(name, "caller", chips=200)
            table.sit(player, seat)
            table.buy_in(player, 200)
        results = table.play(3)
        assert [result.positions.button for result in results] == [PLAYER] * 3
        assert table.config.stakes == Stakes(0, 0)
        assert room.audit().conserved
