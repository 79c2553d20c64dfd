"""The bot `expert`: looks up its turn in a trained table, and states its odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from poker_actors.bots.expert.situation import (
    CHART,
    MOST_POTS,
    entering,
    largest,
    numbers_of,
    raise_totals,
    situation,
    situation_of,
)
from poker_actors.bots.expert.table import shipped_table, table_of
from poker_actors.bots.house.judging import FOLD, call_or_check, pot_raise, starting_ranks
from poker_actors.bots.house.thinking import before_the_flop, by_pot_odds, equity
from poker_actors.bots.registry import bot
from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator import fast, holdem_strengths
from poker_actors.rules import Action, Fold, Game, RaiseTo, View
from poker_actors.rules.games import Betting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Hole = tuple[Card, ...]
Odds = Mapping[Action, float]
Level = Literal[
    "beginner", "casual", "regular", "strong", "expert", "gambler", "stubborn", "tame", "timid", "wild"
]

LEVELS: Final[Mapping[str, float]] = {
    "beginner": 0.7,
    "casual": 0.45,
    "regular": 0.25,
    "strong": 0.1,
    "expert": 0.0,
}
"""How often each level ignores the table and instead calls too much and raises too little, as beginners do."""
CHARACTERS: Final[Mapping[str, str]] = {
    "gambler": "plays too many hands",
    "stubborn": "does not give up a hand after the flop",
    "tame": "checks and calls where it should bet",
    "timid": "gives up to bets too easily",
    "wild": "bets and raises too much",
}
"""Characters: each plays by the table, in people's bet sizes, with one kind of mistake, described here."""
_ERRS: Final = 0.6
"""The share of its decisions in which a character errs, if it can: enough to be noticed within a hundred hands."""
_OVERBET: Final = 2.5
"""What a character with a short stack bets, in pots, instead of going all-in for more than four."""
_CHEAP: Final = 5
"""The most big blinds that a gambler pays to see a flop."""
_SECONDS_A_CLASS: Final = 1e-4
"""Seconds to classify a hand without compiled code; used only to choose an engine."""
_CAUTIOUS: Final = 0.05
_CURIOUS: Final = -0.2
"""The margin by which a hand must beat the price: where the table has no row, and for a player who calls too much.

The negative one is what makes the lower levels call too much. Both are repeated in `learn.compiled.expert`.
"""


@bot("expert")
class Expert:
    """Plays hold'em by a table trained with 8 to 220 big blinds at 2 to 9 seats (needs numpy).

    `level` ranges from beginner to the full table, or is a character (`CHARACTERS`). `table` is a file written by `poker-actors train expert`, used
    instead of the table of the package. In other games it plays like `equity`. Raises `MissingExtra` without numpy,
    `BadSpec` for a bad file.
    """

    def __init__(self, *, level: Level = "expert", table: str = "") -> None:
        self.level: Final = level
        self._careless = LEVELS.get(level, 0.0)
        self._table: Final = table_of(table) if table else shipped_table()

    def __call__(self, view: View) -> Action:
        """Draw an action by its odds."""
        if not knows(view.game):
            return equity(view)
        # drawn even when one action is certain: the compiled form skips one number there, too
        luck = view.rng.random()
        last: Action = FOLD
        for action, chance in self.probabilities(view).items():
            last = action
            luck -= chance
            if luck < 0:
                break
        return last

    def probabilities(self, view: View) -> Odds:
        """Return the chance of each action with the cards of a view; raises `BadSpec` in games other than hold'em."""
        _check(view)
        rows = self._rows(view)
        row = rows[_class_of(view)].tolist() if rows is not None else ()
        return self._odds(view, _offered(choices_of(view), row), view.hole)

    def range_probabilities(self, view: View, holes: Sequence[Hole]) -> list[Odds]:
        """Return the chances of the actions with each of `holes`; raises as `probabilities` does."""
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
            # without a row, or at a lower level, the answer depends on the cards themselves, not on their class
            key: Any = kind if offered[kind] and not self._careless else (kind, number)
            if key not in found:
                found[key] = self._odds(view, offered[kind], hole)
            answers.append(found[key])
        return answers

    def explained(self, view: View) -> tuple[str, ...]:
        """Explain a decision: cards, price, row of the table, odds; raises `BadSpec` as `probabilities` does."""
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
            lines.append(f"a chart enters with {entered:.0f} % of hands from here, fewer at a higher price")
        else:
            lines.append("the table has no such row: the price decides")
        by_chance = sorted(odds.items(), key=lambda one: -one[1])
        return (*lines, *[f"{100 * chance:.0f} % {action}" for action, chance in by_chance])

    def _rows(self, view: View) -> NDArray[np.uint8] | None:
        """Return the rows of a view's situation, indexed by class; None where a rule decides instead."""
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
        return _as_people(view, odds, self.level) if self.level in CHARACTERS else odds


