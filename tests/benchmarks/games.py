"""Every game against pokerkit: six players (two in games for two), who check, call and stand pat to the showdown.

Run `python tests/benchmarks/games.py [SECONDS]`. Compares CPU time, by the best of three alternating rounds, after
one that fills the tables of hands.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from time import process_time
from typing import Any, Final

from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Hand

PEERS: Final = {
    "holdem": "NoLimitTexasHoldem",
    "limit-holdem": "FixedLimitTexasHoldem",
    "short-deck": "NoLimitShortDeckHoldem",
    "omaha": "PotLimitOmahaHoldem",
    "limit-omaha8": "FixedLimitOmahaHoldemHighLowSplitEightOrBetter",
    "stud": "FixedLimitSevenCardStud",
    "stud8": "FixedLimitSevenCardStudHighLowSplitEightOrBetter",
    "razz": "FixedLimitRazz",
    "2-7-single-draw": "NoLimitDeuceToSevenLowballSingleDraw",
    "2-7-triple-draw": "FixedLimitDeuceToSevenLowballTripleDraw",
    "badugi": "FixedLimitBadugi",
}
ROUNDS: Final = 3


def ours(name: str) -> Callable[[], None]:
    game = GAMES[name]
    seats = min(6, game.max_seats)
    stacks, stakes, pack = [game.stack or 200] * seats, game.stakes, game.pack
    chips = sum(stacks)
    number = 0

    def play() -> None:
        nonlocal number
        number += 1
        hand = Hand(stacks, stakes, deck=Deck.seeded(number, pack), game=game, button=number % seats)
        while hand.to_act:
            hand.check_or_call()
        assert sum(hand.stacks) == chips, name

    return play


def pokerkit(name: str) -> Callable[[], None] | None:
    try:
        import pokerkit as peer
    except ImportError:
        return None
    kind: Any = getattr(peer, PEERS.get(name, ""), None)
    if kind is None:
        return None
    automations = tuple(peer.Automation)
    fixed = name.startswith(("limit", "stud", "razz", "2-7-triple", "badugi"))
    stud = name.startswith(("stud", "razz"))
    bets = (4, 8) if stud else (2, 4) if fixed else (2,)
    forced = (1, 2) if stud else (0, (1, 2))

    def play() -> None:
        state = kind.create_state(automations, True, *forced, *bets, (400 if stud else 200,) * 6, 6)
        while state.status:
            if state.can_stand_pat_or_discard():
                state.stand_pat_or_discard()
            elif state.can_post_bring_in():
                state.post_bring_in()
            else:
                state.check_or_call()

    return play


def speed(play: Callable[[], None], seconds: float) -> float:
    """Return hands per second of CPU time."""
    played, begun = 0, process_time()
    while (spent := process_time() - begun) < seconds:
        # reading the clock takes a tenth of the time of a hand of Kuhn poker: read it less and less often
        hands = 1 + played // 16
        for _ in range(hands):
            play()
        played += hands
    return played / spent


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    warnings.simplefilter("ignore")
    print(f"{'game':<22}{'hands/s':>10}{'pokerkit':>10}{'ratio':>8}")
    for name in GAMES:
        mine, theirs = ours(name), pokerkit(name)
        best = [0.0, 0.0]
        speed(mine, seconds)
        for _ in range(ROUNDS):
            best[0] = max(best[0], speed(mine, seconds))
            if theirs is not None:
                best[1] = max(best[1], speed(theirs, seconds))
        peer, ratio = (f"{best[1]:.0f}", f"{best[0] / best[1]:.0f}") if best[1] else ("-", "-")
        print(f"{name:<22}{best[0]:>10.0f}{peer:>10}{ratio:>8}", flush=True)


if __name__ == "__main__":
    main()
