"""Migration of older journal formats, one step per version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from poker_actors.store.journal.record import FORMAT

__all__ = ["upgraded"]

Fields = Mapping[str, Any]


def _with_secret_and_late(word: str, fields: Fields) -> Fields:
    """Format 2 adds the secret of the commitment to a deck, and a seat's consecutive time-outs."""
    if word == "deal":
        return {**fields, "secret": ""}
    if word == "seats":
        return {**fields, "seats": [seat and [*seat, 0] for seat in fields["seats"]]}
    return fields


def _as_it_is(word: str, fields: Fields) -> Fields:
    """Format 3 adds records of players who left; others are unchanged."""
    return fields


_STEPS: Final[dict[int, Callable[[str, Fields], Fields]]] = {1: _with_secret_and_late, 2: _as_it_is}
"""Version -> turns a record's fields into those of the next version."""


def upgraded(version: int, word: str, fields: Fields) -> Fields:
    """Return the fields of a record of format `version` in the current format."""
    for step in range(version, FORMAT):
        fields = _STEPS[step](word, fields)
    return fields
