"""A finished hand as plain values, to be sent from a worker to a file."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self

import attrs

from poker_actors.atomic import replacing
from poker_actors.bots import hand_class
from poker_actors.cards import parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import Game, Hand, parse_action
from poker_actors.rules.cash import deal_hand
from poker_actors.sim.luck import Luck
from poker_actors.sim.match import Match
from poker_actors.sim.record import hand_dict

__all__ = [
    "Histories",
    "JsonLines",
    "Sink",
    "StartingHand",
    "StartingHands",
    "hand_row",
]


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


class JsonLines:
    """Writes hands to a file, line by line; the file appears when all are written."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._open = ExitStack()
        self._stream: IO[str] | None = None

    def __enter__(self) -> Self:
        self._stream = self._open.enter_context(replacing(self.path))
        return self

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write the next hands."""
        assert self._stream is not None, "opened by `with`"
        self._stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)


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


@attrs.define
class StartingHand:
    """How often a bot was dealt a starting hand, played it and raised it, and the chips it won."""

    dealt: int = 0
    played: int = 0
    raised: int = 0
    net_chips: int = 0


class StartingHands:
    """Counts two-card starting hands by bot; `of[bot]["AKs"]` is a `StartingHand`."""

    def __init__(self, bots: int) -> None:
        self.of: list[dict[str, StartingHand]] = [{} for _ in range(bots)]
        self._names: dict[str, str] = {}

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Count the next hands."""
        for row in rows:
            acted: dict[int, set[str]] = {}
            for taken in row["actions"]:
                if taken["street"] == "preflop":
                    acted.setdefault(taken["seat"], set()).add(taken["action"].partition(" ")[0])
            for seat, hole in enumerate(row["holes"]):
                if len(hole) == 4:
                    self._count(row, seat, hole, acted.get(seat, set()))

    def _count(self, row: dict[str, Any], seat: int, hole: str, actions: set[str]) -> None:
        name = self._names.get(hole)
        if name is None:
            first, second = parse_cards(hole)
            name = self._names[hole] = hand_class(first, second)
        cell = self.of[row["bot_numbers"][seat]].setdefault(name, StartingHand())
        cell.dealt += 1
        cell.played += not actions.isdisjoint(("call", "bet", "raise_to"))
        cell.raised += not actions.isdisjoint(("bet", "raise_to"))
        cell.net_chips += row["payoffs"][seat]
