"""Rankings of hands by name: highs, lows and badugis, and the cards they may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Integral
from typing import Any, Final, TypeAlias

import attrs

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard, unknown
from poker_actors.evaluator import lows, order, reference, showdown, single
from poker_actors.evaluator.order import describe, describe_low

CardsLike: TypeAlias = str | Iterable[Card | str | int]
Strengths: TypeAlias = Callable[[Sequence[tuple[Card, ...]], tuple[Card, ...]], list[int]]
Choices: TypeAlias = Callable[[Sequence[int], Sequence[int]], Iterator[tuple[int, ...]]]


Worth: TypeAlias = Callable[[tuple[Card, ...]], int]
Words: TypeAlias = Callable[[int], str]


@attrs.frozen
class _BestOf:
    """Strengths by definition: the greatest worth of any choice of cards; a class, so that games can be pickled."""

    worth: Worth
    choices: Choices

    def __call__(self, holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
        return [_most(self.worths(hole, board)) for hole in holes]

    def worths(self, hole: Sequence[Card], board: Sequence[Card]) -> list[int]:
        return [self.worth(tuple(map(Card, chosen))) for chosen in self.choices(hole, board)]


def _most(worths: Sequence[Any]) -> Any:
    """Return the greatest worth, 0 of none; one that is no whole number comes back as it is, for the game to report."""
    wrong = [worth for worth in worths if type(worth) is not int and not isinstance(worth, Integral)]
    return wrong[0] if wrong else max(worths, default=0)


@attrs.frozen
class Ranking:
    """One way to rank hands.

    `strengths` takes the hole cards of each live seat and the board, unchecked, and returns a strength per seat: higher
    wins, equal ties, 0 does not qualify. Strengths of different rankings do not compare.
    """

    name: str
    title: str
    strengths: Strengths = attrs.field(repr=False)
    choices: Choices = attrs.field(repr=False)
    """yields every set of hole and board cards that the rules allow as a hand"""
    scale: int = attrs.field(default=order.STANDARD, repr=False)
    hole: tuple[int, int] = (1, 7)
    """the fewest and the most hole cards"""
    board: tuple[int, int] = (0, 5)
    """the fewest and the most board cards"""
    total: tuple[int, int] = (1, 9)
    """the fewest and the most cards in all"""
    low: bool = False
    """whether the lowest hand wins"""
    qualifier: bool = False
    """whether some hands do not qualify"""
    lowest_rank: int = 0
    """the lowest rank in the pack, 0 being the deuce"""
    jokers: bool = False
    """whether jokers may be ranked"""
    worth: Worth | None = attrs.field(default=None, repr=False)
    """in a custom ranking, the worth of exactly the cards that count, 0 if they do not qualify"""
    described: Words | None = attrs.field(default=None, repr=False)
    """in a custom ranking, the words for a strength"""

    @classmethod
    def of(
        cls,
        name: str,
        worth: Worth,
        *,
        choices: Choices = reference.any_five,
        strengths: Strengths | None = None,
        words: Words | None = None,
        **more: Any,
    ) -> Ranking:
        """Return a custom ranking, for a row of a game.

        `worth` takes the cards that count and returns a whole number above 0, or 0 if they do not qualify: the highest
        wins, equal ones share. `choices` takes hole cards and board and yields each set of cards that may count: by
        default every five cards. `strengths`, if it is given, is a faster way to the same numbers, which
        `poker_actors.testing.check_game` compares. `more` are fields such as `hole`, `board`, `total`, `low`,
        `qualifier`, `jokers`. Raises `BadSpec` for a name that a ranking of `RANKINGS` has.
        """
        if name in RANKINGS:
            raise BadSpec(f"there is already a ranking called {name[:40]!r}")
        fast = _BestOf(worth, choices) if strengths is None else strengths
        more = {"title": name} | more
        return cls(name=name, strengths=fast, choices=choices, worth=worth, described=words, **more)

    def by_definition(self, hole: Sequence[Card], board: Sequence[Card]) -> int:
        """Return the greatest worth of any choice of cards; only for a ranking made by `of`."""
        assert self.worth is not None, "only a custom ranking has a worth"
        return max(_BestOf(self.worth, self.choices).worths(hole, board), default=0)

    def evaluate(self, hole: CardsLike, board: CardsLike = "") -> int:
        """Return the strength of a hand, 0 if it does not qualify.

        Raises `BadCard`, `DuplicateCard`, and `BadSpec` for a wrong number of cards, a joker or a card not in the pack.
        """
        held, shared = self._checked(hole, board)
        return self.strengths([held], shared)[0]

    def cards(self, hole: CardsLike, board: CardsLike = "") -> tuple[Card, ...]:
        """Return the cards that make the hand, highest first; none if it does not qualify.

        Of choices that tie, the one with the higher cards is returned (spades before hearts, diamonds and clubs): it is
        also the one whose suits break ties. Raises as `evaluate` does.
        """
        held, shared = self._checked(hole, board)
        strength = self.strengths([held], shared)[0]
        if self.worth is not None:
            worth = self.worth
            ties = [tuple(map(Card, one)) for one in self.choices(held, shared)] if strength else []
            found = [sorted(one, reverse=True) for one in ties if worth(one) == strength]
            return tuple(max(found, default=[]))
        table = order.strengths(self.scale)
        best: list[int] = []
        for chosen in self.choices(held, shared) if strength else ():
            if table[reference.class_in(self.scale, chosen)] == strength:
                best = max(best, sorted(chosen, reverse=True))
        return tuple(Card(card) for card in best)

    def words(self, strength: int | None) -> str:
        """Return a strength in players' words: `Pair of Aces`, `8-6-4-3-A low`, `4-card 7-low`, `No low`."""
        if not strength:
            return "No low" if self.low else "No hand"
        if self.worth is not None:
            return f"{self.title} {strength}" if self.described is None else self.described(strength)
        return describe_low(strength) if self.low else describe(strength)

    def _checked(self, hole: CardsLike, board: CardsLike) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        held, shared = parse_cards(hole), parse_cards(board)
        self._check_number("hole cards", len(held), self.hole)
        self._check_number("board cards", len(shared), self.board)
        self._check_number("cards in all", len(held) + len(shared), self.total)
        for card in (*held, *shared):
            if (card.is_joker and not self.jokers) or (not card.is_joker and card.rank < self.lowest_rank):
                raise BadSpec(f"{card} is not in the pack of {self.name!r}")
            if card in held and card in shared:
                raise DuplicateCard(f"{card} is both in the hand and on the board")
        return held, shared

    def _check_number(self, what: str, number: int, limits: tuple[int, int]) -> None:
        fewest, most = limits
        if not fewest <= number <= most:
            wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise BadSpec(f"{number} {what} cannot be ranked by {self.name!r}: it takes {wanted}")


