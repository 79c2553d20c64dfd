"""Write hands as Parquet (extra `stats`): a file of rows per hand and seat, and one of rows per action."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Final, Self

from poker_actors.atomic import file_to_replace, replacing
from poker_actors.errors import MissingExtra

__all__ = ["Parquet"]

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
        self._polars = _polars()
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


def _polars() -> Any:
    try:
        import polars as pl
    except ModuleNotFoundError:
        raise MissingExtra("stats", "polars") from None
    return pl
