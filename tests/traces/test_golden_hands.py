"""450 recorded hands: each replays to the payoffs it was scored with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from poker_actors.cards import Deck
from poker_actors.rules import Event, Hand, Stakes
from poker_actors.rules.event import Acted, Awarded, HandEnded, HandStarted, Posted, UncalledReturned

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden_hands.jsonl").read_text(encoding="utf-8").splitlines()
]


@contextmanager
def named(row: dict[str, Any]) -> Iterator[None]:
    """Name the hand that fails: a test of its own for each of 450 would take longer than the hand."""
    try:
        yield
    except Exception as error:
        error.add_note(f"golden hand {row['id']}")
        raise


def dealt(row: dict[str, Any]) -> Hand:
    small, big = sorted(row["blinds"])[-2:]
    assert not any(row["antes"])
    deck = Deck.stacked(row["holes"], "".join(row["boards"]))
    return Hand(row["stacks"], Stakes(small, big, min_bet=row["min_bet"]), deck=deck, button=row["button"])


def play(hand: Hand, actions: list[list[Any]]) -> None:
    streets = ("preflop", "flop", "turn", "river")
    for street, seat, kind, amount in actions:
        assert hand.phase == streets[street]
        assert seat is None or hand.to_act[0] == seat
        if kind == "f":
            hand.fold()
        elif kind == "c":
            hand.check_or_call()
        else:
            hand.raise_to(amount)


def follow_chips(events: list[Event], stacks: list[int]) -> list[int]:
    """Move chips as the events say, and see that none appears, vanishes or goes below zero."""
    behind, pot, total = list(stacks), 0, sum(stacks)
    for event in events:
        match event:
            case HandStarted(_, started):
                assert list(started) == behind
            case Posted(seat, _, amount) | Acted(seat, _, amount, _):
                behind[seat] -= amount
                pot += amount
            case UncalledReturned(seat, amount) | Awarded(_, seat, amount):
                behind[seat] += amount
                pot -= amount
            case HandEnded(ended, payoffs):
                assert pot == 0
                assert list(ended) == behind
                assert list(payoffs) == [now - then for now, then in zip(behind, stacks, strict=True)]
            case _:
                pass
        assert pot >= 0
        assert min(behind) >= 0
        assert pot + sum(behind) == total
    return behind


def test_there_are_450_golden_hands() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS) == 450


def test_every_golden_hand_replays_to_its_exact_payoffs() -> None:
    for row in ROWS:
        with named(row):
            hand = dealt(row)
            play(hand, row["actions"])
            assert hand.over
            assert list(hand.payoffs) == row["payoffs"]
            board = "".join(map(str, hand.board))
            assert board == "".join(row["boards"])


def test_the_events_of_every_golden_hand_account_for_every_chip() -> None:
    for row in ROWS:
        with named(row):
            heard: list[Event] = []
            hand = dealt(row)
            play(hand, row["actions"])
            events = hand.events()
            assert follow_chips(events, row["stacks"]) == list(hand.stacks)
            assert type(events[0]) is HandStarted
            assert type(events[-1]) is HandEnded
            assert sum(type(event) is Acted for event in events) == len(row["actions"])
            assert hand.replay(listener=heard.append) == hand
            assert heard == events


def test_a_copy_of_every_golden_hand_goes_its_own_way() -> None:
    for row in ROWS:
        with named(row):
            hand = dealt(row)
            middle = len(row["actions"]) // 2
            play(hand, row["actions"][:middle])
            copy = hand.copy()
            before = hand.public()
            assert copy == hand
            while not copy.over:
                copy.check_or_call()
            assert hand.public() is before
            assert not hand.over
            play(hand, row["actions"][middle:])
            assert list(hand.payoffs) == row["payoffs"]
