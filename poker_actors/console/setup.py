"""Set up a game at the terminal, check it before the first card, and read the orders that people type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

import attrs

from poker_actors.bots import BotSpec
from poker_actors.cards import Card
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.rules import (
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Game,
    Lay,
    Legal,
    RaiseTo,
    Stakes,
    game_named,
)

CPU: Final = "CPU"
PERSON: Final = "You"
"""The person's name on the screen; the log uses another one."""

HOUSE: Final = ("tight", "loose", "pot-odds", "caller", "maniac", "random")
"""The bots that sit down by default: six different ones, none of them slow."""

_CLASSES: Final = {"counts": "five-card", "printed": "five-card-printed", "kickers": "five-card-kickers"}


@attrs.frozen
class Setup:
    """A table with one person: `names`, `bots` and `stacks` are by seat, and the person's bot is None."""

    game: Game
    stakes: Stakes
    names: tuple[str, ...]
    bots: tuple[BotSpec | None, ...]
    stacks: tuple[int, ...]
    seed: int
    button: int
    button_moves: bool = True
    money: str = "chips"
    """the word for chips on the screen"""
    remarks: tuple[str, ...] = ()
    """lines to show before the first card"""
    notice: str = ""
    """the remarks in a few words, for a line that is always visible"""

    @property
    def suits(self) -> bool:
        """Whether suits count, which they do not in the console's five-card game."""
        return not self.game.capped

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.bots.index(None)


def five_card_setup(
    *, seed: int, cpu: str = "seed", level: str = "normal", chances: str = "coded", classes: str = "counts"
) -> Setup:
    """Set up the five-card game: the CPU in seat 0 opens every round, and both have 200 credits.

    `cpu` is `seed` (it peeks) or `fair`; `level` easy, normal or hard; `chances` coded or
    commented; `classes` counts, printed or kickers. Raise `BadSpec` for any other word.
    """
    if cpu not in ("seed", "fair"):
        raise BadSpec(f"--cpu {cpu[:40]} must be seed or fair")
    if classes not in _CLASSES:
        raise BadSpec(f"--classes {classes[:40]} must be one of {', '.join(_CLASSES)}")
    bot = BotSpec.parse(f"cpu-{cpu}:level={level},chances={chances}")
    game = game_named(_CLASSES[classes])
    peeks = "The CPU peeks at your cards, as the original does (--cpu fair plays without)."
    fair = "The CPU does not see your cards."
    return Setup(
        game,
        game.stakes,
        (CPU, PERSON),
        (bot, None),
        (game.stack, game.stack),
        seed,
        button=1,
        button_moves=False,
        money="credits",
        remarks=(peeks if cpu == "seed" else fair,),
        notice="the CPU peeks" if cpu == "seed" else "the CPU plays fair",
    )


