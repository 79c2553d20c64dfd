"""`poker-actors verify`: check the fairness record of a hand against the commitment made before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from poker_actors.cli.output import NO
from poker_actors.cli.reading import read_text
from poker_actors.cli.values import JsonOption, to_be_printed
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json

if TYPE_CHECKING:
    from poker_actors.store.fairness import FairnessRecord

__all__ = ["verify"]

LARGEST: Final = 1_000_000
"""The most bytes read of a record; one has some 3,000."""


def verify(
    record: Annotated[str, Parameter(allow_leading_hyphen=True)],
    *,
    commitment: str | None = None,
    json: JsonOption = None,
) -> int | None:
    """Check that the cards in a fairness record are those that were committed to before the deal.

    Every card the record claims must be proven: own cards, the board, and what was shown. Exit status 1
    says that one is not. Give the commitment you noted when the hand started: a record alone
    proves only that it agrees with itself.

    Args:
        record: A fairness record, a JSON file, or - for stdin.
        commitment: The commitment published before the deal, in hexadecimal.
    """
    from poker_actors.store.fairness import FairnessRecord

    found = FairnessRecord.from_dict(_read(record))
    flaw = _against(found, commitment) or found.flaw()
    cards = None if flaw else len(found.proofs)
    verdict = {"hand_id": found.hand_id, "verified": flaw is None, "flaw": flaw, "cards": cards}
    if to_be_printed(json, verdict):
        print(flaw or _verdict(found, commitment))
    return NO if flaw else None


def _read(place: str) -> object:
    text = read_text(place, LARGEST, "fairness record")
    try:
        return parse_json(text)
    except ValueError as error:
        raise BadSpec(f"{place} is no JSON: {error}") from None


def _against(record: FairnessRecord, commitment: str | None) -> str | None:
    """Return how the record's commitment differs from the given one, or None if it does not."""
    if commitment is None:
        return None
    try:
        noted = bytes.fromhex(commitment)
    except ValueError:
        raise BadSpec(f"--commitment {commitment[:80]!r} is not hexadecimal") from None
    if noted == record.commitment:
        return None
    return f"{record.hand_id} was committed to as {record.commitment.hex()}, not as {noted.hex()[:80]}"


def _verdict(record: FairnessRecord, commitment: str | None) -> str:
    text = f"{record.hand_id}: {len(record.proofs)} cards are those committed to before the deal"
    if commitment is None:
        text += f", if {record.commitment.hex()} is what was published then"
    return text
