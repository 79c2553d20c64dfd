"""The prompt that a language model gets at its turn, and the strict reading of its answer."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from poker_actors.bots.faults import BotFault
from poker_actors.bots.figures import Opponents
from poker_actors.bots.hearing import HandEnd, HandStart
from poker_actors.errors import PokerError
from poker_actors.rules import Action, BringIn, Call, Taken, View, parse_action

INSTRUCTIONS: Final = """You are a player at a poker table. Each message asks you for one decision.
Think as you like, but end with a line of its own that says what you do and nothing else:
action: fold
The words after "action:" are one of: fold, check, call, bet N, raise_to N, all_in, stand pat, discard CARDS, bring in, \
lay TOP/MIDDLE/BOTTOM. N is a whole number of chips, for raise_to the total in front of you on this street and not the \
increment; cards are written without blanks, such as discard 2c7d. Only what is named as legal is accepted. An answer \
that cannot be read, or is not legal, is asked for once more; then you check if you can, else fold."""

LONGEST: Final = 6_000
"""Characters of a prompt, about 2,000 tokens; the oldest hands are left out first, then opponents."""
_BEFORE: Final = "Hands before this one:"
_SO_FAR: Final = "Your opponents so far:"
_LAST_LINE: Final = re.compile(r"action:\s*(\S.*?)[\s.]*", re.IGNORECASE)
_PRICED: Final = re.compile(r"(call|bring in) ([0-9]{1,18})")
_ALL_IN: Final = re.compile(r"all[ _-]?in")
_SHOWN: Final = 60


class Memory:
    """What a bot has heard, in words: the last hands, and the figures of its opponents."""

    def __init__(self, hands: int) -> None:
        self.hands: Final[deque[str]] = deque(maxlen=hands)
        """the last ones, in words"""
        self._names: Sequence[str | None] = ()
        self.opponents: Final = Opponents()
        self.from_the_start = True
        """whether the first hand heard was hand 0"""
        self._began = False

    def hand_started(self, start: HandStart) -> None:
        """Remember who plays."""
        if not self._began:
            self._began, self.from_the_start = True, start.number == 0
        self._names = start.names

    def hand_over(self, end: HandEnd) -> None:
        """Remember the hand, and count it."""
        self.opponents.hear(end)
        names = _spoken(end.names)
        told = View(end.public, end.seat, end.hole).text(names)
        played = _actions(end.public.actions, names, end.seat)
        self.hands.append(f"Hand {end.number}: {played}. {told}; your result {end.payoffs[end.seat]:+}.")

    def prompt(self, view: View) -> str:
        """Return the question that `view` asks, at most `LONGEST` characters if the state itself leaves room."""
        names = _spoken(self._names)
        number = "" if view.hand_number is None else f"Hand {view.hand_number}, "
        actions = _actions(view.actions, names, view.seat)
        lines = [
            f"{number}{view.game.name} {view.stakes}. Stacks: {_stacks(view, names)}.",
            *([f"So far: {actions}."] if view.actions else []),
            f"{view.text(names)}.",
            f"Legal: {view.legal}{', all_in' if view.legal.all_in is not None else ''}.",
        ]
        figures = [
            f"{names[seat]}: {self.opponents[name]}"
            for seat, name in enumerate(self._names)
            if name is not None and name in self.opponents and seat != view.seat
        ]
        left = LONGEST - sum([len(line) + 1 for line in (_BEFORE, _SO_FAR, *lines)])
        shown, left = _fitting(figures, left)
        heard, _ = _fitting(list(reversed(self.hands)), left)
        return "\n".join(
            [
                *([_BEFORE, *reversed(heard)] if heard else []),
                *([_SO_FAR, *shown] if shown else []),
                *lines,
            ]
        )


def _fitting(lines: Sequence[str], left: int) -> tuple[list[str], int]:
    """Return the first of `lines` that fit into `left` characters, and the characters still left."""
    kept = []
    for line in lines:
        if len(line) >= left:
            break
        kept.append(line)
        left -= len(line) + 1
    return kept, left


def _spoken(names: Sequence[str | None]) -> list[str | None]:
    """Return names fit for sentences: in a simulation, names are numbers."""
    return [f"player {name}" if name is not None and name.isdecimal() else name for name in names]


def _namer(names: Sequence[str | None], me: int) -> Callable[[int], str]:
    return lambda seat: (
        "you" if seat == me else (names[seat] if seat < len(names) else None) or f"seat {seat}"
    )


def _actions(taken: Sequence[Taken], names: Sequence[str | None], me: int) -> str:
    """Return what was done, street by street: `preflop: ann raise_to 6, you call; flop: ann check`."""
    name = _namer(names, me)
    return "; ".join(
        [
            f"{street}: {', '.join([f'{name(one.seat)} {one.action}' for one in group])}"
            for street, group in groupby(taken, key=lambda one: one.street)
        ]
    )


def _stacks(view: View, names: Sequence[str | None]) -> str:
    name = _namer(names, view.seat)
    return ", ".join(
        [
            f"{name(seat)} {chips}{' (button)' if seat == view.button else ''}{'' if seat in view.live else ' (folded)'}"
            for seat, chips in enumerate(view.stacks)
            if view.public.setup.stacks[seat]
        ]
    )


def read_answer(text: str, view: View) -> Action:
    """Read the action in the last line of an answer: `action: raise_to 60`.

    Nothing is guessed: only emphasis (`*`) and a full stop may surround it. Raises `BotFault`: `nonsense` for
    what cannot be read, `illegal` for what the rules do not allow.
    """
    lines = [line.strip() for line in text.replace("*", "").replace("`", "").splitlines()]
    last = next((line for line in reversed(lines) if line), "")
    match = _LAST_LINE.fullmatch(last)
    if match is None:
        raise BotFault("nonsense", f"the last line is {_shown(last)}, not action: WORDS")
    words = match[1]
    legal = view.legal
    if _ALL_IN.fullmatch(words.lower()):
        action = legal.all_in
        if action is None:
            raise BotFault("illegal", f"{words} is not possible here; legal: {legal}")
        return action
    action = _priced(words, legal.to_call) or _parsed(words)
    refusal = legal.refusal(action)
    if refusal is not None:
        raise BotFault("illegal", f"{refusal}; legal: {legal}")
    return action


def _priced(words: str, to_call: int) -> Action | None:
    """Read a call or bring-in that names its price, which must be the right one."""
    match = _PRICED.fullmatch(words.lower())
    if match is None:
        return None
    if int(match[2]) != to_call:
        raise BotFault("illegal", f"{words}: the price is {to_call}")
    return Call() if match[1] == "call" else BringIn()


def _parsed(words: str) -> Action:
    try:
        return parse_action(words)
    except PokerError as error:
        raise BotFault("nonsense", str(error)) from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")
