"""The odds of each house bot: the bots' own decisions before the random draw; tests compare both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from poker_actors.bots.house import simple, thinking
from poker_actors.bots.house.judging import made_hand, starting_rank
from poker_actors.bots.house.other_games import is_like_holdem
from poker_actors.bots.house.sizing import CALL, CHECK, FOLD, pot_raise, raise_between
from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator import category, evaluate, fast, holdem_strengths
from poker_actors.rules import Action, Game, Legal, RaiseTo, View

__all__ = ["HOUSE_ODDS", "Odds", "strength_of_hole", "strengths_of_holes"]

Odds = Mapping[Action, float]
"""The chance of each action of a bot in a situation; the chances add up to 1."""


def _surely(action: Action) -> Odds:
    return {action: 1.0}


def strength_of_hole(view: View) -> float:
    """Return the number, 0 to 1, by which tight, loose and pot-odds judge their cards.

    Raises `BadSpec` for games in which they deal random endings instead.
    """
    if not is_like_holdem(view):
        raise BadSpec(f"tight, loose and pot-odds say their odds in games like hold'em, not in {view.game}")
    return made_hand(view) if view.board else starting_rank(view)


def strengths_of_holes(view: View, holes: Sequence[tuple[Card, ...]]) -> list[float]:
    """Return the same number for each of `holes` in place of the view's cards, all at once where compiled code can."""
    if not view.board or view.game.strengths is not holdem_strengths or fast.engine() != "numba":
        judged = _judged(view.game, view.board)
        for hole in holes:
            if hole not in judged:
                judged[hole] = strength_of_hole(View(view.public, view.seat, hole))
        return [judged[hole] for hole in holes]
    import numpy as np

    from poker_actors.bots.house.compiled import made_hands

    board = np.array(view.board, dtype=np.uint8)
    cards = np.empty((len(holes), 2 + len(board)), dtype=np.uint8)
    cards[:, :2] = np.fromiter(chain.from_iterable(holes), np.uint8, 2 * len(holes)).reshape(-1, 2)
    cards[:, 2:] = board
    whole = len(board) == view.game.board_cards
    board_kind = category(evaluate(view.board)) if whole else -1
    kinds = fast.categories(fast.strengths(cards, checked=False))
    found: list[float] = made_hands(cards, kinds, int(board_kind)).tolist()
    return found


@lru_cache(maxsize=200)
def _judged(_game: Game, _board: tuple[Card, ...]) -> dict[tuple[Card, ...], float]:
    """Return the cache of judged holes for a board; all boards together keep some 40 MB."""
    return {}


def _betting(view: View) -> Legal:
    """Return the legal actions of a betting turn; raises `BadSpec` at any other turn."""
    legal = view.legal
    if legal.discards or legal.bring_in:
        raise BadSpec(
            f"bots of the house say their odds where they bet, not where they draw or bring in, as in {view.game}"
        )
    return legal


def caller_odds(view: View) -> Odds:
    """Return a sure action: nothing is drawn."""
    return _surely(simple.caller(view))


def folder_odds(view: View) -> Odds:
    """Return a sure action: nothing is drawn."""
    return _surely(simple.folder(view))


def random_odds(view: View) -> Odds:
    """Return equal chances for all choices; two choices may be the same action."""
    legal = _betting(view)
    choices: list[Action] = [FOLD, CALL if legal.to_call else CHECK]
    if legal.can_raise:
        choices.append(RaiseTo(legal.min_raise_to))
    if legal.all_in is not None:
        choices.append(legal.all_in)
    odds: dict[Action, float] = {}
    for action in choices:
        odds[action] = odds.get(action, 0.0) + 1 / len(choices)
    return odds


def maniac_odds(view: View, *, nerve: float = 0.6) -> Odds:
    """Return the chances of each total: the raise is uniform from half the pot to two pots, rounded down to chips."""
    legal = _betting(view)
    odds: dict[Action, float] = {}
    stays = CALL if view.to_call else CHECK
    gives_up = max(0.0, 1 - max(nerve, 0.9)) if view.to_call * 2 > view.stack else 0.0
    if gives_up:
        odds[FOLD] = gives_up
    odds[stays] = odds.get(stays, 0.0) + 1 - nerve - gives_up
    if not legal.can_raise:
        odds[stays] += nerve
        return odds
    pot, bet = view.pot + legal.to_call, view.public.bet
    low, high = 0.5 * pot, 2.0 * pot
    if high <= low:
        action = raise_between(legal, bet)
        odds[action] = odds.get(action, 0.0) + nerve
        return odds
    # clamp: raises below the least legal total become it, and those above the most
    least, most = legal.min_raise_to, legal.max_raise_to
    first = max(least, min(most, bet + int(low)))
    last = max(least, min(most, bet + int(high)))
    for total in range(first, last + 1):
        begin = low if total == first else max(low, total - bet)
        end = high if total == last else min(high, total + 1 - bet)
        if end > begin:
            action = RaiseTo(total)
            odds[action] = odds.get(action, 0.0) + nerve * (end - begin) / (high - low)
    return odds


def tight_odds(view: View, strength: float | None = None, *, vpip: float = 0.18, bluff: float = 0.25) -> Odds:
    """Return a sure action, or a bluff and a check: only bluffs are drawn."""
    return _tag_odds(view, strength, vpip, 0.60, bluff)


def loose_odds(view: View, strength: float | None = None, *, vpip: float = 0.42, bluff: float = 0.45) -> Odds:
    """Return a sure action, or a bluff and a check: only bluffs are drawn."""
    return _tag_odds(view, strength, vpip, 0.52, bluff)


def _tag_odds(view: View, strength: float | None, vpip: float, value: float, bluff: float) -> Odds:
    judged = strength_of_hole(view) if strength is None else strength
    if not view.board:
        return _surely(thinking.before_the_flop(view, vpip, judged))
    opponents = len(view.public.seats_live) - 1
    needed = value + 0.06 * (opponents - 1)
    if view.legal.can_check and judged < needed and opponents == 1 and len(view.board) < 5:
        odds: dict[Action, float] = {pot_raise(view, 0.5): bluff}
        odds[CHECK] = odds.get(CHECK, 0.0) + 1 - bluff
        return odds
    return _surely(thinking.after_the_flop(view, value, 0.0, judged))


def pot_odds_odds(view: View, strength: float | None = None, *, margin: float = 0.05) -> Odds:
    """Return a sure action: nothing is drawn."""
    judged = strength_of_hole(view) if strength is None else strength
    return _surely(thinking.by_pot_odds(view, margin, judged))


HOUSE_ODDS: Final[Mapping[Callable[..., Any], Callable[..., Odds]]] = {
    simple.caller: caller_odds,
    simple.folder: folder_odds,
    simple.random_bot: random_odds,
    simple.maniac: maniac_odds,
    thinking.tight: tight_odds,
    thinking.loose: loose_odds,
    thinking.pot_odds: pot_odds_odds,
}
"""The odds functions by bot. `Scripted` draws nothing and is simply asked; `equity` is in `sampled`."""
