"""Habits read off a hand, against hands written down with what they show."""

import pytest

from poker_actors.cards import Deck
from poker_actors.rules import Hand, Stakes, parse_action
from poker_actors.rules.log import BET, CALLED, CHECKED, FOLDED, RAISED
from poker_actors.sim.statistics import COUNTERS, WIDTH, ends_of, packed, read_line, unpacked

WORDS = {"f": "fold", "x": "check", "c": "call"}


def read(seats: int, line: str, stack: int = 200) -> list[dict[str, int]]:
    """Play a line with the button on seat 0: `f x c`, or a total to bet or raise to; streets by `/`."""
    hand = Hand([stack] * seats, Stakes(), deck=Deck.seeded(1))
    for word in line.replace("/", " ").split():
        hand.act(parse_action(WORDS.get(word, f"raise_to {word}")))
    assert hand.over, hand
    order = tuple([seat % seats for seat in range(1, seats + 1)])
    counts = [dict.fromkeys(COUNTERS, 0) for _ in range(seats)]
    acted = [(order[at // WIDTH], at % WIDTH) for at in read_line(hand.log, hand.marks, order)]
    for seat, counter in [*acted, *ends_of(hand, ())]:
        counts[seat][COUNTERS[counter]] += 1
    return counts


def counted(seats: int, line: str, name: str) -> list[int]:
    return [counts[name] for counts in read(seats, line)]


LIMPED = "c c c c c x / x x x x x x / x x x x x x / x x x x x x"
"""Six seats, the button seat 0: seat 3 opens the betting, the blinds are 1 and 2."""


@pytest.mark.parametrize(
    ("seats", "line", "name", "wanted"),
    [
        (6, LIMPED, "hands", [1] * 6),
        (6, LIMPED, "vpip", [1, 1, 0, 1, 1, 1]),
        (6, LIMPED, "pfr", [0] * 6),
        (6, LIMPED, "flops", [1] * 6),
        (6, LIMPED, "showdowns", [1] * 6),
        (6, LIMPED, "preflop_calls", [1, 1, 0, 1, 1, 1]),
        (6, LIMPED, "river_checks", [1] * 6),
        (6, LIMPED, "steal_chances", [0] * 6),
        (6, LIMPED, "three_bet_chances", [0] * 6),
        (6, LIMPED, "flop_cbet_chances", [0] * 6),
        # everybody folds to the big blind: no flop, no showdown, and it has done nothing of its own will
        (6, "f f f f f", "vpip", [0] * 6),
        (6, "f f f f f", "flops", [0] * 6),
        (6, "f f f f f", "showdowns", [0] * 6),
        (6, "f f f f f", "steal_chances", [1, 1, 0, 0, 0, 1]),
        # the cutoff, seat 5, steals; the button is in its way, the blinds face it
        (6, "f f 6 f f f", "steals", [0, 0, 0, 0, 0, 1]),
        (6, "f f 6 f f f", "steals_faced", [0, 1, 1, 0, 0, 0]),
        (6, "f f 6 f f f", "steals_folded_to", [0, 1, 1, 0, 0, 0]),
        (6, "f f 6 c f f / f", "steals_faced", [0] * 6),
        (6, "f f f f 6 f", "steals", [0, 1, 0, 0, 0, 0]),
        (6, "f f f f 6 f", "steals_faced", [0, 0, 1, 0, 0, 0]),
        (6, "6 f f f f f", "steals", [0] * 6),
        (6, "6 f f f f f", "steals_faced", [0] * 6),
        # heads-up the button steals from the big blind
        (2, "6 f", "steals", [1, 0]),
        (2, "6 f", "steals_folded_to", [0, 1]),
        (2, "c x / x x / x x / x x", "steal_chances", [1, 0]),
        # three-bets: seat 3 raises, seat 4 again, seat 3 folds to it
        (6, "6 18 f f f f f", "pfr", [0, 0, 0, 1, 1, 0]),
        (6, "6 18 f f f f f", "three_bet_chances", [0, 0, 0, 0, 1, 0]),
        (6, "6 18 f f f f f", "three_bets", [0, 0, 0, 0, 1, 0]),
        (6, "6 18 f f f f f", "three_bets_faced", [0, 0, 0, 1, 0, 0]),
        (6, "6 18 f f f f f", "three_bets_folded_to", [0, 0, 0, 1, 0, 0]),
        (6, "6 f f f f c / f", "three_bet_chances", [1, 1, 1, 0, 1, 1]),
        # continuation bets: seat 1 (button 0 raised) answers on each street
        (2, "6 c / x 8 c / x 20 c / x x", "flop_cbets", [1, 0]),
        (2, "6 c / x 8 c / x 20 c / x x", "flop_cbets_faced", [0, 1]),
        (2, "6 c / x 8 c / x 20 c / x x", "flop_cbets_folded_to", [0, 0]),
        (2, "6 c / x 8 c / x 20 c / x x", "turn_cbets", [1, 0]),
        (2, "6 c / x 8 c / x 20 c / x x", "river_cbet_chances", [1, 0]),
        (2, "6 c / x 8 c / x 20 c / x x", "river_cbets", [0, 0]),
        (2, "6 c / x 8 f", "flop_cbets_folded_to", [0, 1]),
        (2, "6 c / x x / x 10 f", "turn_cbet_chances", [0, 0]),
        (2, "6 c / 8 c / x x / x x", "flop_cbet_chances", [0, 0]),
        (2, "6 c / x 8 24 c / x x / x x", "turn_cbet_chances", [0, 0]),
        (2, "6 c / x 8 24 f", "flop_cbets_faced", [0, 1]),
        # the last raiser continues, not the first
        (2, "6 18 c / 20 f", "flop_cbets", [0, 1]),
        # actions by street
        (2, "6 18 c / 20 f", "preflop_raises", [1, 1]),
        (2, "6 18 c / 20 f", "preflop_calls", [1, 0]),
        (2, "6 18 c / 20 f", "flop_raises", [0, 1]),
        (2, "6 18 c / 20 f", "flop_folds", [1, 0]),
        (2, "6 18 c / 20 f", "showdowns", [0, 0]),
        # all-in before the flop sees every street and the showdown
        (2, "200 c", "flops", [1, 1]),
        (2, "200 c", "showdowns", [1, 1]),
        (2, "200 c", "flop_cbet_chances", [0, 0]),
    ],
)
def test_a_line_shows(seats: int, line: str, name: str, wanted: list[int]) -> None:
    assert counted(seats, line, name) == wanted


def test_every_counter_is_told_apart() -> None:
    assert len(set(COUNTERS)) == len(COUNTERS)
    counts = [*range(len(COUNTERS) - 16)] + [2**40 - 1] * 16
    assert unpacked(packed(counts)) == counts


def test_a_log_entry_is_what_the_rules_say() -> None:
    assert sorted((FOLDED, CHECKED, CALLED, BET, RAISED)) == [FOLDED, CHECKED, CALLED, BET, RAISED]
    hand = Hand([200] * 2, Stakes(), deck=Deck.seeded(1))
    hand.raise_to(6)
    hand.check_or_call()
    assert hand.log == [6 << 7 | RAISED | 0, 4 << 7 | CALLED | 1]
