"""The setup of a game at the terminal: seats, names, bots, stacks and seed, checked before the first card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec
from poker_actors.rules import Game, Stakes, game_named, stacks_by_seat

__all__ = ["CPU", "HOUSE", "PERSON", "Setup", "five_card_setup", "holdem_setup"]

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
        raise BadSpec(f"--cpu {cpu[:40]} is neither seed nor fair")
    if classes not in _CLASSES:
        raise BadSpec(f"--classes {classes[:40]} is none of {', '.join(_CLASSES)}")
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
            f"--level {level[:20]} is of bots that are not named: write --bot expert:level={level[:20]}"
        )
    rules = game_named(game)
    if rules.capped:
        raise BadSpec(f"--game {rules.name} is not played here: see poker-actors console")
    count = players if players is not None else (len(bots) + 1 if bots else 6)
    if not 2 <= count <= rules.max_seats:
        raise BadSpec(f"--players {count}: {rules.name} seats 2 to {rules.max_seats}, you among them")
    if len(bots) >= count:
        raise BadSpec(f"{len(bots)} bots for {count} seats: one of them is yours")
    named = bots or (HOUSE if level is None else [f"expert:level={level}"])
    specs = [BotSpec.parse(text) for text in named]
    seated = [specs[place % len(specs)] for place in range(count - 1)]
    blinds = rules.stakes if stakes is None else rules.stakes_like(stakes)
    unit = blinds.min_bet
    chips = _stacks(stacks, count, blinds if blinds.big_blind else Stakes(unit // 2, unit))
    names = (PERSON, *_names([spec.text for spec in seated]))
    # the person starts on the button, to see most of the others act first
    return Setup(rules, blinds, names, (None, *seated), chips, seed, button=0)


def _stacks(text: str, seats: int, stakes: Stakes) -> tuple[int, ...]:
    chips = []
    for word in text.split(","):
        stack = stakes.chips(word, digits=13)
        if stack is None:
            raise BadSpec(f"--stacks {text[:40]!r}: {word[:20]!r} is neither chips nor big blinds (100bb)")
        chips.append(stack)
    return stacks_by_seat(chips, seats)


def _names(texts: Sequence[str]) -> list[str]:
    """Return short unique names: `tight 1` and `tight 2` for two of a kind, `tight` for one alone."""
    shorts = [re.sub(r"[^\w.-]+", "-", text.partition(":")[0].rpartition("/")[2])[:12] for text in texts]
    counts = Counter(shorts)
    seen: Counter[str] = Counter()
    names = []
    for short in shorts:
        seen[short] += 1
        names.append(f"{short} {seen[short]}" if counts[short] > 1 else short)
    return names
