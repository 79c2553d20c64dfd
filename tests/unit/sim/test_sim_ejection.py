"""An ejection falls in the same hand for every driver and any split of the hands."""

from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from poker_actors.bots import FaultLimits, Faults
from poker_actors.rules import Action, Call, Check, Fold, View
from poker_actors.sim import Duplicate, Form, Match, play_hand, simulate
from poker_actors.sim.drivers import DRIVERS
from poker_actors.sim.engines import Job, pieces_of, play_block, play_hands, play_on_executor
from poker_actors.sim.record import hand_record

HERE = Path(__file__)


def sometimes(view: View) -> Action:
    """Goes wrong about every tenth time, by its luck; plays on otherwise."""
    if view.rng.random() < 0.1:
        raise ValueError("not my day")
    return Call() if view.to_call else Check()


class Here(Executor):
    """Runs each piece when it is handed out, and counts them."""

    def __init__(self) -> None:
        self.pieces = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.pieces += 1
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


BOTS: list[Any] = [sometimes, "caller", "tight"]


@pytest.mark.parametrize("form", [None, Duplicate()])
def test_the_hundredth_fault_ejects_and_what_follows_checks_or_folds(form: Form | None) -> None:
    asked: list[int] = []

    def watched(view: View) -> Action:
        asked.append(view.hand_number or 0)
        return sometimes(view)

    result = simulate([watched, "caller", "tight"], hands=600, seed=5, form=form)
    faults = result.players[0].faults
    assert faults.raised == faults.total == FaultLimits().faults == 100
    assert faults.ejected == asked[-1]
    assert 0 < asked[-1] < 500
    assert f"ejected in hand {faults.ejected}" in "\n".join(result.remarks)
    assert result.chips_in == result.chips_out


@pytest.mark.parametrize("driver", sorted(DRIVERS))
@pytest.mark.parametrize("form", [None, Duplicate()])
def test_every_driver_ejects_in_the_same_hand(driver: str, form: Form | None) -> None:
    hands = 450 if driver != "threads" else 390
    result = simulate(BOTS, hands=hands, seed=5, form=form, driver=driver)
    assert result == simulate(BOTS, hands=hands, seed=5, form=form)
    assert result.players[0].faults.ejected is not None


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_any_number_of_workers_ejects_in_the_same_hand(workers: int) -> None:
    executor = Here()
    result = simulate(BOTS, hands=900, seed=5, executor=executor, workers=workers)
    alone = simulate(BOTS, hands=900, seed=5)
    assert result == alone
    assert result.players[0].faults == alone.players[0].faults
    again = executor.pieces - len(pieces_of(Match.of(BOTS, hands=900, seed=5), workers))
    # what was handed out before the ejection was known, and no more, is played again
    assert 1 <= again <= 2 * workers


def test_two_processes_eject_in_the_same_hand() -> None:
    bots = [f"{HERE}:sometimes", "caller", "tight"]
    assert simulate(bots, hands=900, seed=5, workers=2) == simulate(bots, hands=900, seed=5)


def test_without_an_ejection_no_piece_is_played_twice() -> None:
    executor = Here()
    match = Match.of(BOTS, hands=100, seed=5)
    assert (
        sum(
            sums.hands
            for sums in play_on_executor(Job(match), range(match.hands), executor=executor, workers=3)
        )
        == 100
    )
    assert executor.pieces == len(pieces_of(match, 3))


def test_an_ejected_bot_is_timed_no_more_and_stays_out() -> None:
    turns = 0

    def broken(view: View) -> Action:
        nonlocal turns
        turns += 1
        raise RuntimeError("always")

    result = simulate([broken, "caller"], hands=400, seed=5)
    assert turns == 100 == result.players[0].illegal_actions
    assert result.players[0].net_chips < 0


def test_a_stretch_that_begins_with_an_ejected_bot_does_not_ask_it() -> None:
    def never(view: View) -> Action:
        raise AssertionError("asked")

    match = Match.of([never, "caller"], hands=20, seed=5)
    job = Job(match, before=(Faults(raised=100, ejected=3), Faults()))
    faults = [sums.faults for sums in play_block(job, range(20))][-1]
    assert faults[0] == Faults(ejected=3)


def test_the_same_bot_in_two_seats_is_ejected_from_each_for_itself() -> None:
    def left_only(view: View) -> Action:
        if view.seat == 0:
            raise RuntimeError("not here")
        return Call() if view.to_call else Fold()

    one, other = simulate([left_only, left_only], hands=300, seed=5).players
    assert (one.faults.ejected is not None, other.faults.total) == (True, 0)


def test_a_hand_after_an_ejection_can_be_played_alone_by_saying_who_was_out() -> None:
    match = Match.of(BOTS, hands=600, seed=5)
    ejected = simulate(BOTS, hands=600, seed=5).players[0].faults.ejected
    assert ejected is not None
    played = list(play_hands(Job(match), range(600), []))
    for number in range(ejected + 1, 600, 7):
        alone = play_hand(match, number, ejected=[0])[0]
        assert hand_record(number, alone) == hand_record(number, played[number][1])
    assert any(play_hand(match, n)[0].log != played[n][1].log for n in range(ejected + 1, 600))
