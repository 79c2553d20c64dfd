"""What players argue about in stud, draw and split games; docs/games.md has each ruling with its source."""

from __future__ import annotations

from poker_actors.cards import STANDARD_DECK, Card, Deck, parse_cards
from poker_actors.rules import GAMES, BringIn, Fold, Hand, RaiseTo, Stakes
from poker_actors.rules.cash import HandOptions
from poker_actors.rules.event import Awarded

STUD = Stakes(0, 0, ante=1, bring_in=2, min_bet=4)


def stud(hands: list[str], game: str = "stud", stacks: list[int] | None = None) -> Hand:
    """Seven cards each, in the order a seat gets them; the third to the sixth lie open."""
    dealt = [parse_cards(hand) for hand in hands]
    cards: list[Card] = []
    for first, last in ((0, 3), (3, 4), (4, 5), (5, 6), (6, 7)):
        cards += [card for hand in dealt for card in hand[first:last]]
    rest = [card for card in STANDARD_DECK if card not in cards]
    return Hand(stacks or [100] * len(hands), STUD, deck=Deck([*cards, *rest], entropy=-1), game=GAMES[game])


def checked_down(hand: Hand) -> Hand:
    while not hand.over:
        hand.check_or_call()
    return hand


def awards(hand: Hand) -> list[tuple[int, int, int, str]]:
    """Seat, chips, board and share of everything that was paid."""
    return [(one.seat, one.amount, one.board, one.share) for one in hand.events() if isinstance(one, Awarded)]


PAIR_OF_ACES = "2c7d9hAsAd3cJh"
KINGS_UP = "2d7s5hKsKd4cQh"


def test_without_a_bet_on_seventh_the_high_open_hand_shows_first_and_in_razz_the_low_one() -> None:
    assert checked_down(stud([KINGS_UP, PAIR_OF_ACES])).showdown_order()[0] == 1
    assert checked_down(stud(["2d7s5hKsKd4cQh", "2c7d9hAs8d3cJh"], "razz")).showdown_order()[0] == 1


def test_equal_open_hands_in_razz_are_told_apart_by_the_suit_of_their_highest_card_aces_low() -> None:
    hand = stud(["2d7sAs5c9dTh3h", "2c7dAc5s9hTd3d"], "razz")
    hand.act(BringIn())
    while hand.street < 1:
        hand.check_or_call()
    assert hand.to_act[0] == 1


def test_an_odd_chip_of_a_shared_low_goes_to_the_highest_suit_of_its_highest_card_aces_low() -> None:
    lows = ["AsKh2c3c4h6cKd", "AcKc2d3d4d6sQh"]
    hand = stud([*lows, "9s9c9hJdJcTsTh"], "stud8")
    hand.act(BringIn())
    hand.act(RaiseTo(4))
    assert sorted(awards(checked_down(hand))) == [(0, 3, 0, "low"), (1, 4, 0, "low"), (2, 8, 0, "high")]


def test_who_bet_last_on_seventh_shows_first() -> None:
    hand = stud([KINGS_UP, PAIR_OF_ACES])
    while hand.street < 4:
        hand.check_or_call()
    hand.check_or_call()
    hand.act(RaiseTo(8))
    assert hand.to_act == (1,)
    assert checked_down(hand).showdown_order()[0] == 0


def test_a_bring_in_that_a_stack_cannot_cover_is_still_a_whole_one_to_call() -> None:
    hand = stud(["2c7d3cAsAd9hJh", KINGS_UP, "QcQd8hTsTc4dJc"], stacks=[2, 100, 100])
    assert hand.to_act[0] == 0
    hand.act(BringIn())
    assert hand.stacks[0] == 0
    assert hand.legal.to_call == 2


def test_who_is_all_in_for_the_ante_plays_for_the_antes_alone() -> None:
    hand = checked_down(stud([PAIR_OF_ACES, KINGS_UP, "QcQd8hTsTc4dJc"], stacks=[1, 100, 100]))
    assert awards(hand)[0][1] == 3
    assert hand.stacks[0] in (0, 3)


def test_an_odd_chip_of_stud_goes_to_the_highest_card_by_suit() -> None:
    # both play queen-high straights; the queen of spades is above the queen of hearts, whoever sits left of the button
    first, second = "8c9dTcJsQh2d3c", "8d9cTdJhQs2h3d"
    for hands, winner in (([first, second], 1), ([second, first], 0)):
        hand = stud([*hands, "KcKd2c7h7s5c5d"])
        hand.act(BringIn())
        while 2 in hand.live and not hand.over:
            hand.act(Fold()) if hand.to_act[0] == 2 else hand.check_or_call()
        paid = {seat: amount for seat, amount, *_ in awards(checked_down(hand))}
        assert paid == {winner: 5, 1 - winner: 4}


def test_of_odd_halves_the_high_one_is_larger() -> None:
    hand = Hand(
        [20] * 3,
        Stakes(1, 2),
        deck=Deck.stacked(["Kc7d7hQs", "AsAh2d5h", "KdQdJc9c"], "3s4s8sAdQc"),
        game=GAMES["omaha8"],
        button=2,
    )
    hand.act(RaiseTo(7))
    hand.act(Fold())
    checked_down(hand)
    halves = {share: amount for _, amount, _, share in awards(hand)}
    assert halves == {"high": 8, "low": 7}


def bomb_pot_on_two_boards(seed: int) -> Hand:
    options = HandOptions(bomb_pot=8, bomb_boards=2)
    deck = Deck.seeded(seed)
    return checked_down(Hand([100] * 2, Stakes(1, 2), deck=deck, game=GAMES["omaha8"], options=options))


def test_a_board_without_a_low_gives_its_half_to_its_high_hand() -> None:
    hands = [bomb_pot_on_two_boards(seed) for seed in range(40)]
    hand = next(
        hand for hand in hands if [any(low.strengths.values()) for _, low in hand.claims] == [True, False]
    )
    assert sum(chips for _, chips, board, _ in awards(hand) if board == 0) == 8
    assert {share for *_, board, share in awards(hand) if board == 0} == {"high", "low"}
    assert [(chips, share) for _, chips, board, share in awards(hand) if board == 1] in (
        [(8, "high")],
        [(4, "high")] * 2,
    )


def test_with_one_last_card_for_all_who_opened_sixth_opens_seventh() -> None:
    hand = Hand([400] * 8, STUD, deck=Deck.seeded(1), game=GAMES["stud"])
    while hand.street < 3:
        hand.check_or_call()
    sixth = hand.to_act[0]
    while hand.street < 4:
        hand.check_or_call()
    assert len(hand.board) == 1
    assert hand.to_act[0] == sixth


def test_nobody_is_asked_to_bet_on_a_pair_of_doors_twice_as_much() -> None:
    hand = stud(["2c7d9h9s3dJhQd", KINGS_UP])
    while hand.street < 1:
        hand.check_or_call()
    assert hand.open[0] == parse_cards("9h9s")
    assert hand.legal.min_raise_to == hand.legal.max_raise_to == 4
