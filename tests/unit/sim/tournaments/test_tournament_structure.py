"""Structures: levels that rise, settings that can be, and a form that travels."""

import json
from typing import Any

import pytest

from poker_actors.errors import BadSpec
from poker_actors.rules import Stakes
from poker_actors.sim.tournaments import Pace, Structure, TournamentPlan, blinds, multi_table, sit_and_go


def test_blinds_rise_by_the_ladder() -> None:
    assert [str(level) for level in blinds(25, 4)] == ["25/50", "37/74", "50/100", "75/150"]
    assert [level.big_blind for level in blinds(10, 9)] == [20, 30, 40, 60, 80, 120, 160, 200, 300]


def test_antes_begin_with_their_level() -> None:
    levels = blinds(100, 3, ante_from=2, big_blind_ante_from=3)
    assert levels == (
        Stakes(100, 200),
        Stakes(150, 300, ante=37),
        Stakes(200, 400, ante=50, big_blind_ante=400),
    )


@pytest.mark.parametrize("preset", [sit_and_go(), multi_table()], ids=str)
def test_past_the_last_level_the_blinds_double(preset: Structure) -> None:
    last = preset.levels[-1]
    after = preset.stakes(len(preset.levels))
    assert (after.small_blind, after.big_blind) == (2 * last.small_blind, 2 * last.big_blind)
    far = preset.stakes(10_000)
    assert last.big_blind < far.big_blind <= 10**12


def test_a_level_by_hands_is_counted_in_hands_and_one_by_minutes_in_seconds() -> None:
    assert [sit_and_go(length=10).level(hand) for hand in (0, 9, 10, 25)] == [0, 0, 1, 2]
    timed = multi_table(pace=Pace(30, 5))
    assert timed.takes(4) == 50
    assert sit_and_go().takes(4) == 1


@pytest.mark.parametrize(
    "structure",
    [sit_and_go(), multi_table(rebuys=2, rebuy_until=3, shares=(60, 40), pace=Pace(20, 3))],
    ids=str,
)
def test_a_structure_travels_as_json(structure: Structure) -> None:
    assert Structure.from_dict(json.loads(json.dumps(structure.to_dict()))) == structure


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seats": 1}, "seats is 1: the minimum is 2"),
        ({"seats": 11}, "seats 11: a table of holdem has 2 to 10"),
        ({"final_seats": 4}, "the final table of 4 is smaller"),
        ({"length": 0}, "length is 0"),
        ({"stack": 0}, "stack is 0"),
        ({"by": "orbits"}, "levels by 'orbits'"),
        ({"levels": ()}, "at least one level"),
        ({"rebuys": 1}, "1 rebuys until level 0: set both or neither"),
        ({"add_on_stack": 5}, "an add-on is sold at the end of the rebuys"),
        ({"shares": (30, 70)}, "place 2 gets 70"),
        ({"buy_in": 1.5}, "buy in is 1.5"),
        ({"game": "bridge"}, "no game is called 'bridge'"),
    ],
)
def test_a_structure_that_cannot_be_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        sit_and_go(**changed)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 1}, "players is 1: the minimum is 2"),
        ({"players": 10_001}, "the maximum is 10000"),
        ({"players": 6, "late": 5}, "5 of 6 players come late"),
        ({"players": 6, "rebuys": 1}, "wants 1 rebuys: the maximum is 0"),
        ({"players": 6, "add_on": True}, "has no add-on"),
        ({"players": 6, "seed": "x"}, "seed 'x' is not a whole number"),
        ({"players": 6, "bots": []}, "no bot is given"),
        ({"players": 6, "bots": ["cpu-seed"]}, "needs everybody's cards"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        TournamentPlan.of(multi_table(), settings.pop("players"), **settings)


def test_latecomers_need_a_structure_with_late_registration() -> None:
    with pytest.raises(BadSpec, match="closes at the start"):
        TournamentPlan.of(sit_and_go(), 6, late=1)
