"""What pots are worth to each seat before all cards lie: the mean over the cards that can come.

Whole numbers throughout, so that numpy and plain Python, which are both here, give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, Final

import attrs

from poker_actors.cards import Card
from poker_actors.evaluator import fast
from poker_actors.rules import Game
from poker_actors.sim.luck.deals import MANY, SOME, Ways, ways

__all__ = ["WHOLE", "Deal", "shares"]

WHOLE: Final = 2520
"""A pot in parts: 1 to 10 winners share it without a rest."""

Seats = tuple[int, ...]


@attrs.frozen
class Deal:
    """The cards that lie: `holes` by seat, () for nobody; those of seats that have folded count as gone."""

    game: Game
    holes: tuple[tuple[Card, ...], ...]
    board: tuple[Card, ...]


def shares(deal: Deal, pots: Sequence[Seats], rng: Random) -> tuple[list[list[int]], int]:
    """Give for each pot, by its seats, the parts they win over all ways the cards can fall, and the parts there are.

    All ways if there are few, else some; `rng` chooses which.
    """
    game = deal.game
    live = sorted({seat for seats in pots for seat in seats})
    holes = [deal.holes[seat] for seat in live]
    short = [game.hole_cards - len(hole) for hole in holes]
    missing = sum(short) + game.board_cards - len(deal.board)
    many = None if any(short) else _many(game)
    most = MANY if many else SOME
    known = {*deal.board, *(card for hole in deal.holes for card in hole)}
    stub = [card for card in game.pack if card not in known]
    found = ways(len(stub), missing, most, in_order=any(short))
    if not found.every:
        rng.shuffle(stub)
    columns = [[live.index(seat) for seat in seats] for seats in pots]
    if many is not None and fast.engine() != "python":
        won = _with_arrays(many, holes, deal.board, stub, found, columns)
    else:
        won = _one_by_one(deal, holes, short, stub, found, columns)
    return won, WHOLE * len(found.places)


def _one_by_one(
    deal: Deal,
    holes: Sequence[tuple[Card, ...]],
    short: Sequence[int],
    stub: Sequence[Card],
    found: Ways,
    pots: Sequence[Sequence[int]],
) -> list[list[int]]:
    """The plain way, which every game knows."""
    won = [[0] * len(columns) for columns in pots]
    for way in found.places:
        cards = tuple([stub[place] for place in way])
        filled, at = list(holes), 0
        for seat, count in enumerate(short):
            filled[seat] += cards[at : at + count]
            at += count
        strengths = deal.game.strengths(filled, deal.board + cards[at:])
        for totals, columns in zip(won, pots, strict=True):
            here = [strengths[column] for column in columns]
            best = max(here)
            part = WHOLE // here.count(best)
            for place, strength in enumerate(here):
                if strength == best:
                    totals[place] += part
    return won


Many = Callable[..., Any]


@cache
def _many(game: Game) -> Many | None:
    """What finds many strengths of a game at a time, if there is such a thing."""
    found = {
        "holdem_strengths": fast.strengths,
        "short_deck_strengths": fast.short_deck_strengths,
    }.get(getattr(game.strengths, "__name__", ""))
    return found if game.hole_cards == 2 and game.board_cards == 5 else None


def _with_arrays(
    many: Many,
    holes: Sequence[tuple[Card, ...]],
    board: tuple[Card, ...],
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
