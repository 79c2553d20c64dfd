"""All boards for known hands in plain Python: by the ranks to come, then flushes suit by suit.

The cards to come are one of 6,175 multisets of ranks. A multiset stands for all boards with these ranks, on which every
hand has the same strength, flushes aside. A flush needs three board cards of one suit, so no board has flushes of two
suits: for each suit, the boards with a flush are subtracted and counted again. Some 42,000 cases stand for 1.7 million
boards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, permutations
from math import comb, prod
from typing import TypeAlias

from attrs import frozen

from poker_actors.cards import CARDS, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.equity.deals import ADD, MULTIPLY, seed_start, start_of
from poker_actors.evaluator.equity.request import Request
from poker_actors.evaluator.order import SHORT_DECK
from poker_actors.evaluator.order.classes import RANKED, SHORT_RANKED, SHORT_SUITED, SUITED, Suited
from poker_actors.evaluator.showdown import holdem_strengths, omaha_strengths, short_deck_strengths

Matchup: TypeAlias = tuple[tuple[Card, ...], ...]
MOST_PAIRINGS = 2_000_000
"""Most choices of one hand from each range that are enumerated."""


def pairings(request: Request) -> int:
    """Return the number of choices, including those that share a card."""
    return prod(len(hands) for hands in request.ranges)


def matchups(request: Request) -> tuple[dict[Matchup, float], int]:
    """Return the matchups with their weights, and their number.

    Matchups that differ only in the names of suits are merged. Raises `BadSpec` for more than two million choices, or
    when no hands can meet.
    """
    if pairings(request) > MOST_PAIRINGS:
        raise BadSpec(
            f"{pairings(request)} pairings of hands are too many to go through: "
            f"at most {MOST_PAIRINGS}, or sample the equities"
        )
    renamings = _renamings(request)
    found: dict[Matchup, float] = {}
    number = 0
    for matchup, weight in _disjoint(request):
        number += 1
        same = min(_renamed(matchup, suits) for suits in renamings) if len(renamings) > 1 else matchup
        found[same] = found.get(same, 0.0) + weight
    if not found:
        raise BadSpec("these hands cannot meet: every choice of one from each range has a card twice")
    return found, number


def _disjoint(request: Request) -> Iterator[tuple[Matchup, float]]:
    def extend(chosen: Matchup, used: int, weight: float) -> Iterator[tuple[Matchup, float]]:
        if len(chosen) == len(request.ranges):
            yield chosen, weight
            return
        for combo, mask, part in listed[len(chosen)]:
            if not mask & used:
                yield from extend((*chosen, combo), used | mask, weight * part)

    listed = [
        [
            (combo, sum(1 << card for card in combo), weight)
            for combo, weight in zip(hands.combos, hands.weights, strict=True)
        ]
        for hands in request.ranges
    ]
    return extend((), 0, 1.0)


def _renamings(request: Request) -> list[tuple[Card, ...]]:
    """Return the renamings of suits, card -> card, that leave board and dead cards unchanged."""
    if pairings(request) == 1:
        return [CARDS]
    renamings = []
    for suits in permutations(range(4)):
        renamed = tuple(CARDS[4 * card.rank + suits[card.suit]] for card in CARDS[:52])
        if all({renamed[card] for card in cards} == set(cards) for cards in (request.board, request.dead)):
            renamings.append(renamed)
    return renamings


def _renamed(matchup: Matchup, suits: Sequence[Card]) -> Matchup:
    return tuple(tuple(sorted((suits[card] for card in hole), reverse=True)) for hole in matchup)


Counts = list[list[int]]
Ways = list[tuple[int, int]]
"""Sums of rank keys, each with its number of ways."""


def matchup_counts(
    holes: Sequence[Sequence[Card]], board: Sequence[Card], stub: Sequence[Card], scale: int
) -> Counts:
    """Return ``counts[player][winners]`` over all boards of known hands; `stub` are the cards that can come."""
    ranked = SHORT_RANKED if scale == SHORT_DECK else RANKED
    counts = [[0] * (len(holes) + 1) for _ in holes]
    shared = sum(5**card.rank for card in board)
    keys = [shared + sum(5**card.rank for card in hole) for hole in holes]
    missing = 5 - len(board)
    available = _by_rank(stub)
    for come, ways in _multisets(missing, available):
        tally(counts, [ranked[key + come] for key in keys], ways)
    for suit in range(4):
        _correct_flushes(counts, suit, (holes, board, stub, keys), scale)
    return counts


def _correct_flushes(
    counts: Counts,
    suit: int,
    deal: tuple[Sequence[Sequence[Card]], Sequence[Card], Sequence[Card], list[int]],
    scale: int,
) -> None:
    """Subtract the boards on which any player has a flush of this suit, and count them again with it."""
    holes, board, stub, keys = deal
    ranked, suited = (SHORT_RANKED, SHORT_SUITED) if scale == SHORT_DECK else (RANKED, SUITED)
    lying = _mask(board, suit)
    held = [lying | _mask(hole, suit) for hole in holes]
    missing = 5 - len(board)
    coming = [card.rank for card in stub if card.suit == suit]
    others = _by_rank([card for card in stub if card.suit != suit])
    for count in range(max(0, 3 - lying.bit_count()), missing + 1):
        rest = _multisets(missing - count, others)
        for ranks in combinations(coming, count):
            flushes = _flushes(held, sum(1 << rank for rank in ranks), suited)
            if not any(flushes):
                continue
            come = sum(5**rank for rank in ranks)
            for more, ways in rest:
                # these boards were already counted by ranks alone: subtract exactly as many as are added
                plain = [ranked[key + come + more] for key in keys]
                tally(counts, plain, -ways)
                tally(counts, list(map(max, plain, flushes)), ways)


def _flushes(held: Sequence[int], come: int, suited: Suited) -> list[int]:
    return [suited[mask | come] for mask in held]


def tally(counts: Counts, strengths: Sequence[int], ways: int) -> None:
    """Add a showdown to `counts`, `ways` times."""
    best = max(strengths)
    winners = strengths.count(best)
    for row, strength in zip(counts, strengths, strict=True):
        if strength == best:
            row[winners] += ways


def _by_rank(cards: Sequence[Card]) -> list[int]:
    available = [0] * 13
    for card in cards:
        available[card.rank] += 1
    return available


def _mask(cards: Sequence[Card], suit: int) -> int:
    return sum(1 << card.rank for card in cards if card.suit == suit)


def _multisets(cards: int, available: Sequence[int]) -> Ways:
    """Return each multiset of ranks that can come, as a key, with its number of ways."""
    rows = [(0, 1, cards)]
    for rank, most in enumerate(available):
        rows = [
            (key + count * 5**rank, ways * comb(most, count), left - count)
            for key, ways, left in rows
            for count in range(min(most, left) + 1)
        ]
    return [(key, ways) for key, ways, left in rows if not left]


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
