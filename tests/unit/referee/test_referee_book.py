"""What the rule books say of pots, rake, cards, and the button, asked of the referee's parts directly."""

from __future__ import annotations

from random import Random

import attrs
import pytest

from poker_actors.cards import parse_cards
from poker_actors.history.refereed import sheet_of
from poker_actors.referee import Sitting, Split, move_flaw
from poker_actors.referee.betting import Chips
from poker_actors.referee.dealing import TableCards
from poker_actors.referee.paying import Layer, due, layers, rakes, showdown_flaws, splits
from poker_actors.rules import GAMES, Positions, first_positions, next_positions

TWO = Sitting(stacks=(200, 200), button=1)


def put_in(stacks: list[int], *bets: int, folded: tuple[int, ...] = ()) -> Chips:
    chips = Chips(stacks)
    for seat, chip in enumerate(bets):
        chips.pay(seat, chip)
    for seat in folded:
        chips.live.remove(seat)
    return chips


def test_a_side_pot_begins_where_a_seat_is_all_in_and_nowhere_else() -> None:
    assert layers(put_in([200] * 3)) == []
    assert layers(put_in([200] * 3, 10, 20, 5)) == [Layer(35, (0, 1, 2), 0, 20)]
    assert layers(put_in([10, 200, 200], 10, 20, 20)) == [
        Layer(30, (0, 1, 2), 0, 10),
        Layer(20, (1, 2), 10, 20),
    ]
    # what who has folded put in makes no pot of its own
    assert layers(put_in([10, 200, 200, 200], 10, 20, 20, 15, folded=(3,))) == [
        Layer(40, (0, 1, 2), 0, 10),
        Layer(25, (1, 2), 10, 20),
    ]


def test_chips_that_match_no_bet_are_for_the_seat_too_that_has_nothing_else_in_the_pot() -> None:
    chips = put_in([200, 2, 200], 10, 0, 10)
    chips.post(1, "big blind ante", 2)
    assert layers(chips) == [Layer(2, (0, 1, 2), 0, 0), Layer(20, (0, 2), 0, 10)]


@pytest.mark.parametrize(
    ("no_drop", "alone", "flop", "seats", "rake"),
    [
        (True, False, True, (0, 1), 5),
        (True, False, False, (0, 1), 0),  # no flop, no drop
        (False, False, False, (0, 1), 5),
        (True, False, True, (0,), 0),  # nobody can lose it
        (True, True, True, (0,), 5),  # but all others have folded
        (False, True, False, (0,), 5),
    ],
)
def test_a_contested_pot_is_raked_once_a_flop_has_come(
    no_drop: bool, alone: bool, flop: bool, seats: tuple[int, ...], rake: int
) -> None:
    sitting = attrs.evolve(TWO, rake=(500, 0, no_drop))
    assert rakes(sitting, [Layer(100, seats, 0, 50)], alone=alone, flop=flop) == [rake]


def test_the_odd_chip_is_for_the_highest_card_by_suit_in_stud_and_for_the_first_seat_elsewhere() -> None:
    holes = [parse_cards("Th9h8c7c6c2d2h"), parse_cards("Ts9s8d7d6d3c3h")]
    for game, first in (("stud", 1), ("five-card-draw", 0)):
        found = splits(
            sheet_of(GAMES[game]), TWO, [Layer(9, (0, 1), 0, 5)], [hole[:5] for hole in holes], [[]]
        )
        assert due(found) == {(0, 0, found[0].share, first): 5, (0, 0, found[0].share, 1 - first): 4}


def test_a_winner_of_nothing_is_due_nothing() -> None:
    split = Split(pot=0, board=0, share="", chips=1, seats=(0, 1), winners=(1, 0))
    assert due([split]) == {(0, 0, "", 1): 1}


def test_of_hands_that_nobody_can_compare_it_is_not_judged_who_shows() -> None:
    assert list(showdown_flaws([(1, True), (0, False)], [1, 0], None, in_turn=True)) == []
    ((code, said, right, _),) = showdown_flaws([], [1, 0], [1], in_turn=True)
    assert (code, said, right) == ("show", "nobody shows", "seat 1 shows, seat 0 mucks")


