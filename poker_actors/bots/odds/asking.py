"""Bots that state their odds: the probability of each action, for their own cards or for all possible ones.

Your own bot states them with an attribute or method `probabilities(view)`, which maps actions to probabilities, and, if
it can do better than hole by hole, `range_probabilities(view, holes)`, one such mapping per hole. A bot that draws no
random numbers needs neither: it is simply asked.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isclose
from random import Random
from typing import Any, Final

from poker_actors.bots.deciding import AllIn
from poker_actors.bots.hearing import hears
from poker_actors.bots.house.odds import HOUSE_ODDS, Odds, equity_odds, strengths_of_holes
from poker_actors.bots.house.simple import Scripted
from poker_actors.bots.house.thinking import equity
from poker_actors.bots.spec import BotSpec
from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Bet, RaiseTo, View

__all__ = ["Odds", "OddsBot", "as_raise", "odds_of", "states_odds"]

Hole = tuple[Card, ...]
_REMEMBERED: Final = 8
"""Lists of holes whose judgements are cached: nested loops over streets use several at a time."""


def as_raise(action: Action) -> Action:
    """Return a bet as the equivalent raise, as both may name a street's first bet; other actions come back unchanged."""
    return RaiseTo(action.amount) if isinstance(action, Bet) else action


class OddsBot:
    """A bot's odds, from any source; make one with `odds_of`."""

    def __init__(
        self,
        name: str,
        one: Callable[[View], Odds],
        many: Callable[[View, Sequence[Hole]], Sequence[Odds]] | None = None,
        grouped: Callable[[View, Sequence[Hole]], tuple[list[Odds], Sequence[int]]] | None = None,
    ) -> None:
        self.name = name
        self._one = one
        self._many = many
        self._grouped = grouped

    def probabilities(self, view: View) -> Odds:
        """Return the chance of each action, bets as raises; raises `BadSpec` unless they add up to 1."""
        return self._checked(self._one(view))

    def range_probabilities(self, view: View, holes: Sequence[Hole]) -> list[Odds]:
        """Return the same for each of `holes` in place of the view's cards."""
        if self._many is not None:
            said = self._many(view, holes)
            # hands judged alike share one object: check it once
            checked = {id(odds): self._checked(odds) for odds in {id(odds): odds for odds in said}.values()}
            return [checked[id(odds)] for odds in said]
        return [self.probabilities(_holding(view, hole)) for hole in holes]

    def answers(self, view: View, holes: Sequence[Hole]) -> tuple[list[Odds], Sequence[int]]:
        """Return the distinct answers, and for each of `holes` the index of its answer."""
        if self._grouped is not None:
            found, which = self._grouped(view, holes)
            return [self._checked(odds) for odds in found], which
        said = self.range_probabilities(view, holes)
        # hands judged alike share one object; `said` keeps all of them alive, so ids are unique
        places = {each: place for place, each in enumerate({id(odds) for odds in said})}
        by_id = {id(odds): odds for odds in said}
        return [by_id[each] for each in places], array("i", [places[id(odds)] for odds in said])

    def _checked(self, odds: Odds) -> Odds:
        total = sum(odds.values())
        if not isclose(total, 1, abs_tol=1e-6) or min(odds.values()) < -1e-9:
            raise BadSpec(f"bot {self.name}: the chances of its actions add up to {total:.6g}, not 1")
        if not any(isinstance(action, Bet) for action in odds):
            return odds
        return {as_raise(action): chance for action, chance in odds.items()}


def states_odds(spec: BotSpec) -> bool:
    """Whether a bot's odds are known without asking it hand by hand: it is a house bot, or has `probabilities`."""
    factory = spec.source.factory
    return factory is equity or factory in HOUSE_ODDS or hasattr(factory, "probabilities")


def odds_of(spec: BotSpec | str | Callable[..., Any]) -> OddsBot:
    """Return a bot's odds; a bot that draws random numbers without stating odds raises `BadSpec` when asked."""
    known = BotSpec.of(spec)
    made = known.make()
    name = str(known)
    said = getattr(made, "probabilities", None) or getattr(known.source.factory, "probabilities", None)
    if said is not None:
        many = getattr(made, "range_probabilities", None)
        return OddsBot(name, said, many or getattr(known.source.factory, "range_probabilities", None))
    if known.source.factory is equity:
        return _of_equity(name, known.values)
    house = HOUSE_ODDS.get(known.source.factory)
    if house is not None:
        return _of_the_house(name, partial(house, **known.values), known.source.name)
    if hears(made):
        raise BadSpec(f"bot {name} learns from hand to hand: its odds change with each hand")
    if isinstance(made, Scripted) or callable(made):
        return OddsBot(name, partial(_asked, name, made))
    raise BadSpec(f"bot {name} is not a function of a view")


