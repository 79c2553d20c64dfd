"""Turns that are no bets, taken the cheapest way: who is asked, what is paid or thrown away, what it does to the round."""

from __future__ import annotations

import pytest

from poker_actors.cards import Deck
from poker_actors.rules import GAMES, BringIn, Discard, Hand, RaiseTo, Stakes
from poker_actors.rules.event import Acted, Event
from poker_actors.rules.public import BETS, BRINGS_IN, DRAWS, THROWS


def hand_of(
    name: str, stacks: tuple[int, ...] = (100, 100, 100), stakes: Stakes | None = None
) -> tuple[Hand, list[Event]]:
    game = GAMES[name]
    heard: list[Event] = []
    chosen = game.stakes_like(Stakes(1, 2)) if stakes is None else stakes
    hand = Hand(stacks, chosen, deck=Deck.seeded(1, game.pack), game=game, listener=heard.append)
    return hand, heard


def told(heard: list[Event]) -> list[Event]:
    """What was said of turns since the last time."""
    turns: list[Event] = [one for one in heard if isinstance(one, Acted)]
    heard.clear()
    return turns


def test_a_bring_in_is_paid_and_the_others_owe_it() -> None:
    hand, heard = hand_of("stud")
    first, second, third = hand.to_act
    assert (hand.decision, hand.bet) == (BRINGS_IN, 1)
    assert hand.check_or_call() == 1
    assert told(heard) == [Acted(first, BringIn(), 1, False)]
    assert (hand.decision, hand.to_act, hand.bet) == (BETS, (second, third), 1)
    assert [hand.public().to_call(seat) for seat in (first, second, third)] == [0, 1, 1]
    assert [hand.check_or_call(), hand.check_or_call()] == [1, 1]
    assert hand.street == 1, "nobody has raised: who has brought it in is not asked again"


def test_who_has_brought_it_in_is_asked_again_after_a_raise_and_who_has_folded_is_not() -> None:
    hand, _ = hand_of("stud")
    first, second, third = hand.to_act
    hand.check_or_call()
    assert hand.acted[first] == 1
    hand.act(RaiseTo(2))
    assert list(hand.to_act) == [third, first]
    hand.fold()
    assert (hand.street, hand.to_act, hand.public().to_call(first)) == (0, (first,), 1)
    assert RaiseTo(4) in hand.legal, "the raise was a full one"
    assert hand.check_or_call() == 1
    assert (hand.street, sorted(hand.live)) == (1, sorted((first, second)))


def test_a_bring_in_of_the_last_chips_is_all_in_and_is_passed_over() -> None:
    stakes = Stakes(0, 0, ante=1, bring_in=3, min_bet=6)
    first = hand_of("stud", stakes=stakes)[0].to_act[0]
    stacks = [100, 100, 100]
    stacks[first] = 3
    hand, heard = hand_of("stud", tuple(stacks), stakes)
    assert (hand.to_act[0], hand.decision) == (first, BRINGS_IN)
    heard.clear()
    assert hand.check_or_call() == 2
    assert told(heard) == [Acted(first, BringIn(), 2, True)]
    assert (first in hand.to_act, first in hand.live, hand.bet, hand.decision) == (False, True, 3, BETS)
    assert hand.check_or_call() == 3, "the whole bring-in is owed, however little it was"


@pytest.mark.parametrize("name", ["five-card-draw", "badugi"])
def test_in_a_draw_everybody_stands_pat_who_has_not_folded_and_nothing_is_paid(name: str) -> None:
    hand, heard = hand_of(name, (100, 100, 2))
    hand.fold()
    assert hand.check_or_call() == 1
    assert (hand.decision, hand.to_act, hand.street) == (DRAWS, (1, 2), 1), "who is all-in draws too"
    held = hand.holes[1]
    heard.clear()
    assert hand.check_or_call() == 0
    assert told(heard) == [Acted(1, Discard(), 0, False)]
    assert (hand.holes[1], hand.to_act, hand.decision) == (held, (2,), DRAWS)
    assert hand.whole_actions()[-1] == Discard()
    assert hand.check_or_call() == 0


@pytest.mark.parametrize(("name", "street", "count"), [("pineapple", 0, 1), ("irish", 2, 2)])
def test_where_cards_must_be_thrown_away_the_last_ones_go(name: str, street: int, count: int) -> None:
    hand, heard = hand_of(name)
    while hand.decision == BETS:
        hand.check_or_call()
    assert (hand.decision, hand.street, len(hand.to_act)) == (THROWS, street, 3)
    while hand.decision == THROWS:
        seat, *others = hand.to_act
        held = hand.holes[seat]
        heard.clear()
        assert hand.check_or_call() == 0
        assert told(heard)[0] == Acted(seat, Discard(count=count), 0, False)
        assert hand.holes[seat] == held[:-count]
        assert hand.whole_actions()[-1] == Discard(held[-count:])
        assert not others or list(hand.to_act) == others
