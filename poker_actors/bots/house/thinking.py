"""Bots that judge their cards, the price and the table. Their thresholds are for bots that decide fast, not well.

`house.odds` and `learn.compiled.policies` repeat them and must change with them; so does the result of every seeded
match.
"""

from __future__ import annotations

from typing import Annotated

from poker_actors.bots.house.judging import (
    CHECK,
    FOLD,
    call_or_check,
    equity_by_sampling,
    made_hand,
    pot_raise,
    raise_between,
    starting_rank,
)
from poker_actors.bots.house.other_games import chance_of, is_like_holdem, special_turn
from poker_actors.bots.registry import Within, bot
from poker_actors.rules import Action, View


@bot("tight")
def tight(
    view: View,
    *,
    vpip: Annotated[float, Within(0.02, 1)] = 0.18,
    bluff: Annotated[float, Within(0, 1)] = 0.25,
) -> Action:
    """Tight-aggressive: raises the best `vpip` of hands, bets good hands and gives up the rest."""
    if not is_like_holdem(view):
        return _otherwise(view, vpip, 0.60, bluff)
    if not view.board:
        return before_the_flop(view, vpip, starting_rank(view))
    return after_the_flop(view, 0.60, bluff, made_hand(view))


@bot("loose")
def loose(
    view: View,
    *,
    vpip: Annotated[float, Within(0.02, 1)] = 0.42,
    bluff: Annotated[float, Within(0, 1)] = 0.45,
) -> Action:
    """Loose-aggressive: plays many hands fast, bluffs often and gives up when it meets resistance."""
    if not is_like_holdem(view):
        return _otherwise(view, vpip, 0.52, bluff)
    if not view.board:
        return before_the_flop(view, vpip, starting_rank(view))
    return after_the_flop(view, 0.52, bluff, made_hand(view))


def _otherwise(view: View, vpip: float, value: float, bluff: float) -> Action:
    """Play a game unlike hold'em by the chance to win against one opponent."""
    special = special_turn(view)
    if special is not None:
        return special
    if view.public.dealt.street:
        return after_the_flop(view, value, bluff, chance_of(view))
    return before_the_flop(view, vpip, chance_of(view))


def before_the_flop(view: View, vpip: float, rank: float) -> Action:
    """Open or raise the best `vpip` of hands; the higher the price, the better they must be."""
    legal = view.legal
    big = max(view.stakes.big_blind, view.stakes.straddle, 1)
    bets = view.public.bet / big
    if bets <= 1:
        if rank < 1 - vpip:
            return CHECK if legal.can_check else FOLD
        limpers = sum(1 for chips in view.public.chips_in_front if chips == view.public.bet) - 1
        return raise_between(legal, (3 + limpers) * big)
    # 55 % of the range goes on against a raise, 35 % against a re-raise, 22 % beyond; the better half of it raises
    wanted = vpip * (0.55 if bets <= 4 else 0.35 if bets <= 12 else 0.22)
    if rank >= 1 - wanted / 2 and legal.can_raise:
        return raise_between(legal, 3 * view.public.bet)
    if rank >= 1 - wanted or (legal.to_call <= big and rank >= 1 - vpip * 1.3):
        return call_or_check(legal)
    return CHECK if legal.can_check else FOLD


def after_the_flop(view: View, value: float, bluff: float, made: float) -> Action:
    """Bet hands above `value` and sometimes a bluff; call when the price is right."""
    legal = view.legal
    opponents = len(view.public.seats_live) - 1
    needed = value + 0.06 * (opponents - 1)
    if legal.can_check:
        if made >= needed:
            return pot_raise(view, 0.7)
        if opponents == 1 and len(view.board) < 5 and view.rng.random() < bluff:
            return pot_raise(view, 0.5)
        return CHECK
    price = legal.to_call / (view.pot + legal.to_call)
    # above an overpair (0.86), below three of a kind (0.88); see `made_hand`
    if made >= 0.87:
        return pot_raise(view, 0.8)
    # a bet of 0.8 pots (a price of 0.31) takes as good a hand to call as to bet; a smaller one takes less
    if made >= needed - 0.14 + 0.45 * price:
        return call_or_check(legal)
    return FOLD


@bot("pot-odds")
def pot_odds(view: View, *, margin: Annotated[float, Within(-1, 1)] = 0.05) -> Action:
    """Calls when its chance to win beats the price by `margin`; raises only very good hands."""
    if not is_like_holdem(view):
        return special_turn(view) or by_pot_odds(view, margin, chance_of(view))
    return by_pot_odds(view, margin, starting_rank(view) if not view.board else made_hand(view))


def by_pot_odds(view: View, margin: float, share: float) -> Action:
    """Call when the chance to beat all opponents exceeds the price by `margin`; `share` is that to beat one."""
    opponents = len(view.public.seats_live) - 1
    # independent hands would make the exponent the number of opponents: 0.6 for each further one is kinder
    chance = share if opponents == 1 else share ** (1 + 0.6 * (opponents - 1))
    legal = view.legal
    if chance >= 0.82 and view.board:  # better than two pair (0.80)
        return pot_raise(view, 0.6)
    if legal.can_check:
        return CHECK
    price = legal.to_call / (view.pot + legal.to_call)
    return call_or_check(legal) if chance >= price + margin else FOLD


@bot("equity")
def equity(
    view: View,
    *,
    samples: Annotated[int, Within(1, 100_000)] = 100,
    margin: Annotated[float, Within(-1, 1)] = 0.04,
) -> Action:
    """Deals `samples` random endings from its own stream; raises a clear favourite, calls at a fair price."""
    opponents = len(view.public.seats_live) - 1
    if is_like_holdem(view):
        chance = equity_by_sampling(view.game, view.hole, view.board, opponents, samples, view.rng)
    else:
        special = special_turn(view)
        if special is not None:
            return special
        chance = chance_of(view, samples) ** opponents
    return by_equity(view, chance, margin)


def by_equity(view: View, chance: float, margin: float) -> Action:
    """Raise a clear favourite; call when the share `chance` of the pot beats the price by `margin`."""
    opponents = len(view.public.seats_live) - 1
    legal = view.legal
    # half as much again as an equal share of the pot; 0.3 keeps it from raising weak hands against many
    if chance >= 1.5 / (opponents + 1) and chance > 0.3:
        return pot_raise(view, 0.75)
    if legal.can_check:
        return CHECK
    price = legal.to_call / (view.pot + legal.to_call)
    # opponents who bet hold better than random cards, the more so the more they bet: discount the chance
    return call_or_check(legal) if chance * (1 - 0.3 * price) >= price + margin else FOLD