def _of_equity(name: str, values: Mapping[str, Any]) -> OddsBot:
    many: Callable[[View, Sequence[Hole]], Sequence[Odds]] = partial(equity_odds, **values)
    return OddsBot(name, lambda view: many(view, [view.hole])[0], many)


def _of_the_house(name: str, odds: Callable[..., Odds], kind: str) -> OddsBot:
    if kind not in ("tight", "loose", "pot-odds"):
        # these bots do not look at their cards: one answer fits all holes
        return OddsBot(
            name,
            odds,
            lambda view, holes: [odds(view)] * len(holes),
            lambda view, holes: ([odds(view)], array("i", bytes(4 * len(holes)))),
        )

    ranges = _Ranges(odds)
    return OddsBot(name, odds, ranges.probabilities, ranges.answers)


class _Ranges:
    """The odds of many hands at once, for bots that judge a hand by one number and compare it with thresholds."""

    def __init__(self, odds: Callable[..., Odds]) -> None:
        self._odds = odds
        self._judged: dict[int, tuple[Any, Any, list[float], array[int]]] = {}

    def probabilities(self, view: View, holes: Sequence[Hole]) -> list[Odds]:
        """Return the odds of each hole."""
        found, which = self.answers(view, holes)
        return [found[place] for place in which]

    def answers(self, view: View, holes: Sequence[Hole]) -> tuple[list[Odds], array[int]]:
        """Return the answers by strength, deciding once for holes judged alike, and the index of each hole's answer."""
        strengths, which = self._judge(view, holes)
        found: dict[float, Odds] = {}
        self._answer(view, strengths, found)
        return [found[strength] for strength in strengths], which

    def _judge(self, view: View, holes: Sequence[Hole]) -> tuple[list[float], array[int]]:
        """Judge the holes once per board; return the sorted distinct strengths and the index of each hole's."""
        said_of = (view.game, view.board)
        # only tuples are cached: a list may have changed since
        known = self._judged.pop(id(holes), None) if isinstance(holes, tuple) else None
        if known is None or known[1] != said_of:
            judged = strengths_of_holes(view, holes)
            strengths = sorted(set(judged))
            places = {strength: place for place, strength in enumerate(strengths)}
            known = holes, said_of, strengths, array("i", [places[strength] for strength in judged])
        self._judged[id(holes)] = known
        if len(self._judged) > _REMEMBERED:
            del self._judged[next(iter(self._judged))]
        return known[2:]

    def _answer(self, view: View, strengths: list[float], answers: dict[float, Odds]) -> None:
        """Answer for sorted strengths: bots act by thresholds, so if the first and last agree, all between them do."""
        for end in {strengths[0], strengths[-1]} - answers.keys():
            answers[end] = self._odds(view, end)
        first, last = answers[strengths[0]], answers[strengths[-1]]
        if first == last:
            answers.update(dict.fromkeys(strengths, first))
        elif len(strengths) > 2:
            half = len(strengths) // 2
            self._answer(view, strengths[: half + 1], answers)
            self._answer(view, strengths[half:], answers)


class _Watched:
    """A random stream that notes its use."""

    def __init__(self) -> None:
        self.used = False
        self.hand = 0

    def rng(self) -> Random:
        """Note the use and return a generator."""
        self.used = True
        return Random(0)


def _asked(name: str, bot: Callable[[View], Action], view: View) -> Mapping[Action, float]:
    """Ask a bot that draws nothing; ask twice, because a random generator of its own would show."""
    watched = _Watched()
    answers: list[Any] = [bot(View(view.public, view.seat, view.hole, watched)) for _ in range(2)]
    if type(answers[0]) is AllIn:
        answers = [view.legal.all_in or view.legal.passive] * 2 if answers[0] == answers[1] else answers
    if watched.used or answers[0] != answers[1]:
        raise BadSpec(
            f"bot {name} acts at random and does not state its odds: give it probabilities(view), "
            "a chance for each action"
        )
    return {answers[0]: 1.0}


def _holding(view: View, hole: Hole) -> View:
    return View(view.public, view.seat, hole)
