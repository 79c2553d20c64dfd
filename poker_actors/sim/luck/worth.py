"""What pots are worth to each seat before all cards lie: the mean over the cards that can come.

Whole numbers throughout, so that numpy and plain Python, which are both here, give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import chain, combinations
from random import Random
from typing import Any, Final

import attrs

from poker_actors.cards import Card
from poker_actors.evaluator import fast
from poker_actors.rules import Game
from poker_actors.sim.luck.deals import MANY, SOME, Ways, ways

__all__ = ["WHOLE", "Deal", "shares"]

WHOLE: Final = 24 * 2520
"""A pot in parts: 1 to 10 winners share either half of one of up to four boards without a rest."""

Seats = tuple[int, ...]
Hole = tuple[Card, ...]
Strengths = Callable[[Sequence[Hole], Hole], list[int]]


@attrs.frozen
class Deal:
    """The cards that lie: `holes` by seat, () for nobody; those of seats that have folded count as gone."""

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
        """Give how many cards each of the `live` seats still gets, and how many each board."""
        game, boards = self.game, self.boards
        if len(boards[0]) > game.board_cards:  # the last card of stud was dealt for all
            return [0] * len(live), [0] * len(boards)
        short = [max(game.hole_cards - len(self.holes[seat]), 0) for seat in live]
        lacking = [game.board_cards - len(board) for board in boards]
        if sum(short) > stub:  # too few for everybody: the last one is for all (TDA 2024, RP-10-H)
            return [count - 1 for count in short], [lacking[0] + 1, *lacking[1:]]
        return short, lacking


def shares(deal: Deal, pots: Sequence[Seats], rng: Random) -> tuple[list[list[int]], int]:
    """Give for each pot, by its seats, the parts they win over all ways the cards can fall, and the parts there are.

    All ways if there are few, else some; `rng` chooses which.
    """
    live = sorted({seat for seats in pots for seat in seats})
    stub = deal.stub
    short, lacking = deal.to_come(live, len(stub))
    places = [*short, *lacking]
    in_order = any(short) or len(lacking) > 1
    holes = [deal.holes[seat] for seat in live]
    many = None if in_order or len(holes[0]) != 2 else _many(deal.game)
    found = ways(len(stub), sum(places), MANY if many else SOME, in_order=in_order)
    if not found.every:
        rng.shuffle(stub)
    columns = [[live.index(seat) for seat in seats] for seats in pots]
    if many is not None and fast.engine() != "python":
        won = _with_arrays(many, holes, deal.boards[0], stub, found, columns)
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
    """The plain way, which every game knows; `places` are the cards to come by seat, then by board."""
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
    """What each seat has at best when it keeps so many of its hole cards: the others are thrown away later."""
    sets = [list(combinations(hole, count)) for hole in holes]
    found = iter(strengths([kept for those in sets for kept in those], board))
    return [max([next(found) for _ in those]) for those in sets]


def _share_out(
    totals: list[int], columns: Sequence[int], boards: Sequence[Sequence[tuple[list[int], bool]]]
) -> None:
    """Add what each seat of a pot wins of it: board by board, a share that nobody qualifies for going to the others."""
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


Many = Callable[..., Any]


@cache
def _many(game: Game) -> Many | None:
    """What finds many strengths of a game at a time, if there is such a thing."""
    found = {
        "holdem_strengths": fast.strengths,
        "short_deck_strengths": fast.short_deck_strengths,
    }.get(getattr(game.strengths, "__name__", ""))
    return found if game.board_cards == 5 else None


def _with_arrays(
    many: Many,
    holes: Sequence[tuple[Card, ...]],
    board: Hole,
    stub: Sequence[Card],
    found: Ways,
    pots: Sequence[Sequence[int]],
) -> list[list[int]]:
    """All ways at once."""
    import numpy as np

    seats, count = len(holes), len(found.places)
    cards = np.empty((seats, count, 7), dtype=np.uint8)
    cards[:, :, :2] = np.array(holes, dtype=np.uint8)[:, None, :]
    cards[:, :, 2 : 2 + len(board)] = np.array(board, dtype=np.uint8)
    if len(board) < 5:
        cards[:, :, 2 + len(board) :] = np.array(stub, dtype=np.uint8)[found.array]
    strengths = many(cards.reshape(seats * count, 7), checked=False).reshape(seats, count)
    won = []
    for columns in pots:
        here = strengths[columns]
        best = here == here.max(axis=0)
        won.append((best * (WHOLE // best.sum(axis=0))).sum(axis=1).tolist())
    return won
