"""The results of `expert`: `python tests/benchmarks/expert.py [FILE] [DECKS] [SEED]`.

Prints big blinds per hundred hands with 95 % margins, by duplicate: each deck is played from every seat. FILE is a table,
"" the one of the package. At the end, the time of a decision in Python: from the view to the odds for local best response.
"""

from __future__ import annotations

import sys
import time
from typing import Final
from unittest.mock import patch

from poker_actors import simulate
from poker_actors.bots import SeedTree
from poker_actors.bots.expert import Expert
from poker_actors.evaluator import fast
from poker_actors.rules import Hand, Stakes
from poker_actors.sim import Duplicate

KINDS: Final = ("tight", "loose", "pot-odds", "caller", "maniac", "random")
TABLES: Final = (
    *[(2, 100, kind, 3) for kind in KINDS],
    *[(2, blinds, kind, 3) for blinds in (20, 200) for kind in ("tight", "loose", "pot-odds")],
    *[(6, blinds, kind, 1) for blinds in (100, 20, 200) for kind in ("tight", "loose", "pot-odds")],
)
"""Seats, stacks in big blinds, the kind of the opponents, and the multiple of DECKS to play."""


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
    bot = f"expert:table={file}" if file else "expert"
    for number, (seats, blinds, kind, times) in enumerate(TABLES):
        result = simulate(
            [bot, *[kind] * (seats - 1)],
            hands=seats * times * int(decks),
            seed=1000 * int(seed) + number,
            stacks=f"{blinds}bb",
            stakes=Stakes(10, 20),
            form=Duplicate(),
        )
        won = result.players[0].bb_per_100
        against = f"{seats - 1} x {kind}"
        print(f"{seats} seats, {blinds} bb, {against}: {won.mean:+.1f} ± {won.margin or 0:.1f}", flush=True)
    for engine in ("numba", "numpy"):
        for seats in (2, 6):
            decisions(seats, engine, 100)
            taken = min(decisions(seats, engine) for _ in range(9))
            print(f"{seats} seats, a decision with {engine}: {taken:.0f} us", flush=True)


if __name__ == "__main__":
    main()
