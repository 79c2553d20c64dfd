"""The 169 starting hands of hold'em, best first, for ranges like `10%`."""

from __future__ import annotations

from typing import Final

__all__ = ["STARTING_HANDS", "best_classes"]

STARTING_HANDS: Final = """
AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55
QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s
A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o
T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o
96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o
65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s
54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""
"""Best first, by the exact share of the pot against one random hand; no two classes are equal."""
_COMBOS: Final = 1326


def best_classes(above: float, upto: float) -> list[str]:
    """Return the classes between two percentages of all 1,326 hands, counted from the best.

    The last hand of a class decides: `best_classes(0, 10)` never returns more than a tenth of all hands.
    """
    chosen, combos = [], 0
    for name in STARTING_HANDS.split():
        combos += 6 if name[0] == name[1] else 4 if name[2] == "s" else 12
        if above * _COMBOS < 100 * combos <= upto * _COMBOS:
            chosen.append(name)
    return chosen
