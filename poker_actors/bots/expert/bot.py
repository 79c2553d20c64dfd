"""The bot `expert`: looks its turn up in a trained table, and states its odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from poker_actors.bots.expert.situation import (
    CHART,
    entering,
    numbers_of,
    raise_totals,
    situation,
    situation_of,
)
from poker_actors.bots.expert.table import shipped_table, table_of
from poker_actors.bots.house.judging import starting_ranks
from poker_actors.bots.house.sizing import FOLD, call_or_check
from poker_actors.bots.house.thinking import before_the_flop, by_pot_odds, equity
from poker_actors.bots.registry import bot
from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator import fast, holdem_strengths
from poker_actors.rules import Action, RaiseTo, View
from poker_actors.rules.games import Betting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LEVELS", "Expert", "Level", "choices_of"]

Hole = tuple[Card, ...]
Odds = Mapping[Action, float]
Level = Literal["beginner", "casual", "regular", "strong", "expert"]

LEVELS: Final[Mapping[str, float]] = {
    "beginner": 0.7,
    "casual": 0.45,
    "regular": 0.25,
    "strong": 0.1,
    "expert": 0.0,
}
"""How often each level does not look into the table: it calls too much and raises too little, as beginners do."""
_SECONDS_A_CLASS: Final = 1e-4
_CAUTIOUS: Final = 0.05
_CURIOUS: Final = -0.2
"""By how much a hand must beat the price where the table says nothing, and for somebody who wants to see it."""


@bot("expert")
class Expert:
    """Plays hold'em by a table that was trained with 8 to 220 big blinds at 2 to 9 seats (needs numpy).

    `level` goes from a beginner to the full table. `table` is a file that `poker-actors train expert` wrote, to be
    played by instead of the one that comes with the package. In other games it plays as `equity` does.
    """

    def __init__(self, *, level: Level = "expert", table: str = "") -> None:
        self.level: Final = level
        self._careless = LEVELS[level]
        self._table: Final = table_of(table) if table else shipped_table()

    def __call__(self, view: View) -> Action:
        """Draw what to do by its odds."""
        if not _knows(view):
            return equity(view)
        luck = view.rng.random()
        last: Action = FOLD
        for action, chance in self.probabilities(view).items():
            last = action
            luck -= chance
            if luck < 0:
                break
        return last

    def probabilities(self, view: View) -> Odds:
        """Return what it may do with the cards of a view, and with which chance; raises `BadSpec` in other games than hold'em."""
        _check(view)
        rows = self._rows(view)
        row = rows[_class_of(view)].tolist() if rows is not None else ()
        return self._odds(view, _offered(choices_of(view), row), view.hole)

    def range_probabilities(self, view: View, holes: Sequence[Hole]) -> list[Odds]:
        """Return the same for each of `holes`."""
        _check(view)
        from poker_actors.bots.expert.cards import all_classes, hole_number

        classes = all_classes(view.board).tolist()
        choices = choices_of(view)
        rows = self._rows(view)
        offered: dict[int, list[tuple[Action, int]]] = {}
        found: dict[Any, Odds] = {}
        answers = []
        for hole in holes:
            number = hole_number(hole)
            kind = classes[number]
            if kind not in offered:
                offered[kind] = _offered(choices, rows[kind].tolist()) if rows is not None else []
            # what is not looked up goes by the cards themselves
            key: Any = kind if offered[kind] and not self._careless else (kind, number)
            if key not in found:
                found[key] = self._odds(view, offered[kind], hole)
            answers.append(found[key])
        return answers

    def explained(self, view: View) -> tuple[str, ...]:
        """Explain a decision: the cards, the price, the row of the table, the odds; raises `BadSpec`."""
        odds = self.probabilities(view)
        legal = view.legal
        lines = [
            f"{' '.join(map(str, view.hole))} beat {100 * _share(view, view.hole):.0f} % of all hands now"
        ]
        if legal.to_call:
            price = 100 * legal.to_call / (view.pot + legal.to_call)
            lines.append(f"to call {legal.to_call} into {view.pot} takes {price:.0f} % to be worth it")
        rows = self._rows(view)
        kind = _class_of(view)
        if rows is not None and rows[kind].any():
            lines.append(f"the table has situation {situation_of(view)}, cards of class {kind}")
        elif _entered_by_chart(view):
            entered = 100 * _entered_by_chart(view)
            lines.append(
                f"a chart enters with {entered:.0f} % of hands from here, with fewer the dearer it is"
            )
        else:
            lines.append("the table has no such row: it goes by the price")
        by_chance = sorted(odds.items(), key=lambda one: -one[1])
        return (*lines, *[f"{100 * chance:.0f} % {action}" for action, chance in by_chance])

    def _rows(self, view: View) -> NDArray[np.uint8] | None:
        """Return the rows of the situation of a view, one a class; None where a rule says what to do."""
        numbers = numbers_of(view)
        start = self._table.start(situation(numbers))
        return self._table.weights[start:] if start >= 0 and not entering(numbers, CHART) else None

    def _odds(self, view: View, offered: Sequence[tuple[Action, int]], hole: Hole) -> Odds:
        total = sum([weight for _, weight in offered])
        odds: dict[Action, float] = {}
        for action, weight in offered:
            _add(odds, action, (1 - self._careless) * weight / total)
        if not offered:
            _add(odds, _by_rule(view, hole), 1 - self._careless)
        if self._careless:
            _add(odds, by_pot_odds(view, _CURIOUS, _share(view, hole)), self._careless)
        return odds


