"""Going back is exact: at every step of random hands the room hashes as it did before."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.debug import Script, Stepper
from poker_actors.debug.session import open_playback
from poker_actors.debug.state import state_hash
from poker_actors.rules import Action, Call, Check, Fold, RaiseTo, View

BOTS = ("random", "random", "caller", "tight", "loose", "maniac")


def script_of(seed: int, seats: int, stacks: str, order: int | None, hand: int = 0) -> Script:
    return Script.of(BOTS[:seats], seed=seed, stacks=stacks, order=order, hand=hand)


def hashes_of(script: Script) -> list[str]:
    with Stepper(script) as stepper:
        hashes = [stepper.hash()]
        while stepper.step() is not None:
            hashes.append(stepper.hash())
        return hashes


def check_time_travel(script: Script, leap: int) -> None:
    """Stepping equals running; back and forward again equals not having moved, at every step."""
    hashes = hashes_of(script)
    with Stepper(script) as stepper:
        stepper.run()
        assert (stepper.position, stepper.hash()) == (len(hashes) - 1, hashes[-1])
        stepper.goto(0)
        for position in range(len(hashes) - 1):
            assert stepper.hash() == hashes[position]
            stepper.step()
            if position % leap == leap - 1:
                here = stepper.hash()
                gone = position + 1 - stepper.back(leap)
                assert stepper.hash() == hashes[position + 1 - gone]
                stepper.goto(position + 1)
                assert stepper.hash() == here
        assert stepper.hash() == hashes[-1]


scripts = st.builds(
    script_of,
    seed=st.integers(0, 10**6),
    seats=st.integers(2, 6),
    stacks=st.sampled_from(["100bb", "12bb", "2bb"]),
    order=st.none() | st.integers(0, 1000),
    hand=st.integers(0, 50),
)


@settings(max_examples=25, deadline=None)
@given(script=scripts, leap=st.integers(1, 40))
def test_back_then_forward_equals_not_having_moved(script: Script, leap: int) -> None:
    check_time_travel(script, leap)


@pytest.mark.heavy
def test_back_then_forward_is_exact_at_every_step_of_1000_hands() -> None:
    for seed in range(1000):
        order = seed if seed % 3 == 0 else None
        script = script_of(seed, 2 + seed % 5, ("100bb", "12bb", "3bb")[seed % 3], order)
        check_time_travel(script, 1 + seed % 17)


@settings(max_examples=20, deadline=None)
@given(script=scripts, data=st.data())
def test_a_fork_has_the_past_of_its_session_and_leaves_it_alone(script: Script, data: st.DataObject) -> None:
    hashes = hashes_of(script)
    position = data.draw(st.integers(0, len(hashes) - 2))
    with Stepper(script) as stepper:
        stepper.goto(position)
        places = stepper._playback.source.runtime.choices
        with stepper.fork(place=data.draw(st.sampled_from(places))) as other:
            other.run()
            assert other.over
            assert [one.delivery.receiver for one in other.steps[:position]] == [
                one.delivery.receiver for one in stepper.steps[:position]
            ]
            hand = other.hand
            assert hand is None or sum(hand.stacks) == sum(hand.starting)
        assert stepper.hash() == hashes[position]
        stepper.run()
        assert stepper.hash() == hashes[-1]


class Sulks:
    """A bot with a memory over hands, and luck: whoever loses often plays less."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, view: View) -> Action:
        self.asked += 1
        if self.asked % 11 == 10:
            raise ZeroDivisionError("divided by its patience")
        if self.asked % 7 == 6:
            return RaiseTo(1)
        if view.rng.random() < 0.3 and self.asked > 3:
            return Fold()
        return Call() if view.to_call else Check()


def full_replay(script: Script, position: int) -> str:
    playback = open_playback(script)
    try:
        while playback.position < position and playback.advance() is not None:
            pass
        return state_hash(playback.state())
    finally:
        playback.close()


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    stacks=st.sampled_from([None, "12bb", "40,90,7,200"]),
    order=st.none() | st.integers(0, 1000),
    seconds=st.none() | st.just(30.0),
    data=st.data(),
)
def test_every_position_of_several_hands_equals_a_full_replay(
    seed: int, stacks: str | None, order: int | None, seconds: float | None, data: st.DataObject
) -> None:
    bots = [Sulks, "random", Sulks, "tight"]
    script = Script.of(bots, seed=seed, hands=4, stacks=stacks, order=order, turn_seconds=seconds)
    with Stepper(script) as stepper:
        stepper.run()
        end = stepper.position
        for _ in range(12):
            position = data.draw(st.integers(0, end))
            stepper.goto(position)
            assert stepper.hash() == full_replay(script, position)


def test_a_fork_late_in_a_session_goes_on_with_bots_that_remember() -> None:
    script = Script.of([Sulks, "random", Sulks, "tight"], seed=3, hands=6)
    with Stepper(script) as stepper:
        stepper.run()
        there = stepper.hash()
        stepper.goto(stepper.position // 2)
        with stepper.fork(place=0) as same:
            same.run()
            assert same.hash() == there
