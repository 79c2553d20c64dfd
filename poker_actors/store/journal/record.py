"""Records of the journal as stored, numbered, typed and chained by checksums, and the store that keeps them in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, Protocol

from poker_actors.errors import BadJournal
from poker_actors.frozen import value

FORMAT: Final = 3
"""The format written. Older ones are read and migrated, newer ones refused."""
CHECKSUM_BYTES: Final = 16
"""128 bits, against accidents only: anybody who can write the file can compute checksums too."""
GENESIS: Final = bytes(CHECKSUM_BYTES)
"""The checksum before the first record."""


@value
class Row:
    """One record. Its `checksum` covers the previous one, so no record can be lost or moved unnoticed."""

    seq: int
    kind: str
    payload: str
    checksum: bytes


@value
class Snapshot:
    """The room after record `seq`, replacing all records up to it; `chain` is that record's checksum."""

    seq: int
    chain: bytes
    payload: str
    checksum: bytes


@value
class Stored:
    """The contents of a storage; `torn` describes an unfinished write that was cut off, empty for none.

    In a salvaged one it describes the damage, and `unfinished` what a start would cut off.
    """

    format: int
    snapshot: Snapshot | None
    rows: Sequence[Row]
    torn: str = ""
    unfinished: str = ""

    @property
    def end(self) -> tuple[int, bytes]:
        """The number and checksum of the last record; 0 and `GENESIS` without any."""
        if self.rows:
            return self.rows[-1].seq, self.rows[-1].checksum
        return (0, GENESIS) if self.snapshot is None else (self.snapshot.seq, self.snapshot.chain)


class Storage(Protocol):
    """Where records are kept. It has one writer, and is used by one thread at a time.

    Records are durable when a call returns. A call that raises `StorageFailed` has stored nothing, or
    remains that the next `write` removes.
    """

    @property
    def name(self) -> str:
        """The place, for messages; without passwords."""

    def load(self) -> Stored:
        """Lock the place and return everything in it, after `close` too; raises `BadJournal` and `StorageFailed`."""

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Store `rows`, all or none; `after` is the last valid record before them."""

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Replace the records covered by `snapshot` with it, in format `version`."""

    def salvage(self) -> Stored:
        """Return all that can be read from a damaged place, without changing it; raises like `load`."""

    def begin_anew(self, snapshot: Snapshot) -> str:
        """Replace everything with `snapshot`; return the place of a copy of the old content. Raises `StorageFailed`."""

    def close(self) -> None:
        """Release the place, and undo anything that an interrupt has left half written."""


def chained(previous: bytes, seq: int, kind: str, payload: str) -> bytes:
    """Return the checksum of a record after one with the checksum `previous`."""
    text = b"%s%d %s %s" % (previous, seq, kind.encode(), payload.encode())
    return blake2b(text, digest_size=CHECKSUM_BYTES, person=b"poker record").digest()


def sealed(seq: int, chain: bytes, payload: str) -> Snapshot:
    """Return a snapshot with its checksum."""
    text = b"%s%d %s" % (chain, seq, payload.encode())
    return Snapshot(
        seq, chain, payload, blake2b(text, digest_size=CHECKSUM_BYTES, person=b"poker snapshot").digest()
    )


def check_chain(name: str, stored: Stored) -> None:
    """Check every record; raises `BadJournal` naming the first that is damaged or missing."""
    for fault in faults(stored):
        raise BadJournal(f"{name}: {fault}")


def faults(stored: Stored) -> Iterator[str]:
    """Yield the damage of a storage, by its checksums, in words and in the order of its records."""
    seq, last = 0, GENESIS
    snapshot = stored.snapshot
    if snapshot is not None:
        seq, last = snapshot.seq, snapshot.chain
        if sealed(seq, last, snapshot.payload) != snapshot:
            yield f"the snapshot at record {seq} is damaged: its checksum differs"
    for row in stored.rows:
        if row.seq != seq + 1:
            yield f"record {seq + 1} is missing: record {row.seq} is in its place"
        elif chained(last, row.seq, row.kind, row.payload) != row.checksum:
            yield f"record {row.seq} ({row.kind[:20]}) is damaged: its checksum differs"
        seq, last = row.seq, row.checksum


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


class MemoryStorage:
    """Records in a list."""

    name = "memory"

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.snapshot: Snapshot | None = None
        self.format = FORMAT
        self.before: tuple[Snapshot | None, list[Row]] = (None, [])
        """what `begin_anew` replaced"""

    def load(self) -> Stored:
        """Return everything written so far."""
        return Stored(self.format, self.snapshot, tuple(self.rows))

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Drop records after `after`, then append `rows`."""
        while self.rows and self.rows[-1].seq > after:
            self.rows.pop()
        self.rows.extend(rows)

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Replace the records that `snapshot` covers."""
        self.snapshot = snapshot
        self.format = version
        self.rows = [row for row in self.rows if row.seq > snapshot.seq]

    def salvage(self) -> Stored:
        """Return everything written so far."""
        return self.load()

    def begin_anew(self, snapshot: Snapshot) -> str:
        """Keep only `snapshot`; the copy is an attribute of this object."""
        self.before = (self.snapshot, self.rows)
        self.snapshot, self.rows, self.format = snapshot, [], FORMAT
        return "memory"

    def close(self) -> None:
        """Do nothing."""
