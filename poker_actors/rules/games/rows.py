"""Helpers that write rows of the table of games: streets by family, and rows with one or two shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator import Ranking, holdem_strengths, ranking_named, short_deck_strengths
from poker_actors.rules.game import Betting, First, Game, Share, Street

NO_LIMIT, POT_LIMIT, LIMIT = Betting.NO_LIMIT, Betting.POT_LIMIT, Betting.FIXED_LIMIT
CAP: Final = 4
"""Bets per street in limit games: a bet and three raises."""


@attrs.frozen
class RankedWords:
    """Names a ranking's strength as a dealer would; a class, so that games can be pickled for other processes."""

    ranking: Ranking

    def __call__(self, strength: int, hole: tuple[Card, ...]) -> str:
        """Return the name."""
        return self.ranking.words(strength)


def row(
    name: str,
    title: str,
    streets: tuple[Street, ...],
    betting: Betting,
    ranking: str | Ranking | Sequence[Share],
    /,
    **more: Any,
) -> Game:
    """Return a game whose pot goes to the best hand by `ranking` or, for `A/B`, half to the best by each.

    The halves are called high and low; in games without a high half, by the names of their rankings. Custom `Ranking`s,
    or shares, may be given instead. `strengths` is a faster function with the same order. Limit games have a cap of
    four bets unless `bets_per_street` is given. Raises `BadSpec` for a row that cannot be played.
    """
    shares = tuple(_shares(ranking))
    if not shares:
        raise BadSpec(f"the game {name[:40]!r} cannot be played: nothing says who wins the pot")
    first = shares[0].ranking
    if more.get("strengths") in (holdem_strengths, short_deck_strengths):
        shares = ()  # the fast way of one share and two hole cards
    elif "strengths" in more:
        shares = (
            attrs.evolve(shares[0], ranking=attrs.evolve(first, strengths=more["strengths"])),
            *shares[1:],
        )
    if betting is LIMIT:
        more.setdefault("bets_per_street", CAP)
    more.setdefault("strengths", first.strengths)
    if shares:
        more.setdefault("words", RankedWords(first))
    return Game(name, title, streets, betting, shares=shares, **more)


def _shares(ranking: str | Ranking | Sequence[Share]) -> Sequence[Share]:
    if isinstance(ranking, Ranking):
        return (Share("", ranking),)
    if not isinstance(ranking, str):
        return ranking
    rankings = [ranking_named(part) for part in ranking.split("/")]
    names = [one.name for one in rankings] if rankings[0].low else ["high", "low"]
    return tuple(map(Share, [""] if len(rankings) == 1 else names, rankings))


def flop_streets(hole: int, throw: int = 0) -> tuple[Street, ...]:
    """Return the streets: hole cards, then a board of three, one and one."""
    return (
        Street("preflop", hole=hole, throw=throw),
        Street("flop", board=3),
        Street("turn", board=1, bet_units=2),
        Street("river", board=1, bet_units=2),
    )


def stud_streets(bring_in: First, later: First) -> tuple[Street, ...]:
    """Return the streets: two cards down and one up, three more up, the last one down."""
    return (
        Street("third", hole=2, up=1, first=bring_in),
        Street("fourth", up=1, first=later),
        Street("fifth", up=1, bet_units=2, first=later),
        Street("sixth", up=1, bet_units=2, first=later),
        Street("seventh", hole=1, bet_units=2, first=later),
    )


def laid_streets(cards: int, thrown: int = 0) -> tuple[Street, ...]:
    """Return the streets: five cards to lay in rows, then a few at a time, some discarded, then fantasy land."""
    names = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    later = [Street(name, hole=cards, throw=thrown) for name in names[1 : 1 + 8 // (cards - thrown)]]
    return (Street(names[0], hole=5), *later, Street("fantasy land"))


def draw_streets(hole: int, draws: int) -> tuple[Street, ...]:
    """Return the streets: hole cards, then draws of up to as many cards; bets double in the second half."""
    names = ("draw",) if draws == 1 else ("first draw", "second draw", "third draw")
    rounds = [
        Street(name, draw=hole, bet_units=1 if number < draws // 2 else 2)
        for number, name in enumerate(names)
    ]
    return (Street("predraw", hole=hole), *rounds)
