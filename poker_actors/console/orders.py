"""Parse a line typed at the prompt into an order, or reject it in one sentence."""

from __future__ import annotations

import re
from typing import Final, Literal

from poker_actors.cards import Card
from poker_actors.errors import IllegalAction
from poker_actors.rules import Action, Bet, BringIn, Call, Check, Discard, Fold, Lay, Legal, RaiseTo

__all__ = ["LESSONS", "WISHES", "Order", "choices", "help_for", "read_order", "takes_all"]

_BETTING: Final = (
    "Type c to check or call, f to fold, bet 20 or raise 20 (or just 20: the total in front of you "
    "this round), a for all-in, q to leave, ? for this."
)
_DRAWING: Final = "Type d As Kd to throw cards away, p to stand pat, q to leave, ? for this."
_LAYING: Final = (
    "Type the cards of each row from the top, with / between and - for none: 2c / Kd Ks / -, q to leave, ? for this. "
    "What you do not name is thrown away."
)
LESSONS: Final = (
    "Lessons: o shows odds or hides them, u takes your last action back, v reviews the hand before this one."
)
WISHES: Final = "Once this hand is over: l leaves then, or stays after all; show turns your cards up, muck leaves them as the rules do."
_BRINGING_IN: Final = " Here i pays the bring-in."


Word = Literal["leave", "help", "odds", "undo", "review", "last", "show", "muck"]
Order = Action | Word
"""What was asked for: a legal action, to leave, to see what can be typed, a lesson, or a wish for the end of the hand."""

_PLAIN: Final[dict[str, Word]] = {
    **dict.fromkeys(("q", "quit", "exit", "leave"), "leave"),
    **dict.fromkeys(("?", "h", "help"), "help"),
    **dict.fromkeys(("o", "odds"), "odds"),
    **dict.fromkeys(("u", "undo"), "undo"),
    **dict.fromkeys(("v", "review"), "review"),
    **dict.fromkeys(("l", "last", "last hand", "leave after hand"), "last"),
    "show": "show",
    "muck": "muck",
}
_WORDS: Final[dict[str, Action]] = {"check": Check(), "call": Call(), "f": Fold(), "fold": Fold()}
_CARDS: Final = re.compile(r"(?:d|draw|discard|throw)((?: ?[2-9tjqka][shdc])+)", re.ASCII)
_ROW: Final = re.compile(r"(?:[2-9tjqka][shdc] ?)*", re.ASCII)
_SIZED: Final = re.compile(r"(?:(b|bet|r|raise)(?: ?to)? ?)?([0-9]{1,15})", re.ASCII)
_JOINED: Final = re.compile(r"(?<=[a-z])[-_](?=[a-z])")
_LONGEST: Final = 40


def help_for(legal: Legal) -> str:
    """Return the help text for this turn."""
    if legal.lays:
        return _LAYING
    if legal.discards:
        return _DRAWING
    return _BETTING + _BRINGING_IN if legal.bring_in else _BETTING


def read_order(text: str, legal: Legal) -> Order:
    """Parse a line; case and extra blanks do not matter.

    Raise `IllegalAction`, with the reason and the limits, for a line that is not an order or no legal action.
    """
    word = " ".join(_JOINED.sub(" ", text.lower()).split())
    if word in _PLAIN:
        return _PLAIN[word]
    action = _action(word, text, legal)
    refusal = legal.refusal(action)
    if refusal is not None:
        raise IllegalAction(f"{refusal.replace('raise_to', 'raise to')} ({choices(legal)})")
    return action


def _action(word: str, text: str, legal: Legal) -> Action:
    if legal.lays and word.count("/") == 2:
        return _laid(word)
    if word in ("c", "k") and not (legal.discards or legal.bring_in):
        return Call() if legal.to_call else Check()
    thrown = _CARDS.fullmatch(word)
    if thrown is not None:
        return Discard(_cards(thrown[1]))
    if legal.discards and word in ("c", "k", "p", "pat", "stand pat", "s"):
        return Discard()
    if legal.bring_in and word in ("c", "i", "bring in", "bring it in"):
        return BringIn()
    if word in _WORDS:
        return _WORDS[word]
    if word in ("a", "all in", "allin", "all"):
        if legal.all_in is None:
            most = f": the most is {legal.max_raise_to}" if legal.can_raise else ""
            raise IllegalAction(f"you cannot go all-in here{most} ({choices(legal)})")
        return legal.all_in
    sized = _SIZED.fullmatch(word)
    if sized is None:
        shown = text.strip()[:_LONGEST]
        raise IllegalAction(f"{shown!r} is not an order: {choices(legal)}, quit, or ? for help")
    chips = int(sized[2])
    return Bet(chips) if legal.opening else RaiseTo(chips)


def _laid(word: str) -> Lay:
    rows = [row.strip(" -") for row in word.removeprefix("lay ").split("/")]
    wrong = next((row for row in rows if not _ROW.fullmatch(row)), None)
    if wrong is not None:
        raise IllegalAction(f"{wrong[:_LONGEST]!r} is not a row of cards, such as Kd Ks")
    top, middle, bottom = map(_cards, rows)
    return Lay(top, middle, bottom)


def _cards(text: str) -> tuple[Card, ...]:
    found = text.replace(" ", "")
    return tuple([Card(found[at].upper() + found[at + 1]) for at in range(0, len(found), 2)])


def choices(legal: Legal) -> str:
    """Return the legal actions in words: `call 12, raise to 24-160, fold`."""
    if legal.lays:
        return f"{legal}, such as {legal.passive}"
    if legal.must_discard:
        return f"discard {legal.must_discard}, such as d As"
    if legal.discards:
        return f"discard up to {legal.discards}, such as d As Kd, or stand pat"
    if legal.bring_in:
        words = [f"bring in {legal.bring_in}"]
        return ", ".join([*words, f"raise to {legal.min_raise_to}"]) if legal.can_raise else words[0]
    words = [f"call {legal.to_call}" if legal.to_call else "check"]
    if legal.can_raise:
        low, high = legal.min_raise_to, legal.max_raise_to
        span = str(low) if low == high else f"{low}-{high}"
        words.append(f"bet {span}" if legal.opening else f"raise to {span}")
    return ", ".join([*words, "fold"])


def takes_all(legal: Legal, action: Action) -> bool:
    """Return whether the action puts all the person's chips in, which must be confirmed."""
    match action:
        case Call():
            return legal.calls_all_in
        case Bet(chips) | RaiseTo(chips):
            return chips >= legal.all_in_total
        case _:
            return False
