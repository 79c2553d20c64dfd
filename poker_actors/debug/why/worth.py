"""Estimate what actions are worth: play the hand out from a turn, with the expert bot in every seat."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from poker_actors.bots import SeedTree
from poker_actors.bots.expert import Expert
from poker_actors.rules import Action, Hand

__all__ = ["DEALS", "played_out"]

DEALS: Final = 100
_TREE: Final = SeedTree(0)


def played_out(hand: Hand, actions: Sequence[Action], deals: int = DEALS) -> list[tuple[float, float]]:
    """Return mean and 95 % margin, in chips from here on, for each action of the seat to act.

    Uses only what this seat sees: hidden cards are dealt at random, the same ones for every action,
    so that actions differ by their merit and not by luck. Needs at least 2 `deals`.
    """
    seat = hand.to_act[0]
    rng = Random(0)  # a fixed seed: asking twice gives the same answer
    values: list[list[float]] = [[] for _ in actions]
    for number in range(deals):
        dealt = _dealt_anew(hand, seat, rng)
        for action, worths in zip(actions, values, strict=True):
            other = dealt.copy()
            other.act(action)
            _finish(other, number)
            worths.append(other.payoffs[seat] + hand.starting[seat] - hand.stacks[seat])
    # 1.96 standard errors: the 95 % interval of a normal distribution
    return [(fmean(worths), 1.96 * stdev(worths) / sqrt(deals)) for worths in values]


def _dealt_anew(hand: Hand, seat: int, rng: Random) -> Hand:
    """Return a copy of the hand with all cards hidden from this seat dealt anew."""
    seen = {*hand.board, *hand.holes[seat]}
    left = [card for card in hand.game.pack if card not in seen]
    rng.shuffle(left)
    other = hand.copy()
    other.holes = [
        hole if place == seat else tuple([left.pop() for _ in hole]) for place, hole in enumerate(hand.holes)
    ]
    to_come = len(hand.cards) - len(hand.cards_dealt)
    other.cards = (*hand.cards_dealt, *left[:to_come])
    return other


def _finish(hand: Hand, number: int) -> None:
    bot = Expert()
    while hand.to_act:
        seat = hand.to_act[0]
        hand.act(bot(hand.view(seat, _TREE.stream(number, seat))))
