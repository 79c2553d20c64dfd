"""Count figures of players over hand histories of any format: the same figures as in a match.

A hand is replayed by the rules first, so a hand that breaks them is counted as a disagreement and nothing else. The
counters are those of matches (`poker_actors.sim.statistics.COUNTERS`): the hands of `simulate` give the same figures
here, to the last digit.
"""

from __future__ import annotations

import os
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future
from itertools import groupby, islice
from math import sqrt
from operator import add, itemgetter
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

from poker_actors.errors import BadHistory, BadSpec, RoomError, Unplayed
from poker_actors.history import (
    Entry,
    HandHistory,
    Replay,
    Unread,
    files_in,
    read_entry,
    replay,
    unread,
)
from poker_actors.sim.engines.executor import check_workers, process_pool
from poker_actors.sim.intervals import Estimate, Z, t_quantile
from poker_actors.sim.judging.estimates import raw_estimates
from poker_actors.sim.results.figures import Habits, Share, position_names
from poker_actors.sim.statistics import (
    COUNTERS,
    WIDTH,
    by_name,
    collectors,
    ends_of,
    packed,
    read_line,
    unpacked,
)

__all__ = [
    "GROUPINGS",
    "HISTORY_HEADINGS",
    "HistoryCounts",
    "HistoryFigures",
    "count_histories",
    "shares_between",
]

GROUPINGS: Final = ("player", "position", "stakes", "game")
"""What figures may be grouped by."""

_NUMBERS: Final = re.compile(r"(?<![A-Z\d])\d[\d,.]*+(?![A-Z])")
"""numbers, but not those within a name: ranks of cards and variants"""
_PLACE: Final = re.compile(r"^.*?\): ")
"""The action that a disagreement names, which is not part of its kind."""


@attrs.define
class _Row:
    """The counts of one group, a row of `COUNTERS`, and its results by the size of the big blind."""

    counts: list[int] = attrs.field(factory=lambda: [0] * len(COUNTERS))
    results: dict[int, list[int]] = attrs.field(factory=dict)
    """big blind -> hands, chips won, squared chips won"""

    def add(self, other: _Row) -> None:
        self.counts = list(map(add, self.counts, other.counts))
        for big_blind, sums in other.results.items():
            kept = self.results.setdefault(big_blind, [0, 0, 0])
            kept[:] = [one + two for one, two in zip(kept, sums, strict=True)]


