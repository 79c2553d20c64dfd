"""Evaluators side by side: single calls, arrays, Omaha, texts with jokers, all hands, equities.

Run `python tests/benchmarks/evaluators.py`. All contestants of a line run in the same process, single-threaded
and in alternating rounds; the best round of each counts, after one to warm up. Each must first order the same
hands as ours does, with the same ties. Evaluators that are not installed (extra `bench`) are left out with a
message.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from time import perf_counter
from typing import Any

import attrs

from poker_actors.cards import CARDS, STANDARD_DECK
from poker_actors.evaluator import evaluate, fast, libpoker
from poker_actors.evaluator.equity import equity

ROUNDS = 7
HANDS, PASSES = 1000, 20
Run = Callable[[], object]


@attrs.frozen
class Work:
    """One block of the report: the work, its unit, how often a run does it, the contestants and the goal."""

    name: str
    unit: str
    count: int
    runs: dict[str, Run]
    goal: str = ""
    shares: dict[str, float] = attrs.Factory(dict)
    """The fraction of the work that a slow contestant does; 1 for the others."""

    def scale(self, seconds: float) -> float:
        """Return the time of one piece of work, in the unit of the block."""
        return seconds / self.count * {"ns": 1e9, "ms": 1e3, "s": 1.0, "M/s": 1.0}[self.unit]

    def shown(self, seconds: float) -> str:
        """Return the figure to print for a run of so many seconds."""
        if self.unit == "M/s":
            return f"{self.count / seconds / 1e6:,.1f} M/s"
        figure = self.scale(seconds)
        return f"{figure:,.{3 if figure < 1 else 1}f} {self.unit}"


def deals(count: int, size: int, high: int = 52) -> list[list[int]]:
    luck = random.Random(size)
    return [luck.sample(range(high), size) for _ in range(count)]


def loop(function: Callable[[Any], object], hands: Sequence[Any], times: int = PASSES) -> Run:
    """Return a run that calls per hand in a plain loop, as a program would; the loop is part of the time.

    The hands are repeated, since the contestant before may have filled the cache with its own tables.
    """

    def run() -> None:
        for _ in range(times):
            for hand in hands:
                function(hand)

    return run


def same_order(ours: Iterable[int], theirs: Iterable[Any], name: str) -> None:
    """Raise `AssertionError` for a contestant that orders hands differently."""
    found: dict[int, Any] = {}
    for one, other in zip(ours, theirs, strict=True):
        if found.setdefault(one, other) != other:
            raise AssertionError(f"{name}: {other} and {found[one]} are a tie")
    values = [found[one] for one in sorted(found)]
    if any(not low < high for low, high in pairwise(values)):
        raise AssertionError(f"{name} orders hands otherwise")


# -- peers: each returns (function to call, converter of our hands to its own) ----------------------


def eval7_call() -> tuple[Callable[[Any], Any], Callable[[list[int]], Any]]:
    import eval7

    cards = [eval7.Card(str(card)) for card in STANDARD_DECK]
    return eval7.evaluate, lambda hand: [cards[card] for card in hand]


def pkrbot_call() -> tuple[Callable[[Any], Any], Callable[[list[int]], Any]]:
    import pkrbot

    cards = [pkrbot.Card(str(card)) for card in STANDARD_DECK]
    return pkrbot.evaluate, lambda hand: [cards[card] for card in hand]


def pokyr_call() -> tuple[Callable[[Any], Any], Callable[[list[int]], Any]]:
    from poker import cpoker

    return cpoker.handvalue, pokyr_cards


def pokyr_cards(hand: Sequence[int]) -> list[int]:
    """Return cards as pokyr numbers them: from the aces down."""
    return [4 * (12 - (card >> 2)) + (card & 3) for card in hand]


def phevaluator_call() -> tuple[Callable[[Any], Any], Callable[[list[int]], Any]]:
    from phevaluator import evaluate_cards

    return lambda hand: -evaluate_cards(*hand), lambda hand: hand


def treys_call() -> tuple[Callable[[Any], Any], Callable[[list[int]], Any]]:
    import treys

    cards = [treys.Card.new(str(card)) for card in STANDARD_DECK]
    ask = treys.Evaluator().evaluate
    return lambda hand: -ask(hand[2:], hand[:2]), lambda hand: [cards[card] for card in hand]


def pokerkit_call() -> tuple[Callable[[Any], Any], Callable[[list[int]], Any]]:
    from pokerkit import StandardHighHand

    return StandardHighHand.from_game, lambda hand: "".join(str(CARDS[card]) for card in hand)


PEERS = {
    "eval7": eval7_call,
    "pkrbot": pkrbot_call,
    "pokyr": pokyr_call,
    "phevaluator": phevaluator_call,
    "treys": treys_call,
    "pokerkit": pokerkit_call,
}


def present(peers: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    """Return the peers that are installed, and report the others."""
    found = {}
    for name, make in peers.items():
        try:
            found[name] = make()
        except ImportError as missing:
            print(f"left out: {name} ({missing})")
    return found


# -- the lines -------------------------------------------------------------------------------------


def single_calls() -> Work:
    hands = deals(HANDS, 7)
    ours = [evaluate(hand) for hand in hands]
    runs: dict[str, Run] = {
        "ours, core": loop(evaluate, hands),
        "ours, [fast]": loop(fast.fast_evaluate(), hands),
    }
    shares = {"treys": 1 / PASSES, "pokerkit": 1 / PASSES}
    for name, (call, convert) in present(PEERS).items():
        theirs = [convert(hand) for hand in hands]
        same_order(ours, map(call, theirs), name)
        runs[name] = loop(call, theirs, round(PASSES * shares.get(name, 1)))
    return Work(
        "one call, seven cards in a list",
        "ns",
        HANDS * PASSES,
        runs,
        "core level with eval7; [fast] first, under 60",
        shares,
    )


def arrays() -> Work:
    import numpy as np

    hands = np.array(deals(1_000_000, 7), dtype=np.uint8)
    runs: dict[str, Run] = {
        "ours, checked": loop(fast.strengths, [hands]),
        "ours, trusted": loop(lambda those: fast.strengths(those, checked=False), [hands]),
        "ours, numpy only": lambda: fast.strengths(hands, using="numpy"),
    }
    for name, (call, convert) in present(
        {"eval7": eval7_call, "pokyr": pokyr_call, "pkrbot": pkrbot_call}
    ).items():
        part = [convert(hand) for hand in hands[:100_000].tolist()]
        runs[f"{name}, mapped"] = lambda call=call, part=part: [list(map(call, part)) for _ in range(10)]  # type: ignore[misc]
    shares = dict.fromkeys(
        [name for name in runs if name not in ("ours, checked", "ours, trusted")], 1 / PASSES
    )
    return Work("an array of a million hands, per hand", "ns", 1_000_000 * PASSES, runs, "under 3.5", shares)


def every_hand() -> Work:
    counted = fast.category_frequencies(7)
    assert sum(counted.values()) == 133_784_560
    return Work(
        "all 133,784,560 hands, by class",
        "s",
        1,
        {"ours": lambda: fast.frequencies(7, using="numba")},
        "under 0.2",
    )


def omaha(size: int, goal: str) -> Work:
    import numpy as np

    rows = np.array(deals(200_000, 5 + size), dtype=np.uint8)
    holes, boards = np.ascontiguousarray(rows[:, 5:]), np.ascontiguousarray(rows[:, :5])
    runs: dict[str, Run] = {"ours": lambda: fast.omaha_strengths(holes, boards)}
    if size == 4:
        for name, call in present({"phevaluator": phevaluator_omaha}).items():
            part = rows[:20_000].tolist()
            same_order(fast.omaha_strengths(holes[:20_000], boards[:20_000]).tolist(), map(call, part), name)
            runs[f"{name}, mapped"] = lambda call=call, part=part: [list(map(call, part)) for _ in range(10)]  # type: ignore[misc]
    return Work(f"Omaha, {size} hole cards, an array, per hand", "ns", 200_000, runs, goal)


def phevaluator_omaha() -> Callable[[Any], Any]:
    from phevaluator import evaluate_omaha_cards

    return lambda row: -evaluate_omaha_cards(*row)


def texts_with_jokers() -> Work:
    texts = ["".join(str(CARDS[card]) for card in hand) for hand in deals(20_000, 7, high=53)]
    same_order(fast.strengths(texts).tolist(), map(evaluate, texts), "the array")
    run = loop(fast.strengths, [texts])
    return Work("20,000 texts of seven cards with jokers", "ms", PASSES, {"ours": run}, "under 1")


def exact(hands: list[str], goal: str) -> Work:
    runs: dict[str, Run] = {
        "ours": loop(lambda asked: equity(asked, method="exact"), [hands]),
        "ours, numpy only": lambda: equity(hands, method="exact", using="numpy"),
        "ours, core": lambda: equity(hands, method="exact", using="python"),
    }
    shares = {"ours, numpy only": 1 / PASSES, "ours, core": 1 / PASSES}
    truth = [player.share for player in equity(hands).players]
    for name, call in present({"pokyr": pokyr_exact}).items():  # eval7's exact equity of these is 0
        assert all(abs(a - b) < 1e-6 for a, b in zip(call(hands), truth, strict=False)), name
        runs[name] = loop(call, [hands])
    return Work(" v ".join(hands) + ", exact", "ms", PASSES, runs, goal, shares)


def ranges_before_the_flop() -> Work:
    """Two wide ranges, exact; their tables are computed before the rounds, as in a program that asks repeatedly."""
    ranges = ["50%", "random"]
    equity(ranges, method="exact", using="numba")
    run = loop(lambda asked: equity(asked, method="exact", using="numba"), [ranges])
    return Work("50% v random before the flop, exact, known", "ms", PASSES, {"ours": run}, "under 50")


def library_values() -> Work:
    import numpy as np

    hands = np.array(deals(200_000, 7), dtype=np.uint8)
    texts = [" ".join(str(CARDS[card]) for card in hand) for hand in hands[:20_000].tolist()]
    runs: dict[str, Run] = {
        "ours, an array": lambda: libpoker.evaluate_many(hands, using="numba"),
        "ours, texts": loop(lambda those: libpoker.evaluate_many(those, using="numba"), [texts], 10),
        "ours, one by one": lambda: list(map(libpoker.evaluate, texts)),
    }
    return Work(
        "libpoker values of seven cards", "ns", 200_000, runs, "under 60", {"ours, one by one": 1 / 10}
    )


def pokyr_exact() -> Callable[[list[str]], list[float]]:
    from poker import cpoker, utils

    ask = utils.pretty_args(cpoker.full_enumeration)
    return lambda hands: list(ask(hands))


def random_deals() -> Work:
    hands, trials = ["AsKs", "QhQd"], 1_000_000
    runs: dict[str, Run] = {
        "ours": lambda: equity(hands, trials=trials),
        "ours, numpy only": lambda: equity(hands, trials=trials, using="numpy"),
    }
    for name, call in present({"pokyr": pokyr_deals, "eval7": eval7_deals}).items():
        runs[name] = lambda call=call: call(hands, trials)  # type: ignore[misc]
    return Work("random boards of two hands", "M/s", trials, runs, "ahead of every peer")


def pokyr_deals() -> Callable[[list[str], int], object]:
    from poker import cpoker, utils

    return lambda hands, trials: cpoker.monte_carlo([utils.to_cards(hand) for hand in hands], trials)


def eval7_deals() -> Callable[[list[str], int], object]:
    import eval7

    def ask(hands: list[str], trials: int) -> object:
        mine = [eval7.Card(hands[0][:2]), eval7.Card(hands[0][2:])]
        return eval7.py_hand_vs_range_monte_carlo(mine, eval7.HandRange(hands[1]), [], trials)

    return ask


LINES: tuple[Callable[[], Work], ...] = (
    single_calls,
    arrays,
    every_hand,
    lambda: omaha(4, "under 25"),
    lambda: omaha(5, "under 32"),
    lambda: omaha(6, "under 45"),
    texts_with_jokers,
    lambda: exact(["AsKs", "QhQd"], "under 0.1"),
    lambda: exact(["AsKs", "QhQd", "7c6c"], "under 0.4"),
    ranges_before_the_flop,
    library_values,
    random_deals,
)


def race(work: Work, rounds: int = ROUNDS) -> dict[str, float]:
    """Return each contestant's best round in seconds; rounds alternate."""
    best: dict[str, float] = {}
    for turn in range(rounds + 1):
        for name, run in work.runs.items():
            gc.collect()
            start = perf_counter()
            run()
            spent = (perf_counter() - start) / work.shares.get(name, 1)
            if turn:
                best[name] = min(spent, best.get(name, spent))
    return best


def report(work: Work, best: dict[str, float]) -> str:
    """Return the lines of a block: each contestant, its figure, and the ratio to ours."""
    first = best[next(iter(best))]
    lines = [f"{work.name}  (goal: {work.goal})"]
    lines += [
        f"    {name:<20} {work.shown(spent):>14} {spent / first:>9.2f} x" for name, spent in best.items()
    ]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    rounds = int(arguments[0]) if arguments else ROUNDS
    for make in LINES:
        work = make()
        print(report(work, race(work, rounds)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
