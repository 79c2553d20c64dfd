"""Games of one's own, a row each: `poker-actors simulate --game examples/own_games.py:NUMERAL_211`.

Two research games, and hold'em with two jokers. `check_game("examples/own_games.py:JOKERS")` tests a row.
"""

from collections.abc import Sequence

from poker_actors.cards import CARDS, STANDARD_DECK, Card
from poker_actors.evaluator import Ranking, describe, evaluate
from poker_actors.rules import Stakes
from poker_actors.rules.games import Betting, Street, flop_streets, row

ONE_CARD = (
    Street("preflop", hole=1),
    Street("flop", board=1, bet_units=2),
    Street("turn", board=1, bet_units=2),
)

ROYAL_RHODE_ISLAND = row(
    "royal-rhode-island",
    "Rhode Island hold'em with ten to ace",
    ONE_CARD,
    Betting.FIXED_LIMIT,
    "rhode-island",
    pack=tuple(card for card in STANDARD_DECK if card.rank >= 8),
    bets_per_street=3,
    max_seats=2,
    stakes=Stakes(0, 0, ante=5, min_bet=10),
    stack=155,
)

# -- Numeral211: no face cards, so that the ace follows the ten -------------------------------------------

NUMERALS = tuple(card for card in STANDARD_DECK if card.rank not in (9, 10, 11))
PLACES = {rank: place for place, rank in enumerate((0, 1, 2, 3, 4, 5, 6, 7, 8, 12))}


def numeral_worth(cards: tuple[Card, ...]) -> int:
    """Return what three cards are worth: straight flush, trips, straight, flush, pair, high card."""
    ranks = sorted((PLACES[card.rank] for card in cards), reverse=True)
    pairs = [rank for rank in ranks if ranks.count(rank) > 1]
    if pairs:
        rest = [rank for rank in ranks if rank not in pairs]
        return _number(1, pairs[0], *rest) if rest else _number(4, pairs[0])
    flush = len({card.suit for card in cards}) == 1
    if ranks in ([9, 1, 0], [ranks[0], ranks[0] - 1, ranks[0] - 2]):
        return _number(5 if flush else 3, 1 if ranks == [9, 1, 0] else ranks[0])
    return _number(2 if flush else 0, *ranks)


def _number(kind: int, *ranks: int) -> int:
    """Return a whole number above 0 that compares as the kind of hand does, then as its ranks do."""
    first, second, third = (*ranks, 0, 0)[:3]
    return ((kind * 10 + first) * 10 + second) * 10 + third + 1


NUMERAL_211 = row(
    "numeral-211",
    "Numeral211 hold'em",
    ONE_CARD,
    Betting.FIXED_LIMIT,
    Ranking.of("numerals", numeral_worth, hole=(1, 1), board=(2, 2), total=(3, 3)),
    pack=NUMERALS,
    bets_per_street=4,
    max_seats=2,
    stakes=Stakes(0, 0, ante=5, min_bet=10),
    stack=205,
)

# -- hold'em with both jokers in the pack: a joker is the best card that is not held ------------------------


def all_at_once(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return each hand's strength at once: `evaluate` takes up to nine cards."""
    return [evaluate((*hole, *board)) for hole in holes]


JOKERS = row(
    "jokers-wild",
    "Hold'em with two jokers",
    flop_streets(2),
    Betting.NO_LIMIT,
    Ranking.of(
        "wild", evaluate, strengths=all_at_once, words=describe, hole=(2, 2), board=(3, 5), jokers=True
    ),
    pack=CARDS,
)

if __name__ == "__main__":
    from poker_actors.testing import check_game

    for game in (ROYAL_RHODE_ISLAND, NUMERAL_211, JOKERS):
        checked = check_game(game, hands=10)
        print(f"{game.title}: {checked.hands} hands, {checked.showdowns} showdowns, nothing wrong")
