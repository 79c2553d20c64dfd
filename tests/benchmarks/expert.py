"""The results of `expert`'s table, in compiled code: `python tests/benchmarks/expert.py [FILE] [DECKS] [SEED]`.

Prints big blinds per hundred hands with 95 % margins, by duplicate: each deck is played from every seat. As the bot
does, it plays by the four-bit weights of the file and by the chart; where a row is missing, it calls, while the bot
decides by the price. At the end, the time of a decision in Python: from the view to the odds for local best response.
"""

from __future__ import annotations

import sys
import time
from math import sqrt
from pathlib import Path
from typing import Final
from unittest.mock import patch

import numpy as np

from poker_actors.bots import SeedTree
from poker_actors.bots.expert import BUCKETS, Expert, StrategyTable, shipped_table, street_of
from poker_actors.evaluator import fast
from poker_actors.learn.policies import CALLER, LOOSE, MANIAC, POT_ODDS, RANDOM, TIGHT
from poker_actors.learn.training.rounds import Memory, Workplace
from poker_actors.learn.training.walking import BUCKET_BITS
from poker_actors.rules import Hand, Stakes

KINDS: Final = {
    "tight": TIGHT, "loose": LOOSE, "pot-odds": POT_ODDS, "caller": CALLER, "maniac": MANIAC, "random": RANDOM,
}  # fmt: skip
TABLES: Final = (
    *[(2, 100, kind, 3) for kind in KINDS],
    *[(2, blinds, kind, 3) for blinds in (20, 200) for kind in ("tight", "loose", "pot-odds")],
    *[(6, blinds, kind, 1) for blinds in (100, 20, 200) for kind in ("tight", "loose", "pot-odds")],
)
"""Seats, stacks in big blinds, the kind of the opponents, and the multiple of DECKS to play."""


def memory_of(table: StrategyTable, seats: int) -> Memory:
    """Return the rows of a table for two seats, or for more, as the trainer keeps them."""
    sizes = [BUCKETS[street_of(situation)] for situation in table.situations.tolist()]
    classes = np.concatenate([np.arange(size) for size in sizes])
    keys = np.repeat(table.situations.astype(np.int64) << BUCKET_BITS, sizes) + classes
    many = keys >> BUCKET_BITS + 2 & 1
    used = table.weights.any(axis=1) & (many == (seats > 2))
    weights = table.weights[used].astype(np.float32)
    size = 1 << int(2 * used.sum()).bit_length()
    return Memory.of(size, 0, keys[used], np.zeros_like(weights), weights)


def decisions(seats: int, engine: str, hands: int = 400) -> float:
    """Return the microseconds per decision with an engine of the evaluator, in hands between experts."""
    bot, tree = Expert(), SeedTree(1)
    spent, turns = 0.0, 0
    with patch.object(fast, "engine_for", lambda *_: engine):
        for number in range(hands):
            hand = Hand([2_000] * seats, Stakes(10, 20), deck=tree.deck(number), button=number % seats)
            luck = tree.rng(number, 0)
            while hand.to_act:
                view = hand.view(hand.to_act[0])
                start = time.perf_counter()
                odds = bot.probabilities(view)
                spent += time.perf_counter() - start
                turns += 1
                hand.act(luck.choices(list(odds), list(odds.values()))[0])
    return 1e6 * spent / turns


def main() -> None:
    """Play all tables, then time decisions."""
    file, decks, seed = [*sys.argv[1:], *["", "10000", "1"][len(sys.argv) - 1 :]]
    table = StrategyTable.from_bytes(Path(file).read_bytes(), file) if file else shipped_table()
    memories = {seats: memory_of(table, seats) for seats in (2, 6)}
    for number, (seats, blinds, kind, times) in enumerate(TABLES):
        place = Workplace(many=seats > 2, seed=1000 * int(seed) + number)
        memory = memories[seats]
        won, _ = place.play(
            KINDS[kind], memory.keys, memory.averages, decks=times * int(decks), seats=seats, blinds=blinds
        )
        margin = 196 * float(won.std()) / sqrt(len(won))
        against = f"{seats - 1} x {kind}"
        print(
            f"{seats} seats, {blinds} bb, {against}: {100 * float(won.mean()):+.1f} ± {margin:.1f}",
            flush=True,
        )
    for engine in ("numba", "numpy"):
        for seats in (2, 6):
            decisions(seats, engine, 100)
            taken = min(decisions(seats, engine) for _ in range(9))
            print(f"{seats} seats, a decision with {engine}: {taken:.0f} us", flush=True)


if __name__ == "__main__":
    main()
