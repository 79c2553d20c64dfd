"""Compare many random hands of every game with pokerkit, in a process that can be stopped and resumed.

Run `python tests/oracles/many_hands.py FILE [--hands 20000] [GAME ...]`: FILE keeps progress and findings of each
game, and a line is printed at the end of each. A hand that no class of accepted differences explains is kept with its
number, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

import pokerkit

from poker_actors.rules import GAMES
from tests.oracles import test_games_pokerkit, test_rules_pokerkit

SEED: Final = 2
AT_ONCE: Final = 250
"""Hands between two writes of the file."""
DUELS: Final = {
    name: module.duel_of for module in (test_games_pokerkit, test_rules_pokerkit) for name in module.THEIRS
}
SLOW: Final = ("omaha", "limit-omaha8")
"""Games played last."""


def remember_evaluations() -> None:
    """Cache pokerkit's evaluations, which depend on the cards alone but are repeated for each seat and pot."""
    kinds = [kind for kind in vars(pokerkit).values() if isinstance(kind, type)]
    hands = [kind for kind in kinds if issubclass(kind, pokerkit.Hand) and hasattr(kind, "low")]
    for kind, evaluate in [(kind, kind.from_game) for kind in hands]:
        kind.from_game = remembered(evaluate)  # type: ignore[method-assign]
    lookups: set[Any] = {base for hand in hands for base in type(hand.lookup).__mro__}
    for lookup in lookups:
        if "_get_key" in vars(lookup):
            lookup._get_key = remembered_key(lookup._get_key)


def remembered_key(key_of: Callable[..., object]) -> Callable[..., object]:
    lookups: dict[int, object] = {}  # by id: they are not hashable, and live as long as the process

    @lru_cache(1 << 15)
    def known(lookup: int, cards: tuple[Any, ...]) -> object:
        return key_of(lookups[lookup], cards)

    def get_key(lookup: object, cards: Any) -> object:
        lookups[id(lookup)] = lookup
        return known(id(lookup), tuple(cards))

    return get_key


def remembered(evaluate: Callable[..., pokerkit.Hand]) -> Callable[..., pokerkit.Hand]:
    @lru_cache(4096)
    def known(hole: tuple[Any, ...], board: tuple[Any, ...]) -> pokerkit.Hand | str:
        try:
            return evaluate(hole, board)
        except ValueError as error:
            return str(error)

    def from_game(hole: Iterable[Any], board: Iterable[Any] = ()) -> pokerkit.Hand:
        found = known(tuple(hole), tuple(board))
        if isinstance(found, str):
            raise ValueError(found)
        return found

    return from_game


def play(name: str, before: dict[str, Any], hands: int) -> Iterator[dict[str, Any]]:
    """Continue from the results `before`; yield the new results after every block of hands."""
    found, done, wrong = Counter(before["found"]), before["hands"], before["wrong"]
    seconds, begun = before["seconds"], process_time()
    while done < hands:
        for number in range(done, min(done + AT_ONCE, hands)):
            luck = Random(f"{SEED}/{name}/{number}")
            duel = DUELS[name](luck, GAMES[name])
            try:
                duel.play(luck)
            except AssertionError as error:
                wrong.append(f"hand {number}: {str(error)[:200]}, {duel.ours!r}, log {duel.ours.log}")
            found += Counter({"compared to the end": not duel.parted}) + duel.found
        done = number + 1
        spent = round(seconds + process_time() - begun, 1)
        yield {"hands": done, "found": dict(found), "wrong": wrong, "seconds": spent}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("games", nargs="*", default=sorted(DUELS, key=lambda name: name in SLOW))
    options = parser.parse_args()
    known = json.loads(options.file.read_text()) if options.file.exists() else {}
    warnings.simplefilter("ignore")
    remember_evaluations()
    for name in options.games:
        known.setdefault(name, {"hands": 0, "found": {}, "wrong": [], "seconds": 0.0})
        for state in play(name, known[name], options.hands):
            known[name] = state
            beside = options.file.with_suffix(".new")
            beside.write_text(json.dumps(known, indent=1))
            beside.replace(options.file)
        print(name, json.dumps(known[name]), flush=True)
    return 1 if any(state["wrong"] for state in known.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
