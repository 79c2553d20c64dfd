"""What can be played, and what is said about what cannot."""

from typing import Any

import pytest

from poker_actors.errors import BadInput, UnknownBot
from poker_actors.rules import Stakes
from poker_actors.sim import DEFAULT_BOTS, Match


def match(**changes: Any) -> Match:
    given: dict[str, Any] = {"bots": ["caller", "folder", "random"], "hands": 10, "seed": 1} | changes
    return Match.of(given.pop("bots"), **given)


@pytest.mark.parametrize(
    ("stacks", "chips"),
    [
        ("200", (200, 200, 200)),
        ("200,150,90", (200, 150, 90)),
        ("100bb", (500, 500, 500)),
        ("100bb, 40, 1bb", (500, 40, 5)),
        (70, (70, 70, 70)),
        ([1, 2, 3], (1, 2, 3)),
    ],
)
def test_stacks_are_chips_or_big_blinds_for_all_or_by_seat(stacks: Any, chips: tuple[int, ...]) -> None:
    assert Stakes(2, 5).stacks(stacks, 3) == chips


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bots": ["caller"]}, "1 bot: holdem seats 2 to 10"),
        ({"bots": "caller"}, "1 bot: holdem seats 2 to 10"),
        ({"bots": []}, "0 bots: holdem seats 2 to 10"),
        ({"bots": ["caller"] * 11}, "11 bots: holdem seats 2 to 10"),
        ({"hands": 0}, "hands is 0: it must be 1 to"),
        ({"hands": 1.5}, "hands is 1.5: it must be 1 to"),
        ({"seed": "7"}, "seed '7' is not a whole number"),
        ({"stacks": "200,x,1"}, "stacks '200,x,1': 'x' is neither chips nor big blinds"),
        ({"stacks": "1,2"}, "2 stacks for 3 seats: give one for all or one per seat"),
        ({"stacks": 0}, "a stack is 0: the minimum is 1"),
        ({"stacks": 10**13}, "a stack is 10000000000000: the maximum is 1000000000000"),
        ({"stacks": [1, 2, 2.5]}, "a stack is 2.5: chips must be whole numbers"),
        ({"stakes": "2"}, "blinds '2' are not SMALL/BIG"),
        ({"game": "chess"}, "no game is called 'chess'"),
    ],
)
def test_what_cannot_be_played_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        match(**changes)
    assert message in str(caught.value)


def test_a_bot_nobody_knows_is_refused_before_their_number() -> None:
    with pytest.raises(UnknownBot):
        match(bots=["nobody"])


def test_the_button_moves_on_by_a_seat_and_bots_keep_theirs() -> None:
    settings = [match().setting(hand) for hand in range(4)]
    assert [setting.button for setting in settings] == [0, 1, 2, 0]
    assert {setting.bots for setting in settings} == {(0, 1, 2)}
    assert {setting.stacks for setting in settings} == {(200, 200, 200)}


def test_without_a_seed_one_is_drawn_and_told() -> None:
    first, second = match(seed=None), match(seed=None)
    assert first.seed != second.seed
    assert match(seed=first.seed).deck(3).draw(5) == first.deck(3).draw(5)


def test_the_default_bots_are_six_different_ones() -> None:
    assert len(set(DEFAULT_BOTS)) == len(match(bots=DEFAULT_BOTS).bots) == 6
