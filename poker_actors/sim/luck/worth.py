"""The worth of pots to each seat before all cards are dealt: the mean over the cards that can come.

Integers throughout, so that the implementations in numpy and in plain Python agree exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from itertools import chain, combinations, permutations
from math import comb, perm
from random import Random
from typing import Any, Final

import attrs

from poker_actors.cards import Card
from poker_actors.evaluator import RANKINGS, fast
from poker_actors.rules import Game

MANY: Final = (1_000, 500)
"""Ways if hands are ranked many at a time: all of them up to the first number, else a sample of the second."""
SOME: Final = (60, 60)
"""The same for other games. A sample of 60 adds a sixtieth of the variance it removes."""


@attrs.frozen(eq=False)
class Ways:
    """Indices into a stub of cards, a tuple for each way; `every` says that none is missing."""

    places: tuple[tuple[int, ...], ...]
    every: bool

    @cached_property
    def array(self) -> Any:
        """The places as a numpy array, a row for each way."""
        import numpy as np

        return np.array(self.places, dtype=np.intp)


@cache
def ways(stub: int, missing: int, most: tuple[int, int], *, in_order: bool) -> Ways:
    """Return the ways in which `missing` cards fall from a stub of `stub` cards.

    Returns all ways if there are at most `most[0]`, else a sample of `most[1]`. For a sample the caller must shuffle
    the stub, since the sample itself is always the same; then every card is as likely in every place. Each permutation
    of the stub is used up before the next, which spreads the cards more evenly than drawing each way independently.
    `in_order` says that it matters which seat gets which card.
    """
    number, every = (perm, permutations) if in_order else (comb, combinations)
    if number(stub, missing) <= most[0]:
        return Ways(tuple(every(range(stub), missing)), every=True)
    rng = Random(f"{missing} of {stub}")
    a_shuffle = stub // missing
    shuffles = -(-most[1] // a_shuffle)
    places = [rng.sample(range(stub), a_shuffle * missing) for _ in range(shuffles)]
    cut = chain.from_iterable(
        [tuple(order[at : at + missing]) for at in range(0, len(order), missing)] for order in places
    )
    return Ways(tuple(cut)[: most[1]], every=False)


WHOLE: Final = 24 * 2520
"""The parts of a pot: 1 to 10 winners can share either half on each of up to four boards without a remainder."""

Seats = tuple[int, ...]
Hole = tuple[Card, ...]
Strengths = Callable[[Sequence[Hole], Hole], list[int]]


@attrs.frozen
class Deal:
    """The cards dealt: `holes` by seat, () for an empty seat; folded hands are included, since their cards are gone."""

    game: Game
    holes: tuple[Hole, ...]
    boards: tuple[Hole, ...] = ((),)
    gone: tuple[Card, ...] = ()
    """cards thrown away"""

    @property
    def stub(self) -> list[Card]:
        """The cards that can come."""
        known = {*chain.from_iterable(self.holes), *chain.from_iterable(self.boards), *self.gone}
        return [card for card in self.game.pack if card not in known]

    def to_come(self, live: Sequence[int], stub: int) -> tuple[list[int], list[int]]:
        """Return the numbers of cards still to come for each of the `live` seats and for each board."""
        game, boards = self.game, self.boards
        if len(boards[0]) > game.board_cards:  # stud's last card was dealt to the board
            return [0] * len(live), [0] * len(boards)
        short = [max(game.hole_cards - len(self.holes[seat]), 0) for seat in live]
        lacking = [game.board_cards - len(board) for board in boards]
        if sum(short) > stub:  # too few for all seats: the last card goes to the board (TDA 2024, RP-10-H)
            return [count - 1 for count in short], [lacking[0] + 1, *lacking[1:]]
        return short, lacking


def shares(deal: Deal, pots: Sequence[Seats], rng: Random) -> tuple[list[list[int]], int]:
    """Return for each pot the parts won by its seats, summed over the ways in which the cards can fall.

    Also returns the parts of one whole pot over all these ways. All ways are used if there are few,
    else a sample drawn by `rng`.
    """
    live = sorted({seat for seats in pots for seat in seats})
    stub = deal.stub
    short, lacking = deal.to_come(live, len(stub))
    places = [*short, *lacking]
    in_order = any(short) or len(lacking) > 1
    holes = [deal.holes[seat] for seat in live]
    rankings = _by_arrays(deal.game)
    like_holdem = rankings in _LIKE_HOLDEM and not in_order and len(holes[0]) == 2
    found = ways(len(stub), sum(places), MANY if like_holdem else SOME, in_order=in_order)
    if not found.every:
        rng.shuffle(stub)
    columns = [[live.index(seat) for seat in seats] for seats in pots]
    worth_it = len(live) * len(found.places) >= _FEWEST and len(holes[0]) <= deal.game.hole_cards
    if rankings and worth_it and fast.engine() != "python":
        won = _with_arrays((*holes, *deal.boards), len(holes), places, stub, found, columns, rankings)
    else:
        won = _one_by_one(deal, holes, places, stub, found, columns)
    return won, WHOLE * len(found.places)


def _one_by_one(
    deal: Deal,
    holes: Sequence[Hole],
    places: Sequence[int],
    stub: Sequence[Card],
    found: Ways,
    pots: Sequence[Sequence[int]],
) -> list[list[int]]:
    """Rank the ways one by one, in any game; `places` are the numbers of cards to come by seat, then by board."""
    won = [[0] * len(columns) for columns in pots]
    lying, seats = (*holes, *deal.boards), len(holes)
    rankings: list[tuple[Strengths, bool]] = [
        (share.ranking.strengths, share.qualifier) for share in deal.game.shares
    ]
    if len(rankings) < 2:
        rankings = [(deal.game.strengths, False)]
    if len(holes[0]) > deal.game.hole_cards:
        kept = deal.game.hole_cards
        rankings = [(partial(_best_kept, strengths, kept), qualifier) for strengths, qualifier in rankings]
    for way in found.places:
        filled, at = list(lying), 0
        for place, count in enumerate(places):
            if count:
                filled[place] += tuple([stub[number] for number in way[at : at + count]])
                at += count
        boards = [
            [(strengths(filled[:seats], board), qualifier) for strengths, qualifier in rankings]
            for board in filled[seats:]
        ]
        for totals, columns in zip(won, pots, strict=True):
            _share_out(totals, columns, boards)
    return won


def _best_kept(strengths: Strengths, count: int, holes: Sequence[Hole], board: Hole) -> list[int]:
    """Return each seat's best strength with `count` of its hole cards: the others are thrown away later."""
    sets = [list(combinations(hole, count)) for hole in holes]
    found = iter(strengths([kept for those in sets for kept in those], board))
    return [max([next(found) for _ in those]) for those in sets]


