"""Who sits where, and what is refused before the first card."""

from typing import Any

import pytest

from poker_actors.console import five_card_setup, holdem_setup
from poker_actors.errors import BadSpec, UnknownBot
from poker_actors.rules import Stakes


def test_the_cpu_opens_and_both_have_200_credits() -> None:
    setup = five_card_setup(seed=1)
    assert (setup.names, setup.stacks, setup.seat, setup.button) == (("CPU", "You"), (200, 200), 1, 1)
    assert not setup.button_moves
    assert str(setup.bots[0]) == "cpu-seed:level=normal,chances=coded"


def test_the_screen_says_whether_the_cpu_peeks() -> None:
    assert "peeks" in five_card_setup(seed=1).remarks[0]
    assert five_card_setup(seed=1).notice == "the CPU peeks"
    assert "does not see" in five_card_setup(seed=1, cpu="fair").remarks[0]


def test_named_bots_sit_down_again_where_there_are_more_seats() -> None:
    setup = holdem_setup(seed=1, players=5, bots=["tight:vpip=0.3", "caller"])
    assert setup.names == ("You", "tight 1", "caller 1", "tight 2", "caller 2")
    assert setup.stacks == (200,) * 5
    assert setup.seat == setup.button == 0


def test_six_sit_down_when_nobody_is_named_and_one_more_than_the_bots_when_some_are() -> None:
    assert len(holdem_setup(seed=1).names) == 6
    assert holdem_setup(seed=1, bots=["caller", "folder"]).names == ("You", "caller", "folder")


def test_a_name_is_short_whatever_a_bot_is_called(tmp_path: Any) -> None:
    place = tmp_path / "my bots.py"
    place.write_text(
        "from poker_actors.rules import Fold\ndef play(view):\n    return Fold()\n", encoding="utf-8"
    )
    assert holdem_setup(seed=1, bots=[f"{place}:play"]).names == ("You", "my-bots.py")


def test_stacks_are_chips_or_big_blinds_for_all_or_one_by_one() -> None:
    stakes = Stakes(5, 10)
    assert holdem_setup(seed=1, players=2, stakes=stakes).stacks == (1000, 1000)
    assert holdem_setup(seed=1, players=2, stakes=stakes, stacks="50bb, 70").stacks == (500, 70)


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"players": 1}, "--players 1: holdem seats 2 to 10, including you"),
        ({"players": 11}, "--players 11: holdem seats 2 to 10"),
        ({"players": 2, "bots": ["caller", "folder"]}, "2 bots for 2 seats: one of them is yours"),
        ({"bots": ["caller"] * 10}, "--players 11"),
        ({"stacks": "ten"}, "neither chips nor big blinds"),
        ({"stacks": "0"}, "a stack is 0: the minimum is 1"),
        ({"stacks": "1,2,3"}, "3 stacks for 6 seats"),
        ({"stacks": "9999999999999"}, "the maximum is 1000000000000"),
        ({"game": "five-card"}, "see poker-actors console"),
        ({"game": "chess"}, "no game is called 'chess'"),
    ],
)
def test_a_table_that_cannot_be_is_refused(settings: dict[str, Any], refusal: str) -> None:
    with pytest.raises(BadSpec, match=refusal):
        holdem_setup(seed=1, **settings)


def test_an_unknown_bot_is_named_with_the_nearest() -> None:
    with pytest.raises(UnknownBot, match="did you mean tight"):
        holdem_setup(seed=1, bots=["tigth"])


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"cpu": "kind"}, "--cpu kind must be seed or fair"),
        ({"classes": "suits"}, "--classes suits must be one of counts, printed, kickers"),
        ({"level": "mad"}, "level=mad must be one of easy, normal, hard"),
        ({"chances": "even"}, "chances=even must be one of coded, commented"),
    ],
)
def test_a_setting_that_is_not_there_is_refused(settings: dict[str, str], refusal: str) -> None:
    with pytest.raises(BadSpec, match=refusal):
        five_card_setup(seed=1, **settings)


def test_a_level_is_for_all_bots_that_are_not_named() -> None:
    setup = holdem_setup(seed=1, players=3, level="casual")
    assert [str(bot) for bot in setup.bots if bot is not None] == ["expert:level=casual"] * 2
    with pytest.raises(BadSpec, match="--level casual does not apply to named bots"):
        holdem_setup(seed=1, bots=["tight"], level="casual")
