"""What a bot that fails does instead: check, else fold, counted by kind."""

from typing import Any

import pytest

from poker_actors.bots import AllIn, Faults, decide, fallback, legal_or_fallback
from poker_actors.bots.odds import odds_of
from poker_actors.bots.program.isolated import _decided
from poker_actors.cards import Deck
from poker_actors.rules import Action, Bet, Call, Check, Fold, Hand, RaiseTo, Stakes, View
from poker_actors.sim import simulate
from tests.unit.bots.test_bots_program import turn


def first_turn(stakes: str = "1/2") -> View:
    """Three seats, the button first: 2 to call."""
    hand = Hand([200] * 3, Stakes.parse(stakes), deck=Deck.seeded(1))
    return hand.view(hand.to_act[0])


def big_blind_turn() -> View:
    """The big blind may check."""
    hand = Hand([200] * 3, Stakes(), deck=Deck.seeded(1))
    hand.check_or_call()
    hand.check_or_call()
    return hand.view(hand.to_act[0])


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def raising(error: BaseException) -> Any:
    def bot(view: View) -> Any:
        raise error

    return bot


@pytest.mark.parametrize("action", [Fold(), Call(), RaiseTo(4), RaiseTo(200)])
def test_a_legal_action_is_taken_as_it_is(action: Any) -> None:
    faults = Faults()
    assert decide(lambda view: action, first_turn(), faults) is action
    assert faults == Faults()


@pytest.mark.parametrize("action", [Check(), RaiseTo(3), RaiseTo(201), Bet(10), RaiseTo(-5)])
def test_an_illegal_action_is_counted_and_folds_when_there_is_something_to_call(action: Any) -> None:
    faults = Faults()
    assert decide(lambda view: action, first_turn(), faults) == Fold()
    assert (faults.illegal, faults.total) == (1, 1)


@pytest.mark.parametrize("action", [Call(), Bet(10), RaiseTo(3)])
def test_an_illegal_action_checks_when_checking_is_free(action: Any) -> None:
    faults = Faults()
    assert decide(lambda view: action, big_blind_turn(), faults) == Check()
    assert faults.illegal == 1


@pytest.mark.parametrize(
    "answer",
    [None, "call", 5, (2, Call()), Call, Unprintable(), RaiseTo("9"), RaiseTo(True), Bet(4.0)],  # type: ignore[arg-type]
)
def test_what_is_no_action_is_counted_as_nonsense(answer: object) -> None:
    faults = Faults()
    assert decide(lambda view: answer, first_turn(), faults) == Fold()  # type: ignore[arg-type,return-value]
    assert (faults.nonsense, faults.total) == (1, 1)
    assert "not an action" in faults.first


@pytest.mark.parametrize(
    "error", [ValueError("bad\nluck"), SystemExit(3), AssertionError(), RecursionError()]
)
def test_a_bot_that_raises_is_counted_and_goes_on(error: BaseException) -> None:
    faults = Faults()
    assert decide(raising(error), first_turn(), faults) == Fold()
    assert (faults.raised, faults.total) == (1, 1)
    assert faults.first.startswith(f"raised {type(error).__name__}")
    assert "\n" not in faults.first


def test_what_stops_a_program_passes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        decide(raising(KeyboardInterrupt()), first_turn(), Faults())


def test_the_first_fault_is_kept_in_words_and_cut_short() -> None:
    faults = Faults()
    decide(raising(ValueError("x" * 1000)), first_turn(), faults)
    decide(lambda view: Check(), first_turn(), faults)
    assert len(faults.first) == 160
    assert faults.first.startswith("raised ValueError: xxx")


def test_a_late_bot_checks_or_folds() -> None:
    faults = Faults()
    assert faults.was_late(first_turn()) == Fold()
    assert faults.was_late(big_blind_turn()) == Check() == fallback(big_blind_turn())
    assert faults.late == 2


def test_faults_of_two_stretches_add_up_and_the_first_stays_first() -> None:
    one, two = Faults(raised=1, first="early"), Faults(raised=2, illegal=3, nonsense=4, late=5, first="later")
    one.add(two)
    assert one == Faults(raised=3, illegal=3, nonsense=4, late=5, first="early")


def test_an_answer_already_given_is_judged_the_same_way() -> None:
    faults = Faults()
    assert legal_or_fallback(Call(), first_turn(), faults) == Call()
    assert legal_or_fallback(Check(), first_turn(), faults) == Fold()
    assert faults.illegal == 1


def goes_all_in(view: View) -> Any:
    return AllIn() if view.rng.random() < 0.3 else view.legal.passive


def goes_all_in_by_hand(view: View) -> Action:
    if view.rng.random() < 0.3:
        return view.legal.all_in or view.legal.passive
    return view.legal.passive


@pytest.mark.parametrize("driver", ["direct", "stepper", "threads"])
def test_all_in_is_the_action_that_puts_the_stack_in(driver: str) -> None:
    one, other = (
        simulate([bot, "maniac"], hands=30, seed=4, driver=driver)
        for bot in (goes_all_in, goes_all_in_by_hand)
    )
    assert one.digest == other.digest
    assert one.players[0].faults.total == 0
    assert AllIn() == AllIn()
    assert str(AllIn()) == "all_in"


def test_all_in_is_illegal_where_no_action_puts_the_stack_in() -> None:
    result = simulate([lambda view: AllIn(), "caller"], hands=10, seed=4, game="limit-holdem")
    faults = result.players[0].faults
    assert faults.illegal == faults.total > 0
    assert faults.first == "all_in: the rules allow no such thing here"


def test_the_odds_and_the_cage_of_one_that_goes_all_in_are_those_of_the_action() -> None:
    view = turn()
    assert odds_of(lambda view: AllIn()).probabilities(view) == {view.legal.all_in: 1.0}
    assert _decided(lambda view: AllIn(), view) == {"action": str(view.legal.all_in)}
    limited = turn(game="limit-holdem")
    assert _decided(lambda view: AllIn(), limited)["fault"] == "illegal"
