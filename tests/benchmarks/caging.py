"""What a cage costs a decision, as a ratio to the same program without one: `python tests/benchmarks/caging.py`.

The decisions of both alternate in rounds, so that other load affects them alike; the least time of a round counts. All of
it runs on one processor: a program that the scheduler keeps on another than ours takes twice as long, caged or not, and which
of the two that is changes from run to run.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from time import perf_counter

from poker_actors.bots import Bot, BotSpec, Faults, SeedTree, running
from poker_actors.cards import Deck
from poker_actors.rules import Hand, Stakes

BOT = Path(__file__).parents[2] / "examples" / "bots" / "line_bot.py"
ROUNDS = 200
DECISIONS = 100


def cage_cost() -> float:
    """Return what a cage adds to a decision of the example in Python, as a share of it."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    command = shlex.join([sys.executable, str(BOT)])
    hand = Hand((200,) * 3, Stakes(1, 2), deck=Deck.seeded(1))
    view = hand.view(hand.to_act[0], SeedTree(1).stream(0, 0))
    bots: list[Bot] = [BotSpec.parse(f"cmd:{setting}{command}").make() for setting in ("", "cage=1:")]
    best = [float("inf")] * len(bots)
    with running(bots, [Faults() for _ in bots]):
        for _ in range(ROUNDS):
            for place, bot in enumerate(bots):
                start = perf_counter()
                for _ in range(DECISIONS):
                    bot(view)
                best[place] = min(best[place], perf_counter() - start)
    free, caged = best
    return caged / free - 1


if __name__ == "__main__":
    print(f"a cage adds {cage_cost():+.1%} to a decision")
