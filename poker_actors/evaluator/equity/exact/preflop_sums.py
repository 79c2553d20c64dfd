"""The sums over all pairs of two ranges, compiled."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from poker_actors.evaluator.fast.compiled.compiling import compiled

__all__ = ["add_up"]


@compiled
def add_up(first, second, first_weights, second_weights, cells, known, wanted):
    """Return the weighted boards won, lost and shared, and the number of pairs that can meet.

    Hands are numbers; `cells` are classes, names, renamed, same and swapped of `_Cells`; `known` has three numbers per
    matchup. Matchups not known yet are marked in `wanted`, and then the sums are invalid.
    """
    classes, names, renamed, same, swapped = cells
    won = lost = tied = 0.0
    number = 0
    for one in range(first.shape[0]):
        row, name = classes[first[one]], names[first[one]]
        for other in range(second.shape[0]):
            cell = renamed[name, second[other]]
            matchup = same[row, cell]
            if matchup < 0:
                continue
            number += 1
            if known[matchup, 0] < 0:
                wanted[matchup] = True
            weight = first_weights[one] * second_weights[other]
            side = 1 if swapped[row, cell] else 0
            won += weight * known[matchup, side]
            lost += weight * known[matchup, 1 - side]
            tied += weight * known[matchup, 2]
    return won, lost, tied, number
