"""A hand told street by street."""

from poker_actors.cards import Deck
from poker_actors.rules import Hand, Stakes
from poker_actors.sim import tell_hand

TOLD = """\
No-limit hold'em 1/2, button ann (seat 0)
  ann (seat 0) has 200 and holds As Ah
  bob (seat 1) has 50 and holds Ks Kh
  cy (seat 2) has 200 and holds 7c 2d
  bob (seat 1) posts small blind 1
  cy (seat 2) posts big blind 2
preflop, pot 3
  ann (seat 0) raises to 60
  bob (seat 1) calls 49, all-in
  cy (seat 2) calls 58
flop Kd 9c 5h, pot 170
  cy (seat 2) checks
  ann (seat 0) bets 140, all-in
  cy (seat 2) folds
  ann (seat 0) gets 140 back, uncalled
  bob (seat 1) shows Ks Kh
  ann (seat 0) shows As Ah
turn Kd 9c 5h 3s, pot 170
river Kd 9c 5h 3s Jd, pot 170
  bob (seat 1) wins 150 from the pot with Three of a Kind, Kings
  ann (seat 0) wins 20 from side pot 1 with Pair of Aces
result: ann (seat 0) -40, bob (seat 1) +100, cy (seat 2) -60"""


def test_a_hand_is_told_with_every_chip_and_card() -> None:
    hand = Hand([200, 50, 200], Stakes(), deck=Deck.stacked(["AsAh", "KsKh", "7c2d"], "Kd9c5h3sJd"))
    hand.raise_to(60)
    hand.check_or_call()
    hand.check_or_call()
    hand.check_or_call()
    hand.raise_to(140)
    hand.fold()
    assert "\n".join(tell_hand(hand, ["ann", "bob", "cy"])) == TOLD


def test_the_last_seat_wins_the_pot_unseen() -> None:
    hand = Hand([200] * 2, Stakes(), deck=Deck.stacked(["AsAh", "KsKh"]))
    hand.fold()
    lines = tell_hand(hand, ["ann", "bob"])
    assert lines[-3:] == [
        "  bob (seat 1) gets 1 back, uncalled",
        "  bob (seat 1) wins 2 from the pot",
        "result: ann (seat 0) -1, bob (seat 1) +1",
    ]
