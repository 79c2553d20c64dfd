"""Cards: small integers that print in players' notation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Self

from poker_actors.errors import BadCard, DuplicateCard

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
JOKER_TEXTS: Final = ("Xn", "Yn")
_TEXTS: Final = (*(rank + suit for rank in RANKS for suit in SUITS), *JOKER_TEXTS)
_SHOWN: Final = 40
"""Characters of a bad text that an error quotes: enough to find it, too few to flood a log."""


class Card(int):
    """One of 54 cards, interned: `Card("As") is Card(51)`.

    The number is ``4 * rank + suit``, with ranks from 0 (deuce) to 12 (ace) and suits from 0 to 3 (clubs,
    diamonds, hearts, spades), so that a card is an index into tables of 54; 52 and 53 are the jokers `Xn`
    and `Yn`. Cards sort by rank, then suit, with jokers last.

    Raises `BadCard` for a text that is not a card (`10c`, `1s`, lower-case ranks) or a number
    outside 0 to 53.
    """

    __slots__ = ()

    def __new__(cls, value: str | int) -> Self:
        """Return the single instance of this card."""
        if value is True or value is False:  # equal to 1 and 0, and no cards
            raise BadCard(_bad_card(value))
        try:
            return _INTERNED[value]  # type: ignore[return-value]  # Card is final in practice: the 54 are the only instances
        except (KeyError, TypeError):
            raise BadCard(_bad_card(value)) from None

    @property
    def rank(self) -> int:
        """0 for a deuce to 12 for an ace; 13 for a joker."""
        return int(self) >> 2

    @property
    def suit(self) -> int:
        """0 for clubs, 1 diamonds, 2 hearts, 3 spades; for a joker, 0 (`Xn`) or 1 (`Yn`)."""
        return int(self) & 3

    @property
    def is_joker(self) -> bool:
        """Whether this is `Xn` or `Yn`."""
        return int(self) >= 52

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"Card({_TEXTS[self]!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return (Card, (int(self),))  # unpickle to the interned card, so that `is` holds across processes

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


CARDS: Final[tuple[Card, ...]] = tuple(int.__new__(Card, number) for number in range(54))
"""All cards by number: ``CARDS[51]`` is the ace of spades."""

_INTERNED: Final[dict[str | int, Card]] = {
    **{text: CARDS[number] for number, text in enumerate(_TEXTS)},
    **{number: CARDS[number] for number in range(54)},
}

STANDARD_DECK: Final[tuple[Card, ...]] = CARDS[:52]
"""The 52 cards, sorted."""

SHORT_DECK: Final[tuple[Card, ...]] = CARDS[16:52]
"""The 36 cards from six up, sorted."""

JOKERS: Final[tuple[Card, ...]] = CARDS[52:]
"""The two jokers, `Xn` and `Yn`."""

_SEPARATORS: Final = re.compile(r"[\s,]+")


def parse_cards(text: str | Iterable[Card | str | int]) -> tuple[Card, ...]:
    """Return the cards of a text in players' notation, in the order given.

    Cards may be separated by blanks or commas, or not at all (`As Kd`, `As, Kd`, `AsKd`). A second `Xn` is
    read as the second joker, since jokers are alike. An iterable of cards, card texts or card numbers is
    checked in the same way.

    Raise `BadCard` for anything that is not a card, and `DuplicateCard` for a card given twice.

    >>> parse_cards("As Td 9c")
    (Card('As'), Card('Td'), Card('9c'))
    """
    if isinstance(text, str):
        try:
            # fast path: nearly every text has blanks between the cards, and no card twice
            cards = tuple([_INTERNED[word] for word in text.split()])
        except KeyError:
            cards = ()
        if cards and len(set(cards)) == len(cards):
            return cards
    tokens = _tokens(text) if isinstance(text, str) else text
    seen: dict[Card, None] = {}
    for token in tokens:
        card = Card(token)
        if card in seen:
            if card == 52 and token == "Xn" and CARDS[53] not in seen:
                card = CARDS[53]
            else:
                raise DuplicateCard(_repeated(card))
        seen[card] = None
    return tuple(seen)


def _tokens(text: str) -> list[str]:
    tokens = []
    for word in _SEPARATORS.split(text.strip()):
        if len(word) % 2:
            raise BadCard(_bad_card(word))
        tokens += [word[i : i + 2] for i in range(0, len(word), 2)]
    return tokens if text.strip() else []


def _repeated(card: Card) -> str:
    if card.is_joker:
        return f"a third joker: there are two, {JOKER_TEXTS[0]} and {JOKER_TEXTS[1]}"
    return f"{card} is given twice"


def _bad_card(value: object) -> str:
    if not isinstance(value, str):
        return f"{value!r:.{_SHOWN}} is not a card: a card number is 0 to 53"
    shown = repr(value if len(value) <= _SHOWN else value[:_SHOWN] + "…")
    return f"{shown} is not a card: a card is a rank of {RANKS} and a suit of {SUITS}, or a joker Xn"
