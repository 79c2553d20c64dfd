"""Going back is exact: at every step of random hands the room hashes as it did before."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.debug import Script, Stepper
from poker_actors.debug.session.playback import Playback

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
        assert isinstance(stepper._playback, Playback)
        places = stepper._playback.runtime.choices
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
