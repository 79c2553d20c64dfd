"""Hands of Pluribus and of the ACPC dealer, with known payoffs, through every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cards import parse_cards
from poker_actors.history import (
    FORMATS,
    ActionKind,
    ActionStep,
    BoardDealt,
    Dealt,
    HandHistory,
    Step,
    parse,
    replay,
)
from poker_actors.history.replay import deal
from poker_actors.rules import GAMES

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "traces" / "golden_hands.jsonl").read_text().splitlines()
]
MOVES = {"f": ActionKind.FOLD, "c": ActionKind.CALL, "r": ActionKind.RAISE}


def history_of(row: dict[str, Any]) -> HandHistory:
    """A row in the order of players, from the left of its button."""
    size = len(row["stacks"])
    order = [(row["button"] + 1 + place) % size for place in range(size)]
    blank = HandHistory(
        GAMES["holdem"],
        tuple(row["stacks"][seat] for seat in order),
        tuple(row["blinds"][seat] for seat in order),
        row["min_bet"],
        tuple(Dealt(place, parse_cards(row["holes"][seat])) for place, seat in enumerate(order)),
        tuple(row["antes"][seat] for seat in order) if any(row["antes"]) else (),
        finishing=tuple(row["stacks"][seat] + int(row["payoffs"][seat]) for seat in order),
    )
    return HandHistory(
        blank.game,
        blank.stacks,
        blank.blinds,
        blank.min_bet,
        (*blank.steps, *steps_of(row, order, blank)),
        blank.antes,
        players=tuple(f"seat {seat}" for seat in order),
        finishing=blank.finishing,
    )


def steps_of(row: dict[str, Any], order: list[int], blank: HandHistory) -> list[Step]:
    boards = [BoardDealt(parse_cards(cards)) for cards in row["boards"]]
    hand = deal(blank)
    steps: list[Step] = []
    street = 0
    for on, seat, kind, total in row["actions"]:
        while street < on:
            steps.append(boards[street])
            street += 1
        player = hand.to_act[0] if seat is None else order.index(seat)
        steps.append(ActionStep(player, MOVES[kind], total if kind == "r" else 0))
        if kind == "r":
            hand.raise_to(total)
        elif kind == "c":
            hand.check_or_call()
        else:
            hand.fold()
    return [*steps, *boards[street:]]


@pytest.mark.parametrize("name", FORMATS)
def test_golden_hands_keep_their_payoffs_in_every_format(name: str) -> None:
    assert len(ROWS) == 450
    for row in ROWS:
        history = history_of(row)
        assert replay(history).final_stacks == history.finishing, row["id"]
        [back] = parse(FORMATS[name].text(history, 0), name)
        assert replay(back).final_stacks == history.finishing, row["id"]
