"""Mend a damaged journal: restore what its checksums allow, and keep every account and chip of the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, Final

import attrs

from poker_actors.errors import BadJournal
from poker_actors.jsontext import parse_json
from poker_actors.store.journal.facts import Booked, Fact, decode
from poker_actors.store.journal.image import RoomImage
from poker_actors.store.journal.record import (
    CHECKSUM_BYTES,
    FORMAT,
    GENESIS,
    Row,
    Snapshot,
    Storage,
    chained,
    sealed,
)
from poker_actors.store.ledger import MINT, bank_account

_PARTS: Final = {
    "players": "players",
    "tables": "tables",
    "balances": "balances of chips",
    "keys": "keys of bookings",
    "notes": "notes of the server",
    "counts": "counts of ledgers",
}
"""The parts of a snapshot, in its order, and their names in words."""
_LONGEST: Final = 40_000
"""Bytes of a snapshot in which a flipped bit is looked for: each doubling takes four times as long, here a few seconds."""


@attrs.define
class Salvage:
    """A room as far as its damaged journal can be read, and the damage in words."""

    storage: Storage
    image: RoomImage = attrs.field(factory=RoomImage)
    seq: int = 0
    chain: bytes = GENESIS
    wrong: list[str] = attrs.field(factory=list)
    unfinished: str = ""
    """what a start would cut off; empty for nothing"""
    broken: str = ""
    """the rest after the last whole entry of a truncated snapshot"""

    def snapshot(self, image: RoomImage) -> Snapshot:
        """Return `image` as the snapshot a journal begins with, numbered as this one."""
        return sealed(self.seq, self.chain, image.to_json())

    def begin_anew(self, image: RoomImage) -> str:
        """Replace the journal with one that begins with `image`; return the place of a copy of the old one."""
        return self.storage.begin_anew(self.snapshot(image))


def salvaged_from(storage: Storage) -> Salvage:
    """Read everything that can be read; raises `BadJournal` for a snapshot beyond repair or a newer format.

    A record with one byte damaged is restored exactly, by its checksum. Any other is taken as it stands, or left out if
    it does not fit. Chips that a lost record had brought are replaced; chips at no table go back to their owners.
    """
    stored = storage.salvage()
    if stored.format > FORMAT:
        raise BadJournal(f"{storage.name} has format {stored.format}: this version reads up to {FORMAT}")
    mended = Salvage(storage, wrong=[stored.torn] if stored.torn else [], unfinished=stored.unfinished)
    if stored.snapshot is not None:
        _read_snapshot(mended, stored.snapshot, stored.format)
    following: list[Row | None] = [*stored.rows[1:], None]
    for row, after in zip(stored.rows, following, strict=False):
        gap = row.seq != mended.seq + 1
        if gap:
            first, last = mended.seq + 1, row.seq - 1
            lost = f"record {first} is" if first == last else f"records {first} to {last} are"
            mended.wrong.append(f"{lost} missing")
        whole = row if gap else _restored(mended, row, after)
        mended.seq, mended.chain = whole.seq, whole.checksum
        try:
            _apply(mended, whole.seq, decode(whole.kind, whole.payload, stored.format))
        except BadJournal as error:
            key = re.search(r'"key":"((?:[^"\\]|\\.){1,80})', row.payload) if row.kind == "note" else None
            what = f"{row.kind[:20]} {key[1]}" if key is not None else row.kind[:20]
            mended.wrong.append(f"record {row.seq} ({what}) is left out: {error}")
    _return_strays(mended)
    return mended


def _read_snapshot(mended: Salvage, snapshot: Snapshot, version: int) -> None:
    mended.seq, mended.chain = snapshot.seq, snapshot.chain
    payload = snapshot.payload
    try:
        if not snapshot.checksum:
            mended.image, lost, mended.broken = _as_far_as_it_goes(payload, version)
            mended.wrong.append(f"the snapshot at record {snapshot.seq} breaks off: {lost}")
            return
        if sealed(snapshot.seq, snapshot.chain, payload) != snapshot:
            fixed = _snapshot_restored(snapshot)
            how = "taken as it stands" if fixed is None else "restored by its checksum"
            mended.wrong.append(f"the snapshot at record {snapshot.seq} is damaged: {how}")
            payload = payload if fixed is None else fixed
        mended.image = RoomImage.from_json(payload, version)
    except BadJournal as error:
        raise BadJournal(f"{mended.storage.name} is beyond repair: {error}") from None


def _as_far_as_it_goes(text: str, version: int) -> tuple[RoomImage, str, str]:
    """Return the room of a truncated snapshot up to its last whole entry, the loss in words, and the rest of the text.

    The mint makes up what the balances then lack to zero. Raises `BadJournal` for a text that is not a snapshot.
    """
    whole, closing = _last_whole_entry(text)
    try:
        found: dict[str, Any] = parse_json(whole + closing)
        players, balances = found.get("players", []), found.get("balances", {})
        came = found.get("came", max([int(one[-1]) for one in players], default=-1) + 1)
        balances |= {MINT: balances.get(MINT, 0) - sum(balances.values())}
    except (ValueError, TypeError, LookupError):
        raise BadJournal("the snapshot cannot be read") from None
    rest = text[len(whole) :]
    cut = [list(found)[-1]] if closing not in ("{}", "}") else []
    lost = [f"the {_PARTS[what]} after {len(found[what]):,} of them" for what in cut]
    counted = "tables" not in found or any(one["opened"].get("ledger") for one in found["tables"])
    lost += [
        f"all {words}"
        for what, words in _PARTS.items()
        if what not in found and (what != "counts" or counted)
    ]
    lost += [f"table {name}" for name in re.findall(r'"opened":{"name":"([^"]+)"', rest)]
    plain: dict[str, Any] = {"seed": None, "tables": [], "keys": [], "notes": {}}
    plain |= found | {"players": players, "balances": balances, "came": came}
    return RoomImage.from_json(json.dumps(plain), version), ", ".join(lost) + " are lost", rest


def _last_whole_entry(text: str) -> tuple[str, str]:
    """Return a truncated JSON object up to its last whole entry, at any depth, and the brackets that close it."""
    inside, quoted, escaped, last = "", False, False, ("", "{}")
    for at, sign in enumerate(text):
        if quoted:
            quoted, escaped = escaped or sign != '"', sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            inside = ("}" if sign == "{" else "]") + inside
        elif sign in "}]":
            inside = inside[1:]
        elif sign == "," and len(inside) <= 2:
            last = text[:at], inside
    return last


def _snapshot_restored(snapshot: Snapshot) -> str | None:
    """Return the corrected text of a snapshot with one wrong bit; None if more is wrong, or the text is too long."""
    data = bytearray(b"%s%d %s" % (snapshot.chain, snapshot.seq, snapshot.payload.encode()))
    if len(data) > _LONGEST:
        return None
    begun = len(data) - len(snapshot.payload.encode())
    before = blake2b(bytes(data[:begun]), digest_size=CHECKSUM_BYTES, person=b"poker snapshot")
    for at in range(begun, len(data)):
        rest = bytes(data[at + 1 :])
        for bit in range(8):
            tried = before.copy()
            tried.update(bytes([data[at] ^ 1 << bit]) + rest)
            if tried.digest() == snapshot.checksum:
                data[at] ^= 1 << bit
                return data[begun:].decode()
        before.update(data[at : at + 1])
    return None


def _restored(mended: Salvage, row: Row, after: Row | None) -> Row:
    """Return a record as its checksum confirms it, with its checksum or one byte restored if need be; else as it is."""
    right = chained(mended.chain, row.seq, row.kind, row.payload)
    if right == row.checksum:
        return row
    where = f"record {row.seq} ({row.kind[:20]}) is damaged"
    if after is not None and chained(right, after.seq, after.kind, after.payload) == after.checksum:
        mended.wrong.append(f"{where}: its checksum, recomputed")
        return attrs.evolve(row, checksum=right)
    for kind, payload in _with_one_byte_changed(row):
        if chained(mended.chain, row.seq, kind, payload) == row.checksum:
            mended.wrong.append(f"{where}: one byte, restored by its checksum")
            return attrs.evolve(row, kind=kind, payload=payload)
    mended.wrong.append(f"{where}: taken as it stands")
    return row


def _with_one_byte_changed(row: Row) -> Iterator[tuple[str, str]]:
    size = len(row.kind.encode())
    data = bytearray(row.kind.encode() + row.payload.encode())
    for at, was in enumerate(data):
        for byte in range(128):  # all records are ASCII: JSON escapes the rest
            if byte != was:
                data[at] = byte
                yield data[:size].decode("latin-1"), data[size:].decode("latin-1")
        data[at] = was


def _apply(mended: Salvage, seq: int, fact: Fact) -> None:
    if isinstance(fact, Booked) and fact.key not in mended.image.ledger.keys:
        short = {}
        for account, delta in fact.deltas.items():
            missing = -(mended.image.ledger.balance(account) + delta)
            if delta < 0 < missing and account != MINT and not account.startswith("credit/"):
                short[account] = missing
        if short and not sum(fact.deltas.values()):
            _make_good(mended.image, short)
            mended.wrong.append(
                f"record {seq} (book) takes {sum(short.values()):,} chips that no record brought: made good"
            )
    mended.image.apply(fact)


def _make_good(image: RoomImage, short: dict[str, int]) -> None:
    """Mint chips that a lost record had brought; chips at a table come through the bank, so that its ledger counts them."""
    for account, chips in short.items():
        kind, _, rest = account.partition("/")
        if kind in ("stack", "escrow"):
            owner = bank_account(rest.rpartition("/")[2])
            image.apply(Booked({MINT: -chips, owner: chips}, ""))
            image.apply(Booked({owner: -chips, account: chips}, ""))
        else:
            image.apply(Booked({MINT: -chips, account: chips}, ""))


def _return_strays(mended: Salvage) -> None:
    """Return chips on tables where their owners do not sit, and in hands that nobody plays, to their owners."""
    image = mended.image
    seated = {
        f"stack/{name}/{kept[0]}" for name, table in image.tables.items() for kept in table.seats if kept
    }
    open_hands = {table.open_hand.hand_id for table in image.tables.values() if table.open_hand is not None}
    for account, chips in image.ledger.balances().items():
        kind, _, rest = account.partition("/")
        place, _, owner = rest.rpartition("/")
        if (kind == "stack" and account not in seated) or (kind == "escrow" and place not in open_hands):
            image.apply(Booked({account: -chips, bank_account(owner): chips}, ""))
            mended.wrong.append(
                f"{chips:,} chips of {owner} are at {place}, where nobody plays for them: returned"
            )
