"""A finished hand as plain values, to be sent from a worker to a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from poker_actors.rules import Hand
from poker_actors.sim.luck import Luck
from poker_actors.sim.record import hand_dict

__all__ = ["Sink", "hand_row"]


class Sink(Protocol):
    """A destination for hands, in order; use it as a context manager."""

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Take the next hands, as rows of `hand_row`."""


def hand_row(
    number: int, hand: Hand, who: Sequence[int], names: Sequence[str], luck: Luck | None = None
) -> dict[str, Any]:
    """Return a hand as `hand_dict` does, with the bots by seat, the seats at the showdown, and its luck if given."""
    told = {} if luck is None else {"worth": list(luck.worth), "luck": [list(terms) for terms in luck.terms]}
    return hand_dict(number, hand) | {
        "bots": [names[bot] for bot in who],
        "bot_numbers": list(who),
        "showdown": [] if hand.strengths is None else sorted(hand.live),
        **told,
    }
