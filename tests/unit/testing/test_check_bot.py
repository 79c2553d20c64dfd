"""What `check_bot` finds and what it lets pass."""

import random

import pytest

from poker_actors.errors import BadSpec, UnknownBot
from poker_actors.rules import Action, Call, Check, Fold, RaiseTo, View
from poker_actors.testing import check_bot


def careful(view: View) -> Action:
    return Call() if view.to_call and view.rng.random() < 0.9 else (Fold() if view.to_call else Check())


@pytest.mark.parametrize("bot", [careful, "tight", "pot-odds", "maniac:nerve=0.9"])
def test_a_good_bot_passes_and_is_told_what_it_was_tried_with(bot: object) -> None:
    checked = check_bot(bot, hands=20)  # type: ignore[arg-type]
    assert checked.hands == 100
    assert checked.decisions > 100


@pytest.mark.parametrize("game", ["limit-holdem", "omaha", "short-deck"])
def test_a_bot_is_checked_in_other_games(game: str) -> None:
    assert check_bot("loose", hands=10, game=game).hands == 50


def test_a_bot_that_raises_now_and_then_is_found() -> None:
    def brittle(view: View) -> Action:
        if view.street == "river":
            raise KeyError("river")
        return careful(view)

    with pytest.raises(
        AssertionError, match=r"faults at 2 seats, 100bb, .*seed 1; the first: raised KeyError"
    ):
        check_bot(brittle, hands=20)


def test_a_bot_that_raises_only_when_the_hands_come_again_is_found() -> None:
    calls = 0

    def tired(view: View) -> Action:
        nonlocal calls
        calls += 1
        if calls == most:
            raise KeyError("tired")
        return careful(view)

    most = -1
    decisions = check_bot(tired, hands=3).decisions
    calls, most = 0, calls  # the last decision of the second play at the last table
    assert most == 2 * decisions
    with pytest.raises(AssertionError, match=r"1 faults at .*; the first: raised KeyError"):
        check_bot(tired, hands=3)


def test_a_bot_that_raises_too_little_is_found() -> None:
    with pytest.raises(AssertionError, match="faults at"):
        check_bot(lambda view: RaiseTo(view.public.bet + 1), hands=20)


def test_a_bot_with_luck_of_its_own_is_found() -> None:
    luck = random.Random(1)

    def lucky(view: View) -> Action:
        return careful(view) if luck.random() < 0.5 else Call() if view.to_call else Check()

    with pytest.raises(AssertionError, match=r"different play at .*: take luck from view\.rng"):
        check_bot(lucky, hands=50)


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(UnknownBot):
        check_bot("tihgt")
    with pytest.raises(BadSpec, match="hands is 0: the minimum is 1"):
        check_bot("tight", hands=0)
