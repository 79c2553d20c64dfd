"""A bot as a program of its own: a line of JSON for each decision, and one back. It needs Python alone.

Try it: poker-actors simulate --bot 'cmd:python examples/bots/line_bot.py' --bot tight --hands 2000 --seed 4
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

RANKS = "23456789TJQKA"


def strength(hole: list[str], board: list[str]) -> float:
    """Say from 0 to 1 how good this looks: pairs, of one's own or with the board, and high cards."""
    ranks = [RANKS.index(card[0]) for card in hole]
    seen = [RANKS.index(card[0]) for card in board] + ranks
    pairs = sum(seen.count(rank) - 1 for rank in ranks)
    return min(1.0, 0.35 * pairs + sum(ranks) / 60)


def decide(turn: dict[str, Any]) -> dict[str, Any]:
    """Give the answer to a turn. All luck comes from its seed, so that the same turn has the same answer."""
    luck = random.Random(turn["seed"])
    good = strength(turn["hole"], turn["board"])
    legal = turn["legal"]
    for act in ("bet", "raise_to"):
        if act in legal and good > 0.45 + 0.3 * luck.random():
            least, most = legal[act]
            return {"act": act, "amount": min(most, max(least, turn["pot"]))}
    if legal["check"]:
        return {"act": "check"}
    price = turn["to_call"] / (turn["pot"] + turn["to_call"])
    return {"act": "call" if good > price else "fold"}


def main() -> None:
    """Answer every line with one; the end of the lines is the end of the match."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer: dict[str, Any] = {"type": "hello", "version": 1, "name": "line_bot"}
        else:
            answer = decide(message)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
