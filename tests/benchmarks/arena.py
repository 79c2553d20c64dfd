"""What an arena costs on one core: matches of each kind of entrant, and the judging of sixty.

Run with ``python -m tests.benchmarks.arena``: hands a second of one worker, start included, and seconds of processor time.
"""

from __future__ import annotations

import shutil
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from poker_actors import simulate
from poker_actors.arena import Admission, ArenaSettings, Competitor, Fixture, Pair, Score
from poker_actors.arena.board import board_of
from poker_actors.arena.entrants import built, found_in, player_of
from poker_actors.arena.playing import Playing
from tests.benchmarks.arena_ratings import Field

HANDS = 400
EXAMPLES = Path(__file__).parents[2] / "examples/arena"


def hands_a_second(names: tuple[str, str], *, hands: int = HANDS, **values: Any) -> float:
    """Play a match of two examples, or of two house bots, in this process."""
    with TemporaryDirectory() as kept:
        folder = Path(kept) / "arena"
        folder.mkdir()
        house = tuple(name for name in dict.fromkeys(names) if not (EXAMPLES / name).is_dir())
        for name in {*names} - {*house}:
            shutil.copytree(EXAMPLES / name, folder / name)
        settings = ArenaSettings(hands=hands, house=house, **values)
        entrants = {entrant.name: entrant for entrant in found_in(folder, settings)}
        places = {name: folder / ".arena" / name for name in names}
        for name in {*names} - {*house}:
            built(entrants[name], folder / name, places[name], settings)
        players = tuple(player_of(entrants[name], places[name], settings) for name in names)
        task = Playing(key="0", names=names, players=players, seed=1, hands=hands, settings=settings)
        start = perf_counter()
        played = task()
        assert not played.score.void, played.score.void
        return hands / (perf_counter() - start)


def judging(players: int = 60) -> float:
    """Return the processor seconds to judge a round robin: ratings, Elo, places and flags of 1,770 matches."""
    field = Field(players, Random(1))
    scores: dict[Fixture, Score] = {
        Fixture(pair): field.score(Fixture(pair)) for pair in combinations(range(players), 2)
    }
    competitors = [
        Competitor(name=f"{at}", version="", house=False, admission=Admission()) for at in range(players)
    ]
    pairs = [
        Pair(
            fixture=fixture, key="", score=Score.of(score.to_text().replace('"won": []', '"won": [260, 240]'))
        )
        for fixture, score in scores.items()
    ]
    start = process_time()
    board_of(ArenaSettings(), competitors, pairs)
    return process_time() - start


def main() -> None:
    """Print a line for each."""
    plain = {"adjust": False, "histories": False}
    rows: dict[str, tuple[tuple[str, str], dict[str, Any]]] = {
        "Python functions, caged": (("ann", "eve"), {}),
        "the same, luck left in, no histories": (("ann", "eve"), plain),
        "programs in Python and Perl, caged": (("bob", "dan"), {}),
        "the same, not caged": (("bob", "dan"), {"cage": False}),
        "house bots": (("tight", "loose"), {}),
    }
    for name, (names, values) in rows.items():
        hands_a_second(names, hands=64, **values)  # once before, for what is loaded and compiled
        print(f"{name:40} {hands_a_second(names, **values):10,.0f} hands/s", flush=True)
    simulate(("tight", "loose"), hands=8_192, seed=1, engine="batch")  # waits until there is compiled code
    hands_a_second(("tight", "loose"), hands=8_192, **plain)
    found = hands_a_second(("tight", "loose"), hands=200_000, **plain)
    print(f"{'house bots, compiled':40} {found:10,.0f} hands/s")
    print(f"judging 1,770 matches of 60 entrants: {judging():.2f} s of processor time")


if __name__ == "__main__":
    main()
