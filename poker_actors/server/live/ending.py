"""Hands in words: what a player holds so far, and the winners of a finished hand."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from poker_actors.cards import Card
from poker_actors.rules import Game, PublicState
from poker_actors.server.contract import tables

_RANKS: Final = (
    "Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace",
)  # fmt: skip


def hand_so_far(public: PublicState, seat: int, hole: tuple[Card, ...]) -> str | None:
    """Return a live seat's best hand so far in words, one for each board; None if it has none yet.

    Two cards before the flop are named by their ranks. Cards still to be discarded count if they help.
    """
    game = public.setup.game
    if game.open_face or seat not in public.seats_live or not hole:
        return None
    if not any(public.boards) and game.board_cards > 2:
        return _start(hole) if len(hole) == game.hole_cards == 2 else None
    words = [_so_far(game, hole, board) for board in public.boards]
    return " / ".join([one for one in words if one]) or None


def _start(hole: tuple[Card, ...]) -> str:
    """Name two cards: `Pair of Nines`, `Ace-King suited`."""
    low, high = sorted(hole, key=lambda card: card.rank)
    if low.rank == high.rank:
        name = _RANKS[low.rank]
        return f"Pair of {name}{'es' if name == 'Six' else 's'}"
    return f"{_RANKS[high.rank]}-{_RANKS[low.rank]} {'suited' if low.suit == high.suit else 'offsuit'}"


def _so_far(game: Game, hole: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """Return the words for the best hand of hole and board; empty while there are too few cards for one."""
    if not _is_enough(game, hole, board):
        return ""
    kept = [hole] if len(hole) <= game.hole_cards else [*combinations(hole, game.hole_cards)]
    best = max(kept, key=lambda one: game.strengths([one], board)[0])
    return game.words_of(game.claims([0], [best], board), 0, best)


def _is_enough(game: Game, hole: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    """Return whether hole and board make a hand: who wins by a fold may show fewer cards."""
    least, total = (0, 1) if not game.board_cards else (3, 5)
    if game.shares:
        ranking = game.shares[0].ranking
        least, total = ranking.board[0], ranking.total[0]
    return len(board) >= least and len(hole) + len(board) >= total


def winners(public: PublicState, names: Mapping[int, str]) -> list[tables.Winner]:
    """Return the winners of a finished hand, their chips, and their hands if shown."""
    shown = dict(public.shown)
    told: list[tables.Winner] = []
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
    if not _is_enough(game, hole, public.board):
        return None
    return game.words_of(game.claims([number], [hole], public.board), number, hole)


def _shares(public: PublicState, number: int, hole: tuple[Card, ...]) -> list[tables.Share]:
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
            "hand": game.words_of(game.claims([number], [hole], boards[board]), number, hole, share)
            if _is_enough(game, hole, boards[board])
            else None,
        }
        for (board, share), amount in amounts.items()
    ]
