"""Hand histories side by side with pokerkit: reading and replaying PHH files, and writing them.

Run `python -m tests.benchmarks.histories`. Both libraries process the same files in one run, in
alternating rounds; the best round of each is compared. Both must end with the same stacks.

`... --folder DIR` writes 10,000 hands of ten games there instead, in PHH and PokerStars' text, with rake, short stacks and boards
run twice: `time poker-actors replay DIR --workers 2`.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter

from pokerkit import HandHistory as PokerkitHistory

from poker_actors.cards import Deck
from poker_actors.history import FORMATS, Writer, entries, record, replay
from poker_actors.rules import GAMES, Hand, Stakes
from poker_actors.rules.cash import HandOptions, Rake
from tests.oracles.referee_hands import chosen

SEATS, STACK = 6, 200
HANDS, PEERS_HANDS, ROUNDS = 2_000, 150, 10
NAMES = ["ann", "bob", "cy", "di", "ed", "flo"]


def played(number: int, luck: Random) -> Hand:
    """Return a finished hand of six, with about as many turns as between people."""
    hand = Hand((STACK,) * SEATS, Stakes(1, 2), deck=Deck.seeded(number), button=number % SEATS)
    while not hand.over:
        legal = hand.legal
        roll = luck.random()
        if roll < 0.1:
            hand.fold()
        elif roll < 0.9 or not legal.can_raise:
            hand.check_or_call()
        else:
            hand.raise_to(min(legal.max_raise_to, legal.min_raise_to + luck.randrange(30)))
    return hand


def best_of_each(
    works: dict[str, tuple[int, Callable[[], object]]], rounds: int = ROUNDS
) -> dict[str, float]:
    """Return the hands per second of each one's best round; rounds alternate, so that other load affects all."""
    fastest = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for what, (count, work) in works.items():
            gc.collect()
            start = perf_counter()
            work()
            fastest[what] = min(fastest[what], (perf_counter() - start) / count)
    return {what: 1 / seconds for what, seconds in fastest.items()}


def ours_replay(path: Path) -> list[tuple[int, ...] | None]:
    """Read and replay a file, checking every action and payoff, and return the final stacks."""
    stacks = []
    for entry in entries(path):
        assert entry.history is not None
        stacks.append(replay(entry.history).final_stacks)
    return stacks


def pokerkit_replay(path: Path) -> list[tuple[int, ...]]:
    """Do the same with pokerkit, which does not check payoffs."""
    stacks = []
    with path.open("rb") as stream:
        for history in PokerkitHistory.load_all(stream):
            *_, state = history
            stacks.append(tuple(state.stacks))
    return stacks


def race(folder: Path) -> dict[str, float]:
    """Return the hands per second of each kind of work."""
    luck = Random(1)
    hands = [played(number, luck) for number in range(HANDS)]
    path, target = folder / "hands.phhs", folder / "written.phhs"
    with Writer(path) as writer:
        for number, hand in enumerate(hands[:PEERS_HANDS]):
            writer.write(record(hand, players=NAMES, hand_id=str(number)))
    assert ours_replay(path) == pokerkit_replay(path), "the two disagree"

    def write() -> None:
        with Writer(target, replace=True) as writer:
            for number, hand in enumerate(hands):
                writer.write(record(hand, players=NAMES, hand_id=str(number)))

    histories = [record(hand, players=NAMES) for hand in hands]
    phh = FORMATS["phh"]
    theirs = [PokerkitHistory.loads(phh.text(history, 0)) for history in histories[:PEERS_HANDS]]
    return best_of_each(
        {
            "read and replay, poker_actors": (PEERS_HANDS, lambda: ours_replay(path)),
            "read and replay, pokerkit": (PEERS_HANDS, lambda: pokerkit_replay(path)),
            "write a file from finished hands, poker_actors": (HANDS, write),
            "print histories as PHH, poker_actors": (HANDS, lambda: [phh.text(one, 0) for one in histories]),
            "print histories as PHH, pokerkit": (PEERS_HANDS, lambda: [one.dumps() for one in theirs]),
        }
    )


def main() -> None:
    warnings.simplefilter("ignore")  # pokerkit warns of folds where a check is free
    with tempfile.TemporaryDirectory() as folder:
        speeds = race(Path(folder))
    for what, speed in speeds.items():
        print(f"{what:<50} {speed:>10,.0f} hands/s")
    ratio = speeds["read and replay, poker_actors"] / speeds["read and replay, pokerkit"]
    print(f"read and replay: {ratio:.1f} times pokerkit")
    ratio = speeds["print histories as PHH, poker_actors"] / speeds["print histories as PHH, pokerkit"]
    print(f"print histories as PHH: {ratio:.1f} times pokerkit")


FOLDER = (
    ("holdem", "a.phhs", 1500), ("omaha", "b.phhs", 1000), ("limit-omaha8", "c.phhs", 1000), ("stud", "d.phhs", 500),
    ("2-7-triple-draw", "e.phhs", 500), ("holdem", "f.txt", 1500), ("omaha8", "g.txt", 2500),
    ("pot-limit-holdem", "h.txt", 500), ("omaha5", "i.txt", 500), ("courchevel8", "j.txt", 500),
)  # fmt: skip
"""game, file, hands"""


def write_folder(place: Path) -> None:
    """Write hands of every kind that both formats have words for."""
    place.mkdir(exist_ok=True)
    for name, file, count in FOLDER:
        game, luck = GAMES[name], Random(file)
        unit = game.stakes.min_bet
        twice = game.board_cards and game.most_cards + 2 * game.board_cards <= len(game.pack)
        with Writer(place / file) as writer:
            for number in range(count):
                stacks = [luck.randint(5, 100) * unit for _ in range(luck.randint(2, min(6, game.max_seats)))]
                options = HandOptions(Rake(500, 3 * unit), boards=luck.choice((1, 1, 2)) if twice else 1)
                deck = Deck(luck.sample(game.pack, len(game.pack)), entropy=number)
                button = luck.randrange(len(stacks))
                hand = Hand(stacks, game.stakes, deck=deck, button=button, game=game, options=options)
                while hand.to_act:
                    hand.act(chosen(hand, luck))
                writer.write(record(hand, players=NAMES[: len(stacks)], hand_id=str(number + 1), table="t"))


if __name__ == "__main__" and sys.argv[1:2] == ["--folder"]:
    write_folder(Path(sys.argv[2]))
elif __name__ == "__main__":
    main()
