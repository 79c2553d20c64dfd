"""Write hands as hand histories, for programs that read the Poker Hand History standard."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from poker_actors.errors import BadSpec
from poker_actors.rules import Game, Hand, parse_action
from poker_actors.rules.cash import deal_hand
from poker_actors.sim.match import Match

__all__ = ["Histories"]


class Histories:
    """Writes hands to one `.phhs` file, or to an existing folder, one `.phh` file each.

    The `.phhs` file appears when all hands are written. Raises `BadSpec` for a `.phh` file, which
    holds one hand, if there are more, and for games and options that no hand history can express.
    """

    def __init__(self, path: str | os.PathLike[str], match: Match) -> None:
        # imported here: every match imports this module, and few write histories
        from poker_actors.history import Writer, record

        place = Path(path)
        if place.suffix.lower() == ".phh" and not place.is_dir() and match.hands > 1:
            raise BadSpec(f"{place} can hold one hand, and there are {match.hands}: name a .phhs file")
        if isinstance(match.game, Game) and match.game.open_face:
            raise BadSpec(f"{place}: no hand history has words for {match.game.title}")
        options = match.options
        if options is not None and (options.bomb_every or options.boards > 1):
            raise BadSpec(f"{place}: no hand history has words for bomb pots and boards run several times")
        self._match = match
        self._names = _names(match)
        self._record = record
        self._writer = Writer(place, "phh", replace=True)

    def __enter__(self) -> Self:
        self._writer.__enter__()
        return self

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write the next hands."""
        for row in rows:
            players = [self._names[bot] for bot in row["bot_numbers"]]
            fields = {"_seed": self._match.seed}
            hand = self._hand(row)
            self._writer.write(self._record(hand, players=players, hand_id=str(row["hand"]), fields=fields))

    def _hand(self, row: dict[str, Any]) -> Hand:
        """Play a hand again from its row."""
        number = row["hand"]
        game, stakes = self._match.played(number)
        options = self._match.options
        hand = deal_hand(
            row["stacks"],
            stakes,
            deck=self._match.deck(number),
            button=row["button"],
            game=game,
            options=None if options is None else options.of_hand(number),
        )
        for taken in row["actions"]:
            hand.act(parse_action(taken["action"]))
        return hand

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.__exit__(kind, error, trace)


def _names(match: Match) -> list[str]:
    """Return the bots' names; equal ones are numbered."""
    texts = [str(spec) for spec in match.bots]
    shared = Counter(texts)
    return [text if shared[text] == 1 else f"{text} {bot + 1}" for bot, text in enumerate(texts)]
