"""The orders of hands by definition: take every choice of cards a game allows, and sort."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from poker_actors.cards import CARDS, Card
from poker_actors.errors import BadSpec

Value = tuple[int | tuple[int, ...], ...]
"""The place of a hand in an order; the greater wins, equal ones share."""

Choices = Callable[[Sequence[Card], Sequence[Card]], Iterable[tuple[Card, ...]]]
Worth = Callable[[Sequence[Card]], Value | None]

Order = tuple[Choices, Worth]
"""The choices of cards from hole cards and board, and the value of one; None for one that does not qualify."""

_ACE: Final = 12
_RANK: Final = tuple([card.rank for card in CARDS])
_ACE_LOW: Final = tuple([-1 if card.rank == 12 else card.rank for card in CARDS])
_SUIT: Final = tuple([card.suit for card in CARDS])
"""Rank, rank with the ace low, and suit, by card."""
_EIGHT: Final = 6
_CLASSES: Final = ("high", "pair", "two pairs", "trips", "straight", "flush", "full house", "quads")
"""From the bottom; a straight flush is above them."""
_BY_COUNTS: Final = {
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two pairs",
    (3, 1, 1): "trips",
    (3, 2): "full house",
    (4, 1): "quads",
}


# -- choices ------------------------------------------------------------------------------------


def _any_five(hole: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    return combinations((*hole, *board), min(5, len(hole) + len(board)))


def _two_and_three(hole: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    return ((*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3))


def _at_most_two(hole: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    for count in range(3):
        for held in combinations(hole, count):
            yield from ((*held, *rest) for rest in combinations(board, 5 - count))


def _all(hole: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    yield (*hole, *board)


def _up_to_four(hole: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    for count in range(1, 5):
        yield from combinations(hole, count)


# -- values -------------------------------------------------------------------------------------


def _grouped(ranks: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return how often ranks occur, most often first, and the ranks in that order, higher ones first."""
    order = sorted([(ranks.count(rank), rank) for rank in {*ranks}], reverse=True)
    return tuple([count for count, _ in order]), tuple([rank for _, rank in order])


def _straight_top(ranks: Sequence[int], lowest: int | None) -> int | None:
    """Return the top rank of a straight of these different ranks, or None; an ace may stand below `lowest`."""
    high, low = max(ranks), min(ranks)
    if high - low == len(ranks) - 1:
        return high
    below = sorted(ranks)[:-1]
    wheel = lowest is not None and high == _ACE and below == list(range(lowest, lowest + len(below)))
    return below[-1] if wheel else None


def _high(
    cards: Sequence[Card],
    classes: Sequence[str] = _CLASSES,
    lowest: int | None = 0,
    *,
    suits: bool = True,
) -> Value:
    """Return the value of up to five cards; `classes` are from the lowest, and an ace may count below rank `lowest`."""
    counts, ranks = _grouped([_RANK[card] for card in cards])
    if len(cards) == 5 == len(counts):
        top = _straight_top(ranks, lowest)
        flush = suits and len({_SUIT[card] for card in cards}) == 1
        if top is not None:
            return (len(classes) if flush else classes.index("straight"), (top,))
        return (classes.index("flush" if flush else "high"), ranks)
    name = _BY_COUNTS.get((*counts, *[1] * (5 - len(cards))), "high")
    return (classes.index(name), ranks)


def _moved(name: str, above: str) -> tuple[str, ...]:
    """Return the classes with one of them put right above another."""
    rest = [one for one in _CLASSES if one != name]
    rest.insert(rest.index(above) + 1, name)
    return tuple(rest)


_SHORT: Final = _moved("flush", "full house")
_SHORT_OLD: Final = tuple(
    [{"straight": "trips", "trips": "straight"}.get(one, one) for one in _moved("flush", "full house")]
)
_NO_FLUSH: Final = tuple([one for one in _CLASSES if one != "flush"])
_SHORT_LOWEST: Final = 4
"""The six, the lowest rank of the short deck."""


def _negative(value: Value) -> Value:
    return tuple([tuple([-one for one in part]) if isinstance(part, tuple) else -part for part in value])


def _ace_to_five(cards: Sequence[Card]) -> Value:
    """Fewest pairs first, then the lowest cards; straights and flushes do not count."""
    return _negative(_grouped([_ACE_LOW[card] for card in cards]))


def _eight_or_better(cards: Sequence[Card]) -> Value | None:
    ranks = {_ACE_LOW[card] for card in cards}
    if len(ranks) < 5 or max(ranks) > _EIGHT:
        return None
    return _ace_to_five(cards)


def _deuce_to_seven(cards: Sequence[Card]) -> Value:
    """The worst high hand wins; the ace is high only."""
    return _negative(_high(cards, lowest=None))


def _badugi(cards: Sequence[Card], rank: Sequence[int] = _ACE_LOW) -> Value | None:
    """More cards win, then lower ones, compared from the top; None if two cards share a rank or suit."""
    ranks = sorted([rank[card] for card in cards], reverse=True)
    if len(set(ranks)) < len(cards) or len({_SUIT[card] for card in cards}) < len(cards):
        return None
    return (len(cards), tuple([-one for one in ranks]))


