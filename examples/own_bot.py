"""Your own bot in its own file: ten lines, two parameters, named by file and function.

poker-actors simulate --bot examples/own_bot.py:patient --bot maniac --hands 2000 --workers 2
"""

from typing import Annotated

from poker_actors import Call, Check, Fold, RaiseTo, View
from poker_actors.bots import Within, hand_class
from poker_actors.rules import Action

GOOD = ("AA", "KK", "QQ", "JJ", "TT", "AKs", "AKo", "AQs", "AQo", "KQs")


def patient(
    view: View, *, blinds: Annotated[int, Within(2, 20)] = 4, bluff: Annotated[float, Within(0, 1)] = 0.05
) -> Action:
    """Waits for ten starting hands, raises them to `blinds` big blinds, and bluffs now and then."""
    legal = view.legal
    good = hand_class(*view.hole) in GOOD or view.rng.random() < bluff
    if good and legal.can_raise and not view.board:
        total = max(legal.min_raise_to, min(blinds * view.stakes.big_blind, legal.max_raise_to))
        return RaiseTo(total)
    if not legal.to_call:
        return Check()
    return Call() if good else Fold()


if __name__ == "__main__":
    from poker_actors import simulate

    for workers in (1, 2):
        result = simulate([patient, "maniac"], hands=1000, seed=1, workers=workers)
        print(f"{workers} worker(s): {result.players[0].net_chips:+} chips, digest {result.digest}")