def _as_people(view: View, odds: Odds, character: str) -> Odds:
    """Return a character's odds, with the sizes that people bet and its own errors."""
    found: dict[Action, float] = {}
    for action, chance in odds.items():
        sized = _sized(view, action)
        _add(found, sized, (1 - _ERRS) * chance)
        _add(found, _erred(view, sized, character), _ERRS * chance)
    return found


def _sized(view: View, action: Action) -> Action:
    bet, whole = view.public.bet, view.pot + view.legal.to_call
    far = isinstance(action, RaiseTo) and action.total - bet > MOST_POTS * whole
    return pot_raise(view, _OVERBET) if far else action


def _erred(view: View, action: Action, character: str) -> Action:
    """Return what a character does instead of an action; the action itself where it does not err."""
    legal = view.legal
    if isinstance(action, RaiseTo):
        return call_or_check(legal) if character == "tame" else action
    if isinstance(action, Fold):
        cheap = not view.board and legal.to_call <= _CHEAP * max(view.stakes.big_blind, 1)
        stays = (character == "stubborn" and view.board) or (character == "gambler" and cheap)
        return call_or_check(legal) if stays else action
    if character == "wild":
        return pot_raise(view, 2 / 3)
    return FOLD if character == "timid" and legal.to_call and view.board else action


def _offered(choices: Sequence[Action | None], row: Sequence[int]) -> list[tuple[Action, int]]:
    """Return the choices with a weight above 0 and their weights; none for a row that training hardly reached."""
    return [
        (choice, weight)
        for choice, weight in zip(choices, row, strict=False)
        if weight and choice is not None
    ]


def _add(odds: dict[Action, float], action: Action, chance: float) -> None:
    odds[action] = odds.get(action, 0.0) + chance


def _by_rule(view: View, hole: Hole) -> Action:
    """Decide without the table: by the chart, or by comparing the share of hands beaten with the price."""
    entered = _entered_by_chart(view)
    if entered:
        return before_the_flop(view, entered, _share(view, hole))
    return by_pot_odds(view, _CAUTIOUS, _share(view, hole))


def _entered_by_chart(view: View) -> float:
    return entering(numbers_of(view), CHART)


def knows(game: Game) -> bool:
    """Return whether the bot plays a game by its table: hold'em with 52 cards."""
    return (
        game.plain
        and game.strengths is holdem_strengths
        and game.hole_cards == 2
        and game.pack == STANDARD_DECK
    )


def _check(view: View) -> None:
    if not knows(view.game):
        raise BadSpec(f"bot expert states its odds in hold'em with 52 cards, not in {view.game}")


def _class_of(view: View) -> int:
    """Return the class of a view's cards, by compiled code once enough calls have been made for loading it to pay."""
    if not view.board:
        from poker_actors.bots.expert.cards import starting_class

        return starting_class(*view.hole)
    if fast.engine_for("auto", lambda: _SECONDS_A_CLASS) == "numba":
        from poker_actors.bots.expert.compiled import class_of_hole

        return class_of_hole(view.hole, view.board)
    from poker_actors.bots.expert.cards import all_classes, hole_number

    return int(all_classes(view.board)[hole_number(view.hole)])


def _share(view: View, hole: Hole) -> float:
    """Return the share of hands that two cards beat now, 0 to 1."""
    if not view.board:
        return starting_ranks(STANDARD_DECK)[hole[0] << 6 | hole[1]]
    from poker_actors.bots.expert.cards import beaten_shares, hole_number

    return float(beaten_shares(view.board)[hole_number(hole)])


def choices_of(view: View) -> list[Action | None]:
    """Return the six actions of the table at a turn; None for one that training would not offer.

    Under limits other than no-limit each raise becomes the nearest legal one. The last may be no all-in; see `largest`.
    """
    legal = view.legal
    public, me = view.public, view.seat
    behind = [
        public.chips_in_front[seat] + public.chips_behind[seat] for seat in public.seats_live if seat != me
    ]
    cap = max(behind)
    half, one, two, most = raise_totals(
        public.bet,
        public.pot,
        legal.to_call,
        legal.min_raise_to,
        legal.max_raise_to,
        cap,
        view.game.betting is not Betting.NO_LIMIT,
    )
    depth = min(public.chips_in_front[me] + public.chips_behind[me], cap)
    blinds = depth // max(public.dealt.setup.stakes.big_blind, 1)
    most = largest(two, most, public.bet, public.pot + legal.to_call, blinds)
    raises = [RaiseTo(total) if total else None for total in (half, one, two, most)]
    return [FOLD if legal.to_call else None, call_or_check(legal), *raises]
