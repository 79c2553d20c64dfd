"""Bots that hardly look at their cards: yardsticks for every other bot."""

from __future__ import annotations

from typing import Annotated

from poker_actors.bots.house.judging import CALL, CHECK, FOLD, min_raise, pot_raise
from poker_actors.bots.house.other_games import random_lay, special_turn
from poker_actors.bots.registry import Within, bot
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.rules import Action, BringIn, Discard, Legal, View, parse_action


@bot("caller", quick=True)
def caller(view: View) -> Action:
    """Checks or calls, whatever happens; stands pat in a draw, and fills rows from the bottom."""
    public = view.public
    if public.bet > public.chips_in_front[view.seat]:
        return CALL
    if public.dealt.beside is not None and (view.legal.discards or view.legal.lays):
        return view.legal.passive
    return CHECK


@bot("folder", quick=True)
def folder(view: View) -> Action:
    """Checks if that is free, else folds."""
    if view.public.dealt.beside is not None:
        return view.legal.passive
    return FOLD if view.to_call else CHECK


@bot("random", quick=True)
def random_bot(view: View) -> Action:
    """Folds, calls, raises the minimum or goes all-in, each as likely as the other."""
    legal = view.legal
    if view.public.dealt.beside is not None:
        special = _random_special_turn(legal, view)
        if special is not None:
            return special
    choices: list[Action] = [FOLD, CALL if legal.to_call else CHECK]
    if legal.can_raise:
        choices.append(min_raise(legal))
    if legal.all_in is not None:
        choices.append(legal.all_in)
    return view.rng.choice(choices)


def _random_special_turn(legal: Legal, view: View) -> Action | None:
    if legal.lays:
        return random_lay(legal, view)
    if legal.discards:
        count = view.rng.randint(legal.must_discard, legal.must_discard or legal.discards)
        return Discard(tuple(view.rng.sample(view.hole, count)))
    if legal.bring_in:
        return view.rng.choice([BringIn(), min_raise(legal)] if legal.can_raise else [BringIn()])
    return None


@bot("maniac", quick=True)
def maniac(view: View, *, nerve: Annotated[float, Within(0, 1)] = 0.6) -> Action:
    """Raises half the pot to twice the pot with any cards, `nerve` of the time; else calls and seldom folds."""
    if view.public.dealt.beside is not None:
        special = special_turn(view)
        if special is not None:
            return special
    luck = view.rng.random()
    if luck < nerve:
        return pot_raise(view, view.rng.uniform(0.5, 2.0))
    if view.to_call * 2 > view.stack and luck > 0.9:
        return FOLD
    return CALL if view.to_call else CHECK


@bot("scripted", quick=True)
class Scripted:
    """Plays the actions it is given, one a turn, from the start of each hand; then checks or folds.

    `actions` are separated by `/`, such as ``check/call/raise_to 20/bet 6/fold``; `min_raise` and `all_in` are also
    allowed. An action that is illegal at its turn counts as the bot's fault. Raises `BadSpec` for an unknown action.
    """

    def __init__(self, *, actions: str) -> None:
        self.script: list[Action | str] = [_read(word.strip()) for word in actions.split("/")]

    def __call__(self, view: View) -> Action:
        """Play the script's action for this turn, counted from the seat's actions in the hand."""
        turn = sum(1 for taken in view.actions if taken.seat == view.seat)
        if turn >= len(self.script):
            return folder(view)
        line = self.script[turn]
        if not isinstance(line, str):
            return line
        legal = view.legal
        if line == "all_in":
            return legal.all_in or min_raise(legal)
        return min_raise(legal)


def _read(word: str) -> Action | str:
    if word in ("min_raise", "all_in"):
        return word
    try:
        return parse_action(word)
    except IllegalAction as error:
        raise BadSpec(f"scripted: {error} (min_raise and all_in are also allowed)") from None
