"""Write played hands to files, and count them by starting hand."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, Self

import attrs

from poker_actors.atomic import file_to_replace, replacing
from poker_actors.errors import BadSpec, from_extra
from poker_actors.rules import Hand, parse_action
from poker_actors.rules.cash import deal_hand
from poker_actors.sim.luck.chance import Luck
from poker_actors.sim.match import Match
from poker_actors.sim.record import digest_text, hand_dict, record_digest

if TYPE_CHECKING:
    from poker_actors.bots.mit import Ended

__all__ = [
    "Histories",
    "JsonLines",
    "Parquet",
    "Sink",
    "StartingHand",
    "StartingHands",
    "hand_row",
    "polars_library",
    "round_row",
]


_ORBITS: Final = 1000
"""Orbits of a rotation whose games are looked for in advance: a dealer has chosen each of theirs by then."""


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


def round_row(match: Match, ended: Ended, names: Sequence[str]) -> dict[str, Any]:
    """Return a round of MIT Pokerbots as a row, like `hand_dict`, with the engine's log for cards and actions."""
    return {
        "hand": ended.number,
        "game": match.game.name,
        "stakes": str(match.stakes),
        "button": ended.button,
        "stacks": list(ended.starting),
        "log": list(ended.state.log),
        "payoffs": ended.payoffs,
        "digest": digest_text(record_digest(ended.record)),
        "bots": [names[bot] for bot in ended.who],
        "bot_numbers": list(ended.who),
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
    """Writes hands to one file, or to an existing folder, one `.phh` file each; see `history.Writer`.

    Raises `BadSpec` for a suffix of no format, and for hands that the format cannot express, before any is played.
    """

    def __init__(self, path: str | os.PathLike[str], match: Match, format_name: str | None = None) -> None:
        # imported here: every match imports this module, and few write histories
        from poker_actors.history import Writer, record

        if match.options is not None and match.options.bomb_every:
            raise BadSpec(f"{path}: no hand history format can express bomb pots")
        self._match = match
        self._names = _names(match)
        self._record = record
        self._writer = Writer(path, format_name, replace=True)
        seats = len(match.bots)
        orbits = range(0, min(match.hands, _ORBITS * seats), seats)
        for number in {match.played(number)[0].name: number for number in orbits}.values():
            button = match.setting(number).button
            self._writer.check(self._dealt(number, match.stacks, button), self._names, match.hands)

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
        hand = self._dealt(row["hand"], row["stacks"], row["button"])
        for taken in row["actions"]:
            hand.act(parse_action(taken["action"]))
        return hand

    def _dealt(self, number: int, stacks: Sequence[int], button: int) -> Hand:
        game, stakes = self._match.played(number)
        options = self._match.options
        return deal_hand(
            stacks,
            stakes,
            deck=self._match.deck(number),
            button=button,
            game=game,
            options=None if options is None else options.of_hand(number),
        )

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
    """Counts two-card starting hands by bot; `of[bot]["AKs"]` is a `StartingHand`. Given as a sink, it asks for no hands."""

    def __init__(self, bots: int) -> None:
        self.of: list[dict[str, StartingHand]] = [{} for _ in range(bots)]

    def add(self, counts: Mapping[tuple[int, str], Sequence[int]]) -> None:
        """Add counts of `Sums.starting_hands`."""
        for (bot, name), (dealt, played, raised, net_chips) in counts.items():
            cell = self.of[bot].setdefault(name, StartingHand())
            cell.dealt += dealt
            cell.played += played
            cell.raised += raised
            cell.net_chips += net_chips


@contextmanager
def system_errors() -> Iterator[None]:
    """Raise what polars reports of the system, such as a full disk, as `OSError`."""
    try:
        yield
    except polars_library().exceptions.PolarsError as error:
        found = re.search(r"\(os error (\d+)\)", str(error))
        if found is None:
            raise
        raise OSError(int(found[1]), os.strerror(int(found[1]))) from error


_HANDS_A_PART: Final = 5_000
"""Hands held in memory before they are written: some 30,000 rows of seats."""


class Parquet:
    """Writes hands to `NAME.parquet` (seats) and `NAME.actions.parquet` (actions).

    Seats: hand, seat, bot and its number in the match, button, stack, hole, board, net chips,
    showdown. Actions: hand, place (from 0), street, seat, bot, action, chips (the total of a bet or
    raise). Parts are written as hands come and joined at the end, so memory stays flat. Raises
    `MissingExtra` without polars.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.actions_path = self.path.with_name(f"{self.path.stem}.actions{self.path.suffix}")
        self._polars = polars_library()
        self._seats: list[dict[str, Any]] = []
        self._actions: list[dict[str, Any]] = []
        self._hands = self._parts = 0
        self._folder: TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        whole = file_to_replace(self.path)
        # beside the file, as they may need as much space; never beside a device
        self._folder = TemporaryDirectory(prefix=".hands-", dir=None if whole is None else whole.parent)
        return self

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Add the next hands, and write a part once there are enough."""
        for row in rows:
            # a name of a file may hold bytes that are no text: escaped, as in the other files
            names = [bot.encode("utf-8", "backslashreplace").decode() for bot in row["bots"]]
            row = {**row, "bots": names}
            self._seats += seat_rows(row)
            self._actions += action_rows(row)
        self._hands += len(rows)
        if self._hands >= _HANDS_A_PART:
            self._write_part()

    def _write_part(self) -> None:
        assert self._folder is not None, "opened by `with`"
        types = _types(self._polars)
        for name, rows in (("seats", self._seats), ("actions", self._actions)):
            frame = self._polars.DataFrame(rows, schema=types[name], orient="row")
            with system_errors():
                frame.write_parquet(Path(self._folder.name) / f"{name}-{self._parts:06d}.parquet")
        self._seats, self._actions, self._hands = [], [], 0
        self._parts += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._folder is not None, "opened by `with`"
        with self._folder as folder:
            if kind is not None:
                return
            self._write_part()
            for name, path in (("seats", self.path), ("actions", self.actions_path)):
                joined = Path(folder) / f"{name}.parquet"
                # parts by name: in a pattern, a bracket in the folder's own path would be one, too
                parts = sorted(Path(folder).glob(f"{name}-*.parquet"))
                with system_errors():
                    self._polars.scan_parquet(parts, glob=False).sink_parquet(joined)
                with joined.open("rb") as whole, replacing(path, "wb") as stream:
                    shutil.copyfileobj(whole, stream)


def seat_rows(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row for each seat dealt in."""
    return [
        {
            "hand": row["hand"],
            "seat": seat,
            "bot": row["bots"][seat],
            "bot_number": row["bot_numbers"][seat],
            "button": row["button"],
            "stack": stack,
            "hole": row["holes"][seat],
            "board": row["board"],
            "net_chips": row["payoffs"][seat],
            "showdown": seat in row["showdown"],
        }
        for seat, stack in enumerate(row["stacks"])
        if stack
    ]


def action_rows(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row for each action, in order."""
    rows = []
    for place, taken in enumerate(row["actions"]):
        action, _, chips = taken["action"].partition(" ")
        rows.append(
            {
                "hand": row["hand"],
                "place": place,
                "street": taken["street"],
                "seat": taken["seat"],
                "bot": row["bots"][taken["seat"]],
                "action": action,
                "chips": int(chips) if chips else None,
            }
        )
    return rows


def _types(polars: Any) -> dict[str, dict[str, Any]]:
    number, small, text, yes = polars.Int64, polars.Int16, polars.String, polars.Boolean
    return {
        "seats": {
            "hand": number,
            "seat": small,
            "bot": text,
            "bot_number": small,
            "button": small,
            "stack": number,
            "hole": text,
            "board": text,
            "net_chips": number,
            "showdown": yes,
        },
        "actions": {
            "hand": number,
            "place": small,
            "street": text,
            "seat": small,
            "bot": text,
            "action": text,
            "chips": number,
        },
    }


def polars_library() -> Any:
    """Return polars; raise `MissingExtra` without it."""
    with from_extra("stats", "polars"):
        import polars as pl
    return pl
