"""Trials in plain Python."""

from __future__ import annotations

from bisect import bisect_right

from poker_actors.cards import Card
from poker_actors.evaluator.equity.exact.plain import Counts, tally
from poker_actors.evaluator.equity.generator import ADD, MULTIPLY, start_of
from poker_actors.evaluator.equity.request import Request
from poker_actors.evaluator.equity.sampling.draws import Draws
from poker_actors.evaluator.showdown import holdem_strengths, omaha_strengths, short_deck_strengths

__all__ = ["count_trials", "deal"]

_SHOWDOWNS = {"holdem": holdem_strengths, "omaha": omaha_strengths, "short_deck": short_deck_strengths}
_WORD = (1 << 64) - 1


def count_trials(counts: Counts, request: Request, draws: Draws, first: int, trials: int) -> None:
    """Add `trials` trials from number `first` on to ``counts[player][winners]``."""
    showdown = _SHOWDOWNS[request.game.name]
    for trial in range(first, first + trials):
        holes, board = deal(draws, trial)
        tally(counts, showdown(holes, board), 1)


def deal(draws: Draws, trial: int) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """Return the hole cards of all players and the board of a trial; see `draws` for the order of draws."""
    state = start_of(draws.start, trial)
    holes: list[tuple[Card, ...]] = []
    used: set[Card] = set()
    while True:
        holes.clear()
        for hands, thresholds in zip(draws.hands, draws.thresholds, strict=True):
            if len(hands) == 1:
                holes.append(hands[0])
                continue
            state = (state * MULTIPLY + ADD) & _WORD
            holes.append(hands[bisect_right(thresholds, (state >> 32) * 2.0**-32)])
        used = {card for hole in holes for card in hole}
        if len(used) == sum(map(len, holes)):
            break
    board = list(draws.board)
    while len(board) < 5:
        state = (state * MULTIPLY + ADD) & _WORD
        card = draws.stub[(state >> 32) * len(draws.stub) >> 32]
        if card not in used:
            used.add(card)
            board.append(card)
    return holes, tuple(board)