def _share_out(
    totals: list[int], columns: Sequence[int], boards: Sequence[Sequence[tuple[list[int], bool]]]
) -> None:
    """Add the parts of a pot won by its seats, board by board; an unclaimed low goes to the other share."""
    for claims in boards:
        won = []
        for strengths, qualifier in claims:
            here = [strengths[column] for column in columns]
            best = max(here)
            if best or not qualifier:
                won.append((here, best))
        for here, best in won:
            part = WHOLE // len(boards) // len(won) // here.count(best)
            for place, strength in enumerate(here):
                if strength == best:
                    totals[place] += part


Named = tuple[tuple[str, bool], ...]
"""Names of rankings that work on arrays of hands, and whether a hand may fail to qualify."""
_BY_STRENGTHS: Final[dict[str, Named]] = {
    "holdem_strengths": (("high", False),),
    "short_deck_strengths": (("short-deck", False),),
}
_LIKE_HOLDEM: Final = tuple(_BY_STRENGTHS.values())
_FEWEST: Final = 100
"""Hands from which on arrays are faster than plain Python."""


@cache
def _by_arrays(game: Game) -> Named:
    """Return the rankings of a game's shares; empty if one of them does not work on arrays."""
    if not game.shares:
        return _BY_STRENGTHS.get(getattr(game.strengths, "__name__", ""), ()) if game.board_cards == 5 else ()
    rankings = [share.ranking for share in game.shares]
    known = all(RANKINGS.get(ranking.name) is ranking for ranking in rankings)
    return tuple([(ranking.name, ranking.qualifier) for ranking in rankings]) if known else ()


def _with_arrays(
    lying: Sequence[Hole],
    seats: int,
    places: Sequence[int],
    stub: Sequence[Card],
    found: Ways,
    pots: Sequence[Sequence[int]],
    rankings: Named,
) -> list[list[int]]:
    """Rank all ways at once; the arguments are those of `_one_by_one`."""
    import numpy as np

    count = len(found.places)
    come = np.array(stub, dtype=np.uint8)[found.array].reshape(count, -1)
    filled, at = [], 0
    for cards, more in zip(lying, places, strict=True):
        known = np.broadcast_to(np.array(cards, dtype=np.uint8), (count, len(cards)))
        filled.append(np.concatenate([known, come[:, at : at + more]], axis=1))
        at += more
    holes = np.concatenate(filled[:seats])
    won = [np.zeros(len(columns), dtype=np.int64) for columns in pots]
    for board in filled[seats:]:
        shared = np.tile(board, (seats, 1))
        strengths = [
            (fast.ranking_strengths(name, holes, shared, checked=False).reshape(seats, count), qualifier)
            for name, qualifier in rankings
        ]
        for totals, columns in zip(won, pots, strict=True):
            totals += _shared_out([(all_of[columns], qualifier) for all_of, qualifier in strengths])
    return [(totals // (len(filled) - seats)).tolist() for totals in won]


def _shared_out(claims: Sequence[tuple[Any, bool]]) -> Any:
    """Return the parts won by each seat of a pot on one board over all ways, from arrays by seat and way."""
    most = [(here, here.max(axis=0), qualifier) for here, qualifier in claims]
    best = [(here == top) & ((top > 0) | (not qualifier)) for here, top, qualifier in most]
    divided = sum([those.any(axis=0).astype("int64") for those in best])
    parts = [those * (WHOLE // divided // those.sum(axis=0).clip(min=1)) for those in best]
    return sum(parts).sum(axis=1)