def _badugi_ace_high(cards: Sequence[Card]) -> Value | None:
    return _badugi(cards, _RANK)


def _three_cards(cards: Sequence[Card]) -> Value:
    """Rhode Island: high card, pair, flush, straight, three of a kind, straight flush."""
    counts, ranks = _grouped([_RANK[card] for card in cards])
    top = _straight_top(ranks, 0) if len(counts) == 3 else None
    flush = len({_SUIT[card] for card in cards}) == 1
    if top is not None:
        return (5 if flush else 3, (top,))
    if flush:
        return (2, ranks)
    return ({1: 4, 2: 1, 3: 0}[len(counts)], ranks)


def _paired_with_board(cards: Sequence[Card]) -> Value:
    mine, *others = [_RANK[card] for card in cards]
    return (int(mine in others), mine)


def _five_classes(cards: Sequence[Card]) -> Value:
    """The console game: hands of the same class tie, and suits do not count."""
    return _high(cards, _NO_FLUSH, suits=False)[:1]


def _five_printed(cards: Sequence[Card]) -> Value:
    """The console's game as its article prints it: the sum of how often each card's rank occurs."""
    ranks = [_RANK[card] for card in cards]
    score = {7: 1, 9: 2, 11: 3, 13: 5, 17: 6}.get(sum([ranks.count(rank) for rank in ranks]), 0)
    if len(set(ranks)) == 5:
        lows = sorted([_ACE_LOW[card] for card in cards])
        score = 4 if lows[-1] - lows[0] == 4 else 0
    return (score,)


def _five_kickers(cards: Sequence[Card]) -> Value:
    return _high(cards, _NO_FLUSH, suits=False)


ORDERS: Final[dict[str, Order]] = {
    "high": (_any_five, _high),
    "omaha": (_two_and_three, _high),
    "greek": (_two_and_three, _high),
    "lazy-pineapple": (_at_most_two, _high),
    "short-deck": (_any_five, lambda cards: _high(cards, _SHORT, _SHORT_LOWEST)),
    "short-deck-old": (_any_five, lambda cards: _high(cards, _SHORT_OLD, _SHORT_LOWEST)),
    "ace-to-five": (_any_five, _ace_to_five),
    "eight-or-better": (_any_five, _eight_or_better),
    "omaha-eight": (_two_and_three, _eight_or_better),
    "deuce-to-seven": (_any_five, _deuce_to_seven),
    "badugi": (_up_to_four, _badugi),
    "badugi-ace-high": (_up_to_four, _badugi_ace_high),
    "rhode-island": (_all, _three_cards),
    "leduc": (_all, _paired_with_board),
    "kuhn": (_all, _paired_with_board),
    "five-card": (_all, _five_classes),
    "five-card-printed": (_all, _five_printed),
    "five-card-kickers": (_all, _five_kickers),
}
"""Every order by its name; docs/evaluator.md and docs/games.md say them in words."""


def best(order: str, hole: Sequence[Card], board: Sequence[Card]) -> Value | None:
    """Return the value of the best hand; None if none qualifies. Raise `BadSpec` for an unknown order."""
    if order not in ORDERS:
        raise BadSpec(f"the referee does not know the order of hands {order[:40]!r}")
    choices, worth = ORDERS[order]
    values = [value for cards in choices(hole, board) if (value := worth(cards)) is not None]
    return max(values, default=None)


def playing(order: str, hole: Sequence[Card], board: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Return each choice of cards that makes the best hand."""
    choices, worth = ORDERS[order]
    value = best(order, hole, board)
    return [cards for cards in choices(hole, board) if worth(cards) == value]


def top_card(order: str, hole: Sequence[Card], board: Sequence[Card]) -> tuple[int, int]:
    """Return rank and suit of the highest card by suit that can play in the best hand; in lows the ace is low."""
    rank = _ACE_LOW if order in ("ace-to-five", "eight-or-better", "omaha-eight") else _RANK
    return max([(rank[card], card.suit) for cards in playing(order, hole, board) for card in cards])


def open_value(cards: Sequence[Card], *, low: bool) -> tuple[Value, tuple[int, int]]:
    """Return the value of open cards for the first turn, and their highest card; the greatest acts first.

    Pairs and ranks count, straights and flushes do not; equal hands go by the suit of the highest card.
    """
    rank = _ACE_LOW if low else _RANK
    value: Value = _grouped([rank[card] for card in cards])
    return (_negative(value) if low else value, max([(rank[card], card.suit) for card in cards]))


def first_of_doors(doors: dict[int, Card], *, highest: bool) -> int:
    """Return the seat that brings it in: that of the lowest door card, or of the `highest` (aces low); suits break ties."""
    if highest:
        return max(doors, key=lambda seat: (_ACE_LOW[doors[seat]], doors[seat].suit))
    return min(doors, key=lambda seat: (doors[seat].rank, doors[seat].suit))
