"""Trials in plain Python."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from attrs import frozen

from poker_actors.cards import Card
from poker_actors.evaluator.equity.deals import ADD, MULTIPLY, seed_start, start_of
from poker_actors.evaluator.equity.exact.plain import Counts, tally
from poker_actors.evaluator.equity.request import Request
from poker_actors.evaluator.showdown import holdem_strengths, omaha_strengths, short_deck_strengths

__all__ = [
    "Draws",
    "count_trials",
    "deal",
    "draws_of",
    "suit_bits",
]


@frozen
class Draws:
    """The hands and cards that trials draw from.

    `thresholds` are, per player, the cumulative weights of the hands, ending at 1; a player with a single hand draws
    nothing. `stub` is the deck without board, dead and known cards.
    """

    start: int
    hands: tuple[tuple[tuple[Card, ...], ...], ...]
    thresholds: tuple[tuple[float, ...], ...]
    stub: tuple[Card, ...]
    board: tuple[Card, ...]
    known: tuple[Card, ...]


def draws_of(request: Request, seed: int) -> Draws:
    """Prepare the draws of a request for a seed, any integer."""
    thresholds = []
    for hands in request.ranges:
        total = sum(hands.weights)
        # exactly 1.0 at the end: a rounded sum below 1 would let a draw fall behind the last hand
        thresholds.append((*[sum_ / total for sum_ in accumulate(hands.weights)][:-1], 1.0))
    known = tuple(card for hands in request.ranges if len(hands) == 1 for card in hands.combos[0])
    return Draws(
        seed_start(seed),
        tuple(hands.combos for hands in request.ranges),
        tuple(thresholds),
        request.stub,
        request.board,
        known,
    )


def suit_bits(card: int) -> int:
    """Return a card's bit in a mask with 16 bits per suit."""
    return 1 << 16 * (card & 3) + (card >> 2)


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