def _offered(choices: Sequence[Action | None], row: Sequence[int]) -> list[tuple[Action, int]]:
    """Return the choices that have a weight, with it; none for a row that was hardly ever come to."""
    return [
        (choice, weight)
        for choice, weight in zip(choices, row, strict=False)
        if weight and choice is not None
    ]


def _add(odds: dict[Action, float], action: Action, chance: float) -> None:
    odds[action] = odds.get(action, 0.0) + chance


def _by_rule(view: View, hole: Hole) -> Action:
    """Say what to do where the table does not: by the chart, or by the share of hands beaten against the price."""
    entered = _entered_by_chart(view)
    if entered:
        return before_the_flop(view, entered, _share(view, hole))
    return by_pot_odds(view, _CAUTIOUS, _share(view, hole))


def _entered_by_chart(view: View) -> float:
    return entering(numbers_of(view), CHART)


def _knows(view: View) -> bool:
    game = view.game
    return (
        game.plain
        and game.strengths is holdem_strengths
        and game.hole_cards == 2
        and game.pack == STANDARD_DECK
    )


def _check(view: View) -> None:
    if not _knows(view):
        raise BadSpec(f"bot expert says its odds in hold'em with 52 cards, not in {view.game}")


def _class_of(view: View) -> int:
    """Return the class of the cards of a view, compiled once that has been asked so often that loading it pays."""
    if not view.board:
        from poker_actors.bots.expert.cards import starting_class

        return starting_class(*view.hole)
    if fast.engine_for("auto", lambda: _SECONDS_A_CLASS) == "numba":
        from poker_actors.bots.expert.compiled import class_of_hole

        return class_of_hole(view.hole, view.board)
    from poker_actors.bots.expert.cards import all_classes, hole_number

    return int(all_classes(view.board)[hole_number(view.hole)])


def _share(view: View, hole: Hole) -> float:
    """Return the share of hands that two cards beat now."""
    if not view.board:
        return starting_ranks(STANDARD_DECK)[hole[0] << 6 | hole[1]]
    from poker_actors.bots.expert.cards import beaten_shares, hole_number

    return float(beaten_shares(view.board)[hole_number(hole)])


def choices_of(view: View) -> list[Action | None]:
    """Return what each of the six actions is at a turn; None for what is not offered there, as in training.

    With other limits than in training each raise is the nearest that is allowed.
    """
    legal = view.legal
    public, me = view.public, view.seat
    behind = [
        public.chips_in_front[seat] + public.chips_behind[seat] for seat in public.seats_live if seat != me
    ]
    totals = raise_totals(
        public.bet,
        public.pot,
        legal.to_call,
        legal.min_raise_to,
        legal.max_raise_to,
        max(behind),
        view.game.betting is not Betting.NO_LIMIT,
    )
    raises = [RaiseTo(total) if total else None for total in totals]
    return [FOLD if legal.to_call else None, call_or_check(legal), *raises]
