"""Whole tournaments of bots: the same seed is the same tournament, hand by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from poker_actors.rules import Call, Check, Fold, View
from poker_actors.sim.tournaments import (
    Director,
    Structure,
    TournamentPlan,
    multi_table,
    play_direct,
    play_hand,
    sit_and_go,
)
from poker_actors.sim.tournaments.result import result_of

FIELDS: list[tuple[Structure, int, dict[str, Any]]] = [
    (sit_and_go(6), 6, {}),
    (sit_and_go(2), 2, {"bots": ["tight"]}),
    (multi_table(6), 30, {"late": 7}),
    (
        multi_table(4, rebuys=2, rebuy_until=3, add_on_stack=9000, add_on_cost=40, fee=9),
        14,
        {"rebuys": 2, "add_on": True},
    ),
    (multi_table(9, by="hands", length=8, game="omaha"), 25, {"bots": ["caller", "tight", "random"]}),
]


@pytest.mark.parametrize(("structure", "players", "settings"), FIELDS, ids=lambda value: str(value)[:14])
def test_a_tournament_ends_with_a_winner_and_with_every_chip_and_all_the_money(
    structure: Structure, players: int, settings: dict[str, Any]
) -> None:
    plan = TournamentPlan.of(structure, players, seed=2, **settings)
    result = play_direct(plan)
    assert result.winner is not None
    assert result.standings[0].name == result.winner
    assert result.conserved
    assert result.chips_in == result.chips_out
    assert result.prize_in == result.prize_out == sum(placed.prize for placed in result.standings)
    assert sum(placed.paid for placed in result.standings) == result.prize_in + result.fees
    assert [placed.place for placed in result.standings] == sorted(
        placed.place for placed in result.standings
    )
    assert play_direct(plan).to_dict() == result.to_dict()
    assert json.loads(json.dumps(result.to_dict()))["digest"] == result.digest


def test_another_seed_is_another_tournament() -> None:
    one, other = (play_direct(TournamentPlan.of(sit_and_go(6), 6, seed=seed)) for seed in (1, 2))
    assert one.digest != other.digest


def test_any_hand_can_be_played_alone() -> None:
    plan = TournamentPlan.of(multi_table(6), 18, seed=4)
    deals = {}
    ends = {}

    def watch(director: Director) -> None:
        for deal in director.deals:
            deals[deal.number] = deal
        ends.update(
            {json.loads(event)[1]: json.loads(event)[3] for event in director.events if '"hand"' in event}
        )

    play_direct(plan, watch)
    assert len(deals) > 20
    for number in sorted(deals)[::5]:
        assert list(play_hand(plan, deals[number]).stacks) == ends[number]


def test_standings_so_far_list_who_is_in_before_who_is_out_and_the_last_to_go_before_the_first() -> None:
    seen: list[list[int | None]] = []

    def watch(director: Director) -> None:
        seen.append([placed.out_at for placed in result_of(director, {}, {}).standings if placed.place == 0])

    play_direct(TournamentPlan.of(multi_table(4), 12, seed=11), watch)
    assert any(None in outs and outs[-1] is not None for outs in seen)
    for outs in seen:
        out = [time for time in outs if time is not None]
        assert outs == [None] * (len(outs) - len(out)) + sorted(out, reverse=True)


def stubborn(view: View) -> Call | Check | Fold:
    """A bot that always calls, and calls what cannot be called, too."""
    return Call()


def test_the_faults_of_a_bot_are_counted_with_its_player() -> None:
    result = play_direct(TournamentPlan.of(sit_and_go(3), 3, ["tight", stubborn], seed=1))
    faults = {placed.bot: placed.faults for placed in result.standings}
    assert faults["stubborn"] > 0
    assert faults["tight"] == 0
