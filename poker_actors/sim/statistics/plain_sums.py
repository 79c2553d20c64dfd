"""Convert sums to and from plain values, for a run on disk."""

from __future__ import annotations

from typing import Any, Final

from poker_actors.bots import Faults
from poker_actors.sim.statistics.sums import Sums

__all__ = ["plain_sums", "read_sums"]

_COPIED: Final = (
    *("hands", "digest", "chips_in", "chips_out", "rake"),
    *("fourths", "largest", "decisions", "nanoseconds"),
)
_BY_NUMBER: Final = ("moments", "curve", "won", "blocks")
_BY_SEATING: Final = ("habits", "results", "squares")


def plain_sums(sums: Sums) -> dict[str, Any]:
    """Return sums as plain values for JSON, without the rows of hands and units."""
    return {
        "size": sums.size,
        **{name: getattr(sums, name) for name in _COPIED},
        **{name: [[key, row] for key, row in getattr(sums, name).items()] for name in _BY_NUMBER},
        **{name: [[*key, row] for key, row in getattr(sums, name).items()] for name in _BY_SEATING},
        "examples": [[*key, row] for key, row in sums.examples.items()],
        "corrections": [[*key, row] for key, row in sums.corrections.items()],
        "faults": [each.to_dict() for each in sums.faults],
    }


def read_sums(value: dict[str, Any]) -> Sums:
    """Read the values of `plain_sums`; raise `KeyError`, `TypeError` or `ValueError` for others."""
    sums = Sums(value["size"])
    for name in _COPIED:
        setattr(sums, name, value[name])
    for name in _BY_NUMBER:
        setattr(sums, name, dict(value[name]))
    for name in _BY_SEATING:
        rows = {(button, tuple(who), tuple(dealt)): row for button, who, dealt, row in value[name]}
        setattr(sums, name, rows)
    sums.corrections = {(block, fold): row for block, fold, row in value["corrections"]}
    sums.examples = {(bot, name): hands for bot, name, hands in value["examples"]}
    sums.faults = [Faults.from_dict(each) for each in value["faults"]]
    return sums
