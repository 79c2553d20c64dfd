"""What the debugger says an action is worth: played out from a turn, without the cards of the others."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from poker_actors.cards import Deck
from poker_actors.debug.turns import played_out
from poker_actors.debug.why import why
from poker_actors.rules import Call, Check, Fold, Hand, RaiseTo, Stakes


def on_the_river(*holes: str) -> Hand:
    """A pot of 120 against one opponent, who bets it, heads-up on the river."""
    hand = Hand([200, 200], Stakes(), deck=Deck.stacked(list(holes), "AsKsQs2d3h"))
    for action in (RaiseTo(60), Call(), Check(), Check(), Check(), Check(), RaiseTo(100)):
        hand.act(action)
    return hand


def test_the_best_hand_there_is_wins_by_a_call_what_lies_there_and_a_fold_brings_nothing() -> None:
    fold, call = played_out(on_the_river("JsTs", "4c5d"), [Fold(), Call()], deals=10)
    assert [fold, call] == [(0, 0), (220, 0)]


def test_what_is_said_does_not_hang_on_the_cards_of_the_others() -> None:
    one, other = on_the_river("9h9c", "4c5d"), on_the_river("9h9c", "AhAd")
    assert played_out(one, [Call()], deals=10) == played_out(other, [Call()], deals=10)


def test_no_card_that_this_seat_sees_is_dealt_to_another() -> None:
    holes = ["2c2d", "3c3d", "4c4d", "5c5d", "6c6d", "Ts9d"]
    hand = Hand([200] * 6, Stakes(), deck=Deck.stacked(holes, "AsKsQsJs3h"), button=5)
    while hand.street < 3 or hand.to_act != (5,):
        hand.check_or_call()
    # who held the ten of spades, too, would share these 12
    assert played_out(hand, [Check()], deals=20) == [(12, 0)]


@pytest.mark.parametrize("choice", ["fold", "call", "check", "raise_to"])
def test_why_action_says_what_each_choice_brings(choice: str) -> None:
    hand = Hand([200] * 3, Stakes(), deck=Deck.seeded(3))
    for _ in range(2 if choice == "check" else 0):
        hand.check_or_call()
    reason = why(hand, "action")
    assert any(link.text.startswith(choice) and " brings " in link.text for link in reason.links)
