"""Unrecorded cards: they are dealt as unknown, print as `??` and are never compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadCard
from poker_actors.rules import Game

_Strengths: TypeAlias = Callable[[Sequence[tuple[Card, ...]], tuple[Card, ...]], list[int]]

NO_CLAIM: Final = -1
"""The strength of an unknown or mucked hand: below every hand that was shown."""


class UnknownCard(Card):
    """A card that was dealt but not recorded: `UNKNOWN`, or one of its numbered stand-ins in a deck."""

    __slots__ = ()

    @property
    def is_joker(self) -> bool:
        """False: a joker is known."""
        return False

    def __str__(self) -> str:
        return "??"

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return (_unknown, (int(self),))  # type: ignore[return-value]  # a function, as pickle allows


def _unknown(number: int) -> Card:
    return _UNKNOWNS[number - _FIRST]


_FIRST: Final = 54
"""The first number that is neither one of 52 cards nor a joker."""
_UNKNOWNS: Final[tuple[Card, ...]] = tuple(
    int.__new__(UnknownCard, number) for number in range(_FIRST, _FIRST + 160)
)
"""A deck deals no card twice, so unknown cards are numbered. 160 are enough: eight hands of badugi,
all exchanged three times, need 128."""

UNKNOWN: Final[Card] = _UNKNOWNS[0]
"""Stands for every dealt card that a history does not name."""


def is_known(cards: Sequence[Card]) -> bool:
    """Whether all these cards are known."""
    return all(card < _FIRST for card in cards)


def unknowns() -> Iterator[Card]:
    """Return distinct unknown cards."""
    return iter(_UNKNOWNS)


def numbered(cards: Sequence[Card]) -> list[Card]:
    """Number the unknown cards, so that no card occurs twice."""
    blanks = unknowns()
    return [card if card < _FIRST else next(blanks) for card in cards]


def cards_text(cards: Sequence[Card]) -> str:
    """Write cards without spaces, unknown ones as `??`; the inverse of `parse_known_or_not`."""
    return "".join(map(str, cards))


@lru_cache(maxsize=8192)
def parse_known_or_not(text: str) -> tuple[Card, ...]:
    """Read cards written without spaces, as in histories: `AsKd`, `??Ad`.

    Raises `BadCard` for anything else. Duplicates are not checked: that takes all cards of a hand.
    """
    if len(text) % 2:
        raise BadCard(f"{text[:40]!r} is not a row of cards: a card has two characters, such as Td")
    pairs = (text[place : place + 2] for place in range(0, len(text), 2))
    return tuple([UNKNOWN if pair == "??" else _named(pair) for pair in pairs])


def _named(text: str) -> Card:
    card = Card(text)
    if card.is_joker:
        raise BadCard(f"{text} is a joker: no game with hand histories has one")
    return card


@lru_cache(maxsize=64)
def guarded(game: Game, mucked: frozenset[tuple[Card, ...]] = frozenset()) -> Game:
    """Return the game with unknown cards in its pack and a showdown where they and `mucked` hands win nothing.

    On a board with unknown cards all hands are equal; `settle` discards that result.
    """
    pack = tuple(dict.fromkeys((*game.pack, *_UNKNOWNS)))  # no card twice: the game may be guarded already
    if not game.shares:
        return attrs.evolve(game, strengths=_guarded(game.strengths, mucked, NO_CLAIM), pack=pack)
    shares = []
    for share in game.shares:
        ranking = share.ranking
        strengths = _guarded(ranking.strengths, mucked, 0 if ranking.qualifier else NO_CLAIM)
        shares.append(attrs.evolve(share, ranking=attrs.evolve(ranking, strengths=strengths)))
    return attrs.evolve(game, strengths=shares[0].ranking.strengths, shares=tuple(shares), pack=pack)


def _guarded(true: _Strengths, mucked: frozenset[tuple[Card, ...]], nothing: int) -> _Strengths:
    def strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
        if not is_known(board):
            return [0] * len(holes)
        claims = [is_known(hole) and hole not in mucked for hole in holes]
        claiming = [hole for hole, claim in zip(holes, claims, strict=True) if claim]
        found = iter(true(claiming, board) if claiming else ())
        return [next(found) if claim else nothing for claim in claims]

    return strengths