def test_a_card_comes_from_the_pack_of_the_game_and_to_a_seat_that_is_due_one() -> None:
    royal, plain = sheet_of(GAMES["royal"]), attrs.evolve(sheet_of(GAMES["holdem"]), pack=())
    for sheet, flaw in ((royal, "it is not in the deck any more"), (plain, None)):
        table = TableCards(sheet, TWO, Chips(TWO.stacks))
        table.opens(0)
        assert table.deal(0, parse_cards("AsKs"), up=False) is None
        assert table.deal(0, parse_cards("Qs"), up=False) == "seat 0 is due 2 cards and holds 3"
        assert table.deal(1, parse_cards("2c"), up=False) == flaw


def test_a_flop_has_three_cards() -> None:
    table = TableCards(sheet_of(GAMES["holdem"]), TWO, Chips(TWO.stacks))
    table.opens(0)
    for seat, cards in enumerate(("AsKs", "AhKh")):
        table.deal(seat, parse_cards(cards), up=False)
    assert table.missing() is None
    table.opens(1)
    table.lay(0, parse_cards("2c3c"))
    assert table.missing() == "board 1 is due 3 cards and has 2"
    assert table.lay(0, parse_cards("4c5c")) == "board 1 is due 3 cards and has 4"


# -- button and blinds from hand to hand --------------------------------------------------------------

SIX = Positions(0, 1, 2, (0, 1, 2, 3, 4, 5))


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (SIX, Positions(1, 2, 3, (0, 1, 2, 3, 4, 5)), None),
        (SIX, Positions(1, 2, 4, (0, 1, 2, 3, 4, 5)), "seat 3 has the big blind, not seat 4"),
        (SIX, Positions(1, 3, 3, (0, 1, 2, 3, 4, 5)), "the small blind is due from seat 2, not from seat 3"),
        (SIX, Positions(0, 2, 3, (0, 1, 2, 3, 4, 5)), "the button is due at seat 1, not at seat 0"),
        # who posted a blind has left: dead small blind, dead button
        (SIX, Positions(1, 2, 3, (0, 1, 3, 4, 5)), None),
        (SIX, Positions(1, 2, 3, (0, 2, 3, 4, 5)), None),
        (SIX, Positions(0, 2, 3, (0, 2, 3, 4, 5)), "the button is due at seat 1, not at seat 0"),
        # heads-up the button has the small blind, and nobody the big blind twice
        (SIX, Positions(0, 0, 4, (0, 4)), None),
        (SIX, Positions(4, 4, 0, (0, 4)), "seat 4 has the big blind, not seat 0"),
        (SIX, Positions(4, 0, 4, (0, 4)), "heads-up the button has the small blind"),
        # to three again: the button would be behind the blinds
        (Positions(0, 0, 2, (0, 2)), Positions(1, 2, 0, (0, 1, 2)), "seat 1 waits until the button has passed"),
        (Positions(0, 0, 1, (0, 1)), Positions(0, 1, 2, (0, 1, 2)), None),
        (Positions(0, 1, 2, (0, 1, 2)), Positions(1, 2, 5, (0, 1, 2, 3, 5)), "seat 3 has the big blind, not seat 5"),
        # one who comes between button and big blind waits
        (Positions(0, 1, 3, (0, 1, 3)), Positions(1, 3, 0, (0, 1, 2, 3)), "seat 2 waits until the button has passed"),
    ],
)  # fmt: skip
def test_button_and_blinds_move_by_the_dead_button_rule(
    before: Positions, now: Positions, said: str | None
) -> None:
    assert move_flaw(before, now, 6) == said


def test_the_referee_finds_no_fault_with_how_the_button_moves_while_players_come_and_go() -> None:
    rng = Random(32)
    for _ in range(300):
        size = rng.randint(2, 10)
        before = first_positions(range(size), size)
        for _ in range(20):
            ready = sorted(rng.sample(range(size), rng.randint(2, size)))
            now = next_positions(before, ready, size)
            assert move_flaw(before, now, size) is None, (before, now, ready, size)
            before = now
