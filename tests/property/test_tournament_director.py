"""Whatever happens in the hands of a tournament: chips, money, places and tables stay in order."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.sim.tournaments import Deal, Director, Entrant, Pace, Structure, multi_table
from poker_actors.sim.tournaments.field import FloorTable

SETTINGS = settings(max_examples=60, deadline=None)


@st.composite
def plans(draw: st.DrawFn) -> tuple[Structure, list[Entrant]]:
    """A structure and who enters."""
    seats = draw(st.integers(2, 9))
    by = draw(st.sampled_from(("hands", "minutes")))
    unit = 1 if by == "hands" else 60
    changed: dict[str, Any] = {
        "by": by,
        "length": draw(st.integers(2, 8)) * unit,
        "pace": Pace(60, draw(st.sampled_from((0, 13)))),
        "final_seats": draw(st.sampled_from((0, min(seats + 2, 10)))),
        "late_until": draw(st.integers(0, 3)),
        "buy_in": draw(st.integers(0, 200)),
        "fee": draw(st.integers(0, 20)),
        "stack": draw(st.sampled_from((7, 1500))),
        "prize_unit": draw(st.sampled_from((1, 10))),
    }
    if draw(st.booleans()):
        changed |= {"rebuys": 2, "rebuy_until": draw(st.integers(1, 3)), "rebuy_cost": 35}
        if draw(st.booleans()):
            changed |= {"add_on_stack": 900, "add_on_cost": 20}
    structure = multi_table(seats, **changed)
    end = structure.late_until * structure.length
    there = draw(st.integers(2, 30))
    late = draw(st.lists(st.integers(1, end - 1), max_size=8)) if end > 1 else []
    entrants = [
        Entrant(f"p{number}", at, draw(st.integers(0, structure.rebuys)), draw(st.booleans()))
        for number, at in enumerate([0] * there + late)
    ]
    return structure, entrants


def outcome(deal: Deal, seed: int) -> tuple[list[int], int]:
    """How a hand ends: now and then somebody loses everything; the same for the same hand."""
    luck = Random(f"{seed}/{deal.number}")
    stacks = list(deal.stacks)
    dealt = deal.positions.dealt
    for _ in range(luck.choice((1, 1, 2, 3))):
        loser, winner = luck.sample(dealt, 2)
        lost = luck.choice((0, stacks[loser] // 2, stacks[loser], stacks[loser]))
        stacks[loser] -= lost
        stacks[winner] += lost
    return stacks, luck.randrange(20)


def begun(structure: Structure, entrants: list[Entrant], kind: type[Director] = Director) -> Director:
    director = kind(structure, seed=5)
    for entrant in entrants:
        director.enter(entrant)
    director.start()
    return director


def play(director: Director, seed: int, order: Random | None = None) -> list[Deal]:
    """Play to the end, looking at everything after each report; gives the hands dealt, in order."""
    dealt: dict[int, Deal] = {}
    reported = 0
    while not director.over:
        deals = director.deals
        for deal in deals:
            if deal.number not in dealt:
                dealt[deal.number] = deal
                check_deal(director, deal)
        deal = deals[0] if order is None else order.choice(deals)
        director.report(deal.number, *outcome(deal, seed))
        reported += 1
        check(director)
        assert reported < 20_000
    return list(dealt.values())


def check_deal(director: Director, deal: Deal) -> None:
    """What holds as a hand is dealt."""
    assert sum(stack > 0 for stack in deal.stacks) == len(deal.positions.dealt) >= 2
    assert deal.positions.big_blind in deal.positions.dealt
    assert all(deal.stacks[seat] and deal.players[seat] for seat in deal.positions.dealt)


def check(director: Director) -> None:
    """What holds at every moment."""
    assert director.chips_out == director.chips_in
    assert director.money.conserved
    floor = director.floor
    seated = [name for table in floor.open for name in table.players]
    assert len(seated) == len(set(seated))
    assert set(seated) <= set(director.players)
    if director.over:
        return
    counts = [table.count for table in floor.open]
    players = sum(counts)
    if floor.breaking is None and not floor.halted:
        # no table can be broken
        assert len(counts) == 1 or players > floor.seats * (len(counts) - 1)
        idle = [table for table in floor.open if table.playing is None and table.count >= min(counts) + 2]
        assert idle == []
    if not floor.in_play:
        assert max(counts) - min(counts) <= 1


@given(plans(), st.integers(0, 10**6))
@SETTINGS
def test_chips_money_and_tables_are_in_order_at_every_moment(
    plan: tuple[Structure, list[Entrant]], seed: int
) -> None:
    structure, entrants = plan
    director = begun(structure, entrants)
    play(director, seed)
    players = director.players.values()
    assert len(players) == len(entrants)
    assert sum(player.stack for player in players) == director.chips_in
    assert [player.name for player in players if player.stack] == [director.winner]
    assert sum(player.prize for player in players) == director.money.prize_in == director.money.prize_out
    assert sum(director.prizes) == director.money.prize_in
    assert director.money.held == director.money.fees == structure.fee * len(entrants)


@given(plans(), st.integers(0, 10**6))
@SETTINGS
def test_every_finishing_place_is_taken_once_and_ties_share_theirs(
    plan: tuple[Structure, list[Entrant]], seed: int
) -> None:
    director = begun(*plan)
    play(director, seed)
    by_place: dict[int, int] = {}
    for player in director.players.values():
        by_place[player.place] = by_place.get(player.place, 0) + 1
        assert player.tied == (sum(other.place == player.place for other in director.players.values()) > 1)
    taken = [place + extra for place, count in by_place.items() for extra in range(count)]
    assert sorted(taken) == list(range(1, len(director.players) + 1))
    prizes = sorted(director.players.values(), key=lambda player: player.place)
    assert all(one.prize + 1 >= other.prize for one, other in pairwise(prizes))


@given(plans(), st.integers(0, 10**6), st.randoms(use_true_random=False))
@SETTINGS
def test_in_whatever_order_hands_are_reported_the_tournament_is_the_same(
    plan: tuple[Structure, list[Entrant]], seed: int, order: Random
) -> None:
    one, two = begun(*plan), begun(*plan)
    assert sorted(map(repr, play(one, seed))) == sorted(map(repr, play(two, seed, order)))
    assert (one.digest, one.moments, one.winner) == (two.digest, two.moments, two.winner)


@given(plans(), st.integers(0, 10**6), st.randoms(use_true_random=False))
@SETTINGS
def test_a_director_comes_back_from_its_events_at_any_moment(
    plan: tuple[Structure, list[Entrant]], seed: int, luck: Random
) -> None:
    whole = begun(*plan)
    play(whole, seed)
    events = whole.events[: luck.randrange(len(plan[1]) + 1, len(whole.events) + 1)]
    again = Director.replay(plan[0], 5, events)
    assert again.events == events
    if not again.over:
        play(again, seed)
    assert (again.digest, again.winner, again.moments) == (whole.digest, whole.winner, whole.moments)


@given(plans(), st.integers(0, 10**6))
@SETTINGS
def test_hand_for_hand_no_table_begins_a_hand_before_all_have_finished_theirs(
    plan: tuple[Structure, list[Entrant]], seed: int
) -> None:
    director = begun(*plan)
    dealt = play(director, seed)
    ends = {deal.number: deal.start + director.structure.takes(outcome(deal, seed)[1]) for deal in dealt}
    rounds = sorted({deal.start for deal in dealt if deal.hand_for_hand})
    for start in rounds:
        together = [deal for deal in dealt if deal.start == start and deal.hand_for_hand]
        before = [deal for deal in dealt if deal.start < start]
        after = [deal for deal in dealt if deal.start > start]
        assert max((ends[deal.number] for deal in before), default=0) <= start
        assert all(deal.start >= max(ends[other.number] for other in together) for deal in after)
    assert len(rounds) == director.rounds


@given(plans(), st.integers(0, 10**6), st.randoms(use_true_random=False))
@SETTINGS
def test_by_the_clock_of_a_room_everything_is_in_order_too(
    plan: tuple[Structure, list[Entrant]], seed: int, luck: Random
) -> None:
    structure, entrants = plan
    director = Director(structure, seed=5, paced=False)
    waiting = [entrant for entrant in entrants if entrant.at]
    for entrant in entrants:
        if not entrant.at:
            director.enter(entrant)
    director.start()
    now = 0
    while not director.over:
        now += luck.choice((0, 1, 40, 90))
        if waiting and not director.closed and director.time < structure.late_until * structure.length:
            director.enter(attrs.evolve(waiting.pop(), at=director.time))
        else:
            deal = luck.choice(director.deals)
            director.report(deal.number, *outcome(deal, seed), now)
        check(director)
    assert sum(player.prize for player in director.players.values()) == director.money.prize_in
    again = Director.replay(structure, 5, director.events, paced=False)
    assert (again.digest, again.moments) == (director.digest, director.moments)


class Watched(Director):
    """Looks at the tables as each hand is dealt."""

    def _deal_at(self, table: FloorTable) -> Deal:
        counts = [other.count for other in self.floor.open]
        if self.floor.breaking is None:
            assert all(abs(table.count - other) <= 1 for other in counts)
        return super()._deal_at(table)


@given(plans(), st.integers(0, 10**6))
@SETTINGS
def test_a_hand_is_dealt_at_a_table_within_one_player_of_every_other_unless_one_is_to_be_broken(
    plan: tuple[Structure, list[Entrant]], seed: int
) -> None:
    play(begun(*plan, kind=Watched), seed)
