"""The odds of each house bot: the bots' own decisions before the random draw; tests compare both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import Any, Final

from poker_actors.bots.house import simple, thinking
from poker_actors.bots.house.judging import (
    CALL,
    CHECK,
    FOLD,
    made_hand,
    pot_raise,
    raise_between,
    starting_rank,
)
from poker_actors.bots.house.other_games import is_like_holdem
from poker_actors.bots.house.thinking import by_equity
from poker_actors.cards import SHORT_DECK, STANDARD_DECK, Card
from poker_actors.errors import BadSpec, MissingExtra
from poker_actors.evaluator import category, evaluate, fast, holdem_strengths, short_deck_strengths
from poker_actors.evaluator.equity import holdem_matchups
from poker_actors.rules import Action, Game, Legal, RaiseTo, View

Odds = Mapping[Action, float]
"""The chance of each action of a bot in a situation; the chances add up to 1."""


def _surely(action: Action) -> Odds:
    return {action: 1.0}


def strength_of_hole(view: View) -> float:
    """Return the strength, 0 to 1, that tight, loose and pot-odds see in their cards.

    Raises `BadSpec` for games in which they deal random endings instead.
    """
    if not is_like_holdem(view):
        raise BadSpec(
            f"tight, loose and pot-odds state their odds only in games like hold'em, not in {view.game}"
        )
    return made_hand(view) if view.board else starting_rank(view)


def strengths_of_holes(view: View, holes: Sequence[tuple[Card, ...]]) -> list[float]:
    """Return the same number for each of `holes` in place of the view's cards, all at once with compiled code."""
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
        raise BadSpec(f"house bots state their odds for bets, not for draws or bring-ins, as in {view.game}")
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


Hole = tuple[Card, ...]
_LEAST: Final = 1e-12
"""Smaller chances are rounding errors of the Fourier transform and count as zero."""


def equity_odds(
    view: View, holes: Sequence[Hole], *, samples: int = 100, margin: float = 0.04
) -> list[dict[Action, float]]:
    """Return the probabilities of `equity`'s actions with each of `holes`.

    Counting all opposing hands and boards gives the chances that one deal is won, shared or lost; the bot decides by
    the sum of `samples` deals. Raises `BadSpec` against several opponents and in other games, `MissingExtra` without
    numpy.
    """
    game = view.game
    if len(view.public.seats_live) != 2 or not _is_known(game):
        raise BadSpec(
            "bot equity states its odds against one opponent in hold'em with 52 cards (on a board, also of 36)"
        )
    import numpy as np

    won, tied = _chances(game, view.board)
    numbers = [_number(*hole) for hole in holes]
    wins, ties = won[numbers], tied[numbers]
    # the chance of each sum is a coefficient of (lost + tied * z + won * z^2) ** samples, found by a Fourier transform;
    # `size` exceeds the degree, 2 * samples, or high coefficients would wrap round onto low ones
    size = 1 << (2 * samples).bit_length()
    turn = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    generating = (1 - wins - ties)[:, None] + ties[:, None] * turn + wins[:, None] * turn**2
    sums = np.fft.irfft(generating**samples, size, axis=1)[:, : 2 * samples + 1]
    actions = [by_equity(view, half / 2 / samples, margin) for half in range(2 * samples + 1)]
    kinds = list(dict.fromkeys(actions))
    chosen = np.array([[action == kind for kind in kinds] for action in actions], dtype=float)
    rows = sums @ chosen
    rows[rows < _LEAST] = 0.0
    rows /= rows.sum(axis=1, keepdims=True)
    return [{kind: float(chance) for kind, chance in zip(kinds, row, strict=True) if chance} for row in rows]


def _is_known(game: Game) -> bool:
    return game.strengths in (holdem_strengths, short_deck_strengths) and game.hole_cards == 2


def _number(one: int, other: int) -> int:
    high, low = max(one, other), min(one, other)
    return high * (high - 1) // 2 + low


@lru_cache(maxsize=64)
def _chances(game: Game, board: tuple[Card, ...]) -> tuple[Any, Any]:
    """Return the chances to win and to tie against a random hand, two arrays indexed by `_number`."""
    if fast.engine() == "python":
        raise MissingExtra("fast", "numpy")
    if not board:
        if game.pack != STANDARD_DECK:
            raise BadSpec(f"bot equity states its odds before the flop with 52 cards only, not in {game}")
        won, tied = holdem_matchups()
        others = comb(50, 2)
        return won.sum(axis=1) / others, tied.sum(axis=1) / others
    many = fast.short_deck_strengths if game.pack == SHORT_DECK else fast.strengths
    return _counted(many, [card for card in game.pack if card not in board], board)


def _counted(many: Callable[..., Any], left: Sequence[Card], board: tuple[Card, ...]) -> tuple[Any, Any]:
    """Return those chances, counted by comparing each hand with all others on every possible board."""
    import numpy as np

    missing = 5 - len(board)
    won, tied = np.zeros(_number(51, 50) + 1), np.zeros(_number(51, 50) + 1)
    for more in combinations(left, missing):
        stub = np.array([card for card in left if card not in more], dtype=np.int64)
        below, beside = _against_all(many, stub, (*board, *more))
        high, low = np.triu_indices(len(stub), 1)[::-1]
        numbers = stub[high] * (stub[high] - 1) // 2 + stub[low]
        won[numbers] += below[low, high]
        tied[numbers] += beside[low, high]
    # the boards that can come with a hand, times the opposing hands on each
    deals = comb(len(left) - 2, missing) * comb(len(left) - 2 - missing, 2)
    return won / deals, tied / deals


def _against_all(many: Callable[..., Any], stub: Any, board: tuple[Card, ...]) -> tuple[Any, Any]:
    """Return, by two cards of `stub`, the number of weaker and of equal hands that share no card with them."""
    import numpy as np

    size = len(stub)
    one, other = np.triu_indices(size, 1)
    cards = np.empty((len(one), 7), dtype=np.uint8)
    cards[:, 0], cards[:, 1], cards[:, 2:] = stub[one], stub[other], np.array(board, dtype=np.uint8)
    found = many(cards, checked=False).astype(np.int64)
    order = np.sort(found)
    below = np.searchsorted(order, found, "left")
    beside = np.searchsorted(order, found, "right") - below
    table = np.zeros((size, size), dtype=np.int64)
    table[one, other] = table[other, one] = found
    # to subtract: hands that share a card, found by fixing either card of the hand
    rows = table[:, :, None] > table[:, None, :]
    apart = ~np.eye(size, dtype=bool)
    less = (rows & apart[:, None, :]).sum(axis=2)
    same = ((table[:, :, None] == table[:, None, :]) & apart[:, None, :]).sum(axis=2)
    weaker, equal = np.zeros_like(table), np.zeros_like(table)
    weaker[one, other] = below - less[one, other] - less[other, one]
    # + 1: the hand itself was counted once in `beside` and subtracted twice
    equal[one, other] = beside - same[one, other] - same[other, one] + 1
    return weaker, equal
