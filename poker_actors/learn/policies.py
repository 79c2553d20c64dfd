"""House bots as numbers for compiled code: those with an array form, and their parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import attrs

from poker_actors.bots import BotSpec
from poker_actors.bots.expert import CHARACTERS, LEVELS, Expert
from poker_actors.bots.house import caller, folder, loose, maniac, pot_odds, random_bot, tight

CALLER, FOLDER, RANDOM, MANIAC, TIGHT, LOOSE, POT_ODDS, EXPERT, OUTSIDE = range(9)
"""Kinds of policies."""


@attrs.frozen
class Policy:
    """A house bot in its array form: its kind and its parameters."""

    kind: int
    first: float = 0.0
    """its vpip, nerve or margin, or how often an expert ignores its table"""
    bluff: float = 0.0
    value: float = 0.0
    """how good a hand must be to bet, 0 to 1"""
    table: str = ""
    """the file of an expert's table; empty for the one shipped with the package"""

    @classmethod
    def asked(cls) -> Policy:
        """Return the policy of a bot without an array form, which is asked in Python at a compiled table."""
        return cls(OUTSIDE)

    @property
    def judges(self) -> bool:
        """Whether the bot judges its cards, which compiled code can do only in hold'em."""
        return self.kind not in (CALLER, FOLDER, RANDOM, MANIAC)

    @property
    def draws(self) -> bool:
        """Whether the bot draws random numbers."""
        return self.kind in (RANDOM, MANIAC, TIGHT, LOOSE, EXPERT)


_POLICIES: Final[dict[Callable[..., Any], Policy]] = {
    caller: Policy(CALLER),
    folder: Policy(FOLDER),
    random_bot: Policy(RANDOM),
    maniac: Policy(MANIAC, 0.6),
    tight: Policy(TIGHT, 0.18, 0.25, 0.60),
    loose: Policy(LOOSE, 0.42, 0.45, 0.52),
    pot_odds: Policy(POT_ODDS, 0.05),
    Expert: Policy(EXPERT),
}
"""Policies with the default parameters of the bots; a test compares them with the bots' own defaults."""
_FIELDS: Final = {
    "vpip": "first",
    "nerve": "first",
    "margin": "first",
    "level": "first",
    "bluff": "bluff",
    "table": "table",
}


def policy_of(spec: BotSpec) -> Policy | None:
    """Return the array form of a bot; None if it has none, as for characters of the expert."""
    policy = _POLICIES.get(spec.source.factory)
    if policy is None or spec.values.get("level") in CHARACTERS:
        return None
    given: dict[str, Any] = {
        _FIELDS[name]: LEVELS[str(value)] if name == "level" else value for name, value in spec.values.items()
    }
    return attrs.evolve(policy, **given)