@attrs.frozen
class HistoryFigures(Habits):
    """The figures of one group of hands: a player's, or a player's in a position, at stakes, in a game."""

    group: Mapping[str, str]
    """grouping -> value of the group"""
    hands: int
    counts: Mapping[str, int] = attrs.field(repr=False)
    net_chips: int
    """chips won at all stakes, without hands of unknown result"""
    bb_per_100: Estimate
    """big blinds won per 100 hands, with the margin of 95 %"""

    @property
    def cells(self) -> list[str]:
        """The figures as text, under `HISTORY_HEADINGS`."""
        found, shown = self.bb_per_100, self.statistics
        margin = "" if found.margin is None else f" ± {found.margin:.1f}"
        shares = ("vpip", "pfr", "three_bet", "steal", "flop_cbet", "wtsd", "wsd")
        factor = self.aggression_factor
        return [
            f"{self.hands:,}",
            f"{found.mean:+.1f}{margin}",
            *(
                "-" if shown[name].value is None else f"{100 * (shown[name].value or 0):.1f}"
                for name in shares
            ),
            "-" if factor is None else f"{factor:.2f}",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: each statistic with its count, its denominator and its 95 % interval."""
        return {
            **self.group,
            "hands": self.hands,
            "net_chips": self.net_chips,
            "bb_per_100": {"mean": self.bb_per_100.mean, "margin": self.bb_per_100.margin},
            "statistics": {name: _share(share) for name, share in self.statistics.items()},
            "counts": dict(self.counts),
        }


HISTORY_HEADINGS: Final = (
    "hands",
    "bb/100 ± 95 %",
    "VPIP %",
    "PFR %",
    "3-bet %",
    "steal %",
    "c-bet %",
    "WTSD %",
    "W$SD %",
    "AF",
)


def _share(share: Share) -> dict[str, Any]:
    low, high = shares_between(share)
    return {"count": share.count, "of": share.of, "low": low, "high": high}


def shares_between(share: Share) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's score, 0 to 1; the whole range if nothing was counted."""
    if not share.of:
        return 0.0, 1.0
    n, p, z = share.of, share.count / share.of, Z
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


_NUMBERED: Final = ("hands", "undecided", "unfinished")
_BY_REASON: Final = ("disagreements", "unread", "skipped")
"""Fields of `HistoryCounts` that add up."""


@attrs.define
class HistoryCounts:
    """The sums over histories; `add` adds those of other files or processes."""

    by: tuple[str, ...] = ("player",)
    hands: int = 0
    """hands that follow the rules and are counted"""
    undecided: int = 0
    """of these, hands whose result neither the cards nor the record tell"""
    unfinished: int = 0
    """hands whose record stops before their end: not counted"""
    disagreements: Counter[str] = attrs.field(factory=Counter)
    """kind -> hands that break the rules: not counted"""
    unread: Counter[str] = attrs.field(factory=Counter)
    """kind -> hands, or whole files, not in their stated format"""
    skipped: Counter[str] = attrs.field(factory=Counter)
    """reason -> hands of games that are not played here"""
    _rows: dict[tuple[str, ...], _Row] = attrs.field(factory=dict)

    def count(self, entry: Entry) -> None:
        """Replay and count one hand."""
        try:
            if entry.history is None:
                raise entry.error or BadHistory("nothing")
            found = replay(entry.history)
        except Unplayed as error:
            self.skipped[str(error).partition(": ")[2] or str(error)] += 1
        except BadHistory as error:
            (self.unread if entry.history is None else self.disagreements)[_kind(error)] += 1
        else:
            if found.hand.over:
                self._count(entry.history, found)
            else:
                self.unfinished += 1

    def _count(self, history: HandHistory, found: Replay) -> None:
        hand, size = found.hand, history.size
        self.hands += 1
        dealt = tuple([seat for seat in range(size) if history.stacks[seat]])
        payoffs = found.payoffs
        results = _results(history, payoffs)
        self.undecided += results is None
        places = dict(zip(reversed(dealt), position_names(len(dealt)), strict=True)) if len(dealt) > 1 else {}
        rows = {seat: self._row(history, seat, places.get(seat, "")) for seat in dealt}
        counts = [row.counts for row in rows.values()]
        for at in read_line(hand.log, hand.marks, dealt):
            counts[at // WIDTH][at % WIDTH] += 1
        paid = collectors(hand) if payoffs is not None else _recorded_as_paid(history, results)
        for seat, counter in ends_of(hand, paid):
            rows[seat].counts[counter] += 1
        if results is None:
            return
        big_blind = hand.stakes.big_blind or 1
        for seat in dealt:
            sums = rows[seat].results.setdefault(big_blind, [0, 0, 0])
            sums[0] += 1
            sums[1] += results[seat]
            sums[2] += results[seat] ** 2

    def _row(self, history: HandHistory, seat: int, position: str) -> _Row:
        key = []
        for what in self.by:
            match what:
                case "player":
                    key.append(history.name(seat))
                case "position":
                    key.append(position)
                case "stakes":
                    key.append(_stakes(history))
                case _:
                    key.append(history.game.name)
        row = self._rows.get(tuple(key))
        if row is None:
            row = self._rows[tuple(key)] = _Row()
        return row

    def add(self, other: HistoryCounts) -> None:
        """Add the sums of other hands."""
        for name in (*_NUMBERED, *_BY_REASON):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for key, row in other._rows.items():
            self._rows.setdefault(key, _Row()).add(row)

    @property
    def headline(self) -> str:
        """How many hands were counted, and how many were not."""
        parts = [f"{self.hands:,} hands counted"]
        for count, words in (
            (self.undecided, "of them without a result that is known"),
            (self.unfinished, "stop early"),
            (self.disagreements.total(), "disagree with the rules"),
            (self.unread.total(), "cannot be read"),
            (self.skipped.total(), "skipped"),
        ):
            parts += [f"{count:,} {words}"] if count else []
        return ", ".join(parts)

    def left_out(self) -> list[tuple[str, int]]:
        """Why hands were not counted, the most frequent kind first."""
        return (self.disagreements + self.unread + self.skipped).most_common()

    def figures(self, least: int = 1) -> Iterator[HistoryFigures]:
        """Yield the figures of each group with at least `least` hands, the most hands first."""
        found = [(by_name(row.counts), key, row) for key, row in self._rows.items()]
        for counts, key, row in sorted(found, key=lambda one: (-one[0]["hands"], one[1])):
            if counts["hands"] >= least:
                yield HistoryFigures(
                    group=dict(zip(self.by, key, strict=True)),
                    hands=counts["hands"],
                    counts=counts,
                    net_chips=sum(sums[1] for sums in row.results.values()),
                    bb_per_100=_per_hundred(row.results),
                )

    def to_plain(self) -> dict[str, Any]:
        """Return the sums as plain values, for a file from which a later run continues."""
        return {
            "by": list(self.by),
            **{name: getattr(self, name) for name in _NUMBERED},
            **{name: dict(getattr(self, name)) for name in _BY_REASON},
            "rows": [
                [
                    list(key),
                    f"{packed(row.counts):x}",
                    [[blind, *sums] for blind, sums in row.results.items()],
                ]
                for key, row in self._rows.items()
            ],
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> HistoryCounts:
        """Return the sums that `to_plain` wrote; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
        rows = {
            tuple(map(str, key)): _Row(
                unpacked(int(units, 16)), {int(blind): [*map(int, sums)] for blind, *sums in results}
            )
            for key, units, results in plain["rows"]
        }
        known = {"unread": {}, **plain}  # a state of 0.2 counts them among the others
        fields: dict[str, Any] = {name: int(known[name]) for name in _NUMBERED}
        fields |= {name: Counter(dict(known[name])) for name in _BY_REASON}
        return cls(by=tuple(plain["by"]), rows=rows, **fields)


def _kind(error: BadHistory) -> str:
    """Return the kind of a disagreement: its text without file, line, action and numbers."""
    text = str(error)
    text = _PLACE.sub("", text) if "): " in text else text.rpartition(": ")[2]
    return _NUMBERS.sub("N", text)


def _stakes(history: HandHistory) -> str:
    posts = sorted({blind for blind in history.blinds if blind > 0}) or [history.min_bet]
    return "/".join(_amount(chips, history.scale) for chips in posts)


def _amount(chips: int, scale: int) -> str:
    return str(chips) if scale == 1 else f"{chips / scale:g}"


def _results(history: HandHistory, payoffs: tuple[int, ...] | None) -> Sequence[int] | None:
    """Return the chips each player won: by the rules, else as recorded; None if neither says."""
    if payoffs is not None:
        return payoffs
    if history.finishing is not None:
        return [end - start for end, start in zip(history.finishing, history.stacks, strict=True)]
    return None


def _recorded_as_paid(history: HandHistory, results: Sequence[int] | None) -> list[int]:
    """Return the players a pot was paid to according to the record, for when cards do not decide it."""
    if history.winnings is not None:
        return [seat for seat, chips in enumerate(history.winnings) if chips]
    return [] if results is None else [seat for seat, chips in enumerate(results) if chips > 0]


def _per_hundred(results: Mapping[int, Sequence[int]]) -> Estimate:
    """Return the winnings at all stakes together, in big blinds per hundred hands."""
    if len(results) == 1:
        [(big_blind, (hands, chips, squares))] = results.items()
        # the arithmetic of a match, whose figures are these to the last digit
        return raw_estimates((hands, chips, squares), 1, unit="hand", unit_hands=1, big_blind=big_blind).of(0)
    hands = sum(sums[0] for sums in results.values())
    if not hands:
        return Estimate(0.0, None)
    mean = sum(sums[1] / blind for blind, sums in results.items()) / hands
    mean_square = sum(sums[2] / (blind * blind) for blind, sums in results.items()) / hands
    spread = max(0.0, mean_square - mean * mean)
    margin = t_quantile(hands - 1) * sqrt(spread / (hands - 1)) if hands > 1 else None
    return Estimate(mean, margin).scaled(100)


# -- many files ---------------------------------------------------------------------------------------


def count_histories(
    paths: Sequence[str | os.PathLike[str]],
    *,
    by: Sequence[str] = ("player",),
    workers: int = 1,
    counted: Mapping[str, HistoryCounts] | None = None,
    begun: Mapping[str, tuple[int, HistoryCounts]] | None = None,
    done: Callable[[str, HistoryCounts], object] | None = None,
    part: Callable[[str, int, HistoryCounts], object] | None = None,
) -> HistoryCounts:
    """Count all hands of files and folders, on `workers` processes: small files whole, large ones in parts.

    `counted` holds, by file name, sums of files that need not be read again; `begun` holds the number of
    hands already read of a file, and their sums. `done` is called with each file read; `part`, now and then,
    with a large file, the number of its hands read so far and their sums. Raises `BadSpec` for an unknown
    grouping, a file of no known format, a folder without histories; `OSError` for one that cannot be read.
    """
    wrong = [name for name in by if name not in GROUPINGS]
    if wrong or not by:
        raise BadSpec(f"{wrong[0] if wrong else 'nothing'!r}: figures are grouped by {', '.join(GROUPINGS)}")
    check_workers(workers)
    known = counted or {}
    files = list(dict.fromkeys(str(file) for path in paths for file in files_in(Path(path))))
    total = HistoryCounts(tuple(by))
    for file in files:
        if file in known:
            total.add(known[file])
    todo = [file for file in files if file not in known]
    tasks = [(file, *(begun or {}).get(file, (0, HistoryCounts(tuple(by))))) for file in todo]
    for file, found in _each(tasks, workers, part):
        if done is not None:
            done(file, found)
        total.add(found)
    return total


_Counted: TypeAlias = tuple[str, int, HistoryCounts]
"""A file, how many of its hands are counted, and their sums"""
_PART: Final = 20_000
"""Hands of a file between two calls of `part`: a few seconds of work."""
_BATCH: Final = 500
"""Hands of a large file that are counted at once, by one process."""
_AHEAD: Final = 3
"""Tasks for each worker that are handed out before their results are asked for."""


def _each(
    tasks: Sequence[_Counted], workers: int, part: Callable[[str, int, HistoryCounts], object] | None
) -> Iterator[tuple[str, HistoryCounts]]:
    """Yield each file with its sums, in order."""
    begun = {file: (first, found) for file, first, found in tasks}
    for file, results in groupby(_counted(tasks, workers), key=itemgetter(0)):
        number, found = begun[file]
        for _, hands, sums in results:
            found.add(sums)
            number += hands
            if part is not None and hands and number % _PART == 0:
                part(file, number, found)
        yield file, found


def _counted(tasks: Sequence[_Counted], workers: int) -> Iterator[_Counted]:
    """Yield each file's counts, in order; with several workers, small files are counted whole."""
    if workers == 1:
        for file, first, found in tasks:
            for batch in _batches(file, first):
                yield file, len(batch), _count_hands(found.by, batch)
        return
    waiting: deque[tuple[str, int, Future[HistoryCounts]]] = deque()
    with process_pool(workers) as pool:
        try:
            for file, hands, task in _shared_out(tasks, workers):
                waiting.append((file, hands, pool.submit(*task)))
                if len(waiting) >= _AHEAD * workers:
                    file, hands, future = waiting.popleft()
                    yield file, hands, future.result()
            for file, hands, future in waiting:
                yield file, hands, future.result()
        except BrokenExecutor as error:
            raise RoomError(f"a worker process died: {error}") from error


def _shared_out(tasks: Sequence[_Counted], workers: int) -> Iterator[tuple[str, int, tuple[Any, ...]]]:
    """Yield the work: whole files, but a file so large that others would wait for it in batches of hands."""
    sizes = {file: Path(file).stat().st_size for file, *_ in tasks}
    large = sum(sizes.values()) / (2 * workers)
    for file, first, found in tasks:
        if sizes[file] <= large:
            yield file, 0, (_count_file, found.by, file, first)
        else:
            for hands in _batches(file, first):
                yield file, len(hands), (_count_hands, found.by, hands)


def _batches(file: str, first: int) -> Iterator[list[Unread]]:
    """Yield the hands of a file after the `first`, in batches; there is at least one, which may be empty."""
    hands = islice(unread(file), first, None)
    size = min(_BATCH, _PART)
    while len(batch := [*islice(hands, size)]) == size:
        yield batch
    yield batch


def _count_file(by: tuple[str, ...], file: str, first: int) -> HistoryCounts:
    found = HistoryCounts(by)
    for hands in _batches(file, first):
        found.add(_count_hands(by, hands))
    return found


def _count_hands(by: tuple[str, ...], hands: Sequence[Unread]) -> HistoryCounts:
    found = HistoryCounts(by)
    for hand in hands:
        found.count(read_entry(hand))
    return found
