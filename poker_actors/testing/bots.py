"""A test for any bot: it plays at tables of several kinds, without faults, and plays the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import attrs

from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec
from poker_actors.rules import HOLDEM, Game, View, game_named
from poker_actors.sim import SimulationResult, simulate

__all__ = ["BotCheck", "check_bot"]

_COMPANY: Final = ("random", "maniac", "caller", "loose")
"""Opponents that together raise by every size, go all-in early, and see every street."""
_TABLES: Final = ((2, "100bb"), (2, "3bb"), (3, "20bb"), (6, "100bb"), (6, "7bb"))
"""Seats and stacks in big blinds: some deep, some so short that a blind or one raise is all-in."""


@attrs.frozen
class BotCheck:
    """What a bot was checked with, and its mean seconds per decision; None if no hand was timed."""

    hands: int
    decisions: int
    seconds_per_decision: float | None


def check_bot(
    bot: str | BotSpec | Callable[..., Any], *, hands: int = 200, seed: int = 1, game: str | Game = HOLDEM
) -> BotCheck:
    """Play a bot at five kinds of table, `hands` at each; return what it was checked with.

    Raises `AssertionError`, naming the fault and the seed, if the bot raises, returns anything but a legal
    action, or acts differently when the same hands are dealt again: random choices must come from
    `view.rng`. Raises `BadSpec` or `UnknownBot` if `bot` does not name or make a bot.

    >>> check_bot("tight", hands=10).hands
    50
    """
    chosen = game_named(game) if isinstance(game, str) else game
    if type(hands) is not int or hands < 1:
        raise BadSpec(f"hands is {hands!r:.40}: the least is 1")
    played = [_at_a_table(bot, seats, stacks, hands, seed, chosen) for seats, stacks in _TABLES]
    seconds = [one.players[0].seconds_per_decision for one, _ in played]
    timed = [each for each in seconds if each is not None]
    return BotCheck(
        hands=sum(one.hands for one, _ in played),
        decisions=sum(decisions for _, decisions in played),
        seconds_per_decision=sum(timed) / len(timed) if timed else None,
    )


def _at_a_table(
    bot: Any, seats: int, stacks: str, hands: int, seed: int, game: Game
) -> tuple[SimulationResult, int]:
    """Play the same hands twice at one table; return the result and the number of decisions."""
    where = f"{seats} seats, {stacks}, {game}, seed {seed}"
    company: Sequence[Any] = [_COMPANY[number % len(_COMPANY)] for number in range(seats - 1)]

    def play() -> tuple[SimulationResult, list[tuple[object, ...]]]:
        taken: list[tuple[object, ...]] = []
        made = BotSpec.of(bot).make()

        def noted(view: View) -> object:
            action = made(view)
            taken.append((view.public.seq, view.hole, action))
            return action

        return simulate([noted, *company], hands=hands, seed=seed, stacks=stacks, game=game), taken

    (first, decisions), (second, again) = play(), play()
    for result in (first, second):
        faults = result.players[0].faults
        if faults.total:
            raise AssertionError(f"{faults.total} faults at {where}; the first: {faults.first}")
    # without faults, plays of different length differ in a decision before the shorter one ends
    for number, (one, other) in enumerate(zip(decisions, again, strict=False)):
        if one != other:
            text = f"decision {number} was {one[2]}, then {other[2]}: luck is view.rng"
            raise AssertionError(f"not the same play at {where}: {text}")
    return first, len(decisions)
