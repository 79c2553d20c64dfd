"""The direct driver counts what a bot does wrong, and raises what the rules do wrong."""

from typing import Any

import pytest

from poker_actors.bots import Faults
from poker_actors.native import is_compiled
from poker_actors.rules import Action, Bet, Call, Check, Hand, RaiseTo, View
from poker_actors.sim import Match, simulate
from poker_actors.sim.drivers import driver_named


def calls(view: View) -> Action:
    return Call() if view.to_call else Check()


PLANTED = pytest.mark.skipif(is_compiled(), reason="a compiled class takes no other method")


@PLANTED
def test_an_error_of_the_rules_is_raised_itself_and_ends_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Hand.act
    acted: list[Action] = []

    def half(hand: Hand, action: Action) -> None:
        acted.append(action)
        if len(acted) == 3:
            hand.to_act = hand.to_act[1:]  # half changed
            raise ZeroDivisionError("no chips to share")
        right(hand, action)

    monkeypatch.setattr(Hand, "act", half)
    with pytest.raises(ZeroDivisionError, match="no chips to share"):
        simulate([calls, calls, calls], hands=5, seed=1)
    assert len(acted) == 3


@PLANTED
def test_an_error_of_the_rules_on_an_illegal_action_is_raised_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(hand: Hand, action: Action) -> None:
        raise ZeroDivisionError("no chips to share")

    monkeypatch.setattr(Hand, "act", broken)
    with pytest.raises(ZeroDivisionError):
        simulate([lambda view: RaiseTo(1), calls], hands=1, seed=1)


NO_ACTIONS = {"None": None, "5": 5, "word": "fold", "class": Check, "class of a bet": Bet, "object": object()}


@pytest.mark.parametrize("answer", NO_ACTIONS.values(), ids=NO_ACTIONS.keys())
def test_what_is_no_action_is_counted_and_played_on(answer: Any) -> None:
    match = Match.of([lambda view: answer, calls, calls], hands=3, seed=1)
    made = {}
    for name in ("direct", "stepper"):
        faults = [Faults() for _ in match.bots]
        bots = [spec.make() for spec in match.bots]
        played = driver_named(name)(match, range(3), bots, faults)
        made[name] = [hand.log for _, hand, _ in played], faults[0].by_kind
    assert made["direct"] == made["stepper"]
    assert made["direct"][1].keys() == {"nonsense"}


def test_an_illegal_action_is_counted_as_one() -> None:
    result = simulate([lambda view: RaiseTo(1), calls], hands=2, seed=1)
    assert result.players[0].faults.by_kind.keys() == {"illegal"}
