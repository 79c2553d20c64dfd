"""Bots of the house as numbers: which of them have an array form, and what compiled code is told of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import attrs

from poker_actors.bots import BotSpec
from poker_actors.bots.expert import LEVELS, Expert
from poker_actors.bots.house import caller, folder, loose, maniac, pot_odds, random_bot, tight

__all__ = ["Policy", "policy_of"]

CALLER, FOLDER, RANDOM, MANIAC, TIGHT, LOOSE, POT_ODDS, EXPERT = range(8)
"""Kinds of policies."""


@attrs.frozen
class Policy:
    """A bot of the house in its array form: what it is, and its parameters."""

    kind: int
    first: float = 0.0
    """how often it enters, its nerve, its margin, or how often it does not look into its table"""
    bluff: float = 0.0
    value: float = 0.0
    """how good a hand must be that it bets"""
    table: str = ""
    """the file an expert plays by; nothing for the one of the package"""

    @property
    def judges(self) -> bool:
        """Whether it looks at its cards, which it does as in hold'em."""
        return self.kind not in (CALLER, FOLDER, RANDOM, MANIAC)

    @property
    def draws(self) -> bool:
        """Whether it uses luck of its own."""
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
"""With the parameters they have unless told otherwise; a test compares them with the bots' own."""
_FIELDS: Final = {
    "vpip": "first",
    "nerve": "first",
    "margin": "first",
    "level": "first",
    "bluff": "bluff",
    "table": "table",
}


def policy_of(spec: BotSpec) -> Policy | None:
    """Return the array form of a bot, None for one that has none."""
    policy = _POLICIES.get(spec.source.factory)
    if policy is None:
        return None
    given: dict[str, Any] = {
        _FIELDS[name]: LEVELS[str(value)] if name == "level" else value for name, value in spec.values.items()
    }
    return attrs.evolve(policy, **given)
