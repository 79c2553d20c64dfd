"""Winners of a finished hand: how much each won, with what, and which shares of which board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from poker_actors.cards import Card
from poker_actors.rules import PublicState

__all__ = ["winners"]


def winners(public: PublicState, names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the winners of a finished hand, how much each won, and with what if it was shown."""
    shown = dict(public.shown)
    told = []
    for number, amount in public.won.items():
        hole = shown.get(number)
        hand = None if hole is None else _words(public, number, hole)
        shares = [] if hole is None else _shares(public, number, hole)
        told.append(
            {
                "seat": number,
                "name": names.get(number, ""),
                "amount": amount,
                "hand": hand,
                "shares": shares,
            }
        )
    return told


def _words(public: PublicState, number: int, hole: tuple[Card, ...]) -> str | None:
    """Describe a shown hand, in a split-pot game both of its hands; in open-face return the points.

    None if the board is incomplete, or if there are several.
    """
    game, layout = public.setup.game, public.layout
    if layout is not None:
        points = sum(deal.points[number] for deal in layout.scored)
        return f"{points} point{'' if abs(points) == 1 else 's'}"
    if len(public.board) < game.board_cards or len(public.boards) > 1:
        return None
    return game.words_of(game.claims([number], [hole], public.board), number, hole)


def _shares(public: PublicState, number: int, hole: tuple[Card, ...]) -> list[dict[str, Any]]:
    """Return a seat's winnings by board and share, over all pots; empty with one board and one share."""
    game, boards = public.setup.game, public.boards
    if len(boards) * max(1, len(game.shares)) < 2:
        return []
    amounts: dict[tuple[int, str], int] = {}
    for award in public.awards:
        if award.seat == number:
            part = (award.board, award.share)
            amounts[part] = amounts.get(part, 0) + award.amount
    return [
        {
            "board": board,
            "share": share,
            "amount": amount,
            "hand": game.words_of(game.claims([number], [hole], boards[board]), number, hole, share),
        }
        for (board, share), amount in amounts.items()
    ]
