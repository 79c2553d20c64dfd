"""Read and check the fields of the Poker Hand History standard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from poker_actors.errors import BadHistory
from poker_actors.history.chips import MOST_CHIPS, read_amount
from poker_actors.history.source import Chunk

__all__ = ["MOST_PLAYERS", "Fields"]

MOST_PLAYERS: Final = 10
_WHOLE: Final = {int}

Amount = Decimal | int


class Fields:
    """The fields of one hand, taken out one by one; those left at the end are kept unchanged.

    Every method raises `BadHistory`, naming line, field and value.
    """

    def __init__(self, found: dict[str, Any], chunk: Chunk) -> None:
        self.left = found
        self.chunk = chunk

    def wrong(self, key: str, reason: str, *, kind: type[BadHistory] = BadHistory) -> BadHistory:
        """Return an error with the line of a field."""
        place = re.search(rf"(?m)^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=", self.chunk.text)
        line = self.chunk.line_at(place.start()) if place else self.chunk.line
        return kind(f"line {line}: {reason}")

    def take(self, key: str, kind: type[Any], what: str) -> Any:
        """Return a required field of type `kind`; `what` describes it in the error."""
        if key not in self.left:
            raise self.wrong(key, f"the hand has no {key}")
        found = self.left.pop(key)
        if type(found) is not kind:  # not isinstance: true would pass for a number
            raise self.wrong(key, f"{key} is {_shown(found)}: it must be {what}")
        return found

    def take_size(self, key: str) -> Amount:
        """Return a required amount above 0, in the units of the file."""
        if key not in self.left:
            raise self.wrong(key, f"the hand has no {key}")
        amount = self._amount(key, key, self.left.pop(key))
        if amount <= 0:
            raise self.wrong(key, f"{key} is {amount}: the least is above 0")
        return amount

    def take_amounts(self, key: str, count: int, least: int | None = 0) -> list[Amount]:
        """Return a required list of `count` amounts, each at least `least` unless that is None."""
        found = self.take(key, list, "a list of amounts")
        if len(found) != count:
            raise self.wrong(key, f"{key} has {len(found)} amounts for {count} players")
        whole = least is not None and set(map(type, found)) == _WHOLE
        if whole and least is not None and least <= min(found) and max(found) <= MOST_CHIPS:
            return list(found)  # whole amounts within the limits, as in most files, need no look one by one
        amounts = [self._amount(key, f"{key} of p{player}", one) for player, one in enumerate(found, 1)]
        for player, amount in enumerate(amounts, 1):
            if least is not None and amount < least:
                raise self.wrong(key, f"{key} of p{player} is {amount}: the least is {least}")
        return amounts

    def take_list(self, key: str, kind: type[Any], count: int) -> list[Any]:
        """Return an optional list of `count` values of type `kind`, one per player; empty if absent."""
        if key not in self.left:
            return []
        found: list[Any] = self.take(key, list, "a list")
        if len(found) != count or any(type(one) is not kind for one in found):
            word = {str: "texts", int: "whole numbers"}[kind]
            raise self.wrong(key, f"{key} is {_shown(found)}: it must be {count} {word}")
        return found

    def _amount(self, key: str, name: str, found: object) -> Amount:
        try:
            return read_amount(name, found)
        except BadHistory as error:
            raise self.wrong(key, str(error)) from None

    def action_lines(self) -> Iterator[int]:
        """Yield the line of each action, counting quoted strings after `actions =`."""
        opened = re.search(r"(?m)^[ \t]*actions[ \t]*=", self.chunk.text)
        place = opened.end() if opened else 0
        for text in re.finditer(r"\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'", self.chunk.text[place:]):
            yield self.chunk.line_at(place + text.start())


def _shown(found: object) -> str:
    text = repr(found)
    return text if len(text) <= 60 else text[:60] + "…"
