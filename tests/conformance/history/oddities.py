"""Check the outcome of arbitrary input: hands that add up, or one-line errors that name a line of it."""

from __future__ import annotations

import re

from poker_actors.errors import BadHistory
from poker_actors.history import HandHistory, replay
from tests.conformance.history.seeds import read_all

ONE_LINE = re.compile(r"input, line [0-9]+: .+")


def judge(data: bytes, name: str) -> int:
    """Read `data` as a file of one format and return how many hands agree with the rules.

    Raise `AssertionError` for a forbidden outcome, and any exception that the readers let out.
    """
    agreeing = 0
    for entry in read_all(data, name):
        if entry.history is None:
            message = str(entry.error)
            assert ONE_LINE.fullmatch(message.replace("\n", " ")), message
            assert len(message.splitlines()) == 1, message
        else:
            agreeing += judge_hand(entry.history)
    return agreeing


def judge_hand(history: HandHistory) -> bool:
    try:
        found = replay(history)
    except BadHistory:
        return False
    if found.final_stacks is None or not found.hand.over:
        return True
    assert sum(found.final_stacks) + found.rake == sum(history.stacks)
    assert min(found.final_stacks) >= 0
    if history.finishing is not None:
        assert found.final_stacks == history.finishing
    return True
