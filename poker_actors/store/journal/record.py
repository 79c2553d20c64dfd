"""A record of the journal as it is stored: numbered, typed, and chained by its checksum."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Protocol

from poker_actors.errors import BadJournal
from poker_actors.frozen import value

__all__ = ["FORMAT", "GENESIS", "Row", "Snapshot", "Storage", "Stored", "chained", "check_chain", "sealed"]

FORMAT: Final = 3
"""The version of what is written. Older ones are read and migrated; newer ones are refused."""
CHECKSUM_BYTES: Final = 16
"""128 bits: against accidents. Whoever may write the file can also compute checksums."""
GENESIS: Final = bytes(CHECKSUM_BYTES)
"""What the first record is chained to."""


@value
class Row:
    """One record. `checksum` covers the record before as well, so none can go missing or move."""

    seq: int
    kind: str
    payload: str
    checksum: bytes


@value
class Snapshot:
    """The room after record `seq`, in place of all records up to it; `chain` is that record's checksum."""

    seq: int
    chain: bytes
    payload: str
    checksum: bytes


@value
class Stored:
    """What a storage holds; `torn` says in words what was cut off at its end, empty for nothing."""

    format: int
    snapshot: Snapshot | None
    rows: Sequence[Row]
    torn: str = ""


class Storage(Protocol):
    """Where records are kept. One writer, one thread at a time.

    What is written is durable when the call returns. A call that raises `StorageFailed` has
    stored nothing, or what the next `write` takes away again.
    """

    @property
    def name(self) -> str:
        """What to call this place in messages; holds no password."""

    def load(self) -> Stored:
        """Take the place over and give all there is; raises `BadJournal` and `StorageFailed`."""

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Store `rows` whole or not at all; `after` is the last record that counts before them."""

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Put `snapshot` in the place of the records up to it, in format `version`."""

    def close(self) -> None:
        """Let go of the place."""


def chained(previous: bytes, seq: int, kind: str, payload: str) -> bytes:
    """Return the checksum of a record that follows one with the checksum `previous`."""
    text = b"%s%d %s %s" % (previous, seq, kind.encode(), payload.encode())
    return blake2b(text, digest_size=CHECKSUM_BYTES, person=b"poker record").digest()


def sealed(seq: int, chain: bytes, payload: str) -> Snapshot:
    """Make a snapshot with its checksum."""
    text = b"%s%d %s" % (chain, seq, payload.encode())
    return Snapshot(
        seq, chain, payload, blake2b(text, digest_size=CHECKSUM_BYTES, person=b"poker snapshot").digest()
    )


def check_chain(name: str, stored: Stored) -> None:
    """Check every record; raises `BadJournal` naming the first that is damaged or missing."""
    seq, last = 0, GENESIS
    snapshot = stored.snapshot
    if snapshot is not None:
        seq, last = snapshot.seq, snapshot.chain
        if sealed(seq, last, snapshot.payload) != snapshot:
            raise BadJournal(f"{name}: the snapshot at record {seq} is damaged, its checksum differs")
    for row in stored.rows:
        seq += 1
        if row.seq != seq:
            raise BadJournal(f"{name}: record {seq} is missing, record {row.seq} stands in its place")
        if chained(last, seq, row.kind, row.payload) != row.checksum:
            raise BadJournal(f"{name}: record {seq} ({row.kind[:20]}) is damaged, its checksum differs")
        last = row.checksum
