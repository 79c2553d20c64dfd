"""Tournaments: seats, moves and blinds by the rules of the TDA (2024: 10, 11, 32), hand for hand, ties."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.rules import Positions
from poker_actors.sim.tournaments import (
    Deal,
    Director,
    Entrant,
    Pace,
    Structure,
    blinds,
    multi_table,
    sit_and_go,
    tournament_positions,
)

SIZE = 6


def director_of(players: int, **changed: Any) -> Director:
    """A tournament that has begun; every hand takes 60 seconds and a level an hour unless said otherwise."""
    fields: dict[str, Any] = {"length": 3600, "late_until": 0, "pace": Pace(60, 0), "stack": 1000}
    director = Director(multi_table(**{"seats": SIZE, **fields, **changed}), seed=1)
    for number in range(players):
        director.enter(Entrant(f"p{number}"))
    director.start()
    return director


def lose(director: Director, deal: Deal, *losers: int, actions: int = 0) -> None:
    """Report that these seats lost everything to the first other seat."""
    stacks = list(deal.stacks)
    winner = next(seat for seat in deal.positions.dealt if seat not in losers)
    for seat in losers:
        stacks[winner] += stacks[seat]
        stacks[seat] = 0
    director.report(deal.number, stacks, actions)


def deal_at(director: Director, table: int) -> Deal:
    (deal,) = [deal for deal in director.deals if deal.table == table]
    return deal


def counts(director: Director) -> dict[int, int]:
    return {table.number: table.count for table in director.floor.open}


def places(director: Director) -> dict[str, int]:
    return {name: player.place for name, player in director.players.items() if player.place}


# -- who is dealt in ------------------------------------------------------------------------------

LAST: Positions = Positions(button=0, small_seat=1, big_blind=2, dealt=(0, 1, 2, 4))
"""The next button is on seat 1, the small blind on seat 2, the big blind on whoever is first left of that."""


def test_rule_10a_who_comes_to_the_seat_of_the_big_blind_posts_it_and_is_dealt_in() -> None:
    now = tournament_positions(LAST, [0, 1, 2, 3, 4], SIZE)
    assert (now.button, now.small_blind, now.big_blind) == (1, 2, 3)
    assert now.dealt == (0, 1, 2, 3, 4)


def test_rule_10a_who_comes_to_the_seat_of_the_small_blind_posts_it_and_is_dealt_in() -> None:
    # the big blind of the last hand is out, and somebody else has come to seat 2
    now = tournament_positions(attrs.evolve(LAST, dealt=(0, 1, 4)), [0, 1, 2, 4], SIZE)
    assert (now.button, now.small_blind, now.big_blind) == (1, 2, 4)
    assert now.dealt == (0, 1, 2, 4)


def test_rule_10a_who_comes_to_the_seat_of_the_button_has_it_and_is_dealt_in() -> None:
    now = tournament_positions(attrs.evolve(LAST, dealt=(0, 2, 4)), [0, 1, 2, 4], SIZE)
    assert (now.button, now.small_blind, now.big_blind) == (1, 2, 4)
    assert now.dealt == (0, 1, 2, 4)


def test_rule_10a_between_the_button_and_the_small_blind_there_are_no_cards_until_the_button_has_passed() -> (
    None
):
    last = Positions(button=5, small_seat=0, big_blind=3, dealt=(0, 3, 4, 5))
    now = tournament_positions(last, [0, 1, 3, 4, 5], SIZE)
    assert (now.button, now.small_blind, now.big_blind) == (0, 3, 4)
    assert now.dealt == (0, 3, 4, 5)
    after = tournament_positions(now, [0, 1, 3, 4, 5], SIZE)
    assert (after.button, after.small_blind, after.big_blind) == (3, 4, 5)
    assert after.dealt == (0, 1, 3, 4, 5)


def test_rule_32_button_and_small_blind_are_dead_when_their_players_are_out() -> None:
    now = tournament_positions(LAST, [0, 1, 4, 5], SIZE)
    assert (now.button, now.small_blind, now.big_blind) == (1, None, 4)


# -- balancing ------------------------------------------------------------------------------------


def test_rule_11a_the_player_who_would_be_big_blind_next_is_moved() -> None:
    director = director_of(11)
    one = deal_at(director, 1)
    due = tournament_positions(one.positions, range(SIZE), SIZE).big_blind
    lose(director, deal_at(director, 2), 3)
    lose(director, one)
    (moved,) = [moment for moment in director.moments if moment.what == "moved"]
    assert (moved.player, moved.table, moved.to) == (one.players[due], 1, 2)
    assert counts(director) == {1: 5, 2: 5}


def test_rule_11a_the_worst_position_is_the_seat_that_is_big_blind_soonest() -> None:
    director = director_of(11)
    two = deal_at(director, 2)
    # seats 1 and 5 are empty at table 2 after this hand; its big blind was on seat 1, the next is on seat 2
    assert (two.positions.big_blind, two.players[5]) == (1, None)
    lose(director, two, 4)
    lose(director, deal_at(director, 1))
    (moved,) = [moment for moment in director.moments if moment.what == "moved"]
    assert moved.seat == 4
    assert [director.floor.tables[2].seats[seat] for seat in (4, 5)] == [moved.player, None]


def test_rule_11a_a_single_big_blind_is_taken_even_if_it_comes_twice() -> None:
    director = director_of(11)
    two = deal_at(director, 2)
    lose(director, two, 2)  # the seat that would be big blind next
    lose(director, deal_at(director, 1))
    (moved,) = [moment for moment in director.moments if moment.what == "moved"]
    assert (moved.to, moved.seat) == (2, 2)
    assert deal_at(director, 2).positions.big_blind == 2


def test_rule_11a_the_worst_position_is_never_the_small_blind_while_another_seat_is_free() -> None:
    director = director_of(11)
    two = deal_at(director, 2)
    lose(director, two, 1)  # the big blind: its seat owes the small blind now
    lose(director, deal_at(director, 1))
    (moved,) = [moment for moment in director.moments if moment.what == "moved"]
    assert (moved.to, moved.seat) == (2, 5)


def test_rule_11_play_halts_at_a_table_that_is_two_players_short_until_it_gets_one() -> None:
    director = director_of(12)
    lose(director, deal_at(director, 2), 2, 3)
    assert [deal.table for deal in director.deals] == [1]
    lose(director, deal_at(director, 1), actions=0)
    assert counts(director) == {1: 5, 2: 5}
    assert {deal.table for deal in director.deals} == {1, 2}


def test_a_table_in_a_hand_gives_nobody_away_before_it_is_over() -> None:
    director = director_of(12, pace=Pace(60, 10))
    lose(director, deal_at(director, 2), 2, 3, actions=1)
    lose(director, deal_at(director, 1), actions=30)
    (moved,) = [moment for moment in director.moments if moment.what == "moved"]
    assert (moved.time, moved.table, moved.to) == (360, 1, 2)
    assert deal_at(director, 2).start == 360


# -- breaking -------------------------------------------------------------------------------------


def test_a_table_is_broken_as_soon_as_the_others_have_seats_for_all_and_the_highest_number_goes_first() -> (
    None
):
    director = director_of(13)
    assert counts(director) == {1: 5, 2: 4, 3: 4}
    for table in (1, 2, 3):
        lose(director, deal_at(director, table), *([2] if table == 1 else []))
    assert counts(director) == {1: 6, 2: 6}
    broken = [moment.table for moment in director.moments if moment.what == "broken"]
    assert broken == [3]
    assert all(player.table in (1, 2) for player in director.alive)


def test_a_table_that_is_to_be_broken_plays_its_hand_to_the_end_and_no_other() -> None:
    director = director_of(13, pace=Pace(60, 10))
    slow = deal_at(director, 3)
    lose(director, deal_at(director, 1), 2)
    lose(director, deal_at(director, 2))
    assert 3 in counts(director)
    lose(director, slow, actions=50)
    while 3 in counts(director):
        assert all(deal.table != 3 for deal in director.deals)
        lose(director, director.deals[0])
    assert slow.number == 3_000_001
    assert director.floor.tables[3].hands == 1


def test_the_final_table_is_drawn_anew_when_every_hand_is_over() -> None:
    director = director_of(7, seats=SIZE)
    assert counts(director) == {1: 4, 2: 3}
    one, two = deal_at(director, 1), deal_at(director, 2)
    lose(director, one, 2)
    assert director.deals == [two]
    lose(director, two)
    assert counts(director) == {3: 6}
    assert director.floor.final == 3
    assert sorted(director.floor.tables[3].players) == sorted(player.name for player in director.alive)


def test_the_final_table_may_have_more_seats_than_the_others() -> None:
    director = director_of(9, seats=SIZE, final_seats=8)
    lose(director, deal_at(director, 1), 2)
    lose(director, deal_at(director, 2))
    assert counts(director) == {3: 8}


# -- levels ---------------------------------------------------------------------------------------


def test_a_new_level_begins_with_the_next_hand() -> None:
    structure = sit_and_go(3, levels=blinds(10, 3), length=2)
    director = Director(structure, seed=1)
    for name in "abc":
        director.enter(Entrant(name))
    director.start()
    seen = []
    for _ in range(7):
        (deal,) = director.deals
        seen.append(deal.stakes.big_blind)
        director.report(deal.number, deal.stacks, 0)
    assert seen == [20, 20, 30, 30, 40, 40, 80]


def test_a_level_by_minutes_ends_in_the_middle_of_a_hand_and_that_hand_keeps_its_blinds() -> None:
    director = director_of(2, length=100, pace=Pace(60, 0))
    seen = []
    for _ in range(4):
        (deal,) = director.deals
        seen.append((deal.start, deal.level))
        director.report(deal.number, deal.stacks, 0)
    assert seen == [(0, 0), (60, 0), (120, 1), (180, 1)]


# -- late registration, rebuys, add-on ------------------------------------------------------------


def late_structure(**changed: Any) -> Structure:
    return multi_table(SIZE, length=600, late_until=2, stack=1000, pace=Pace(60, 0), **changed)


def test_who_comes_late_sits_down_at_the_shortest_table_with_a_full_stack() -> None:
    director = Director(late_structure(), seed=1)
    for number in range(11):
        director.enter(Entrant(f"p{number}"))
    director.enter(Entrant("late", at=30))
    director.start()
    lose(director, deal_at(director, 1), 0, 1)
    lose(director, deal_at(director, 2))
    assert director.players["late"].stack == 1000
    assert director.players["late"].table == 2
    assert director.chips_in == 12_000


def test_a_table_is_opened_for_who_comes_when_every_seat_is_taken_and_gets_players() -> None:
    director = Director(late_structure(), seed=1)
    for number in range(12):
        director.enter(Entrant(f"p{number}"))
    director.enter(Entrant("late", at=30))
    director.start()
    for table in (1, 2):
        lose(director, deal_at(director, table))
    assert sorted(counts(director).values()) == [4, 4, 5]


@pytest.mark.parametrize("at", [1200, 5000])
def test_nobody_comes_after_registration_is_closed(at: int) -> None:
    director = Director(late_structure(), seed=1)
    with pytest.raises(TableRefusal, match="registration is open until 1200") as refused:
        director.enter(Entrant("late", at=at))
    assert refused.value.code == "registration_closed"


def test_nobody_enters_twice() -> None:
    director = Director(late_structure(), seed=1)
    director.enter(Entrant("ann"))
    with pytest.raises(BadSpec, match="ann has already entered"):
        director.enter(Entrant("ann", at=30))


def test_a_rebuy_is_for_a_hand_dealt_before_the_rebuys_are_over() -> None:
    structure = late_structure(rebuys=2, rebuy_until=2, rebuy_stack=1500, rebuy_cost=80, buy_in=100)
    director = Director(structure, seed=1)
    for number in range(3):
        director.enter(Entrant(f"p{number}", rebuys=1))
    director.start()
    first = director.deals[0]
    lose(director, first, 0)
    again = director.players[first.players[0] or ""]
    assert (again.stack, again.rebuys, director.chips_in) == (1500, 1, 4500)
    assert director.money.prize_in == 380
    second = director.deals[0]
    lose(director, second, 0)
    assert again.out_at == 120
    while director.time < 1200:
        lose(director, director.deals[0])
    (last,) = director.deals
    lose(director, last, last.positions.dealt[1])
    assert director.over
    assert director.money.prize_in == director.money.prize_out == 380


def test_the_add_on_is_sold_once_when_the_rebuys_are_over() -> None:
    structure = late_structure(rebuys=1, rebuy_until=1, add_on_stack=2000, add_on_cost=60, buy_in=100)
    director = Director(structure, seed=1)
    for number in range(3):
        director.enter(Entrant(f"p{number}", add_on=number > 0))
    director.start()
    while director.time < 1300:
        assert director.chips_in == (3000 if director.time < 600 else 7000)
        lose(director, director.deals[0])
    assert sorted(player.stack for player in director.alive) == [1000, 3000, 3000]
    assert director.prizes == (420,)


def test_prizes_are_known_when_nobody_can_come_or_buy_chips_any_more() -> None:
    director = Director(late_structure(buy_in=100), seed=1)
    for number in range(8):
        director.enter(Entrant(f"p{number}"))
    director.start()
    while director.time < 1200:
        assert director.prizes == ()
        for deal in director.deals:
            lose(director, deal)
    assert director.prizes == (400, 240, 160)


# -- hand for hand and ties -----------------------------------------------------------------------


def bubble(**changed: Any) -> Director:
    """Two tables of four, seven places paid: one more is out before the money."""
    return director_of(
        8, seats=4, shares=(30, 20, 15, 12, 10, 8, 5), buy_in=100, pace=Pace(60, 10), **changed
    )


def test_hand_for_hand_every_table_waits_for_the_others() -> None:
    director = bubble()
    assert director.hand_for_hand
    one, two = director.deals
    assert one.hand_for_hand
    lose(director, one, actions=1)
    assert director.deals == [two]
    lose(director, two, actions=40)
    assert [deal.start for deal in director.deals] == [460, 460]
    assert director.rounds == 2


def test_hand_for_hand_is_over_with_the_bubble() -> None:
    director = bubble()
    one, two = director.deals
    lose(director, one, 3, actions=1)
    assert director.deals == [two]
    lose(director, two, actions=2)
    assert not director.hand_for_hand
    assert not any(deal.hand_for_hand for deal in director.deals)
    assert places(director) == {one.players[3]: 8}


def test_two_out_in_one_round_hand_for_hand_with_equal_stacks_share_place_and_prize() -> None:
    director = bubble()
    one, two = director.deals
    lose(director, one, 3, actions=1)
    lose(director, two, 3, actions=30)
    assert places(director) == {one.players[3]: 7, two.players[3]: 7}
    assert [director.players[deal.players[3] or ""].prize for deal in (one, two)] == [20, 20]
    assert all(director.players[deal.players[3] or ""].tied for deal in (one, two))


def test_of_two_out_in_one_round_hand_for_hand_the_larger_stack_at_the_start_of_the_hand_ranks_higher() -> (
    None
):
    director = bubble()
    one, two = director.deals
    stacks = list(one.stacks)
    stacks[2], stacks[3] = 1400, 600
    director.report(one.number, stacks, 1)
    director.report(two.number, two.stacks, 1)
    one, two = director.deals
    lose(director, one, 3, actions=90)
    lose(director, two, 3, actions=1)
    assert places(director) == {two.players[3]: 7, one.players[3]: 8}
    assert [director.players[deal.players[3] or ""].prize for deal in (one, two)] == [0, 40]


def test_of_two_out_in_one_hand_the_larger_stack_at_its_start_ranks_higher() -> None:
    director = director_of(4, shares=(50, 30, 20), buy_in=100)
    (deal,) = director.deals
    director.report(deal.number, (500, 800, 1300, 1400, 0, 0), 4)
    (deal,) = director.deals
    director.report(deal.number, (0, 0, 2600, 1400, 0, 0), 4)
    assert places(director) == {deal.players[1]: 3, deal.players[0]: 4}


def test_three_out_in_one_hand_with_equal_stacks_share_the_prizes_of_their_places() -> None:
    director = director_of(4, shares=(50, 30, 20), buy_in=100)
    (deal,) = director.deals
    lose(director, deal, 1, 2, 3)
    assert places(director) == {deal.players[0]: 1, **{deal.players[seat]: 2 for seat in (1, 2, 3)}}
    assert sorted(player.prize for player in director.players.values()) == [66, 67, 67, 200]


def test_out_earlier_is_placed_lower_whatever_the_stacks() -> None:
    director = director_of(8, seats=4, shares=(100,), pace=Pace(60, 10))
    one, two = director.deals
    lose(director, two, 3, actions=1)
    lose(director, one, 3, actions=5)
    assert places(director) == {two.players[3]: 8, one.players[3]: 7}
