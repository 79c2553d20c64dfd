"""What a tally adds up by the hundred, against the hands taken one by one."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import prod
from typing import Any

import pytest

from poker_actors.rules import GAMES, Event, Hand, Stakes, event
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.sim import CarryOver, Duplicate, Match
from poker_actors.sim.engines import Job, play_hands, play_whole
from poker_actors.sim.record import hand_digest
from poker_actors.sim.statistics import COUNTERS, RAW, WIDTH, by_name, read_line

HANDS = 120
WON = ("showdowns_won", "flops_won")
"""Points are won in open-face, and who ties in five-card counts as paid whoever is told so."""
BOTS = ("random", "caller", "maniac")
OTHERS: dict[str, dict[str, Any]] = {
    "six": {"bots": (*BOTS, "tight", "loose", "pot-odds")},
    "by deck": {"form": Duplicate(), "stacks": [200, 30, 90]},
    "by session": {"form": CarryOver(20), "stacks": 12},
    "ante": {"stakes": Stakes(1, 2, ante=1), "stacks": [1, 30, 200]},
    "raked": {"options": CashOptions(Rake.parse("5%/3"), bomb_pot=10, bomb_every=10, boards=2)},
}


@pytest.mark.parametrize("kind", [*GAMES, *OTHERS])
def test_sums_are_those_of_the_hands_one_by_one(kind: str) -> None:
    # a deal of open-face takes twenty times as long as a hand
    hands_played = HANDS // 5 if kind.startswith("open-face") else HANDS
    settings: dict[str, Any] = OTHERS.get(kind) or {"game": kind}
    seats = min(3, GAMES[kind].max_seats) if kind in GAMES else 3
    match = Match.of(**{"bots": BOTS[:seats], "hands": hands_played, "seed": 5, **settings})
    job = Job(match, keep_units=True)
    played = list(play_hands(job, range(hands_played), []))
    sums = play_whole(job, range(hands_played))
    by_bot = [[hand.payoffs[who.index(bot)] for bot in range(len(who))] for _, hand, who in played]
    units = [
        [*map(sum, zip(*by_bot[at : at + match.unit], strict=True))]
        for at in range(0, hands_played, match.unit)
    ]
    columns = list(zip(*units, strict=True))
    pairs = combinations_with_replacement(columns, 2)
    sums_of_pairs = [sum(map(prod, zip(one, other, strict=True))) for one, other in pairs]
    assert sums.unit_rows == units
    assert sums.moments[RAW] == [len(units), *map(sum, columns), *sums_of_pairs]
    assert sums.fourths == [sum(chips**4 for chips in column) for column in columns]
    assert sums.largest == [max(chips**2 for chips in column) for column in columns]
    assert sums.net == [sum(column) for column in columns]
    won = [sum((chips > 0) + (chips >= 0) for chips in column) for column in columns]
    assert [sum(column) for column in zip(*sums.won.values(), strict=True)] == won
    assert sum(sums.blocks.values()) == sums.hands == hands_played
    assert sums.digest == sum(hand_digest(number, hand) for number, hand, _ in played)
    assert sums.chips_in == sum(sum(hand.starting) for _, hand, _ in played)
    assert sums.chips_out == sum(sum(hand.stacks) for _, hand, _ in played)
    for seated, row in sums.habits_by_seat().items():
        hands = [hand for _, hand, who in played if (hand.button, who, _dealt(hand)) == seated]
        payoffs = list(zip(*[hand.payoffs for hand in hands], strict=True))
        assert sums.results[seated] == [sum(column) for column in payoffs]
        assert sums.squares[seated] == [sum(chips**2 for chips in column) for column in payoffs]
        wanted = [_counts(hand) for hand in hands]
        for seat, total in enumerate(row):
            left_out = WON if kind.startswith(("five-card", "open-face")) else ()
            counted = {name: count for name, count in by_name(total).items() if count}
            found = _added([by_seat[seat] for by_seat in wanted])
            assert without(counted, left_out) == without(found, left_out)


def _dealt(hand: Hand) -> tuple[int, ...]:
    return tuple(seat for seat, stack in enumerate(hand.starting) if stack)


def _counts(hand: Hand) -> list[dict[str, int]]:
    """What each seat did in a hand, and how it ended for it."""
    size = len(hand.stacks)
    order = tuple(sorted(_dealt(hand), key=lambda seat: (seat - hand.button - 1) % size))
    counts = [dict.fromkeys(COUNTERS, 0) for _ in range(size)]
    for at in read_line(hand.log, hand.marks, order):
        counts[order[at // WIDTH]][COUNTERS[at % WIDTH]] += 1
    paid: set[int] = set()

    def listen(news: Event) -> None:
        if isinstance(news, event.Awarded):
            paid.add(news.seat)

    hand.replay(listener=listen)
    for seat in hand.live:
        counts[seat]["showdowns"] = int(len(hand.live) > 1)
        counts[seat]["showdowns_won"] = int(
            hand.strengths is not None and seat in paid and len(hand.marks) > 1
        )
        counts[seat]["flops_won"] = int(seat in paid and len(hand.marks) > 1)
        counts[seat]["all_ins"] = int(seat not in hand.can_bet)
        counts[seat]["busts"] = int(seat not in hand.can_bet and not hand.stacks[seat])
    return counts


def without(counts: dict[str, int], names: tuple[str, ...]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if name not in names}


def _added(counts: list[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            if count:
                total[name] = total.get(name, 0) + count
    return total