RANKINGS: Final[dict[str, Ranking]] = {
    ranking.name: ranking
    for ranking in (
        Ranking("high", "best five of all cards", showdown.best_five_strengths, reference.any_five),
        Ranking("omaha", "two hole cards and three of the board", showdown.omaha_strengths,
                reference.two_and_three, hole=(4, 6), board=(3, 5), total=(7, 11)),
        Ranking("greek", "both hole cards and three of the board", showdown.omaha_strengths,
                reference.two_and_three, hole=(2, 2), board=(3, 5)),
        Ranking("lazy-pineapple", "best five with at most two of three hole cards",
                showdown.lazy_pineapple_strengths, reference.at_most_two_of_hole, hole=(3, 3), board=(3, 5)),
        Ranking("short-deck", "36 cards: flush above full house", showdown.short_deck_strengths,
                reference.any_five, order.SHORT_DECK, hole=(2, 2), board=(3, 5), lowest_rank=4),
        Ranking("short-deck-old", "36 cards: flush above full house, trips above straight",
                showdown.short_deck_old_strengths, reference.any_five, order.SHORT_DECK_OLD,
                hole=(2, 2), board=(3, 5), lowest_rank=4),
        Ranking("ace-to-five", "best low, ace low, straights and flushes ignored",
                lows.ace_to_five_strengths, reference.any_five, order.ACE_TO_FIVE, total=(5, 9), low=True),
        Ranking("eight-or-better", "the same, of five ranks up to the eight",
                lows.eight_or_better_strengths, reference.any_five, order.ACE_TO_FIVE, low=True,
                qualifier=True, total=(5, 9)),
        Ranking("omaha-eight", "eight or better of two hole cards and three of the board",
                lows.omaha_low_strengths, reference.two_and_three, order.ACE_TO_FIVE, low=True,
                qualifier=True, hole=(4, 6), board=(3, 5), total=(7, 11)),
        Ranking("deuce-to-seven", "best low, ace high, straights and flushes count",
                lows.deuce_to_seven_strengths, reference.any_five, order.DEUCE_TO_SEVEN, low=True,
                total=(5, 9)),
        Ranking("badugi", "most cards without a rank or suit twice, ace low", lows.badugi_strengths,
                reference.any_four_alone, order.BADUGI, hole=(1, 5), board=(0, 0), low=True),
        Ranking("badugi-ace-high", "the same with the ace high", lows.badugi_ace_high_strengths,
                reference.any_four_alone, order.BADUGI_ACE_HIGH, hole=(1, 5), board=(0, 0), low=True),
        Ranking("rhode-island", "three cards: trips above straight above flush",
                single.three_card_strengths, reference.all_together, order.THREE_CARD, hole=(1, 1),
                board=(2, 2)),
        Ranking("leduc", "a pair with the board, then the higher card", single.one_card_strengths,
                reference.all_together, order.ONE_CARD, hole=(1, 1), board=(0, 1)),
        Ranking("kuhn", "the higher card", single.one_card_strengths, reference.all_together,
                order.ONE_CARD, hole=(1, 1), board=(0, 0)),
    )
}  # fmt: skip
"""Every ranking by name."""


def ranking_named(name: str) -> Ranking:
    """Look up a ranking by name; raises `BadSpec`, suggesting the nearest name."""
    ranking = RANKINGS.get(name)
    if ranking is None:
        raise BadSpec(unknown("ranking", name, RANKINGS))
    return ranking