def holdem_setup(
    *,
    seed: int,
    players: int | None = None,
    bots: Sequence[str] = (),
    stakes: Stakes | None = None,
    stacks: str = "100bb",
    game: str = "holdem",
    level: str | None = None,
) -> Setup:
    """Set up a table of 2 to 10 with the person in seat 0.

    The named `bots` sit down in turn, starting over if there are more seats. `stacks` are chips (200), big
    blinds (100bb), or one for each seat (200,150,90). `level` seats the bot expert, at that level, in every other
    seat; it excludes `bots`. Raise `BadSpec` or `UnknownBot`, with the value and the limit, or `MissingExtra`.
    """
    if level is not None and bots:
        raise BadSpec(
            f"--level {level[:20]} does not apply to named bots: write --bot expert:level={level[:20]}"
        )
    rules = game_named(game)
    if rules.capped:
        raise BadSpec(f"--game {rules.name} is not played here: see poker-actors console")
    count = players if players is not None else (len(bots) + 1 if bots else 6)
    if not 2 <= count <= rules.max_seats:
        raise BadSpec(f"--players {count}: {rules.name} seats 2 to {rules.max_seats}, including you")
    if len(bots) >= count:
        raise BadSpec(f"{len(bots)} bots for {count} seats: one of them is yours")
    named = bots or (HOUSE if level is None else [f"expert:level={level}"])
    specs = [BotSpec.parse(text) for text in named]
    seated = [specs[place % len(specs)] for place in range(count - 1)]
    blinds = rules.stakes if stakes is None else rules.stakes_like(stakes)
    unit = blinds.min_bet
    chips = (blinds if blinds.big_blind else Stakes(unit // 2, unit)).stacks(stacks, count)
    names = (PERSON, *_names([spec.text for spec in seated]))
    # the person starts on the button, to see most of the others act first
    return Setup(rules, blinds, names, (None, *seated), chips, seed, button=0)


def _names(texts: Sequence[str]) -> list[str]:
    """Return short unique names: `tight 1` and `tight 2` for two of a kind, `tight` for one alone."""
    shorts = [re.sub(r"[^\w.-]+", "-", text.partition(":")[0].rpartition("/")[2])[:12] for text in texts]
    return [
        f"{short} {shorts[: place + 1].count(short)}" if shorts.count(short) > 1 else short
        for place, short in enumerate(shorts)
    ]


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
WISHES: Final = "Once this hand is over: l leaves, or stays after all; show turns your cards up, muck leaves them as the rules do."
_BRINGING_IN: Final = " Here i pays the bring-in."

Word = Literal["leave", "help", "odds", "undo", "review", "last", "show", "muck"]
Order = Action | Word
"""A parsed order: a legal action, to leave, for help, for a lesson, or for the end of the hand."""

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

    Raise `IllegalAction`, with the reason and the limits, for a line that is not an order or not a legal action.
    """
    word = " ".join(_JOINED.sub(" ", text.lower()).split())
    if word in _PLAIN:
        return _PLAIN[word]
    action = _action(word, text, legal)
    refusal = refused(legal, action)
    if refusal:
        raise IllegalAction(f"{refusal} ({choices(legal)})")
    return action


def refused(legal: Legal, action: Action) -> str:
    """Return why an action is not legal, in the words of this screen; empty for a legal one."""
    return (legal.refusal(action) or "").replace("raise_to", "raise to")


def sized(legal: Legal, chips: int) -> Action:
    """Return the bet, or the raise, to `chips` in front."""
    return Bet(chips) if legal.opening else RaiseTo(chips)


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
            most = f": the maximum is {legal.max_raise_to}" if legal.can_raise else ""
            raise IllegalAction(f"you cannot go all-in here{most} ({choices(legal)})")
        return legal.all_in
    found = _SIZED.fullmatch(word)
    if found is None:
        shown = text.strip()[:_LONGEST]
        raise IllegalAction(f"{shown!r} is not an order: {choices(legal)}, quit, or ? for help")
    return sized(legal, int(found[2]))


def _laid(word: str) -> Lay:
    rows = [row.strip(" -") for row in word.removeprefix("lay ").split("/")]
    for row in rows:
        if not _ROW.fullmatch(row):
            raise IllegalAction(f"{row[:_LONGEST]!r} is not a row of cards, such as Kd Ks")
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
        more = f", raise to {legal.min_raise_to}" if legal.can_raise else ""
        return f"bring in {legal.bring_in}{more}"
    words = [f"call {legal.to_call}" if legal.to_call else "check"]
    if legal.can_raise:
        low, high = legal.min_raise_to, legal.max_raise_to
        span = str(low) if low == high else f"{low}-{high}"
        words.append(f"bet {span}" if legal.opening else f"raise to {span}")
    return ", ".join([*words, "fold"])


def sentence(legal: Legal) -> str:
    """Return the legal actions as the beginning of a sentence."""
    text = choices(legal)
    return text[0].upper() + text[1:]


def takes_all(legal: Legal, action: Action) -> bool:
    """Return whether the action puts all the person's chips in, and so must be confirmed."""
    match action:
        case Call():
            return legal.calls_all_in
        case Bet(chips) | RaiseTo(chips):
            return chips >= legal.all_in_total
        case _:
            return False
