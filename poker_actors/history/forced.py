"""The forced bets of a history, as the rules post them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import attrs

from poker_actors.errors import BadSpec, Discrepancy
from poker_actors.history.hand_history import HandHistory
from poker_actors.rules import Stakes
from poker_actors.rules import event as events

__all__ = ["forced_bets"]


def forced_bets(history: HandHistory) -> tuple[Stakes, tuple[events.Posted, ...] | None]:
    """Return the stakes, and a list of posts if stakes cannot express what was posted, else None.

    Raises `Discrepancy` for amounts that cannot be forced bets.
    """
    antes = history.antes
    whole = not antes or (not history.trimmed_antes and min(history.stacks) > max(antes))
    try:
        stakes, posts = _forced_bets(
            antes,
            history.blinds,
            history.min_bet,
            history.bring_in,
            history.trimmed_antes or whole,
            dead_small=history.dead_small > 0,
        )
        return (attrs.evolve(stakes, small_blind=history.dead_small) if history.dead_small else stakes), posts
    except BadSpec as error:
        raise Discrepancy(str(error)) from None


@lru_cache(maxsize=512)
def _forced_bets(
    antes: tuple[int, ...],
    blinds: tuple[int, ...],
    min_bet: int,
    bring_in: int,
    layered: bool,
    *,
    dead_small: bool,
) -> tuple[Stakes, tuple[events.Posted, ...] | None]:
    size = len(blinds)
    small, big = (1, 0) if size == 2 else (0, 1)
    usual = (
        not dead_small
        and layered
        and len(set(antes)) <= 1
        and not any(blinds[2:])
        and blinds[small] <= blinds[big]
    )
    ante = antes[0] if usual and antes else 0
    if usual and (blinds[small] > 0 or (bring_in and not blinds[big])):
        return Stakes(blinds[small], blinds[big], ante, min_bet=min_bet, bring_in=bring_in), None
    sizes = [amount for amount in blinds if amount > 0]
    highest = max(sizes, default=0)
    stakes = Stakes(min([*sizes, highest]), highest, ante, min_bet=min_bet, bring_in=bring_in)
    if dead_small:  # the big blind is the first that was posted
        small, big = -1, next((player for player, amount in enumerate(blinds) if amount > 0), 0)
    return stakes, (*_antes(antes, layered), *_blinds(blinds, small, big))


def _antes(antes: tuple[int, ...], layered: bool) -> Iterator[events.Posted]:
    """Yield antes: live as far as everybody owes the same, dead beyond that."""
    common = min(antes, default=0) if layered else 0
    if common:
        for player in range(len(antes)):
            yield events.Posted(player, events.Post.ANTE, common)
    for player, ante in enumerate(antes):
        if ante > common:
            yield events.Posted(player, events.Post.BIG_BLIND_ANTE, ante - common)


def _blinds(blinds: tuple[int, ...], small: int, big: int) -> Iterator[events.Posted]:
    for player in dict.fromkeys((small, big, *range(len(blinds)))):
        amount = blinds[player] if player >= 0 else 0
        if amount < 0:
            yield events.Posted(player, events.Post.EXTRA_BLIND, -amount)
        elif amount:
            yield events.Posted(player, _kind(blinds, player, small, big), amount)


def _kind(blinds: tuple[int, ...], player: int, small: int, big: int) -> events.Post:
    # left of the big blind there may be a newcomer's: the small one is dead then
    if player == big or (player == small and blinds[big] <= 0 and blinds[small] >= -blinds[big]):
        return events.Post.BIG_BLIND
    return events.Post.SMALL_BLIND if player == small else events.Post.STRADDLE
